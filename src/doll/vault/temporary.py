"""Temporary files beside the place of what is being written, named so that they can be told apart.

The name carries the process that writes it. `doll.vault.leftovers` removes what a killed one left.
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from doll.vault import disk

TEMPORARY = ".doll-new-"
_NAME = re.compile(rf"{re.escape(TEMPORARY)}([0-9]+)-[0-9a-f]{{12}}")


def name() -> str:
    """Return a new name."""
    return f"{TEMPORARY}{os.getpid()}-{os.urandom(6).hex()}"


def process_of(found: str) -> int | None:
    """Return the process that gave something this name; None where it is no temporary name."""
    match = _NAME.fullmatch(found) if found.startswith(TEMPORARY) else None
    return int(match[1]) if match else None


def write_beside(
    place: Path, *parts: bytes | memoryview, mode: int = 0o666, flush: bool = True
) -> Path:
    """Write a new file in the folder of `place`, and return it; nothing is left where that fails.

    With `flush` its bytes are on the disk by then. Raises OSError.
    """
    temporary = place.parent / name()
    descriptor = disk.open_new(temporary, mode)
    try:
        fill(descriptor, *parts, flush=flush)
    except BaseException:
        discard(temporary)
        raise
    return temporary


def fill(descriptor: int, *parts: bytes | memoryview, flush: bool = True) -> None:
    """Write all parts to a new file, flushed to the disk if wished, and close it."""
    try:
        for part in parts:
            disk.write(descriptor, part)
        if flush:
            disk.flush(descriptor)
    finally:
        os.close(descriptor)


def discard(temporary: Path) -> None:
    """Remove a temporary file, if it is there and can be removed."""
    with suppress(OSError):
        disk.remove(temporary)
