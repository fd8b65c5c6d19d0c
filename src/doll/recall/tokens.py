"""The tokenizer: text to the terms by which it is found. One version number for all of it.

A text is cut into pieces: words of spaced scripts with the signs that join them (`pre-edit`,
`src/a.py`, `totalCost`), and runs of unspaced scripts (`咖啡`), which become character pairs.
All terms share one space, so that `GitHub` and `github`, `e-mail` and `email` meet.

Pure: no vault, no index, no query.
"""

import functools
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from doll.recall.engine import porter_stem
from doll.recall.irregular import BASE
from doll.recall.scripts import MARKS, fold, normal, unspaced_runs

# Raise it whenever any text gets other terms: every index is then built anew.
VERSION = 2

MAX_TERM = 64
# A longer compound, such as the id of an experience entry, is found by its parts alone.
MAX_JOINED = 48
_CACHED = 30_000
_CACHED_LENGTH = 80

_WORD = f"(?:[^\\W_]+|[{MARKS}]+)+"
_SIGN = "(?:_*(?:::|[-./\\\\:@&+='\u2019])_*|_+)"
# A piece of a spaced script, or of several scripts: those are cut up once more.
_PIECE = re.compile(f"[A-Za-z]#(?![\\w#])|{_WORD}(?:{_SIGN}{_WORD})*(?:\\+\\+(?!\\+))?")
_OUTER = re.compile(r"::|[/\\:@&+=]")
_INNER = re.compile("[-._'\u2019]+")
_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDING = re.compile("['\u2019](?:s|re|ve|ll|d|m)(?!\\w)", re.IGNORECASE)
_NOT = re.compile("n['\u2019]t(?!\\w)", re.IGNORECASE)
# Signs that go when a compound is joined; between digits they stay: `2026-08-20`.
_JOINT = re.compile("(?<!\\d)[-_'\u2019]+|[-_'\u2019]+(?!\\d)")


class Piece(NamedTuple):
    """The terms of one piece of text.

    `words` count for the length of a text. `joined` (a compound as one term) and `within` (the
    single characters of a run, the letter of `C++`) are found and count for nothing; a query asks
    for its words and joined forms, never for what is within.
    """

    words: tuple[str, ...]
    joined: tuple[str, ...] = ()
    within: tuple[str, ...] = ()


class Span(NamedTuple):
    """A piece of one kind of script, and where it stands in the text, which is in normal form."""

    start: int
    end: int
    piece: Piece
    unspaced: bool


def spans(text: str) -> Iterator[Span]:
    """Yield the pieces of `text`, which must be in normal form, with their places."""
    for found in _PIECE.finditer(text):
        if found.group().isascii():
            yield Span(found.start(), found.end(), piece(found.group()), unspaced=False)
        else:
            yield from _scripts(found.group(), found.start())


def count(text: str, weight: float, into: dict[str, float]) -> int:
    """Add `weight` to `into` for each occurrence of a term of `text`; return its words' number."""
    length = 0
    get = into.get
    for found in _PIECE.findall(normal(text)):
        words, joined, within = piece(found)
        length += len(words)
        for term in words:
            into[term] = get(term, 0.0) + weight
        for term in joined:
            into[term] = get(term, 0.0) + weight
        for term in within:
            into[term] = get(term, 0.0) + weight
    return length


def having(text: str, terms: Collection[str]) -> frozenset[str]:
    """Return the pieces of `text`, in normal form, that have one of the terms.

    Of a line without any of them nothing needs to be asked: it has none of the terms.
    """
    return frozenset(each for each in set(_PIECE.findall(normal(text))) if _held(each, terms))


def held(text: str, terms: Collection[str]) -> set[str]:
    """Return those of the terms that `text` has, as `count` finds them."""
    found: set[str] = set()
    for each in set(_PIECE.findall(normal(text))):
        found.update(_held(each, terms))
    return found


def _held(text: str, terms: Collection[str]) -> list[str]:
    """Return those of the terms that a piece has."""
    return [term for terms_of in piece(text) for term in terms_of if term in terms]


def words(text: str) -> Iterator[str]:
    """Yield the words of `text` as terms, in the order of the text."""
    for found in _PIECE.findall(normal(text)):
        yield from piece(found).words


@functools.lru_cache(_CACHED)
def stem(word: str) -> str:
    """Return a folded word as a term: the Porter 2 stem of an ASCII word, else itself.

    A form of an irregular verb is stemmed as the verb.
    """
    if len(word) > MAX_TERM:
        return word[:MAX_TERM]
    if len(word) > 2 and word.isascii() and word.isalpha():
        stemmed: str = porter_stem(BASE.get(word, word))
        return stemmed
    return word


def piece(text: str) -> Piece:
    """Return the terms of one piece of normal text."""
    return _cached(text) if len(text) <= _CACHED_LENGTH else _analyse(text)


def _analyse(text: str) -> Piece:
    if text.isascii():
        return _spaced(text)
    found = [span.piece for span in _scripts(text, 0)]
    if len(found) == 1:
        return found[0]
    return Piece(*(tuple(term for part in found for term in part[kind]) for kind in range(3)))


def _spaced(text: str) -> Piece:
    if text[-1] in "+#":
        return Piece((fold(text)[-MAX_TERM:],), (), _compound(text.rstrip("+#")).words)
    if text.isalnum() and (text.islower() or text.istitle() or text.isupper()):
        return Piece((stem(fold(text)),))
    return _compound(text)


def _scripts(text: str, start: int) -> Iterator[Span]:
    """Yield the runs of unspaced scripts in one piece, and the pieces between them."""
    for index, part in enumerate(unspaced_runs().split(text)):
        if index % 2:
            yield Span(start, start + len(part), _run(part), unspaced=True)
        else:
            for found in _PIECE.finditer(part):
                place = start + found.start()
                yield Span(place, start + found.end(), _spaced(found.group()), unspaced=False)
        start += len(part)


_cached = functools.lru_cache(_CACHED)(_analyse)


def _run(text: str) -> Piece:
    """Return character pairs as words, single characters within; one character is a word."""
    text = fold(text)
    if len(text) == 1:
        return Piece((text,))
    return Piece(tuple(text[at : at + 2] for at in range(len(text) - 1)), (), tuple(text))


def _compound(text: str) -> Piece:
    words: list[str] = []
    joined: list[str] = []
    components = _OUTER.split(_NOT.sub("nt", _ENDING.sub("", text)))
    for component in components:
        parts = _INNER.split(component)
        for part in parts:
            _part(part, words, joined)
        if len(parts) > 1:
            joined.append(stem(fold(_JOINT.sub("", component))))
    if len(components) > 1:
        joined.append(fold("/".join(components)))
    whole = (term for term in dict.fromkeys(joined) if 0 < len(term) <= MAX_JOINED)
    return Piece(tuple(filter(None, words)), tuple(whole))


def _part(text: str, words: list[str], joined: list[str]) -> None:
    """Add the words of `totalCost` to `words`, and its joined form."""
    found = _CAMEL.split(text) if not (text.islower() or text.isupper()) else [text]
    words += [stem(fold(word)) for word in found]
    if len(found) > 1:
        joined.append(stem(fold(text)))
