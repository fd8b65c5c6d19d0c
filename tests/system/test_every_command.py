"""No record on disk, no vault, an unmounted or an unreadable one: every command refuses, exit 3.

The commands are those that the command line has: a new one is held to it without a further word.
"""

import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from doll.vault.layout import LOCAL_AREAS
from tests import children
from tests.commands import Called, every_command
from tests.desk import Desk, Result
from tests.footprint import contents
from tests.gitbox import make
from tests.ordinary import obey, ordinary

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

# They need no vault, make one, or speak of hooks, which must go where the vault is gone.
WITHOUT_A_VAULT = {"init", "schema", "tour"}
OF_HOOKS = {"hooks run", "hooks status", "hooks uninstall"}
# It says what is wrong with a vault, which one that cannot be used is.
DIAGNOSING = {"doctor"}
COMMANDS = [
    called
    for called in every_command()
    if called.name not in {*WITHOUT_A_VAULT, *OF_HOOKS, *DIAGNOSING}
]
LIMIT = 60


@pytest.fixture(autouse=True)
def limit() -> Iterator[None]:
    """End a command that goes on and on, such as one that watches what it should refuse."""

    def end(*_: object) -> None:
        raise TimeoutError("the command did not end")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(LIMIT)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A file to import."""
    place = tmp_path / "file.md"
    place.write_text("# A note\n")
    return str(place)


Break = Callable[[Path], None]


def _no_record(root: Path) -> None:
    for area in LOCAL_AREAS:
        shutil.rmtree(root / area, ignore_errors=True)


def _missing(root: Path) -> None:
    shutil.rmtree(root)


def _unmounted(root: Path) -> None:
    shutil.rmtree(root)
    root.mkdir()


BROKEN: dict[str, Break] = {
    "no record": _no_record,
    "missing": _missing,
    "unmounted": _unmounted,
}


def refused(called: Called, result: Result) -> None:
    said = result.out + result.err
    assert result.code == 3, f"doll {called.name}: exit {result.code}: {said}"
    assert said.strip(), f"doll {called.name} refused without a word"


@pytest.fixture
def beside(desk: Desk) -> Desk:
    """A code repository beside the vault `notes`."""
    return desk.at(str(make(desk.root.parent / "code")))


@pytest.mark.parametrize("how", ["--vault", "DOLL_VAULT", "git config doll.vault"])
@pytest.mark.parametrize("kind", BROKEN)
def test_every_command_refuses(beside: Desk, kind: str, how: str, file: str) -> None:
    vault = beside.root.parent / "notes"
    BROKEN[kind](vault)
    if how == "DOLL_VAULT":
        beside = beside.under(DOLL_VAULT=str(vault))
    if how == "git config doll.vault":
        beside.git("config", "doll.vault", "../notes")
    before = _kept(beside.root.parent)
    for called in COMMANDS:
        option = ("--vault", "../notes") if how == "--vault" else ()
        refused(called, beside.doll(*called.words(file), *option))
        assert _kept(beside.root.parent) == before, called.name


def _kept(root: Path) -> dict[str, str]:
    return contents(root, ("notes/.doll/cache", "notes/.git/doll"))


def test_in_the_folder_itself(desk: Desk, file: str) -> None:
    _no_record(desk.root)
    for called in COMMANDS:
        refused(called, desk.doll(*called.words(file)))


def test_a_folder_of_a_code_repository_that_is_empty(mixed: Desk, file: str) -> None:
    """As where a disk is not mounted: git still has all of it."""
    _unmounted(mixed.root / "notes")
    for called in COMMANDS:
        for desk in (mixed, mixed.at("notes")):
            refused(called, desk.doll(*called.words(file)))


# A `.git` that is closed is a fault of git (exit 7), see `test_damaged_places`.
UNREADABLE = ("", "authority", "authority/projects")


@pytest.mark.parametrize("path", UNREADABLE)
def test_what_permissions_hide(beside: Desk, path: str, file: str) -> None:
    ordinary(beside.root.parent)  # skipped where permissions stop nobody
    place = beside.root.parent / "notes" / path
    mode = place.stat().st_mode
    beside = beside.under(DOLL_VAULT=str(beside.root.parent / "notes"))

    def run() -> list[Result]:
        obey()
        return [beside.doll(*called.words(file)) for called in COMMANDS]

    place.chmod(0)
    (ended,) = children.run(run)
    place.chmod(mode)
    assert ended.error is None, ended.error
    for called, result in zip(COMMANDS, ended.result, strict=True):
        refused(called, result)
        assert "Permission denied" in result.out + result.err, called.name


@pytest.mark.parametrize("kind", BROKEN)
def test_hooks_say_that_nothing_was_checked(code: Desk, kind: str) -> None:
    BROKEN[kind](code.root.parent / "notes")
    code.put("src/a.py", "a = 1\n")
    code.git("add", "-A")
    hook = code.doll("hooks", "run", "pre-commit")
    assert "NOT CHECKED" in hook.out + hook.err
    status = code.doll("hooks", "status")
    assert (status.code, "NOT CHECKED" in status.err) == (1, True)
    assert code.doll("doctor").code in (1, 3)
    code.ok("hooks", "uninstall")


def test_a_vault_that_head_has_is_not_made_again(desk: Desk) -> None:
    _no_record(desk.root)
    (desk.root / "doll.yaml").unlink()
    said = desk.refused(3, "init")
    assert "is gone, and HEAD has it" in said
