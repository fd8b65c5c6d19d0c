"""The values that every adapter speaks in: what comes out of a foreign document.

An adapter takes bytes and gives candidates, problems and losses. Nothing here knows a vault, git,
files or the clock, and nothing here decides what becomes of a candidate.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple, Protocol

import msgspec

from doll.errors import Problem
from doll.records.digest import sha256
from doll.records.model import Fields, RecordType


class Passed(NamedTuple):
    """Something in a folder that was met and not read: its path in it, what it is, and why."""

    path: str
    kind: str
    reason: str


class Document(NamedTuple):
    """A foreign document: what the user named, and its exact bytes.

    `name` is the last part of the path that the user gave. Where that is a folder, `main` is the
    path in it of the file that `data` is, and `companions` are the other files that were read, by
    their paths in it, with `/`. "" for `main`: the user named the file itself.
    `passed` is what else a folder holds where the adapter accounts for each of its files.
    """

    name: str
    data: bytes
    companions: Mapping[str, bytes] = {}
    main: str = ""
    passed: tuple[Passed, ...] = ()

    @property
    def file(self) -> str:
        """The name of the file that `data` is, for messages."""
        return self.main or self.name

    @property
    def files(self) -> tuple[tuple[str, bytes], ...]:
        """All files that were read, by name; the main one first, the others in their order."""
        return (self.file, self.data), *sorted(self.companions.items())

    @property
    def digest(self) -> str:
        """SHA-256 (64 hex digits) of the bytes; of several files, of their names and digests."""
        if not self.companions:
            return sha256(self.data)
        listed = [[name, sha256(data)] for name, data in self.files]
        return sha256(json.dumps(listed).encode())


class Layout(NamedTuple):
    """Which files of a folder make a document: glob patterns of paths in it, with `/`.

    `main` are the places of the main file, the first one that is there counts; `companions` is what
    is read beside it, as seen from its folder. `absent` is the hint where there is no main file.
    """

    main: tuple[str, ...]
    companions: tuple[str, ...] = ()
    absent: str = ""


class Options(NamedTuple):
    """What the user decided about one import.

    `project` is the id of the project that experience is imported for, "" for none; `as_of` the
    moment (aware) at which the import is made: what is dated after it is not believed. `source` is
    the key of a source that names none itself, "" for its name; `split` has every text split at its
    headings.
    """

    accept_bad_signature: bool = False
    project: str = ""
    lossy: bool = False
    as_of: datetime | None = None
    source: str = ""
    split: bool = False


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """One entry of a document as a record that nobody has reviewed.

    `stem` is its file name without `.md`; `body` is the content as it is; `source_id` is the
    foreign id, verbatim; `entry_digest` is SHA-256 (64 hex digits) of the entry. `pointer` says
    where the entry stands in the document, `places` where everything comes from that it holds.
    `mark` is a word where the source says that the entry no longer holds, such as `retracted`; it
    is said, and nothing follows from it.
    """

    stem: str
    type: RecordType
    fields: Fields
    body: str
    source_id: str
    entry_digest: str
    pointer: str
    places: tuple[str, ...]
    mark: str = ""


class Companion(NamedTuple):
    """A file beside the main one that is listed and not imported: its name as in `companions`.

    `kind` says in a word what it is, `about` are the ids at the source of what it holds.
    """

    path: str
    kind: str
    about: tuple[str, ...] = ()


class Base(NamedTuple):
    """The export that an incremental one starts from: its id, "" where none is named."""

    export: str


class Remark(NamedTuple):
    """What a reviewer should see of a record's claims beside its text: a short name, and a text."""

    name: str
    text: str


class Parked(NamedTuple):
    """An entry that no record file can hold exactly: it is listed, and nothing else is done.

    `entry_digest` is as in a candidate, "" where the entry has no form to take it of.
    """

    pointer: str
    source_id: str
    code: str
    reason: str
    entry_digest: str = ""


class SetAside(NamedTuple):
    """An entry that was read and is not imported, and that is named apart from all counts.

    `kind` says what it is in one word, such as `retired`.
    """

    kind: str
    pointer: str
    source_id: str
    reason: str


class Question(NamedTuple):
    """Something that the source leaves open, for a person to decide."""

    pointer: str
    text: str


class Loss(msgspec.Struct, frozen=True):
    """A field of the format that did not become a field of a record, and why.

    `field` is a pointer pattern such as `/memories/*/confidence/current`. `count` is the number of
    candidates that have it, whatever becomes of them; for a list of the document its entries, for
    a single value 1.
    """

    field: str
    count: int
    reason: str


class Decoded(msgspec.Struct, frozen=True):
    """What a document holds.

    `source` is the key of the foreign source, the same in each of its exports. `source_digest` is
    the document's digest. `facts` are what the document says of itself and what was checked, for
    the report. `problems` are warnings and notes only: a document with an error is refused.

    `repeated` counts the entries that stand in the document before, word for word. With `anywhere`
    an entry that was met in any source of the adapter is known; else in this source only.

    `export` is the id that the document has at its source, "" for none; `base` is there for one
    that holds only what came after another. `companions` are those of its files that are no part
    of the import: they are kept only where the user wants them. `by_name`: the source is told by
    a name alone, which another source may have too.
    """

    adapter: str
    version: str
    source: str
    source_digest: str
    facts: Mapping[str, str]
    candidates: tuple[Candidate, ...]
    parked: tuple[Parked, ...]
    losses: tuple[Loss, ...]
    problems: tuple[Problem, ...]
    set_aside: tuple[SetAside, ...] = ()
    questions: tuple[Question, ...] = ()
    repeated: int = 0
    anywhere: bool = False
    export: str = ""
    base: Base | None = None
    companions: tuple[Companion, ...] = ()
    by_name: bool = False


class Adapter(Protocol):
    """One foreign format."""

    @property
    def name(self) -> str:
        """The name that the user types, and that stands in `origin_adapter`."""
        ...

    @property
    def version(self) -> str:
        """The version of the adapter itself; it changes when its mapping does."""
        ...

    def decode(self, document: Document, options: Options) -> Decoded:
        """Return what `document` holds; InvalidDocumentError when it breaks its format."""
        ...

    def claim_reason(self, pointer: str) -> str:
        """Return why a claim (its pointer in a record) is no field: the reason of its loss."""
        ...

    def texts(self, document: Document) -> Iterator[tuple[str, str]]:
        """Yield every text of the document with its pointer, names of properties included.

        Whoever looks for secrets reads these, so that escapes in the source hide nothing.
        """
        ...
