"""Characters: which scripts write words with spaces, and the folded form in which words compare.

Pure. Nothing here knows words, queries or an index.
"""

import functools
import re
import unicodedata

# Scripts that write without spaces between words, and Hangul, whose particles stick to words:
# Han, kana, bopomofo, Hangul, Thai, Lao, Myanmar, Khmer. They are indexed by character pairs.
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_OTHERS = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1100-\u11ff"
    "\u1780-\u17d3\u3105-\u312f\u31a0-\u31bf\ua960-\ua97f\uac00-\ud7ff"
)
# Combining marks within words, which `\w` leaves out: general, Hebrew, Arabic, Indic, Thai, Lao,
# Tibetan, Myanmar, Khmer, kana.
MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903"
    "\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u09d7\u0a01-\u0a03"
    "\u0a3c-\u0a51\u0a70\u0a71\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82"
    "\u0bbe-\u0bcd\u0bd7\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03"
    "\u0d3b-\u0d4d\u0d57\u0d82\u0d83\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc"
    "\u0ec8-\u0ece\u0f18\u0f19\u0f35-\u0f39\u0f71-\u0f84\u102b-\u103e\u1056-\u1060\u1062-\u106d\u1071-\u1074"
    "\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u3099\u309a"
)

_ACCENTS = re.compile("[\u0300-\u036f]")
# Letters with a stroke or joined letters, which have no decomposition.
_STROKES = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe", "ı": "i"}
)


def normal(text: str) -> str:
    """Return `text` with compatibility forms (full width, ligatures) replaced: NFKC."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def fold(word: str) -> str:
    """Return a word of normal text without case and accents.

    Accents are those of Latin, Greek and Cyrillic; marks that make other letters in kana, Thai or
    Indic scripts stay.
    """
    if word.isascii():
        return word.lower()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", word.casefold()))
    return unicodedata.normalize("NFC", bare).translate(_STROKES)


@functools.cache
def unspaced_runs() -> re.Pattern[str]:
    """Return the pattern of a run of unspaced scripts, as a group: it splits text by script.

    Made when first needed: its character classes take milliseconds to compile.
    """
    return re.compile(f"([{_HAN}{_KANA}{_OTHERS}]+)")


@functools.cache
def han_runs() -> re.Pattern[str]:
    """Return the pattern of a run of Han characters."""
    return re.compile(f"[{_HAN}]+")
