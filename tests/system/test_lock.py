"""The writer lock: one writer at a time, told who holds it, freed when the holder dies."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from doll.errors import BusyError, DollError, StorageError
from doll.vault import holders
from doll.vault.holders import Holder, said
from doll.vault.lock import writing
from tests import children
from tests.listing import names


def held_by_a_child(state: Path) -> int:
    """Let a child hold the lock until it is killed; return its process id."""
    ready, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        with writing(state):
            os.write(tell, b"x")
            time.sleep(60)
        os._exit(0)
    os.close(tell)
    os.read(ready, 1)
    os.close(ready)
    return pid


def is_named_by_the_kernel(state: Path) -> bool:
    """Return whether the kernel says who holds a lock, of files in this place."""
    with (state / "probe").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        found = os.fstat(file.fileno())
        device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}"
        told = Path("/proc/locks")
        return told.exists() and f" {device}:{found.st_ino} " in told.read_text()


def refusal(state: Path) -> str:
    """Return what a second writer is told."""
    with pytest.raises(BusyError) as refused, writing(state, patience=0.05):
        pytest.fail("two writers at once")
    return refused.value.message


def end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def test_the_lock_can_be_taken_again_and_again(tmp_path: Path) -> None:
    state = tmp_path / "git" / "doll"
    inodes = set()
    for _ in range(3):
        with writing(state):
            inodes.add((state / "lock").stat().st_ino)
        inodes.add((state / "lock").stat().st_ino)
    assert len(inodes) == 1, "a lock is never unlinked: another may wait on it"
    assert names(state) == ["lock"], "nobody holds it, so nobody is named"


def test_a_second_writer_is_told_who_holds_it(tmp_path: Path) -> None:
    holder = held_by_a_child(tmp_path)
    try:
        begin = time.monotonic()
        with pytest.raises(BusyError) as refused, writing(tmp_path, patience=0.2):
            pytest.fail("two writers at once")
        assert 0.2 <= time.monotonic() - begin < 5
        assert f"process {holder}" in refused.value.message
        assert refused.value.exit_code == 6
        assert refused.value.hint
    finally:
        end(holder)


@pytest.mark.parametrize("text", [None, b"", b"\xff\xfe", b"process 0", b"process -1", b"x" * 999])
def test_a_holder_that_wrote_no_name(
    tmp_path: Path, text: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the kernel names it, where it does."""
    holder = held_by_a_child(tmp_path)
    try:
        (tmp_path / "lock.holder").unlink()
        if text is not None:
            (tmp_path / "lock.holder").write_bytes(text)
        named = f"process {holder}" if is_named_by_the_kernel(tmp_path) else "unknown process"
        assert f"({named})" in refusal(tmp_path)
        monkeypatch.setattr(holders, "_KERNEL", tmp_path / "nothing")
        assert "(unknown process)" in refusal(tmp_path)
    finally:
        end(holder)


def test_who_waits_does_not_hold_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "lock"
    place.touch()
    found = place.stat()
    device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}"
    told = tmp_path / "locks"
    monkeypatch.setattr(holders, "_KERNEL", told)
    flock = f"FLOCK  ADVISORY  WRITE {os.getpid()} {device}"
    others = f"1: {flock}:{found.st_ino}9 0 EOF\n1: -> {flock}:{found.st_ino} 0 EOF\n"
    told.write_text(others)
    assert holders.of_file(place) == Holder(holders.UNKNOWN)
    told.write_text(f"{others}2: {flock}:{found.st_ino} 0 EOF\n")
    assert holders.of_file(place).process == os.getpid()


def test_a_killed_holder_frees_it(tmp_path: Path) -> None:
    end(held_by_a_child(tmp_path))
    with writing(tmp_path, patience=0.5):
        assert (tmp_path / "lock.holder").read_text(encoding="utf-8") == f"process {os.getpid()}\n"


def test_a_writer_that_fails_frees_it(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="failed"), writing(tmp_path):
        raise RuntimeError("failed")
    with writing(tmp_path, patience=0.5):
        pass


def test_of_many_at_once_one_writes_at_a_time(tmp_path: Path) -> None:
    place = tmp_path / "count"
    place.write_text("0", encoding="utf-8")

    def count() -> None:
        for _ in range(10):
            with writing(tmp_path / "state"):
                number = int(place.read_text(encoding="utf-8"))
                time.sleep(0.001)
                place.write_text(str(number + 1), encoding="utf-8")

    ended = children.run(*[count] * 5)
    assert [child.error for child in ended] == [None] * 5
    assert place.read_text(encoding="utf-8") == "50"


@pytest.mark.parametrize("kind", ["a file", "a file above", "a folder for the lock", "a link"])
def test_a_lock_that_cannot_be_made(tmp_path: Path, kind: str) -> None:
    state = tmp_path / "doll"
    match kind:
        case "a file":
            state.write_bytes(b"")
        case "a file above":
            state.write_bytes(b"")
            state = state / "deep"
        case "a folder for the lock":
            (state / "lock").mkdir(parents=True)
        case _:
            state.mkdir()
            (tmp_path / "mine").write_bytes(b"mine")
            (state / "lock").symlink_to(tmp_path / "mine")
    try:
        with pytest.raises(DollError) as refused, writing(state, patience=0.1):
            pytest.fail("locked without a lock")
    finally:
        if kind == "a link":
            assert (tmp_path / "mine").read_bytes() == b"mine"
    assert str(state.name) in refused.value.message
    assert refused.value.hint


def test_a_state_folder_that_is_not_ours(tmp_path: Path) -> None:
    children.open_to_all(tmp_path)
    tmp_path.chmod(0o755)

    def write() -> None:
        with writing(tmp_path / "doll", patience=0.1):
            pass

    ended = children.as_nobody(write)
    assert type(ended.error) is StorageError
    assert "Permission denied" in str(ended.error)
    with writing(tmp_path / "doll"):
        pass
    ended = children.as_nobody(write)
    assert isinstance(ended.error, DollError)
    assert type(ended.error) is not BusyError


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import filelock

    def refuse(*_: object, **__: object) -> None:
        raise NotImplementedError("no flock here")

    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    with pytest.raises(DollError, match="has no locks"), writing(tmp_path):
        pytest.fail("locked without a lock")


HOLD = """
import sys, time
from pathlib import Path
from doll.vault.lock import writing
with writing(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_command_of_the_holder_is_named_and_nothing_else_of_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path), "doll", "log", "attempt", "in private"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            with pytest.raises(BusyError) as refused, writing(tmp_path, patience=0.05):
                pytest.fail("two writers at once")
        finally:
            holder.kill()
    assert f"(process {holder.pid}: doll log, for 0 s)" in refused.value.message
    assert f"ps -fp {holder.pid}" in refused.value.hint
    assert "private" not in refused.value.message + refused.value.hint


@pytest.mark.parametrize("kind", ["ended", "another process of that number"])
def test_nobody_is_named_who_does_not_hold_it(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder = held_by_a_child(tmp_path)
    place = tmp_path / "lock.holder"
    try:
        if kind == "ended":
            child = os.fork()
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)
            place.write_bytes(said(child))
        else:
            place.write_bytes(said(os.getpid()))
            os.utime(place, (1_000_000_000, 1_000_000_000))
        named = f"process {holder}" if is_named_by_the_kernel(tmp_path) else "unknown process"
        assert f"({named})" in refusal(tmp_path)
        monkeypatch.setattr(holders, "_KERNEL", tmp_path / "nothing")
        assert "(unknown process)" in refusal(tmp_path)
    finally:
        end(holder)


def test_who_ends_leaves_the_name_of_the_next_holder(tmp_path: Path) -> None:
    """Where the lock's file was removed by hand, two hold one, each its own."""
    first = writing(tmp_path)
    first.__enter__()
    (tmp_path / "lock").unlink()
    holder = held_by_a_child(tmp_path)
    try:
        first.__exit__(None, None, None)
        assert (tmp_path / "lock.holder").read_bytes() == said(holder)
        assert f"process {holder}" in refusal(tmp_path)
    finally:
        end(holder)
