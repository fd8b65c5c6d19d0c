"""What an export did, for people and for scripts."""

from collections.abc import Iterator

from doll.interchange.base import Loss
from doll.interchange.pam.encoding import Lost
from doll.render.export_values import REASONS, ExportReport, LeftOut
from doll.render.problems import problem_values
from doll.render.text import count, visible
from doll.secrets import mask

SCHEMA = "doll.export/1"

_IDS = 5


def payload(report: ExportReport) -> dict[str, object]:
    """Return the content of the JSON document of a report."""
    return {
        "format": "portable-ai-memory 1.0",
        "export_id": report.export_id,
        "export_type": "incremental" if report.base else "full",
        "export_date": report.export_date,
        "base_export_id": report.base or None,
        "owner": report.owner,
        "asked": mask(report.asked),
        "accepted_commit": report.commit,
        "partial": report.is_partial,
        "counts": {**report.counts._asdict(), "relations": report.relations},
        "left_out": [
            {
                "reason": each.reason,
                "why": REASONS[each.reason],
                "number": each.number,
                "ids": list(map(mask, each.ids)),
            }
            for each in report.left_out
        ],
        "not_asked_for": not report.whole,
        "never_exported": report.elsewhere._asdict(),
        "gone": [{"id": mask(each.id), "why": each.why} for each in report.gone],
        "losses": [{"field": e.field, "count": e.count, "reason": e.reason} for e in report.losses],
        "lost": [
            {"id": mask(record), "fields": list(map(_lost, fields))}
            for record, fields in report.lost.items()
        ],
        "checksum": report.checksum,
        "signed_by": report.public_key or None,
        "file": report.path or None,
        "loss_report": report.loss_path or None,
        "bytes": report.size,
        "sha256": report.digest,
        "problems": problem_values(report.problems),
    }


def _lost(lost: Lost) -> dict[str, str | None]:
    return {"field": mask(lost.field), "detail": mask(lost.detail) or None}


def lines(report: ExportReport) -> list[str]:
    """Return the report as text."""
    return [*_outcome(report), *_left_out(report), *_gone(report), *_losses(report)]


def _outcome(report: ExportReport) -> Iterator[str]:
    counts = report.counts
    where = f" to {visible(report.path)}" if report.path else ""
    yield f"exported {count(counts.exported, 'memory', 'memories')}{where}"
    if report.base:
        numbers = f"{counts.new:,} new, {counts.changed:,} changed, {counts.unchanged:,} unchanged"
        yield f"  against {visible(report.base)}: {numbers}"
    yield f"  {visible(mask(report.asked))}, as accepted at {report.commit[:12]}"
    yield f"  export {report.export_id}, dated {report.export_date}"
    if report.public_key:
        yield f"  signed with {report.public_key}"


def _left_out(report: ExportReport) -> Iterator[str]:
    if report.is_partial:
        yield "this export is partial:"
    for each in report.left_out:
        yield f"  {left_out_line(each)}"
    if not report.whole:
        yield "  memories that were not asked for are not in it"
    elsewhere = report.elsewhere
    if any(elsewhere):
        entries = count(elsewhere.experience, "experience entry", "experience entries")
        records = count(elsewhere.authority, "record of authority", "records of authority")
        parts = zip(elsewhere, (entries, records), strict=True)
        yield f"  PAM has no place for {' and '.join(said for number, said in parts if number)}"


def left_out_line(each: LeftOut) -> str:
    """Return how many records were left out, why, and which; their ids without secrets."""
    return f"{each.number:,} left out: {REASONS[each.reason]}{_ids(each)}"


def _ids(left_out: LeftOut) -> str:
    if not left_out.ids:
        return ""
    shown = ", ".join(visible(mask(each)) for each in left_out.ids[:_IDS])
    more = left_out.number - _IDS
    return f" ({shown}, +{more:,} more)" if more > 0 else f" ({shown})"


def _gone(report: ExportReport) -> Iterator[str]:
    if report.gone:
        them = count(len(report.gone), "memory of the base is", "memories of the base are")
        yield f"  {them} not exported any more, which PAM cannot say"


def _losses(report: ExportReport) -> Iterator[str]:
    if not report.losses:
        return
    yield f"  {count(len(report.losses), 'field')} of records did not survive whole:"
    yield from map(_loss, report.losses)
    if report.loss_path:
        yield f"  record by record: {visible(report.loss_path)}"


def _loss(loss: Loss) -> str:
    name = "other keys" if loss.field == "*" else loss.field
    return f"    {name}  {loss.count:,}  {loss.reason}"
