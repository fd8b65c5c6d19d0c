"""Likely duplicates: confirmed memories that say much the same as a text. Pure.

A hint for a person, never a decision: two memories of different meaning can have the same words
("C" and "c"), and the same thing can be said in other ones.
"""

import re
import unicodedata
from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

from doll.render.review_values import Duplicate

SHARE = 0.6
FEWEST = 3
MOST = 5

_WORD = re.compile(r"\w+")
# Scripts that write no spaces between words are compared by pairs of characters.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")


class _Text(NamedTuple):
    id: str
    path: str
    normal: str
    words: frozenset[str]


class Memories:
    """The texts of confirmed memories, by their words."""

    def __init__(self) -> None:
        self._texts: list[_Text] = []
        self._having: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, record_id: str, path: str, text: str) -> None:
        """Take in the text of one memory."""
        made = _Text(record_id, path, normal(text), words(text))
        for word in made.words:
            self._having[word].append(len(self._texts))
        self._texts.append(made)

    def like(self, text: str) -> tuple[Duplicate, ...]:
        """Return the memories that seem to say the same, most alike first, at most five.

        The same words in the same order, letter case and white space aside, come first; then those
        that share at least three words and 60 % of the words of both.
        """
        own, mine = normal(text), words(text)
        shared: defaultdict[int, int] = defaultdict(int)
        for word in mine:
            for index in self._having.get(word, ()):
                shared[index] += 1
        found = []
        for index, number in shared.items():
            other = self._texts[index]
            union = len(mine | other.words)
            if own == other.normal:
                found.append((-1.0, Duplicate(other.id, other.path, "the same words")))
            elif number >= FEWEST and number >= SHARE * union:
                why = f"shares {number} of {union} words"
                found.append((-number / union, Duplicate(other.id, other.path, why)))
        return tuple(duplicate for _, duplicate in sorted(found)[:MOST])


def normal(text: str) -> str:
    """Return a text in the form in which texts are compared: its words in their order."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def words(text: str) -> frozenset[str]:
    """Return the different words of a text; of Chinese and Japanese, pairs of characters."""
    found: set[str] = set()
    for word in normal(text).split():
        unspaced = _UNSPACED.findall(word)
        found.update(_UNSPACED.sub(" ", word).split())
        for run in unspaced:
            found.update([run] if len(run) == 1 else map("".join, pairwise(run)))
    return frozenset(found)
