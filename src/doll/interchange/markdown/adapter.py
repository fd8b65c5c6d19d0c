"""The Markdown adapter: notes into candidates, each file accounted for.

Files = notes + set aside. A note is one entry; a file that agents read is one entry for each of its
sections. Nothing that a text says is followed, opened, or taken for a name of anything here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from doll.errors import Problem
from doll.interchange import fitting, strict_yaml
from doll.interchange.base import (
    Candidate,
    Decoded,
    Document,
    Options,
    Parked,
    Passed,
    SetAside,
)
from doll.interchange.markdown import entries as markdown_entries
from doll.interchange.markdown import mapping
from doll.interchange.markdown.entries import Entry, File
from doll.interchange.markdown.fields import (
    COMMENTS,
    FIELDS,
    FILES,
    LINKS,
    claim_reason,
    pattern,
)
from doll.interchange.markdown.mapping import Origin
from doll.interchange.pointers import join
from doll.interchange.rules import counted, losses
from doll.interchange.stems import identity, stems
from doll.records.model import Memory
from doll.records.names import slug

OBSIDIAN = ".obsidian"

_LINK = re.compile(r"\[\[[^\[\]\n]{1,1000}\]\]|\]\([^)\s]")
_NAMED = 20


class _Taken(NamedTuple):
    entries: list[Entry]
    made: list[Memory]
    parked: list[Parked]


class MarkdownAdapter:
    """Reads notes in Markdown, alone and in folders."""

    name = mapping.ADAPTER
    version = "1"

    def __init__(self) -> None:
        self._last: tuple[Document, bool, tuple[File, ...]] | None = None

    def decode(self, document: Document, options: Options) -> Decoded:
        """Return the candidates of notes, and what was parked and set aside.

        `options.source` is the key of the source, else the document's name. Raises
        InvalidDocumentError for a file that is no UTF-8 text.
        """
        files = self._files(document, split_all=options.split)
        source = options.source or document.name
        entries = list(markdown_entries.entries(files))
        taken = _take(entries, source)
        empty = [_empty(each) for each in files if each.is_empty]
        aside = [*(_passed(each) for each in document.passed), *empty]
        return Decoded(
            adapter=self.name,
            version=self.version,
            source=source,
            source_digest=document.digest,
            facts=_facts(document, files, entries),
            candidates=_candidates(taken, source),
            parked=tuple(taken.parked),
            losses=losses(FIELDS, _counts(taken, len(aside), files)),
            problems=tuple(_problems(files)),
            set_aside=tuple(sorted(aside, key=lambda each: each.pointer)),
            by_name=True,
        )

    def claim_reason(self, pointer: str) -> str:
        """Return why a claim is no field."""
        return claim_reason(pointer)

    def texts(self, document: Document) -> Iterator[tuple[str, str]]:
        """Yield every text with its pointer: names of files, properties, comments, texts."""
        for each in document.passed:
            yield join("", each.path), each.path
        known = self._last is not None and self._last[0] is document
        files = self._last[2] if self._last and known else self._files(document, split_all=False)
        for file in files:
            yield join("", file.path), file.path
            if file.split.read is not None:
                yield from strict_yaml.texts(file.split.read, markdown_entries.properties_of(file))
        for entry in markdown_entries.entries(files):
            yield entry.pointer, entry.source_id
            yield join(entry.pointer, "text"), entry.piece.body

    def _files(self, document: Document, *, split_all: bool) -> tuple[File, ...]:
        # A document is decoded and asked for its texts; reading it takes most of the time.
        if self._last is None or self._last[:2] != (document, split_all):
            files = (markdown_entries.read(*each, split_all=split_all) for each in document.files)
            self._last = document, split_all, tuple(files)
        return self._last[2]


def _take(entries: Iterable[Entry], source: str) -> _Taken:
    taken = _Taken([], [], [])
    for entry in entries:
        made = mapping.memory(entry.piece, Origin(source, entry.source_id, entry.digest))
        fault = fitting.misfit(made, entry.piece.body)
        if fault is not None:
            place = (entry.pointer, entry.source_id)
            taken.parked.append(Parked(*place, fault.code, fault.reason, entry.digest))
            continue
        taken.entries.append(entry)
        taken.made.append(made)
    return taken


def _candidates(taken: _Taken, source: str) -> tuple[Candidate, ...]:
    names = stems(
        [slug(made.title or "") for made in taken.made],
        [identity(mapping.ADAPTER, source, e.source_id, e.digest) for e in taken.entries],
    )
    return tuple(
        Candidate(
            stem=stem,
            type="memory",
            fields=made,
            body=entry.piece.body,
            source_id=entry.source_id,
            entry_digest=entry.digest,
            pointer=entry.pointer,
            places=entry.places,
        )
        for stem, made, entry in zip(names, taken.made, taken.entries, strict=True)
    )


def _counts(taken: _Taken, aside: int, files: Iterable[File]) -> dict[str, int]:
    counts = dict(counted(map(pattern, made.claims) for made in taken.made))
    counts[LINKS] = sum(1 for entry in taken.entries if _LINK.search(entry.piece.body))
    counts[COMMENTS] = sum(1 for f in files if f.split.read and f.split.read.comments)
    counts[FILES] = aside
    return counts


def _facts(document: Document, files: Sequence[File], entries: Sequence[Entry]) -> dict[str, str]:
    is_obsidian = any(each.path == OBSIDIAN for each in document.passed)
    facts = {"format": "an Obsidian vault" if is_obsidian else "Markdown"}
    facts["files read"] = f"{len(files):,}"
    if split_files := sum(1 for each in files if each.sections):
        facts["split at headings"] = f"{split_files:,}"
        if bare := sum(map(markdown_entries.bare_headings, files)):
            facts["headings without a text of their own"] = f"{bare:,}"
    facts["entries"] = f"{len(entries):,}"
    return facts


def _passed(each: Passed) -> SetAside:
    return SetAside(each.kind, join("", each.path), each.path, each.reason)


def _empty(file: File) -> SetAside:
    return SetAside("empty", join("", file.path), file.path, "the file says nothing")


def _problems(files: Sequence[File]) -> Iterator[Problem]:
    """Yield what was noted on the way, each kind at most 20 times, and the number of the rest."""
    notes = [each for file in files for each in file.notes]
    faults = [file.split.problem for file in files if file.split.problem is not None]
    for found in (faults, notes):
        yield from found[:_NAMED]
        if len(found) > _NAMED:
            first = found[_NAMED]
            message = f"+{len(found) - _NAMED:,} more files, the next of them: {first.message}"
            yield first._replace(message=message)
