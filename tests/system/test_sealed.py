"""The disposable cache: believed only when doll itself sealed it, and never in the way."""

import errno
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doll.vault.sealed import DIGEST_BYTES, KEY_BYTES, Cache
from tests import children
from tests.children import refused
from tests.listing import listing, names

pytestmark = pytest.mark.sampled(4)

DATA = b"\x00\xffdata" * 1000
HEAD = len(b"doll-sealed/1\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault's folder beside its state folder."""
    place = tmp_path / "vault"
    place.mkdir()
    return place


def opened(root: Path, *, tracked: bool = False) -> Cache:
    return Cache(root, root.parent / "state", tracked=tracked)


def stored(root: Path, name: str = "parse/confirmed") -> Path:
    """Store something and return the file that holds it."""
    assert opened(root).store(name, DATA)
    assert opened(root).load(name) == DATA
    return root / ".doll" / "cache" / name


def test_what_is_stored_is_loaded(root: Path) -> None:
    cache = opened(root)
    assert cache.load("x") is None
    assert cache.store("x", DATA)
    assert cache.store("deep/x", b"")
    for again in (cache, opened(root)):
        assert again.load("x") == DATA
        assert again.load("deep/x") == b""
        assert again.load("y") is None
        assert again.rejected == set()
    assert cache.store("x", b"new")
    assert opened(root).load("x") == b"new"
    assert sorted(listing(root)) == [".doll/cache/deep/x", ".doll/cache/x"]


def test_only_this_user_may_read_it(root: Path) -> None:
    assert stored(root).stat().st_mode & 0o077 == 0
    key = root.parent / "state" / "key"
    assert key.stat().st_mode & 0o077 == 0
    assert len(key.read_bytes()) == KEY_BYTES


class TestForged:
    """Whatever doll did not seal itself counts as absent, is named, and is left alone."""

    def rejected(self, root: Path, name: str = "parse/confirmed") -> None:
        cache = opened(root)
        before = listing(root)
        assert cache.load(name) is None
        assert cache.rejected == {name}
        assert listing(root) == before

    @pytest.mark.parametrize("size", [0, 1, HEAD - 1, HEAD, HEAD + 5, HEAD + DIGEST_BYTES, -1, -9])
    def test_a_file_that_was_cut(self, root: Path, size: int) -> None:
        place = stored(root)
        place.write_bytes(place.read_bytes()[:size])
        self.rejected(root)

    @pytest.mark.parametrize("at", [0, HEAD - 1, HEAD, HEAD + DIGEST_BYTES - 1, HEAD + 32, -1])
    def test_a_byte_that_was_changed(self, root: Path, at: int) -> None:
        place = stored(root)
        data = bytearray(place.read_bytes())
        data[at] ^= 1
        place.write_bytes(data)
        self.rejected(root)

    @pytest.mark.parametrize("more", [b"\0", b"more", DATA])
    def test_bytes_that_were_added(self, root: Path, more: bytes) -> None:
        place = stored(root)
        place.write_bytes(place.read_bytes() + more)
        self.rejected(root)

    def test_the_bytes_of_another_name(self, root: Path) -> None:
        place = stored(root)
        place.with_name("authority").write_bytes(place.read_bytes())
        self.rejected(root, "parse/authority")

    def test_the_bytes_of_another_vault(self, root: Path, tmp_path: Path) -> None:
        other = tmp_path / "other" / "vault"
        other.mkdir(parents=True)
        stored(root).write_bytes(stored(other).read_bytes())
        self.rejected(root)

    def test_a_seal_without_a_key(self, root: Path) -> None:
        import hashlib

        place = stored(root)
        digest = hashlib.blake2b(DATA, digest_size=DIGEST_BYTES).digest()
        place.write_bytes(b"doll-sealed/1\n" + digest + DATA)
        self.rejected(root)

    @pytest.mark.parametrize("key", [None, b"", b"short", b"x" * KEY_BYTES, b"x" * 64])
    def test_another_key(self, root: Path, key: bytes | None) -> None:
        stored(root)
        place = root.parent / "state" / "key"
        place.unlink()
        if key is not None:
            place.write_bytes(key)
        self.rejected(root)
        assert opened(root).store("parse/confirmed", b"new")
        assert opened(root).load("parse/confirmed") == b"new"

    def test_a_key_that_is_a_link(self, root: Path, tmp_path: Path) -> None:
        stored(root)
        key = root.parent / "state" / "key"
        key.rename(tmp_path / "moved")
        key.symlink_to(tmp_path / "moved")
        self.rejected(root)

    @given(data=st.binary(max_size=200))
    @settings(
        max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    def test_any_bytes(self, root: Path, data: bytes) -> None:
        place = stored(root)
        for forged in (data, place.read_bytes()[: HEAD + DIGEST_BYTES] + data):
            place.write_bytes(forged)
            self.rejected(root)

    @pytest.mark.parametrize("kind", ["link", "broken link", "folder", "pipe"])
    def test_what_is_no_file(self, root: Path, tmp_path: Path, kind: str) -> None:
        place = stored(root)
        if kind == "folder":
            place.unlink()
            place.mkdir()
        elif kind == "pipe":
            place.unlink()
            os.mkfifo(place)
        else:
            place.rename(tmp_path / "moved")
            place.symlink_to(tmp_path / ("moved" if kind == "link" else "nowhere"))
        self.rejected(root)

    def test_a_link_is_replaced_and_not_written_through(self, root: Path, tmp_path: Path) -> None:
        place = stored(root)
        (tmp_path / "mine").write_bytes(b"mine")
        place.unlink()
        place.symlink_to(tmp_path / "mine")
        assert opened(root).store("parse/confirmed", DATA)
        assert (tmp_path / "mine").read_bytes() == b"mine"
        assert opened(root).load("parse/confirmed") == DATA


class TestFolder:
    """A cache folder that is not clearly doll's own is not used at all."""

    def unused(self, root: Path, fault: str, *, tracked: bool = False) -> None:
        cache = opened(root, tracked=tracked)
        before = listing(root.parent)
        assert fault in cache.fault
        assert cache.load("parse/confirmed") is None
        assert not cache.store("parse/confirmed", DATA)
        assert listing(root.parent) == before

    def test_tracked_by_git(self, root: Path) -> None:
        stored(root)
        self.unused(root, "tracked by git", tracked=True)

    @pytest.mark.parametrize("part", [".doll", ".doll/cache"])
    @pytest.mark.parametrize("broken", [False, True])
    def test_a_link(self, root: Path, tmp_path: Path, part: str, broken: bool) -> None:
        stored(root)
        (root / part).rename(tmp_path / "moved")
        (root / part).symlink_to(tmp_path / ("nowhere" if broken else "moved"))
        self.unused(root, f"{Path(part).name} is a symbolic link")
        assert not (tmp_path / "nowhere").exists()

    @pytest.mark.parametrize("part", [".doll", ".doll/cache"])
    def test_a_file(self, root: Path, part: str) -> None:
        (root / part).parent.mkdir(exist_ok=True)
        (root / part).write_bytes(b"")
        self.unused(root, f"{Path(part).name} is not a folder")

    @pytest.mark.parametrize("part", [".doll", ".doll/cache"])
    def test_of_another_user(self, root: Path, part: str) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder away")
        stored(root)
        os.chown(root / part, children.NOBODY, children.NOBODY)
        self.unused(root, f"{Path(part).name} belongs to another user")

    @pytest.mark.parametrize("whose", ["file", "key"])
    def test_a_file_of_another_user(self, root: Path, whose: str) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can give a file away")
        place = stored(root) if whose == "file" else root.parent / "state" / "key"
        stored(root)
        os.chown(place, children.NOBODY, children.NOBODY)
        cache = opened(root)
        assert cache.load("parse/confirmed") is None
        assert cache.rejected == {"parse/confirmed"}

    def test_a_folder_within_that_is_a_link(self, root: Path, tmp_path: Path) -> None:
        stored(root)
        (root / ".doll/cache/parse").rename(tmp_path / "moved")
        (root / ".doll/cache/parse").symlink_to(tmp_path / "moved")
        cache = opened(root)
        before = listing(tmp_path / "moved")
        assert cache.load("parse/confirmed") is None
        assert not cache.store("parse/confirmed", b"new")
        assert listing(tmp_path / "moved") == before

    def test_nobody_else_reads_or_writes_it(self, root: Path) -> None:
        stored(root)
        children.open_to_all(root / ".doll" / "cache" / "parse")
        before = listing(root.parent)

        def tried() -> tuple[bytes | None, bool, str]:
            cache = opened(root)
            return cache.load("parse/confirmed"), cache.store("x", DATA), cache.fault

        ended = children.as_nobody(tried)
        assert ended.error is None
        assert ended.result == (None, False, ".doll belongs to another user")
        assert listing(root.parent) == before


class TestUnwritable:
    """A cache that cannot be written is an absent one; nothing is raised, nothing left behind."""

    @pytest.mark.parametrize("step", ["open", "replace", "mkdir", "link"])
    @pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO])
    def test_at_a_step(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, step: str, code: int
    ) -> None:
        monkeypatch.setattr(os, step, refused(code))
        cache = opened(root)
        assert not cache.store("parse/confirmed", DATA)
        assert cache.load("parse/confirmed") is None
        monkeypatch.undo()
        assert not [path for path in listing(root.parent) if path != "state/key"]

    def test_a_state_folder_that_is_a_file(self, root: Path) -> None:
        (root.parent / "state").write_bytes(b"")
        cache = opened(root)
        assert not cache.store("x", DATA)
        assert cache.load("x") is None

    @pytest.mark.parametrize("code", [errno.EPERM, errno.EOPNOTSUPP])
    def test_without_hard_links_it_works(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, code: int
    ) -> None:
        monkeypatch.setattr(os, "link", refused(code))
        stored(root)
        assert names(root.parent / "state") == ["key"]


class TestAtOnce:
    """Processes that begin at once end with one key, and see each other's files whole."""

    @pytest.mark.parametrize("broken_key", [None, b"", b"short"])
    def test_the_key(self, root: Path, broken_key: bytes | None) -> None:
        for number in range(10):
            state = root.parent / f"state{number}"
            if broken_key is not None:
                state.mkdir()
                (state / "key").write_bytes(broken_key)

            def store(each: int, state: Path = state) -> bool:
                return Cache(root, state).store(f"x{each}", DATA)

            ended = children.run(*(partial(store, each) for each in range(8)))
            assert [child.result for child in ended] == [True] * 8
            assert names(state) == ["key"]
            assert len((state / "key").read_bytes()) == KEY_BYTES
            cache = Cache(root, state)
            loaded = [cache.load(f"x{each}") for each in range(8)]
            assert set(loaded) <= {DATA, None}
            if broken_key is None:
                assert loaded == [DATA] * 8

    def test_one_file(self, root: Path) -> None:
        stored(root, "x")

        def store(each: int) -> bool:
            return all(opened(root).store("x", b"%d" % each * 50_000) for _ in range(20))

        def load() -> set[int | None]:
            found = [opened(root).load("x") for _ in range(200)]
            return {len(set(data)) if data else None for data in found} - {len(set(DATA))}

        writers: list[Callable[[], object]] = [partial(store, each) for each in range(3)]
        ended = children.run(*writers, load, load)
        assert [child.result for child in ended[:3]] == [True] * 3
        assert all(child.result <= {1} for child in ended[3:])
        assert names(root / ".doll" / "cache") == ["x"]
