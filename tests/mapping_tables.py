"""The mapping tables of docs/interchange.md, as tests read them."""

import re
from pathlib import Path

DOC = Path(__file__).resolve().parents[1] / "docs" / "interchange.md"
BECOMES = {
    "": "—",
    "body": "the body",
    "claim": "a claim",
    "report": "the report",
    "checked": "checked",
}
_ROW = re.compile(r"^\| `([^`]*)` \| (.*?) \| (.*?) \|$", re.MULTILINE)


def section(title: str) -> str:
    """Return what the page says under a heading of the second level."""
    text = DOC.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2]
    return text.partition("\n## ")[0]


def rows(title: str) -> list[tuple[str, str, str]]:
    """Return the rows of the tables of an import: a pointer, what becomes of it, why."""
    return [row for row in _ROW.findall(section(title)) if row[0].startswith("/")]


def words(becomes: str) -> str:
    """Return how the page says what becomes of a field of an import."""
    if becomes.startswith("field "):
        return f"`{becomes.removeprefix('field ')}`"
    return BECOMES[becomes]
