"""docs/proposals.md: its examples run, and its table is what the code refuses."""

import re
from pathlib import Path

from tests.desk import Desk

PAGE = (Path(__file__).parents[2] / "docs/proposals.md").read_text("utf-8")


def test_the_first_example_runs_as_it_stands(desk: Desk) -> None:
    block = re.search(r"```console\n\$ (.*?\nEND)\n(.*?)\n```", PAGE, re.DOTALL)
    assert block is not None
    printed = desk.type(block[1])
    assert printed.splitlines()[0] == block[2]


def test_json_is_taken_as_it_stands(desk: Desk) -> None:
    block = re.search(r"```\n(echo .*?)\n```", PAGE, re.DOTALL)
    assert block is not None
    assert '"state": "written"' in desk.type(block[1])


def test_each_row_of_the_table_is_refused(desk: Desk) -> None:
    rows = re.findall(r"^\| (`[^|]+|any [^|]+) \|", PAGE, re.MULTILINE)
    assert len(rows) == 7
    values = {
        "origin": "user",
        "review": "rejected",
        "created": "2026-08-20T14:32:05Z",
        "aliases": "[a]",
        "assertion": "user_recorded",
        "sensitivity": "public",
        "any field": "x",
    }
    for row, (field, value) in zip(rows, values.items(), strict=True):
        assert field in row
        sent = f"---\ntitle: X\n{field}: {value}\n---\n".encode()
        desk.refused(4, "propose", "memory", "--by", "model:x", stdin=sent)


def test_the_document_of_an_error_is_as_shown(desk: Desk) -> None:
    sent = b"---\ntitle: X\ntagz: [a]\n---\n"
    found = desk.doll("propose", "memory", "--by", "model:x", "--json", stdin=sent).json
    for key in found:
        assert f'"{key}":' in PAGE
    (problem,) = found["problems"]
    for value in (problem["message"], problem["hint"], problem["code"], found["message"]):
        assert value in PAGE
