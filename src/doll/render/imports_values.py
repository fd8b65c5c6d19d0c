"""What is said of the imports of a vault: values that their views show, filled by services.

Texts of a source may hold any character; whoever prints them escapes what cannot be seen.
"""

from typing import NamedTuple

from doll.errors import Problem


class Tally(NamedTuple):
    """How many entries of an import are what by now.

    `new` + `changed` candidates were brought, and each of them is in staging, approved, rejected
    (it stays in staging, marked) or dropped: in no folder any more. `parked` and `refused` ones
    never became candidates.
    """

    new: int
    changed: int
    staged: int
    approved: int
    rejected: int
    dropped: int
    parked: int
    refused: int


class ImportEntry(NamedTuple):
    """One import. `folder` is where it lies in the vault, "" where that is gone."""

    name: str
    adapter: str
    source: str
    source_digest: str
    folder: str
    tally: Tally


class Imports(NamedTuple):
    """All imports by name, and what could not be read."""

    entries: tuple[ImportEntry, ...]
    problems: tuple[Problem, ...]


class Shown(NamedTuple):
    """One import with the text of its loss report, secrets masked; without its ledger."""

    entry: ImportEntry
    report: str


class Dropped(NamedTuple):
    """What a drop removed: the paths. `entry` is the import as it is now.

    `others` counts the files of its folder that it did not bring, which stay. `commit` is the
    commit that was made, "" for none.
    """

    entry: ImportEntry
    paths: tuple[str, ...]
    others: int
    commit: str = ""
