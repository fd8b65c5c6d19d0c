"""A hook ends within its limit, whatever git starts, and stops by what it knows by then."""

from pathlib import Path

import pytest

from doll.cli import hook_run
from tests.desk import Desk
from tests.gitbox import make, put
from tests.signing import ADVISE, NEEDS_SSH, POLICY, Signer

pytestmark = NEEDS_SSH

MAP = 'actions:\n  - paths: ["a"]\n    actions: [db.drop]\n'
UNSURE = "there was no time to check every signature"


@pytest.fixture
def code(ada: Signer, tmp_path: Path) -> Desk:
    """A repository whose staged file `a` means the action that the vault denies."""
    ada.signed(("doll.yaml", ada.desk.read("doll.yaml") + MAP))
    make(tmp_path / "code")
    code = ada.desk.at("../code")
    code.ok("hooks", "install", "--vault", "../notes", "--project", "atlas")
    code.put("a", "a")
    code.git("add", "-A")
    return code


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program for signatures that never ends, nor what it starts, and notes each start."""
    monkeypatch.setattr(hook_run, "LIMIT", 2.2)
    notes = tmp_path / "started"
    notes.touch()
    text = f'#!/bin/sh\nsleep 3600 &\necho "$$ $!" >>{notes}\nwait\n'
    put(tmp_path, "slow", text).chmod(0o755)
    return notes


def _hang(ada: Signer, slow: Path) -> None:
    ada.desk.git("config", "gpg.ssh.program", str(slow.with_name("slow")))


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_what_git_started_is_ended(ada: Signer, code: Desk, slow: Path) -> None:
    _hang(ada, slow)
    ada.plain((POLICY, ADVISE))
    result = code.doll("hooks", "run", "pre-commit")
    assert result.code == 0, result.err
    assert UNSURE in result.err
    assert "Sign all as it stands" not in result.err
    started = [int(pid) for pid in slow.read_text(encoding="ascii").split()]
    assert started
    assert not [pid for pid in started if _is_running(pid)]
    code.git("config", "doll.strict", "true")
    assert code.doll("hooks", "run", "pre-commit").code == 1


def test_what_was_signed_before_still_stops(
    ada: Signer, code: Desk, slow: Path, tmp_path: Path
) -> None:
    """The answers of the cache are for this program, so it is the program that turns slow."""
    put(tmp_path, "slow", '#!/bin/sh\nexec ssh-keygen "$@"\n').chmod(0o755)
    _hang(ada, slow)
    assert "a policy denies this" in code.refused(1, "hooks", "run", "pre-commit")
    ada.signed((POLICY, ADVISE))
    put(tmp_path, "slow", f"#!/bin/sh\necho $$ >>{slow}\nexec sleep 3600\n")
    printed = code.refused(1, "hooks", "run", "pre-commit")
    assert "a policy denies this" in printed
    assert UNSURE in printed
    assert slow.read_text(encoding="ascii")
