"""The projectmem adapter: a log into candidates, each row accounted for.

Rows = candidates + parked + repeated. A row that cannot be read is parked with its line number and
never fails the file; nothing in a row closes, decides or replaces anything.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn

from doll.errors import InvalidDocumentError, Problem, UsageError
from doll.interchange import experience, fitting
from doll.interchange.base import Candidate, Decoded, Document, Loss, Options, Parked
from doll.interchange.projectmem import mapping
from doll.interchange.projectmem.fields import FIELDS, PROFILE, SUMMARY, claim_reason, pattern
from doll.interchange.projectmem.rows import TYPES, Row, has_mark, rows
from doll.interchange.rules import counted, losses
from doll.interchange.stems import identity
from doll.interchange.strict_json import decoded, leaves
from doll.records.digest import sha256

_LOG = "give the folder that holds .projectmem/events.jsonl, or that file"
_ABSENT = (
    "projectmem's log is ignored by git, so a clone has none: take it from where it was written; "
    "--lossy imports the summary as text"
)
_DEFAULT = "the tool writes `failed` where nothing was said"
_NAMED = 20


class _Taken(NamedTuple):
    candidates: list[Candidate]
    parked: list[Parked]
    repeated: int
    problems: list[Problem]


class ProjectmemAdapter:
    """Reads logs of projectmem, profile `projectmem-events/0.1.4-0.3.4`."""

    name = mapping.ADAPTER
    version = "1"

    def __init__(self) -> None:
        self._last: tuple[Document, tuple[Row, ...]] | None = None

    def decode(self, document: Document, options: Options) -> Decoded:
        """Return the candidates of a log, and what was lost and parked.

        With `options.lossy` a `summary.md` is read as text. UsageError where no project is named,
        InvalidDocumentError for a file of which no line begins as an event does.
        """
        if not options.project:
            raise UsageError("events belong to a project", hint="name yours: --project ID")
        if _is_summary(document):
            return self._summary(document, options)
        found = self._rows(document)
        if found and not any(row.data.lstrip().startswith(b"{") for row in found):
            _refuse(document, "no line of this file is an event", _LOG)
        taken = _take(found, document, options)
        return Decoded(
            adapter=self.name,
            version=self.version,
            source=options.project,
            source_digest=document.digest,
            facts=_facts(found, taken, options),
            candidates=tuple(taken.candidates),
            parked=tuple(taken.parked),
            losses=_losses(taken.candidates),
            problems=(*_mark(document), *taken.problems),
            repeated=taken.repeated,
        )

    def claim_reason(self, pointer: str) -> str:
        """Return why a claim is no field."""
        return claim_reason(pointer)

    def texts(self, document: Document) -> Iterator[tuple[str, str]]:
        """Yield every text of the log with its pointer; of a line that is no JSON, all of it."""
        if _is_summary(document):
            yield f"/{SUMMARY}", document.data.decode("utf-8", "replace")
            return
        for row in self._rows(document):
            if row.value is None:
                yield row.pointer, row.data.decode("utf-8", "replace")
                continue
            for pointer, leaf in leaves(row.value, row.pointer):
                if isinstance(leaf, str):
                    yield pointer, leaf

    def _rows(self, document: Document) -> tuple[Row, ...]:
        # A log is asked for its texts and then decoded; reading it takes most of the time.
        if self._last is None or self._last[0] is not document:
            self._last = document, tuple(rows(document.data))
        return self._last[1]

    def _summary(self, document: Document, options: Options) -> Decoded:
        if not options.lossy:
            _refuse(document, "this is projectmem's summary, and not its log", _ABSENT)
        text, notes = decoded(document.data, document.file)
        digest = sha256(document.data)
        mapped = mapping.summary_text(text, digest, options)
        misfit = fitting.misfit(mapped.fields, mapped.body)
        empty = None if text.strip() else fitting.Misfit("projectmem.missing", "it says nothing")
        pointer = f"/{SUMMARY}"
        fault = empty or misfit
        parked = (Parked(pointer, "", fault.code, fault.reason, digest),) if fault else ()
        key = identity(mapping.ADAPTER, options.project, "", digest)
        made = () if fault else (_candidate(mapped, "", digest, pointer, key),)
        message = "this is the tool's own summary: the events that it rests on are not here"
        warning = Problem(document.file, 0, 0, "projectmem.lossy", message, "warning")
        return Decoded(
            adapter=self.name,
            version=self.version,
            source=options.project,
            source_digest=document.digest,
            facts={"format": "projectmem summary", "project": options.project},
            candidates=made,
            parked=parked,
            losses=losses(FIELDS, {pointer: len(made)}),
            problems=(*notes, warning),
        )


def _is_summary(document: Document) -> bool:
    return document.file.rpartition("/")[2] == SUMMARY


def _take(found: Iterable[Row], document: Document, options: Options) -> _Taken:
    candidates, parked, repeated = [], [], 0
    seen: set[str] = set()
    by_id: defaultdict[str, list[int]] = defaultdict(list)
    for row in found:
        fault = row.fault
        if fault is None:
            mapped = mapping.mapped(row, options)
            fault = fitting.misfit(mapped.fields, mapped.body)
        if fault is not None:
            parked.append(Parked(row.pointer, row.source_id, fault.code, fault.reason, row.digest))
            continue
        if row.digest in seen:
            repeated += 1
            continue
        seen.add(row.digest)
        if row.source_id:
            by_id[row.source_id].append(row.line)
        key = identity(mapping.ADAPTER, options.project, row.source_id, row.digest)
        candidates.append(_candidate(mapped, row.source_id, row.digest, row.pointer, key))
    return _Taken(candidates, parked, repeated, list(_conflicts(by_id, document)))


def _candidate(
    mapped: mapping.Mapped, source_id: str, digest: str, pointer: str, key: str
) -> Candidate:
    fields, body, at = mapped
    stem = experience.name(at, fields.kind, fields.summary, key)
    return Candidate(stem, "experience", fields, body, source_id, digest, pointer, (pointer,))


def _conflicts(by_id: dict[str, list[int]], document: Document) -> Iterator[Problem]:
    """Yield a warning for each id that several rows of different content have."""
    several = [(lines, each) for each, lines in by_id.items() if len(lines) > 1]
    for lines, source_id in sorted(several)[:_NAMED]:
        places = ", ".join(map(str, lines[:10]))
        message = f"{source_id[:80]} is the id of {len(lines)} events: lines {places}"
        where = (document.file, lines[0], 1, "import.id_conflict", message)
        yield Problem(*where, "warning", "all are kept; review them one by one")
    if len(several) > _NAMED:
        message = f"+{len(several) - _NAMED:,} more ids stand for several events"
        yield Problem(document.file, 0, 0, "import.id_conflict", message, "warning")


def _facts(found: Iterable[Row], taken: _Taken, options: Options) -> dict[str, str]:
    rows_ = list(found)
    readable = [row.value for row in rows_ if row.fault is None]
    types = Counter(value["type"] for value in readable)
    listed = ", ".join(f"{types[name]} {name}" for name in TYPES if types[name])
    facts = {"format": PROFILE, "project": options.project, "rows": f"{len(rows_):,}"}
    if listed:
        facts["rows"] += f": {listed}"
    tags = Counter(tag for each in taken.candidates for tag in each.fields.tags)
    if guessed := tags[experience.GUESSED]:
        facts["guessed"] = f"{guessed:,} that the tool wrote by itself, as observations"
    if unknown := tags[experience.TIME_UNKNOWN]:
        facts["time unknown"] = f"{unknown:,}"
    failed = sum(1 for each in taken.candidates if getattr(each.fields, "outcome", "") == "failed")
    if failed:
        facts["failed attempts"] = f"{failed:,}; {_DEFAULT}"
    return facts


def _losses(candidates: Iterable[Candidate]) -> tuple[Loss, ...]:
    return losses(FIELDS, counted(map(pattern, each.fields.claims) for each in candidates))


def _mark(document: Document) -> Iterator[Problem]:
    if has_mark(document.data):
        message = "the file begins with a byte order mark; it was skipped"
        yield Problem(document.file, 1, 1, "file.bom", message, "note")


def _refuse(document: Document, message: str, hint: str) -> NoReturn:
    problem = Problem(document.file, 1, 1, "projectmem.not_a_log", message, hint=hint)
    raise InvalidDocumentError(f"{document.file}: {message}", hint=hint, problems=[problem])
