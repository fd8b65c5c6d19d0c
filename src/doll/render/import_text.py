"""What an import did, for people and for scripts."""

from collections import Counter
from collections.abc import Iterator

from doll.render.import_values import Beside, ImportReport, Refused
from doll.render.problems import problem_lines, problem_values
from doll.render.text import count, visible

SCHEMA = "doll.import/1"

_SHOWN = 40


def payload(report: ImportReport) -> dict[str, object]:
    """Return the content of the JSON document of a report."""
    return {
        "adapter": {"name": report.adapter, "version": report.version},
        "source": _source_values(report),
        "import": report.name or None,
        "folder": report.folder or None,
        "note": report.name_note,
        "earlier": list(report.earlier),
        "not_committed": list(report.pending),
        "facts": dict(report.facts),
        "counts": report.counts._asdict(),
        "dropped": report.dropped,
        "candidates": [
            {
                "id": each.id,
                "path": each.path,
                "sha256": each.digest,
                "source_id": each.source_id,
                "state": each.state,
                "updates": each.updates or None,
                "mark": each.mark or None,
            }
            for each in report.staged
        ],
        "parked": [
            {
                "pointer": each.pointer,
                "source_id": each.source_id,
                "code": each.code,
                "reason": each.reason,
            }
            for each in report.parked
        ],
        "refused": [
            {
                "pointer": each.pointer,
                "source_id": each.source_id,
                "secrets": [place._asdict() for place in each.places],
            }
            for each in report.refused
        ],
        "set_aside": [each._asdict() for each in report.set_aside],
        "questions": [each._asdict() for each in report.questions],
        "companions": [_beside_values(each) for each in report.beside],
        "secrets_elsewhere": [place._asdict() for place in report.outside],
        "not_a_secret": [each.place._asdict() for each in report.declared],
        "losses": [
            {"field": each.field, "count": each.count, "reason": each.reason}
            for each in report.losses
        ],
        "problems": problem_values(report.problems),
        "dry_run": report.dry_run,
        "commit": report.commit or None,
    }


def _source_values(report: ImportReport) -> dict[str, object]:
    return {
        "id": report.source,
        "name": report.source_name,
        "bytes": report.source_bytes,
        "sha256": report.source_digest,
        "kept": report.source_path or None,
        "files": [
            {"path": each.path, "bytes": each.size, "sha256": each.digest}
            for each in report.source_files
        ],
    }


def _beside_values(each: Beside) -> dict[str, object]:
    return {
        "path": each.path,
        "kind": each.kind,
        "about": list(each.about),
        "bytes": each.size,
        "sha256": each.digest,
        "kept": each.kept or None,
        "fault": each.fault or None,
        "secrets": [place._asdict() for place in each.secrets],
    }


def lines(report: ImportReport) -> list[str]:
    """Return the report as text; what to type next is not part of it."""
    return [
        *_outcome(report),
        *_facts(report),
        *_losses(report),
        *_unwritten(report),
        *_apart(report),
        *_beside(report),
        *problem_lines(report.problems),
    ]


def _outcome(report: ImportReport) -> Iterator[str]:
    numbers = ", ".join(f"{number:,} {what}" for what, number in report.counts._asdict().items())
    name = visible(report.source_name)
    if not report.folder:
        yield f"{name}: nothing new, nothing was written"
        if report.earlier:
            yield f"  it is known from {', '.join(map(visible, report.earlier))}"
    else:
        verb = "would become" if report.dry_run else "is now"
        yield f"{name} {verb} {visible(report.folder)}"
    if report.name_note and report.folder:
        yield f"  {visible(report.name_note)}, so this one is {visible(report.name)}"
    yield f"  {numbers}"
    if report.set_aside:
        kinds = Counter(each.kind for each in report.set_aside).items()
        yield f"  not imported: {', '.join(f'{number:,} {kind}' for kind, number in kinds)}"
    if marks := Counter(each.mark for each in report.staged if each.mark):
        said = ", ".join(f"{number:,} {mark}" for mark, number in sorted(marks.items()))
        yield f"  at the source, no longer current: {said}; nothing was deleted"
    if report.dropped:
        gone = count(report.dropped, "unchanged entry is", "unchanged entries are")
        yield f"  {gone} in no folder any more; --again brings back what you dropped"


def _facts(report: ImportReport) -> Iterator[str]:
    yield f"  source {visible(report.source)}, SHA-256 {report.source_digest}"
    for name, value in report.facts.items():
        yield f"  {visible(name)}: {visible(value)}"
    if report.folder and not report.source_kept:
        yield "  the source's bytes are not kept, since they seem to hold a secret"


def _losses(report: ImportReport) -> Iterator[str]:
    if not report.losses or not report.folder:
        return
    yield f"{count(len(report.losses), 'field')} did not map, by how many entries have them:"
    for loss in report.losses[:_SHOWN]:
        yield f"  {visible(loss.field)}  {loss.count:,}  {visible(loss.reason)}"
    if len(report.losses) > _SHOWN:
        yield f"  +{len(report.losses) - _SHOWN} more in _import.md"


def _unwritten(report: ImportReport) -> Iterator[str]:
    for each in report.parked:
        yield f"parked: {visible(each.pointer)}: {visible(each.reason)} [{each.code}]"
    for refused in report.refused:
        yield from _refused(refused)
    outside = report.outside if report.folder else ()
    for place in outside:
        where = visible(place.pointer) or "the document"
        yield f"secret: {where}: this looks like a secret ({place.detector})"
    if report.refused or outside:
        yield "  remove it from the source, and change it where it is used; if it is none, declare"
        yield "  it with the option --not-a-secret DETECTOR:POINTER:"
        places = [place for refused in report.refused for place in refused.places]
        for place in dict.fromkeys([*places, *outside]):
            yield f"    --not-a-secret {_quoted(visible(str(place)))}"


def _apart(report: ImportReport) -> Iterator[str]:
    shown = report.set_aside if report.folder else ()
    for each in shown[:_SHOWN]:
        where = f"{visible(each.pointer)} ({visible(each.source_id)})"
        yield f"{each.kind}: {where}: {visible(each.reason)}"
    if len(shown) > _SHOWN:
        yield f"+{len(shown) - _SHOWN:,} more are listed in _import.md"
    for question in report.questions if report.folder else ():
        yield f"open question: {visible(question.pointer)}: {visible(question.text)}"


def _beside(report: ImportReport) -> Iterator[str]:
    if not report.beside or not report.folder:
        return
    kinds = Counter(each.kind for each in report.beside).items()
    kept = sum(1 for each in report.beside if each.kept)
    what = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds))
    yield f"beside it, listed by digest and not imported: {what}; {kept:,} kept"
    against = [each for each in report.beside if each.fault or each.secrets]
    for each in against[:_SHOWN]:
        why = each.fault or f"it seems to hold a secret at {visible(str(each.secrets[0]))}"
        yield f"  not kept: {visible(each.path)}: {visible(why)}"
    if len(against) > _SHOWN:
        yield f"  +{len(against) - _SHOWN:,} more are listed in _import.md"


def _refused(refused: Refused) -> Iterator[str]:
    for place in refused.places:
        where = visible(place.pointer)
        yield f"refused: {visible(refused.pointer)}: a secret at {where} ({place.detector})"


def _quoted(text: str) -> str:
    import shlex

    return shlex.quote(text)
