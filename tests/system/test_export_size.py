"""Exports of real and of many memories: exact, in bounded time, with progress."""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from doll.cli import progress
from doll.services.exporting.asking import Asked
from doll.services.exporting.flow import Wish, export
from doll.services.opening import Place, open_vault
from tests.benchmarks.export_figures import write_reviewed
from tests.desk import make_vault
from tests.exports import approve_all, checked, exported, run, survives
from tests.foreign_desk import ForeignDesk

WISH = Wish("ada", Asked(everything=True), "1.2.3")


def test_every_stage_tells_how_far_it_is(tmp_path: Path) -> None:
    write_reviewed(tmp_path / "notes", 450)
    told: list[tuple[str, int, int]] = []
    vault = open_vault(Place(tmp_path / "notes", None, tmp_path))
    made = export(vault, WISH, lambda *step: told.append(step))
    assert made.report.counts.exported == 450
    stages = ("looking at", "reading", "encoding")
    assert told == [(stage, done, 450) for stage in stages for done in (0, 200, 400)]


@pytest.mark.parametrize(("quiet", "shown"), [(60.0, False), (-1.0, True)])
def test_on_a_terminal_it_shows_after_a_while(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, quiet: float, shown: bool
) -> None:
    with progress.exporting() as tell:
        tell("reading", 200, 50_000)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(progress, "_QUIET", quiet)
    with progress.exporting() as tell:
        tell("reading", 200, 50_000)
    out, err = capsys.readouterr()
    assert out == ""
    assert ("reading 200 of 50,000 memories" in err) == shown
    assert err == "" or err.endswith("\r")


def test_the_specification_s_example_there_and_back(
    foreign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = (foreign / "pam" / "example-memory-store.json").read_bytes()
    first = ForeignDesk(make_vault(tmp_path / "first" / "notes"), capsys)
    approve_all(first, data)
    store = run(first, "--all").out
    second = ForeignDesk(make_vault(tmp_path / "second" / "notes"), capsys)
    approve_all(second, store.encode())
    source = [survives(memory) for memory in json.loads(data)["memories"]]
    for document in (json.loads(store), exported(second, "--all")):
        assert sorted(map(survives, checked(document)["memories"])) == sorted(source)


@pytest.mark.soak
def test_fifty_thousand_memories(tmp_path: Path) -> None:
    """Held to 20 s of the processor's time: the wall clock of a loaded machine says nothing."""
    import portable_ai_memory

    write_reviewed(tmp_path / "notes", 50_000)
    time.sleep(2.5)  # what was written just now counts as racy and is read again
    out = tmp_path / "memory-store.json"
    command = ["export", "pam", "--all", "--owner", "ada", "--vault", str(tmp_path / "notes")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "doll", *command, "--out", str(out)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime <= 20
    assert len(checked(json.loads(out.read_bytes()))["memories"]) == 50_000
    loaded = portable_ai_memory.load(out)
    assert isinstance(loaded, portable_ai_memory.MemoryStore)
    assert len(loaded.memories) == 50_000
