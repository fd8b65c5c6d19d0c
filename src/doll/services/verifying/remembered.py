"""What was verified before, kept in the sealed cache: commits, and what was found up to them.

Everything in the history of such a commit is verified, and history does not change. What the cache
does not vouch for counts as absent, and the answer is the same without it.
"""

from collections.abc import Sequence

import msgspec

from doll import __version__
from doll.errors import Problem
from doll.services.opening import Vault
from doll.services.verifying.faults import Fault
from doll.vcs.plumbing.history import is_ancestor

# Raise it when a rule of verify changes, or what a rule rests on.
RULES = 4

_NAME = "verified"
_KEPT = 8
# With more faults than this a history is looked at anew each time.
_MOST_FAULTS = 1000


class Remembered(msgspec.Struct, frozen=True, array_like=True):
    """A commit whose whole history was verified: how many commits that is, and their faults."""

    commit: str
    number: int
    faults: tuple[tuple[str, Problem], ...]

    def found(self) -> list[Fault]:
        """Return the faults of this history."""
        return [Fault(problem, commit) for commit, problem in self.faults]


class _Shelf(msgspec.Struct, frozen=True, array_like=True):
    rules: str
    kept: tuple[Remembered, ...]


def recall(vault: Vault, tip: str) -> Remembered | None:
    """Return the last verified commit in the history of `tip`, None when there is none."""
    return next(
        (
            each
            for each in _load(vault)
            if each.commit == tip or is_ancestor(vault.repository, each.commit, tip)
        ),
        None,
    )


def remember(vault: Vault, commit: str, number: int, faults: Sequence[Fault]) -> None:
    """Keep that the whole history of `commit` was verified, in front of what was kept before."""
    if len(faults) > _MOST_FAULTS:
        return
    new = Remembered(commit, number, tuple((fault.commit, fault.problem) for fault in faults))
    older = [each for each in _load(vault) if each.commit != commit]
    shelf = _Shelf(_rules(vault), (new, *older[: _KEPT - 1]))
    vault.cache.store(_NAME, msgspec.msgpack.encode(shelf))


def _load(vault: Vault) -> tuple[Remembered, ...]:
    data = vault.cache.load(_NAME)
    if data is None:
        return ()
    try:
        shelf = msgspec.msgpack.decode(data, type=_Shelf)
    except msgspec.DecodeError:
        return ()
    return shelf.kept if shelf.rules == _rules(vault) else ()


def _rules(vault: Vault) -> str:
    """Return what a judgement rests on beside the history: the rules, and where the vault lies."""
    return f"{RULES} {__version__} {vault.prefix}"
