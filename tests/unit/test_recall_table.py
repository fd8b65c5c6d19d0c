"""The table of rows: what goes in comes out, and a merge is what packing anew would be."""

from hypothesis import given, settings
from hypothesis import strategies as st

from doll.recall.by_serial import Listed, Tabled
from doll.recall.columns import Packing, merged, restamped
from doll.recall.rows import Row
from doll.recall.table import Table
from doll.records.names import fold

names = st.sampled_from(["a", "b", "B-c", "ärger", "日本", "a b", "a-b", "z"])
times = st.none() | st.integers(-(2**60), 2**60)
rows = st.builds(
    Row,
    path=st.builds("{}/{}.md".format, st.sampled_from(["confirmed", "experience/p/q"]), names),
    digest=st.binary(min_size=32, max_size=32).map(bytes.hex),
    serial=st.integers(0, 2**32 - 1),
    length=st.integers(0, 2**32 - 1),
    status=st.sampled_from(["active", "archived"]),
    reviewed=st.booleans(),
    valid_from=times,
    valid_until=times,
    aliases=st.lists(names.map(fold), max_size=2).map(tuple),
    replaces=st.lists(names.map(fold), max_size=2).map(tuple),
    tags=st.lists(names, max_size=2).map(tuple),
    moment=times,
)
held = st.lists(rows, max_size=8, unique_by=lambda row: row.path).map(
    lambda found: sorted(found, key=lambda row: row.path)
)


def stamp(row: Row) -> bytes:
    return bytes.fromhex(row.digest)[::-1]


def packed(found: list[Row]) -> Table:
    packing = Packing()
    for row in found:
        packing.add(row, stamp(row))
    return Table(packing.columns())


@given(held)
def test_rows_come_back(found: list[Row]) -> None:
    table = packed(found)
    assert list(table) == found
    assert [table.stamp(place) for place in range(len(table))] == [stamp(row) for row in found]
    assert [table.digest(place) for place in range(len(table))] == [row.digest for row in found]
    assert table.replacing() == [row for row in found if row.replaces]


@settings(max_examples=50)
@given(held, held, st.sets(st.integers(0, 7)))
def test_a_merge_is_what_packing_anew_gives(old: list[Row], new: list[Row], gone: set[int]) -> None:
    replaced = {row.path for row in new}
    places = {n for n, row in enumerate(old) if n in gone or row.path in replaced}
    kept = [row for n, row in enumerate(old) if n not in places]
    whole = sorted([*kept, *new], key=lambda row: row.path)
    assert merged(packed(old).columns, places, packed(new).columns) == packed(whole).columns


@given(held, st.integers(-(2**61), 2**61))
def test_what_is_plainly_current_is_what_the_row_says(found: list[Row], moment: int) -> None:
    table = packed(found)
    for place, row in enumerate(found):
        begun = row.valid_from is None or row.valid_from <= moment
        lasts = row.valid_until is None or moment < row.valid_until
        current = row.status == "active" and row.reviewed and begun and lasts
        assert table.is_plainly_current(place, moment) == current


@given(held, st.sets(names.map(fold)))
def test_a_table_answers_as_a_list_does(found: list[Row], wanted: set[str]) -> None:
    once = {row.serial: row for row in found if row.serial}
    table = packed(sorted(once.values(), key=lambda row: row.path))
    one, other = Tabled(table), Listed(once)
    assert dict(one) == once
    assert one.lengths() == other.lengths()
    assert sorted(one.moments()) == sorted(other.moments())
    asked, known = one.bearing(wanted), other.bearing(wanted)
    assert asked.keys() == known.keys()
    assert all(sorted(asked[name]) == sorted(known[name]) for name in known)


def test_other_stamps_change_nothing_else() -> None:
    found = [Row(f"confirmed/{n}.md", f"{n}" * 64, n, n) for n in (1, 2, 3)]
    table = Table(restamped(packed(found).columns, {1: b"x" * 32}))
    assert list(table) == found
    assert [table.stamp(n) for n in (0, 1, 2)] == [stamp(found[0]), b"x" * 32, stamp(found[2])]
