"""A folder as a source: only its known files, in a fixed order, nothing outside it, bounded."""

from pathlib import Path

import pytest

from doll.cli.sources import read_document
from doll.errors import InvalidDocumentError, UsageError
from doll.interchange.base import Layout

SHAPE = Layout(("main.txt", ".hidden/main.txt"), ("more.txt", "logs/*.log"), "export it again")


def read(place: Path, limit: int = 100) -> dict[str, bytes]:
    return dict(read_document(place, SHAPE, limit, instead="give another").files)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "source"
    (place / "logs").mkdir(parents=True)
    for name in ("main.txt", "more.txt", "other.txt", "logs/b.log", "logs/a.log", "logs/a.txt"):
        (place / name).write_text(name)
    return place


def test_only_the_known_files_are_read_in_the_order_of_their_names(folder: Path) -> None:
    names = ["main.txt", "logs/a.log", "logs/b.log", "more.txt"]
    assert read(folder) == {name: name.encode() for name in names}
    assert list(read(folder)) == names
    assert read_document(folder, SHAPE, 100, instead="").name == "source"


def test_a_file_is_read_alone(folder: Path) -> None:
    found = read_document(folder / "more.txt", SHAPE, 100, instead="")
    assert (found.name, found.main, found.companions) == ("more.txt", "", {})


def test_a_hidden_folder_goes_by_the_name_of_its_parent(tmp_path: Path) -> None:
    place = tmp_path / "shop" / ".hidden"
    place.mkdir(parents=True)
    (place / "main.txt").write_text("x")
    assert read_document(place, SHAPE, 100, instead="").name == "shop"
    above = read_document(place.parent, SHAPE, 100, instead="")
    assert (above.name, above.main) == ("shop", ".hidden/main.txt")


def test_a_folder_without_a_main_file_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(InvalidDocumentError, match=r"main\.txt") as caught:
        read(tmp_path)
    assert caught.value.hint == "export it again"
    with pytest.raises(UsageError):
        read(tmp_path / "absent")


@pytest.mark.parametrize("name", ["main.txt", "more.txt", "logs", "logs/a.log"])
def test_no_symbolic_link_is_followed(folder: Path, tmp_path: Path, name: str) -> None:
    secret = tmp_path / "outside"
    (folder / name).rename(secret)
    (folder / name).symlink_to(secret)
    with pytest.raises(InvalidDocumentError, match="symbolic link"):
        read(folder)


def test_all_files_together_are_bounded(folder: Path) -> None:
    (folder / "logs" / "b.log").write_bytes(b"x" * 90)
    with pytest.raises(InvalidDocumentError, match="the most that is read"):
        read(folder)
