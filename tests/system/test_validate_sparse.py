"""A sparse checkout: what the user does not want on disk is not gone."""

from pathlib import Path

import pytest

from tests.desk import Desk, make_vault

ENTRY = "experience/{0}/20260820T143205Z-attempt-locked-{1}.md"
TEXT = (
    "---\nproject: {0}\nkind: attempt\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
    "summary: Locked\n---\n"
)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    desk = Desk(make_vault(tmp_path / "vault"), capsys)
    desk.put("confirmed/keys.md", "---\ntitle: Keys\n---\n")
    desk.put("confirmed/door.md", "---\ntitle: Door\nrelated: keys\n---\n")
    for project, token in (("atlas", "k3v9q2xw7d"), ("atlas", "k3v9q2xw7e"), ("garden", "a" * 10)):
        desk.put(ENTRY.format(project, token), TEXT.format(project))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "records")
    return desk


def told(desk: Desk, code: int = 0) -> list[tuple[str, str, str]]:
    result = desk.doll("validate", "--json")
    assert result.code == code, result.out
    return [(p["path"], p["code"], p["severity"]) for p in result.json["problems"]]


def test_what_is_not_checked_out_is_one_note(desk: Desk) -> None:
    desk.git("sparse-checkout", "set", "--no-cone", "/*", "!/experience/atlas/")
    first = ENTRY.format("atlas", "k3v9q2xw7d")
    assert not (desk.root / first).exists()
    assert told(desk) == [(first, "file.not_checked_out", "note")]
    text = desk.ok("validate")
    assert "like 1 more" in text.out
    assert "0 errors, 0 warnings" in text.err
    assert desk.ok("validate", "--staged").out == ""
    status = desk.ok("status")
    assert "removed" not in status.out
    assert "not checked out (2)" in status.out
    assert desk.ok("status", "--json").json["uncommitted"] == []
    # What git was not told to leave out is gone.
    second = ENTRY.format("garden", "a" * 10)
    (desk.root / second).unlink()
    assert told(desk, code=1) == [
        (first, "file.not_checked_out", "note"),
        (second, "experience.removed", "error"),
    ]
    assert f"removed {second}" in desk.ok("status").out


def test_preflight_counts_what_is_not_checked_out_and_calls_nothing_removed(desk: Desk) -> None:
    desk.put("authority/policies/no.md", "---\neffect: deny\nactions: db\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "policy")
    asked = ("preflight", "--project", "atlas", "--action", "db", "--json")
    before = desk.doll(*asked).json
    desk.git("sparse-checkout", "set", "--no-cone", "/*", "!/experience/", "!/authority/policies/")
    assert not (desk.root / "authority/policies").exists()
    assert desk.doll(*asked).json["findings"] == before["findings"]
    assert before["status"] == "blocked"
    assert "removed" not in str(desk.doll(*asked).json)


def test_a_reference_to_what_is_not_checked_out_resolves(desk: Desk) -> None:
    desk.git("update-index", "--skip-worktree", "confirmed/keys.md")
    (desk.root / "confirmed/keys.md").unlink()
    assert told(desk) == [("confirmed/keys.md", "file.not_checked_out", "note")]
    desk.git("update-index", "--no-skip-worktree", "confirmed/keys.md")
    assert told(desk, code=1) == [("confirmed/door.md", "reference.unresolved", "error")]
