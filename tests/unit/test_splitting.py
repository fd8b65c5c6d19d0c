"""Splitting groups: none stand apart in one, and every other pair is still in one."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from doll.recall.pairing import Group
from doll.services.consolidating.splitting import split

PAIRS = st.sets(st.tuples(st.integers(1, 8), st.integers(1, 8)).filter(lambda p: p[0] < p[1]))


@given(PAIRS)
def test_every_pair_is_in_one_unless_it_stands_apart(pairs: set[tuple[int, int]]) -> None:
    apart: dict[int, set[int]] = {}
    for one, other in pairs:
        apart.setdefault(one, set()).add(other)
        apart.setdefault(other, set()).add(one)
    whole = Group(0, tuple((number, 900) for number in range(1, 9)), 7)
    parts = [*split(whole, apart)]
    held = [{number for number, _ in part.members} for part in parts]
    for one, other in combinations(range(1, 9), 2):
        assert any({one, other} <= each for each in held) == ((one, other) not in pairs)
    assert set().union(*held) == set(range(1, 9))
    assert all(part.leader == 0 for part in parts)
    assert sum(part.more for part in parts) == 7
    assert parts == [*split(whole, apart)]


def test_a_group_without_dispute_stays() -> None:
    whole = Group(0, ((1, 900), (2, 800)))
    assert [*split(whole, {1: {5}, 5: {1}})] == [whole]
