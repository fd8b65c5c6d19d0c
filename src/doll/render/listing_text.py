"""Lists of records as text: one line each. Never shows what a `sensitivity: secret` record says."""

from collections.abc import Iterable, Iterator

from doll.records.model import Record
from doll.render.text import padded_to, visible, width
from doll.secrets import mask

# An id has at most 120 bytes, and the ids of experience have half as many and more.
_WIDEST = 120
_LONGEST = 160


def shown_name(record: Record) -> str:
    """Return the name under which a record is listed: its id when it is about a secret."""
    return record.id if record.fields.sensitivity == "secret" else mask(record.name)


def shown_state(state: str, *, superseded: bool) -> str:
    """Return where a record stands, and that it is superseded where it does not say so itself."""
    if not superseded or state == "superseded":
        return state
    return f"{state or '-'} (superseded)"


def listing_lines(rows: Iterable[tuple[Record, str]]) -> Iterator[str]:
    """Yield `id  type  state  name` lines; each row is a record and where it stands.

    A secret record has no name behind its id. Columns are padded for the eye and separated by two
    spaces at least; scripts take JSON.
    """
    cells = [
        (visible(r.id), r.type, state or "-", "" if _is_secret(r) else _short(shown_name(r)))
        for r, state in rows
    ]
    columns = list(zip(*cells, strict=True))[:3]
    # What is wider than a column may be moves the rest of its own line only.
    widths = [min(max(map(width, column)), _WIDEST) for column in columns]
    for row in cells:
        padded = [padded_to(wide, cell) for cell, wide in zip(row[:3], widths, strict=True)]
        yield "  ".join([*padded, row[3]]).rstrip()


def _is_secret(record: Record) -> bool:
    return record.fields.sensitivity == "secret"


def _short(name: str) -> str:
    line = visible(" ".join(name.split()))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
