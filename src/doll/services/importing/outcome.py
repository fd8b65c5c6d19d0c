"""What is said of an import, and the files of its folder. Pure.

Every secret is masked before it comes into a report.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from doll.errors import Problem
from doll.interchange.base import Decoded, Document
from doll.records.digest import sha256
from doll.render.import_values import Declared, ImportReport, Place, SourceFile, Staged
from doll.services.importing import companions
from doll.services.importing import names as import_names
from doll.services.importing import plan as import_plan
from doll.services.importing import report as import_report
from doll.services.importing import sources as import_sources
from doll.services.importing.companions import Scanned
from doll.services.importing.ledger import REPORT
from doll.services.importing.plan import Plan
from doll.services.importing.shown import Shown


class Read(NamedTuple):
    """A document that was read and scanned.

    `inside` are the hits of each candidate by its index, `outside` those that lie in none;
    `declared` are those that are no secret. `scanned` is what was found in the companions, None
    where none of them is to be kept. `claimed` notes each text that says it holds no secret.
    """

    document: Document
    decoded: Decoded
    inside: Mapping[int, Sequence[Place]]
    outside: tuple[Place, ...]
    declared: frozenset[Place]
    scanned: Scanned | None = None
    claimed: tuple[Problem, ...] = ()


def places(read: Read) -> Iterator[Place]:
    """Yield every hit in a document and its companions."""
    yield from read.outside
    yield from flat(read.inside)
    yield from flat(read.scanned.hits if read.scanned else {})


def flat(found: Mapping[Any, Sequence[Place]]) -> Iterator[Place]:
    """Yield every hit of hits by where they lie."""
    for each in found.values():
        yield from each


def report(read: Read, plan: Plan, *, dropped: int, dry_run: bool) -> ImportReport:
    """Return what is to be said before there is a name, with every secret in it masked."""
    decoded, document = read.decoded, read.document
    shown = Shown(masking=bool(read.inside or read.outside or plan.refused))
    refused = {place for each in plan.refused for place in each.places}
    hits = dict.fromkeys([*read.outside, *flat(read.inside)])
    outside = tuple(hit for hit in hits if hit not in read.declared and hit not in refused)
    return ImportReport(
        adapter=decoded.adapter,
        version=decoded.version,
        source=shown.text(decoded.source),
        source_name=Shown(masking=True).text(document.name),
        source_bytes=sum(len(data) for _, data in document.files),
        source_digest=decoded.source_digest,
        source_kept=not (outside or refused),
        source_path="",
        name="",
        folder="",
        name_note="",
        facts=shown.facts(decoded.facts),
        counts=plan.counts,
        staged=(),
        parked=shown.parked(plan.parked),
        refused=shown.refused(plan.refused),
        outside=outside,
        declared=(),
        losses=shown.losses(decoded.losses),
        problems=shown.problems(
            [
                *decoded.problems,
                *read.claimed,
                *import_plan.conflicts(plan, document.file),
                *import_plan.doubts(plan, decoded, document.name),
            ]
        ),
        dropped=dropped,
        dry_run=dry_run,
        set_aside=shown.set_aside(decoded.set_aside),
        questions=shown.questions(decoded.questions),
        export=Shown(masking=True).text(decoded.export),
        beside=companions.listed(document, decoded, read.scanned, read.declared),
    )


def named(
    report: ImportReport,
    read: Read,
    plan: Plan,
    wanted: str | None,
    taken: Mapping[str, str | None],
) -> ImportReport:
    """Return the report with the import's name and the paths that follow from it."""
    asked = (wanted, report.source_name, report.source_digest, taken)
    whole = bool(read.document.main) and not import_names.is_archive(report.source_name)
    name, note = import_names.choose(*asked, folder=whole)
    folder = f"staging/{report.adapter}/{name}"
    masked = Shown(masking=True)
    document = companions.kept(read.document, read.decoded, report.beside)
    names = [file for file, _ in document.files]
    kept = import_sources.places([masked.text(n) for n in names], several=bool(document.main))
    by_name = dict(zip(names, kept, strict=True)) if report.source_kept else {}
    staged = tuple(
        Staged(
            id=f"{name}/{each.candidate.stem}",
            path=f"{folder}/{each.candidate.stem}.md",
            digest=each.digest,
            source_id=each.candidate.source_id,
            entry_digest=each.candidate.entry_digest,
            updates=each.updates,
            mark=each.candidate.mark,
        )
        for each in plan.written
    )
    return report._replace(
        name=name,
        folder=folder,
        name_note=note,
        source_path=f"{folder}/{kept[0]}" if report.source_kept else "",
        source_files=tuple(_files(document, kept)) if document.main else (),
        staged=staged,
        declared=tuple(_declared(read, document, plan, kept if report.source_kept else ())),
        beside=tuple(
            listed._replace(kept=by_name.get(each.path, ""))
            for each, listed in zip(read.decoded.companions, report.beside, strict=True)
        ),
    )


def _files(document: Document, kept: Sequence[str]) -> Iterator[SourceFile]:
    for path, (_, data) in zip(kept, document.files, strict=True):
        yield SourceFile(path, len(data), sha256(data))


def _declared(
    read: Read, document: Document, plan: Plan, kept: Sequence[str]
) -> Iterator[Declared]:
    """Yield each false alarm with the files that it lies in; `kept` are those of the source."""
    concerned: defaultdict[Place, list[str]] = defaultdict(list)
    for each in plan.written:
        for place in each.declared:
            concerned[place].append(f"{each.candidate.stem}.md")
    for place in sorted(read.declared):
        paths = concerned[place]
        source = import_sources.holding(document, place.pointer, kept)
        yield Declared(place, (*sorted(paths), *source))


def contents(report: ImportReport, read: Read, plan: Plan) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the folder, by their path in it."""
    yield REPORT, import_report.document(report)
    if report.source_kept:
        first = report.source_path.removeprefix(f"{report.folder}/")
        kept = [each.path for each in report.source_files] or [first]
        document = companions.kept(read.document, read.decoded, report.beside)
        yield from zip(kept, (data for _, data in document.files), strict=True)
    for each in plan.written:
        yield f"{each.candidate.stem}.md", each.data
