"""docs/teams.md: its CI files are YAML, and every command in it is one that doll takes."""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from doll.cli.main import doll
from doll.errors import CODES
from tests.desk import Desk
from tests.gitbox import git, make

PAGE = Path(__file__).resolve().parents[2] / "docs" / "teams.md"
TEXT = PAGE.read_text(encoding="utf-8")
FENCES = re.findall(r"^```(yaml|sh)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
CI = [yaml.safe_load(block) for kind, block in FENCES if kind == "yaml"]
SHELL = [block for kind, block in FENCES if kind == "sh"]


def texts(value: Any) -> Iterator[str]:
    """Yield every text in a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts(each)


def commands() -> list[str]:
    """Return the commands of doll that the page has people or CI type."""
    lines = [line for block in SHELL for line in block.splitlines()]
    lines += [text for job in CI for text in texts(job)]
    lines += re.findall(r"`(doll [^`]*)`", TEXT)
    return sorted({line for line in lines if line.startswith("doll ")})


def test_the_page_has_what_it_promises() -> None:
    assert len(CI) == 4
    assert all(isinstance(job, dict) for job in CI)
    assert {"doll validate", "doll verify"} <= set(commands())
    assert sum("--format" in command for command in commands()) == 2


@pytest.mark.parametrize("command", commands())
def test_doll_takes_the_command(command: str) -> None:
    words = shlex.split(command.partition(" >")[0])[1:]
    context: click.Context = click.Context(doll, info_name="doll")
    while isinstance(context.command, click.Group):
        name, *words = words
        found = context.command.get_command(context, name)
        assert found is not None, command
        if isinstance(found, click.Group) and not words:
            return
        context = click.Context(found, context, name)
    context.command.make_parser(context).parse_args(words)


def test_the_codes_are_those_of_the_registry() -> None:
    table = TEXT.partition("### What is refused")[2].partition("\n### ")[0]
    codes = re.findall(r"`([a-z_]+\.[a-z_]+)`", table.replace("`doll.yaml`", ""))
    assert len(codes) >= 9
    assert set(codes) <= set(CODES)


def test_the_jobs_of_a_vault_pass_and_fail(desk: Desk) -> None:
    jobs = [job for job in CI if "vault" in job or job.get("name") == "vault"]
    assert len(jobs) == 2
    for job in jobs:
        lines = [text for text in texts(job) if text.startswith("doll ")]
        assert [desk.doll(*line.split()[1:]).code for line in lines] == [0, 0]
    desk.put("confirmed/a.md", "---\ntitle: a\norigin: model\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "unreviewed")
    assert [desk.doll(*line.split()[1:]).code for line in lines] == [1, 1]


def test_the_jobs_of_a_code_repository_say_what_is_denied(desk: Desk, tmp_path: Path) -> None:
    desk.put("authority/policies/p.md", "---\neffect: deny\npaths: migrations/**\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "rule")
    code = desk.at(str(make(tmp_path / "code")))
    base = code.git("rev-parse", "HEAD")
    git(code.root, "update-ref", "refs/remotes/origin/main", base)
    code.put("migrations/1.sql", "alter table orders;\n")
    code.git("add", "-A")
    code.git("commit", "-qm", "migrate")
    values = {"GITHUB_BASE_REF": "main", "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    lines = [line for line in commands() if "--format" in line]
    for line in lines:
        words = [os.path.expandvars(word) for word in _filled(line, values)]
        result = code.doll(*words[1:])
        assert result.code == 1, result.err
        assert "policy.denied" in result.out or "migrations/1.sql" in result.out


def _filled(line: str, values: dict[str, str]) -> list[str]:
    for name, value in values.items():
        line = line.replace(f"${name}", value)
    return shlex.split(line.partition(" >")[0])
