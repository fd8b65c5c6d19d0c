"""One recalled record as it is shown: read again, explained, secrets covered."""

from pathlib import Path

from doll.recall.explaining import Explanation, explain
from doll.recall.lexical import Statistics
from doll.recall.query import Query
from doll.recall.rows import Row
from doll.recall.snippets import beginning, snippet
from doll.records import times
from doll.records.codec import parse
from doll.records.digest import sha256
from doll.records.model import Experience, Fields, Memory, Record
from doll.render.recall_values import Hit, Part, Place, field_words
from doll.secrets import mask
from doll.vault import files
from doll.vault.layout import expected_type


def hit_of(root: Path, row: Row, score: int, query: Query, statistics: Statistics) -> Hit | None:
    """Return what to show of a record, None when its file is no longer the one indexed."""
    try:
        data = files.read(root, row.path)
    except OSError:
        return None
    if sha256(data) != row.digest:
        return None
    record, _, body = parse(data, row.path, row.id, expected_type(row.path))
    if record is None:
        return None
    explanation = explain(record, body, query, statistics)
    return Hit(
        id=record.id,
        path=record.path,
        type=record.type,
        name=mask(record.name),
        snippet=_snippet(record, body, frozenset(query.terms)),
        digest=record.digest,
        score=score,
        facts=_facts(record.fields),
        why=_why(explanation),
        parts=_parts(explanation),
        length=explanation.length,
        average=explanation.average,
    )


def _snippet(record: Record, body: str, terms: frozenset[str]) -> str:
    """Return a line that says why: of the body, else of the summary, else the first there is.

    A line that is the record's name says nothing more; "" where there is no other.
    """
    said = mask(body)
    summary = mask(record.fields.summary or "")
    name = beginning(mask(record.name))
    lines = (snippet(said, terms), snippet(summary, terms), beginning(summary), beginning(said))
    return next((line for line in lines if line and line != name), "")


def _facts(fields: Fields) -> dict[str, str]:
    """Return what tells the weight of a record, in the order it is shown."""
    if isinstance(fields, Experience):
        facts = {
            "project": fields.project,
            "kind": fields.kind,
            "outcome": fields.outcome or "",
            "assertion": fields.assertion,
            "at": times.render(fields.at),
        }
    elif isinstance(fields, Memory):
        facts = {
            "kind": fields.kind or "",
            "origin": "" if fields.origin == "user" else fields.origin,
            "valid_until": times.render(fields.valid_until) if fields.valid_until else "",
        }
    else:
        facts = {}
    return {name: mask(value) for name, value in facts.items() if value}


def _why(explanation: Explanation) -> str:
    """Return `espresso in title, body; order in body`."""
    return "; ".join(
        f"{part.said} in {', '.join(field_words(place.field) for place in part.places)}"
        for part in explanation.parts
    )


def _parts(explanation: Explanation) -> tuple[Part, ...]:
    return tuple(
        Part(
            term=part.term,
            said=part.said,
            places=tuple(Place(*place) for place in part.places),
            weighted=part.weighted,
            idf=part.idf,
            points=part.points,
        )
        for part in explanation.parts
    )
