"""What becomes of entries: nothing is written that would not read back exactly."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.interchange.base import Candidate, Decoded, Parked
from doll.records.codec import parse
from doll.records.model import Memory
from doll.render.import_values import Counts, Place
from doll.services.importing import plan as import_plan
from doll.services.importing.ledger import History, Ledger, Line
from doll.services.importing.plan import Plan, Rules

AWS = "AKIA" + "QWERTYUIOPASDFGH"
FIRST, SECOND = "1" * 64, "2" * 64

any_text = st.text(st.characters(), max_size=60)


def _candidate(body: str = "Tea.", **fields: object) -> Candidate:
    made = Memory(origin="import", origin_id="mem-1", **fields)  # type: ignore[arg-type]
    return Candidate(
        "tea-12345678", "memory", made, body, "mem-1", FIRST, "/memories/0", ("/memories/0",)
    )


def _plan(
    *candidates: Candidate,
    lines: tuple[Line, ...] = (),
    places: dict[int, list[Place]] | None = None,
    declared: frozenset[Place] = frozenset(),
    dropped: frozenset[str] = frozenset(),
) -> Plan:
    decoded = Decoded("pam", "1", "owner", "0" * 64, {}, candidates, (), (), ())
    ledger = Ledger("mine", "pam", "owner", "a" * 64, lines)
    history = History([ledger], "pam", "owner")
    rules = Rules(history, places or {}, declared, dropped)
    return import_plan.make(decoded, rules, lambda *_: None)


@given(any_text, any_text, st.dictionaries(any_text, any_text, max_size=3))
def test_what_is_written_reads_back_exactly(body: str, text: str, claims: dict[str, str]) -> None:
    candidate = _candidate(body, summary=text, tags=(text,), claims=claims)
    plan = _plan(candidate)
    assert len(plan.written) + len(plan.parked) + len(plan.refused) == 1
    for each in plan.written:
        parsed = parse(each.data, "", "x", None)
        assert parsed.record is not None
        assert parsed.body == body
        assert msgspec.structs.replace(parsed.record.fields, schema=None) == candidate.fields


def test_new_changed_unchanged() -> None:
    assert _plan(_candidate()).counts == Counts(1, 0, 0, 0, 0)
    older = Line("mem-1", SECOND, "staged", "older-1")
    changed = _plan(_candidate(), lines=(older,))
    assert changed.counts == Counts(0, 1, 0, 0, 0)
    assert changed.written[0].updates == "older-1"
    assert b"\nupdates: older-1\n" in changed.written[0].data
    same = Line("mem-1", FIRST, "staged", "tea-12345678")
    assert _plan(_candidate(), lines=(same,)).counts == Counts(0, 0, 1, 0, 0)


def test_what_was_refused_or_parked_before_is_looked_at_again() -> None:
    for state in ("parked", "refused"):
        line = Line("mem-1", FIRST, state)
        assert _plan(_candidate(), lines=(line,)).counts.new == 1


def test_what_is_brought_back_keeps_what_it_updated() -> None:
    lines = (
        Line("mem-1", SECOND, "staged", "older-1"),
        Line("mem-1", FIRST, "staged", "tea-12345678", "older-1"),
        Line("mem-1", "3" * 64, "staged", "newer-1", "tea-12345678"),
    )
    plan = _plan(_candidate(), lines=lines, dropped=frozenset(["tea-12345678"]))
    assert [each.updates for each in plan.written] == ["older-1"]


def test_a_hit_refuses_unless_it_was_declared() -> None:
    place = Place("aws-key", "/memories/0/content")
    candidate = _candidate(f"key {AWS}")
    refused = _plan(candidate, places={0: [place]}).refused
    assert [each.places for each in refused] == [(place,)]
    plan = _plan(candidate, places={0: [place]}, declared=frozenset([place]))
    assert plan.written[0].declared == (place,)


def test_the_file_itself_is_scanned_too() -> None:
    refused = _plan(_candidate(f"key {AWS}")).refused
    assert [each.places for each in refused] == [(Place("aws-key", "/memories/0"),)]
    place = Place("aws-key", "/memories/0")
    assert _plan(_candidate(f"key {AWS}"), declared=frozenset([place])).counts.new == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("a\0b", "file.nul"),
        ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "file.conflict_marker"),
        ("\ud800", "text.surrogate"),
        ("x" * (4 * 1024 * 1024), "file.too_large"),
    ],
)
def test_what_no_file_can_hold_is_parked(body: str, code: str) -> None:
    parked = _plan(_candidate(body)).parked
    assert [(each.pointer, each.code) for each in parked] == [("/memories/0", code)]


def test_what_the_adapter_parked_comes_first() -> None:
    decoded = Decoded(
        "pam",
        "1",
        "owner",
        "0" * 64,
        {},
        (_candidate("\0"),),
        (Parked("/x", "y", "c", "r"),),
        (),
        (),
    )
    rules = Rules(History([], "pam", "owner"), {}, frozenset(), frozenset())
    plan = import_plan.make(decoded, rules, lambda *_: None)
    assert [each.pointer for each in plan.parked] == ["/x", "/memories/0"]
    assert plan.counts == Counts(0, 0, 0, 2, 0)
