"""Files among the records that look like one and are none, by their names alone."""

import re
from collections.abc import Collection, Iterator

from doll.errors import Problem
from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.typed import moving
from doll.vault.walking import walked

_NEAR = re.compile(r"(?i)(?P<stem>[^._].*?)(?:\.md)?\.(?:md|markdown|mdown|mdwn|mkdn?|te?xt)")


def near_names(vault: Vault, kept: Collection[str]) -> Iterator[Problem]:
    """Yield a warning for each text file that is no record only because of its ending.

    `kept` are the paths of committed experience, which keep their names.
    """
    for area in layout.AREAS:
        for folder, names in walked(vault.root, area, hidden=False):
            if layout.holds_records(folder):
                for name in names:
                    stem = _meant(name)
                    path = f"{folder}/{name}"
                    # `alike_names` says it of those that only look like another ending.
                    if stem and path not in kept and not layout.taken_for(path):
                        yield _problem(f"{folder}/{name}", f"{folder}/{stem}.md")


def _meant(name: str) -> str:
    """Return the id that the name of a text file may be meant for, "" for a record or no text."""
    found = None if name.endswith(".md") else _NEAR.fullmatch(name)
    return found["stem"] if found and found["stem"].lower() != "readme" else ""


def _problem(path: str, mended: str) -> Problem:
    message = "not a record: its name does not end in .md"
    return Problem(path, 0, 0, "file.not_a_record", message, "warning", moving(path, mended))
