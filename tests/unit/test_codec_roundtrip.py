"""What is written reads back: parse(render(fields, body)) gives the fields and the body."""

from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.errors import UsageError
from doll.records.codec import Parsed, parse, render, type_of
from doll.records.frontmatter import read_block
from doll.records.handler import entry, inline, quoted, scalar
from doll.records.limits import MAX_KEY
from doll.records.model import FOLDERS, Fields, Memory, Policy, RecordType
from tests.record_strategies import HOSTILE, bodies, fields, texts


def read(data: bytes, record_type: RecordType) -> Parsed:
    return parse(data, f"{FOLDERS[record_type]}/x.md", "x", record_type)


def exactly(found: Fields) -> bytes:
    """Return fields as JSON, which keeps the offsets of times; without `schema`."""
    return msgspec.json.encode(msgspec.structs.replace(found, schema=None))


def check(meant: Fields, body: str) -> None:
    record_type = type_of(meant)
    data = render(meant, body)
    parsed = read(data, record_type)
    assert parsed.problems == ()
    assert parsed.record is not None
    assert parsed.body == body
    assert parsed.record.fields.schema == f"doll/{record_type}/1"
    assert exactly(parsed.record.fields) == exactly(meant)
    assert render(parsed.record.fields, parsed.body) == data


@given(fields(), bodies)
@settings(max_examples=40, deadline=None)
def test_what_is_written_reads_back(meant: Fields, body: str) -> None:
    check(meant, body)


@pytest.mark.soak
@given(fields(), bodies)
@settings(max_examples=20_000, deadline=None)
def test_what_is_written_reads_back_in_the_large(meant: Fields, body: str) -> None:
    check(meant, body)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_hostile_text_survives_in_every_place(text: str) -> None:
    check(Memory(title=text, tags=(text, "other"), claims={text: text}), "")


@given(texts, texts)
@settings(max_examples=40, deadline=None)
def test_every_way_to_write_a_text_reads_as_that_text(one: str, two: str) -> None:
    assert read_block(f"a: {scalar(one)}\nb: {quoted(two)}\n").values == {"a": one, "b": two}
    assert read_block(f"a: {inline([one, two])}").values == {"a": [one, two]}
    assert read_block(entry("a", [one, two])).values == {"a": [one, two]}
    assert read_block(entry("claims", {one: two})).values == {"claims": {one: two}}


@given(texts)
@settings(max_examples=100, deadline=None)
def test_what_cannot_be_seen_stands_escaped(text: str) -> None:
    for written in (scalar(text), quoted(text)):
        assert not set(written) & set("\n\r\x00\x1b\x7f\x85\u2028\u2029\u202e\u200b\ufeff")


@pytest.mark.parametrize("length", [1, 999, 1000])
def test_a_long_name_of_a_claim_reads_back(length: int) -> None:
    check(Memory(claims={"/" + "é" * (length - 1): "1", "\x01" * length: "2"}), "")


def test_a_name_of_a_claim_that_is_too_long_is_named() -> None:
    parsed = read(render(Memory(claims={"x" * (MAX_KEY + 1): "1"}), ""), "memory")
    assert [problem.code for problem in parsed.problems] == ["yaml.key"]


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2026, 8, 20, 14, 32, 5, tzinfo=UTC),
        datetime(2026, 8, 20, 14, 32, 5, 123, tzinfo=UTC),
        datetime(2026, 8, 20, 14, 32, 5, tzinfo=timezone(timedelta(hours=5, minutes=45))),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
    ],
)
def test_times_keep_their_offset_and_precision(moment: datetime) -> None:
    check(Memory(created=moment), "")


def test_schema_stands_first_and_defaults_are_left_out() -> None:
    data = render(Memory(title="Espresso", status="active", exportable=True, tags=()), "body")
    assert data == b"---\nschema: doll/memory/1\ntitle: Espresso\n---\nbody"


def test_what_differs_from_its_default_is_written() -> None:
    data = render(Policy(effect="deny", enabled=False), "")
    assert data == b"---\nschema: doll/policy/1\neffect: deny\nenabled: false\n---\n"


@pytest.mark.parametrize("text", ["\ud800", "half \udcff"])
def test_text_that_utf8_cannot_hold_is_refused_with_what_to_do(text: str) -> None:
    for meant, body in ((Memory(title=text), ""), (Memory(title="x"), text)):
        with pytest.raises(UsageError) as refused:
            render(meant, body)
        assert refused.value.hint


@given(st.text(st.characters(codec="utf-8"), max_size=200))
@settings(max_examples=100, deadline=None)
def test_a_body_is_kept_byte_for_byte(body: str) -> None:
    head = b"---\ntitle: x\n---\n"
    parsed = read(head + body.encode(), "memory")
    assert parsed.body.encode() == body.encode() or "\0" in body
