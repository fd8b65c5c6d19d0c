"""`doll doctor` where no write can succeed: it is named, with a line that mends it."""

import json
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.doctor_faults import with_remote
from tests.examined import commands, of_code, wanting
from tests.ordinary import ordinary

pytestmark = pytest.mark.sampled(4)


@pytest.fixture
def vault(desk: Desk) -> Desk:
    """A vault with a committed memory and a remote that has it all."""
    return with_remote(desk)


def _plant(place: Path, what: str) -> None:
    place.parent.mkdir(exist_ok=True)
    if what == "folder":
        place.mkdir()
        (place / "full").touch()
    elif what == "file":
        place.touch()
    else:
        place.symlink_to("/nowhere")


IN_THE_WAY = [
    *((name, what) for name in ("lock", "sync") for what in ("folder", "link")),
    *(("", what) for what in ("file", "link")),
]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("name", "what"), IN_THE_WAY)
def test_what_stands_where_a_lock_should_is_taken_away(vault: Desk, name: str, what: str) -> None:
    place = vault.root / ".git/doll" / name
    _plant(place, what)
    found = of_code(vault, "vault.lock")
    assert found["path"] == str(place)
    assert wanting(vault) == ["vault.lock"]
    (line,) = commands(found)
    if name != "sync":
        said = vault.refused(74, "new", "memory", "tea", "--title", "Tea")
        assert f"{line}    takes it away" in said
    vault.at("..").type(line)
    assert wanting(vault) == []
    vault.ok("new", "memory", "tea", "--title", "Tea")


CLOSED = [".git", ".git/objects", ".git/refs/heads", ".git/doll"]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("path", CLOSED)
def test_a_folder_of_git_that_may_not_be_written(vault: Desk, tmp_path: Path, path: str) -> None:
    user = ordinary(tmp_path)
    place = vault.root / path
    place.mkdir(exist_ok=True)
    place.chmod(0o555)
    try:
        problems = json.loads(user.doll("doctor", "--json", "--vault", "notes").stdout)["problems"]
        (found,) = (each for each in problems if each["code"] == "vault.read_only")
        assert found["path"] == str(place)
        (line,) = commands(found)
        assert line == f"chmod u+rwx -- {place}"
        assert user.run("sh", "-c", line).returncode == 0
        assert user.doll("doctor", "--vault", "notes").returncode == 0
    finally:
        place.chmod(0o755)


def test_a_lock_that_may_not_be_opened(vault: Desk, tmp_path: Path) -> None:
    user = ordinary(tmp_path)
    vault.ok("new", "memory", "chai", "--title", "Chai", "--commit")
    place = vault.root / ".git/doll/lock"
    place.chmod(0o444)
    new = ("new", "memory", "tea", "--title", "Tea", "--vault", "notes")
    refused = user.doll(*new)
    line = f"chmod u+rw -- {place}"
    assert (refused.returncode, line in refused.stderr) == (74, True)
    assert line in user.doll("doctor", "--vault", "notes").stdout
    assert user.run("sh", "-c", line).returncode == 0
    assert user.doll(*new).returncode == 0


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("form", "key"),
    [
        (None, "gpg.program"),
        ("openpgp", "gpg.openpgp.program"),
        ("ssh", "gpg.ssh.program"),
        ("x509", "gpg.x509.program"),
    ],
)
@pytest.mark.parametrize("program", ["no-such-program", "./no/such", "/no/such"])
def test_a_program_for_signatures_that_is_not_there(
    vault: Desk, form: str | None, key: str, program: str
) -> None:
    vault.git("config", "commit.gpgsign", "true")
    if form:
        vault.git("config", "gpg.format", form)
    vault.git("config", key, program)
    found = of_code(vault, "git.signing")
    assert found["severity"] == "error"
    assert f"{program} is not there" in found["message"]
    (line,) = commands(found)
    vault.at("..").type(line)
    assert wanting(vault) == []
    vault.ok("new", "memory", "tea", "--title", "Tea", "--commit")


def test_a_program_for_signatures_that_is_there(vault: Desk) -> None:
    vault.git("config", "commit.gpgsign", "true")
    vault.git("config", "gpg.program", "sh")
    assert "git.signing" not in wanting(vault)
