"""The first heading of a Markdown body: the name of a record that has no title.

Source: CommonMark 0.31, sections 4.2 (ATX headings) and 4.5 (fenced code blocks).
"""

import re

_HEADING_OR_FENCE = (
    r"(?m)^ {0,3}(?:#{1,6}[ \t]+(?P<heading>[^\s#].*|#+[^\s#].*)$"
    r"|(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})(?P<info>.*)$)"
)


def first_heading(body: str) -> str | None:
    """Return the text of the first heading that is not empty and not code, or None."""
    fence = ""
    for found in re.finditer(_HEADING_OR_FENCE, body):
        mark = found["fence"]
        if mark is None:
            if not fence:
                return _without_closing(found["heading"].rstrip())
        elif not fence:
            fence = mark
        elif mark.startswith(fence) and not found["info"].strip():
            fence = ""
    return None


def _without_closing(heading: str) -> str:
    """Return a heading without the `#` signs that may close it: those after a space."""
    text = heading.rstrip("#")
    return text.rstrip() if text[-1:].isspace() else heading
