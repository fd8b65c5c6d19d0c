"""Where the sections of a Markdown text begin and end, and below which headings each stands.

Knows as much of Markdown as that takes; what it takes for a heading or not changes no byte.
Source: CommonMark 0.31, sections 4.2 (ATX headings), 4.3 (setext headings), 4.5 (fenced code
blocks), 4.6 (HTML blocks: comments, and elements of raw text).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_SECTIONS = 2000
UNTITLED = "untitled"

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?$")
_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$")
_RAW = re.compile(r" {0,3}<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))", re.IGNORECASE)
# What begins a block that no underline can turn into a heading.
_CONTAINER = re.compile(r" {0,3}(?:>|[-*+](?:[ \t]|$)|[0-9]{1,9}[.)](?:[ \t]|$))")
_INDENTED = re.compile(r"(?: {4}| {0,3}\t)")
_LONGEST = 200
# A line of more characters is a paragraph to nobody; looking for its marks would cost.
_LONG_LINE = 10_000


class Section(NamedTuple):
    """A piece of a text, heading and all: its offsets, its first line (from 1), its headings.

    `headings` lead from the top to its own, each at most 200 characters; () before the first.
    `own` is the offset where the text behind its heading begins.
    """

    start: int
    end: int
    line: int
    headings: tuple[str, ...]
    own: int


class _Heading(NamedTuple):
    start: int
    end: int
    line: int
    level: int
    text: str


def sections(text: str) -> list[Section] | None:
    """Return the sections of a text, which they fill without a gap; None for more than 2,000."""
    found = [Section(0, len(text), 1, (), 0)]
    above: list[_Heading] = []
    for heading in _headings(text):
        if len(found) > MAX_SECTIONS:
            return None
        while above and above[-1].level >= heading.level:
            above.pop()
        above.append(heading)
        found[-1] = found[-1]._replace(end=heading.start)
        names = tuple(each.text for each in above)
        found.append(Section(heading.start, len(text), heading.line, names, heading.end))
    return found if found[0].end or len(found) == 1 else found[1:]


class _Paragraph(NamedTuple):
    start: int
    line: int


def prose(text: str) -> Iterator[str]:
    """Yield the lines of a text that are neither code nor raw HTML."""
    scan = Scan()
    for _, _, line in _lines(text):
        if not scan.is_raw(line):
            yield line


def _headings(text: str) -> Iterator[_Heading]:
    scan = Scan()
    for number, (start, end, line) in enumerate(_lines(text), start=1):
        if scan.is_raw(line):
            continue
        if heading := _atx(line):
            scan.paragraph = None
            yield _Heading(start, end, number, *heading)
        elif (underline := _SETEXT.match(line)) and scan.paragraph and not scan.contained:
            begin = scan.paragraph
            said = " ".join(text[begin.start : start].split())
            scan.paragraph = None
            level = 1 if underline[1][0] == "=" else 2
            yield _Heading(begin.start, end, begin.line, level, _short(said))
        else:
            scan.take(line, start, number)


class Scan:
    """What the lines so far leave open: a fence, raw HTML, a paragraph, a list or a quotation."""

    def __init__(self) -> None:
        self.paragraph: _Paragraph | None = None
        self.contained = False
        self._fence = ""
        self._until = ""

    def is_raw(self, line: str) -> bool:
        """Return whether a line is code or raw HTML, or begins or ends it."""
        if self._until:
            if self._until in line.lower():
                self._until = ""
            return True
        fence = _FENCE.match(line)
        if self._fence:
            if fence and fence[1].startswith(self._fence) and not fence[2].strip():
                self._fence = ""
            return True
        raw = None if fence else _RAW.match(line)
        if fence:
            self._fence = fence[1]
        elif raw:
            ending = "-->" if raw[1] else f"</{raw[2].lower()}>"
            self._until = "" if ending in line.lower()[raw.end() :] else ending
        if fence or raw:
            self.paragraph = None
        return bool(fence or raw)

    def take(self, line: str, start: int, number: int) -> None:
        """Take a line that is neither raw nor a heading."""
        if not line.strip():
            self.paragraph, self.contained = None, False
        elif _CONTAINER.match(line):
            self.paragraph, self.contained = None, True
        elif self.paragraph is None and not self.contained and not _INDENTED.match(line):
            self.paragraph = _Paragraph(start, number)


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield begin and end of each line, and what stands in it, cut where it is very long."""
    for found in _LINES.finditer(text):
        start, end = found.span()
        if start < end:
            yield start, end, text[start : min(end, start + _LONG_LINE)].rstrip("\r\n")


def _atx(line: str) -> tuple[int, str] | None:
    found = _ATX.match(line)
    if found is None:
        return None
    return len(found[1]), _short(_CLOSING.sub("", (found[2] or "").strip()).strip())


def _short(said: str) -> str:
    if len(said) > _LONGEST:
        return f"{said[: _LONGEST - 1]}…"
    return said or UNTITLED
