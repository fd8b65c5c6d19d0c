"""A large index is read by two processes: what one alone would make, and nothing stays behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from doll.reconcile import sharing
from doll.reconcile.refreshing import clean, refresh
from doll.vault.snapshot import scan
from tests.desk import Desk
from tests.recall_vault import agrees, content, entry, memory, site

pytestmark = pytest.mark.sampled(4)


@pytest.fixture
def filled(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Return a vault of 60 records that are many, on a machine with two processors."""
    for n in range(40):
        desk.put(f"confirmed/m{n:02}.md", memory(f"Espresso {n}", f"word{n} " * n))
        if n % 2:
            desk.put(f"experience/atlas/e{n:02}.md", entry(f"Tried {n}", "zebra"))
    desk.put("confirmed/broken.md", "---\na: [\n---\n")
    monkeypatch.setattr(sharing, "MANY", 20)
    monkeypatch.setattr(sharing, "STEP", 7)
    monkeypatch.setattr(sharing, "processors", lambda: 2)
    return desk


def _alone(desk: Desk) -> dict[str, object]:
    with mock.patch.object(sharing, "processors", return_value=1):
        return content(clean(site(desk.root)))


def _started() -> Any:
    """Return a stand-in for starting processes that keeps them."""
    made: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def start(*arguments: Any, **said: Any) -> "subprocess.Popen[bytes]":
        made.append(real(*arguments, **said))
        return made[-1]

    return made, mock.patch.object(subprocess, "Popen", start)


def test_two_make_what_one_makes(filled: Desk) -> None:
    made, starting = _started()
    told: list[tuple[int, int]] = []
    with starting:
        fresh = refresh(site(filled.root), lambda done, total: told.append((done, total)))
    others = [each for each in made if "doll.reconcile.worker" in each.args]
    assert len(others) == 1
    assert others[0].returncode is not None
    assert content(fresh) == _alone(filled)
    assert len(fresh.unreadable) == 1
    assert told == sorted(told)
    assert told[-1] == (61, 61)
    assert agrees(filled.root)


def test_many_changes_of_a_kept_index(filled: Desk) -> None:
    refresh(site(filled.root))
    for n in range(0, 40, 2):
        filled.put(f"confirmed/m{n:02}.md", memory(f"Camel {n}"))
        (filled.root / f"confirmed/m{n + 1:02}.md").unlink()
    assert content(refresh(site(filled.root))) == _alone(filled)
    assert agrees(filled.root)


def test_a_name_that_no_text_holds(filled: Desk) -> None:
    odd = os.fsencode(filled.root / "confirmed") + b"/\xff\xfe.md"
    try:
        Path(os.fsdecode(odd)).write_text(memory("Odd"))
    except OSError:
        pytest.skip("the file system takes no such name")
    fresh = refresh(site(filled.root))
    assert content(fresh) == _alone(filled)
    assert len(fresh.unreadable) == 2


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "command",
    [
        ("-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"),
        ("-c", "raise SystemExit(3)"),
        ("-c", "import sys; sys.stdout.buffer.write(b'\\x30' + b'\\0' * 7 + b'x' * 48)"),
        ("-c", "import sys; sys.stdout.buffer.write(b'\\x30' + b'\\0' * 7 + b'x')"),
        ("--no-such-option",),
    ],
)
def test_the_share_of_a_process_that_fails_is_read_here(
    filled: Desk, command: tuple[str, ...]
) -> None:
    with mock.patch.object(sharing, "_START", command):
        assert content(refresh(site(filled.root))) == _alone(filled)


def test_without_an_interpreter_one_process_does_it(filled: Desk) -> None:
    with mock.patch.object(sys, "executable", "/nowhere/python"):
        assert content(refresh(site(filled.root))) == _alone(filled)


def test_nothing_is_imported_from_the_folder_of_the_call(
    filled: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.put("msgspec.py", "open('/dev/stdout', 'w').write('trap')\nraise SystemExit(9)\n")
    filled.put("doll/__init__.py", "raise SystemExit(9)\n")
    monkeypatch.chdir(filled.root)
    with mock.patch.object(sharing, "_read", wraps=sharing._read) as reading:
        assert content(refresh(site(filled.root)))["rows"]
    assert reading.call_count == 1  # the other share was not read again


# A share that takes minutes: one file, again and again.
_LONG = """
import sys
from pathlib import Path
from doll.reconcile import sharing
from doll.reconcile.changes import Item
from doll.vault.snapshot import scan
root = Path(sys.argv[1])
(path, stamp), *_ = sorted(scan(root, ("confirmed",)).stamps.items())
share = sharing.Share(bytes(root), 1, [Item(path, stamp, "")] * 200_000)
other = sharing._Other(share, sharing._Told(1, None))
print(other._process.pid, flush=True)
other.part()
"""


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for a process in /proc")
def test_when_the_first_is_killed_the_other_ends(desk: Desk) -> None:
    desk.put("confirmed/m.md", memory("Espresso", "word " * 2000))
    command = [sys.executable, "-c", _LONG, str(desk.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        other = int(first.stdout.readline())
        assert _lives(other)
        time.sleep(0.5)  # let it be at work, or still importing
        first.kill()
    for _ in range(300):
        if not _lives(other):
            break
        time.sleep(0.1)
    else:
        os.kill(other, signal.SIGKILL)
        pytest.fail("the other process went on alone")
    assert [path.name for path in (desk.root / "confirmed").iterdir()] == ["m.md"]
    assert not (desk.root / ".doll" / "cache" / "recall").exists()
    assert scan(desk.root, ("confirmed",)).problems == ()
