"""doll run as permissions stop it: root reads and writes everything, and others do not."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2
_CAPABILITY_VERSION = 0x20080522  # linux/capability.h, version 3


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
            preexec_fn=obey if os.geteuid() == 0 else None,
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


def obey() -> None:
    """Give up what lets root pass over permissions, in this process and what it starts."""
    if os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    head = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()
    if libc.capget(head, sets):
        raise OSError(ctypes.get_errno(), "capget")
    keep = ~(1 << _CAP_DAC_OVERRIDE | 1 << _CAP_DAC_READ_SEARCH)
    for place in range(3):  # effective, permitted, inheritable; the other three are of high numbers
        sets[place] &= keep
    if libc.capset(head, sets):
        raise OSError(ctypes.get_errno(), "capset")
