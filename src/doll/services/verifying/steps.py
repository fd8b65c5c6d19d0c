"""The commits of a vault's history, with what they change in the vault alone."""

from collections.abc import Iterator, Sequence

from doll.services.trailers import BY, REDACTS
from doll.vcs.plumbing.history import Step, history
from doll.vcs.plumbing.index import Change
from doll.vcs.plumbing.repository import Repository

# What a redaction is told by.
_KEYS = (REDACTS, BY)


def steps(
    repository: Repository, prefix: str, tips: Sequence[str], known: Sequence[str]
) -> Iterator[Step]:
    """Yield the commits of `tips` that are not in the history of `known`, parents first.

    Paths are relative to the vault, which lies at `prefix` ("" or `notes/`). A commit that changes
    nothing there has no sides.
    """
    for step in history(repository, tips, known, prefix.removesuffix("/"), _KEYS):
        yield _inside(step, prefix) if prefix else step


def _inside(step: Step, prefix: str) -> Step:
    sides = (_within(side, prefix) for side in step.sides)
    return step._replace(sides=tuple(side for side in sides if side))


def _within(side: tuple[Change, ...], prefix: str) -> tuple[Change, ...]:
    return tuple(
        change._replace(path=change.path.removeprefix(prefix))
        for change in side
        if change.path.startswith(prefix)
    )
