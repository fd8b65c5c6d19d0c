"""Documents: a record as the fields that are searched, and as the weighted terms of the index.

Pure. Simple BM25F: the occurrences of a term in all fields are added up, each times its field's
weight, and so are the fields' lengths; a record then has one number for each term. All weights
are whole halves, so the sums are exact in the index's 32-bit floats.
Source: Robertson, Zaragoza, Taylor, "Simple BM25 extension to multiple weighted fields" (2004).
"""

from typing import NamedTuple

from doll.recall.links import marks
from doll.recall.tokens import count
from doll.records.model import Experience, Record
from doll.secrets import mask

# Raise it whenever any record gets other fields, weights or lengths: indexes are built anew.
VERSION = 4

TITLE, SUMMARY, TAGS, BODY = 3.0, 2.0, 1.5, 1.0
OTHER = 1.0

# A record's text beyond this is not searched: 1 MiB of characters.
MAX_TEXT = 1_048_576


class Field(NamedTuple):
    """One searched field: its name in explanations, its weight (a whole number of halves)."""

    name: str
    weight: float
    text: str


class Document(NamedTuple):
    """What the index holds of a record: term to weighted number, and the length in halves."""

    terms: dict[str, float]
    length: int


def fields(record: Record, body: str) -> tuple[Field, ...]:
    """Return the searched fields of a memory or experience record, in a fixed order.

    A record without title and summary is titled by its first heading; its id is searched always.
    Secrets are covered as they are when shown: the index has none, and no query spells one out.
    """
    said = record.fields
    title = said.title
    if title is None and said.summary is None and record.name != record.id:
        title = record.name
    found = [
        Field("title", TITLE, title or ""),
        Field("summary", SUMMARY, said.summary or ""),
        Field("tags", TAGS, "\n".join(said.tags)),
        Field("body", BODY, body),
        Field("id", OTHER, "\n".join((record.id, *said.aliases))),
        Field("source", OTHER, said.origin_source or ""),
    ]
    if isinstance(said, Experience):
        found.append(Field("evidence", OTHER, "\n".join(said.evidence)))
        about = (said.project, said.work_item or "", *said.actions, *said.paths)
        found.append(Field("about", OTHER, "\n".join(about)))
    # Covered before it is cut: half of a secret would not be known for one.
    covered = (field._replace(text=mask(field.text)) for field in found if field.text)
    return tuple(
        field._replace(text=field.text[:MAX_TEXT]) if field.name == "body" else field
        for field in covered
    )


def document(record: Record, body: str) -> Document:
    """Return the weighted terms of a record, its links among them, and its weighted length."""
    terms: dict[str, float] = {}
    halves = 0
    for _, weight, text in fields(record, body):
        halves += count(text, weight, terms) * int(2 * weight)
    terms.update(dict.fromkeys(marks(record, body), 1.0))
    return Document(terms, halves)
