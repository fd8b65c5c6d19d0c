"""Gitignore patterns as regular expressions that cannot backtrack over a whole path.

Owns the meaning of one pattern; which paths are tried is `doll.preflight.paths`. Written here and
not left to a library for three measured reasons, which docs/preflight.md gives: start-up, names
with line breaks, and patterns that take minutes. Each wildcard but the last of a segment, and each
`**` but the last, stands in an atomic group: the leftmost place where what follows fits is always
good enough, so time grows with the length of the path and not with a power of it.

Source: gitignore(5) and git's wildmatch.c, by characters where git goes by bytes. Patterns are
case-sensitive and count from the top of the work tree; `!` has no meaning here, and `#` is a
character like others.
"""

import re
from typing import Literal, NamedTuple

Kind = Literal["literal", "one", "star", "slash", "never"]


class Token(NamedTuple):
    """One piece of a pattern; `text` is a regular expression for one character of a name."""

    kind: Kind
    text: str = ""


class Hints(NamedTuple):
    """Texts that are cheap to look for before a pattern is read.

    Every path that matches begins with `prefix` and contains `needle`.
    """

    prefix: str
    needle: str


NO_HINTS = Hints("", "")

_SLASH = Token("slash")
_STAR = Token("star", "*")
_ONE = Token("one", "[^/]")
_NEVER = Token("never")
_WILD = re.compile(r"[*?]")
_GAP = re.compile(r"[*?/]")
_NAMED = re.compile(r"\[:([^\]]*):\]")
_SPECIAL = {"/": _SLASH, "*": _STAR, "?": _ONE}
_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t-\r ",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


def hints(pattern: str) -> Hints:
    """Return what can be said of matching paths at a glance; nothing for brackets and escapes."""
    if "[" in pattern or "\\" in pattern or pattern.endswith(" "):
        return NO_HINTS
    text = pattern.removesuffix("/")
    anchored = "/" in text
    text = text.removeprefix("/")
    prefix = _WILD.split(text, maxsplit=1)[0] if anchored else ""
    return Hints(prefix, max(_GAP.split(text), key=len))


def regex(pattern: str) -> str | None:
    """Return the expression that a whole path must match from its start.

    None for a pattern that git would never match.
    """
    text = _stripped(pattern)
    folder_only = text.endswith("/")
    text = text.removesuffix("/")
    anchored = "/" in text
    tokens = _tokens(text.removeprefix("/"))
    if not tokens or _NEVER in tokens:
        return None
    segments = _segments(tokens)
    if not all(segments):
        return None
    return _regex(_groups(segments if anchored else [[_STAR, _STAR], *segments]), folder_only)


def _stripped(pattern: str) -> str:
    """Drop trailing spaces, save one that a backslash keeps."""
    bare = pattern.rstrip(" ")
    slashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if slashes % 2 and len(bare) < len(pattern) else bare


def _tokens(pattern: str) -> list[Token]:
    tokens, at = [], 0
    while at < len(pattern):
        character = pattern[at]
        at += 1
        if character == "[":
            token, at = _bracket(pattern, at)
        elif character == "\\":
            token = _literal(pattern[at]) if at < len(pattern) else _NEVER
            at += 1
        else:
            token = _SPECIAL.get(character) or _literal(character)
        tokens.append(token)
    return tokens


def _literal(character: str) -> Token:
    return _SLASH if character == "/" else Token("literal", re.escape(character))


def _bracket(pattern: str, at: int) -> tuple[Token, int]:
    """Read `[…]` from behind its `[`; git takes an unclosed one for a pattern without matches."""
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    parts: list[str] = []
    first = True
    while first or pattern[at : at + 1] != "]":
        first = False
        named = _NAMED.match(pattern, at)
        if named:
            if named[1] not in _POSIX:
                return _NEVER, len(pattern)
            parts.append(_POSIX[named[1]])
            at = named.end()
            continue
        low, at = _member(pattern, at)
        high = low
        if low and pattern[at : at + 1] == "-" and pattern[at + 1 : at + 2] not in ("", "]"):
            high, at = _member(pattern, at + 1)
        if not low or not high:
            return _NEVER, len(pattern)
        parts.append(re.escape(low))
        if low < high:
            parts.append(f"-{re.escape(high)}")
    members = "".join(parts)
    if negated:
        return Token("one", f"[^/{members}]"), at + 1
    return Token("one", f"(?!/)[{members}]" if members else "(?!)"), at + 1


def _member(pattern: str, at: int) -> tuple[str, int]:
    """Return the character of a bracket at `at` ("" at the end) and the place behind it."""
    at += pattern[at : at + 1] == "\\"
    return pattern[at : at + 1], at + 1


def _segments(tokens: list[Token]) -> list[list[Token]]:
    segments: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "slash":
            segments.append([])
        else:
            segments[-1].append(token)
    return segments


def _is_double(segment: list[Token]) -> bool:
    return len(segment) > 1 and all(token.kind == "star" for token in segment)


def _groups(segments: list[list[Token]]) -> list[list[list[Token]]]:
    """Split the segments at each `**`: the first group is anchored, the others may lie deeper."""
    groups: list[list[list[Token]]] = [[]]
    for segment in segments:
        if not _is_double(segment):
            groups[-1].append(segment)
        elif groups[-1] or len(groups) == 1:
            groups.append([])
    return groups


def _regex(groups: list[list[list[Token]]], folder_only: bool) -> str:
    *inner, last = groups
    end = "/" if folder_only else r"(?:/|\Z)"
    parts = []
    for number, group in enumerate(inner):
        text = "".join(_segment(segment) + "/" for segment in group)
        parts.append(rf"(?>(?:[^/]++/)*?{text})" if number else text)
    deeper = r"(?:[^/]++/)*?" if inner else ""
    if last:
        parts.append(deeper + "/".join(_segment(segment) for segment in last) + end)
    else:
        parts.append("[^/]++/" if folder_only else r"[^/]")
    return "".join(parts)


def _segment(tokens: list[Token]) -> str:
    """Return the expression of one segment; it must be followed by `/` or the end."""
    chunks = [""]
    for token in tokens:
        if token.kind == "star":
            chunks.append("")
        else:
            chunks[-1] += token.text
    first, *rest = chunks
    if not rest:
        return first
    *middle, last = rest
    # A star needs no character of its own, yet no segment of a path is empty.
    some = "(?=[^/])" if not first else ""
    inner = "".join(f"(?>[^/]*?{chunk})" for chunk in middle if chunk)
    return f"{some}{first}{inner}[^/]*{last}" if last else f"{some}{first}{inner}[^/]*+"
