"""Hooks whose first line starts nothing that reads doll's lines: said, and mended as it is said."""

from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git
from tests.hook_desk import hook_problems

DEAD = {
    "another program": "#!/bin/true",
    "a shell that is not there": "#!/nope/sh",
    "another language": "#!/usr/bin/env python3",
    "a shell that env does not find": "#!/usr/bin/env mksh",
    "a carriage return": "#!/bin/sh\r",
}


def hook_of(code: Desk) -> Path:
    return code.root / ".git/hooks/pre-commit"


def state(code: Desk) -> tuple[str, bool]:
    """Return what is said of the pre-commit hook, and whether git runs all of doll."""
    said = code.doll("hooks", "status", "--json").json
    return said["hooks"][0]["state"], said["runs"]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("first", DEAD.values(), ids=DEAD.keys())
def test_a_block_that_no_shell_reads(code: Desk, first: str) -> None:
    hook = hook_of(code)
    text = hook.read_bytes()
    lines = text.replace(b"#!/bin/sh", first.encode(), 1)
    hook.write_bytes(lines)
    assert state(code) == ("stalled", False)
    problems = hook_problems(code)
    assert [(p["code"], p["path"]) for p in problems] == [("hooks.disabled", str(hook))]
    assert str(hook) in code.doll("hooks", "status").err
    installed = code.doll("hooks", "install", "--vault", "../notes", "--project", "atlas")
    assert installed.code == 5
    assert f"{hook}: left as it is" in installed.out
    assert hook.read_bytes() == lines
    code.type(problems[0]["hint"].partition("    ")[0])
    code.ok("hooks", "install", "--vault", "../notes", "--project", "atlas")
    assert state(code) == ("installed", True)
    code.ok("doctor")
    assert hook_problems(code) == []
    assert hook.stat().st_mode & 0o111


def test_a_hook_of_ones_own_that_nothing_starts(code: Desk) -> None:
    code.ok("hooks", "uninstall", "--only", "pre-commit")
    hook = hook_of(code)
    hook.write_text("#!/nope/python3\nprint()\n# doll hooks run pre-commit\n")
    hook.chmod(0o755)
    said = code.doll("hooks", "install", "--only", "pre-commit", "--project", "atlas")
    assert said.code == 5
    assert "names /nope/python3, which is not there" in said.err
    assert "install python3, or name another program in the first line" in said.err


def test_lines_that_end_in_crlf_are_made_lf_first(code: Desk) -> None:
    code.ok("hooks", "uninstall", "--only", "pre-commit")
    hook = hook_of(code)
    hook.write_bytes(b"#!/bin/sh\r\necho mine\r\n")
    hook.chmod(0o755)
    said = code.doll("hooks", "install", "--only", "pre-commit", "--project", "atlas")
    assert said.code == 5
    (line,) = (line.strip() for line in said.err.splitlines() if line.strip().startswith("tr "))
    code.type(line.partition("    makes")[0])
    code.ok("hooks", "install", "--only", "pre-commit", "--project", "atlas")
    code.put("drops/x", "x")
    git(code.root, "add", "-A")
    assert "mine" in git(code.root, "commit", "-qm", "src", "--allow-empty", "--", "README")
    assert "no-drops" in git(code.root, "commit", "-qm", "drops", code=1)


def test_what_runs_is_left_in_peace(code: Desk) -> None:
    hook = hook_of(code)
    text = hook.read_bytes()
    for first in ("#!/usr/bin/env sh", "#! /bin/sh -e", "#!/usr/bin/env -S sh -u"):
        hook.write_bytes(text.replace(b"#!/bin/sh", first.encode(), 1))
        assert state(code) == ("installed", True), first
