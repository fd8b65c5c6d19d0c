"""docs/preflight.md: its table is the registry, and each example is evaluated."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from doll.errors import Problem
from doll.preflight import CODES, Entry, Inputs, Pending, Report, Request, evaluate, report_payload
from doll.preflight.codes import STATUSES, Code
from doll.render.preflight_text import hook_lines
from tests.preflight_builders import AS_OF, ATLAS, GARDEN, check, failure, record, said

PAGE = (Path(__file__).parents[2] / "docs/preflight.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `([\w.]+)`\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL))
EXAMPLES = [
    pytest.param(name, yaml.safe_load(block), id=f"{name}-{number}")
    for name, text in SECTIONS.items()
    for number, block in enumerate(
        re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    )
]


def row(code: Code) -> str:
    source = code.source or "the request" if code.name.startswith("request") else code.source
    reserved = "*reserved*: " if code.reserved else ""
    return f"| `{code.name}` | {source or 'changes'} | {code.effect} | {reserved}{code.meaning} |"


def test_the_table_of_codes_is_the_registry() -> None:
    table = PAGE.partition("| code | from | effect | meaning |\n|---|---|---|---|\n")[2]
    assert table.partition("\n\n")[0].splitlines() == [row(code) for code in CODES.values()]


def test_every_code_that_a_rule_gives_has_an_example() -> None:
    wanted = {code.name for code in CODES.values() if not code.reserved}
    assert SECTIONS.keys() == wanted
    assert {example.values[0] for example in EXAMPLES} == set(SECTIONS)


def run(example: dict[str, Any]) -> Report:
    authority, experience = [ATLAS, GARDEN], []
    for fields in example.get("records", ()):
        made = record(fields.pop("type"), fields.pop("id"), **fields)
        if made.type == "experience":
            experience.append(Entry(made, committed=True))
        else:
            authority.append(made)
    asked: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in example["request"].items()
    }
    inputs = Inputs(
        authority=authority,
        experience=experience,
        unreadable_experience=[
            Problem(path, 1, 1, "frontmatter.missing", "it has no front matter")
            for path in example.get("unreadable_experience", ())
        ],
        pending=[
            *(Pending(path, "new") for path in example.get("pending", ())),
            *(Pending(path, "x", "authority.not_signed") for path in example.get("unsigned", ())),
        ],
    )
    return evaluate(inputs, Request(**asked), AS_OF)


@pytest.mark.parametrize(("_", "example"), EXAMPLES)
def test_an_example_is_true(_: str, example: dict[str, Any]) -> None:
    report = run(example)
    assert report.status == example["status"]
    assert [" ".join(pair) for pair in said(report)] == example.get("finds", [])
    assert [note.code for note in report.notes] == example.get("notes", [])


@pytest.mark.parametrize("name", SECTIONS)
def test_the_first_example_of_a_code_gives_it(name: str) -> None:
    example = next(each.values[1] for each in EXAMPLES if each.values[0] == name)
    assert isinstance(example, dict)
    assert name in str(example.get("finds", example.get("notes")))


def test_the_hook_example_is_what_a_hook_prints() -> None:
    entry = failure(
        "locked",
        summary="Online migration of orders locked the table",
        actions=["db.migrate"],
        evidence=["commit:1f2e3d4"],
    )
    made = Entry(msgspec.structs.replace(entry.record, lines={"outcome": 7}), committed=True)
    report = check(made, actions=("db.migrate",), paths=(), hook=True)
    assert "```\n" + "\n".join(hook_lines(report, stops=False)) + "\n```" in PAGE


def test_the_statuses_are_listed_in_their_order() -> None:
    assert re.findall(r"^\d\. `(\w+)`:", PAGE, re.MULTILINE) == list(STATUSES)


def _documented(title: str) -> set[str]:
    text = PAGE.partition("## JSON")[2].partition(title)[2]
    rows = re.findall(
        r"^\| (`.*?) \|", text.partition("\n\n")[2].partition("\n\n")[0], re.MULTILINE
    )
    return {name for cell in rows for name in re.findall(r"`(\w+)`", cell)}


def test_the_json_fields_are_documented() -> None:
    payload = report_payload(check(failure("f")))
    assert _documented("sorted keys.") == payload.keys()
    assert _documented("A finding:") == payload["findings"][0].keys()
    assert _documented("The request:") == payload["request"].keys()
    for name in ("code", "message", "hint", "path", "line", "column", "stops", "total"):
        assert f"`{name}`" in PAGE.partition("A note has")[2]
