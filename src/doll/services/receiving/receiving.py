"""Judge a push: each ref that it moves, by what the vault's branch had before.

Reads git alone, in the environment of the hook: what is pushed is not in the repository yet.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from doll.errors import ConfigurationError, Problem
from doll.services.checking.wholeness import refuse_newer
from doll.services.receiving.committed import CommittedVault
from doll.services.receiving.contents import LIMIT, content_faults
from doll.services.receiving.server import Server, marker_problem
from doll.services.receiving.tree_rules import tree_problems
from doll.services.receiving.updates import BRANCHES, Update
from doll.services.verifying.faults import Fault
from doll.services.verifying.ground import Ground
from doll.services.verifying.signatures import signature_faults
from doll.services.verifying.steps import steps
from doll.services.verifying.verifying import judge
from doll.vault import layout
from doll.vcs import plumbing
from doll.vcs.plumbing.history import is_ancestor


class Refusal(NamedTuple):
    """A ref that the repository does not take, and why."""

    ref: str
    faults: tuple[Fault, ...]


def receive(server: Server, updates: Sequence[Update]) -> tuple[Refusal, ...]:
    """Return the refs of a push that are not taken; none when the push is good.

    Raises ConfigurationError when the vault's settings ask for what this doll cannot check.
    """
    _require_known_format(server)
    known = [oid for oid in (server.main, _new_main(server, updates)) if oid is not None]
    found = (_refusal(server, update, known) for update in updates)
    return tuple(refusal for refusal in found if refusal is not None)


def _require_known_format(server: Server) -> None:
    before = server.at(server.main) if server.main else None
    marker = before.marker_at_head() if before else None
    if before is not None and marker is not None:
        refuse_newer(before.parse_settings(marker)[1])


def _new_main(server: Server, updates: Sequence[Update]) -> str | None:
    """Return what the push makes of the vault's branch: it is judged by itself, once."""
    wanted = f"{BRANCHES}{server.branch}"
    return next((update.new for update in updates if update.ref == wanted), None)


def _refusal(server: Server, update: Update, known: Sequence[str]) -> Refusal | None:
    is_main = update.ref == f"{BRANCHES}{server.branch}"
    faults = list(_main(server, update) if is_main else _other(server, update, known))
    return Refusal(update.ref, tuple(sorted(set(faults)))) if faults else None


def _main(server: Server, update: Update) -> Iterator[Fault]:
    """Yield why the vault's branch does not move so."""
    if update.new is None:
        yield _plain("push.deleted", "this is the vault's branch, and it is never deleted")
        return
    if update.old and not is_ancestor(server.repository, update.old, update.new):
        message = "this is the vault's branch, and the push would take commits away from it"
        yield _plain("push.forced", message)
        return
    known = [update.old] if update.old else []
    yield from _judged(server, update.old, update.new, known)


def _other(server: Server, update: Update, known: Sequence[str]) -> Iterator[Fault]:
    """Yield why another branch or a tag is not taken: judged from where it left the vault's."""
    if update.new is None:
        return
    commit = plumbing.resolve(server.repository, update.new)
    if commit is None:
        yield _plain("push.no_commit", "this names no commit, so it cannot be judged")
        return
    if any(is_ancestor(server.repository, commit, oid) for oid in known):
        return
    before = plumbing.resolve(server.repository, update.old) if update.old else None
    bases = (plumbing.merge_base(server.repository, oid, commit) for oid in reversed(known))
    base = next((oid for oid in bases if oid is not None), None)
    yield from _judged(server, base, commit, [*known, before] if before else known)


def _judged(server: Server, base: str | None, new: str, known: Sequence[str]) -> Iterator[Fault]:
    """Yield what is wrong with the commits of `new` that are not known, and with what it makes.

    Also where neither end has a `doll.yaml`: who clones the repository gets every branch of it.
    """
    before, after = server.at(base) if base else None, server.at(new)
    marker = before.marker_at_head() if before else None
    if said := marker_problem(server, marker, after):
        yield _plain("push.other_vault", said, layout.MARKER)
        return
    found = [*_history(server, after, known), *_signatures(after, base)]
    yield from found
    named = {(fault.problem.path, fault.problem.code) for fault in found}
    for problem in tree_problems(before, after):
        if (problem.path, problem.code) not in named:
            yield Fault(problem)


def _signatures(after: CommittedVault, base: str | None) -> list[Fault]:
    """Return what a push brings that is not signed where the vault asks for it.

    ConfigurationError where nobody can say: no key is trusted here, or a program is missing.
    """
    faults, unsure = signature_faults(after, after.head, base)
    if unsure:
        said = "the vault requires signatures, and they cannot be checked here"
        raise ConfigurationError(said, problems=unsure)
    return faults


def _history(server: Server, after: CommittedVault, known: Sequence[str]) -> Iterator[Fault]:
    with Ground(after, known, limit=LIMIT) as ground:
        for step in steps(server.repository, server.prefix, (after.head,), known):
            yield from judge(step, ground)
            if step.sides:
                yield from content_faults(after, step, ground.contents)


def _plain(code: str, message: str, path: str = "") -> Fault:
    return Fault(Problem(path, 0, 0, code, message))
