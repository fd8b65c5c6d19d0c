"""Where the exact bytes of a source are kept in an import: names below `source/`. Pure."""

from collections.abc import Sequence

from doll.interchange.base import Document
from doll.interchange.pointers import join
from doll.records.names import fold
from doll.services.importing.names import safe_file_name

SOURCE = "source"


def places(names: Sequence[str], *, several: bool) -> list[str]:
    """Return the path below the import's folder for each file of a source.

    `several`: the names are paths in a folder, whose parts are kept. Every part becomes a name
    that each system can hold; names that would be one file get a number.
    """
    taken: set[str] = set()
    found = []
    for name in names:
        parts = [safe_file_name(part) for part in (name.split("/") if several else [name])]
        path = free = "/".join([SOURCE, *parts])
        number = 2
        while fold(free) in taken:
            free = f"{path}-{number}"
            number += 1
        taken.add(fold(free))
        found.append(free)
    return found


def holding(document: Document, pointer: str, kept: Sequence[str]) -> tuple[str, ...]:
    """Return the kept file that the text at `pointer` stands in: (), where none is kept.

    A pointer into a companion begins with its name; any other leads into the main file.
    """
    if not kept:
        return ()
    for path, (name, _) in zip(kept[1:], document.files[1:], strict=True):
        if f"{pointer}/".startswith(f"{join('', name)}/"):
            return (path,)
    return (kept[0],)
