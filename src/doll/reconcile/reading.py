"""Reading one record file for the index: its row and terms, or why it cannot be read."""

from pathlib import Path
from typing import NamedTuple

from doll.errors import Problem, errors_in
from doll.recall.document import Document, document
from doll.recall.rows import Row, is_searchable, row
from doll.reconcile.changes import Item
from doll.reconcile.manifest import Fault
from doll.records.codec import parse
from doll.records.digest import sha256
from doll.vault import files
from doll.vault.entries import name_problem
from doll.vault.layout import expected_type, record_id


class Reading(NamedTuple):
    """What was found in a file: a row, new terms to index for it, or a fault.

    `same`: its bytes are as known, and nothing else is said. None of all when the file has gone.
    `lasting`: the fault is one of the bytes or the name, and stays until the file changes.
    """

    row: Row | None = None
    document: Document | None = None
    fault: Fault | None = None
    lasting: bool = True
    same: bool = False


def read(root: Path, item: Item, serial: int) -> Reading:
    """Read a file; `serial` is the number of a new document for it."""
    path, stamp, digest = item
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
    if digest == sha256(data):
        return Reading(same=True)
    record, problems, body = parse(data, path, record_id(path), expected_type(path))
    if record is None:
        return Reading(fault=Fault(path, stamp, tuple(errors_in(problems))))
    if not is_searchable(record):
        return Reading(row=row(record, 0, 0))
    terms = document(record, body)
    return Reading(row=row(record, serial, terms.length), document=terms)
