"""The loss report of an export as Markdown, to lie beside the export and go along with it.

So it names only records that the export holds, or that its base held; of the others it says how
many there are and why. The same export gives the same bytes. Text of records stands in code spans.
"""

import functools
from collections.abc import Iterator

from doll.interchange.pam.encoding import Lost
from doll.render.export_values import REASONS, ExportReport
from doll.render.text import count, visible
from doll.secrets import mask

TITLE = "# What this export does not hold"
BEGINNING = f"{TITLE}\n\nA loss report of doll's"


def document(report: ExportReport, name: str) -> bytes:
    """Return the bytes of the loss report of the export in the file `name`."""
    sections = (
        _head(report, name),
        _left_out(report),
        _gone(report),
        _losses(report),
        _records(report),
    )
    return "\n".join(line for section in sections for line in section).encode()


def code(text: str) -> str:
    """Return any text as a code span of Markdown, safe in a table too, its secrets masked."""
    shown = visible(mask(text)).replace("|", "\\|") or " "
    fence = "`"
    while fence in shown:
        fence += "`"
    gap = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{gap}{shown}{gap}{fence}"


def _head(report: ExportReport, name: str) -> Iterator[str]:
    kind = "partial" if report.is_partial else "whole"
    yield TITLE
    yield ""
    yield f"A loss report of doll's for {code(name)}: the export is {kind}."
    yield ""
    yield f"- export: `{report.export_id}`, of {report.export_date}, owner {code(report.owner)}"
    yield f"- SHA-256: `{report.digest}`"
    yield f"- asked for: {code(report.asked)}, as accepted at `{report.commit}`"
    if report.base:
        yield f"- incremental: only what is new or changed since {code(report.base)}"
        counts = report.counts
        yield (
            f"- memories: {counts.new:,} new, {counts.changed:,} changed; {counts.unchanged:,} "
            "unchanged ones are in the base only"
        )
    else:
        yield f"- memories: {report.counts.exported:,}"
    yield ""


def _left_out(report: ExportReport) -> Iterator[str]:
    yield "## Records that are not in it"
    yield ""
    lines = [f"- {each.number:,}: {REASONS[each.reason]}" for each in report.left_out]
    if not report.whole:
        lines.append("- every memory that was not asked for")
    for number, one, many in (
        (report.elsewhere.experience, "experience entry", "experience entries"),
        (report.elsewhere.authority, "record of authority", "records of authority"),
    ):
        if number:
            lines.append(f"- {count(number, one, many)}: PAM holds memories only")
    yield from lines or ["None."]
    yield ""


def _gone(report: ExportReport) -> Iterator[str]:
    if not report.base:
        return
    yield "## Memories of the base that are not exported any more"
    yield ""
    yield "PAM has no way to say so; whoever reads the export has to be told."
    yield ""
    yield from [f"- {code(each.id)}" for each in report.gone] or ["None."]
    yield ""


def _losses(report: ExportReport) -> Iterator[str]:
    yield "## Fields that do not survive"
    yield ""
    if not report.losses:
        yield "None."
        yield ""
        return
    yield "| field | records | why |"
    yield "|---|---|---|"
    for each in report.losses:
        name = "other keys" if each.field == "*" else code(each.field)
        yield f"| {name} | {each.count:,} | {each.reason} |"
    yield ""


def _records(report: ExportReport) -> Iterator[str]:
    if not report.lost:
        return
    yield "## Record by record"
    yield ""
    for record, fields in report.lost.items():
        yield f"- {code(record)}: {', '.join(map(_field, fields))}"
    yield ""


def _field(lost: Lost) -> str:
    return f"{_key(lost.field)} ({code(lost.detail)})" if lost.detail else _key(lost.field)


@functools.lru_cache(1000)
def _key(name: str) -> str:
    """Return the code span of a field's name, of which there are few."""
    return code(name)
