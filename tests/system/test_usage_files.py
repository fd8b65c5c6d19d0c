"""Files of the usage log: lines are added whole, and whatever stands in the way is named."""

import multiprocessing
import os
import sys
from datetime import date
from pathlib import Path

import pytest

from doll.errors import ConflictError, DollError, StorageError
from doll.vault import usage
from doll.vault.signals import Day, Recall, add_up, encode
from doll.vault.usage import append, read
from tests.ordinary import ordinary

pytestmark = pytest.mark.sampled(4)

TODAY = date(2026, 8, 20)
LINE = encode(Recall("2026-08-20T10:00:00Z", ("a",)))
UNTIL = "2026-08-20T23:59:59Z"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "notes"


@pytest.fixture
def state(root: Path) -> Path:
    (root / ".git").mkdir(parents=True)
    return root / ".git" / "doll"


def add(root: Path, state: Path, line: bytes = LINE, day: date = TODAY) -> Path:
    return root / append(root, state, day, line)


def days(root: Path, first: date = date.min, last: date = date.max) -> tuple[Day, ...]:
    return read(root, first, last).days


def test_one_file_a_day_and_machine(root: Path, state: Path) -> None:
    place = add(root, state)
    assert add(root, state) == place
    assert place.read_bytes() == LINE * 2
    machine = (state / "machine").read_text().strip()
    assert place.name == f"2026-08-20-{machine}.jsonl"
    assert add(root, state, day=date(2026, 8, 21)).name == f"2026-08-21-{machine}.jsonl"
    (state / "machine").unlink()
    assert add(root, state) != place
    assert len(list(place.parent.iterdir())) == 3
    assert [path.name for path in state.iterdir()] == ["machine"]


def test_only_the_user_may_read_it(root: Path, state: Path) -> None:
    assert add(root, state).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", [b"", b"../../x\n", b"0123456\n", b"x" * 5000])
def test_a_machine_name_that_is_none_is_made_anew(root: Path, state: Path, name: bytes) -> None:
    state.mkdir()
    (state / "machine").write_bytes(name)
    assert add(root, state).parent == root / ".doll/usage"
    assert len((state / "machine").read_bytes()) == 9


@pytest.mark.parametrize("torn", [b'{"at":"2026-08-2', LINE[:-1]])
def test_a_torn_line_takes_no_other_with_it(root: Path, state: Path, torn: bytes) -> None:
    place = add(root, state)
    with place.open("ab") as file:
        file.write(torn)
    add(root, state)
    assert place.read_bytes() == LINE + torn + b"\n" + LINE


def test_a_line_that_did_not_fit_is_said_and_does_not_spoil_the_next(
    root: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = add(root, state)
    whole = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: whole(descriptor, data[:7]))
    with pytest.raises(StorageError, match="No space left"):
        add(root, state)
    monkeypatch.undo()
    add(root, state)
    assert add_up(days(root), UNTIL).signals == 2
    assert place.read_bytes().endswith(b"\n" + LINE)


@pytest.mark.parametrize("where", [".doll", ".doll/usage", "the file", "a file in its place"])
def test_nothing_is_written_or_read_through_links(
    root: Path, state: Path, tmp_path: Path, where: str
) -> None:
    place = add(root, state)
    linked = place if where == "the file" else root / where
    if where == "a file in its place":
        linked = root / ".doll/usage"
        linked.rename(tmp_path / "elsewhere")
        linked.write_bytes(b"mine")
    else:
        linked.rename(tmp_path / "elsewhere")
        linked.symlink_to(tmp_path / "elsewhere")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(ConflictError, match="nothing was written"):
        add(root, state)
    found = read(root, date.min, date.max)
    assert found.days == ()
    assert len(found.faults) == 1
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("what", ["folder", "fifo"])
def test_what_is_no_file_is_left_alone(root: Path, state: Path, what: str) -> None:
    place = add(root, state)
    place.unlink()
    if what == "folder":
        place.mkdir()
    else:
        os.mkfifo(place)
    with pytest.raises(DollError, match=r"cannot be written|nothing was written"):
        add(root, state)
    assert len(read(root, date.min, date.max).faults) == 1


def test_a_folder_that_may_not_be_entered_is_named(root: Path, state: Path, tmp_path: Path) -> None:
    place = add(root, state)
    user = ordinary(tmp_path)
    place.parent.chmod(0)
    code = (
        "import sys; from datetime import date; from pathlib import Path;"
        "from doll.vault.usage import read; print(read(Path(sys.argv[1]), date.min, date.max))"
    )
    try:
        done = user.run(sys.executable, "-c", code, str(root))
    finally:
        place.parent.chmod(0o700)
    assert ".doll/usage cannot be read: Permission denied" in done.stdout, done.stderr


def test_a_disk_without_room_for_names_is_a_storage_error(root: Path, state: Path) -> None:
    state.parent.rmdir()
    state.parent.write_bytes(b"no folder")
    with pytest.raises(StorageError, match=r"^\.git/doll cannot be written"):
        add(root, state)


def test_files_of_other_days_and_other_names_are_not_read(root: Path, state: Path) -> None:
    place = add(root, state)
    folder = place.parent
    for name in ("2026-08-19-00000000.jsonl", "2026-08-21-00000000.jsonl"):
        (folder / name).write_bytes(LINE)
    for name in (
        "2026-08-20-0000000.jsonl",
        "2026-13-20-00000000.jsonl",
        ".DS_Store",
        f"{place.name}~",
    ):
        (folder / name).write_bytes(LINE)
    assert [found.day for found in days(root, TODAY, TODAY)] == [TODAY]
    assert len(days(root)) == 3


def test_what_is_too_much_is_left_out_and_named_the_oldest_first(
    root: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage, "MAX_READ", 2 * len(LINE))
    monkeypatch.setattr(usage, "MAX_FILE", 3 * len(LINE))
    for day in (19, 20, 21, 22):
        add(root, state, day=date(2026, 8, day))
    (root / ".doll/usage/2026-08-22-00000000.jsonl").write_bytes(LINE * 4)
    found = read(root, date.min, date.max)
    assert [day.day.day for day in found.days] == [21, 22]
    assert [fault[:32] for fault in found.faults] == [
        ".doll/usage/2026-08-19-" + (state / "machine").read_text()[:8] + ".",
        ".doll/usage/2026-08-20-" + (state / "machine").read_text()[:8] + ".",
        ".doll/usage/2026-08-22-00000000.",
    ]


def test_a_full_day_takes_no_more(root: Path, state: Path) -> None:
    place = add(root, state)
    with pytest.raises(ConflictError, match="a day has room for"):
        append(root, state, TODAY, LINE, limit=2 * len(LINE))
    assert place.read_bytes() == LINE


def _many(root: Path, name: str, lines: int) -> None:
    for number in range(lines):
        line = encode(Recall("2026-08-20T10:00:00Z", (f"{name}-{number}", "x" * 3000)))
        append(root, root / ".git" / "doll", TODAY, line)


def test_processes_at_once_lose_and_tear_nothing(root: Path, state: Path) -> None:
    """The first write of each also makes the machine's name, the folder and the file."""
    context = multiprocessing.get_context("spawn")
    names = ["a", "b", "c"]
    writers = [context.Process(target=_many, args=(root, name, 40)) for name in names]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    assert len(list((root / ".doll/usage").iterdir())) == 1
    found = add_up(days(root), UNTIL)
    assert (found.signals, found.skipped) == (120, 0)
    assert found.by_id.keys() == {"x" * 3000, *(f"{n}-{k}" for n in names for k in range(40))}
