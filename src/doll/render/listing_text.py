"""Lists of records as text: one line each. Never shows what a `sensitivity: secret` record says."""

from collections.abc import Iterable, Iterator

from doll.records.model import Record
from doll.render.text import visible
from doll.secrets import mask

_WIDEST = 60
_LONGEST = 160


def shown_name(record: Record) -> str:
    """Return the name under which a record is listed: its id when it is about a secret."""
    return record.id if record.fields.sensitivity == "secret" else mask(record.name)


def listing_lines(rows: Iterable[tuple[Record, str]]) -> Iterator[str]:
    """Yield `id  type  state  name` lines; each row is a record and where it stands.

    A secret record has no name behind its id. Columns are padded for the eye and separated by two
    spaces at least; scripts take JSON.
    """
    cells = [
        (visible(r.id), r.type, state or "-", "" if _is_secret(r) else _short(shown_name(r)))
        for r, state in rows
    ]
    widths = [min(max(map(len, column), default=0), _WIDEST) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = [cell.ljust(width) for cell, width in zip(row[:3], widths, strict=False)]
        yield "  ".join([*padded, row[3]]).rstrip()


def _is_secret(record: Record) -> bool:
    return record.fields.sensitivity == "secret"


def _short(name: str) -> str:
    line = visible(" ".join(name.split()))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
