"""Writing the vault's files when the process is killed or the file system refuses."""

import errno
import os
import resource
import signal
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doll.errors import StorageError
from doll.records.digest import sha256
from doll.vault import files
from tests import children
from tests.children import refused
from tests.listing import listing, names, without_temporary

pytestmark = pytest.mark.sampled(4)

OLD, NEW = b"old bytes\n", b"new bytes\n" * 1000
TREE = (("_import.md", b"1"), ("a.md", NEW), ("source/deep/store.json", b"{}"))

WRITES: dict[str, Callable[[Path], None]] = {
    "create": lambda root: files.create(root, "new.md", NEW),
    "replace": lambda root: files.replace(root, "x.md", NEW, sha256(OLD)),
    "remove": lambda root: files.remove(root, "x.md", sha256(OLD)),
    "create_tree": lambda root: files.create_tree(root, "tree", TREE),
}
AFTER: dict[str, dict[str, bytes]] = {
    "create": {"new.md": NEW, "x.md": OLD},
    "replace": {"x.md": NEW},
    "remove": {},
    "create_tree": {"x.md": OLD, **{f"tree/{path}": data for path, data in TREE}},
}


# The steps without which each of them cannot be done.
STEPS = {
    "create": ("open", "fsync", "link"),
    "replace": ("open", "fsync", "chmod", "replace"),
    "remove": ("unlink",),
    "create_tree": ("mkdir", "open", "fsync", "rename"),
}


class TestKilled:
    """SIGKILL at any step leaves the old bytes or the new ones, and the next try works."""

    @pytest.mark.parametrize("verb", WRITES)
    @pytest.mark.parametrize("after", [False, True])
    @pytest.mark.parametrize(
        "step", ["open", "fsync", "link", "unlink", "rename", "replace", "mkdir", "chmod", "close"]
    )
    def test_at_a_step(self, tmp_path: Path, verb: str, step: str, after: bool) -> None:
        (tmp_path / "x.md").write_bytes(OLD)
        done = _kill(lambda: WRITES[verb](tmp_path), step, after=after)
        found = without_temporary(listing(tmp_path))
        assert found in ({"x.md": OLD}, AFTER[verb])
        if not done and found == {"x.md": OLD}:
            WRITES[verb](tmp_path)
        assert without_temporary(listing(tmp_path)) == AFTER[verb]

    @pytest.mark.parametrize("after", [False, True])
    def test_without_hard_links_an_empty_file_may_stand_there(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: bool
    ) -> None:
        monkeypatch.setattr(os, "link", refused(errno.EPERM))
        _kill(lambda: files.create(tmp_path, "x.md", NEW), "replace", after=after)
        assert without_temporary(listing(tmp_path)) == {"x.md": NEW if after else b""}


def _kill(function: Callable[[], object], step: str, *, after: bool) -> bool:
    """Run a function in a child that is killed at a step; return whether it got to its end."""
    original = getattr(os, step)

    def deadly(*args: Any, **kwargs: Any) -> Any:
        if after:
            original(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)

    def killed() -> None:
        setattr(os, step, deadly)
        function()
        setattr(os, step, original)

    ended = children.run(killed)[0]
    assert ended.error is None
    return ended.signal == 0


class TestRefused:
    """What the file system refuses is an error that names the path; nothing is left behind."""

    @pytest.mark.parametrize(
        ("verb", "step"), [(verb, step) for verb, steps in STEPS.items() for step in steps]
    )
    @pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO])
    def test_at_a_step(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, step: str, code: int
    ) -> None:
        (tmp_path / "x.md").write_bytes(OLD)
        (tmp_path / "x.md").chmod(0o600)
        original = os.open

        def open_no_new(place: Any, flags: int, *args: Any, **kwargs: Any) -> int:
            if flags & os.O_CREAT:
                raise OSError(code, os.strerror(code))
            return original(place, flags, *args, **kwargs)

        monkeypatch.setattr(os, step, open_no_new if step == "open" else refused(code))
        with pytest.raises(StorageError) as failed:
            WRITES[verb](tmp_path)
        monkeypatch.undo()
        assert failed.value.message.endswith(f"cannot be written: {os.strerror(code)}")
        assert failed.value.message.startswith(("new.md", "x.md", "tree"))
        assert "nothing was changed" in failed.value.hint
        assert listing(tmp_path) == {"x.md": OLD}
        assert names(tmp_path) == ["x.md"]

    @pytest.mark.parametrize("verb", ["create", "replace", "create_tree"])
    def test_a_disk_that_is_full(self, tmp_path: Path, verb: str) -> None:
        (tmp_path / "x.md").write_bytes(OLD)

        def limited() -> str:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
            try:
                WRITES[verb](tmp_path)
            except StorageError as error:
                return error.message
            return "done"

        ended = children.run(limited)[0]
        assert "cannot be written: File too large" in ended.result
        assert listing(tmp_path) == {"x.md": OLD}
        assert names(tmp_path) == ["x.md"]

    @pytest.mark.parametrize("verb", WRITES)
    def test_a_folder_that_is_not_ours(self, tmp_path: Path, verb: str) -> None:
        (tmp_path / "x.md").write_bytes(OLD)
        (tmp_path / "x.md").chmod(0o644)
        children.open_to_all(tmp_path)
        tmp_path.chmod(0o755)
        ended = children.as_nobody(lambda: WRITES[verb](tmp_path))
        assert type(ended.error) is StorageError
        assert "Permission denied" in str(ended.error)
        assert listing(tmp_path) == {"x.md": OLD}

    def test_a_folder_whose_names_cannot_be_flushed_is_no_failure(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        flush = os.fsync

        def only_files(descriptor: int) -> None:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
            flush(descriptor)

        monkeypatch.setattr(os, "fsync", only_files)
        files.create(tmp_path, "a/x.md", NEW)
        files.create_tree(tmp_path, "tree", TREE)
        assert (tmp_path / "a/x.md").read_bytes() == NEW

    def test_a_file_where_a_folder_has_to_be(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(OLD)
        with pytest.raises(StorageError) as refused:
            files.create(tmp_path, "a/x.md", NEW)
        assert "a/x.md" in refused.value.message
        assert listing(tmp_path) == {"a": OLD}
