"""What a push brings: the refs that git names to its pre-push hook, and the commits of each.

Reads git alone. What the other side has is what the remote-tracking branches say, and the old
value of a ref where that commit is here.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from doll.errors import GitError, UsageError
from doll.services.ranging import Span
from doll.vcs import plumbing
from doll.vcs.plumbing.history import changes, new_commits


class Ref(NamedTuple):
    """A ref that a push makes, moves or deletes on the other side: its name there, object ids.

    None stands for no object: `new` of a deletion, `old` of a ref that is not there yet.
    """

    name: str
    old: str | None
    new: str | None


def parse_refs(text: str) -> tuple[Ref, ...]:
    """Return the lines `<local ref> <local id> <remote ref> <remote id>` of a hook's input.

    UsageError for anything else.
    """
    refs = []
    for line in filter(None, text.splitlines()):
        # What a user typed for a local ref may hold spaces.
        parts = line.rsplit(" ", 3)
        if len(parts) != 4 or not (_is_id(parts[1]) and _is_id(parts[3])):
            raise UsageError(
                f"{line[:120]!r} is not what git says to a pre-push hook",
                hint="git calls it by itself, at every push",
            )
        refs.append(Ref(parts[2], _some(parts[3]), _some(parts[1])))
    return tuple(refs)


class Brought(NamedTuple):
    """The commits that a ref brings: as a range, and the paths that they change.

    `base` is None where all of its history is new to the other side.
    """

    ref: Ref
    last: str
    base: str | None
    paths: tuple[str, ...]

    def span(self, repository: plumbing.Repository, accepted: str) -> Span:
        """Return the range, judged by a commit that is accepted before it."""
        return Span(repository, accepted, self.last, accepted)


def brought(repository: plumbing.Repository, refs: Iterable[Ref]) -> tuple[Brought, ...]:
    """Return what each ref brings; deletions, and what names no commit here, bring nothing."""
    found = (_brought(repository, ref) for ref in refs if ref.new is not None)
    return tuple(each for each in found if each is not None)


def not_here(repository: plumbing.Repository, refs: Iterable[Ref]) -> GitError | None:
    """Return the error for refs that would bring objects which are not here, None for none.

    git asks about none: somebody else calls the hook, or the repository is damaged.
    """
    missing = [ref for ref in refs if ref.new and not plumbing.is_here(repository, ref.new)]
    if not missing:
        return None
    named = " and ".join(f"{ref.name} ({(ref.new or '')[:12]})" for ref in missing)
    hint = "git fsck    tells what is missing or damaged"
    return GitError(f"what is to be pushed is not here: {named}", hint=hint)


def _brought(repository: plumbing.Repository, ref: Ref) -> Brought | None:
    last = plumbing.resolve(repository, ref.new or "")
    if last is None:
        return None
    old = plumbing.resolve(repository, ref.old) if ref.old else None
    if old is not None:
        # In a shallow clone the histories may not meet here; the two still differ by something.
        base = plumbing.merge_base(repository, old, last) or old
        return Brought(ref, last, base, _paths(repository, [base], last))
    commits, bases = new_commits(repository, last)
    if not commits:
        return None
    return Brought(ref, last, bases[0] if bases else None, _paths(repository, bases, last))


def _paths(repository: plumbing.Repository, bases: Iterable[str], last: str) -> tuple[str, ...]:
    """Return the paths in which a commit differs from what the other side has.

    Where it grew from several commits there, all that differs from any of them counts.
    """
    starts: list[str | None] = [*bases]
    sides = [changes(repository, base, last, "") for base in starts or [None]]
    return tuple(sorted({change.path for side in sides for change in side}))


def _is_id(word: str) -> bool:
    return len(word) in (40, 64) and set(word) <= set("0123456789abcdef")


def _some(oid: str) -> str | None:
    return oid if oid.strip("0") else None


def refs_of_framework(environment: Mapping[str, str]) -> tuple[Ref, ...]:
    """Return the one ref that the pre-commit framework tells a hook of: it reads the input itself.

    Source: https://pre-commit.com, "pre-push".
    """
    name = environment.get("PRE_COMMIT_REMOTE_BRANCH", "")
    old = environment.get("PRE_COMMIT_FROM_REF") or None
    new = environment.get("PRE_COMMIT_TO_REF") or environment.get("PRE_COMMIT_LOCAL_BRANCH") or None
    return (Ref(name, old, new),) if new is not None else ()
