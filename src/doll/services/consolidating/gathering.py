"""Which records are compared, and with which: the current ones, of each kind among themselves.

Memories are compared with memories, entries of experience with those of the same project. A record
about a secret is not read. Writes nothing but the parse cache.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import Problem
from doll.recall.rows import is_searchable, row
from doll.recall.similarity import Texts, compared, terms, text_digest
from doll.recall.standing import Standing
from doll.records import fences
from doll.records.model import Experience, Memory, Record
from doll.records.names import fold
from doll.records.references import Names
from doll.services.opening import Vault
from doll.services.reading.referring import Known
from doll.vault import files
from doll.vault.entries import Entry

TYPES = ("memory", "experience")

Progress = Callable[[int], None]

# What has to be loaded to compare records of a type: entries name their project.
_FOLDERS = {"memory": ("confirmed",), "experience": ("experience", "authority/projects")}


class Wanted(NamedTuple):
    """Which records to compare: `types` of TYPES; a project is for experience alone."""

    types: tuple[str, ...] = ("memory",)
    project: str | None = None


class Pool(NamedTuple):
    """Records that are compared with each other, by path, each with the digest of its text."""

    records: tuple[Record, ...]
    digests: tuple[str, ...]
    texts: Texts


class Gathered(NamedTuple):
    """The pools, and what is in none of them: by reason, and files that cannot be read."""

    pools: tuple[Pool, ...]
    names: Names
    left_out: Mapping[str, int]
    changed: int
    unreadable: tuple[Problem, ...]


def gather(
    vault: Vault, wanted: Wanted, as_of: datetime, progress: Progress | None = None
) -> Gathered:
    """Read the records that are current at `as_of` and wanted; UsageError for no such project.

    `progress` is called with the number of records that were read so far.
    """
    loaded = vault.load(dict.fromkeys(each for name in wanted.types for each in _FOLDERS[name]))
    known = Known(loaded.entries)
    project = known.one(wanted.project, ("project",), "--project") if wanted.project else None
    left_out: Counter[str] = Counter()
    parts: dict[str, list[Record]] = {}
    for record in _current(loaded.entries, wanted, as_of, left_out):
        parts.setdefault(_pool_of(record, known, project), []).append(record)
    parts.pop("", None)
    pools: list[Pool] = []
    for _, records in sorted(parts.items()):
        read = sum(len(pool.records) for pool in pools)
        pools.append(_pool(vault, records, read, progress))
    found = sum(map(len, parts.values()))
    changed = found - sum(len(pool.records) for pool in pools)
    unreadable = [e.problems[0] for e in loaded.entries if e.record is None and e.problems]
    problems = tuple(sorted([*unreadable, *loaded.problems]))
    counts = dict(sorted(left_out.items()))
    return Gathered(tuple(pools), Names(known.records), counts, changed, problems)


def text_of(record: Record, data: bytes) -> str:
    """Return the text of a record that is compared: title, summary and body, each thing once."""
    body = fences.body(data.decode())
    return compared((record.fields.title or "", record.fields.summary or "", body))


def read_text(vault: Vault, record: Record) -> str | None:
    """Return the text of a record, None where its file is no longer the one that was loaded."""
    data = files.read_as(vault.root, record.path, record.digest)
    return None if data is None else text_of(record, data)


def _current(
    entries: Sequence[Entry], wanted: Wanted, as_of: datetime, left_out: Counter[str]
) -> Iterator[Record]:
    found = [(e.record, row(e.record, 0, 0)) for e in entries if e.record is not None]
    rows = [(record, each) for record, each in found if each is not None]
    standing = Standing((each for _, each in rows), as_of)
    for record, each in rows:
        if record.type not in wanted.types:
            continue
        reason = standing.of(each)
        if reason != "current":
            left_out[reason] += 1
        elif not is_searchable(record):
            left_out["secret"] += 1
        else:
            yield record


def _pool_of(record: Record, known: Known, project: Record | None) -> str:
    """Return the name of the pool of a record, "" for an entry of another project."""
    if not isinstance(record.fields, Experience):
        assert isinstance(record.fields, Memory)
        return "memory"
    named = known.named(record.fields.project)
    if project is not None and project not in named:
        return ""
    own = named[0].id if len(named) == 1 else record.fields.project
    return f"project {fold(own)}"


def _pool(vault: Vault, records: Sequence[Record], before: int, progress: Progress | None) -> Pool:
    kept: list[Record] = []
    digests: list[str] = []

    def read() -> Iterator[list[str]]:
        for record in records:
            text = read_text(vault, record)
            if text is not None:
                kept.append(record)
                digests.append(text_digest(text))
                if progress is not None:
                    progress(before + len(kept))
                yield terms(text)

    texts = Texts(read())
    return Pool(tuple(kept), tuple(digests), texts)
