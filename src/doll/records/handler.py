"""The front matter of a record file: split from its body, read, and written anew.

A handler for python-frontmatter of which only `split`, `load` and `format` are used: the
library's own `parse` and `dumps` strip bodies, and bodies are kept byte for byte.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from frontmatter import Post
from frontmatter.default_handlers import BaseHandler

from doll.records import fences, times
from doll.records.frontmatter import Block, read_block

Plain = str | bool | datetime | Sequence[str] | Mapping[str, str] | None

# Text that every YAML reader, 1.1 or 1.2, takes for just this text without quotes.
_SAFE = re.compile(r"[^\W\d_](?:[\w ./()+'*&;!?=-]|[,:](?=[^\W_])|, (?=\w))*(?<! )")
# What ends a text without quotes in brackets, if only for some readers.
_IN_BRACKETS = re.compile(r"[,?]")
_WORDS = re.compile(r"(?i)y|n|yes|no|on|off|true|false|null|nan|inf")
_UNSEEN = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]")
_LINE = 80
_LONG_KEY = 1000


class FrontMatter(BaseHandler):
    """doll's strict front matter."""

    FM_BOUNDARY = fences.CLOSING
    START_DELIMITER = END_DELIMITER = "---"

    def detect(self, text: str) -> bool:
        """Return whether `text` begins with an opening fence."""
        return fences.is_opened(text)

    def split(self, text: str) -> tuple[str, str]:
        """Return the block and the body; ValueError as `fences.bounds` raises it."""
        start, end, body = self.bounds(text)
        return text[start:end], text[body:]

    def bounds(self, text: str) -> tuple[int, int, int]:
        """Return the offsets that `fences.bounds` returns."""
        return fences.bounds(text)

    def load(self, fm: str) -> dict[str, Any]:
        """Return the values of a block; `read` gives their places too."""
        return dict(self.read(fm).values)

    def read(self, fm: str) -> Block:
        """Return the values of a block and where each stands; BlockError for a faulty one."""
        return read_block(fm)

    def export(self, metadata: dict[str, object], **_: object) -> str:
        """Return the block for `metadata`: one `key: value` after the other, no last newline."""
        pairs = cast("dict[str, Plain]", metadata)
        return "\n".join(entry(key, value) for key, value in pairs.items())

    def format(self, post: Post, **_: object) -> str:
        """Return the whole text: fences, block, and the body exactly as it is."""
        return f"---\n{self.export(post.metadata)}\n---\n{post.content}"


def entry(key: str, value: Plain) -> str:
    """Return the lines that say `key: value` in doll's own style, without a last newline."""
    if isinstance(value, Mapping):
        lines = [_pair(quoted(name), quoted(text)) for name, text in value.items()]
        return "\n".join([f"{key}:", *lines]) if lines else f"{key}: {{}}"
    if value is not None and not isinstance(value, str | bool | datetime):
        return _list_entry(key, value)
    return f"{key}: {scalar(value)}"


def inline(value: str | bool | datetime | Sequence[str]) -> str:
    """Return one value as YAML text on one line, a list in brackets however long it is."""
    if isinstance(value, str | bool | datetime):
        return scalar(value)
    items = (quoted(item) if _IN_BRACKETS.search(item) else scalar(item) for item in value)
    return f"[{', '.join(items)}]"


def _pair(name: str, text: str) -> str:
    # YAML 1.2.2, section 7.4.2: a key without `?` has at most 1024 characters.
    return f"  {name}: {text}" if len(name) < _LONG_KEY else f"  ? {name}\n  : {text}"


def scalar(value: str | bool | datetime | None) -> str:
    """Return one value as YAML text on one line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return times.render_exact(value)
    if _SAFE.fullmatch(value) and not _WORDS.fullmatch(value):
        return value
    return quoted(value)


def quoted(text: str) -> str:
    """Return `text` as a quoted YAML scalar; what cannot be seen stands escaped.

    Single quotes where they save escapes: the claims of an import are full of double ones.
    """
    if '"' in text and "'" not in text and text.isprintable() and not _UNSEEN.search(text):
        return f"'{text}'"
    escaped = json.dumps(text, ensure_ascii=False)
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", escaped)


def _list_entry(key: str, items: Sequence[str]) -> str:
    on_one_line = f"{key}: {inline(items)}"
    written = [scalar(item) for item in items]
    if len(on_one_line) <= _LINE and on_one_line == f"{key}: [{', '.join(written)}]":
        return on_one_line
    return "\n".join([f"{key}:", *(f"  - {item}" for item in written)])
