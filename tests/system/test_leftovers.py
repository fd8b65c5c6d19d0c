"""What a killed doll leaves: named by status, removed by the next writer, and nothing else is."""

import os
import signal
import time
from pathlib import Path

import pytest

from doll.vault import files, leftovers
from tests import children
from tests.desk import Desk
from tests.foreign_desk import ForeignDesk, three

FILE = "confirmed/deep/.doll-new-17-0123456789ab"
FOLDER = "staging/pam/.doll-new-18-0123456789ab"


def left(desk: Desk) -> list[str]:
    paths: list[str] = desk.ok("status", "--json").json["leftovers"]
    return paths


@pytest.fixture
def leaving(desk: Desk) -> Desk:
    desk.put(FILE, "half of a record")
    desk.put(f"{FOLDER}/a.md", "half of an import")
    desk.put(".doll-new-19-0123456789ab", "half of doll.yaml")
    return desk


def test_status_names_them_and_removes_none(leaving: Desk) -> None:
    before = leaving.files()
    said = leaving.ok("status").out
    assert "left by a doll that was killed (3); removed at the next writing:\n" in said
    assert f"  {FILE}\n" in said
    assert left(leaving) == [".doll-new-19-0123456789ab", FILE, FOLDER]
    for command in ("list", "validate", "review", "preflight", "index"):
        leaving.ok(command)
    assert leaving.files() == before


@pytest.mark.parametrize(
    "command",
    [
        ("new", "memory", "x", "--title", "x"),
        ("log", "attempt", "x", "--project", "atlas"),
    ],
)
def test_a_writer_removes_them(leaving: Desk, command: tuple[str, ...]) -> None:
    leaving.ok(*command)
    assert left(leaving) == []
    assert not (leaving.root / FOLDER).exists()
    assert "left by" not in leaving.ok("status").out


def test_an_import_that_was_killed(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    def killed() -> None:
        def dying() -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        files._put_new_folder = lambda *_: dying()
        files.create_tree(desk.root, "staging/pam/mine", [("a.md", b"x"), ("b/c.md", b"x")])

    assert children.run(killed)[0].signal == signal.SIGKILL
    (path,) = left(desk)
    assert path.startswith("staging/pam/.doll-new-")
    foreign = ForeignDesk(desk.root, capsys)
    foreign.committed(three(), "--name", "mine")
    assert left(desk) == []
    assert not (desk.root / path).exists()


def test_what_is_not_certainly_ours_stays(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/x.md").write_text("x")
    others = (
        "confirmed/.doll-new-notes.md",
        "confirmed/.doll-new-1-0123456789AB",
        "confirmed/.doll-new-1-0123456789ab.md",
        "confirmed/doll-new-1-0123456789ab",
        "confirmed/.hidden/.doll-new-1-0123456789ab",
        "notes/.doll-new-1-0123456789ab",
    )
    for path in others:
        desk.put(path, "mine")
    link = desk.root / "confirmed/.doll-new-2-0123456789ab"
    link.symlink_to(tmp_path / "mine")
    (desk.root / "experience").mkdir(exist_ok=True)
    (desk.root / "experience/linked").symlink_to(tmp_path / "mine")
    inside = tmp_path / "mine/.doll-new-3-0123456789ab"
    inside.write_text("mine")
    leftovers.remove(desk.root, desk.root / ".git/doll")
    assert leftovers.find(desk.root) == []
    assert all((desk.root / path).read_text() == "mine" for path in others)
    assert link.is_symlink()
    assert inside.exists()
    assert (tmp_path / "mine/x.md").exists()


def test_a_cache_is_written_without_the_lock(desk: Desk) -> None:
    new, old = (desk.root / f".doll/cache/.doll-new-{n}-0123456789ab" for n in (1, 2))
    key = desk.root / ".git/doll/.doll-new-3-0123456789ab"
    for place in (new, old, key):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"half")
    before = time.time() - 7200
    os.utime(old, (before, before))
    os.utime(key, (before, before))
    leftovers.remove(desk.root, desk.root / ".git/doll")
    assert (new.exists(), old.exists(), key.exists()) == (True, False, False)
