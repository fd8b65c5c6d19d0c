"""`doll watch` hears every way of saving; and the next read finds the change without it."""

import mmap
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.recall_vault import agrees, ids, memory
from tests.watcher import Watcher, until, watching

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

NOTE = "confirmed/note.md"
OLD, NEW = memory("Espresso", "no sugar"), memory("Espresso", "no cardamom")


@pytest.fixture
def watched(desk: Desk) -> Iterator[Watcher]:
    """A watcher of a vault with one committed note."""
    desk.put(NOTE, OLD)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "note")
    with watching(desk.root) as watcher:
        yield watcher


def in_place(file: Path) -> None:
    with file.open("r+") as opened:
        opened.write(NEW)
        opened.truncate()


def appended(file: Path) -> None:
    with file.open("a") as opened:
        opened.write("\nno cardamom\n")


def mapped(file: Path) -> None:
    """A program that maps the file and writes to its memory: only closing it makes an event."""
    with file.open("r+b") as opened:
        opened.write(OLD.encode() + b" " * 40)
        opened.flush()
        with mmap.mmap(opened.fileno(), 0) as memory_of:
            memory_of[-13:] = b"\nno cardamom\n"


def renamed_over(file: Path) -> None:
    temporary = file.with_name(".note.md.k3v9")
    temporary.write_text(NEW)
    temporary.replace(file)


def as_vim_does(file: Path) -> None:
    """With `backup` and `writebackup`, and its trial whether a file can be made here."""
    trial, backup = file.with_name("4913"), file.with_name("note.md~")
    file.with_name(".note.md.swp").write_text("swap")
    trial.touch()
    trial.unlink()
    file.rename(backup)
    file.write_text(NEW)
    backup.unlink()
    file.with_name(".note.md.swp").unlink()


def as_emacs_does(file: Path) -> None:
    lock, automatic = file.with_name(".#note.md"), file.with_name("#note.md#")
    lock.symlink_to("ada@machine.4242")
    automatic.write_text(NEW)
    shutil.copy2(file, file.with_name("note.md~"))
    in_place(file)
    automatic.unlink()
    lock.unlink()


def as_jetbrains_does(file: Path) -> None:
    fresh, old = file.with_name("note.md___jb_tmp___"), file.with_name("note.md___jb_old___")
    fresh.write_text(NEW)
    file.rename(old)
    fresh.rename(file)
    old.unlink()


def with_vim(file: Path) -> None:
    """The editor itself, where there is one."""
    if shutil.which("vim") is None:
        pytest.skip("there is no vim here")
    edit = ["-c", "set backup writebackup swapfile", "-c", "%s/sugar/cardamom/", "-c", "wq"]
    command = ["vim", "-e", "-s", "-N", "-u", "NONE", *edit, file.name]
    subprocess.run(command, cwd=file.parent, stdin=subprocess.DEVNULL, check=True)


WAYS = [in_place, appended, mapped, renamed_over, as_vim_does, as_emacs_does, as_jetbrains_does]


@pytest.mark.parametrize("save", [*WAYS, with_vim])
def test_a_save(desk: Desk, watched: Watcher, save: Callable[[Path], None]) -> None:
    save(desk.root / NOTE)
    assert ids(desk.root, "cardamom") == ["note"]
    look = watched.saw(NOTE, "changed")
    assert (look["errors"], look["searchable"]) == (0, 1)
    _is_quiet(desk, watched)


def _is_quiet(desk: Desk, watched: Watcher) -> None:
    """Hold the watcher to having seen the disk as it is, and to have changed nothing."""
    before = desk.files()
    until(lambda: desk.ok("status", "--json").json["watcher"]["state"] == "current")
    assert agrees(desk.root)
    assert desk.files() == before
    assert [line for line in watched.lines if line["event"] in ("fault", "notice")] == []


def test_a_folder_moved_in(desk: Desk, watched: Watcher, tmp_path: Path) -> None:
    _fill(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").rename(desk.root / "confirmed" / "moved")
    assert len(ids(desk.root, "cardamom")) == 30
    watched.saw("confirmed/moved/deep/er/n00.md", "new")
    until(lambda: watched.lines[-1].get("files") == 33)
    # What is saved in a folder that came is heard as well.
    since = len(watched.lines)
    renamed_over(desk.root / "confirmed" / "moved" / "deep" / "er" / "n00.md")
    watched.saw("confirmed/moved/deep/er/n00.md", "changed", since)
    _is_quiet(desk, watched)
    (desk.root / "confirmed" / "moved").rename(tmp_path / "out")
    assert ids(desk.root, "cardamom") == []
    watched.saw("confirmed/moved/deep/er/n00.md", "removed", since)
    _is_quiet(desk, watched)


def _fill(folder: Path) -> None:
    for number in range(30):
        place = folder / ("deep/er" if number % 2 == 0 else "") / f"n{number:02}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(NEW)


def test_a_checkout(desk: Desk, watched: Watcher) -> None:
    desk.git("switch", "-qc", "other")
    in_place(desk.root / NOTE)
    for number in range(20):
        desk.put(f"experience/atlas/part{number % 3}.md", memory("x", "y"))
        desk.put(f"confirmed/topic{number % 4}/n{number}.md", NEW)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "other")
    watched.saw(NOTE, "changed")
    _is_quiet(desk, watched)
    since = len(watched.lines)
    desk.git("switch", "-q", "main")
    assert ids(desk.root, "cardamom") == []
    watched.saw("confirmed/topic3/n19.md", "removed", since)
    _is_quiet(desk, watched)
    since = len(watched.lines)
    desk.git("switch", "-q", "other")
    assert len(ids(desk.root, "cardamom")) == 21
    watched.saw("confirmed/topic3/n19.md", "new", since)
    _is_quiet(desk, watched)


def test_an_area_that_goes_and_comes(desk: Desk, watched: Watcher) -> None:
    shutil.rmtree(desk.root / "confirmed")
    assert ids(desk.root, "espresso") == []
    watched.saw(NOTE, "removed")
    desk.put(NOTE, NEW)
    watched.saw(NOTE, "new")
    since = len(watched.lines)
    in_place(desk.root / NOTE)
    os.utime(desk.root / NOTE)
    watched.saw(NOTE, "changed", since)
    _is_quiet(desk, watched)
