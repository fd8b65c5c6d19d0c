"""The crash log: versions and the places of the call stack, never the text of records."""

import os
import platform
import traceback
from pathlib import Path

from doll import __version__


def write_log(error: Exception) -> Path | None:
    """Write a log to `$XDG_STATE_HOME/doll/` and return its path, or None when that fails.

    Values, messages and source lines are left out: they can hold what records say.
    """
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    frames = traceback.extract_tb(error.__traceback__)
    lines = [
        f"doll {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"{type(error).__module__}.{type(error).__qualname__}",
        *(f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames),
    ]
    try:
        from doll.vault import leftovers, own_files

        place = Path(state) / "doll" / f"crash-{os.getpid()}.log"
        leftovers.remove_dead(place.parent)
        own_files.put(place, ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace"))
    except OSError:
        return None
    return place
