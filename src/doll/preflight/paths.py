"""The changed paths of a request, arranged so that many patterns can be tried quickly.

Owns the trying, not the meaning (`doll.preflight.globs`). Each distinct pattern is tried once, and
its regular expression is only built when no cheaper test has ruled it out.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from doll.preflight import globs

# What a redaction leaves in place of a value (docs/vault-format.md).
REDACTED = "[redacted]"


class PathIndex:
    """Paths with `/` between their parts, relative to the top of the work tree.

    Compared in NFC, since file systems and editors differ about it; given back as they came.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        spelled = {_composed(path): path for path in sorted(paths, reverse=True)}
        self._names = sorted(spelled)
        self._spelled = spelled
        self._text = "\0".join(self._names)
        self._known: dict[str, str | None] = {}

    def first(self, pattern: str) -> str | None:
        """Return the first path in order that `pattern` matches, or None.

        The text that a redaction leaves matches every path: what stood there is not known any
        more, and a redaction must not silence a warning.
        """
        if pattern not in self._known:
            self._known[pattern] = self._find(pattern)
        return self._known[pattern]

    def first_of(self, patterns: Sequence[str]) -> tuple[str, str] | None:
        """Return the first pattern in the given order that matches, and its first path."""
        for pattern in patterns:
            path = self.first(pattern)
            if path is not None:
                return pattern, path
        return None

    def _find(self, pattern: str) -> str | None:
        if pattern == REDACTED:
            return self._spelled[self._names[0]] if self._names else None
        composed = _composed(pattern)
        prefix, needle = globs.hints(composed)
        if needle not in self._text:
            return None
        names = self._beginning_with(prefix)
        regex = globs.regex(composed) if names else None
        if regex is None:
            return None
        match = re.compile(regex).match
        return next((self._spelled[name] for name in names if match(name)), None)

    def _beginning_with(self, prefix: str) -> Sequence[str]:
        if not prefix:
            return self._names
        start = bisect_left(self._names, prefix)
        end = bisect_left(self._names, prefix + "\U0010ffff", start)
        return self._names[start:end]


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)
