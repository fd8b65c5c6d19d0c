"""Every file name below a folder of the vault, records or not, for those who look beside records.

Never through a symbolic link, the folder that is asked for included: behind one lie files that are
not the vault's. Reads no file. The records themselves are `vault.snapshot`'s.
"""

import os
from collections.abc import Iterator
from pathlib import Path


def walked(root: Path, folder: str, *, hidden: bool = True) -> Iterator[tuple[str, list[str]]]:
    """Yield each folder at or below `folder` (relative to the vault) with the sorted names in it.

    Names of folders are left out. Without `hidden` folders whose names begin with a dot are not
    entered. Folders that are absent or cannot be read are empty: `snapshot` says so of them.
    """
    if is_linked(root, folder):
        return
    for place, folders, names in os.walk(root / folder):
        folders[:] = sorted(name for name in folders if hidden or not name.startswith("."))
        yield os.path.relpath(place, root).replace(os.sep, "/"), sorted(names)


def is_linked(root: Path, folder: str) -> bool:
    """Return whether a folder of the vault is a symbolic link, or lies behind one."""
    parts = folder.split("/")
    places = (root.joinpath(*parts[:end]) for end in range(1, len(parts) + 1))
    return any(map(os.path.islink, places))
