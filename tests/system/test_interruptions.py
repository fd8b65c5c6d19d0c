"""Signals, sent by doll to itself at chosen moments: it ends quietly and leaves nothing behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.listing import names

pytestmark = pytest.mark.sampled(4)

# Sends a signal where a module is looked for, a file is flushed, or at the very end.
SCRIPT = """
import atexit, importlib.abc, os, signal, sys, weakref
number, moment = int(sys.argv[1]), sys.argv[2]
class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == moment:
            os.kill(os.getpid(), number)
sys.meta_path.insert(0, Finder())
flush = os.fsync
def fsync(descriptor):
    if moment == "fsync":
        os.kill(os.getpid(), number)
    flush(descriptor)
os.fsync = fsync
if moment == "exit":
    atexit.register(os.kill, os.getpid(), number)
if moment == "callback":
    import doll.cli.list as module
    found = module.now
    class Thing: pass
    def now():
        weakref.finalize(thing := Thing(), os.kill, os.getpid(), number)
        del thing
        return found()
    module.now = now
if moment == "ignored":
    signal.signal(number, signal.SIG_IGN)
    moment = "click"
sys.argv = ["doll", *sys.argv[3:]]
from doll.__main__ import main
main()
"""


def run(folder: Path, number: int, moment: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SCRIPT, str(number), moment, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("number", [1, 2, 15])
@pytest.mark.parametrize(
    "moment",
    ["doll.cli", "click", "doll.cli.boundary", "doll.cli.list", "yaml", "msgspec", "callback"],
)
def test_while_a_command_reads(desk: Desk, number: int, moment: str) -> None:
    found = run(desk.root, number, moment, "list")
    assert (found.returncode, found.stdout) == (128 + number, "")
    assert found.stderr.strip() in ("", "doll: interrupted")


@pytest.mark.parametrize("number", [1, 2, 15])
def test_while_a_command_writes(desk: Desk, number: int) -> None:
    before = desk.files()
    found = run(desk.root, number, "fsync", "new", "memory", "x", "--title", "x")
    assert found.returncode == 128 + number
    assert found.stderr.strip() in ("", "doll: interrupted")
    assert desk.files() == before
    assert all(not name.startswith(".doll-new") for name in names(desk.root / "confirmed"))


@pytest.mark.parametrize("number", [1, 2, 15])
def test_after_the_end(desk: Desk, number: int) -> None:
    found = run(desk.root, number, "exit", "list")
    assert (found.returncode, found.stderr) == (128 + number, "")
    assert "atlas" in found.stdout


@pytest.mark.parametrize("number", [1, 2, 15])
def test_a_signal_that_is_ignored_stays_so(desk: Desk, number: int) -> None:
    found = run(desk.root, number, "ignored", "list")
    assert (found.returncode, found.stderr) == (0, "")
    assert "atlas" in found.stdout
