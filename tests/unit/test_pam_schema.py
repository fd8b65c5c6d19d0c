"""The fast types against the published schema: what they accept, jsonschema accepts."""

import calendar
import json
import re
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doll.interchange.pam import schema, shape
from doll.interchange.strict_json import read
from tests.pam_documents import full_memory, memory, relation, store
from tests.schema_documents import values

PUBLISHED = schema.published()
ENTRIES: list[tuple[str, type[msgspec.Struct]]] = [
    ("MemoryObject", shape.MemoryShape),
    ("RelationObject", shape.RelationShape),
    ("ConversationIndexEntry", shape.ConversationShape),
]
law = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def plain_jsonschema(definition: str | None) -> Any:
    """The schema as published, with date-times checked and nothing else of doll's."""
    named = {"$ref": f"#/$defs/{definition}", "$defs": PUBLISHED["$defs"]}
    formats = jsonschema.FormatChecker(formats=())
    formats.checks("date-time")(_is_time)
    return jsonschema.Draft202012Validator(
        named if definition else PUBLISHED, format_checker=formats
    )


def _is_time(value: object) -> bool:
    return not isinstance(value, str) or re.search(shape.DATE_TIME, value) is not None


def as_read(value: Any) -> Any:
    """Return the value as the adapter sees it, with numbers that keep their text."""
    return read(json.dumps({"value": value}).encode(), "x").value["value"]


@pytest.mark.parametrize(("definition", "fast"), ENTRIES)
def test_what_the_fast_types_accept_the_schema_accepts(
    definition: str, fast: type[msgspec.Struct]
) -> None:
    checker = plain_jsonschema(definition)
    strict = schema.validator(definition)

    @law
    @given(values({"$ref": definition}, PUBLISHED["$defs"], mistakes=True))
    def check(value: Any) -> None:
        seen = as_read(value)
        if shape.accepts(fast, seen):
            assert checker.is_valid(seen)
        assert shape.accepts(fast, seen) == strict.is_valid(seen)

    check()


@pytest.mark.parametrize(("definition", "fast"), ENTRIES)
def test_the_fast_types_are_of_use(definition: str, fast: type[msgspec.Struct]) -> None:
    strict = schema.validator(definition)
    accepted = []

    @law
    @given(values({"$ref": definition}, PUBLISHED["$defs"], mistakes=False))
    def check(value: Any) -> None:
        assert shape.accepts(fast, value) == strict.is_valid(value)
        accepted.append(shape.accepts(fast, value))

    check()
    assert sum(accepted) > len(accepted) / 3


@settings(law, max_examples=25)
@given(values(PUBLISHED, PUBLISHED["$defs"], mistakes=True))
def test_a_store_has_problems_exactly_when_the_schema_refuses_it(value: Any) -> None:
    if not isinstance(value, dict) or value.get("schema_version") != "1.0":
        value = {**value, "schema_version": "1.0"} if isinstance(value, dict) else {}
    checked = schema.check(value, "export.json")
    assert bool(checked.problems) == (not schema.validator(None).is_valid(value))
    if not checked.problems:
        assert plain_jsonschema(None).is_valid(value)
    for index in checked.wrong:
        assert any(p.pointer.startswith(f"/memories/{index}") for p in checked.problems)


def test_whole_documents_take_the_fast_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_definition: str | None) -> Any:
        raise AssertionError

    monkeypatch.setattr(schema, "validator", never)
    document = store(full_memory(), memory(), relations=[relation("mem-1", "x", confidence=0.5)])
    assert schema.check(document, "export.json").problems == []


def test_one_wrong_entry_does_not_cost_the_look_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []
    original = schema.validator

    def counted(definition: str | None) -> Any:
        asked.append(definition)
        return original(definition)

    monkeypatch.setattr(schema, "validator", counted)
    document = store(*(memory(id=str(n)) for n in range(50)), memory(id="", tags=["Ä"]))
    assert len(schema.check(document, "export.json").problems) == 2
    assert asked == ["MemoryObject"]


def test_the_date_time_pattern_knows_the_calendar() -> None:
    pattern = re.compile(shape.DATE_TIME)
    for year in (1, 4, 100, 400, 1900, 1904, 2000, 2023, 2024, 2100, 9999):
        for month in range(14):
            days = calendar.monthrange(year, month)[1] if 1 <= month <= 12 else 0
            for day in range(33):
                text = f"{year:04}-{month:02}-{day:02}T00:00:00Z"
                assert bool(pattern.match(text)) == (1 <= day <= days), text


@settings(deadline=None)
@given(st.datetimes(timezones=st.timezones()), st.booleans())
def test_the_date_time_pattern_takes_what_python_writes(moment: Any, utc: bool) -> None:
    text = moment.isoformat()
    expected = len(text.rpartition("T")[2].replace("-", "+").rpartition("+")[2]) == 5
    assert bool(re.match(shape.DATE_TIME, text)) == expected
