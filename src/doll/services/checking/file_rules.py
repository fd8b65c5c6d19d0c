"""What is wrong with one file of the vault by itself: its text, its place, its origin, secrets."""

from typing import NamedTuple

from doll.errors import Problem
from doll.records.digest import sha256
from doll.records.model import Record
from doll.services.checking import glob_rules, record_rules
from doll.services.checking.secret_places import secret_places
from doll.services.opening import Vault
from doll.vault import judged, layout
from doll.vault.entries import parse_file
from doll.vault.settings import parse_settings


class File(NamedTuple):
    """A file of the vault that was looked at: its record, None where it has none, and problems."""

    record: Record | None
    problems: tuple[Problem, ...]


def look_at(vault: Vault, path: str, data: bytes) -> File:
    """Return the record in the bytes of a file of the vault and all problems of that file."""
    record, problems = None, list[Problem]()
    if path == layout.MARKER:
        settings, faults = parse_settings(data)
        problems += faults
        problems += glob_rules.map_patterns(settings.actions if settings else ())
    if judged.is_judgement(path):
        problems += judged.parse(data, path)[1]
    if layout.is_record(path):
        record, faults = parse_file(data, path)
        problems += faults
        misplaced = list(record_rules.folder_problems(path, record))
        if misplaced:
            # Its folder will say the type: to say it in the file too would not help.
            problems = [problem for problem in problems if problem.code != "schema.missing"]
        problems += misplaced
        if record is not None:
            problems += record_rules.origin_problems(record)
            problems += glob_rules.pattern_problems(record)
    problems += secrets_in(vault, path, data)
    return File(record, tuple(problems))


def secrets_in(vault: Vault, path: str, data: bytes) -> tuple[Problem, ...]:
    """Return the places in a file of the vault that look like secrets and count as such.

    Its name is looked at, too. A broken byte hides nothing in the rest of a text; what holds NUL
    bytes is no text.
    """
    named = secret_places(vault, path, path.rpartition("/")[2].removesuffix(".md"), name=True)
    if _is_scanned_source(vault, path, data) or b"\0" in data:
        return named
    return (*named, *secret_places(vault, path, data.decode("utf-8", "replace")))


def _is_scanned_source(vault: Vault, path: str, data: bytes) -> bool:
    """Return whether these are the source bytes of an import, as its `_import.md` names them.

    The import scanned them decoded and kept them because they are clean; they can be large.
    """
    parts = path.split("/")
    if len(parts) != 5 or parts[0] != "staging" or parts[3] != "source":
        return False
    try:
        report = vault.read(f"{'/'.join(parts[:3])}/_import.md")
    except OSError:
        return False
    return sha256(data).encode() in report
