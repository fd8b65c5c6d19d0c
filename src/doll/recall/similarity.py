"""Similarity: how much two texts have in common, in whole permille. Pure.

Texts are compared as the different terms of `recall.tokens`: English words by their stem, scripts
without spaces by pairs of characters. What is equal is decided by the normal form, which keeps
signs; what is alike is decided by words, which do not. No text weighs on the likeness of others.
"""

import unicodedata
from array import array
from collections.abc import Iterable, Sequence
from itertools import pairwise

from doll.recall.tokens import words
from doll.records.digest import sha256

# Two texts are near when they share this much of the words of both (Jaccard), in permille.
NEAR = 600
# One extends another when it has this much of its words, and of its pairs of neighbouring words,
# and has itself so many words for each of the other's, all in permille.
CONTAINED, NEIGHBOURS, LONGER = 900, 750, 1250
# Shorter texts are compared for being equal alone: two or three words are soon shared.
FEWEST = 3
FEWEST_PART = 4
# Words beyond this many characters of a text are not compared; whether it is equal, all of it is.
MAX_TEXT = 200_000


def normal_form(text: str) -> str:
    """Return a text without compatibility forms, case, and differences of white space."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    # Once more, since folding can leave a form that is not composed.
    folded = folded.casefold()
    folded = folded if folded.isascii() else unicodedata.normalize("NFKC", folded)
    return " ".join(folded.split())


def compared(parts: Iterable[str]) -> str:
    """Return the parts of a record as the one text that is compared.

    A part that says what an earlier one says is left out, as a title that the body repeats is.
    """
    first: dict[str, str] = {}
    for part in filter(None, parts):
        first.setdefault(normal_form(part), part)
    first.pop("", None)
    return "\n".join(first.values())


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text's normal form: equal for texts that count as equal."""
    return sha256(normal_form(text).encode("utf-8", "surrogatepass"))


def terms(text: str) -> list[str]:
    """Return the terms of a text in their order, of its first `MAX_TEXT` characters."""
    return list(words(text[:MAX_TEXT]))


def jaccard(shared: int, one: int, other: int) -> int:
    """Return the share of common terms in those of both, in permille, from numbers of terms."""
    union = one + other - shared
    return 1000 * shared // union if union else 0


def contained(part: Sequence[int], whole: Sequence[int]) -> int:
    """Return how much of one sequence of terms stands in another, in permille.

    0 where fewer terms, or fewer pairs of neighbours, than an extension has are in the other, or
    where the other is not longer: a long text has the words of many short ones.
    """
    mine, other = set(part), set(whole)
    if not mine or len(other) * 1000 < LONGER * len(mine):
        return 0
    share = 1000 * len(mine & other) // len(mine)
    if share < CONTAINED:
        return 0
    pairs = set(pairwise(part))
    there = pairs.intersection(pairwise(whole))
    return share if 1000 * len(there) >= NEIGHBOURS * len(pairs) else 0


class Texts:
    """Texts that are to be compared, as numbers: a term is the number of its rank.

    Ranks go from the rarest term to the most frequent, ties by the term itself, so that they are
    the same for the same texts. `signatures` are sets of terms folded into bits.
    """

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        numbers: dict[str, int] = {}
        raw = [array("I", (numbers.setdefault(t, len(numbers)) for t in each)) for each in texts]
        ranks = _ranks(raw, list(numbers))
        self.sequences = [array("I", (ranks[term] for term in each)) for each in raw]
        self.sets = [array("I", sorted(set(each))) for each in self.sequences]
        self.signatures = [_signature(each) for each in self.sets]

    def near(self, one: int, other: int) -> int:
        """Return the likeness of two texts in permille, 0 below `NEAR`."""
        mine, others = self.sets[one], self.sets[other]
        shared = len(set(mine).intersection(others))
        likeness = jaccard(shared, len(mine), len(others))
        return likeness if likeness >= NEAR and shared >= FEWEST else 0

    def extends(self, longer: int, part: int) -> int:
        """Return how much of a text another one has, in permille, 0 where it does not extend it."""
        return contained(self.sequences[part], self.sequences[longer])


_BITS = 512


def _ranks(raw: Sequence[Sequence[int]], names: Sequence[str]) -> list[int]:
    """Return the rank of each term by its number."""
    frequency = [0] * len(names)
    for each in raw:
        for term in set(each):
            frequency[term] += 1
    order = sorted(range(len(names)), key=lambda term: (frequency[term], names[term]))
    ranks = [0] * len(names)
    for rank, term in enumerate(order):
        ranks[term] = rank
    return ranks


def _signature(terms_of: Iterable[int]) -> int:
    bits = 0
    for term in terms_of:
        bits |= 1 << term % _BITS
    return bits
