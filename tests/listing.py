"""What lies in a folder, as a value to compare."""

from pathlib import Path

from doll.vault.temporary import TEMPORARY


def listing(root: Path) -> dict[str, bytes]:
    """Return every file below a folder, temporary ones too."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def without_temporary(found: dict[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in found.items() if TEMPORARY not in path}


def names(folder: Path) -> list[str]:
    """Return the names in a folder, sorted."""
    return sorted(place.name for place in folder.iterdir())
