"""A context pack as JSON values, `doll.context/1`."""

from doll.records import times
from doll.render.context_markdown import DATA
from doll.render.context_values import TITLES, Item, Pack, Quote, Settling, Source

SCHEMA = "doll.context/1"


def pack_values(pack: Pack) -> dict[str, object]:
    """Return the document of a pack."""
    head = pack.head
    return {
        "notice": DATA,
        "authorizes": False,
        "task": head.task,
        "project": head.project,
        "actions": head.actions,
        "paths": head.paths,
        "sensitivity": head.sensitivity,
        "as_of": times.render(head.as_of),
        "commit": head.commit,
        "budget": head.budget,
        "tokens": pack.tokens,
        "markdown": pack.text,
        "items": [_item(item) for item in pack.items],
        "found": {section: pack.found.get(section, 0) for section in TITLES},
        "left_out": {
            each.reason: {"count": each.number, "ids": each.ids} for each in pack.left_out
        },
        "complete": head.complete,
        "algorithm": pack.algorithm,
        "index_digest": pack.index_digest,
    }


def _item(item: Item) -> dict[str, object]:
    return {
        "section": item.section,
        **item.source._asdict(),
        "facts": dict(item.facts),
        "why": item.why,
        "score": item.score,
        **_quote(item.quote),
        "resolved_by": [_settling(each) for each in item.settled],
    }


def _settling(each: Settling) -> dict[str, object]:
    if each.source is None:
        return {"id": None}
    said = Quote((), cut=True) if each.quote is None else each.quote
    return {**_source(each.source), "assertion": each.assertion, **_quote(said)}


def _source(source: Source) -> dict[str, object]:
    return source._asdict()


def _quote(quote: Quote) -> dict[str, object]:
    """Return the lines of a quote; null stands where lines were left out."""
    return {"quote": quote.lines, "cut": quote.cut}
