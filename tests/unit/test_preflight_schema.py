"""docs/schemas/preflight-1.json: every answer of `doll preflight --json` is one of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator, ValidationError

from doll.errors import Problem
from doll.preflight import SCHEMA, Entry, Inputs, Pending, Report, Request, evaluate, report_payload
from doll.records.model import Record
from doll.render.document import to_json
from tests.preflight_builders import AS_OF, check, failure, record
from tests.preflight_strategies import Vault, all_vaults, foreign_authority, requests, uncommitted

PAGE = Path(__file__).parents[2] / "docs/schemas/preflight-1.json"
DOCUMENT = json.loads(PAGE.read_text(encoding="utf-8"))


def closed(schema: Any) -> Any:
    """Return a schema that takes no key beyond those it names; the page leaves room for more."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    more = {"additionalProperties": False} if "properties" in schema else {}
    return {**{key: closed(value) for key, value in schema.items()}, **more}


CLOSED = Draft202012Validator(closed(DOCUMENT))


def answer(report: Report) -> Any:
    return json.loads(to_json(SCHEMA, report_payload(report)))


def hold(report: Report) -> None:
    CLOSED.validate(answer(report))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(DOCUMENT)
    assert DOCUMENT["$id"] == SCHEMA


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(all_vaults, uncommitted, foreign_authority, requests)
def test_every_answer_is_one_of_the_schema(
    vault: Vault, loose: list[Entry], foreign: list[Record], request: Request
) -> None:
    inputs = Inputs(
        authority=[*vault.authority, *foreign],
        experience=[*vault.experience, *loose],
        head="0" * 40,
        commit="f" * 64,
        unreadable_experience=[Problem("experience/atlas/x.md", 1, 1, "a", "b")],
        pending=[Pending("authority/policies/x.md", "new")],
    )
    for cap in (2, 100):
        hold(evaluate(inputs, request, AS_OF, cap=cap))


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for each in schema.values():
            yield from _objects(each)


def test_no_key_is_optional_and_there_is_room_for_more() -> None:
    for each in _objects(DOCUMENT):
        assert each["required"] == sorted(each["properties"])
        assert "additionalProperties" not in each


@pytest.mark.parametrize(
    ("path", "value"),
    [(("authorizes",), True), (("status",), "granted"), (("findings", 0, "severity"), "note")],
)
def test_the_schema_refuses_what_no_answer_is(path: tuple[Any, ...], value: Any) -> None:
    document = answer(check(failure("f"), record("policy", "p")))
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(ValidationError):
        Draft202012Validator(DOCUMENT).validate(document)
