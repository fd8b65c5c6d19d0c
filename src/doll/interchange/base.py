"""The values that every adapter speaks in: what comes out of a foreign document.

An adapter takes bytes and gives candidates, problems and losses. Nothing here knows a vault, git,
files or the clock, and nothing here decides what becomes of a candidate.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

import msgspec

from doll.errors import Problem
from doll.records.model import Fields, RecordType


class Document(NamedTuple):
    """A foreign document: its name for messages and its exact bytes.

    `companions` holds the other files of its kind by name, where a format has several.
    """

    name: str
    data: bytes
    companions: Mapping[str, bytes] = {}


class Options(NamedTuple):
    """What the user decided about one import."""

    accept_bad_signature: bool = False


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """One entry of a document as a record that nobody has reviewed.

    `stem` is its file name without `.md`; `body` is the content as it is; `source_id` is the
    foreign id, verbatim; `entry_digest` is SHA-256 (64 hex digits) of the entry. `pointer` says
    where the entry stands in the document, `places` where everything comes from that it holds.
    """

    stem: str
    type: RecordType
    fields: Fields
    body: str
    source_id: str
    entry_digest: str
    pointer: str
    places: tuple[str, ...]


class Parked(NamedTuple):
    """An entry that no record file can hold exactly: it is listed, and nothing else is done.

    `entry_digest` is as in a candidate, "" where the entry has no form to take it of.
    """

    pointer: str
    source_id: str
    code: str
    reason: str
    entry_digest: str = ""


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
    SHA-256 (64 hex digits) of the document's bytes. `facts` are what the document says of itself
    and what was checked, for the report. `problems` are warnings and notes only: a document with
    an error is refused.
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
