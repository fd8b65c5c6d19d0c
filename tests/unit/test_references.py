"""References between records: what a name names, and which names do not resolve."""

import itertools

import msgspec
import pytest

from doll.errors import CODES
from doll.records.fields import fields_of
from doll.records.model import FOLDERS, STRUCTS, TYPES, Record, RecordType, with_article
from doll.records.references import (
    TARGETS,
    Names,
    Reference,
    plain,
    reference_problem,
    references,
)

REQUIRED = {
    "memory": {},
    "experience": {
        "project": "atlas",
        "kind": "attempt",
        "assertion": "user_recorded",
        "at": "2026-08-20T14:32:05Z",
        "summary": "x",
    },
    "project": {"status": "active"},
    "work-item": {"project": "atlas", "status": "ready"},
    "decision": {"project": "atlas", "status": "accepted"},
    "procedure": {"project": "atlas", "status": "draft"},
    "policy": {"effect": "deny"},
    "permission": {"capability": "db.migrate", "mode": "deny"},
    "capability": {"risk": "low", "release": "available"},
}


def record(record_type: RecordType, record_id: str, **values: object) -> Record:
    fields = msgspec.convert({**REQUIRED[record_type], **values}, STRUCTS[record_type])
    lines = {name: number for number, name in enumerate(values, 2)}
    path = f"{FOLDERS[record_type]}/{record_id}.md"
    return Record(record_id, path, record_type, "0" * 64, record_id, fields, lines)


ATLAS = record("project", "atlas", aliases=["Old Atlas", "e\u0301tude"])
ITEM = record("work-item", "task")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("atlas", "atlas"),
        (" atlas ", "atlas"),
        ("[[atlas]]", "atlas"),
        ("[[atlas|The Atlas]]", "atlas"),
        ("[[atlas#Goals]]", "atlas"),
        ("[[atlas#Goals|The goals]]", "atlas"),
        ("[[ atlas ]]", "atlas"),
        ("[[]]", ""),
        ("[[atlas", "[[atlas"),
        ("", ""),
    ],
)
def test_a_wikilink_names_what_stands_in_it(written: str, name: str) -> None:
    assert plain(written) == name


@pytest.mark.parametrize(
    "name", ["atlas", "ATLAS", "[[Atlas]]", "old atlas", "OLD ATLAS", "étude", "E\u0301TUDE"]
)
def test_a_record_is_named_by_its_id_and_its_aliases(name: str) -> None:
    assert Names([ATLAS, ITEM]).named(name) == [ATLAS]


@pytest.mark.parametrize("name", ["", "atla", "atlas.md", "projects/atlas", "etude", "[[]]"])
def test_other_names_name_nothing(name: str) -> None:
    assert not Names([ATLAS, ITEM]).named(name)


def test_clashes_are_found_over_ids_and_aliases_in_any_order() -> None:
    twin = record("policy", "ATLAS")
    other = record("memory", "other", aliases=["Task", "other"])
    found = {
        tuple((name, tuple(r.path for r in records)) for name, records in Names(order).clashes())
        for order in itertools.permutations([ATLAS, ITEM, twin, other])
    }
    assert found == {
        (
            ("atlas", ("authority/policies/ATLAS.md", "authority/projects/atlas.md")),
            ("task", ("authority/work-items/task.md", "confirmed/other.md")),
        )
    }


def test_an_alias_of_its_own_id_is_no_clash() -> None:
    assert not list(Names([record("memory", "a", aliases=["A", "a"])]).clashes())


@pytest.mark.parametrize("record_type", TYPES)
def test_every_field_that_takes_ids_is_a_reference(record_type: RecordType) -> None:
    """But two: `aliases` are names of the record itself, `updates` names a candidate."""
    taking = {
        name
        for name, field in fields_of(record_type).items()
        if field.max_length == 300 and field.min_length == 1
    }
    assert taking - {"aliases", "updates"} == {
        field for of_type, field in TARGETS if of_type == record_type
    }


def test_the_references_of_a_record() -> None:
    entry = record("experience", "x", work_item="task", sources=["a", "b"], resolves=["c"])
    assert [(found.field, found.name, found.types) for found in references(entry)] == [
        ("project", "atlas", ("project",)),
        ("work_item", "task", ("work-item",)),
        ("sources", "a", ()),
        ("sources", "b", ()),
        ("resolves", "c", ("experience",)),
    ]


def test_what_is_related_to_a_memory_is_a_memory() -> None:
    (reference,) = references(record("memory", "m", related=["atlas"]))
    problem = reference_problem(reference, Names([ATLAS]))
    assert problem is not None
    assert problem.code == "reference.wrong_type"


@pytest.mark.parametrize(
    ("name", "types", "code", "said"),
    [
        ("atlas", ("project",), None, ""),
        ("task", (), None, ""),
        ("[[Task]]", ("work-item",), None, ""),
        ("nobody", ("project",), "reference.unresolved", "nobody"),
        ("[[]]", ("project",), "reference.unresolved", "no project"),
        ("task", ("project",), "reference.wrong_type", "task is a work-item"),
        ("twin", (), "reference.ambiguous", "authority/policies/twin.md and confirmed/twin.md"),
        ("twin", ("policy",), "reference.ambiguous", "more than one"),
    ],
)
def test_what_is_wrong_with_a_reference(
    name: str, types: tuple[RecordType, ...], code: str | None, said: str
) -> None:
    names = Names([ATLAS, ITEM, record("memory", "twin"), record("policy", "twin")])
    source = record("decision", "d", supersedes=[name])
    problem = reference_problem(Reference(source, "supersedes", name, types), names)
    if code is None:
        assert problem is None
        return
    assert problem is not None
    assert (problem.code, problem.path, problem.line) == (code, "authority/decisions/d.md", 2)
    assert problem.code in CODES
    assert said in problem.message
    assert problem.hint


def test_a_type_has_the_article_that_is_said() -> None:
    assert {each for each in TYPES if with_article(each).startswith("an ")} == {"experience"}
