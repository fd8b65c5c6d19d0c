"""Random histories: the walk says what the definition says, and in pieces what it says at once."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hypothesis import given, strategies

from doll.services.signing.standing import ABSENT, Apart, Touch, Version, Walked, apart_in, walk

PATHS = ("authority/p.md", "authority/q.md")
VERSIONS: tuple[Version, ...] = (ABSENT, ("100644", "a"), ("100644", "b"), ("100755", "a"))
Tree = dict[str, Version]


class Made(NamedTuple):
    """A commit: its parents by number, its files, how it is signed."""

    parents: tuple[int, ...]
    tree: Tree
    grade: str


@strategies.composite
def histories(draw: strategies.DrawFn) -> list[Made]:
    """Return commits, parents first, the last one the tip; each commit has the one before it."""
    made: list[Made] = []
    for number in range(draw(strategies.integers(1, 7))):
        others = range(max(number - 1, 0))
        more = draw(strategies.sets(strategies.sampled_from(others), max_size=2)) if others else ()
        parents = (number - 1, *sorted(more)) if number else ()
        if number > 1 and draw(strategies.booleans()):  # a side that left earlier
            parents = (draw(strategies.integers(0, number - 1)),)
        tree = {path: draw(strategies.sampled_from(VERSIONS)) for path in PATHS}
        made.append(Made(parents, tree, draw(strategies.sampled_from("GGNB"))))
    heads = set(range(len(made))) - {parent for each in made for parent in each.parents}
    tree = {path: draw(strategies.sampled_from(VERSIONS)) for path in PATHS}
    made.append(Made(tuple(sorted(heads)), tree, draw(strategies.sampled_from("GN"))))
    return made


def ancestors(history: Sequence[Made], number: int) -> set[int]:
    found: set[int] = set()
    waiting = [*history[number].parents]
    while waiting:
        parent = waiting.pop()
        if parent not in found:
            found.add(parent)
            waiting += history[parent].parents
    return found


def changes(history: Sequence[Made], number: int) -> set[str]:
    """Return the paths that differ from any parent."""
    parents = [history[parent].tree for parent in history[number].parents] or [{}]
    own = history[number].tree
    return {
        path
        for path in PATHS
        for tree in parents
        if tree.get(path, ABSENT) != own.get(path, ABSENT)
    }


def by_definition(history: Sequence[Made], tip: int) -> dict[str, set[Version]]:
    """Return the versions that count of each path that a signed commit changed."""
    known = ancestors(history, tip) | {tip}
    found: dict[str, set[Version]] = {}
    for path in PATHS:
        signed = {n for n in known if history[n].grade == "G" and path in changes(history, n)}
        newest = {n for n in signed if not any(n in ancestors(history, o) for o in signed)}
        if newest:
            found[path] = {history[n].tree.get(path, ABSENT) for n in newest}
    return found


def walked(history: Sequence[Made], tip: int, known: frozenset[int] = frozenset()) -> Walked:
    numbers = sorted((ancestors(history, tip) | {tip}) - known, reverse=True)
    touches = [
        Touch(
            str(number),
            tuple(map(str, history[number].parents)),
            {path: history[number].tree[path] for path in changes(history, number)},
        )
        for number in numbers
    ]

    def grades(commits: Iterable[str]) -> Mapping[str, str]:
        return {commit: history[int(commit)].grade for commit in commits}

    return walk(touches, {}, grades, frozenset())


def present(tree: Tree) -> Tree:
    return {path: version for path, version in tree.items() if version != ABSENT}


@given(histories())
def test_the_walk_is_the_definition(history: list[Made]) -> None:
    tip = len(history) - 1
    assert walked(history, tip).signed == by_definition(history, tip)


@given(histories(), strategies.data())
def test_a_piece_on_top_says_what_the_whole_says(
    history: list[Made], data: strategies.DataObject
) -> None:
    tip = len(history) - 1
    base = data.draw(strategies.integers(0, tip - 1))
    known = frozenset(ancestors(history, base) | {base})
    new = (ancestors(history, tip) | {tip}) - known
    on_top = all(history[n].parents and set(history[n].parents) <= new | {base} for n in new)
    if not on_top:
        return
    before = present(history[base].tree)
    was: dict[str, Apart] = apart_in(before, walked(history, base))
    now = present(history[tip].tree)
    pieces = apart_in(now, walked(history, tip, known), before, was)
    assert {path: each.versions for path, each in pieces.items()} == {
        path: each.versions for path, each in apart_in(now, walked(history, tip)).items()
    }
    assert {p: each.commit for p, each in pieces.items()} == {
        p: each.commit for p, each in apart_in(now, walked(history, tip)).items()
    }
