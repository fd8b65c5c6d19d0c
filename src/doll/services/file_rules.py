"""What is wrong with one file of the vault by itself: its text, its place, its origin, secrets."""

from typing import NamedTuple

from doll.errors import Problem
from doll.records.model import Record
from doll.services import record_rules
from doll.services.opening import Vault
from doll.services.secret_places import secret_places
from doll.vault import layout
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
        problems += parse_settings(data)[1]
    if layout.is_record(path):
        record, faults = parse_file(data, path)
        problems += faults
        problems += record_rules.folder_problems(path, record)
        if record is not None:
            problems += record_rules.origin_problems(record)
    problems += _secrets(vault, path, data)
    return File(record, tuple(problems))


def _secrets(vault: Vault, path: str, data: bytes) -> tuple[Problem, ...]:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ()
    return secret_places(vault, path, text)
