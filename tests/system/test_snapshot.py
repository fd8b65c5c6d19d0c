"""One look at the disk: every record file wherever it lies, and nothing through a link."""

import os
import random
import threading
from pathlib import Path

import msgspec
import pytest

from doll.errors import CODES, NoVaultError
from doll.vault import layout, snapshot
from doll.vault.layout import AREAS, is_record
from doll.vault.snapshot import MAX_LEVELS, RACY_NS, Snapshot, Stamp, has_records, is_racy, stamp_of
from tests import children

DEEP = "/".join(["confirmed", *["x"] * MAX_LEVELS])


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("---\ntitle: x\n---\n", encoding="utf-8")


def look(root: Path, *folders: str) -> Snapshot:
    found = snapshot.snapshot(root, folders or AREAS)
    assert list(found.files) == sorted(found.files)
    assert list(found.problems) == sorted(found.problems)
    assert all(problem.code in CODES and problem.hint for problem in found.problems)
    return found


def paths(found: Snapshot) -> list[str]:
    return [file.path for file in found.files]


def test_records_lie_at_any_depth_in_folders_of_any_name(tmp_path: Path) -> None:
    records = [
        "authority/policies/x.md",
        "authority/x.md",
        "confirmed/build/dist/env/ops/x.md",
        "confirmed/node_modules/x.md",
        "confirmed/target/__pycache__/x.md",
        "confirmed/_archive/x.md",
        "confirmed/name.md/x.md",
        "confirmed/source/x.md",
        "confirmed/x.md",
        "confirmed/日本/渋谷 (2).md",
        "experience/atlas/x.md",
        "staging/pam/chatgpt/x.md",
        "staging/pam/source/x.md",
        "staging/proposals/x.md",
    ]
    others = [
        "README.md",
        "doll.yaml",
        "confirmed/README.md",
        "confirmed/_x.md",
        "confirmed/.x.md",
        "confirmed/.hidden/x.md",
        "confirmed/.obsidian/deep/x.md",
        "confirmed/x.md~",
        "confirmed/.#x.md",
        "confirmed/4913",
        "confirmed/x.md.tmp",
        "confirmed/.doll-new-1-ab",
        "confirmed/.doll-new-1-ab-tree/x.md",
        "staging/pam/chatgpt/_import.md",
        "staging/pam/chatgpt/source/x.md",
        ".doll/cache/confirmed/x.md",
        "other/x.md",
    ]
    put(tmp_path, *records, *others)
    found = look(tmp_path)
    assert paths(found) == sorted(records)
    assert found.problems == ()
    assert all(is_record(path) for path in records)
    for area in AREAS:
        assert paths(look(tmp_path, f"{area}/")) == sorted(p for p in records if p.startswith(area))


def test_absent_folders_are_empty(tmp_path: Path) -> None:
    assert look(tmp_path) == Snapshot((), ())
    assert not has_records(tmp_path, AREAS)


def test_the_stamp_is_that_of_the_file(tmp_path: Path) -> None:
    put(tmp_path, "confirmed/x.md")
    status = (tmp_path / "confirmed/x.md").stat()
    assert look(tmp_path).files[0].stamp == Stamp(
        status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
    )


def test_names_that_are_no_text_are_found(tmp_path: Path) -> None:
    (tmp_path / "confirmed").mkdir()
    place = os.fsencode(tmp_path / "confirmed") + b"/caf\xe9\n.md"
    os.close(os.open(place, os.O_CREAT | os.O_WRONLY))
    assert paths(look(tmp_path)) == ["confirmed/caf\udce9\n.md"]


class TestLinks:
    """A symbolic link is named and never followed."""

    @pytest.mark.parametrize(
        ("link", "target"),
        [
            ("confirmed/x.md", "../elsewhere/x.md"),
            ("confirmed/x.md", "nowhere"),
            ("confirmed/x.md", "x.md"),
            ("confirmed/x.md", "../elsewhere"),
            ("confirmed/folder", "../elsewhere"),
            ("confirmed/loop", "loop"),
            ("confirmed/up", ".."),
            ("confirmed/deep/up", "../../confirmed"),
            ("authority/policies", "../elsewhere"),
        ],
    )
    def test_in_a_folder(self, tmp_path: Path, link: str, target: str) -> None:
        put(tmp_path, "elsewhere/x.md", "confirmed/ok.md", "authority/projects/ok.md")
        (tmp_path / link).parent.mkdir(exist_ok=True)
        (tmp_path / link).symlink_to(target)
        found = look(tmp_path)
        assert paths(found) == ["authority/projects/ok.md", "confirmed/ok.md"]
        assert [(p.path, p.code) for p in found.problems] == [(link, "file.symlink")]

    @pytest.mark.parametrize("area", AREAS)
    @pytest.mark.parametrize("target", ["elsewhere", "nowhere", "loop"])
    def test_for_an_area(self, tmp_path: Path, area: str, target: str) -> None:
        put(tmp_path, "elsewhere/x.md")
        (tmp_path / "loop").symlink_to("loop")
        (tmp_path / area).symlink_to(target)
        found = look(tmp_path)
        assert found.files == ()
        assert [(p.path, p.code) for p in found.problems] == [(area, "file.symlink")]

    def test_above_a_folder_that_is_asked_for(self, tmp_path: Path) -> None:
        put(tmp_path, "elsewhere/policies/x.md")
        (tmp_path / "authority").symlink_to("elsewhere")
        found = look(tmp_path, "authority/policies")
        assert found.files == ()
        assert [(p.path, p.code) for p in found.problems] == [("authority", "file.symlink")]

    @pytest.mark.parametrize("name", ["notes.txt", ".hidden", ".hidden.md"])
    def test_to_what_is_no_record_is_nothing(self, tmp_path: Path, name: str) -> None:
        put(tmp_path, "elsewhere/x.md", "confirmed/ok.md")
        (tmp_path / "confirmed" / name).symlink_to(
            "../elsewhere/x.md" if name.endswith("txt") else "../elsewhere"
        )
        assert look(tmp_path).problems == ()

    def test_the_vault_itself_may_be_one(self, tmp_path: Path) -> None:
        put(tmp_path, "vault/confirmed/x.md")
        (tmp_path / "link").symlink_to("vault")
        assert paths(look(tmp_path / "link")) == ["confirmed/x.md"]


class TestUnreadable:
    """What cannot be looked at is never taken for empty."""

    @pytest.mark.parametrize("folder", ["confirmed", "confirmed/deep", "authority/policies"])
    def test_a_folder_that_is_not_ours(self, tmp_path: Path, folder: str) -> None:
        put(tmp_path, "confirmed/deep/x.md", "authority/policies/x.md", "experience/x.md")
        children.open_to_all(tmp_path)
        (tmp_path / folder).chmod(0)
        ended = children.as_nobody(lambda: snapshot.snapshot(tmp_path, AREAS))
        (tmp_path / folder).chmod(0o755)
        assert type(ended.error) is NoVaultError
        assert str(ended.error) == f"the vault's folder {folder} cannot be read: Permission denied"
        assert ended.error.exit_code == 3

    def test_nor_when_only_asked_whether_there_is_a_record(self, tmp_path: Path) -> None:
        put(tmp_path, "confirmed/x.md")
        children.open_to_all(tmp_path)
        (tmp_path / "confirmed").chmod(0)
        ended = children.as_nobody(lambda: has_records(tmp_path, AREAS))
        (tmp_path / "confirmed").chmod(0o755)
        assert type(ended.error) is NoVaultError

    @pytest.mark.parametrize("area", AREAS)
    def test_a_file_in_place_of_an_area(self, tmp_path: Path, area: str) -> None:
        (tmp_path / area).write_bytes(b"")
        for attempt in (look, lambda root: has_records(root, AREAS)):
            with pytest.raises(NoVaultError) as refused:
                attempt(tmp_path)
            assert area in refused.value.message
            assert refused.value.hint

    @pytest.mark.parametrize("kind", ["pipe", "socket"])
    def test_a_record_that_is_no_file(self, tmp_path: Path, kind: str) -> None:
        put(tmp_path, "confirmed/ok.md")
        place = tmp_path / "confirmed" / "x.md"
        if kind == "pipe":
            os.mkfifo(place)
        else:
            import socket

            held = socket.socket(socket.AF_UNIX)
            held.bind(str(place)[-100:] if len(str(place)) < 100 else os.path.relpath(place))
            held.close()
        found = look(tmp_path)
        assert paths(found) == ["confirmed/ok.md"]
        assert [(p.path, p.code) for p in found.problems] == [("confirmed/x.md", "file.unreadable")]

    def test_folders_that_go_too_deep_are_named(self, tmp_path: Path) -> None:
        put(tmp_path, f"{DEEP}/last.md", f"{DEEP}/x/beyond.md", "confirmed/ok.md")
        found = look(tmp_path)
        assert paths(found) == ["confirmed/ok.md", f"{DEEP}/last.md"]
        assert [(p.path, p.code) for p in found.problems] == [(f"{DEEP}/x", "file.too_many")]

    @pytest.mark.parametrize("shape", ["one folder", "many folders", "links", "empty folders"])
    def test_too_many_files_are_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str
    ) -> None:
        """A part of them would be a wrong answer: what is left out looks deleted."""
        monkeypatch.setattr(snapshot, "MAX_FILES", 9)
        for number in range(8):
            place = tmp_path / "confirmed" / str(number)
            match shape:
                case "one folder":
                    put(tmp_path, f"confirmed/{number}.md")
                case "many folders":
                    put(tmp_path, *([f"confirmed/{number}/x.md"] if number < 4 else []))
                case "links":
                    place.parent.mkdir(exist_ok=True)
                    (place.parent / f"{number}.md").symlink_to("nowhere")
                case _:
                    place.mkdir(parents=True)
        assert len(look(tmp_path).files) <= 8
        monkeypatch.setattr(snapshot, "MAX_FILES", 8)
        for attempt in (look, lambda root: snapshot.scan(root, AREAS)):
            with pytest.raises(NoVaultError, match="more than 8 record files") as refused:
                attempt(tmp_path)
            assert refused.value.hint


def test_files_that_go_while_one_looks_do_not_take_others_along(tmp_path: Path) -> None:
    kept = [f"confirmed/{number}/kept.md" for number in range(30)]
    put(tmp_path, *kept)
    stop = threading.Event()

    def churn() -> None:
        chance = random.Random(1)
        while not stop.is_set():
            folder = tmp_path / f"confirmed/{chance.randrange(30)}"
            for name in ("a.md", "b.md", "c"):
                place = folder / name
                place.mkdir() if name == "c" else place.touch()
            for name in ("c", "b.md", "a.md"):
                place = folder / name
                place.rmdir() if name == "c" else place.unlink()

    worker = threading.Thread(target=churn)
    worker.start()
    try:
        for _ in range(60):
            found = look(tmp_path)
            assert [path for path in paths(found) if path.endswith("kept.md")] == sorted(kept)
            assert found.problems == ()
    finally:
        stop.set()
        worker.join()


def test_whether_there_is_any_record(tmp_path: Path) -> None:
    put(tmp_path, "confirmed/README.md", "confirmed/.x/x.md", "confirmed/_x.md", "other/x.md")
    (tmp_path / "confirmed" / "link.md").symlink_to("../other/x.md")
    assert not has_records(tmp_path, AREAS)
    put(tmp_path, "authority/policies/build/x.md")
    assert has_records(tmp_path, AREAS)
    assert not has_records(tmp_path, ["confirmed"])


@pytest.mark.parametrize(
    ("mtime", "ctime", "racy"),
    [
        (0, 0, False),
        (10**18 - RACY_NS, 0, False),
        (10**18 - RACY_NS + 1, 0, True),
        (0, 10**18 - RACY_NS + 1, True),
        (10**18 + 1, 0, True),
    ],
)
def test_what_is_racy(mtime: int, ctime: int, racy: bool) -> None:
    assert is_racy(Stamp(1, mtime, ctime, 1), 10**18) == racy


def test_the_areas_are_those_of_the_layout() -> None:
    assert AREAS == ("confirmed", "staging", "experience", "authority")
    assert set(layout.LOCAL_AREAS) < set(AREAS)


@pytest.mark.parametrize("moment", [10**20, -(10**20)])
def test_a_time_that_no_cache_can_keep_counts_as_the_nearest(moment: int) -> None:
    """Memory and network file systems keep times of any year."""
    times = {"st_mtime_ns": moment, "st_ctime_ns": -moment}
    stamp = stamp_of(os.stat_result(range(10), times))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(stamp), type=Stamp) == stamp
    assert (stamp.mtime_ns > stamp.ctime_ns) == (moment > 0)
    assert is_racy(stamp, 10**18)
    assert len(snapshot.packed(os.stat_result(range(10), times))) == 32
