"""The files of a document as entries: each with its text, its place, its id and its digest. Pure.

A note is one entry; a file that agents read, or one that is to be split, has one for each section.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from doll.errors import Problem
from doll.interchange.markdown import sections as markdown_sections
from doll.interchange.markdown.agent_files import is_agent_file
from doll.interchange.markdown.mapping import Piece
from doll.interchange.markdown.properties import Split, split
from doll.interchange.pointers import join
from doll.interchange.strict_json import decoded
from doll.records.digest import sha256

_SPACE = re.compile(r"\s+")


class File(NamedTuple):
    """A note that was read: its path, text and properties; `sections` where it is split.

    `digest` is SHA-256 (64 hex digits) of its bytes.
    """

    path: str
    text: str
    digest: str
    split: Split
    sections: Sequence[markdown_sections.Section]
    notes: tuple[Problem, ...]

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return not self.split.values and not self.text[self.split.body :].strip()


class Entry(NamedTuple):
    """A piece with its pointer, its id in the source, and the places that it comes from."""

    pointer: str
    source_id: str
    digest: str
    piece: Piece
    places: tuple[str, ...]


def read(path: str, data: bytes, *, split_all: bool) -> File:
    """Return a file with its text, properties and sections.

    InvalidDocumentError for one that is no UTF-8 text.
    """
    text, notes = decoded(data, path)
    found = split(text, path)
    pieces: Sequence[markdown_sections.Section] = ()
    if split_all or is_agent_file(path.rpartition("/")[2]):
        pieces = markdown_sections.sections(text[found.body :]) or ()
    return File(path, text, sha256(data), found, pieces, notes)


def entries(files: Iterable[File]) -> Iterator[Entry]:
    """Yield the entries of notes, each with an id of its own."""
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    for file in files:
        if file.is_empty:
            continue
        for entry in list(_sections(file)) or [_whole(file)]:
            source_id = wanted = entry.source_id
            while source_id in taken:
                number = numbers[wanted] = numbers.get(wanted, 1) + 1
                source_id = f"{wanted} ({number})"
            taken.add(source_id)
            yield entry._replace(source_id=source_id)


def _whole(file: File) -> Entry:
    name = _name(file.path)
    body = file.text[file.split.body :]
    pointer = join("", file.path)
    piece = Piece(body, name, file.split.values)
    return Entry(pointer, _id(file.path), file.digest, piece, (pointer,))


def _sections(file: File) -> Iterator[Entry]:
    """Yield an entry for each section that says something; the first has the properties."""
    offset = file.split.body
    before = file.text.count("\n", 0, offset)
    properties, lead = file.split.values, file.text[:offset]
    for each in file.sections:
        body = file.text[offset + each.start : offset + each.end]
        if not file.text[offset + each.own : offset + each.end].strip() and not properties:
            continue
        title = " > ".join(each.headings) or _name(file.path)
        tail = f"#{' > '.join(each.headings)}" if each.headings else ""
        pointer = join("", file.path, "lines", before + each.line)
        places = (pointer, properties_of(file)) if lead else (pointer,)
        digest = sha256((lead + body).encode())
        piece = Piece(body, title, properties)
        yield Entry(pointer, f"{_id(file.path)}{tail}", digest, piece, places)
        properties, lead = {}, ""


def properties_of(file: File) -> str:
    """Return the pointer of the properties of a file."""
    return join("", file.path, "properties")


def _id(path: str) -> str:
    # One folder has its names composed on one system and decomposed on another.
    return unicodedata.normalize("NFC", path)


def _name(path: str) -> str:
    """Return the name of a note: that of its file without the ending, in one line."""
    name = path.rpartition("/")[2]
    return _SPACE.sub(" ", name.rpartition(".")[0] or name).strip() or markdown_sections.UNTITLED


def bare_headings(file: File) -> int:
    """Return how many headings of a file have no text of their own."""
    text = file.text[file.split.body :]
    return sum(not text[e.own : e.end].strip() for e in file.sections if e.headings)
