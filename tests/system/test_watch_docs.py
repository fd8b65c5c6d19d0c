"""The console blocks of docs/watch.md are what doll prints, and its numbers and keys the code's."""

import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from doll.reconcile import hints
from doll.services.watching import flow, standing
from doll.vault import heartbeat
from tests.desk import Desk
from tests.recall_vault import memory
from tests.watcher import HANG, until, watching

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "watch.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n\$ doll (\w+)\n(.*?)```", PAGE, re.DOTALL)
BROKEN, MENDED = "---\ntitle: Tea: green\n---\n", '---\ntitle: "Tea: green"\n---\n'


@pytest.fixture
def notes(desk: Desk) -> Desk:
    """A vault with one memory and nothing else."""
    desk.git("rm", "-rq", "authority")
    desk.put("confirmed/espresso.md", memory("Espresso"))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "one")
    return desk


def test_the_blocks(notes: Desk) -> None:
    assert [name for name, _ in BLOCKS] == ["watch", "status"]
    process = subprocess.Popen(
        [sys.executable, "-m", "doll", "watch"],
        cwd=notes.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    printed = [process.stdout.readline() for _ in range(2)]
    for text, lines in ((BROKEN, 4), (MENDED, 2)):
        notes.put("confirmed/tea.md", text)
        printed += [process.stdout.readline() for _ in range(lines)]
    until(lambda: ": current" in notes.ok("status").out)
    process.send_signal(signal.SIGINT)
    printed.append(process.stdout.read())
    assert process.wait(HANG) == 0
    assert _said("".join(printed), notes) == BLOCKS[0][1]
    with watching(notes.root) as watcher:
        until(lambda: "current" in notes.ok("status").out)
        watcher.end(signal.SIGKILL)
        assert _said(notes.ok("status").out, notes) == BLOCKS[1][1]


def _said(text: str, notes: Desk) -> str:
    text = text.replace(str(notes.root), "/home/ada/notes")
    text = re.sub(r"(?<=at )[0-9a-f]{12}", "1f2e3d4c5b6a", text)
    return re.sub(r"(?<=process )\d+", "4242", text)


def test_the_numbers() -> None:
    assert (hints.QUIET, hints.AT_MOST) == (0.5, 5.0)
    assert (flow.LISTENING, flow.LISTENING_SHARE) == (60.0, 200)
    assert (flow.INTERVAL, flow.AGAIN, heartbeat.EVERY) == (2.0, 5.0, 5.0)
    assert (standing._SILENT, standing._SLOW) == (15.0, 30.0)


def test_the_states() -> None:
    assert [each for each in get_args(standing.State) if f"`{each}`" not in PAGE] == []
    keys = standing.Standing._fields
    assert [each for each in keys if f"`{each}`" not in PAGE] == []


def test_the_keys(notes: Desk) -> None:
    with watching(notes.root) as watcher:
        for line in watcher.lines:
            assert line.pop("schema") == "doll.watch/1"
            assert f"| `{line.pop('event')}` |" in PAGE
            assert [key for key in line if f"`{key}`" not in PAGE] == []
