"""doll run as permissions stop it: root reads and writes everything, and others do not."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2


class Ordinary:
    """A user in a folder whom permissions stop, as they stop everyone but root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def doll(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `doll` in the folder."""
        return self.run(sys.executable, "-m", "doll", *arguments)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a program in the folder."""
        return subprocess.run(
            command,
            cwd=self.folder,
            preexec_fn=_obey if os.geteuid() == 0 else None,
            capture_output=True,
            text=True,
            check=False,
        )


def ordinary(folder: Path) -> Ordinary:
    """Return such a user; the test is skipped where permissions stop nobody."""
    user = Ordinary(folder)
    closed = folder / "closed"
    closed.write_text("")
    closed.chmod(0)
    found = user.run("cat", "closed")
    closed.unlink()
    if found.returncode == 0:
        pytest.skip("permissions do not stop this user")
    return user


def _obey() -> None:
    """Give up what lets root pass over permissions, in this process and what it starts."""
    libc = ctypes.CDLL(None)
    for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
