"""Entries: the record files of a folder as they are on disk now, through the parse cache.

An entry knows its file's stamp, git blob id, and the record or the problems. The cache saves
parsing, never looking: each file is stat'ed, and read again unless its stamp is the cached one
and not racy. A broken file is remembered as broken and reported each time.
"""

import os
import stat
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from doll.errors import Problem
from doll.records.digest import Algorithm, blob_id
from doll.records.limits import MAX_FILE_BYTES
from doll.records.model import STRUCTS, Fields, Record, RecordType
from doll.records.names import id_fault, mended_id
from doll.vault import files
from doll.vault.layout import expected_type, record_id
from doll.vault.sealed import Cache
from doll.vault.snapshot import Found, Snapshot, Stamp, is_racy, snapshot, stamp_of

# Raise it when what a cached entry means changes: parser, checks, fields.
CACHE_FORMAT = 3

_STEP = 200


class Entry(NamedTuple):
    """One record file.

    `oid` is the git blob id of its bytes ("" when it could not be read). `record` is None exactly
    when one of `problems` is an error.
    """

    path: str
    stamp: Stamp
    oid: str
    record: Record | None
    problems: tuple[Problem, ...]


class Entries(NamedTuple):
    """The entries of some folders, sorted by path, and what could not be looked at."""

    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]

    @property
    def records(self) -> list[Record]:
        """The readable records, sorted by path."""
        return [entry.record for entry in self.entries if entry.record is not None]


class _Cached(msgspec.Struct, frozen=True, array_like=True):
    path: str
    stamp: Stamp
    oid: str
    problems: tuple[Problem, ...]
    type: RecordType | None = None
    id: str = ""
    digest: str = ""
    name: str = ""
    lines: dict[str, int] = {}
    # JSON, since msgpack keeps the moment of a time and not its offset.
    fields: bytes = b""


class _Segment(msgspec.Struct, frozen=True, array_like=True):
    """The cached entries of one folder; `seen_ns` is when their files were looked at."""

    format: int
    version: str
    algorithm: str
    seen_ns: int
    entries: list[_Cached]


class _Looked(NamedTuple):
    """The cached entries of a folder, and the files whose stamps were taken just after `now_ns`."""

    segment: _Segment | None
    now_ns: int
    stamps: Mapping[str, Stamp]


class Loader:
    """Loads folders of one vault; `algorithm` is the object format of its git repository.

    `progress`, where one is given, is told how many files of a folder are loaded, and of how many.
    """

    def __init__(self, root: Path, cache: Cache | None, algorithm: Algorithm = "sha1") -> None:
        self.root = root
        self.cache = cache
        self.algorithm = algorithm
        self.progress: Callable[[int, int], None] | None = None
        # What `same` read and `folder` needs again; the first use of `_looked` is the last one.
        self._looked: dict[str, _Looked] = {}
        self._same: dict[tuple[str, str], Entry] = {}

    def same(self, folder: str, wanted: Mapping[str, str]) -> list[Entry]:
        """Return the entries of `folder` whose files have the bytes of `wanted` (path → blob id).

        Looks at no other file and parses no other bytes, however many there are. It does look at
        these: what the cache alone could tell would be missing without it. Raises nothing: what
        cannot be read is not among them.
        """
        segment, now = self._read_segment(folder), time.time_ns()
        known = {cached.path: cached for cached in segment.entries} if segment else {}
        seen_ns = segment.seen_ns if segment else 0
        found = [self._one(path, oid, known.get(path), seen_ns) for path, oid in wanted.items()]
        entries = [entry for entry in found if entry is not None]
        self._same |= {(entry.path, entry.oid): entry for entry in entries}
        self._looked[folder] = _Looked(segment, now, {e.path: e.stamp for e in entries})
        return entries

    def _one(self, path: str, oid: str, cached: _Cached | None, seen_ns: int) -> Entry | None:
        stamp = _stamp_of(self.root, path)
        if stamp is None:
            return None
        if cached and _is_fresh(cached, stamp, seen_ns):
            if cached.oid != oid:
                return None
            if entry := _thawed(cached):
                return entry
        try:
            data = files.read(self.root, path)
        except OSError:
            return None
        if len(data) > MAX_FILE_BYTES or blob_id(data, self.algorithm) != oid:
            return None
        return Entry(path, stamp, oid, *parse_file(data, path))

    def folder(self, folder: str) -> Entries:
        """Load one folder (relative to the vault), with the cache segment of that folder."""
        looked = self._looked.pop(folder, None)
        segment, seen_ns, stamps = looked or (self._read_segment(folder), time.time_ns(), {})
        found = snapshot(self.root, [folder], stamps)
        known = {cached.path: cached for cached in segment.entries} if segment else {}
        entries, changed = self._entries(found, known, segment.seen_ns if segment else 0)
        kept = [entry for entry in entries if _is_cacheable(entry)]
        if changed or len(known) != len(kept):
            self._write_segment(folder, seen_ns, kept)
        return Entries(tuple(entries), found.problems)

    def folders(self, folders: Iterable[str]) -> Entries:
        """Load several folders, sorted by path."""
        parts = [self.folder(folder) for folder in folders]
        entries = sorted((e for part in parts for e in part.entries), key=lambda entry: entry.path)
        problems = sorted(problem for part in parts for problem in part.problems)
        return Entries(tuple(entries), tuple(problems))

    def read(self, found: Found) -> Entry:
        """Read and parse one file, without the cache."""
        try:
            data = files.read(self.root, found.path)
        except OSError as error:
            message = f"the file cannot be read: {error.strerror}"
            hint = "check its permissions" if error.errno == 13 else ""
            problem = Problem(found.path, 0, 0, "file.unreadable", message, hint=hint)
            return Entry(found.path, found.stamp, "", None, (problem,))
        oid = blob_id(data, self.algorithm) if len(data) <= MAX_FILE_BYTES else ""
        if same := self._same.get((found.path, oid)):
            return same._replace(stamp=found.stamp)
        record, problems = parse_file(data, found.path)
        return Entry(found.path, found.stamp, oid, record, problems)

    def _entries(
        self, found: Snapshot, known: dict[str, _Cached], seen_ns: int
    ) -> tuple[list[Entry], bool]:
        entries, changed = [], False
        for number, file in enumerate(found.files):
            if self.progress and number % _STEP == 0:
                self.progress(number, len(found.files))
            cached = known.get(file.path)
            entry = None
            if cached and _is_fresh(cached, file.stamp, seen_ns):
                entry = self._same.get((file.path, cached.oid)) or _thawed(cached)
            if entry is None:
                entry = self.read(file)
                changed = changed or cached is not None or _is_cacheable(entry)
            entries.append(entry)
        return entries, changed

    def _read_segment(self, folder: str) -> _Segment | None:
        data = self.cache.load(_segment_name(folder)) if self.cache else None
        if data is None:
            return None
        try:
            segment = msgspec.msgpack.decode(data, type=_Segment)
        except msgspec.DecodeError:
            return None
        wanted = (CACHE_FORMAT, _version(), self.algorithm)
        return segment if (segment.format, segment.version, segment.algorithm) == wanted else None

    def _write_segment(self, folder: str, seen_ns: int, entries: list[Entry]) -> None:
        if self.cache is None:
            return
        frozen = [_frozen(entry) for entry in entries]
        segment = _Segment(CACHE_FORMAT, _version(), self.algorithm, seen_ns, frozen)
        self.cache.store(_segment_name(folder), msgspec.msgpack.encode(segment))


def parse_file(data: bytes, path: str) -> tuple[Record | None, tuple[Problem, ...]]:
    """Parse the bytes of the record file at `path`, its name included in what is checked."""
    from doll.records.codec import parse

    name = record_id(path)
    record, problems, _ = parse(data, path, name, expected_type(path))
    if fault := name_problem(path):
        return None, tuple(sorted([fault, *problems]))
    return record, problems


def name_problem(path: str) -> Problem | None:
    """Return what is wrong with the file name of a record, with the `mv` that mends it."""
    folder, _, name = path.rpartition("/")
    stem = record_id(path).rpartition("/")[2]
    fault = id_fault(stem)
    if fault is None and path.isprintable():
        return None
    folders = [part if part.isprintable() else mended_id(part) for part in folder.split("/")]
    mended = "/".join([*folders, f"{mended_id(stem) if fault else name.removesuffix('.md')}.md"])
    from doll.vault.typed import moving

    message = f"the file name is no valid id: {fault or 'its folder cannot be printed'}"
    return Problem(path, 0, 0, "id.invalid", message, hint=moving(path, mended))


def _stamp_of(root: Path, path: str) -> Stamp | None:
    """Return the stamp of one file, None where there is none or it cannot be looked at."""
    try:
        status = os.lstat(f"{root}/{path}")
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return stamp_of(status)


def _is_fresh(cached: _Cached, stamp: Stamp, seen_ns: int) -> bool:
    return cached.stamp == stamp and not is_racy(stamp, seen_ns)


def _segment_name(folder: str) -> str:
    import hashlib

    name = hashlib.sha256(folder.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f"parse/{folder.partition('/')[0]}-{name}"


def _version() -> str:
    from doll import __version__

    return __version__


def _is_cacheable(entry: Entry) -> bool:
    """Return whether an entry was read whole, and its path is text: UTF-8 can hold it."""
    return bool(entry.oid) and (entry.path.isascii() or entry.path.isprintable())


_thaw: dict[RecordType, Callable[[bytes], Fields]] = {}


def _thawed(cached: _Cached) -> Entry | None:
    """Return a cached entry; None when its fields are not those of this doll."""
    record = None
    if cached.type is not None:
        decode = _thaw.get(cached.type)
        if decode is None:
            decode = msgspec.json.Decoder(STRUCTS[cached.type]).decode
            _thaw[cached.type] = decode
        try:
            fields = decode(cached.fields)
        except msgspec.DecodeError:
            return None
        record = Record(
            cached.id,
            cached.path,
            cached.type,
            cached.digest,
            cached.name,
            fields,
            cached.lines,
        )
    return Entry(cached.path, cached.stamp, cached.oid, record, cached.problems)


def _frozen(entry: Entry) -> _Cached:
    record = entry.record
    if record is None:
        return _Cached(entry.path, entry.stamp, entry.oid, entry.problems)
    return _Cached(
        entry.path,
        entry.stamp,
        entry.oid,
        entry.problems,
        record.type,
        record.id,
        record.digest,
        record.name,
        record.lines,
        msgspec.json.encode(record.fields),
    )
