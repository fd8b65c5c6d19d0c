"""Fixtures of the law tests: vaults to work in, copied from ones that are made once."""

import shutil
from pathlib import Path

import pytest

from tests.desk import make_vault
from tests.foreign_desk import ForeignDesk
from tests.gitbox import git

EXAMPLE = Path(__file__).resolve().parents[2] / "example_vault"


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault with two committed projects; not to be changed."""
    return make_vault(tmp_path_factory.mktemp("started") / "notes")


@pytest.fixture
def desk(started: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> ForeignDesk:
    """A copy of the small vault, with the command line run in it."""
    shutil.copytree(started, tmp_path / "notes")
    return ForeignDesk(tmp_path / "notes", capsys)


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example vault, committed; not to be changed."""
    root = tmp_path_factory.mktemp("example") / "notes"
    shutil.copytree(EXAMPLE, root)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "start")
    return root
