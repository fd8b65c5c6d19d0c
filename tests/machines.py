"""Three clones of a vault and the bare repository between them, as three machines would be.

Commands run in this process, so that a step costs what git costs; a kill needs a child.
"""

import contextlib
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from doll.cli import run
from doll.vcs.porcelain import running
from tests import children
from tests.desk import Result, make_vault
from tests.gitbox import git
from tests.recall_vault import agrees

CLONES = ("desk", "lap", "shed")


def run_in(folder: Path, *arguments: str, stdin: bytes = b"") -> Result:
    """Run `doll` in a folder and return what it left."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with (
        contextlib.chdir(folder),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run(arguments)
    printed = [_text(stream) for stream in (out, err)]
    assert code != 70, printed
    assert "Traceback" not in printed[1]
    return Result(code, *printed)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()


class Machines:
    """Clones in `folder`, each by its name, and what must never be lost of them.

    `entries` are the experience files that were written, with their bytes; `kept` the titles of
    memories that nobody removed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hub = folder / "hub.git"
        self.entries: dict[str, bytes] = {}
        self.kept: set[str] = set()
        make_vault(folder / CLONES[0])
        git(folder, "clone", "-q", "--bare", CLONES[0], str(self.hub))
        git(folder / CLONES[0], "remote", "add", "origin", str(self.hub))
        git(folder / CLONES[0], "fetch", "-q", "origin")
        git(folder / CLONES[0], "branch", "-q", "-u", "origin/main")
        for name in CLONES[1:]:
            git(folder, "clone", "-q", str(self.hub), name)

    def doll(self, name: str, *arguments: str, stdin: bytes = b"") -> Result:
        """Run `doll` on one machine."""
        return run_in(self.folder / name, *arguments, stdin=stdin)

    def git(self, name: str, *arguments: str, code: int | None = 0) -> str:
        """Run git on one machine."""
        return git(self.folder / name, *arguments, code=code)

    def log(self, name: str, summary: str, *options: str) -> None:
        """Record an attempt, and remember that it must not be lost."""
        done = self.doll(name, "log", "attempt", summary, "--project", "atlas", *options)
        # In the middle of a conflict the project has both versions in it.
        if done.code and self.merging(name) and "cannot be read" in done.err:
            return
        assert done.code == 0, done.err
        path = done.out.splitlines()[0].strip()
        self.entries[path] = (self.folder / name / path).read_bytes()

    def sync(self, name: str) -> Result:
        """Sync one machine; what it says of itself must be true."""
        done = self.doll(name, "sync", "--json")
        assert done.code in (0, 1, 5, 7), done.err
        if done.code == 0:
            assert json.loads(done.out)["schema"] == "doll.sync/1"
            assert self.git(name, "rev-parse", "HEAD") == git(self.hub, "rev-parse", "main")
        return done

    def sync_killed(self, name: str, after: int) -> None:
        """Sync one machine, killed at the git command number `after` that writes."""
        real: Callable[..., Any] = running.execute
        calls = iter(range(1000))

        def dying(*given: Any, **named: Any) -> Any:
            if next(calls) >= after:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*given, **named)

        def killed() -> int:
            with mock.patch.object(running, "execute", dying):
                return self.doll(name, "sync").code

        (ended,) = children.run(killed)
        assert ended.error is None, ended.error

    def merging(self, name: str) -> bool:
        """Tell whether a merge waits on a machine."""
        return (self.folder / name / ".git" / "MERGE_HEAD").exists()

    def resolve(self, name: str, side: str) -> None:
        """End a conflict as a person would: take one side whole, else what there is."""
        for path in self.git(name, "diff", "--name-only", "--diff-filter=U", "-z").split("\0"):
            if not path:
                continue
            git(self.folder / name, "checkout", "-q", f"--{side}", "--", path, code=None)
            if (self.folder / name / path).exists():
                self.git(name, "add", "--", path)
            else:
                self.git(name, "rm", "-q", "--cached", "--ignore-unmatch", "--", path)

    def settle(self) -> None:
        """Sync all machines, conflicts resolved, until there is nothing left to do."""
        for turn in range(8):
            done = [self._settled(name) for name in CLONES]
            heads = {self.git(name, "rev-parse", "HEAD") for name in CLONES}
            if turn and len(heads) == 1 and not any(each.code for each in done):
                return
        raise AssertionError(f"the machines do not come together: {done}, {heads}")

    def _settled(self, name: str) -> Result:
        if self.merging(name):
            self.resolve(name, "ours")
            done = self.doll(name, "sync", "--continue")
            if done.code == 5 and "no part of the merge" in done.err:
                # What was renamed or approved meanwhile is staged: the line that says how to go on.
                line = next(line for line in done.err.splitlines() if " restore --staged " in line)
                subprocess.run(["sh", "-c", line], check=True, capture_output=True)
                done = self.doll(name, "sync", "--continue")
            return done
        done = self.sync(name)
        if done.code == 5 and "git merges only without" in done.out:  # staged, and gone from disk
            self.git(name, "restore", "--staged", ".")
        if done.code == 5 and "a merge was cut off" in done.err:  # and its files edited since
            line = next(line for line in done.err.splitlines() if " add -- " in line)
            keep = line.partition("    keeps")[0].replace(" commit ", " commit -qm kept ")
            subprocess.run(["sh", "-c", keep], check=True, capture_output=True)
        self._settle_held(name, done)
        return done

    def _settle_held(self, name: str, done: Result) -> None:
        """Settle what a sync held back, as a person would.

        What was kept under its old name here and renamed there goes; what was edited or removed
        after a sync that was killed between `git add` and `git commit` is taken as it is on disk.
        """
        report = json.loads(done.out) if done.code and done.out.startswith('{\n  "aside"') else {}
        found = [*report.get("held", ()), *((report.get("stop") or {}).get("problems") or ())]
        for problem in found:
            if problem["code"] == "id.duplicate" and "/Renamed " not in problem["path"]:
                (self.folder / name / problem["path"]).unlink(missing_ok=True)
            word = {"sync.staged": " add --all ", "sync.needs": " restore --staged "}
            lines = [line.partition("    ")[0] for line in problem["hint"].splitlines()]
            for line in lines:
                if word.get(problem["code"], "\n") in line:
                    subprocess.run(["sh", "-c", line], check=True, capture_output=True)

    def hold(self) -> None:
        """Hold every machine to having lost nothing."""
        for name in CLONES:
            root = self.folder / name
            there = {path: (root / path).read_bytes() for path in self.entries}
            assert there == self.entries
            texts = [path.read_text() for path in (root / "confirmed").rglob("*.md")]
            assert {title for title in self.kept if not any(title in t for t in texts)} == set()
            assert agrees(root)
            assert self.git(name, "status", "--porcelain") == ""
            done = self.doll(name, "verify")
            assert done.code == 0, done.out + done.err


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes as a review is told it."""
    return hashlib.sha256(data).hexdigest()
