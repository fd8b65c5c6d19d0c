"""Phrases: words that a query wants side by side, and whether a record has them so. Pure.

A phrase is what stands in quotes; else the whole of a short query of several words, each of which
names something. A question is none: its words are scattered in what answers it.
"""

import re
from collections.abc import Iterable

from doll.recall.query import Query
from doll.recall.tokens import words

MOST_WORDS = 4
# As much of each field is looked at.
MAX_TEXT = 20_000
_QUOTED = re.compile('"([^"]+)"|\u201c([^\u201d]+)\u201d|\u300c([^\u300d]+)\u300d')

Phrase = tuple[str, ...]


def phrases(query: Query) -> dict[Phrase, str]:
    """Return the phrases of a query, of two words at least, and how it says them."""
    found = {}
    for groups in _QUOTED.findall(query.text):
        said = "".join(groups).strip()
        found[tuple(words(said))] = said
    if not found and not query.dropped and 1 < len(query.text.split()) <= MOST_WORDS:
        found[tuple(words(query.text))] = query.text.strip()
    return {phrase: said for phrase, said in found.items() if len(phrase) > 1}


def has(texts: Iterable[str], phrase: Phrase) -> bool:
    """Return whether one of the texts has the words of `phrase` side by side."""
    wanted = _line(phrase)
    return any(wanted in _line(words(text[:MAX_TEXT])) for text in texts)


def _line(terms: Iterable[str]) -> str:
    return f"\0{chr(0).join(terms)}\0"
