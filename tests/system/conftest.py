"""Fixtures of the system tests: a small vault to work in, copied from one that is made once."""

import shutil
from pathlib import Path

import pytest

from tests.desk import Desk, make_vault


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault with two committed projects; not to be changed."""
    return make_vault(tmp_path_factory.mktemp("started") / "notes")


@pytest.fixture
def desk(started: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A copy of the small vault, with the command line run in it."""
    shutil.copytree(started, tmp_path / "notes")
    return Desk(tmp_path / "notes", capsys)
