"""Text from records, made safe to print: what is seen is what is there.

Nothing is stripped: what a terminal would act on, hide or reorder is shown escaped.
"""

import functools
import re

# Controls, format characters (bidi, zero-width, tags), separators, surrogates, private use,
# and letters that have no shape (Hangul fillers, braille blank).
_UNSEEN = (
    "[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    "\u2028-\u202f\u205f-\u206f\u2800\u3164\ud800-\udfff\ue000-\uf8ff\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)


def visible(text: str) -> str:
    """Return one line of text with every control, bidi and invisible character as `\\u{202e}`."""
    if text.isascii() and text.isprintable():
        return text
    return _unseen().sub(_escaped, text)


def lone_halves_shown(text: str) -> str:
    """Return text with halves of surrogate pairs as `\\u{dcff}`, all else as it is."""
    return text if text.isascii() else re.sub("[\ud800-\udfff]", _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{{{ord(found.group()):x}}}"


@functools.cache
def _unseen() -> re.Pattern[str]:
    """Compile the pattern when it is first needed: that takes longer than printing a report."""
    return re.compile(_UNSEEN)


def visible_lines(text: str) -> list[str]:
    """Return the lines of a longer text, each made visible; line feeds are the only breaks."""
    return [visible(line) for line in text.split("\n")]


def quoted(text: str) -> list[str]:
    """Return a record's text as data: each line behind `| `, so that it cannot pose as output."""
    return [f"| {line}" for line in visible_lines(text.removesuffix("\n"))]


def count(number: int, one: str, many: str | None = None) -> str:
    """Return `1 record`, `2 records`, `1,000 records`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def width(text: str) -> int:
    """Return how many columns of a terminal a visible text takes: wide characters take two."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def padded_to(columns: int, text: str) -> str:
    """Return `text` with spaces behind it up to a number of columns."""
    return text + " " * (columns - width(text))
