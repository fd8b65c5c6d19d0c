"""What ships: a wheel built from this tree has the code, the templates, the vault and the tour."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def tracked(folder: str) -> list[str]:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--", folder], cwd=ROOT, check=True, capture_output=True
    )
    return [name for name in listing.stdout.decode().split("\0") if name]


@pytest.mark.parametrize("folder", ["templates", "example_vault"])
def test_the_wheel_has_every_file_of(folder: str, shipped: set[str]) -> None:
    files = tracked(folder)
    assert files
    assert {f"doll/data/{name}" for name in files} <= shipped


def test_the_wheel_has_the_tours_document_and_its_types(shipped: set[str]) -> None:
    assert {"doll/data/tour/chatgpt-export.json", "doll/py.typed"} <= shipped


def test_the_wheel_has_all_code_and_nothing_else(shipped: set[str]) -> None:
    code = {name.removeprefix("src/") for name in tracked("src/doll")}
    assert code <= shipped
    others = {name for name in shipped - code if not name.startswith("doll/data/")}
    assert all(".dist-info/" in name for name in others), others
