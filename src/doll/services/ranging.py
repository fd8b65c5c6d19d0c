"""A range of commits, `A..B`: what it changes, what was accepted before it, what it leaves pending.

For pull requests and pushes. A range of the vault's own repository is judged by the rules before
it: what it changes of them is named and does not count yet.
"""

from typing import NamedTuple

from doll.errors import UsageError
from doll.preflight import Pending
from doll.services.opening import Vault
from doll.vault import layout
from doll.vcs import plumbing

_SHORT = 12
_WHAT = {"A": "added", "D": "removed"}


class Span(NamedTuple):
    """The commits in the history of `last` and not in that of `first`; `base` is where they part.

    All are commit ids of `repository`.
    """

    repository: plumbing.Repository
    first: str
    last: str
    base: str

    @property
    def text(self) -> str:
        """The range as git shows it, by full ids."""
        return f"{self.base}..{self.last}"


def span_of(repository: plumbing.Repository | None, text: str) -> Span:
    """Return the range that `text` names; an end that is left out is HEAD.

    Raises UsageError for text that is no range, for an end that is no commit here, and for ends
    without a common history.
    """
    if repository is None:
        raise UsageError("--range: this folder is in no git repository")
    one, other = ends_of(repository, text, "doll preflight --range origin/main..HEAD")
    base = plumbing.merge_base(repository, one, other)
    if base is None:
        raise UsageError(f"the ends of {text} share no history here{_shallow(repository)}")
    return Span(repository, one, other, base)


def ends_of(repository: plumbing.Repository, text: str, example: str) -> tuple[str, str]:
    """Return the commits `A` and `B` that the text `A..B` names; one that is left out is HEAD.

    UsageError as `span_of`, with the `example` for text that is no range.
    """
    first, dots, last = text.partition("..")
    if not dots or not (first or last) or last.startswith(".") or ".." in last:
        raise UsageError(f"--range: {text!r} is not A..B", hint=example)
    return _commit(repository, first or "HEAD"), _commit(repository, last or "HEAD")


def changed_paths(span: Span, vault: Vault | None) -> tuple[str, ...]:
    """Return the paths that the range changes, a rename's both; those of the vault left out."""
    from doll.vcs.plumbing.history import changes

    own = vault is not None and is_own(vault, span)
    found = changes(span.repository, span.base, span.last, "")
    return tuple(
        change.path
        for change in found
        if not (own and vault is not None and vault.owns(change.path))
    )


def is_own(vault: Vault, span: Span) -> bool:
    """Return whether a range is one of the vault's own repository."""
    return plumbing.same_repository(span.repository, vault.repository)


def pending_in(vault: Vault, span: Span) -> tuple[Pending, ...]:
    """Return the changes of authority and settings inside a range of the vault's repository.

    Each path once, with the newest commit that changed it.
    """
    from doll.vcs.plumbing.history import history

    found: dict[str, str] = {}
    for place in ("authority", layout.MARKER):
        steps = history(vault.repository, [span.last], [span.first], vault.in_git(place))
        for step in steps:
            sides = [{change.path: change.status for change in side} for side in step.sides]
            merged = len(step.parents) > 1 and len(sides) < len(step.parents)
            for path, status in (sides[0] if sides and not merged else {}).items():
                if all(path in side for side in sides):
                    what = _WHAT.get(status, "changed")
                    found[path] = f"{what} by {step.commit[:_SHORT]}; push that commit first"
    paths = ((vault.in_vault(path), said) for path, said in sorted(found.items()))
    return tuple(Pending(path, said) for path, said in paths if path is not None and _counts(path))


def _counts(path: str) -> bool:
    return path == layout.MARKER or layout.is_record(path)


def _commit(repository: plumbing.Repository, name: str) -> str:
    found = plumbing.resolve(repository, name)
    if found is None:
        raise UsageError(
            f"--range: {name!r} names no commit here{_shallow(repository)}",
            hint="git fetch origin    brings what the remote has",
        )
    return found


def _shallow(repository: plumbing.Repository) -> str:
    from doll.vcs.plumbing.history import cut_off

    return "; the clone is shallow (`git fetch --unshallow`)" if cut_off(repository) else ""
