"""A vault whose branch is gone, or that what is checked out has not: each line said works."""

from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git, make
from tests.hook_desk import change, commit

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)


def said_by(desk: Desk) -> tuple[str, list[str]]:
    """Return what a commit here says of the vault, and the lines to type, without their words."""
    first, *rest = commit(desk).splitlines()
    assert first.startswith("doll: NOT CHECKED: ")
    typed = [line.strip().partition("    ")[0] for line in rest if line.startswith("    ")]
    return first, typed


@pytest.fixture
def renamed(code: Desk) -> Desk:
    """A code repository whose vault had its branch renamed."""
    notes = code.at("../notes")
    notes.git("config", "doll.branch", "main")
    notes.git("branch", "-m", "main", "my-zz")
    change(code, "src/a")
    return code


@pytest.mark.parametrize("number", [0, 1])
def test_the_branch_was_renamed(renamed: Desk, number: int) -> None:
    first, typed = said_by(renamed)
    assert "the vault's branch 'main' does not exist here; 'my-zz' is checked out" in first
    notes = f"git -C {renamed.root.parent / 'notes'}"
    assert typed == [f"{notes} config doll.branch my-zz", f"{notes} branch main"]
    renamed.type(typed[number])
    change(renamed, "drops/a")
    assert "no-drops" in commit(renamed, code=1)


def test_the_branch_is_gone_and_no_branch_is_checked_out(renamed: Desk) -> None:
    renamed.at("../notes").git("switch", "-q", "--detach")
    first, typed = said_by(renamed)
    assert first.endswith("the vault's branch 'main' does not exist here")
    (line,) = typed
    renamed.type(line)
    change(renamed, "drops/a")
    assert "no-drops" in commit(renamed, code=1)


@pytest.mark.parametrize("pinned", [True, False])
def test_an_orphan_branch_without_the_vault(code: Desk, pinned: bool) -> None:
    notes = code.at("../notes")
    if pinned:
        notes.git("config", "doll.branch", "main")
    notes.git("branch", "feature")
    notes.git("checkout", "-q", "--orphan", "k")
    notes.git("rm", "-rqf", ".")
    top = code.root.parent / "notes"
    top.mkdir(exist_ok=True)
    change(code, "src/a")
    first, typed = said_by(code)
    assert f"has no doll.yaml in what is checked out; main has the vault {top.resolve()}" in first
    assert typed == [f"git -C {top} switch main"]
    assert typed[0] in notes.doll("status").err
    assert "hooks install" not in code.doll("doctor").out
    code.type(typed[0])
    change(code, "drops/a")
    assert "no-drops" in commit(code, code=1)


def test_a_commit_from_before_the_vault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = Desk(make(tmp_path / "co de"), capsys)
    code.ok("init", "notes")
    code.git("add", "-A")
    code.git("commit", "-qm", "vault", "--no-verify", "--allow-empty")
    code.ok("hooks", "install", "--vault", "notes")
    before = code.git("rev-list", "--max-parents=0", "HEAD")
    code.git("switch", "-q", "--detach", before)
    change(code, "src/a")
    first, typed = said_by(code)
    assert f"main has the vault {code.root / 'notes'}" in first
    (line,) = typed
    code.type(line)
    assert "NOT CHECKED" not in code.doll("hooks", "status").err


def test_a_vault_that_moved_is_still_named_anew(code: Desk) -> None:
    (code.root.parent / "notes").rename(code.root.parent / "elsewhere")
    git(code.root, "branch", "other")
    change(code, "src/a")
    _, typed = said_by(code)
    assert typed == ["doll hooks install --vault PATH"]
