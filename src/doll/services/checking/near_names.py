"""Files among the records that look like one and are none, by their names alone."""

import os
import re
from collections.abc import Collection, Iterator

from doll.errors import Problem
from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.typed import moving

_NEAR = re.compile(r"(?i)(?P<stem>[^._].*?)(?:\.md)?\.(?:md|markdown|mdown|mdwn|mkdn?|te?xt)")


def near_names(vault: Vault, kept: Collection[str]) -> Iterator[Problem]:
    """Yield a warning for each text file that is no record only because of its ending.

    `kept` are the paths of committed experience, which keep their names.
    """
    for area in layout.AREAS:
        for place, folders, names in os.walk(vault.root / area):
            folder = os.path.relpath(place, vault.root).replace(os.sep, "/")
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            if layout.holds_records(folder):
                found = (f"{folder}/{name}" for name in sorted(names) if _is_near(name))
                yield from (_problem(path) for path in found if path not in kept)


def _is_near(name: str) -> bool:
    found = _NEAR.fullmatch(name)
    return found is not None and not name.endswith(".md") and found["stem"].lower() != "readme"


def _problem(path: str) -> Problem:
    folder, _, name = path.rpartition("/")
    found = _NEAR.fullmatch(name)
    assert found is not None
    message = "not a record: its name does not end in .md"
    mended = f"{folder}/{found['stem']}.md"
    return Problem(path, 0, 0, "file.not_a_record", message, "warning", moving(path, mended))
