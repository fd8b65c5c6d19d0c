"""Typed texts: taken as they are or refused, and what is taken reads back as it was typed."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.errors import UsageError
from doll.records.codec import parse, render
from doll.records.fields import fields_of
from doll.records.model import TYPES, Experience, RecordType
from doll.services.reading.referring import Known
from doll.services.recording import creating
from doll.services.recording.assignments import Value, parse_assignments
from doll.services.recording.creating import Order
from doll.services.recording.statements import Statement, fields_from, values_given
from doll.services.recording.wording import one_line, readable

NOW = datetime(2026, 8, 20, 14, 32, 5, tzinfo=UTC)
ANY = st.text(max_size=60) | st.text("aé漢\u202e\x85 :#'\"[]{}&*!|>%@`-\\$,", max_size=20)
LINE = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=40)
BYTES = st.text(st.characters(codec=None), max_size=20)
OWN: list[RecordType] = [name for name in TYPES if name != "experience"]


@pytest.mark.parametrize("text", ["a\nb", "a\rb", "a\x00", "\x1b[1m", "a\u2028b", "a\x85b", "\x7f"])
def test_no_line(text: str) -> None:
    with pytest.raises(UsageError, match="U\\+"):
        one_line(text, "SUMMARY")


def test_a_line_keeps_what_it_holds() -> None:
    assert one_line("  a\u202eb 漢字 🙂\u200d ", "SUMMARY") == "a\u202eb 漢字 🙂\u200d"
    assert readable("a\nb", "--body") == "a\nb"
    for text in ("\udcff", "x\ud800"):
        with pytest.raises(UsageError, match="UTF-8"):
            readable(text, "--body")


@given(LINE | ANY, LINE, st.lists(LINE, max_size=3), st.lists(LINE.map("a{}".format), max_size=3))
def test_an_entry_reads_back_as_it_was_typed(
    summary: str, tag: str, evidence: list[str], paths: list[str]
) -> None:
    statement = Statement(
        summary, "lesson", tags=(tag,), evidence=tuple(evidence), paths=tuple(paths)
    )
    try:
        values = values_given(Known(()), statement)
        fields = fields_from({**values, "project": "p", "assertion": "user_recorded", "at": NOW})
    except UsageError:
        return
    parsed = parse(render(fields, "\nbody\n"), "experience/p/x.md", "x", "experience")
    assert parsed.problems == ()
    assert parsed.record is not None
    assert isinstance(parsed.record.fields, Experience)
    assert parsed.record.fields.summary == summary.strip()
    assert parsed.record.fields.tags == (tag.strip(),)
    assert parsed.record.fields.evidence == tuple(text.strip() for text in evidence)
    assert parsed.record.fields.paths == tuple(text.strip() for text in paths)


@given(st.sampled_from(OWN), st.lists(ANY | BYTES | ANY.map("tags={}".format), max_size=3))
def test_assignments_are_taken_or_refused(record_type: RecordType, options: list[str]) -> None:
    try:
        values = parse_assignments(record_type, options)
    except UsageError:
        return
    assert set(values) <= set(fields_of(record_type))


@settings(max_examples=60)
@given(st.sampled_from(OWN), LINE | ANY, st.lists(LINE, min_size=1, max_size=3), LINE | ANY)
def test_a_filled_template_reads_back_as_it_was_typed(
    record_type: RecordType, title: str, tags: list[str], summary: str
) -> None:
    options = [*(f"tags={tag}" for tag in tags), f"summary={summary}"]
    try:
        name = one_line(title, "--title")
        values = parse_assignments(record_type, options)
    except UsageError:
        return
    needed: dict[str, Value] = {"project": "p", "capability": "c", "effect": "deny"}
    fields = fields_of(record_type)
    values |= {key: value for key, value in needed.items() if key in fields}
    data = creating._filled(Order(record_type, title=name), name, values, "2026-08-20T14:32:05Z")
    parsed = parse(data, "x.md", "x", record_type)
    assert parsed.problems == ()
    assert parsed.record is not None
    assert parsed.record.fields.title == name
    assert parsed.record.fields.tags == tuple(t for tag in tags if (t := tag.strip()))
    assert parsed.record.fields.summary == (summary.strip() or None)
    assert parsed.record.fields.created == NOW


@pytest.mark.parametrize(
    ("record_type", "option", "value"),
    [
        ("memory", "tags=a=b, c", ["a=b, c"]),
        ("memory", "tags=", None),
        ("memory", "exportable=false", False),
        ("policy", "valid_until=2026-08-20T14:32:05Z", NOW),
        ("capability", "version= 1.10 ", "1.10"),
        ("permission", "scope=database=orders", ["database=orders"]),
    ],
)
def test_values_of_assignments(record_type: RecordType, option: str, value: Value) -> None:
    assert list(parse_assignments(record_type, [option]).values()) == [value]
