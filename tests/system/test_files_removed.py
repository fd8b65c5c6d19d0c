"""Many files removed at once: only what was read, in order, and told as it goes."""

from pathlib import Path

import pytest

from doll.errors import ConflictError
from doll.records.digest import sha256
from doll.vault import files
from tests.listing import listing

OLD = b"old\n"
NAMES = ("a.md", "sub/b.md", "sub/c.md")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    for name in NAMES:
        (tmp_path / name).write_bytes(OLD)
    return tmp_path


def remove(root: Path, *names: str) -> list[int]:
    told: list[int] = []
    files.remove_all(root, [(name, sha256(OLD)) for name in names], told.append)
    return told


def test_all_are_removed_and_told(root: Path) -> None:
    assert remove(root, *NAMES) == [0, 1, 2]
    assert listing(root) == {}


def test_none_are_none(root: Path) -> None:
    assert remove(root) == []
    assert len(listing(root)) == 3


def test_one_that_changed_stops_it(root: Path) -> None:
    (root / "sub/b.md").write_bytes(b"new\n")
    with pytest.raises(ConflictError, match=r"sub/b\.md"):
        remove(root, *NAMES)
    assert listing(root) == {"sub/b.md": b"new\n", "sub/c.md": OLD}


def test_a_link_on_the_way_is_refused(root: Path) -> None:
    (root / "link").symlink_to(root / "sub")
    with pytest.raises(ConflictError):
        remove(root, "link/b.md")
    assert (root / "sub/b.md").read_bytes() == OLD
