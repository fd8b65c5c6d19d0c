"""The tags that stand in the text of a note, as Obsidian reads them: `#word`, `#project/shop`.

The text keeps them; here they are only found. Not within code.
Source: Obsidian's help, "Tags": letters, digits, `_`, `-` and `/`, at least one no digit.
"""

import re
from collections.abc import Iterator

from doll.interchange.markdown.sections import prose

MOST = 100

_CODE = re.compile("`[^`\n]*`")
_TAG = re.compile(r"(?<!\S)#([\w/-]{1,200})(?![\w/-])")
_NUMBER = re.compile(r"[\d/_-]+")
_RAW = ("```", "~~~", "<")


def inline(text: str) -> tuple[str, ...]:
    """Return the tags in a text in their order, each once and without its sign; at most 100."""
    found: dict[str, None] = {}
    for tag in _tags(text) if _TAG.search(text) else ():
        if tag and not _NUMBER.fullmatch(tag):
            found[tag] = None
            if len(found) == MOST:
                break
    return tuple(found)


def _tags(text: str) -> Iterator[str]:
    is_plain = not any(mark in text for mark in _RAW)
    for piece in [text] if is_plain else prose(text):
        for match in _TAG.finditer(_CODE.sub(" ` ", piece)):
            yield match[1].strip("/")
