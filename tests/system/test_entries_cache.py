"""The parse cache: it saves reading and changes no answer, whatever happens to it or the files."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
import pytest

from doll.vault import entries
from doll.vault.entries import Entries, Loader
from doll.vault.sealed import Cache
from doll.vault.snapshot import RACY_NS, Snapshot, Stamp, snapshot
from tests import children
from tests.entry_files import BROKEN, GOOD, Reads, alike, load, shifted, vault, warmed
from tests.listing import listing


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault's folder with some records."""
    return vault(tmp_path)


class TestCache:
    """The cache saves reading, and changes nothing that is answered."""

    def test_a_second_load_equals_the_first_and_reads_nothing(
        self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plain = load(root, cached=False)
        shifted(monkeypatch, 3)
        first = load(root)
        assert len(reads.since()) == 2 * len(plain.entries)
        second = load(root)
        assert reads.since() == []
        assert alike(first, plain)
        assert alike(second, plain)

    def test_only_the_cache_and_the_key_are_written(self, root: Path) -> None:
        before = listing(root)
        load(root)
        after = listing(root.parent)
        for path, data in before.items():
            assert after.pop(f"vault/{path}") == data
        assert {path.rpartition("/")[0] for path in after} == {"state", "vault/.doll/cache/parse"}

    def test_nothing_is_written_when_nothing_changed(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        before = {path: path.stat().st_mtime_ns for path in (root / ".doll").rglob("*")}
        load(root)
        assert {path: path.stat().st_mtime_ns for path in (root / ".doll").rglob("*")} == before

    @pytest.mark.parametrize(
        "damage",
        [
            lambda place: place.unlink(),
            lambda place: place.write_bytes(b""),
            lambda place: place.write_bytes(b"garbage" * 100),
            lambda place: place.write_bytes(place.read_bytes()[:-1]),
            lambda place: place.write_bytes(place.read_bytes().replace(b"title", b"titel")),
            lambda place: place.chmod(0),
        ],
        ids=["deleted", "empty", "garbage", "cut", "changed", "locked"],
    )
    def test_a_damaged_cache_gives_the_same(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None]
    ) -> None:
        before = warmed(root, monkeypatch)
        for place in (root / ".doll/cache/parse").iterdir():
            damage(place)
        assert alike(load(root), before)
        assert alike(load(root), before)

    @pytest.mark.parametrize("name", ["CACHE_FORMAT", "_version"])
    def test_a_cache_of_another_version_gives_the_same(
        self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        before = warmed(root, monkeypatch)
        reads.since()
        monkeypatch.setattr(entries, name, 99 if name == "CACHE_FORMAT" else lambda: "99.0")
        assert alike(load(root), before)
        assert len(reads.since()) == len(before.entries)

    def test_a_cache_of_another_object_format_is_not_used(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        cache = Cache(root, root.parent / "state")
        found = Loader(root, cache, "sha256").folder("confirmed")
        assert {len(entry.oid) for entry in found.entries} == {64}

    @pytest.mark.parametrize(
        "forge",
        [
            lambda segment: [*segment[:4], []],
            lambda segment: [*segment[:4], "x"],
            lambda segment: [*segment[:4], [[*e[:9], b"{"] for e in segment[4]]],
            lambda segment: [*segment[:4], [[*e[:9], b'{"title": 1}'] for e in segment[4]]],
            lambda segment: "x",
            lambda segment: None,
        ],
    )
    def test_a_cache_that_is_sealed_and_odd_gives_the_same(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, forge: Callable[[list[object]], object]
    ) -> None:
        before = warmed(root, monkeypatch)
        cache = Cache(root, root.parent / "state")
        for place in (root / ".doll/cache/parse").iterdir():
            data = cache.load(f"parse/{place.name}")
            assert data is not None
            odd = forge(msgspec.msgpack.decode(data))
            assert cache.store(f"parse/{place.name}", msgspec.msgpack.encode(odd))
        assert alike(load(root), before)

    def test_one_denial_taken_out_of_the_cache_is_still_there(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (root / "authority/policies/p.md").write_text("---\neffect: deny\n---\n", encoding="utf-8")
        before = warmed(root, monkeypatch)
        for place in (root / ".doll/cache/parse").iterdir():
            place.write_bytes(place.read_bytes().replace(b"deny", b"advi"))
        after = load(root)
        assert alike(after, before)
        assert after.entries[0].record is not None

    def test_a_moved_vault_gives_the_same(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = warmed(root, monkeypatch)
        root.rename(root.with_name("moved"))
        assert alike(load(root.with_name("moved")), before)


def swap(place: Path, old: str, new: str) -> None:
    text = place.read_text(encoding="utf-8")
    assert old in text
    assert len(old) == len(new)
    place.write_text(text.replace(old, new), encoding="utf-8")


class TestChanges:
    """Every change is seen, however it was made."""

    def changed(self, root: Path, reads: Reads, paths: list[str]) -> Entries:
        """Load; exactly these files are read again, and the answer is that without a cache."""
        reads.since()
        found = load(root)
        assert reads.since() == sorted(paths)
        assert alike(found, load(root, cached=False))
        reads.since()
        return found

    def test_an_edit(self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
        warmed(root, monkeypatch)
        (root / "confirmed/a.md").write_text(GOOD.format("Longer"), encoding="utf-8")
        found = self.changed(root, reads, ["confirmed/a.md"])
        assert "Longer" in {record.name for record in found.records}

    def test_a_new_file(self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
        warmed(root, monkeypatch)
        (root / "confirmed/new.md").write_text(GOOD.format("New"), encoding="utf-8")
        self.changed(root, reads, ["confirmed/new.md"])

    def test_a_removed_file(
        self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        (root / "confirmed/a.md").unlink()
        found = self.changed(root, reads, [])
        assert "a" not in {record.id for record in found.records}
        self.changed(root, reads, [])
        kept = b"".join(listing(root / ".doll").values())
        assert b"confirmed/b.md" in kept
        assert b"confirmed/a.md" not in kept

    def test_a_renamed_file(
        self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        (root / "confirmed/a.md").rename(root / "confirmed/renamed.md")
        found = self.changed(root, reads, ["confirmed/renamed.md"])
        assert {record.id for record in found.records} == {"renamed", "b", "c", "e"}

    def test_a_renamed_folder(
        self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        (root / "confirmed/build").rename(root / "confirmed/dist")
        self.changed(root, reads, ["confirmed/dist/c.md"])

    def test_two_files_that_changed_places(
        self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        (root / "confirmed/a.md").rename(root / "t")
        (root / "confirmed/b.md").rename(root / "confirmed/a.md")
        (root / "t").rename(root / "confirmed/b.md")
        found = self.changed(root, reads, ["confirmed/a.md", "confirmed/b.md"])
        assert [record.name for record in found.records[:2]] == ["B", "A"]

    def test_a_save_by_rename_of_the_same_size_and_time(
        self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        place = root / "confirmed/a.md"
        status = place.stat()
        (root / "new").write_text(GOOD.format("Z"), encoding="utf-8")
        os.utime(root / "new", ns=(status.st_atime_ns, status.st_mtime_ns))
        (root / "new").replace(place)
        assert (place.stat().st_size, place.stat().st_mtime_ns) == (
            status.st_size,
            status.st_mtime_ns,
        )
        found = self.changed(root, reads, ["confirmed/a.md"])
        assert found.records[0].name == "Z"

    def test_an_edit_in_place_of_the_same_size_with_the_old_time(
        self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        place = root / "confirmed/a.md"
        status = place.stat()
        swap(place, "title: A", "title: Z")
        os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
        after = place.stat()
        assert (after.st_size, after.st_mtime_ns, after.st_ino) == (
            *(status.st_size, status.st_mtime_ns, status.st_ino),
        )
        found = self.changed(root, reads, ["confirmed/a.md"])
        assert found.records[0].name == "Z"

    def test_a_file_that_became_a_link(
        self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        (root / "confirmed/a.md").rename(root / "elsewhere.md")
        (root / "confirmed/a.md").symlink_to("../elsewhere.md")
        found = self.changed(root, reads, [])
        assert [(p.path, p.code) for p in found.problems] == [("confirmed/a.md", "file.symlink")]
        assert "a" not in {record.id for record in found.records}

    def test_after_any_sequence_of_changes(self, root: Path) -> None:
        place = root / "confirmed/a.md"
        for number in range(30):
            match number % 5:
                case 0:
                    place.write_text(GOOD.format(number % 10), encoding="utf-8")
                case 1:
                    place.rename(root / "confirmed/z.md")
                case 2:
                    (root / "confirmed/z.md").rename(place)
                case 3:
                    place.write_text(BROKEN, encoding="utf-8")
                case _:
                    place.unlink()
                    place.write_text(GOOD.format(number % 10), encoding="utf-8")
            assert alike(load(root), load(root, cached=False))


class TestSame:
    """Files that are looked at for their committed bytes are looked at once, and no longer."""

    def test_a_later_edit_is_seen(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        warmed(root, monkeypatch)
        loader = Loader(root, Cache(root, root.parent / "state"))
        before = loader.folder("confirmed").entries
        wanted = {entry.path: entry.oid for entry in before if entry.oid}
        assert {entry.path for entry in loader.same("confirmed", wanted)} == {*wanted}
        assert alike(loader.folder("confirmed"), Loader(root, None).folder("confirmed"))
        (root / "confirmed/a.md").write_text(GOOD.format("later"), encoding="utf-8")
        after = loader.folder("confirmed")
        assert alike(after, Loader(root, None).folder("confirmed"))
        assert "later" in [record.name for record in after.records]


class TestRacy:
    """A file that may have changed in the moment in which it was read is read again."""

    def test_an_edit_within_one_step_of_the_clock(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The two states of the file have one stamp, as on a file system with coarse times."""
        monkeypatch.setattr("doll.vault.entries.snapshot", _coarse)
        for letter in "XYZXYZ":
            place = root / "confirmed/a.md"
            place.write_text(GOOD.format(letter), encoding="utf-8")
            assert load(root).records[0].name == letter

    def test_until_it_is_older_than_that(self, root: Path, reads: Reads) -> None:
        every = [entry.path for entry in load(root).entries]
        reads.since()
        load(root)
        assert reads.since() == every
        children.settle(root / "confirmed/a.md")
        load(root)
        assert reads.since() == every
        load(root)
        assert reads.since() == []

    def test_a_time_in_the_future_is_always_racy(
        self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        future = time.time_ns() + 10**15
        os.utime(root / "confirmed/a.md", ns=(future, future))
        for _ in range(3):
            reads.since()
            load(root)
            assert reads.since() == ["confirmed/a.md"]


def _coarse(root: Path, folders: Sequence[str], _taken: Mapping[str, Stamp]) -> Snapshot:
    """Look as on a file system whose times step by two seconds, and whose inodes say nothing."""
    found = snapshot(root, folders)
    step = time.time_ns() // RACY_NS * RACY_NS
    files = [
        file._replace(stamp=file.stamp._replace(mtime_ns=step, ctime_ns=step, inode=0))
        for file in found.files
    ]
    return found._replace(files=tuple(files))
