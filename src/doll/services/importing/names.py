"""Names of imports and of the source files that they keep. Pure.

Source: docs/vault-format.md, "Names of candidates".
"""

from collections.abc import Mapping
from typing import NamedTuple

from doll.errors import UsageError
from doll.records.names import MAX_ID_BYTES, fold, id_fault, mended_id

# `source` is the folder of the exact bytes; a candidate below it would be no record.
RESERVED = ("proposals", "source")

_SHORT = 8


class Chosen(NamedTuple):
    """The name of an import, and why it is not the wanted one ("" when it is)."""

    name: str
    note: str


def choose(
    wanted: str | None,
    file_name: str,
    digest: str,
    taken: Mapping[str, str | None],
    *,
    folder: bool = False,
) -> Chosen:
    """Return the name of a new import.

    `file_name` is the source's; that of a `folder` has no ending to leave out.
    `digest` is that of the source; `taken` has the digest of the source (None where nobody knows)
    of each name in the vault, over all adapters, by its folded form. Raises UsageError for a
    `wanted` name that breaks the grammar or is reserved.
    """
    if wanted is not None:
        check(wanted)
    stem = file_name if folder else _stem(file_name)
    first = wanted or _extended(mended_id(stem), f"-{digest[:_SHORT]}")
    if fold(first) not in taken:
        return Chosen(first, "")
    same = taken[fold(first)] == digest
    why = "an earlier import of this source has" if same else "another source has"
    name = first
    if not same and not first.endswith(f"-{digest[:_SHORT]}"):
        name = _extended(first, f"-{digest[:_SHORT]}")
    number = 2
    base = name
    while fold(name) in taken:
        name = _extended(base, f"-{number}")
        number += 1
    return Chosen(name, f"{why} the name {first}")


def safe_file_name(name: str) -> str:
    """Return a file name that every system can hold for the source called `name`."""
    if id_fault(name) is None:
        return name
    stem, dot, ending = name.rpartition(".")
    if dot and ending.isascii() and ending.isalnum() and len(ending) <= 10:
        return _extended(mended_id(stem), f".{ending}")
    return mended_id(name)


def check(wanted: str) -> None:
    """Raise UsageError for a name that no import can have."""
    if fault := id_fault(wanted):
        raise UsageError(
            f"--name: {wanted!r} is no name for an import: {fault}",
            hint="write letters, digits and -, such as chatgpt-2026-02",
        )
    if fold(wanted) in RESERVED:
        raise UsageError(f"--name: {wanted} is reserved", hint="choose another name")


def is_archive(file_name: str) -> bool:
    """Return whether a source goes by the name of an archive, whose ending is no part of it."""
    return file_name.lower().endswith(".zip")


def _stem(file_name: str) -> str:
    return file_name.rpartition(".")[0] or file_name


def _extended(name: str, ending: str) -> str:
    """Return `name` with `ending`, the name cut where both are too long for an id."""
    room = MAX_ID_BYTES - len(ending.encode())
    if len(name.encode()) > room:
        name = mended_id(name.encode()[:room].decode("utf-8", "ignore"))
    return name.rstrip(" .-") + ending
