"""Queries: what a person types, to the terms that are asked for. Pure; any text is a query."""

import functools
import re
from collections.abc import Mapping
from typing import NamedTuple

from doll.recall import stopwords
from doll.recall.scripts import fold, han_runs, normal
from doll.recall.tokens import Span, piece, spans
from doll.secrets import mask

_OPERATORS = ("AND", "OR", "NOT")
_COVER = re.compile(r"\[secret: [a-z0-9-]+\]")


class Asked(NamedTuple):
    """One term of a query, and how the query said it."""

    term: str
    said: str


class Query(NamedTuple):
    """The terms of a query, each once and in order, and the words that were dropped from it.

    `text` is all of it in normal form: phrases and dates stand there.
    """

    asked: tuple[Asked, ...]
    dropped: tuple[str, ...]
    text: str = ""

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms alone."""
        return tuple(asked.term for asked in self.asked)


def ask(text: str) -> Query:
    """Return the query that `text` is; it has no terms when there is no word in it.

    Question words are dropped, unless nothing else is left. A secret is dropped always, and its
    cover stands for it: no index has one, and no answer says one again.
    """
    text, covers = _without_secrets(text.encode("utf-8", "replace").decode())
    found = _ask(normal(text))
    return found._replace(dropped=found.dropped + covers)


def unmatched(query: Query, text: str, found: Mapping[str, int]) -> tuple[str, ...]:
    """Return the words of `text`, all or a part of the query's, of which no record has a part.

    `found` says for each term of the query how many records have it.
    """
    missing = {term for term in query.terms if not found.get(term)}
    words = []
    text = stopwords.PHRASES.sub(" ", text)
    for span in spans(text) if missing else ():
        terms = {asked.term for asked in _every(text, span)} & set(query.terms)
        if terms and terms <= missing:
            words.append(text[span.start : span.end])
    return tuple(dict.fromkeys(words))


def _without_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    shown = mask(text)
    if shown == text:
        return text, ()
    return _COVER.sub(" ", shown), tuple(dict.fromkeys(_COVER.findall(shown)))


def _ask(whole: str) -> Query:
    phrases = tuple(stopwords.PHRASES.findall(whole))
    asked, words = _asked(stopwords.PHRASES.sub(" ", whole))
    if not asked:
        return Query(_once([a for span in spans(whole) for a in _every(whole, span)]), (), whole)
    return Query(_once(asked), phrases + words, whole)


def _asked(text: str) -> tuple[list[Asked], tuple[str, ...]]:
    """Return the terms of a query and its dropped words.

    A word in capitals is a name (`US`, `IT`) where the rest is not in capitals too; other search
    tools' operators are not.
    """
    asked: list[Asked] = []
    dropped: list[str] = []
    names = not text.isupper()
    for span in spans(text):
        said = text[span.start : span.end]
        if span.unspaced:
            asked += [*_every(text, span), *(Asked(one, one) for one in _single_words(said))]
        elif fold(said) in _stops() and not (names and _is_name(said)):
            dropped.append(said)
        else:
            compound = bool(span.piece.joined)
            asked += [a for a in _every(text, span) if not (compound and a.term in _stems())]
    return asked, tuple(dropped)


def _is_name(word: str) -> bool:
    return len(word) > 1 and word.isupper() and word not in _OPERATORS


def _every(text: str, span: Span) -> list[Asked]:
    """Return the terms of one piece; a piece of one word is said as it stands."""
    words, joined, _ = span.piece
    said = text[span.start : span.end]
    if len(words) == 1 and not joined:
        return [Asked(words[0], said)]
    last = [Asked(joined[-1], said)] if joined else []
    return [*(Asked(term, term) for term in (*words, *joined[:-1])), *last]


def _once(asked: list[Asked]) -> tuple[Asked, ...]:
    first: dict[str, Asked] = {}
    for one in asked:
        first.setdefault(one.term, one)
    return tuple(first.values())


def _single_words(run: str) -> list[str]:
    """Return the Han characters that stand alone among kana: in Japanese, words of their own."""
    if len(run) == 1:
        return []
    return [found for found in han_runs().findall(run) if len(found) == 1]


@functools.cache
def _stops() -> frozenset[str]:
    return stopwords.ENGLISH | {word.replace("'", "\u2019") for word in stopwords.ENGLISH}


@functools.cache
def _stems() -> frozenset[str]:
    return frozenset(word for stop in stopwords.ENGLISH for word in piece(stop).words)
