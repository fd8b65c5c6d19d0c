"""`doll doctor`: hooks that check nothing, and that each line that it says mends what it says."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from doll.services.hooks.block import LOCAL
from tests.desk import Desk
from tests.footprint import footprint
from tests.gitbox import git, hook, put
from tests.hook_desk import copied

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)


@pytest.fixture
def code(pair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    desk = copied(pair, tmp_path, capsys)
    # The program on PATH that hooks find first.
    program = put(tmp_path, "bin/doll", f'#!/bin/sh\nexec {sys.executable} -m doll "$@"\n')
    program.chmod(0o755)
    return desk.under(PATH=f"{tmp_path}/bin:{_without_doll()}")


def _without_doll() -> str:
    places = os.environ["PATH"].split(":")
    return ":".join(place for place in places if not (Path(place) / "doll").exists())


def codes(desk: Desk) -> list[str]:
    """Return the codes of what wants mending, in order; hold exit code and both forms together."""
    before = footprint(desk.root.parent)
    document = desk.doll("doctor", "--json")
    problems = document.json["problems"]
    found = [problem["code"] for problem in problems if problem["severity"] != "note"]
    assert document.json["schema"] == "doll.doctor/1"
    assert document.code == int(bool(found))
    plain = desk.doll("doctor")
    assert plain.code == document.code
    assert plain.out.count("[hooks.") == sum(code.startswith("hooks.") for code in found)
    assert all(problem["hint"] for problem in problems)
    assert footprint(desk.root.parent) == before
    return found


def test_all_is_well_and_nothing_is_there(code: Desk) -> None:
    assert codes(code) == []
    said = code.ok("doctor").err
    assert said.endswith(f"hooks: nothing is wrong with {', '.join(LOCAL)}\n")
    code.ok("hooks", "uninstall")
    code.git("config", "--unset", "doll.vault")
    assert codes(code) == []
    assert "doll hooks install" in code.ok("doctor").err
    assert code.at("..").doll("doctor").code == 3


def test_a_pinned_python_that_is_gone_or_lost_its_doll(code: Desk, tmp_path: Path) -> None:
    emptied = put(tmp_path, "venv/python", "#!/bin/sh\nexit 1\n")
    emptied.chmod(0o755)
    for python in ("/nowhere/bin/python", str(emptied)):
        for name in ("python", "installed.python"):
            code.git("config", f"doll.{name}", python)
        assert codes(code) == ["hooks.dead"]
        said = code.doll("doctor").out
        assert "hooks work only where doll is on PATH" in said
        assert "hooks check nothing" in code.under(PATH=_without_doll()).doll("doctor").out
    code.type("doll hooks install")
    assert codes(code) == []
    assert codes(code.under(PATH=_without_doll())) == []


def test_a_program_that_fails_and_no_program(code: Desk, tmp_path: Path) -> None:
    put(tmp_path, "bin/doll", "#!/bin/sh\nexit 3\n")
    assert codes(code) == ["hooks.dead"]
    put(tmp_path, "bin/doll", "#!/bin/sh\necho doll 0.0.1\n")
    assert codes(code) == ["hooks.dead"]
    assert "the doll on PATH is 0.0.1" in code.doll("doctor").out
    (tmp_path / "bin/doll").unlink()
    code.git("config", "--unset", "doll.python")
    assert codes(code) == ["hooks.dead"]
    assert "no Python is pinned" in code.doll("doctor").out


def test_shadowed_by_a_hooks_path(code: Desk, tmp_path: Path) -> None:
    code.git("config", "core.hooksPath", ".githooks")
    assert codes(code) == ["hooks.shadowed"] * 4
    code.type("doll hooks install")
    assert codes(code) == []
    code.git("config", "core.hooksPath", str(tmp_path / "shared"))
    assert codes(code) == ["hooks.shadowed"] * 4
    said = code.doll("doctor").out
    assert f"it runs {tmp_path}/shared/pre-commit" in said
    assert "doll hooks run pre-commit </dev/null ||" in said


def test_husky_took_over(code: Desk) -> None:
    code.git("config", "core.hooksPath", ".husky/_")
    for kind in LOCAL:
        hook(code.root, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"', kind)
    assert codes(code) == ["hooks.shadowed"] * 4
    said = code.doll("doctor").out
    assert "which husky took over" in said
    assert "add to .husky/pre-commit:" in said


def test_moved_aside_by_a_framework_that_is_gone(code: Desk) -> None:
    path = code.root / ".git/hooks/pre-commit"
    path.rename(path.with_name("pre-commit.legacy"))
    assert codes(code) == ["hooks.shadowed"]
    code.type("doll hooks install")
    assert codes(code) == []


def test_stranded(code: Desk, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.rename(tmp_path / "moved")
    assert codes(code) == ["hooks.stranded"]
    assert "doll hooks install --vault PATH" in code.doll("doctor").out
    (tmp_path / "moved").rename(notes)
    put(notes, "doll.yaml", (notes / "doll.yaml").read_text().replace("0f", "aa"))
    git(notes, "commit", "-qam", "another id")
    assert codes(code) == ["hooks.stranded"]
    assert "is another vault than the one" in code.doll("doctor").out
    git(notes, "revert", "--no-edit", "HEAD")
    code.git("config", "doll.project", "nobody")
    assert codes(code) == ["hooks.stranded"]
    code.git("config", "doll.project", "atlas")
    shutil.rmtree(notes / ".git")
    assert codes(code) == ["hooks.stranded"]


def test_settings_that_are_gone_or_wrong(code: Desk, tmp_path: Path) -> None:
    code.git("config", "--unset", "doll.vaultId")
    assert codes(code) == ["hooks.stranded"]
    code.git("config", "--unset", "doll.vault")
    assert codes(code) == ["hooks.stranded"] * 2
    assert "doll.vault and doll.vaultId not set" in code.doll("doctor").out
    code.type("doll hooks install --vault ../notes --project atlas")
    assert codes(code) == []
    code.git("config", "doll.strict", "perhaps")
    assert codes(code) == ["hooks.setting"]
    code.type("git config doll.strict true")
    assert codes(code) == []


def test_hooks_that_do_not_run_are_old_or_damaged_or_missing(code: Desk) -> None:
    one, two, three, four = (code.root / ".git/hooks" / kind for kind in LOCAL)
    one.chmod(0o644)
    two.write_bytes(two.read_bytes().replace(b"code=$?", b"code=0"))
    three.write_bytes(three.read_bytes().replace(b"# <<< doll", b"# <<< dol"))
    four.unlink()
    assert codes(code) == ["hooks.disabled", "hooks.outdated", "hooks.damaged", "hooks.missing"]
    code.type(f"chmod +x {one}")
    three.unlink()
    code.type("doll hooks install")
    assert codes(code) == []
    for path in (one, two, three, four):
        path.unlink()
    assert codes(code) == ["hooks.missing"] * 4  # the settings are left


def test_a_line_before_the_block_that_ends_the_hook(code: Desk) -> None:
    line = "exit 0"
    path = code.root / ".git/hooks/pre-commit"
    code.type(f"sed -i '1a {line}' {path}")
    assert codes(code) == ["hooks.late"]
    said = code.doll("doctor").out
    assert f"{path}:2:1: error: lines before doll's block run first and may end the hook" in said
    assert f"`{line}`" in said
    state = code.doll("hooks", "status")
    assert state.code == 1
    assert "pre-commit: installed" in state.out
    assert f"before doll's block run first and may end the hook (line 2: `{line}`)" in state.err
    settings = code.git("config", "--get-regexp", "^doll\\.(hooks|project|vaultid)$")
    code.type(next(text for text in said.splitlines() if "uninstall" in text))
    assert codes(code) == []
    assert path.read_text().splitlines()[-1] == line
    assert code.git("config", "--get-regexp", "^doll\\.(hooks|project|vaultid)$") == settings
    assert code.doll("hooks", "status").code == 0


def test_lines_before_the_block_that_may_end_the_hook(code: Desk) -> None:
    path = code.root / ".git/hooks/pre-push"
    code.ok("hooks", "uninstall")
    code.ok("hooks", "install", "--vault", "../notes", "--project", "atlas", "--only", "pre-push")
    before = path.read_text()
    for harmless in ("", "# exit 0", "  # exit 0", "#"):
        path.write_text(before.replace("\n", f"\n{harmless}\n", 1))
        assert codes(code) == []
    path.write_text(before.replace("\n", "\n# lint\nexec 3>&1\nmake lint || exit 1\n", 1))
    assert codes(code) == ["hooks.late"]
    said = code.doll("doctor").out
    assert f"{path}:3:1: warning: lines before doll's block run first" in said
    state = code.doll("hooks", "status")
    assert state.code == 0
    assert "may end the hook (line 3: `exec 3>&1`)" in state.err
    # The only block: its settings are named, since they go with it.
    line = next(text for text in said.splitlines() if "uninstall" in text)
    assert line.strip() == (
        "doll hooks uninstall --only pre-push && doll hooks install --only pre-push "
        f"--vault {code.root}/../notes --project atlas"
    )
    code.type(line)
    assert codes(code) == []
    assert code.git("config", "doll.hooks") == "pre-push"


def test_an_accepted_record_that_is_broken_is_named(code: Desk, tmp_path: Path) -> None:
    put(tmp_path / "notes", "authority/policies/ask.md", "---\neffect: nothing\n---\n")
    git(tmp_path / "notes", "commit", "-qam", "broken", "--no-verify")
    assert codes(code) == ["field.value"]


def test_in_a_bare_repository(code: Desk, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", "notes", "server.git")
    server = code.at("../server.git")
    server.ok("hooks", "install", "--bare")
    document = json.loads(server.ok("doctor", "--json").out)
    assert [each["kind"] for each in document["hooks"]] == ["pre-receive"]
    path = tmp_path / "server.git/hooks/pre-receive"
    code.type(f"sed -i '1a exit 0' {path}")
    assert codes(server) == ["hooks.late"]
    said = server.doll("doctor").out
    server.type(next(text for text in said.splitlines() if "uninstall" in text))
    assert codes(server) == []
    path.chmod(0o644)
    assert server.doll("doctor").code == 1
