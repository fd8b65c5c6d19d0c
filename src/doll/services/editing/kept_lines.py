"""The lines to type for a text of an editor that is kept: whatever became of its record meanwhile.

A text is held against the record of today where there is one. Else its lines show it and put it
back, and none takes the only copy away. Looks at names, writes nothing.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from doll.records.digest import sha256
from doll.services.opening import Vault
from doll.services.reading import referring
from doll.vault import files
from doll.vault.layout import record_id
from doll.vault.obstacles import moving_away
from doll.vault.typed import typed


def named_now(vault: Vault, path: str) -> str:
    """Return where the record is that was at `path`: there, or where its former id leads to."""
    if os.path.lexists(vault.root / path):
        return path
    found = referring.load(vault).named(record_id(path))
    return found[0].path if len(found) == 1 else path


def is_as_it_was(root: Path, path: str, data: bytes) -> bool:
    """Return whether a record is there, not behind a link, and holds these bytes."""
    return _is_file(root, path) and files.read_as(root, path, sha256(data)) is not None


def comparing(vault: Vault, path: str, kept: Path) -> list[str]:
    """Return the lines for a text whose record has changed, or is elsewhere, or gone."""
    path = named_now(vault, path)
    place, name = vault.root / path, typed(record_id(path))
    if not _is_file(vault.root, path):
        return [*returning(vault.root, path, kept)]
    if not os.access(place, os.R_OK):
        return [
            f"chmod u+rw -- {typed(str(place))}    if it is yours",
            f"doll edit {name} --resume    goes on with your text",
        ]
    return [
        f"diff {typed(str(place))} {typed(str(kept))}    shows the difference",
        f"doll edit {name}    to take over what you want of it; then: rm {typed(str(kept))}",
    ]


def returning(root: Path, path: str, kept: Path) -> Iterator[str]:
    """Yield the lines that show a text, and put it where its record was, which is no file now.

    What stands there, or is no folder above it, is moved away, under a name that is none of a
    record.
    """
    yield f"cat -- {typed(str(kept))}    shows the text"
    place, link = root / path, _link_above(root, path)
    name = typed(record_id(path))
    if link is not None:
        yield f"# {typed(str(link))} is a symbolic link: put the folder itself there, then"
        yield f"doll edit {name} --resume    goes on with the text"
        return
    line = f"cp -n -- {typed(str(kept))} {typed(str(place))}    puts it back as the record"
    file = _file_above(root, path)
    if file is None and os.path.lexists(place):
        line = f"{moving_away(place)} && {line}"
    elif not os.path.isdir(place.parent):  # noqa: PTH112 - never raises
        line = f"mkdir -p -- {typed(str(place.parent))} && {line}"
    yield line if file is None else f"{moving_away(file)} && {line}"


def _is_file(root: Path, path: str) -> bool:
    try:
        return _link_above(root, path) is None and stat.S_ISREG((root / path).lstat().st_mode)
    except OSError:
        return False


def _link_above(root: Path, path: str) -> Path | None:
    """Return the first symbolic link on the way to a path of the vault, None for none."""
    return next((each for each in _above(root, path) if os.path.islink(each)), None)  # noqa: PTH114


def _file_above(root: Path, path: str) -> Path | None:
    """Return the first thing on the way to a path of the vault that is no folder, None for none."""
    there = (each for each in _above(root, path) if os.path.lexists(each))
    return next((each for each in there if not os.path.isdir(each)), None)  # noqa: PTH112


def _above(root: Path, path: str) -> Iterator[Path]:
    """Yield the folders on the way to a path of the vault, from the vault's own on."""
    return (root / part for part in reversed(Path(path).parents))
