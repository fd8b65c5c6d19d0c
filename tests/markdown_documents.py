"""Notes made for tests."""

from doll.interchange.base import Candidate, Decoded, Document, Options, Passed
from doll.interchange.markdown.adapter import MarkdownAdapter
from doll.records.model import Memory


def notes(files: dict[str, str | bytes], *passed: Passed, name: str = "notes") -> Document:
    """Return a folder of notes by their paths; the texts are written as UTF-8."""
    data = {path: each.encode() if isinstance(each, str) else each for path, each in files.items()}
    main = min(data)
    return Document(name, data.pop(main), data, main, passed)


def decode(document: Document, *, split: bool = False, source: str = "") -> Decoded:
    """Return what notes hold."""
    return MarkdownAdapter().decode(document, Options(source=source, split=split))


def one(text: str, name: str = "note.md", *, split: bool = False) -> tuple[Candidate, Memory]:
    """Return the one candidate that a note makes, and its fields."""
    (candidate,) = decode(Document(name, text.encode()), split=split).candidates
    assert isinstance(candidate.fields, Memory)
    return candidate, candidate.fields


def pieces(text: str, name: str = "CLAUDE.md") -> dict[str, str]:
    """Return the texts of the candidates that a file makes, by their titles."""
    found = decode(Document(name, text.encode())).candidates
    return {each.fields.title or "": each.body for each in found}
