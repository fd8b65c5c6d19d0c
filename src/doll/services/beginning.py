"""The first commit of a vault: the lines that make it, and whether there was a history before.

A first commit accepts everything below `authority/` as it lies there. Where a history is only out
of reach, what was never accepted, or was taken back, would count from then on.
"""

import os
import shlex
from pathlib import Path

from doll.vault import layout

BRING_BACK = "# bring it back: mount its disk, or clone the vault again"
_ANEW = "# a new history accepts everything under authority/ as it lies there: "


def was_begun(root: Path) -> bool:
    """Return whether doll was at work in a vault before: nothing is cached without a commit."""
    try:
        os.lstat(root / layout.CACHE)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass  # it is there, and may not be looked at
    return True


def lines(root: Path, *before: str) -> str:
    """Return the lines that make the first commit, those of `before` going before them.

    Where there was a history the first line brings that back, and the others are not to be typed.
    """
    git = f"git -C {shlex.quote(str(root))}"
    typed = (*before, f'{git} add -A . && {git} commit -m "Start the vault"')
    if was_begun(root):
        return f"{BRING_BACK}\n{_ANEW}{' && '.join(typed)}"
    return "\n".join(typed)
