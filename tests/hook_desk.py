"""A vault with rules beside a code repository that has every hook, for tests of real git."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from doll.cli import run
from tests.desk import Desk, make_vault
from tests.gitbox import git, make, put

NAME = "20260820T143205Z-attempt-online-migration-k3v9q2xw7d"
TITLE = "Online migration of orders locked the table"
FAILURE = (
    "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
    f"summary: {TITLE}\noutcome: failed\n"
    "paths: [migrations/**]\nevidence: [commit:1f2e3d4]\n---\n"
)
POLICY = "---\neffect: deny\ntitle: No drops\nprojects: atlas\nactions: db.drop\n---\n"
ASK = "---\neffect: require_confirmation\nprojects: atlas\nactions: db.export\n---\n"
WORK_ITEM = "---\ntitle: Move orders\nproject: atlas\nstatus: {0}\n---\n"
MAP = (
    "actions:\n  - {project: atlas, paths: 'drops/**', actions: [db.drop.all]}\n"
    "  - {paths: 'exports/', actions: [db.export]}\n"
)


def add_rules(notes: Path) -> None:
    """Commit to a vault what `code` is held to."""
    put(notes, f"experience/atlas/{NAME}.md", FAILURE)
    put(notes, "authority/policies/no-drops.md", POLICY)
    put(notes, "authority/policies/ask.md", ASK)
    put(notes, "authority/work-items/move-orders.md", WORK_ITEM.format("blocked"))
    put(notes, "authority/work-items/add-index.md", WORK_ITEM.format("ready"))
    put(notes, "doll.yaml", (notes / "doll.yaml").read_text() + MAP)
    git(notes, "add", "-A")
    git(notes, "commit", "-qm", "rules")


def make_pair(folder: Path) -> Path:
    """Make a vault `notes` with rules, and `code` beside it with every hook and a remote."""
    notes = make_vault(folder / "notes")
    add_rules(notes)
    code = make(folder / "code")
    git(folder, "init", "-q", "--bare", "-b", "main", "remote.git")
    git(code, "remote", "add", "origin", "../remote.git")
    git(code, "push", "-q", "origin", "main")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(code)
        assert run(["hooks", "install", "--vault", "../notes", "--project", "atlas"]) == 0
    # As a user may write it; a copy of the folder then finds its own vault.
    git(code, "config", "doll.vault", "../notes")
    return folder


def copied(pair: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """Return a person in `code` of a copy of such a pair."""
    shutil.copytree(pair, folder, symlinks=True, dirs_exist_ok=True)
    return Desk(folder / "code", capsys)


def change(desk: Desk, *paths: str) -> None:
    """Change files and stage everything."""
    for path in paths:
        before = desk.read(path) if (desk.root / path).exists() else ""
        desk.put(path, f"{before}{path}\n")
    desk.git("add", "-A")


def hook_problems(desk: Desk) -> list[dict[str, Any]]:
    """Return what doctor says of hooks here."""
    found = desk.doll("doctor", "--json").json["problems"]
    return [problem for problem in found if problem["area"] == "hooks"]


def unchecked_commit(desk: Desk, *paths: str) -> str:
    """Commit changes past all hooks; return the commit's id."""
    change(desk, *paths)
    desk.git("commit", "-qm", f"change {' '.join(paths)}", "--no-verify")
    return desk.git("rev-parse", "HEAD")


def commit(desk: Desk, *arguments: str, code: int = 0) -> str:
    """Commit, hold git to its exit code, return what was printed."""
    before = newest(desk)
    printed = git(desk.root, "commit", "-qm", f"after {before}", *arguments, code=code)
    assert (newest(desk) != before) is (code == 0)
    return printed


def newest(desk: Desk) -> str:
    """Return the id of HEAD, "" or git's words where there is none."""
    return git(desk.root, "rev-parse", "-q", "--verify", "HEAD", code=None)


def assert_warned(printed: str, path: str) -> None:
    """Hold what was printed to the one warning: record, evidence, the match, a line to type."""
    warning, to_type, other = printed.split("\n")
    assert warning.startswith(f"doll: warning: experience/atlas/{NAME}.md:7: ")
    for part in (TITLE, f"migrations/** matches {path}", "user_recorded", "commit:1f2e3d4"):
        assert part in warning
    assert to_type == f"    doll correct {NAME} 'what holds now'"
    resolution = f"'what works instead' --project atlas --resolves {NAME}"
    assert other == f"    or: doll log resolution {resolution}"
