"""Secrets in the vault's files: many in one file, and the line that declares a false alarm."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from doll.vcs.plumbing import process
from tests.desk import Desk, make_vault

FRONT = "---\ntitle: Tokens\n---\n"


def token(number: int) -> str:
    return "ghp_" + f"a1B2{number:04}" * 4 + "wxyz"


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    desk = Desk(make_vault(tmp_path / "vault"), capsys)
    desk.ok("hooks", "install", "--vault", ".")
    return desk


def put(desk: Desk, *numbers: int) -> None:
    desk.put("confirmed/tokens.md", FRONT + "".join(f"{token(number)}\n" for number in numbers))
    desk.git("add", "-A")


def count_git_calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list to which each call of git's history adds its command."""
    calls: list[str] = []

    def counted(arguments: Sequence[str], *rest: Any, **more: Any) -> process.Output:
        calls.append(arguments[0])
        return process.run(arguments, *rest, **more)

    monkeypatch.setattr("doll.vcs.plumbing.repository.run", counted)
    return calls


def test_many_hits_in_one_file_are_counted_and_ask_git_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(desk, *range(1500))
    calls = count_git_calls(monkeypatch)
    hook = desk.doll("hooks", "run", "pre-commit")
    assert (hook.code, calls.count("log")) == (1, 1)
    assert hook.err.count("looks like a secret (github-token)") == 20
    assert "and 1,480 more places of this file look like secrets" in hook.err
    assert desk.doll("validate").out.count("[secret.found]") == 21


def test_a_file_with_many_is_mended_step_by_step(desk: Desk) -> None:
    put(desk, *range(30))
    desk.git("commit", "-qnm", "tokens")
    put(desk, *range(29))
    assert desk.ok("validate", "--staged").out == ""
    put(desk, *range(29), 30, 31)
    assert desk.doll("validate", "--staged").out.count("[secret.found]") == 1


def test_a_false_alarm_is_declared_by_the_line_that_is_printed(desk: Desk) -> None:
    put(desk, 1)
    stopped = desk.doll("hooks", "run", "pre-commit")
    (line,) = (line for line in stopped.err.splitlines() if "--trailer" in line)
    policy = "authority/policies/new.md"
    desk.put(policy, "Staged.\n")
    desk.git("add", "-f", policy)
    desk.type(line.replace(" commit ", " commit -m tokens "))
    assert desk.git("diff", "--cached", "--name-only") == policy
    desk.git("rm", "-qf", policy)
    assert desk.ok("validate").out == ""
    put(desk, 1, 2)
    assert desk.ok("validate", "--staged").out == ""
    # It counts for this file and this kind alone.
    desk.put("confirmed/more.md", FRONT + token(1))
    assert desk.doll("validate").out.count("[secret.found]") == 1


def test_what_commits_declare_whatever_git_is_set_to_show(desk: Desk) -> None:
    for name, value in (("log.showRoot", "false"), ("log.showSignature", "true")):
        desk.git("config", name, value)
    desk.git("config", "diff.orderFile", "/nowhere")
    desk.put("confirmed/wörter\n.md", FRONT + token(1))
    desk.git("add", "-A")
    trailer = ("--trailer", "Doll-Not-A-Secret: github-token:body")
    desk.git("commit", "-qn", "--amend", "-m", "start", *trailer)
    assert "secret.found" not in desk.doll("validate").out
