"""Rows: what is known of each record file without reading it again. Values only.

A row says enough to score a record and to decide whether it is current; the text that is shown is
always read from the vault. A secret record has a row, for it may replace another one, and no
serial: it stands in no index. Rows are read at each recall, so they hold nothing that is not used.
"""

from datetime import UTC, datetime, timedelta

import msgspec

from doll.records.model import Experience, Memory, Record
from doll.records.names import fold
from doll.records.references import plain
from doll.secrets import mask
from doll.vault.layout import record_id

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One readable record file.

    `serial` names its document in the index, 0 for none; `length` is the document's weighted
    length in halves. Times are microseconds since 1970. `aliases` are folded, `replaces` are the
    folded names of what it supersedes or updates. `project`, `assertion` and `outcome` are
    those of an experience entry, and "" for a memory. `tags` are folded. `moment` is when it
    happened, or when a memory was last changed, else written; None where it does not say.

    A candidate in staging that was rejected has the status `rejected`; that it waits for its review
    is said by its path, and `reviewed` is about other memories.
    """

    path: str
    digest: str
    serial: int
    length: int
    status: str = "active"
    reviewed: bool = True
    valid_from: int | None = None
    valid_until: int | None = None
    aliases: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    project: str = ""
    assertion: str = ""
    kind: str = ""
    outcome: str = ""
    tags: tuple[str, ...] = ()
    moment: int | None = None

    @property
    def id(self) -> str:
        """The record's id."""
        return record_id(self.path)

    @property
    def is_candidate(self) -> bool:
        """Whether it lies in staging: data that waits for a review, never current memory."""
        return self.path.startswith("staging/")

    @property
    def is_experience(self) -> bool:
        """Whether it is an experience entry, and else a memory."""
        return self.assertion != ""


def row(record: Record, serial: int, length: int) -> Row | None:
    """Return the row of a memory or experience record, None for any other type."""
    said = record.fields
    aliases = tuple(map(fold, said.aliases))
    base = (record.path, record.digest, serial if is_searchable(record) else 0, length)
    if isinstance(said, Memory):
        replaced = (*said.supersedes, *((said.updates,) if said.updates else ()))
        return Row(
            *base,
            status=_rejected(record) or said.status,
            reviewed=_is_candidate(record)
            or said.origin == "user"
            or said.reviewed_sha256 is not None,
            valid_from=microseconds(said.valid_from),
            valid_until=microseconds(said.valid_until),
            aliases=aliases,
            replaces=_names(replaced),
            kind=said.kind or "",
            tags=_folded(said.tags),
            moment=microseconds(said.updated or said.created),
        )
    if isinstance(said, Experience):
        return Row(
            *base,
            status=_rejected(record) or "active",
            aliases=aliases,
            replaces=_names(said.supersedes),
            project=fold(plain(said.project)),
            assertion=said.assertion,
            kind=said.kind,
            outcome=said.outcome or "",
            tags=_folded(said.tags),
            moment=microseconds(said.at),
        )
    return None


def is_searchable(record: Record) -> bool:
    """Return whether a record may stand in the index at all: never one about a secret."""
    return isinstance(record.fields, Memory | Experience) and record.fields.sensitivity != "secret"


def microseconds(moment: datetime | None) -> int | None:
    """Return a moment as microseconds since 1970."""
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


def tag_key(tag: str) -> str:
    """Return the form in which tags are compared: folded, with or without its `#` in front."""
    return fold(tag.strip().removeprefix("#"))


def _folded(tags: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag_key(mask(tag)) for tag in tags))


def _is_candidate(record: Record) -> bool:
    return record.path.startswith("staging/")


def _rejected(record: Record) -> str | None:
    return record.fields.review if _is_candidate(record) else None


def _names(references: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(fold(plain(name)) for name in references)
