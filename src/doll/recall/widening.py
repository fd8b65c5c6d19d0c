"""Widening: what else a query may mean, where its words answer too little.

Words within words (`service` in `microservicecatalog`), and where nothing at all matches, the
nearest word that there is. Pure: over a vocabulary given as values, which may hold terms of
deleted records; `found` says in how many live ones a term is, and one in none never counts.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from doll.recall.scripts import unspaced_runs

# A shorter word is within half of all words.
SHORTEST_WITHIN = 3
# So many terms are asked for in addition: the closest.
MOST_TERMS = 50
# Of a longer query so many words are looked for: the longest within others, the first near others.
MOST_WORDS = 32
# A shorter word has too many neighbours; a word from the second length on may be two edits away.
SHORTEST_TYPO, LONG = 4, 8

Found = Callable[[str], int]


class Within(NamedTuple):
    """A term that contains a word of the query; `share` of it is that word, above 0 and below 1."""

    term: str
    word: str
    share: float


class Correction(NamedTuple):
    """A term of the query that nothing has, and the nearest one that some record has."""

    term: str
    nearest: str


def within(words: Sequence[str], vocabulary: Collection[str], found: Found) -> tuple[Within, ...]:
    """Return the terms that contain one of `words`, the closest first, at most `MOST_TERMS`.

    A term that contains several of them is one of the longest.
    """
    sought = {word for word in words if _is_sought(word)}
    wanted = sorted(sought, key=lambda word: (-len(word), word))[:MOST_WORDS]
    if not wanted:
        return ()
    longest: dict[str, str] = {}
    for word in wanted:
        for term in [term for term in vocabulary if word in term]:
            longest.setdefault(term, word)
    asked = set(words)
    holding = [
        Within(term, word, len(word) / len(term))
        for term, word in longest.items()
        if term not in asked and is_word(term)
    ]
    holding.sort(key=lambda one: (-one.share, one.term))
    chosen: list[Within] = []
    for one in holding:
        if found(one.term):
            chosen.append(one)
            if len(chosen) == MOST_TERMS:
                break
    return tuple(chosen)


def corrections(
    terms: Sequence[str], vocabulary: Iterable[str], found: Found
) -> tuple[Correction, ...]:
    """Return for each term that has a near one in the vocabulary which that is.

    The nearest, of those the one that most records have, of those the first by alphabet.
    """
    typed = [term for term in terms if _is_correctable(term)][:MOST_WORDS]
    if not typed:
        return ()
    lengths = {len(term) + more for term in typed for more in range(-2, 3)}
    by_length: dict[int, list[str]] = {length: [] for length in lengths}
    for word in [word for word in vocabulary if len(word) in lengths]:
        by_length[len(word)].append(word)
    nearest = ((term, _best(_near(term, by_length), found)) for term in typed)
    return tuple(Correction(term, best) for term, best in nearest if best is not None)


def _near(term: str, by_length: Mapping[int, Sequence[str]]) -> Iterator[tuple[int, str]]:
    """Yield the words near a term, each with how many letters apart they are."""
    most = 2 if len(term) >= LONG else 1
    lacking = frozenset(term).difference
    for length in range(len(term) - most, len(term) + most + 1):
        # Most words lack too many of its letters, which costs less to see than the distance.
        for word in [each for each in by_length.get(length, ()) if len(lacking(each)) <= most]:
            apart = distance(term, word, most)
            if 0 < apart <= most and _is_correctable(word):
                yield apart, word


def distance(one: str, other: str, most: int) -> int:
    """Return how many letters apart two words are, `most` + 1 for more than `most`.

    One letter put in, left out, changed, or swapped with its neighbour is one apart: the optimal
    string alignment distance. Source: Boytsov, "Indexing methods for approximate dictionary
    searching" (2011), section 2.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, against in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(last) > most:
            return most + 1
        before, last = last, row
    return min(last[-1], most + 1)


def _best(near: Iterable[tuple[int, str]], found: Found) -> str | None:
    counted = [(apart, -number, word) for apart, word in near if (number := found(word))]
    return min(counted)[2] if counted else None


def is_word(term: str) -> bool:
    """Return whether a term is one of text: those of links begin with a NUL."""
    return not term.startswith("\0")


def _is_sought(word: str) -> bool:
    return len(word) >= SHORTEST_WITHIN and is_word(word)


def _is_correctable(term: str) -> bool:
    """Return whether a term can be a mistyped word: letters of a script that spaces its words.

    One digit more or less makes another number, and no typing error that can be seen.
    """
    letters = len(term) >= SHORTEST_TYPO and not any(c.isdecimal() for c in term)
    return letters and is_word(term) and unspaced_runs().search(term) is None
