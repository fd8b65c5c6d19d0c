"""Fixtures of the system tests: a small vault to work in, copied from one that is made once."""

import shutil
from pathlib import Path

import pytest

from tests.desk import Desk, make_vault
from tests.foreign_desk import ForeignDesk
from tests.gitbox import git, make
from tests.hook_desk import copied, make_pair
from tests.signing import ADVISE, DENY, POLICY, SIGNED, Signer, line_for, make_key, trust
from tests.sweeping import World
from tests.sync_desk import Two, copied_two, make_two


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
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the keys `ada` and `eve`."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ada", "eve"):
        make_key(folder, name)
    return folder


@pytest.fixture
def ada(tmp_path: Path, keys: Path, capsys: pytest.CaptureFixture[str]) -> Signer:
    """A vault in which all is signed by `ada`: first advice about `db.drop`, then a denial."""
    desk = Desk(make_vault(tmp_path / "notes"), capsys)
    trust(desk.root, tmp_path / "home" / "signers", line_for(keys / "ada"))
    signer = Signer(desk, keys / "ada")
    settings = desk.read("doll.yaml") + SIGNED
    projects = {f"authority/projects/{name}.md" for name in ("atlas", "garden")}
    texts = {path: desk.read(path).replace("active", "active ") for path in projects}
    signer.signed(("doll.yaml", settings), (POLICY, ADVISE), *texts.items(), subject="ask")
    signer.signed((POLICY, DENY), subject="deny")
    return signer


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault `notes` with rules, and `code` beside it with the hooks; not to be changed."""
    return make_pair(tmp_path_factory.mktemp("pair"))


@pytest.fixture
def code(pair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """The code repository with the hooks, beside the vault `notes`."""
    return copied(pair, tmp_path, capsys)


@pytest.fixture
def home(pair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """The vault's own repository, with the hook."""
    shutil.copytree(pair / "notes", tmp_path / "notes")
    desk = Desk(tmp_path / "notes", capsys)
    desk.ok("hooks", "install", "--vault", ".")
    return desk


@pytest.fixture
def mixed(pair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A code repository with the vault in its folder `notes`, and the hook."""
    code = make(tmp_path / "code")
    shutil.copytree(pair / "notes", code / "notes", ignore=shutil.ignore_patterns(".git"))
    git(code, "add", "-A")
    git(code, "commit", "-qm", "notes")
    desk = Desk(code, capsys)
    desk.ok("hooks", "install", "--vault", "notes", "--project", "atlas")
    assert desk.git("config", "doll.vault") == "notes"
    return desk


@pytest.fixture(scope="session")
def made_two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two clones of a vault and their hub; not to be changed."""
    folder = tmp_path_factory.mktemp("two")
    make_two(folder)
    return folder


@pytest.fixture
def two(made_two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Two:
    """Two clones of a vault and the bare repository between them."""
    return copied_two(made_two, tmp_path, capsys)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The world of the flows, to be made anew for each fault."""
    return World(tmp_path_factory.mktemp("swept"))
