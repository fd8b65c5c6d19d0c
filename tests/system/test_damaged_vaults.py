"""A vault that is damaged on disk or in git: what is accepted is judged, and the damage is said."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doll.cli import hook_run
from doll.vault import entries
from doll.vault.snapshot import snapshot
from tests.desk import Desk
from tests.gitbox import git, make, put
from tests.ordinary import ordinary

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

FAILURE = (
    "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
    "summary: Locked the table\noutcome: failed\npaths: migrations/**\n---\n"
)
ENTRY = "experience/atlas/20260820T143205Z-attempt-locked-k3v9q2xw7d.md"
POLICY = "authority/policies/no-drops.md"
RULES = {
    POLICY: "---\neffect: deny\nactions: db.drop\n---\n",
    "authority/policies/no-exports.md": "---\neffect: deny\nactions: db.export\n---\n",
    ENTRY: FAILURE,
    "confirmed/x.md": "---\ntitle: Orders\n---\n",
}
MAP = (
    "actions:\n  - {project: atlas, paths: 'drops/**', actions: [db.drop]}\n"
    "  - {paths: 'exports/**', actions: [db.export]}\n"
)
BLOCKED = ("--project", "atlas", "--path", "drops/a", "--path", "migrations/1.sql")
WARNED = ("--project", "atlas", "--action", "x", "--path", "migrations/1.sql")
AS_OF = ("--as-of", "2026-09-20T12:00:00Z")


def commit(desk: Desk, message: str = "more") -> None:
    desk.git("add", "-A")
    desk.git("commit", "-qm", message)


@pytest.fixture
def ruled(desk: Desk) -> Desk:
    """A vault of its own that denies two actions and remembers a failure."""
    for path, text in RULES.items():
        desk.put(path, text)
    desk.put("doll.yaml", desk.read("doll.yaml") + MAP)
    commit(desk, "rules")
    return desk


@pytest.fixture
def beside(ruled: Desk) -> Desk:
    """A code repository with the hook, beside the vault."""
    desk = ruled.at("../code")
    make(desk.root)
    desk.ok("hooks", "install", "--vault", "../notes", "--project", "atlas")
    return desk


@pytest.fixture
def mixed(ruled: Desk) -> Desk:
    """A code repository with the hook and with the vault in its folder `notes`."""
    desk = ruled.at("../mixed")
    make(desk.root)
    shutil.copytree(ruled.root, desk.root / "notes", ignore=shutil.ignore_patterns(".git"))
    commit(desk, "notes")
    desk.ok("hooks", "install", "--vault", "notes", "--project", "atlas")
    return desk


def asked(desk: Desk, *request: str, code: int) -> Any:
    found = desk.doll("preflight", "--json", *AS_OF, *request)
    assert (found.code, found.err) == (code, ""), found.out
    text = desk.doll("preflight", *AS_OF, *request)
    assert (text.code, text.err) == (code, "")
    return found.json


def codes(report: Any) -> list[str]:
    return [finding["code"] for finding in report["findings"]]


def hook(desk: Desk, *paths: str, code: int) -> str:
    """Stage these paths and nothing else, run the hook, return what it printed."""
    desk.git("reset", "-q")
    for path in paths:
        desk.put(path, path)
    desk.git("add", "--", *paths)
    found = desk.doll("hooks", "run", "pre-commit")
    assert (found.code, found.out) == (code, "")
    return found.err


def _file_at(*names: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        for name in names:
            shutil.rmtree(root / name)
            (root / name).write_text("a file")

    return change


DAMAGES: dict[str, tuple[Callable[[Path], None], list[str]]] = {
    "experience": (_file_at("experience"), ["experience"]),
    "authority": (_file_at("authority"), ["authority"]),
    "of one project": (_file_at("experience/atlas"), ["experience/atlas"]),
    "both": (_file_at("experience", "authority"), ["authority", "experience"]),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", DAMAGES)
def test_a_file_in_place_of_a_folder(ruled: Desk, beside: Desk, name: str) -> None:
    change, folders = DAMAGES[name]
    change(ruled.root)
    for cached in (True, True, False):
        if not cached:
            shutil.rmtree(ruled.root / ".doll", ignore_errors=True)
        blocked = asked(ruled, *BLOCKED, code=1)
        assert (blocked["status"], blocked["complete"]) == ("blocked", False)
        failed = "experience.prior_failure.user_recorded"
        assert codes(blocked) == ["policy.denied", failed]
        warned = asked(ruled, *WARNED, code=3)
        assert (warned["status"], codes(warned)) == ("not_checked", [failed])
        for report in (blocked, warned):
            said = [problem["message"] for problem in report["problems"]]
            assert said == [
                f"the vault's folder {folder} cannot be read: Not a directory" for folder in folders
            ]
    printed = hook(beside, "drops/a", code=1)
    assert "BLOCKED: authority/policies/no-drops.md" in printed
    printed = hook(beside, "src/a", code=0)
    assert f"NOT CHECKED: the vault's folder {folders[0]} cannot be read" in printed
    assert printed.endswith("doll: the commit goes on, and nobody has checked it\n")
    for read in (["list"], ["validate"], ["status"]) if name != "of one project" else ():
        assert "cannot be read: Not a directory" in ruled.doll(*read).err
        assert ruled.doll(*read).code == 3


@pytest.mark.parametrize("folder", ["experience", "experience/atlas", "authority"])
def test_a_folder_that_the_user_may_not_read(ruled: Desk, tmp_path: Path, folder: str) -> None:
    if folder == "experience":
        # Without committed experience too: what is there and not committed could warn.
        ruled.git("rm", "-q", ENTRY)
        commit(ruled, "no experience")
        ruled.put("experience/atlas/new.md", FAILURE)
    nobody = ordinary(tmp_path)
    (ruled.root / folder).chmod(0)
    for request, status, code in ((BLOCKED, "blocked", 1), (WARNED, "not_checked", 3)):
        found = nobody.doll("preflight", "--vault", "notes", *AS_OF, *request)
        assert found.returncode == code, found.stderr
        assert found.stdout.startswith(f"{status.replace('_', ' ').upper()}: ")
        assert f"the vault's folder {folder} cannot be read: Permission denied" in found.stdout
    (ruled.root / folder).chmod(0o755)


def test_a_vault_whose_folder_is_gone_from_a_code_repository(mixed: Desk) -> None:
    notes = (mixed.root / "notes").resolve()
    shutil.rmtree(notes)
    for _ in range(2):
        printed = hook(mixed, "drops/a", code=1)
        assert "BLOCKED: authority/policies/no-drops.md" in printed
        assert f"the vault {notes} has no record on disk, and HEAD has 6" in printed
        assert not notes.exists()
    report = asked(mixed, *WARNED, code=3)
    assert codes(report) == ["experience.prior_failure.user_recorded"]
    assert not notes.exists()
    said = mixed.refused(3, "status")
    mixed.type(said.splitlines()[-1])
    said = mixed.refused(3, "list")
    mixed.type(said.splitlines()[-1].partition("    brings")[0])
    assert "no-drops" in mixed.ok("list").out
    assert "NOT CHECKED" not in hook(mixed, "drops/a", code=1)


def test_a_file_in_place_of_the_vault(mixed: Desk) -> None:
    shutil.rmtree(mixed.root / "notes")
    mixed.put("notes", "a file")
    printed = hook(mixed, "drops/a", code=1)
    assert "BLOCKED: authority/policies/no-drops.md" in printed
    assert "cannot be read: Not a directory" in printed
    assert mixed.read("notes") == "a file"


def test_a_commit_that_takes_the_vault_away(mixed: Desk) -> None:
    mixed.put("drops/a", "x")
    mixed.git("add", "-A")
    mixed.git("rm", "-rq", "notes")
    found = mixed.doll("hooks", "run", "pre-commit")
    assert found.code == 1
    assert "BLOCKED: authority/policies/no-drops.md" in found.err


def test_the_time_limit_while_the_work_tree_is_looked_at(
    ruled: Desk, beside: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much lies there: what is accepted has been judged by then."""
    hook(beside, "drops/a", code=1)

    def endless(*_: object, **__: object) -> None:
        time.sleep(60)

    monkeypatch.setattr(entries, "snapshot", endless)
    monkeypatch.setattr(hook_run, "LIMIT", 2.0)
    for cached in (True, False):
        if not cached:
            shutil.rmtree(ruled.root / ".doll")
        printed = hook(beside, "drops/a", code=1)
        lines = printed.splitlines()
        assert lines[0].startswith("doll: BLOCKED: authority/policies/no-drops.md")
        assert lines[1].startswith("doll: NOT CHECKED: the vault's experience was not looked at: ")
        assert lines[1].endswith(" the check took more than 2 s")
        assert lines[-1] == "    doll show no-drops"
    printed = hook(beside, "migrations/a", code=0)
    assert "the vault's experience was not looked at: the check took more than 2 s" in printed
    beside.git("config", "doll.strict", "true")
    assert "the commit is stopped" in hook(beside, "migrations/a", code=1)


def test_only_accepted_bytes_are_parsed_before_they_are_judged(
    ruled: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(ruled, *BLOCKED, code=1)
    ruled.put(POLICY, "---\neffect: advise\n---\n")
    for number in range(3):
        ruled.put(f"authority/policies/flood{number}.md", "---\neffect: advise\n---\n")
    parsed: list[str] = []
    parse = entries.parse_file

    def noted(data: bytes, path: str) -> Any:
        parsed.append(path)
        return parse(data, path)

    def looked(*arguments: Any) -> Any:
        parsed.append("the work tree")
        return snapshot(*arguments)

    monkeypatch.setattr(entries, "parse_file", noted)
    monkeypatch.setattr(entries, "snapshot", looked)
    shutil.rmtree(ruled.root / ".doll")
    ruled.doll("preflight", *BLOCKED)
    first = parsed[: parsed.index("the work tree")]
    assert "authority/projects/atlas.md" in first
    assert POLICY not in first  # that one is parsed from git
    assert not any("flood" in path for path in first)
    assert len(parsed) - parsed.count("the work tree") == len(set(parsed)) - 1


READS = (
    ("preflight", *AS_OF, *BLOCKED),
    ("preflight", *AS_OF, *WARNED),
    ("recall", "orders"),
    ("list",),
    ("show", "x"),
)


def test_a_damaged_index_changes_no_answer(ruled: Desk) -> None:
    before = [ruled.doll(*read) for read in READS]
    assert [one.code for one in before] == [1, 0, 0, 0, 0]
    index = ruled.root / ".git/index"
    index.write_bytes(b"DIRC and then nothing that git understands")
    for cached in (True, False):
        if not cached:
            shutil.rmtree(ruled.root / ".doll")
        for read, one in zip(READS, before, strict=True):
            found = ruled.doll(*read)
            assert (found.code, found.out) == (one.code, one.out), read
    assert "git cannot say whether it is tracked" in ruled.doll("recall", "orders").err


def _loose(desk: Desk, path: str) -> Path:
    oid = desk.git("rev-parse", f"HEAD:{path}")
    return desk.root / ".git/objects" / oid[:2] / oid[2:]


@pytest.mark.parametrize("data", [None, b"no object"])
def test_a_rule_that_git_cannot_give(ruled: Desk, beside: Desk, data: bytes | None) -> None:
    place = _loose(ruled, POLICY)
    place.chmod(0o644)
    place.unlink() if data is None else place.write_bytes(data)
    assert asked(ruled, *BLOCKED, code=1)["complete"] is True  # the work tree has the same bytes
    ruled.put(POLICY, "---\neffect: advise\n---\n")
    for cached in (True, False):
        if not cached:
            shutil.rmtree(ruled.root / ".doll")
        report = asked(ruled, *BLOCKED, code=3)
        assert (report["status"], report["complete"]) == ("not_checked", False)
        (problem,) = report["problems"]
        assert (problem["path"], problem["code"]) == (POLICY, "file.unreadable")
        other = asked(ruled, "--project", "atlas", "--path", "exports/a", code=1)
        assert (other["status"], codes(other)) == ("blocked", ["policy.denied"])
    # Nobody knows whom it concerns: as with any rule that cannot be read, the commit stops.
    printed = hook(beside, "src/a", code=1)
    assert f"doll: NOT CHECKED: {POLICY}: " in printed
    assert "\\u{a}" not in printed


def test_experience_that_git_cannot_give(ruled: Desk, beside: Desk) -> None:
    _loose(ruled, ENTRY).unlink()
    assert codes(asked(ruled, *WARNED, code=0)) == ["experience.prior_failure.user_recorded"]
    (ruled.root / ENTRY).unlink()
    report = asked(ruled, *BLOCKED, code=1)
    assert report["problems"][0]["message"].startswith("the vault's experience was not looked at: ")
    assert asked(ruled, *WARNED, code=3)["status"] == "not_checked"
    assert "BLOCKED" in hook(beside, "drops/a", code=1)
    assert "the commit goes on" in hook(beside, "src/a", code=0)


def test_a_tree_that_git_cannot_give(ruled: Desk, beside: Desk) -> None:
    place = _loose(ruled, "authority")
    place.chmod(0o644)
    place.write_bytes(b"no object")
    report = asked(ruled, *BLOCKED, code=3)
    assert (report["status"], report["request"]["project"]) == ("not_checked", "atlas")
    assert "`git ls-tree" in report["problems"][0]["message"]
    assert report["problems"][0]["hint"].startswith("git fsck    tells what is")
    printed = hook(beside, "drops/a", code=0)
    assert printed.startswith("doll: NOT CHECKED: `git ls-tree")
    assert "\\u{" not in printed
    assert "; fatal: " in printed
    assert "git fsck    tells what is missing or damaged" in printed
    assert "git fsck    tells" in ruled.refused(7, "status")


def test_without_git(ruled: Desk, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    lost = ruled.under(PATH=str(tmp_path / "bin"))
    report = asked(lost, *BLOCKED, code=3)
    assert report["status"] == "not_checked"
    assert report["request"]["paths"] == ["drops/a", "migrations/1.sql"]
    assert report["problems"][0]["message"] == "git is not installed, or not on PATH"
    assert asked(lost, "--staged", code=3)["request"]["paths"] is None
    assert "git is not installed" in lost.refused(7, "list")


def test_the_staged_paths_of_a_damaged_index(ruled: Desk, beside: Desk) -> None:
    (beside.root / ".git/index").write_bytes(b"DIRC")
    report = asked(beside, "--staged", code=3)
    assert (report["status"], report["request"]["project"]) == ("not_checked", "atlas")
    found = beside.doll("hooks", "run", "pre-commit")
    assert found.code == 0
    assert found.err.startswith(
        f"doll: NOT CHECKED: git's index {beside.root.resolve() / '.git/index'} is damaged"
    )


def test_a_repository_that_git_does_not_trust(ruled: Desk) -> None:
    """What git says in several lines is one line here, and can be read."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files to another user")
    for place in (ruled.root, ruled.root / ".git"):
        os.chown(place, 65534, -1)
    message = asked(ruled, *BLOCKED, code=3)["problems"][0]["message"]
    assert "dubious ownership" in message
    assert "; " in message
    assert "\n" not in message


def test_a_control_character_in_what_git_says_is_shown(tmp_path: Path, ruled: Desk) -> None:
    real = shutil.which("git")
    script = (
        '#!/bin/sh\ncase "$*" in *ls-tree*)\n'
        "printf 'one\\033[31m\\n\\n two\\n' >&2; exit 9 ;; esac\n"
        f'exec {real} "$@"\n'
    )
    put(tmp_path, "bin/git", script).chmod(0o755)
    lost = ruled.under(PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert "failed with exit 9: one\\u{1b}[31m; two\n" in lost.doll("preflight", *BLOCKED).out
    git(ruled.root, "config", "doll.vault", ".")
    found = lost.doll("hooks", "run", "pre-commit")
    assert found.code == 0


def test_the_time_limit_while_the_staged_files_of_the_vault_are_checked(
    mixed: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long they take: a block that is accepted stops the commit."""

    def endless(*_: object, **__: object) -> None:
        time.sleep(60)

    monkeypatch.setattr("doll.services.checking.staged.validate_staged", endless)
    monkeypatch.setattr(hook_run, "LIMIT", 2.0)
    printed = hook(mixed, "drops/a", "notes/confirmed/y.md", code=1)
    lines = printed.splitlines()
    assert lines[0].startswith("doll: BLOCKED: authority/policies/no-drops.md")
    assert lines[1] == (
        "doll: NOT CHECKED: the staged files of the vault and its experience were not looked at: "
        "the check took more than 2 s"
    )
    assert lines[-1] == "    doll show no-drops"
    assert "the commit goes on" in hook(mixed, "src/a", "notes/confirmed/y.md", code=0)
    assert "the check took more than 2 s" in hook(mixed, "notes/confirmed/y.md", code=0)
