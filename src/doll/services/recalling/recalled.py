"""One recalled record as it is shown: read again, explained, secrets covered."""

from collections.abc import Mapping, Sequence

from doll.recall.document import fields
from doll.recall.explaining import Explanation, explain
from doll.recall.partial import Partial
from doll.recall.query import Query
from doll.recall.ranking import Addition, Ranking
from doll.recall.rows import Row
from doll.recall.snippets import MAX_TEXT, beginning, snippet
from doll.recall.spelling import as_written
from doll.records import times
from doll.records.model import Experience, Fields, Memory, Record
from doll.render.recall_values import Added, Hit, Part, Place, field_words
from doll.secrets import mask, mask_first
from doll.services.recalling.source import Source


def hit_of(source: Source, row: Row, query: Query, ranking: Ranking) -> Hit | None:
    """Return what to show of a record, None when its file is no longer the one indexed."""
    read = source.read(row.serial)
    if read is None:
        return None
    record, body = read
    explanation = explain(record, body, query, ranking.statistics)
    additions = ranking.additions.get(row.serial, ())
    return Hit(
        id=record.id,
        path=record.path,
        type=record.type,
        name=mask(record.name),
        snippet=_snippet(record, body, frozenset(query.terms)),
        digest=record.digest,
        score=ranking.scores[row.serial],
        facts=_facts(record.fields),
        why=_why(explanation, additions),
        words=explanation.score,
        parts=_parts(explanation),
        additions=tuple(Added(one.kind, mask(one.said), one.points) for one in additions),
        length=explanation.length,
        average=explanation.average,
    )


def partial_hit_of(source: Source, row: Row, partial: Partial) -> Hit | None:
    """Return what to show of a record that matches by words that contain one of the query."""
    hit = hit_of(source, row, partial.query, partial.ranking)
    read = source.read(row.serial)
    if hit is None or read is None:
        return None
    texts = (field.text for field in fields(*read))
    written = as_written(texts, {part.term for part in hit.parts})
    parts = tuple(_shared(part, written, partial.shares[part.term]) for part in hit.parts)
    why = "; ".join(_said(part) for part in parts)
    return hit._replace(parts=parts, why=why, words=hit.score, partial=True)


def _shared(part: Part, written: Mapping[str, str], share: float) -> Part:
    said = f"{part.said} within {written.get(part.term, part.term)}"
    return part._replace(said=said, points=part.points * share, share=share)


def _snippet(record: Record, body: str, terms: frozenset[str]) -> str:
    """Return a line that says why: of the body, else of the summary, else the first there is.

    A line that is the record's name says nothing more; "" where there is no other.
    """
    said = mask_first(body, MAX_TEXT)
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


def _why(explanation: Explanation, additions: Sequence[Addition]) -> str:
    """Return `espresso in title, body; order in body; link book-orders`."""
    words = map(_said, _parts(explanation))
    return "; ".join([*words, *(f"{one.kind} {mask(one.said)}" for one in additions)])


def _said(part: Part) -> str:
    return f"{part.said} in {', '.join(field_words(place.field) for place in part.places)}"


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
