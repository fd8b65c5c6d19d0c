"""The one pattern that clean text fails: a fast "nothing here" for every text that is scanned.

It looks at lower-cased text and lets through more than the detectors find, never less; a test
plants every kind of secret to hold it to that.
"""

import functools
import re
from collections.abc import Iterable

from doll.secrets import blocks, formats, names, plugins

# Literal characters; a head ends before one that a quantifier follows.
_LITERAL = re.compile(r"[\w:/ =~-]|\\[^\w]")
_FIRST = re.compile(rf"(?:{_LITERAL.pattern})(?![?*+{{])")
_HEAD = re.compile(f"(?:{_FIRST.pattern})*")
_BY_FREQUENCY = " etaoinsrhldcumfpgwybvkxjqz"


# To compile the one pattern takes as long as to look for each alternative by itself in so many
# characters: the few lines of an answer are not worth it, a vault is.
_WORTH_COMPILING = 100_000


class Prefilter:
    """Looks for each alternative by itself in the first texts, and for all at once in the rest."""

    def __init__(self) -> None:
        self.looked_at = 0

    def passes(self, lowered: str) -> bool:
        """Say whether any detector could find something in the text with this lower case."""
        self.looked_at += len(lowered)
        if self.looked_at > _WORTH_COMPILING:
            return _pattern().search(lowered) is not None
        return any(
            head in lowered and _compiled(alternative).search(lowered)
            for head, alternative in _heads()
        )


_prefilter = Prefilter()


def may_hold_secret(lowered: str) -> bool:
    """Say whether any detector could find something in the text with this lower case."""
    return _prefilter.passes(lowered)


@functools.cache
def _compiled(alternative: str) -> re.Pattern[str]:
    return re.compile(alternative)


@functools.cache
def _heads() -> tuple[tuple[str, str], ...]:
    """Return the alternatives, each behind the literal text that it begins with."""
    return tuple((_head_of(alternative), alternative) for alternative in _alternatives())


def _head_of(alternative: str) -> str:
    head = _HEAD.match(alternative)
    literals = _LITERAL.findall(head.group()) if head else []
    return "".join(literal[-1] for literal in literals)


@functools.cache
def _pattern() -> re.Pattern[str]:
    return re.compile(join(map(from_rarest, _alternatives())))


def _alternatives() -> tuple[str, ...]:
    # Any `key` with an operator passes: one alternative for all the kinds of key.
    telling = (*names.PASSWORD_NAMES, *names.TOKEN_NAMES, "key")
    gates = [gate.lower() for plugin in plugins.PLUGINS for gate in plugin.gates]
    gates += [entry.gate for entry in formats.FORMATS]
    alternatives = [*gates, *blocks.GATES, names.OPTION]
    alternatives += [name + names.AFTER_NAME for name in telling]
    return tuple(dict.fromkeys(alternatives))


def from_rarest(pattern: str) -> str:
    """Return a pattern that matches where `pattern` does, but begins at its rarest character.

    What stands before that character becomes a look-behind: `token` is looked for as
    `ken(?<=token)`. Nine of ten positions in prose are then skipped without a try.
    """
    head = _HEAD.match(pattern)
    literals = _LITERAL.findall(head.group()) if head else []
    if not literals:
        return pattern
    rarest = max(range(len(literals)), key=lambda at: _rarity(literals[at]))
    if not rarest:
        return pattern
    whole = "".join(literals)
    return f"{''.join(literals[rarest:])}(?<={whole}){pattern[len(whole) :]}"


def _rarity(literal: str) -> int:
    place = _BY_FREQUENCY.find(literal[-1])
    return place if place >= 0 else len(_BY_FREQUENCY)


def join(alternatives: Iterable[str], depth: int = 3) -> str:
    """Return one pattern for all `alternatives`, with what they begin with in common factored out.

    Python's engine tries alternatives one after the other, and skips ahead by first character only
    where each of them begins with a literal one.
    """
    groups: dict[str, list[str]] = {}
    for alternative in dict.fromkeys(alternatives):
        literal = _FIRST.match(alternative)
        size = literal.end() if literal and depth else 0
        groups.setdefault(alternative[:size], []).append(alternative[size:])
    tail = groups.pop("", [])
    return "|".join(
        [
            first + (rests[0] if len(rests) == 1 else f"(?:{join(rests, depth - 1)})")
            for first, rests in groups.items()
        ]
        + tail
    )
