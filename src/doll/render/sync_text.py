"""The text of `doll sync`: what came, what was committed, what was left, and where it ended."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from doll.errors import Problem
from doll.render.problems import problem_lines
from doll.render.text import count, visible
from doll.vault.typed import typed

_CAP = 20
_TYPED = 3
_RULES = ("authority/", "doll.yaml", ".gitattributes")


class Difference(Protocol):
    """A path that differs, and how."""

    @property
    def path(self) -> str:
        """Relative to the vault."""
        ...

    @property
    def what(self) -> str:
        """`new`, `changed` or `removed`."""
        ...


def rules_lines(files: Sequence[Difference]) -> Iterator[str]:
    """Yield what came of authority and settings: it counts from now on, so it is said first."""
    found = [each for each in files if each.path.startswith(_RULES)]
    if found:
        yield f"authority that came from the remote and counts now ({len(found):,}):"
        yield from path_lines(found)


def brought_line(how: str, commits: int, files: Sequence[Difference], name: str) -> str:
    """Return the line that says how much came from where."""
    done = "merged" if how == "merge" else "took over"
    what = f"{count(len(files), 'file')} of the vault changed" if files else "no file changed here"
    return f"{done} {count(commits, 'commit')} of {visible(name)}: {what}"


def held_lines(held: Sequence[Problem], *, planned: bool = False) -> Iterator[str]:
    """Yield why files are not committed, each time until they are mended."""
    if held:
        paths = len({problem.path for problem in held})
        is_ = "would stay" if planned else "stays" if paths == 1 else "stay"
        yield f"held back: {count(paths, 'file')} {is_} uncommitted until mended"
        yield from (f"  {line}" for line in problem_lines(held[:_CAP]))
        if len(held) > _CAP:
            yield f"  +{len(held) - _CAP:,} more: doll validate"


def theirs_lines(theirs: Sequence[Difference], git: str) -> Iterator[str]:
    """Yield the changes that only the user commits, and how; `git` is how to call it there."""
    if theirs:
        yield f"yours to commit, since that is how you accept it ({len(theirs):,}):"
        yield from path_lines(theirs)
        yield f"  {git} add -- {_named(theirs)} && {git} commit -- {_named(theirs)}"


def aside_lines(aside: Sequence[str]) -> Iterator[str]:
    """Yield the files that are no records, and are not committed for that."""
    if aside:
        yield f"no records, so not committed ({len(aside):,}); git add -- FILE takes one along:"
        yield from (f"  {visible(path)}" for path in aside[:_CAP])
        if len(aside) > _CAP:
            yield f"  +{len(aside) - _CAP:,} more"


def came_lines(problems: Sequence[Problem]) -> Iterator[str]:
    """Yield the errors that came with the remote's commits."""
    if problems:
        yield f"with errors that were there before ({len(problems):,}):"
        yield from (f"  {line}" for line in problem_lines(problems[:_CAP]))
        if len(problems) > _CAP:
            yield f"  +{len(problems) - _CAP:,} more: doll validate"


def _named(found: Sequence[Difference]) -> str:
    """Return the paths as words to type; where they are many, what holds them all."""
    if len(found) <= _TYPED:
        return " ".join(typed(each.path) for each in found)
    return " ".join(sorted({typed(each.path.partition("/")[0]) for each in found}))


def path_lines(found: Iterable[Difference]) -> Iterator[str]:
    """Yield each path with what became of it, to a limit."""
    listed = list(found)
    yield from (f"  {each.what:8}{visible(each.path)}" for each in listed[:_CAP])
    if len(listed) > _CAP:
        yield f"  +{len(listed) - _CAP:,} more"
