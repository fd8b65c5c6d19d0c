"""Reading one record file for the index: its row and terms, or why it cannot be read."""

from pathlib import Path
from typing import NamedTuple

import msgspec

from doll.errors import Problem, errors_in
from doll.recall.document import Document, document
from doll.recall.rows import Row, is_searchable, row
from doll.reconcile.manifest import Fault
from doll.records.codec import parse
from doll.records.digest import sha256
from doll.vault import files
from doll.vault.entries import name_problem
from doll.vault.layout import expected_type, record_id
from doll.vault.snapshot import Found


class Reading(NamedTuple):
    """What was found in a file: a row, new terms to index for it, or a fault.

    All three are None when the file has gone. `lasting`: the fault is one of the bytes or the
    name, and stays until the file changes.
    """

    row: Row | None = None
    document: Document | None = None
    fault: Fault | None = None
    lasting: bool = True


def read(root: Path, found: Found, known: Row | None, serial: int) -> Reading:
    """Read the file `found`; `known` is its row until now, `serial` the number of a new document.

    A file whose bytes have not changed keeps its row and needs no new document.
    """
    path, stamp = found
    if (problem := name_problem(path)) is not None:
        return Reading(fault=Fault(path, stamp, (problem,)), lasting=path.isprintable())
    try:
        data = files.read(root, path)
    except FileNotFoundError:
        return Reading()
    except OSError as error:
        message = f"the file cannot be read: {error.strerror}"
        problem = Problem(path, 0, 0, "file.unreadable", message, hint="check its permissions")
        return Reading(fault=Fault(path, stamp, (problem,)), lasting=False)
    if known is not None and known.digest == sha256(data):
        return Reading(row=_restamped(known, found))
    record, problems, body = parse(data, path, record_id(path), expected_type(path))
    if record is None:
        return Reading(fault=Fault(path, stamp, tuple(errors_in(problems))))
    if not is_searchable(record):
        return Reading(row=row(record, stamp, 0, 0))
    terms = document(record, body)
    return Reading(row=row(record, stamp, serial, terms.length), document=terms)


def _restamped(known: Row, found: Found) -> Row:
    return (
        known if known.stamp == found.stamp else msgspec.structs.replace(known, stamp=found.stamp)
    )
