"""The engram adapter: a store or pack into candidates, each entry accounted for.

In = candidates + parked + repeated + retired. An entry with a shape that no profile knows is
parked; a retired one is listed and not imported; nothing is merged because it looks alike.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from doll.errors import Problem
from doll.interchange import experience, fitting
from doll.interchange.base import Candidate, Decoded, Document, Options, Parked, SetAside
from doll.interchange.engram import checks, facts, mapping, shape
from doll.interchange.engram import store as stores
from doll.interchange.engram.fields import (
    ENTRY,
    EPISODE,
    EPISODES,
    FIELDS,
    SKILL,
    TENSIONS,
    claim_reason,
    pattern,
)
from doll.interchange.engram.store import Store
from doll.interchange.pointers import join
from doll.interchange.rules import counted, losses
from doll.interchange.stems import identity, stems
from doll.interchange.yaml_scalars import is_null, json_text
from doll.records.digest import sha256
from doll.records.model import Experience
from doll.records.names import slug

_RETIRED = "retired at the source; no record is made of it"
_EPISODE = "an episode belongs to a project: name yours with --project, and import again"
_NAMED = 20


class _Entry(NamedTuple):
    """An entry that fits into a record."""

    mapped: mapping.Mapped
    source_id: str
    digest: str
    pointer: str
    key: str


class _Taken:
    """What became of the entries so far."""

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self.parked: list[Parked] = []
        self.set_aside: list[SetAside] = []
        self.problems: list[Problem] = []
        self.seen: dict[str, str] = {}
        self.by_id: defaultdict[str, list[str]] = defaultdict(list)
        self.repeated = 0

    def is_new(self, key: str, source_id: str, pointer: str) -> bool:
        """Return whether an entry stands here for the first time, and take it down."""
        if key in self.seen:
            self.repeated += 1
            return False
        self.seen[key] = pointer
        if source_id:
            self.by_id[source_id].append(pointer)
        return True


class EngramAdapter:
    """Reads stores and packs of engrams, profiles `engram-2/0.18` and `engram-2/0.20`."""

    name = mapping.ADAPTER
    version = "1"

    def __init__(self) -> None:
        self._last: tuple[Document, Store] | None = None

    def decode(self, document: Document, options: Options) -> Decoded:
        """Return the candidates of a store or pack, and what was lost, parked and checked.

        Raises InvalidDocumentError when a file breaks its format, or a pack its INTEGRITY.
        """
        store = self._read(document)
        integrity = checks.integrity(document)
        source = stores.source_of(document, store)
        taken = _Taken()
        _take_engrams(store, source, taken)
        _take_episodes(store, source, options, taken)
        candidates = tuple(_candidates(taken.entries))
        notes = [*store.engrams.notes, *checks.history_problems(document, store)]
        return Decoded(
            adapter=self.name,
            version=self.version,
            source=source,
            source_digest=document.digest,
            facts=facts.facts(document, store, integrity, options),
            candidates=candidates,
            parked=tuple(taken.parked),
            losses=losses(FIELDS, _counts(store, candidates)),
            problems=(*notes, *checks.count_problems(store), *_conflicts(document, store, taken)),
            set_aside=tuple(taken.set_aside),
            questions=tuple(checks.questions(store)),
            repeated=taken.repeated,
            anywhere=True,
        )

    def claim_reason(self, pointer: str) -> str:
        """Return why a claim is no field."""
        return claim_reason(pointer)

    def texts(self, document: Document) -> Iterator[tuple[str, str]]:
        """Yield every text of all files with its pointer."""
        return stores.texts(document, self._read(document))

    def _read(self, document: Document) -> Store:
        # A store is asked for its texts and then decoded; reading it takes most of the time.
        if self._last is None or self._last[0] is not document:
            self._last = document, stores.read(document)
        return self._last[1]


def _take_engrams(store: Store, source: str, taken: _Taken) -> None:
    for index, entry in enumerate(store.entries):
        pointer, source_id = join("/engrams", index), _id(entry)
        digest = sha256(json_text(entry, canonical=True).encode())
        if fault := shape.engram_fault(entry):
            reason = f"line {store.engrams.lines[pointer]}: {fault.reason}"
            taken.parked.append(Parked(pointer, source_id, fault.code, reason, digest))
            continue
        if entry["status"] == "retired":
            taken.set_aside.append(SetAside("retired", pointer, source_id, _RETIRED))
            continue
        _take(mapping.engram(entry, source, digest), source_id, digest, pointer, source, taken)


def _take_episodes(store: Store, source: str, options: Options, taken: _Taken) -> None:
    for index, entry in enumerate(store.episodes.value if store.episodes else ()):
        pointer, source_id = join("", EPISODES, index), _id(entry)
        if not options.project:
            taken.set_aside.append(SetAside("episode", pointer, source_id, _EPISODE))
            continue
        digest = sha256(json_text(entry, canonical=True).encode())
        if fault := shape.episode_fault(entry):
            taken.parked.append(Parked(pointer, source_id, fault.code, fault.reason, digest))
            continue
        mapped = mapping.episode(entry, source, digest, options)
        _take(mapped, source_id, digest, pointer, source, taken)


def _take(
    mapped: mapping.Mapped, source_id: str, digest: str, pointer: str, source: str, taken: _Taken
) -> None:
    if misfit := fitting.misfit(mapped.fields, mapped.body):
        taken.parked.append(Parked(pointer, source_id, misfit.code, misfit.reason, digest))
        return
    key = identity(mapping.ADAPTER, source, source_id, digest)
    if taken.is_new(key, source_id, pointer):
        taken.entries.append(_Entry(mapped, source_id, digest, pointer, key))


def _candidates(entries: list[_Entry]) -> Iterator[Candidate]:
    memories = [each for each in entries if not isinstance(each.mapped.fields, Experience)]
    slugs = [slug(each.mapped.name) for each in memories]
    keys = [each.key for each in memories]
    named = dict(zip(keys, stems(slugs, keys), strict=True))
    for each in entries:
        fields, body, name = each.mapped
        at = (each.pointer, (each.pointer,))
        if isinstance(fields, Experience):
            when = None if fields.at == experience.UNKNOWN else fields.at
            stem = experience.name(when, fields.kind, name, each.key)
            yield Candidate(stem, "experience", fields, body, each.source_id, each.digest, *at)
        else:
            stem = named[each.key]
            yield Candidate(stem, "memory", fields, body, each.source_id, each.digest, *at)


def _id(entry: Any) -> str:
    """Return the id of an entry as the source wrote it, "" where it has none."""
    value = entry.get("id") if isinstance(entry, dict) else None
    return "" if is_null(value) or not isinstance(value, str) else str(value)


def _conflicts(document: Document, store: Store, taken: _Taken) -> Iterator[Problem]:
    several = sorted((each, at) for each, at in taken.by_id.items() if len(at) > 1)
    for source_id, pointers in several[:_NAMED]:
        message = f"{source_id[:80]} is the id of {len(pointers)} entries: {' '.join(pointers[:4])}"
        line = store.engrams.lines.get(pointers[0], 0)
        where = (document.file, line, int(line > 0), "import.id_conflict", message)
        yield Problem(*where, "warning", "all are kept; review them one by one", pointers[0])
    if len(several) > _NAMED:
        message = f"+{len(several) - _NAMED:,} more ids stand for several entries"
        yield Problem(document.file, 0, 0, "import.id_conflict", message, "warning")


def _counts(store: Store, candidates: tuple[Candidate, ...]) -> Counter[str]:
    counts = counted(
        [pattern(ENTRY if each.type == "memory" else EPISODE, p) for p in each.fields.claims]
        for each in candidates
    )
    counts[f"/{TENSIONS}/*"] = len(store.tensions.value) if store.tensions else 0
    counts["/history/*"] = len(store.history)
    counts[f"/{SKILL}"] = int(store.skill is not None)
    return counts
