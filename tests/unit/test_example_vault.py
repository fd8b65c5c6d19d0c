"""The example vault and the templates: every record reads without a problem and hangs together."""

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from doll.errors import Problem
from doll.records import times
from doll.records.codec import Parsed, parse
from doll.records.model import (
    STRUCTS,
    TYPES,
    Experience,
    Project,
    Record,
    RecordType,
)
from doll.records.names import fold, id_fault
from doll.vault.layout import expected_type, is_record, record_id
from doll.vault.settings import Settings, parse_settings

ROOT = Path(__file__).resolve().parents[2]
VAULT = ROOT / "example_vault"
TEMPLATES = ROOT / "templates"
NOW = "2026-08-20T14:32:05Z"

# Every field that refers to records, and the type of what it names.
REFERENCES = {
    "project": "project",
    "projects": "project",
    "work_item": "work-item",
    "capability": "capability",
    "depends_on": "same",
    "supersedes": "same",
    "resolves": "same",
    "contradicts": "same",
    "related": "same",
    "sources": "",
}

_COMMENTED = re.compile(r"(?m)^# ([a-z_]+:.*)$")
_LINK = re.compile(r"\[\[([^\]|#]+)")
_PROVENANCE = re.compile(r"origin|reviewed_|redacted_|review|claims|updates|updated|aliases|schema")


def _read(path: str) -> Parsed:
    return parse((VAULT / path).read_bytes(), path, record_id(path), expected_type(path))


def _paths() -> list[str]:
    found = (file.relative_to(VAULT).as_posix() for file in VAULT.rglob("*.md"))
    return sorted(path for path in found if is_record(path))


PATHS = _paths()


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [record for path in PATHS if (record := _read(path).record)]


@pytest.fixture(scope="module")
def known(records: list[Record]) -> dict[str, Record]:
    return {fold(name): r for r in records for name in (r.id, *r.fields.aliases)}


@pytest.fixture(scope="module")
def settings() -> Settings:
    found, problems = parse_settings((VAULT / "doll.yaml").read_bytes())
    assert problems == ()
    assert found is not None
    return found


@pytest.mark.parametrize("path", PATHS)
def test_a_record_reads_without_a_problem(path: str) -> None:
    parsed = _read(path)
    assert parsed.problems == ()
    assert parsed.record is not None
    assert parsed.body.strip()
    assert id_fault(parsed.record.id) is None


def test_every_type_is_there(records: list[Record]) -> None:
    counts = {name: sum(r.type == name for r in records) for name in TYPES}
    assert all(counts.values())
    assert counts["memory"] >= 12
    assert counts["experience"] >= 8
    bodies = [_LINK.sub("", _read(r.path).body) for r in records]
    japanese = [body for body in bodies if re.search("[ぁ-ん]", body)]
    chinese = [body for body in bodies if re.search("[一-龯]", body) and body not in japanese]
    assert len(japanese) >= 3
    assert len(chinese) >= 3


def test_ids_are_unique(records: list[Record]) -> None:
    names = [fold(name) for r in records for name in (r.id, *r.fields.aliases)]
    assert len(set(names)) == len(names)


def _references(record: Record) -> Iterator[tuple[str, str]]:
    """Yield what the record refers to, and the type that it must have ("" for any)."""
    for field, wanted in REFERENCES.items():
        value = getattr(record.fields, field, None) or ()
        for name in (value,) if isinstance(value, str) else value:
            yield name, record.type if wanted == "same" else wanted


def test_every_reference_resolves(records: list[Record], known: dict[str, Record]) -> None:
    for record in records:
        for name, wanted in _references(record):
            target = known.get(fold(name))
            assert target is not None, (record.path, name)
            assert wanted in ("", target.type), (record.path, name)
        for link in _LINK.findall(_read(record.path).body):
            assert fold(link) in known, (record.path, link)


def test_experience_is_named_for_what_it_says(records: list[Record]) -> None:
    for record in records:
        fields = record.fields
        if isinstance(fields, Experience):
            start = f"{times.stamp(fields.at)}-{fields.kind}-"
            assert record.id.startswith(start), record.path
            assert re.fullmatch(r"[0-9a-z]{10}", record.id[-10:]), record.path
            assert record.path == f"experience/{fields.project}/{record.id}.md"


def test_only_the_user_confirms(records: list[Record]) -> None:
    for record in records:
        by_user = record.fields.origin == "user"
        if isinstance(record.fields, Experience):
            assert by_user or not record.fields.assertion.startswith("user_"), record.path
        else:
            assert by_user, record.path


def test_every_action_is_known(records: list[Record], settings: Settings) -> None:
    capabilities = {r.id for r in records if r.type == "capability"}
    mapped = {action for rule in settings.actions for action in rule.actions}
    named = {
        action
        for r in records
        for key in ("actions", "required_for")
        for action in getattr(r.fields, key, ())
    }
    for action in named | mapped:
        assert any(f"{action}.".startswith(f"{name}.") for name in capabilities), action


def test_the_map_names_projects(records: list[Record], settings: Settings) -> None:
    projects = {r.id for r in records if isinstance(r.fields, Project)}
    assert {rule.project for rule in settings.actions} == projects


def test_the_story_is_whole(records: list[Record]) -> None:
    entries = {r.id: r.fields for r in records if isinstance(r.fields, Experience)}
    failed = {name for name, fields in entries.items() if fields.outcome == "failed"}
    superseded = {name for fields in entries.values() for name in fields.supersedes}
    resolved = {name for fields in entries.values() for name in fields.resolves}
    assert len(failed & superseded) == 1
    assert failed - superseded == resolved
    assert {r.id for r in records if getattr(r.fields, "status", "") == "blocked"} == {
        "atlas-partition-orders"
    }


def _filled(name: str) -> str:
    text = (TEMPLATES / f"{name}.md").read_text(encoding="utf-8")
    return string.Template(text).substitute(
        id="some-id", title="A title", now=NOW, project="some-project"
    )


def _template(text: str, name: RecordType) -> tuple[Record | None, tuple[Problem, ...]]:
    parsed = parse(text.encode(), f"templates/{name}.md", "some-id", name)
    return parsed.record, parsed.problems


@pytest.mark.parametrize("name", TYPES)
def test_a_template_is_a_record(name: RecordType) -> None:
    text = _filled(name)
    assert text.startswith(f"---\nschema: doll/{name}/1\n")
    record, problems = _template(text, name)
    assert problems == ()
    assert record is not None
    assert record.name == "A title"


@pytest.mark.parametrize("name", TYPES)
def test_a_templates_comments_are_fields_to_uncomment(name: RecordType) -> None:
    text = _COMMENTED.sub(r"\1", _filled(name))
    assert "\n# " not in text
    record, problems = _template(text, name)
    assert problems == ()
    assert record is not None
    own = {field for field in STRUCTS[name].__annotations__ if not _PROVENANCE.match(field)}
    assert own <= set(record.lines), own - set(record.lines)
