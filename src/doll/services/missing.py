"""Whether most records that HEAD has are missing on disk: a disk that failed, or a wish.

Reads say it in one line and go on; sync and watch refuse, since to go on would carry the loss
further. Decides nothing else, and writes nothing but a list of names in the cache.
"""

import os
import time
from collections.abc import Collection
from contextlib import suppress
from typing import NamedTuple

from doll.errors import ConflictError
from doll.services.opening import Vault
from doll.services.restoring import committed_records, left_out, restoring
from doll.vault import layout
from doll.vault.snapshot import packed, racy, record_names

# So many missing records, and more than half of all: fewer are deleted by hand every day.
AT_LEAST = 20

_NAMES = "head-names/1"
# The folders in which most records of HEAD were found, as they were then.
_FOLDERS = "head-folders/1"
ALLOWED = "doll sync --allow-mass-delete"


class Missing(NamedTuple):
    """More than half of the records outside `staging/`, and at least 20, are missing on disk.

    `gone` of the `of` records that HEAD has, without what git was told to leave out of the work
    tree. `restoring` is the line that brings them back and changes no other file.
    """

    gone: int
    of: int
    restoring: str


def look(vault: Vault) -> Missing | None:
    """Return what is missing on disk of the records of HEAD, None where that is not most of them.

    A record that was moved is not missing: it is known by its name. Raises NoVaultError where a
    folder of records cannot be read, and GitError.
    """
    if _is_unchanged(vault):
        return None
    names = _names_at_head(vault)
    if len(names) < AT_LEAST or _most_are_here(vault, names):
        return None
    here = frozenset(record_names(vault.root, layout.LOCAL_AREAS))
    paths = committed_records(vault)
    gone = [path for path in paths if _name(path) not in here]
    absent = left_out(vault, gone)
    gone = [path for path in gone if path not in absent]
    of = len(paths) - len(absent)
    if len(gone) < AT_LEAST or 2 * len(gone) <= of:
        return None
    return Missing(len(gone), of, restoring(vault.root, gone, layout.LOCAL_AREAS))


def line(found: Missing) -> str:
    """Return the one line that a read prints."""
    return f"{sentence(found)}; {found.restoring}    brings them back"


def sentence(found: Missing) -> str:
    """Return what is missing, in words."""
    return f"{found.gone:,} of the {found.of:,} records that HEAD has are not on disk"


def refusal(found: Missing, allowed: str = ALLOWED) -> ConflictError:
    """Return the error of a command that would carry the loss further, with the two ways on."""
    return ConflictError(
        f"{sentence(found)}, so nothing was done",
        hint=f"{found.restoring}    brings them back\n"
        f"{allowed}    takes them for deleted, as you wish",
    )


def _names_at_head(vault: Vault) -> frozenset[str]:
    """Return the names of the record files of HEAD outside staging, remembered for one commit."""
    head = f"{vault.head}\n"
    known = vault.cache.load(_NAMES)
    if known is not None and known.startswith(head.encode()):
        names = known[len(head) :].decode("utf-8", "surrogateescape")
        return frozenset(names.split("\0") if names else ())
    found = frozenset(map(_name, committed_records(vault)))
    joined = "\0".join(sorted(found)).encode("utf-8", "surrogateescape")
    vault.cache.store(_NAMES, head.encode(), joined)
    return found


def _most_are_here(vault: Vault, names: Collection[str]) -> bool:
    """Return whether at least half of the names are on disk; looks no further than that."""
    now, here, folders = time.time_ns(), set[str](), dict[str, bytes]()
    for name in record_names(vault.root, layout.LOCAL_AREAS, folders):
        if name in names:
            here.add(name)
            if 2 * len(here) >= len(names):
                _remember(vault, folders, now)
                return True
    return False


def _remember(vault: Vault, folders: dict[str, bytes], now: int) -> None:
    """Remember the folders in which the records were found, unless one changed just `now`."""
    if not racy(b"".join(folders.values()), now):
        lines = (f"{stamp.hex()} {folder}" for folder, stamp in folders.items())
        said = "\0".join([vault.head, *lines])
        vault.cache.store(_FOLDERS, said.encode("utf-8", "surrogateescape"))


def _is_unchanged(vault: Vault) -> bool:
    """Return whether most records of HEAD were found in folders that nobody has changed since.

    No file comes, goes or gets another name without a change of the times of its folder.
    """
    known = vault.cache.load(_FOLDERS)
    if known is None:
        return False
    head, *lines = known.decode("utf-8", "surrogateescape").split("\0")
    if head != vault.head:
        return False
    with suppress(OSError):
        for stamp, _, folder in (line.partition(" ") for line in lines):
            if packed(os.lstat(f"{vault.root}/{folder}")).hex() != stamp:
                return False
        return True
    return False


def _name(path: str) -> str:
    return path.rpartition("/")[2]
