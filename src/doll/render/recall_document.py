"""An answer of recall as JSON values, `doll.recall/1`."""

from doll.records import times
from doll.render.problems import problem_values
from doll.render.recall_values import Answer, Hit, Part

SCHEMA = "doll.recall/1"


def answer_values(answer: Answer, *, explain: bool) -> dict[str, object]:
    """Return the document of an answer; `explain` adds the parts of each score."""
    return {
        "query": answer.query,
        "terms": answer.terms,
        "dropped": answer.dropped,
        "unmatched": answer.unmatched,
        "algorithm": answer.algorithm,
        "as_of": times.render(answer.as_of),
        "hits": [_hit(hit, explain=explain) for hit in answer.hits],
        "matches": answer.matches,
        "left_out": answer.left_out,
        "corrected": [word._asdict() for word in answer.corrected],
        "partial": answer.partial,
        "filters": answer.filters,
        "filtered_out": answer.filtered_out,
        "unknown_tags": [tag._asdict() for tag in answer.unknown_tags],
        "usage": None if answer.usage is None else answer.usage._asdict(),
        "changed": answer.changed,
        "indexed": answer.indexed,
        "index_digest": answer.index_digest,
        "unreadable": problem_values(answer.unreadable),
    }


def _hit(hit: Hit, *, explain: bool) -> dict[str, object]:
    values: dict[str, object] = {
        "id": hit.id,
        "path": hit.path,
        "type": hit.type,
        "name": hit.name,
        "snippet": hit.snippet,
        "digest": hit.digest,
        "score": hit.score,
        "facts": hit.facts,
        "marks": hit.marks,
        "partial": hit.partial,
        "matched": [part.term for part in hit.parts],
        "why": hit.why,
    }
    if explain:
        values["explain"] = {
            "length": hit.length,
            "average_length": round(hit.average, 3),
            "words": hit.words,
            "parts": [_part(part) for part in hit.parts],
            "additions": [added._asdict() for added in hit.additions],
        }
    return values


def _part(part: Part) -> dict[str, object]:
    return {
        "term": part.term,
        "said": part.said,
        "fields": [place._asdict() for place in part.places],
        "weighted": part.weighted,
        "idf": round(part.idf, 6),
        "points": round(part.points, 3),
        "share": round(part.share, 6),
    }
