"""Which versions of a path count, over histories written as lists: children before parents."""

from collections.abc import Iterable, Mapping

import pytest

from doll.services.signing.standing import ABSENT, Apart, Touch, Walked, apart_in, walk

P = "authority/policies/p.md"
A, B, C = (("100644", name) for name in "abc")


def touch(commit: str, parents: str = "", **versions: tuple[str, str]) -> Touch:
    """A commit that changes P (`p`) or Q (`q`); parents are letters."""
    names = {"p": P, "q": "authority/q.md"}
    return Touch(commit, tuple(parents), {names[key]: each for key, each in versions.items()})


class Asked:
    """Grades by commit; the others are well signed. It keeps what was asked."""

    def __init__(self, **grades: str) -> None:
        self.grades = grades
        self.asked: list[str] = []

    def __call__(self, commits: Iterable[str]) -> Mapping[str, str]:
        new = list(commits)
        self.asked += new
        return {commit: self.grades.get(commit, "G") for commit in new}


def walked(*touches: Touch, cut: str = "", **grades: str) -> Walked:
    return walk(touches, {}, Asked(**grades), frozenset(cut))


def test_the_newest_signed_version_counts() -> None:
    found = walked(touch("3", "2", p=C), touch("2", "1", p=B), touch("1", p=A))
    assert found.signed == {P: {C}}
    assert not found.unsigned


def test_only_commits_that_may_matter_are_asked_about() -> None:
    grades = Asked()
    walk([touch("3", "2", p=C), touch("2", "1", p=B), touch("1", p=A)], {}, grades, frozenset())
    assert grades.asked == ["3"]


def test_an_unsigned_change_is_passed_over() -> None:
    found = walked(touch("3", "2", p=ABSENT), touch("2", "1", p=B), touch("1", p=A), **{"3": "N"})
    assert found.signed == {P: {B}}
    assert found.unsigned == {P: ("3", "N")}


def test_a_revert_to_an_older_signed_version_is_passed_over() -> None:
    found = walked(touch("3", "2", p=A), touch("2", "1", p=B), touch("1", p=A), **{"3": "N"})
    assert found.signed == {P: {B}}


def test_a_signed_deletion_counts() -> None:
    found = walked(touch("2", "1", p=ABSENT), touch("1", p=A))
    assert apart_in({}, found) == {}
    assert found.signed == {P: {ABSENT}}


def test_what_was_never_signed_does_not_count() -> None:
    found = walked(touch("2", "1", p=B), touch("1", p=A), **{"1": "U", "2": "N"})
    assert apart_in({P: B}, found) == {P: Apart((), "2", "N", "NU")}


@pytest.mark.parametrize("merge", ["N", "B", "U"])
def test_an_evil_merge_is_passed_over(merge: str) -> None:
    # 1 ── 2 (denial) ── 4 (merge that drops it); 3 is the other side.
    history = (
        touch("4", "23", p=A),
        touch("3", "1", q=B),
        touch("2", "1", p=B),
        touch("1", p=A),
    )
    found = walked(*history, **{"4": merge, "3": "N"})
    assert found.signed == {P: {B}}
    assert found.unsigned[P] == ("4", merge)


def test_versions_side_by_side_all_count_until_a_signed_merge() -> None:
    history = (touch("3", "1", p=C), touch("2", "1", p=B), touch("1", p=A))
    joined = walked(touch("4", "23", p=B), *history, **{"4": "N"})
    assert apart_in({P: B}, joined) == {P: Apart((B, C), "4", "N", "N")}
    assert walked(touch("4", "23", p=B), *history).signed == {P: {B}}


def test_the_same_version_on_both_sides_is_one() -> None:
    history = (touch("4", "23"), touch("3", "1", p=B), touch("2", "1", p=B), touch("1", p=A))
    assert apart_in({P: B}, walked(*history)) == {}


def test_one_side_does_not_cover_the_other() -> None:
    # The signed change of 3 came after 1 and not after 2.
    history = (touch("4", "23"), touch("3", "1", p=C), touch("2", "1", p=B), touch("1", p=A))
    found = walked(*history, **{"2": "N", "4": "N"})
    assert found.signed == {P: {C}}
    assert found.unsigned == {P: ("2", "N")}


def test_an_octopus_hands_down_to_every_parent() -> None:
    sides = [touch(name, "1", p=("100644", name)) for name in "234"]
    found = walked(touch("5", "234", p=A), *sides, touch("1", p=A))
    assert found.signed == {P: {A}}


def test_many_bad_signatures_end() -> None:
    bad = [touch(f"b{n}", "", p=B)._replace(parents=(f"b{n + 1}",)) for n in range(50)]
    grades = Asked(**{each.commit: "B" for each in bad})
    found = walk([*bad, touch("b50", p=A)], {}, grades, frozenset())
    assert found.signed == {P: {A}}
    assert len(grades.asked) == 51


def test_a_cut_hides_what_is_not_covered() -> None:
    found = walked(touch("2", "1", q=B), touch("1", p=A, q=A), cut="1")
    assert found.hidden == {P}


def test_on_top_of_what_is_known() -> None:
    before = {P: A, "authority/q.md": A}
    was = {"authority/q.md": Apart((B,), "1", "N", "N")}
    new = walked(touch("3", "2", p=C), **{"3": "N"})
    now = {P: C, "authority/q.md": A}
    assert apart_in(now, new, before, was) == {P: Apart((A,), "3", "N", "N"), **was}
    signed = walked(touch("3", "2", q=C))
    assert apart_in({P: A, "authority/q.md": C}, signed, before, was) == {}


def test_what_is_put_back_is_apart_no_longer() -> None:
    was = {P: Apart((A,), "2", "N", "N")}
    new = walked(touch("3", "2", p=A), **{"3": "N"})
    assert apart_in({P: A}, new, {P: B}, was) == {}
