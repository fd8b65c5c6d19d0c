"""The text of `doll sync`: what came, what was committed, what was left, and where it ended."""

from collections.abc import Iterator, Sequence

from doll.errors import Problem
from doll.render import listed
from doll.render.listed import Difference
from doll.render.text import count, visible
from doll.vault import layout
from doll.vault.typed import typed

_TYPED = 20


def rules_lines(files: Sequence[Difference]) -> Iterator[str]:
    """Yield what came of authority and settings: it counts from now on, so it is said first."""
    found = [each for each in files if layout.is_rule(each.path)]
    if found:
        yield f"authority that came from the remote and counts now ({len(found):,}):"
        yield from listed.differences(found)


def besides_lines(besides: Sequence[Difference]) -> Iterator[str]:
    """Yield what was committed along with what a sync committed, and not by it."""
    if besides:
        yield f"committed besides, by a hook or by hand ({len(besides):,}):"
        yield from listed.differences(besides)


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
        yield from listed.problems(held)


def theirs_lines(theirs: Sequence[Difference], git: str) -> Iterator[str]:
    """Yield the changes that only the user commits, and how; `git` is how to call it there."""
    if theirs:
        yield f"yours to commit, since that is how you accept it ({len(theirs):,}):"
        yield from listed.differences(theirs)
        yield f"  {git} add -- {_named(theirs)} && {git} commit -- {_named(theirs)}"


def aside_lines(aside: Sequence[str], git: str) -> Iterator[str]:
    """Yield the files that are no records, and are not committed for that; `git` as above."""
    if aside:
        yield f"no records, so not committed ({len(aside):,}); {git} add -- FILE takes one along:"
        yield from listed.paths(aside)


def came_lines(problems: Sequence[Problem]) -> Iterator[str]:
    """Yield the errors that came with the remote's commits."""
    if problems:
        yield f"with errors that came along ({len(problems):,}):"
        yield from listed.problems(problems)


def _named(found: Sequence[Difference]) -> str:
    """Return the paths as words to type; where they are many, folders that hold nothing else."""
    paths = [each.path for each in found]
    if len(paths) > _TYPED:
        paths = sorted({_folder(path) for path in paths})
    return " ".join(map(typed, paths))


def _folder(path: str) -> str:
    """Return the folder that a sync leaves to the user as a whole and that has `path`, or that."""
    wholes = ("authority", layout.JUDGED, layout.SCHEMAS)
    return next((each for each in wholes if path.startswith(f"{each}/")), path)
