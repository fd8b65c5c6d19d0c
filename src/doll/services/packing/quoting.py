"""Quotes: what a pack shows of a record, whole, or cut to the passages that match the task. Pure.

Secrets are masked in the whole text before anything is cut, so that no half of one is left over.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from doll.recall.scripts import normal
from doll.recall.snippets import beginning, snippet
from doll.recall.tokens import count, having, held
from doll.records.model import Decision, Experience, Record, WorkItem
from doll.render.context_markdown import quoted
from doll.render.context_values import Quote
from doll.render.tokens import tokens
from doll.secrets import mask, mask_first

# Characters: of the rest of a text nothing is quoted, and of one line of a short quote.
_MAX_TEXT = 200_000
_LINE = 240


class Passage(NamedTuple):
    """Lines between empty ones: where they begin in the text, and how many of the terms they have.

    `after` is the number of empty lines before them.
    """

    lines: tuple[str, ...]
    after: int
    matches: int


def quote(record: Record, body: str, terms: Collection[str], limit: int) -> Quote:
    """Return what is quoted of a record within `limit` tokens, its name in any case.

    The name first, then what its fields say, then its body. What does not fit whole is cut to the
    passages with the most terms of the task, and the first of equal ones.
    """
    name = _short(mask(record.name))
    terms = frozenset(terms)
    passages = list(_passages(record, body, terms))
    lines = _joined(name, passages)
    if fits(lines, limit) and len(body) <= _MAX_TEXT:
        return Quote(lines, cut=name != mask(record.name).strip())
    return Quote(_cut(name, passages, terms, limit), cut=True)


def words(record: Record, body: str) -> frozenset[str]:
    """Return the terms of a record's title, summary, tags, id and body, secrets left out."""
    said = record.fields
    found: dict[str, float] = {}
    texts = (said.title or "", said.summary or "", *said.tags, record.id)
    shown = (*map(mask, texts), covered(body))
    count("\n".join(shown), 1.0, found)
    return frozenset(found)


def covered(body: str) -> str:
    """Return the first part of a body, with its secrets covered."""
    return mask_first(body, _MAX_TEXT)


def cost(lines: Sequence[str | None]) -> int:
    """Return the tokens that lines take in a quote."""
    return sum(tokens(line) + 1 for line in quoted(lines))


def fits(lines: Iterable[str | None], room: int) -> bool:
    """Return whether lines take at most `room` tokens in a quote; no more is read than it takes."""
    for line in quoted(lines):
        room -= tokens(line) + 1
        if room < 0:
            return False
    return True


def _short(line: str) -> str:
    return beginning(line, _LINE)


def _passages(record: Record, body: str, terms: Collection[str]) -> Iterator[Passage]:
    name = mask(record.name)
    fields = [mask(line) for line in _fields(record) if mask(line) != name]
    if fields:
        yield Passage(tuple(fields), 0, len(held("\n".join(fields), terms)))
    text = covered(body).replace("\r\n", "\n")
    pieces = having(text, terms)
    gap, lines = 0, list[str]()
    for line in [*text.split("\n"), ""]:
        if line.strip():
            lines.append(line)
            continue
        # The first heading or line is often the name once more.
        if lines and [part.lstrip("# ") for part in lines] != [name]:
            yield Passage(tuple(lines), gap, _matches(lines, terms, pieces))
            gap = 0
        lines = []
        gap = 1


def _fields(record: Record) -> Iterator[str]:
    """Yield what the front matter says in words, beside the title."""
    said = record.fields
    if said.summary and said.summary != record.name:
        yield said.summary
    if isinstance(said, WorkItem):
        yield from (f"blocked by: {reason}" for reason in said.blocked_by)
        yield from (f"acceptance: {one}" for one in said.acceptance)
        yield from (f"verification: {one}" for one in said.verification)
    elif isinstance(said, Decision):
        yield from (f"not chosen: {one}" for one in said.alternatives)
    elif isinstance(said, Experience):
        yield from (f"evidence: {one}" for one in said.evidence)


def _matches(lines: Sequence[str], terms: Collection[str], pieces: Collection[str]) -> int:
    """Return how many of the terms lines have, given the pieces of their text that have any."""
    text = normal("\n".join(lines))
    return len(held(text, terms)) if any(piece in text for piece in pieces) else 0


def _joined(name: str, passages: Sequence[Passage]) -> tuple[str | None, ...]:
    lines: list[str | None] = [name]
    for passage in passages:
        lines += ["" for _ in range(passage.after)]
        lines += passage.lines
    return tuple(lines)


def _cut(
    name: str, passages: Sequence[Passage], terms: Collection[str], limit: int
) -> tuple[str | None, ...]:
    """Return the name and the best passages that fit, in the order of the text.

    Of the first that does not fit whole, the best lines are taken.
    """
    left = limit - cost((name,))
    chosen: dict[int, tuple[str | None, ...]] = {}
    for place in sorted(range(len(passages)), key=lambda at: (-passages[at].matches, at)):
        lines = passages[place].lines
        if not fits((*lines, None, ""), left):
            chosen[place] = (None, *_best_lines(lines, terms, left), None)
            break
        chosen[place] = lines
        left -= _room_for(lines)
    result: list[str | None] = [name]
    previous = -1
    for place in sorted(chosen):
        follows = place == previous + 1
        result += ["" for _ in range(passages[place].after)] if follows else [None]
        result += chosen[place]
        previous = place
    return _tidy(result)


def _tidy(lines: Sequence[str | None]) -> tuple[str | None, ...]:
    """Return lines with one gap where there are several, with empty lines, and none at the end."""
    result: list[str | None] = []
    for line in lines:
        if line is None:
            while result and not result[-1]:
                result.pop()
        elif not line and result and result[-1] is None:
            continue
        result.append(line)
    while result and not result[-1]:
        result.pop()
    return tuple(result)


def _room_for(lines: Sequence[str]) -> int:
    """Return the tokens of lines, which each may stand behind a gap."""
    return cost((*lines, None, "")) if lines else 0


def _best_lines(lines: Sequence[str], terms: Collection[str], room: int) -> tuple[str, ...]:
    """Return the line with most of the terms and those after it, as many as fit; perhaps none.

    Of a line that is too long as much is taken as is around the match.
    """
    text = "\n".join(lines)
    best = snippet(text, frozenset(terms), _LINE) or beginning(text, _LINE)
    start = next((at for at, line in enumerate(lines) if line.strip() == best), None)
    if start is None:
        return (best,) if _room_for((best,)) <= room else ()
    end, left = start, room - cost((None, ""))
    while end < len(lines) and (needed := cost((lines[end],))) <= left:
        left -= needed
        end += 1
    return tuple(lines[start:end])
