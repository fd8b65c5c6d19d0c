"""Eight writers and eight readers at once: nobody sees a traceback, an answer is never wrong."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.desk import Desk
from tests.recall_vault import agrees, ids, memory

DOLL = [sys.executable, "-m", "doll"]
# Done; changed by another in between; the lock is held.
_EXPECTED = (0, 5, 6)


class Ran(NamedTuple):
    """What one process left."""

    code: int
    out: str
    err: str


def _doll(root: Path, *arguments: str, **variables: str) -> Ran:
    done = subprocess.run(
        [*DOLL, *arguments],
        cwd=root,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


class _Crowd:
    """What writers wrote and readers saw, until the time is over."""

    def __init__(self, root: Path, seconds: float) -> None:
        self.root, self.until = root, time.monotonic() + seconds
        self.failures: list[Ran] = []
        self.logged: set[str] = set()
        self.edited: dict[int, int] = {}
        self.answers = 0
        self.lock = threading.Lock()

    def write(self, number: int) -> None:
        turn = 0
        while time.monotonic() < self.until:
            turn += 1
            if turn % 3:
                self._log(number, turn)
            else:
                self._edit(number, turn)

    def read(self, number: int) -> None:
        while time.monotonic() < self.until:
            ran = _doll(self.root, "recall", f"zebra writer{number}", "--json", "--limit", "1000")
            if ran.code != 0 or "Traceback" in ran.err:
                self.failures.append(ran)
                continue
            self.answers += 1
            found = [hit["id"] for hit in json.loads(ran.out)["hits"]]
            if len(found) != len(set(found)) or not {f"m{n}" for n in range(8)} <= set(found):
                self.failures.append(ran)

    def _log(self, number: int, turn: int) -> None:
        said = f"zebra writer{number} turn{turn}"
        ran = _doll(self.root, "log", "attempt", said, "--project", "atlas", "--outcome", "worked")
        self._judge(ran)
        if ran.code == 0:
            with self.lock:
                self.logged.add(Path(ran.out.strip()).stem)

    def _edit(self, number: int, turn: int) -> None:
        """Append a line to a memory of this writer's own, as an editor would."""
        line = f"zebra edit{turn}"
        editor = f"{sys.executable} -c \"import sys; open(sys.argv[1], 'a').write('{line}\\n')\""
        ran = _doll(self.root, "edit", f"m{number}", VISUAL=editor, EDITOR=editor)
        self._judge(ran)
        if ran.code == 0:
            self.edited[number] = turn

    def _judge(self, ran: Ran) -> None:
        if ran.code not in _EXPECTED or "Traceback" in ran.err:
            self.failures.append(ran)


def _crowd(desk: Desk, people: int, seconds: float) -> _Crowd:
    project = "---\nschema: doll/project/1\ntitle: Atlas\nstatus: active\n---\n"
    desk.put("authority/projects/atlas.md", project)
    for n in range(8):
        desk.put(f"confirmed/m{n}.md", memory(f"Zebra {n}", f"writer{n}"))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "zebras")
    crowd = _Crowd(desk.root, seconds)
    threads = [threading.Thread(target=crowd.write, args=(n,)) for n in range(people)]
    threads += [threading.Thread(target=crowd.read, args=(n,)) for n in range(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return crowd


def _check(desk: Desk, crowd: _Crowd) -> None:
    assert crowd.failures == []
    assert crowd.answers
    assert crowd.logged
    found = ids(desk.root, "zebra")
    assert crowd.logged <= set(found)
    assert len(found) == len(set(found))
    for number, turn in crowd.edited.items():
        assert f"zebra edit{turn}\n" in (desk.root / f"confirmed/m{number}.md").read_text()
    assert agrees(desk.root)
    assert not list(desk.root.rglob(".doll-new-*"))


def test_two_writers_and_two_readers(desk: Desk) -> None:
    _check(desk, _crowd(desk, 2, 1.5))


@pytest.mark.soak
def test_eight_writers_and_eight_readers(desk: Desk) -> None:
    crowd = _crowd(desk, 8, 20.0)
    _check(desk, crowd)
    assert crowd.edited
