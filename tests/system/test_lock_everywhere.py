"""While one process writes: every writer is told so and changes nothing, every reader goes on."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from doll.vault import lock
from tests.children import run
from tests.desk import Desk
from tests.flows import FLOWS, READS, Flow, make_world
from tests.footprint import contents
from tests.system.test_lock import end, held_by_a_child

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

# They write no file of the vault: lines that are added to a log, files elsewhere, hooks.
WITHOUT_THE_LOCK = {
    "init",
    "feedback",
    "export pam",
    "export pam over",
    "hooks install",
    "hooks uninstall",
    "tour",
}
WRITERS = [name for name in FLOWS if name not in WITHOUT_THE_LOCK]
# A watcher does not end by itself.
READERS = [name for name in READS if name != "watch"]
OWN = tuple(
    f"{vault}/{own}" for vault in ("notes", "laptop") for own in (".doll/cache", ".git/doll")
)


class World:
    """The world of the flows, with its values."""

    def __init__(self, folder: Path, values: Mapping[str, str]) -> None:
        self.folder = folder
        self.values = values


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A world in which a process holds the lock of each vault, from now on."""
    folder = tmp_path_factory.mktemp("world")
    values = make_world(folder)
    holders = [held_by_a_child(folder / name / ".git/doll") for name in ("notes", "laptop")]
    yield World(folder, values)
    for holder in holders:
        end(holder)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait for a lock."""
    for taken in (lock.writing, lock.syncing):
        monkeypatch.setattr(taken.__wrapped__, "__defaults__", (0.0,))  # type: ignore[attr-defined]


def desk_of(world: World, flow: Flow, capsys: pytest.CaptureFixture[str]) -> Desk:
    variables = {name: value.format_map(world.values) for name, value in flow.variables.items()}
    return Desk(world.folder / flow.folder, capsys, variables)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", [name for name in WRITERS if not FLOWS[name].before])
def test_a_writer_is_told_who_writes(
    world: World, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flow = FLOWS[name]
    desk = desk_of(world, flow, capsys)
    before = contents(world.folder, OWN)
    result = desk.doll(*flow.words(world.values), stdin=flow.stdin)
    assert result.code == 6, result.err
    assert "another doll process is writing to this vault (process " in result.err
    assert contents(world.folder, OWN) == before


@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_no_lock(
    world: World, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flow = READS[name]
    result = desk_of(world, flow, capsys).doll(*flow.words(world.values), stdin=flow.stdin)
    assert result.code in (0, 1), result.err
    assert "another doll" not in result.err


@pytest.mark.parametrize("name", sorted(WITHOUT_THE_LOCK - {"tour"}))
def test_what_writes_elsewhere_takes_none(
    world: World, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flow = FLOWS[name]
    (ended,) = run(lambda: desk_of(world, flow, capsys).doll(*flow.words(world.values)))
    assert ended.result.code == 0, ended.result.err


def test_ten_seconds_are_waited(tmp_path: Path) -> None:
    assert lock.PATIENCE == 10.0
    for taken in (lock.writing, lock.syncing):
        assert taken.__wrapped__.__defaults__ == (lock.PATIENCE,)  # type: ignore[attr-defined]

    def hold() -> None:
        with lock.writing(tmp_path):
            time.sleep(1.0)

    def write() -> float:
        while not (tmp_path / "lock.holder").exists():
            time.sleep(0.01)
        with lock.writing(tmp_path):
            return time.monotonic()

    ended = run(hold, write)
    assert [each.error for each in ended] == [None, None]
