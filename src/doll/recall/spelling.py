"""Spelling: how a text writes the words that terms stand for. Pure."""

import re
from collections.abc import Collection, Iterable

from doll.recall.scripts import normal
from doll.recall.tokens import piece, spans

_WORD = re.compile(r"\w+")


def as_written(texts: Iterable[str], terms: Collection[str]) -> dict[str, str]:
    """Return for each term that the texts have how the first of them writes it.

    A word of a compound is given alone where it can be: `espresso` of `espresso-order`.
    """
    found: dict[str, str] = {}
    for text in texts:
        whole = normal(text)
        for start, end, has, _ in spans(whole):
            for term in (term for some in has for term in some):
                if term in terms and term not in found:
                    found[term] = _alone(whole[start:end], term)
        if len(found) == len(terms):
            break
    return found


def _alone(said: str, term: str) -> str:
    return next((word for word in _WORD.findall(said) if piece(word).words == (term,)), said)
