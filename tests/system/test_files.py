"""Writing the vault's files: whole or not at all, never over another, never outside."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any

import pytest

from doll.errors import ConflictError
from doll.records.digest import sha256
from doll.vault import files
from tests import children
from tests.children import refused
from tests.listing import listing, names

OLD, NEW = b"old bytes\n", b"new bytes\n" * 1000


@pytest.fixture
def no_links(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A file system without hard links, which says so as the parameter has it."""

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(request.param, os.strerror(request.param))

    monkeypatch.setattr(os, "link", refuse)


class TestCreate:
    """A new file is written whole, and never over another."""

    def test_a_file_in_new_folders(self, tmp_path: Path) -> None:
        files.create(tmp_path, "experience/atlas/x.md", NEW)
        assert listing(tmp_path) == {"experience/atlas/x.md": NEW}

    def test_the_mode_is_that_of_any_new_file(self, tmp_path: Path) -> None:
        files.create(tmp_path, "x.md", NEW)
        (tmp_path / "other").touch()
        assert (tmp_path / "x.md").stat().st_mode == (tmp_path / "other").stat().st_mode

    def test_a_name_that_is_taken(self, tmp_path: Path) -> None:
        (tmp_path / "x.md").write_bytes(OLD)
        with pytest.raises(ConflictError) as refused:
            files.create(tmp_path, "x.md", NEW)
        assert refused.value.exit_code == 5
        assert "x.md" in refused.value.message
        assert refused.value.hint
        assert listing(tmp_path) == {"x.md": OLD}

    @pytest.mark.parametrize("kind", ["folder", "broken link", "pipe"])
    def test_a_name_that_something_else_has(self, tmp_path: Path, kind: str) -> None:
        place = tmp_path / "x.md"
        if kind == "folder":
            place.mkdir()
        elif kind == "pipe":
            os.mkfifo(place)
        else:
            place.symlink_to(tmp_path / "nowhere")
        with pytest.raises(ConflictError):
            files.create(tmp_path, "x.md", NEW)
        assert listing(tmp_path) == {}
        assert not (tmp_path / "nowhere").exists()

    @pytest.mark.parametrize("links", [True, False])
    def test_of_eight_at_once_one_creates_the_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
    ) -> None:
        if not links:
            monkeypatch.setattr(os, "link", refused(errno.EPERM))
        for number in range(10):
            path = f"new/x{number}.md"
            ended = children.run(
                *(partial(files.create, tmp_path, path, b"%d" % each * 9999) for each in range(8))
            )
            kinds = [type(child.error) for child in ended]
            assert kinds.count(ConflictError) == 7
            winner = kinds.index(NoneType)
            assert (tmp_path / path).read_bytes() == b"%d" % winner * 9999
        assert len(listing(tmp_path)) == 10

    @pytest.mark.parametrize(
        "no_links",
        [errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK],
        indirect=True,
        ids=errno.errorcode.get,
    )
    def test_without_hard_links(self, tmp_path: Path, no_links: None) -> None:
        files.create(tmp_path, "a/x.md", NEW)
        assert listing(tmp_path) == {"a/x.md": NEW}
        with pytest.raises(ConflictError):
            files.create(tmp_path, "a/x.md", OLD)
        assert listing(tmp_path) == {"a/x.md": NEW}


class TestReplaceAndRemove:
    """A file is replaced or removed only as it was read."""

    def test_a_file_as_it_was_read(self, tmp_path: Path) -> None:
        (tmp_path / "x.md").write_bytes(OLD)
        files.replace(tmp_path, "x.md", NEW, sha256(OLD))
        assert listing(tmp_path) == {"x.md": NEW}
        files.remove(tmp_path, "x.md", sha256(NEW))
        assert listing(tmp_path) == {}

    def test_a_file_that_changed_since(self, tmp_path: Path) -> None:
        (tmp_path / "x.md").write_bytes(b"changed")
        attempts: list[Callable[[], None]] = [
            lambda: files.replace(tmp_path, "x.md", NEW, sha256(OLD)),
            lambda: files.remove(tmp_path, "x.md", sha256(OLD)),
        ]
        for attempt in attempts:
            with pytest.raises(ConflictError) as refused:
                attempt()
            assert "changed on disk" in refused.value.message
            assert listing(tmp_path) == {"x.md": b"changed"}

    def test_a_file_that_changes_while_the_new_one_is_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "x.md").write_bytes(OLD)
        flush = os.fsync

        def meanwhile(descriptor: int) -> None:
            (tmp_path / "x.md").write_bytes(b"changed")
            flush(descriptor)

        monkeypatch.setattr(os, "fsync", meanwhile)
        with pytest.raises(ConflictError):
            files.replace(tmp_path, "x.md", NEW, sha256(OLD))
        assert listing(tmp_path) == {"x.md": b"changed"}

    @pytest.mark.parametrize("kind", ["absent", "folder", "link"])
    def test_what_is_no_file(self, tmp_path: Path, kind: str) -> None:
        (tmp_path / "target").write_bytes(OLD)
        if kind == "folder":
            (tmp_path / "x.md").mkdir()
        elif kind == "link":
            (tmp_path / "x.md").symlink_to("target")
        attempts: list[Callable[[], None]] = [
            lambda: files.replace(tmp_path, "x.md", NEW, sha256(OLD)),
            lambda: files.remove(tmp_path, "x.md", sha256(OLD)),
        ]
        for attempt in attempts:
            with pytest.raises(ConflictError):
                attempt()
        assert listing(tmp_path) == {"target": OLD}
        assert os.path.lexists(tmp_path / "x.md") == (kind != "absent")

    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755, 0o777])
    def test_the_mode_stays(self, tmp_path: Path, mode: int) -> None:
        place = tmp_path / "x.md"
        place.write_bytes(OLD)
        place.chmod(mode)
        files.replace(tmp_path, "x.md", NEW, sha256(OLD))
        assert stat.S_IMODE(place.stat().st_mode) == mode


class TestCreateTree:
    """A new folder comes with all its files, or not at all."""

    TREE = (("_import.md", b"1"), ("a.md", NEW), ("source/deep/store.json", b"{}"))

    def test_a_tree(self, tmp_path: Path) -> None:
        files.create_tree(tmp_path, "staging/pam/x", self.TREE)
        assert listing(tmp_path) == {f"staging/pam/x/{path}": data for path, data in self.TREE}

    def test_a_long_name(self, tmp_path: Path) -> None:
        name = "日" * 40
        files.create_tree(tmp_path, name, self.TREE)
        assert names(tmp_path) == [name]

    @pytest.mark.parametrize("kind", ["folder", "empty folder", "file", "link"])
    def test_a_name_that_is_taken(self, tmp_path: Path, kind: str) -> None:
        place = tmp_path / "x"
        if kind == "file":
            place.write_bytes(OLD)
        elif kind == "link":
            place.symlink_to("nowhere")
        else:
            place.mkdir()
        if kind == "folder":
            (place / "mine").write_bytes(OLD)
        before = listing(tmp_path)
        with pytest.raises(ConflictError):
            files.create_tree(tmp_path, "x", self.TREE)
        assert listing(tmp_path) == before
        assert names(tmp_path) == ["x"]

    def test_a_name_that_is_taken_while_the_tree_is_built(self, tmp_path: Path) -> None:
        def slowly() -> Iterator[tuple[str, bytes]]:
            yield from self.TREE
            (tmp_path / "x").mkdir()
            (tmp_path / "x" / "mine").write_bytes(OLD)

        with pytest.raises(ConflictError):
            files.create_tree(tmp_path, "x", slowly())
        assert listing(tmp_path) == {"x/mine": OLD}

    def test_of_four_at_once_one_creates_the_tree(self, tmp_path: Path) -> None:
        trees = [[(f"{name}.md", b"%d" % each) for name in range(20)] for each in range(4)]
        ended = children.run(*(partial(files.create_tree, tmp_path, "a/x", t) for t in trees))
        assert sum(child.error is None for child in ended) == 1
        assert all(child.error is None or type(child.error) is ConflictError for child in ended)
        found = listing(tmp_path)
        assert len(found) == 20
        assert len(set(found.values())) == 1

    @pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("no")])
    def test_files_that_fail_to_come(self, tmp_path: Path, error: BaseException) -> None:
        def failing() -> Iterator[tuple[str, bytes]]:
            yield "a.md", NEW
            raise error

        with pytest.raises(type(error)):
            files.create_tree(tmp_path, "a/x", failing())
        assert names(tmp_path / "a") == []

    @pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "", "a//b", "a\0b", "."])
    def test_files_outside_of_it(self, tmp_path: Path, path: str) -> None:
        with pytest.raises(ConflictError):
            files.create_tree(tmp_path, "a/x", [("ok.md", NEW), (path, NEW)])
        assert listing(tmp_path) == {}


OUTSIDE = (
    *("../x.md", "a/../../x.md", "/etc/x.md", "a/./x.md", "./x.md", "a//x.md", "a/", "", "."),
    *("..", "a/..", "x\0.md", "/", "link/x.md", "link/../x.md", "link/deep/x.md"),
)


class TestOutside:
    """No path leads out of the vault, by its parts or by a link."""

    @pytest.mark.parametrize("path", OUTSIDE)
    def test_nothing_is_written(self, tmp_path: Path, path: str) -> None:
        root, other = tmp_path / "vault", tmp_path / "other"
        for folder in (root / "a", other / "deep"):
            folder.mkdir(parents=True)
        (other / "x.md").write_bytes(OLD)
        (tmp_path / "x.md").write_bytes(OLD)
        (root / "link").symlink_to(other)
        before = listing(tmp_path)
        attempts: list[Callable[[], None]] = [
            lambda: files.create(root, path, NEW),
            lambda: files.replace(root, path, NEW, sha256(OLD)),
            lambda: files.remove(root, path, sha256(OLD)),
            lambda: files.remove_all(root, [(path, sha256(OLD))], lambda _: None),
            lambda: files.create_tree(root, path, [("x.md", NEW)]),
        ]
        for attempt in attempts:
            with pytest.raises(ConflictError):
                attempt()
        assert listing(tmp_path) == before

    @pytest.mark.parametrize("path", [path for path in OUTSIDE if "link" not in path])
    def test_nothing_is_read(self, tmp_path: Path, path: str) -> None:
        (tmp_path / "a").mkdir()
        with pytest.raises(OSError, match="no path inside the vault"):
            files.read(tmp_path, path)

    def test_a_link_is_not_read(self, tmp_path: Path) -> None:
        (tmp_path / "real").write_bytes(OLD)
        (tmp_path / "x.md").symlink_to("real")
        with pytest.raises(OSError, match="symbolic links") as refused:
            files.read(tmp_path, "x.md")
        assert refused.value.errno == errno.ELOOP

    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "x.md")
        with pytest.raises(OSError, match="not a regular file"):
            files.read(tmp_path, "x.md")

    def test_a_folder_is_not_read(self, tmp_path: Path) -> None:
        (tmp_path / "x.md").mkdir()
        with pytest.raises(OSError, match="not a regular file"):
            files.read(tmp_path, "x.md")


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 12, 100_000])
def test_at_most_one_byte_more_than_the_limit_is_read(tmp_path: Path, size: int) -> None:
    (tmp_path / "x").write_bytes(b"x" * size)
    assert files.read(tmp_path, "x", limit=10) == b"x" * min(size, 11)


def test_no_file_stays_open(tmp_path: Path) -> None:
    before = len(names(Path("/proc/self/fd")))
    (tmp_path / "x.md").write_bytes(OLD)
    for _ in range(5):
        files.create_tree(tmp_path, f"t{os.urandom(3).hex()}", TestCreateTree.TREE)
        files.replace(tmp_path, "x.md", OLD, sha256(OLD))
        with pytest.raises(ConflictError):
            files.create(tmp_path, "x.md", NEW)
    assert len(names(Path("/proc/self/fd"))) == before
