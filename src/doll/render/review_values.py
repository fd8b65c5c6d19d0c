"""What a review reports: the values that its views show and that the review services fill."""

from typing import Literal, NamedTuple

from doll.errors import Problem
from doll.interchange.base import Remark
from doll.interchange.claims import Claim
from doll.records.model import RecordType

State = Literal["open", "rejected", "half-approved"]


class Candidate(NamedTuple):
    """One candidate in staging.

    `id` is `<import>/<stem>`, `digest` is SHA-256 (64 hex digits) of its bytes on disk, `committed`
    whether HEAD has just these bytes at its path. `name` is its id where it is about a secret.
    `half-approved`: an approval was interrupted, and the reviewed copy is there too.
    """

    id: str
    path: str
    digest: str
    type: RecordType
    name: str
    state: State
    committed: bool
    origin: str
    adapter: str
    source: str
    source_id: str
    updates: str


class Listing(NamedTuple):
    """The candidates by path, and what is wrong with files that cannot be read."""

    candidates: tuple[Candidate, ...]
    problems: tuple[Problem, ...]


class Duplicate(NamedTuple):
    """A confirmed memory that says much the same, and why it seems to."""

    id: str
    path: str
    why: str


class Shown(NamedTuple):
    """A candidate with all that a reviewer needs.

    `text` is the whole file with secrets masked, `body` its part below the front matter as it is;
    the digest in `candidate` is that of the bytes they were made from. `claims` are what its
    source said (secrets masked), `remarks` what stands out of them, `secrets` one for each place
    declared to be none. `report` is the path of the import's `_import.md`, "" where there is none.
    """

    candidate: Candidate
    text: str
    body: str
    claims: tuple[Claim, ...]
    duplicates: tuple[Duplicate, ...]
    secrets: tuple[Problem, ...]
    report: str
    remarks: tuple[Remark, ...] = ()


class Difference(NamedTuple):
    """How a candidate differs from the record that it updates.

    `against` is that record's path, "" when there is none; then every line is new. `lines` are a
    unified diff, secrets masked.
    """

    candidate: Candidate
    against: str
    note: str
    lines: tuple[str, ...]


class Move(NamedTuple):
    """A candidate that became a record: its id before, both paths, its id after.

    `digest` is that of the reviewed bytes; `finished` says that an interrupted approval was only
    brought to its end.
    """

    candidate: str
    source: str
    path: str
    record: str
    digest: str
    finished: bool


class Approved(NamedTuple):
    """What was approved, by whom and when; `commit` is "" when nothing was committed.

    `notes` say what is staged beside it and was left as it is.
    """

    moves: tuple[Move, ...]
    reviewed_by: str
    reviewed_at: str
    commit: str = ""
    notes: tuple[str, ...] = ()


class Rejected(NamedTuple):
    """A candidate that was turned down; it stays where it is, marked."""

    id: str
    path: str
    reason: str
    staged: bool
    commit: str = ""
