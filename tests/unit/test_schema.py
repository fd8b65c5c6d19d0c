"""The published JSON Schemas: what doll accepts validates, and a wrong choice does not."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from doll.records.codec import parse, render, type_of
from doll.records.fields import fields_of
from doll.records.model import FOLDERS, TYPES, RecordType
from doll.records.schema import DIALECT, json_schema
from tests.core_schema import front_matter
from tests.record_strategies import fields

WHOLE: dict[RecordType, str] = {
    "memory": "",
    "experience": "project: atlas\nkind: attempt\nassertion: user_recorded\n"
    "at: 2026-08-20T14:32:05Z\nsummary: x\n",
    "project": "status: active\n",
    "work-item": "project: atlas\nstatus: ready\n",
    "decision": "project: atlas\nstatus: accepted\n",
    "procedure": "project: atlas\nstatus: draft\n",
    "policy": "effect: deny\n",
    "permission": "capability: db.migrate\nmode: deny\n",
    "capability": "risk: low\nrelease: available\n",
}
CHOICES = [
    (record_type, name)
    for record_type in TYPES
    for name, field in fields_of(record_type).items()
    if field.choices
]


def valid(record_type: RecordType, block: str) -> bool:
    """Return whether an editor that knows the schema of the type finds no fault with a block."""
    values = front_matter(f"---\n{block}---\n".encode())
    return bool(_validator(record_type).is_valid({} if values is None else values))


def accepted(record_type: RecordType, block: str) -> bool:
    """Return whether doll reads a file with this block."""
    path = f"{FOLDERS[record_type]}/x.md"
    return parse(f"---\n{block}---\n".encode(), path, "x", record_type).record is not None


def _validator(record_type: RecordType) -> Any:
    return jsonschema.Draft202012Validator(
        json_schema(record_type), format_checker=jsonschema.FormatChecker()
    )


@pytest.mark.parametrize("record_type", TYPES)
def test_the_schema_is_a_schema(record_type: RecordType) -> None:
    schema = json_schema(record_type)
    assert schema["$schema"] == DIALECT
    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == list(fields_of(record_type))
    assert all(each["description"] for each in properties.values())


@pytest.mark.parametrize("record_type", TYPES)
def test_the_least_record_validates(record_type: RecordType) -> None:
    for block in (WHOLE[record_type], f"schema: doll/{record_type}/1\n{WHOLE[record_type]}"):
        assert accepted(record_type, block)
        assert valid(record_type, block)


@pytest.mark.parametrize("record_type", TYPES)
def test_each_required_field_is_required(record_type: RecordType) -> None:
    for line in WHOLE[record_type].splitlines(keepends=True):
        key = line.partition(":")[0]
        for without in ("", f"{key}:\n", f"{key}: ~\n"):
            block = WHOLE[record_type].replace(line, without)
            assert not accepted(record_type, block)
            assert not valid(record_type, block)


@given(fields())
@settings(max_examples=40, deadline=None)
def test_what_doll_writes_validates(meant: Any) -> None:
    data = render(meant, "")
    errors = list(_validator(type_of(meant)).iter_errors(front_matter(data)))
    assert errors == []


@pytest.mark.parametrize(("record_type", "name"), CHOICES)
def test_choices(record_type: RecordType, name: str) -> None:
    others = "".join(
        line
        for line in WHOLE[record_type].splitlines(keepends=True)
        if not line.startswith(f"{name}:")
    )
    field = fields_of(record_type)[name]
    for choice in field.choices:
        assert accepted(record_type, f"{others}{name}: {choice}\n")
        assert valid(record_type, f"{others}{name}: {choice}\n")
    for wrong in ("bogus", f"{field.choices[0]}x", "''", "1", "true", f"[{field.choices[0]}]"):
        assert not accepted(record_type, f"{others}{name}: {wrong}\n")
        assert not valid(record_type, f"{others}{name}: {wrong}\n")


@pytest.mark.parametrize(
    "value",
    [
        *("1.10", "no", "0123", "12:30:45", "2026-01-01", "true", "True", "1e5", "0x1f", ".nan"),
        *("~", "", "null", "NULL", "'null'", '""', "one", "one # comment", "-.inf", "+1"),
    ],
)
@pytest.mark.parametrize("name", ["title", "tags", "origin_id"])
def test_plain_texts_validate_whatever_an_editor_takes_them_for(name: str, value: str) -> None:
    assert accepted("memory", f"{name}: {value}\n")
    assert valid("memory", f"{name}: {value}\n")


@pytest.mark.parametrize(
    ("record_type", "block"),
    [
        ("memory", "tags: [1.10, no, true, 0123, 2026-01-01]\n"),
        ("memory", "tags:\n- a\n- 1\n"),
        ("memory", "tags: []\nclaims: {}\n"),
        ("memory", "claims:\n  /confidence: 0.95\n  /ok: true\n  '/x': '\"y\"'\n"),
        ("memory", f"origin_sha256: {'1' * 64}\n"),
        ("memory", "aliases: [2026]\nsupersedes: 12\n"),
        ("memory", "exportable: false\ncreated: 2026-08-20T16:32:05+02:00\n"),
        ("memory", "foo: bar\n"),
        ("memory", "schema:\n"),
        ("experience", WHOLE["experience"] + "paths: [2026, 'x/**']\nactions: [1, db.migrate]\n"),
        ("policy", "effect: deny\nenabled: false\nprojects: 12\n"),
        ("work-item", "project: 1\nstatus: ready\npriority: 1\n"),
    ],
)
def test_odd_blocks_that_doll_reads_validate(record_type: RecordType, block: str) -> None:
    assert accepted(record_type, block)
    assert valid(record_type, block)


@pytest.mark.parametrize(
    ("record_type", "block"),
    [
        ("memory", "tags: [[a]]\n"),
        ("memory", "tags: {a: b}\n"),
        ("memory", "title: [a]\n"),
        ("memory", "claims: [a]\n"),
        ("memory", "claims: {a: [b]}\n"),
        ("memory", "exportable: 'true'\n"),
        ("memory", "origin_sha256: abc\n"),
        ("memory", "schema: doll/policy/1\n"),
        ("memory", "supersedes: ['']\n"),
        ("experience", WHOLE["experience"].replace("x\n", "''\n")),
        ("experience", WHOLE["experience"] + "paths: '!x'\n"),
        ("experience", WHOLE["experience"] + "actions: Db.Migrate\n"),
        ("permission", WHOLE["permission"] + "scope: database\n"),
        ("policy", "effect: deny\nvalid_untill: x\n"),
        ("policy", "effect: deny\nfoo: x\n"),
    ],
)
def test_blocks_that_doll_refuses_for_their_shape_do_not_validate(
    record_type: RecordType, block: str
) -> None:
    assert not accepted(record_type, block)
    assert not valid(record_type, block)
