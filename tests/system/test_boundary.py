"""The one error boundary: whatever happens is one message, one document, one exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from doll.services import surveying
from tests.desk import Desk

DOLL = (sys.executable, "-m", "doll")


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DOLL, *arguments],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def in_shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    text = line.replace("doll", " ".join(DOLL))
    return subprocess.run(
        ["sh", "-c", text], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_working_folder_that_is_gone(desk: Desk) -> None:
    gone = desk.root / "gone"
    for line, code in (("doll status", 3), ("doll preflight --json", 3), ("doll --version", 0)):
        gone.mkdir()
        found = in_shell(gone, f"rmdir ../gone && {line}")
        assert found.returncode == code, found.stderr
        if code:
            assert "the working folder is gone" in found.stderr
        if "--json" in line:
            assert json.loads(found.stdout)["exit"] == 3


def test_a_console_that_lacks_characters(desk: Desk) -> None:
    desk.put("confirmed/漢字.md", "---\ntitle: 漢字 – é\n---\n")
    for encoding in ("ascii", "cp1252", "latin-1"):
        found = run(desk.root, "list", PYTHONIOENCODING=encoding, LC_ALL="C")
        assert (found.returncode, found.stderr) == (0, "")
        # click writes UTF-8 where Python would write ASCII.
        assert ("漢字" if encoding == "ascii" else "\\u6f22") in found.stdout


def test_names_are_read_alike_in_every_locale(desk: Desk) -> None:
    desk.put("authority/projects/漢字.md", "---\nstatus: active\naliases: é\n---\n")
    desk.put("authority/policies/p.md", "---\neffect: advise\nprojects: [漢字, é]\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "漢字")
    ask = ("preflight", "--json", "--project", "漢字", "--as-of", "2026-09-01T08:00:00Z")
    expected = desk.ok(*ask).out
    for variables in ({"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "POSIX"}):
        found = run(desk.root, *ask, **variables)
        assert (found.stdout, found.stderr) == (expected, "")


def test_no_command_and_a_wrong_one(desk: Desk) -> None:
    for words in ((), ("hooks",), ("import",)):
        result = desk.doll(*words)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("Usage: doll ")
    result = desk.doll("statsu")
    assert (result.code, result.out) == (2, "")
    assert "did you mean `doll status`?" in result.err
    document = desk.doll("statsu", "--json")
    assert document.json["exit"] == document.code == 2


def test_json_is_an_option_only_before_the_dashes(desk: Desk) -> None:
    result = desk.doll("recall", "--limit", "0", "--", "--json")
    assert (result.code, result.out) == (2, "")
    assert desk.doll("recall", "--limit", "0", "--json", "--", "x").json["exit"] == 2


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("import pam nothing.json --name -- --json", 2),
        ("new memory --title -- --set nothing --json", 2),
        ("lsit --json", 2),
        ("lsit --name -- --json", None),
        ("list --bad --json", 2),
        ("list --json extra", 2),
        ("--json list", 2),
        ("review --json show x", 2),
        ("hooks run pre-commit --json", 2),
        ("show nothing --json", 2),
        ("list --vault nowhere --json", 3),
        ("import pam doll.yaml --json", 4),
        ("new project atlas --title Atlas --json", 5),
        ("new memory --title --json --project", None),
        ("recall --limit --json -- x", None),
    ],
)
def test_an_error_is_a_document_where_one_is_asked_for(
    desk: Desk, line: str, code: int | None
) -> None:
    result = desk.doll(*line.split())
    assert result.err.startswith("doll: ")
    if code is None:
        assert (result.code, result.out) == (2, "")
    else:
        assert (result.code, result.json["exit"]) == (code, code)


def test_an_interruption(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(surveying, "differences", interrupted)
    result = desk.doll("status", "--json")
    assert (result.code, result.json["exit"]) == (130, 130)
    assert desk.doll("status").err.strip() == "doll: interrupted"


def test_a_bug_is_told_without_what_records_say(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("the diary says that")

    monkeypatch.setattr(surveying, "differences", fails)
    desk = desk.under(XDG_STATE_HOME=str(tmp_path / "state"))
    result = desk.doll("status", "--json")
    assert (result.code, result.json["exit"]) == (70, 70)
    assert "this is a bug in doll: RuntimeError" in result.err
    (log,) = (tmp_path / "state/doll").iterdir()
    assert str(log) in result.err
    assert "surveying.py" in log.read_text()
    assert "diary" not in log.read_text() + result.err + result.out
