"""An answer of recall as text: records quoted as data, everything invisible escaped."""

from collections.abc import Iterator, Mapping

from doll.errors import Problem
from doll.records import times
from doll.render import listed
from doll.render.leading import led
from doll.render.problems import shown
from doll.render.recall_values import Answer, Hit, field_words
from doll.render.text import count, quoted, visible

_WORDS = {
    "not_reviewed": "not reviewed",
    "not_yet_valid": "not valid yet",
    "not_committed": "not committed",
    "not_signed": "not signed",
}
_SHOWN = 3
_WORDS_SHOWN = 10


def answer_lines(answer: Answer, *, explain: bool) -> Iterator[str]:
    """Yield the hits, then what was left out and what could not be searched."""
    if answer.corrected:
        yield _corrected(answer)
    for rank, hit in enumerate(answer.hits, 1):
        yield from _hit(rank, hit)
        if explain:
            yield from _explanation(hit, answer.algorithm)
    if not answer.hits:
        yield _nothing(answer)
    if explain:
        yield from _terms(answer)
    yield from _rest(answer)
    yield from unreadable_lines(answer.unreadable)


def unreadable_lines(problems: tuple[Problem, ...]) -> Iterator[str]:
    """Yield how many files could not be searched, which come first, and how to see them all."""
    if not problems:
        return
    yield led(f"{count(len(problems), 'file')} could not be searched: doll validate")
    yield from listed.first(problems, lambda some: map(_unreadable, some), most=_SHOWN)


def _unreadable(problem: Problem) -> str:
    found = shown(problem)
    place = f"{visible(found.path)}:{found.line}" if found.line else visible(found.path)
    return f"{place}: {visible(found.message)} [{found.code}]"


def _hit(rank: int, hit: Hit) -> Iterator[str]:
    yield f"{rank}. {visible(hit.name)}"
    facts = (f"{name} {visible(value)}" for name, value in hit.facts.items())
    about = [hit.type, *(_WORDS.get(mark, mark) for mark in hit.marks), *facts]
    yield f"   {visible(hit.path)} ({', '.join(about)})"
    for line in quoted(hit.snippet) if hit.snippet else ():
        yield f"   {line}"
    yield f"   score {hit.score:,}: {visible(hit.why)}"


def _explanation(hit: Hit, algorithm: Mapping[str, object]) -> Iterator[str]:
    yield (
        f"     length {hit.length:g} against {hit.average:.1f} on average,"
        f" K1 {algorithm['k1']}, B {algorithm['b']}"
    )
    for part in hit.parts:
        places = " + ".join(
            f"{field_words(place.field)} {place.occurrences} x {place.weight:g}"
            for place in part.places
        )
        share = f", x {part.share:.3f} as a part" if part.share < 1 else ""
        yield (
            f"     {visible(part.said)}: {places} = {part.weighted:g},"
            f" idf {part.idf:.3f}{share}, {part.points:.1f} points"
        )
    for added in hit.additions:
        yield f"     {added.kind} {visible(added.said)}: {added.points:,} points"


def _corrected(answer: Answer) -> str:
    said = " ".join(f'"{visible(word.said)}"' for word in answer.corrected)
    meant = " ".join(visible(word.meant) for word in answer.corrected)
    return f"nothing matches {said}; " + (
        f"showing {meant}" if answer.hits else f"did you mean {meant}?"
    )


def _nothing(answer: Answer) -> str:
    if not answer.terms:
        return "nothing to search for: the query has no word in it"
    if not answer.indexed:
        return "nothing to search yet: confirmed/ and experience/ hold no readable record"
    which = "record" if answer.filters["everything"] else "current record"
    return f"no {which} matches ({count(answer.indexed, 'record')} searched)"


def _terms(answer: Answer) -> Iterator[str]:
    algorithm = f"{answer.algorithm['name']}/{answer.algorithm['version']}"
    yield f"searched for {visible(' '.join(answer.words)) or 'nothing'} with {algorithm}"
    if answer.dropped:
        yield f"not searched for: {visible(' '.join(answer.dropped))}"
    yield (
        f"{count(answer.indexed, 'record')} searched as of {times.render(answer.as_of)},"
        f" index digest {answer.index_digest[:12]}"
    )
    if answer.usage is not None:
        signals, digest, skipped = answer.usage
        lost = f", {count(skipped, 'line')} skipped" if skipped else ""
        yield f"{count(signals, 'signal')} of use counted{lost}, usage digest {digest[:12]}"


def _rest(answer: Answer) -> Iterator[str]:
    if answer.unmatched and answer.matches:
        named = ", ".join(map(visible, answer.unmatched[:_WORDS_SHOWN]))
        rest = len(answer.unmatched) - _WORDS_SHOWN
        yield f"no record has: {named}{f' and {rest:,} more words' if rest > 0 else ''}"
    more = answer.matches - len(answer.hits) - answer.changed
    if more > 0:
        yield f"+{more:,} more: --limit {answer.matches}"
    if answer.changed:
        yield f"{count(answer.changed, 'match', 'matches')} changed while being read; ask again"
    if answer.left_out:
        reasons = ", ".join(
            f"{number:,} {_WORDS.get(reason, reason)}" for reason, number in answer.left_out.items()
        )
        yield f"not current and left out: {reasons} (--all shows them)"
    if answer.filtered_out:
        yield f"left out by the filters: {count(answer.filtered_out, 'match', 'matches')}"
    for tag, nearest in answer.unknown_tags:
        meant = f"; did you mean {visible(nearest)}?" if nearest else ""
        yield f"no record has the tag {visible(tag)}{meant}"
