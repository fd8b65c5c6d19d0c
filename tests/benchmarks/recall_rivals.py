"""What recall is measured beside: the words by grep, SQLite's FTS5, and `oldhand`, on one vault."""

import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_SEARCH = """
import sqlite3, sys
words = " OR ".join(sys.argv[2:])
rows = sqlite3.connect(sys.argv[1]).execute(
    "select path, snippet(records, 3, '', '', '', 12) from records where records match ? "
    "order by bm25(records, 0, 3, 2, 1) limit 10", (words,))
print(rows.fetchall())
"""
_TITLE = re.compile(r"^(?:title|summary): (.*)$", re.MULTILINE)
_TAGS = re.compile(r"^tags: (\[.*\])$", re.MULTILINE)

# The form of a record of oldhand 0.6.0b1, as its own `new` writes it.
_RECORD = """---
schema_version: 1
id: lore_{number:06}
type: {type}
status: current
importance: normal
scope: subsystem
risk: low
durability: situational
evidence: documented
topics: {topics}
created_at: 2026-08-01T00:00:00+00:00
updated_at: 2026-08-01T00:00:00+00:00
expires_at: null
relations: {{}}
---

# {title} {number}

## Summary

{title}

## Knowledge

{body}
## Verification

Read again.

## References

-
"""


class Text(NamedTuple):
    """What a record of the vault says, to be given to others."""

    path: str
    title: str
    topics: str
    body: str


def texts(vault: Path) -> Iterator[Text]:
    """Yield the records that recall searches."""
    for folder in ("confirmed", "experience"):
        for place in sorted((vault / folder).rglob("*.md")):
            front, _, body = place.read_text().removeprefix("---\n").partition("\n---\n")
            title, topics = _TITLE.search(front), _TAGS.search(front)
            assert title is not None
            path = place.relative_to(vault).as_posix()
            yield Text(path, title[1], topics[1] if topics else "[]", body)


def by_grep(vault: Path, words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the name and the command that lists the files with any of the words."""
    patterns = [part for word in words for part in ("-e", word)]
    folders = [str(vault / "confirmed"), str(vault / "experience")]
    if shutil.which("rg"):
        return "ripgrep for the words", ["rg", "-i", "-l", *patterns, *folders]
    return "grep for the words", ["grep", "-r", "-i", "-l", *patterns, *folders]


def by_fts5(vault: Path, folder: Path, words: Sequence[str]) -> list[str]:
    """Put the records into an FTS5 table; return the command that searches it."""
    place = folder / "fts5.db"
    with sqlite3.connect(place) as base:
        base.execute(
            "create virtual table records using fts5"
            "(path unindexed, title, topics, body, tokenize = 'porter')"
        )
        base.executemany("insert into records values (?, ?, ?, ?)", texts(vault))
        base.execute("insert into records(records) values ('optimize')")
    return [sys.executable, "-c", _SEARCH, str(place), *words]


def by_oldhand(program: Path, vault: Path, folder: Path, query: str) -> tuple[list[str], Path]:
    """Write the records in oldhand's form and index them; return its search, and one record."""
    root = folder / "oldhand"
    place = root / "memory" / "reference" / "lore_000000.md"
    place.parent.mkdir(parents=True)
    for number, (path, title, topics, body) in enumerate(texts(vault)):
        kind = "reference" if path.startswith("confirmed/") else "lesson"
        text = _RECORD.format(number=number, type=kind, title=title, topics=topics, body=body)
        place.with_name(f"lore_{number:06}.md").write_text(text)
    command = [str(program), "--root", str(root)]
    subprocess.run([*command, "rebuild"], check=True, capture_output=True)
    return [*command, "search", query], place
