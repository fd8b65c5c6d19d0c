"""`_import.md`: the loss report and the ledger of an import, as Markdown that reads well in a diff.

The same source under the same name in the same vault gives the same bytes: no time stands here,
git's commit has it. Foreign text stands in code spans, its invisible characters escaped.
"""

from collections.abc import Iterable, Iterator

from doll.records.handler import entry
from doll.render.import_values import Beside, ImportReport
from doll.render.text import count, visible
from doll.services.importing import ledger as import_ledger
from doll.services.importing.ledger import FalseAlarm, Ledger, Line
from doll.services.importing.names import is_archive

# As many source files are named at the top; more have a section of their own.
_FEW = 20


def document(report: ImportReport) -> bytes:
    """Return the bytes of `_import.md`."""
    sections = [
        _head(report),
        _counts(report),
        _stated(report),
        _losses(report),
        _parked(report),
        _refused(report),
        _marked(report),
        _set_aside(report),
        _beside(report),
        _questions(report),
        _declared(report),
        _warnings(report),
        _many_files(report),
        _ledger(report),
    ]
    text = "\n".join(line for section in sections for line in section)
    return text.encode()


def ledger_of(report: ImportReport) -> Ledger:
    """Return what the vault is to remember of this import."""
    lines = [
        Line(each.source_id, each.entry_digest, "staged", each.stem, each.updates)
        for each in report.staged
    ]
    lines += barred(report)
    alarms = tuple(
        FalseAlarm(each.place.detector, each.place.pointer, file)
        for each in report.declared
        for file in each.files
    )
    facts = (report.name, report.adapter, report.source, report.source_digest)
    return Ledger(*facts, tuple(lines), alarms, report.export)


def barred(report: ImportReport) -> Iterator[Line]:
    """Yield the ledger lines of what was parked or refused."""
    for parked in report.parked:
        digest = parked.entry_digest or import_ledger.NO_DIGEST
        yield Line(parked.source_id, digest, "parked")
    for refused in report.refused:
        yield Line(refused.source_id, refused.entry_digest, "refused")


def code(text: str) -> str:
    """Return any text as a code span of Markdown, safe in a table too."""
    shown = visible(text).replace("|", "\\|") or " "
    fence = "`"
    while fence in shown:
        fence += "`"
    gap = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{gap}{shown}{gap}{fence}"


def _head(report: ImportReport) -> Iterator[str]:
    yield "---"
    yield entry("import", report.name)
    yield entry("adapter", report.adapter)
    yield entry("adapter_version", report.version)
    yield entry("source", report.source)
    yield entry("source_sha256", report.source_digest)
    if report.export:
        yield entry("export_id", report.export)
    yield "---"
    yield f"# Import {report.name}"
    yield ""
    yield "Nothing here is confirmed. `doll review` shows each candidate; an approval moves it."
    yield ""
    what = "folder" if report.source_files else "file"
    if report.source_files and is_archive(report.source_name):
        what = "archive"
    yield f"- source {what}: {code(report.source_name)}, {count(report.source_bytes, 'byte')}"
    yield f"- SHA-256: `{report.source_digest}`"
    yield f"- exact bytes: {_kept(report)}"
    if len(report.source_files) <= _FEW:
        yield from _files(report, "  ")
    yield f"- read by: doll's {report.adapter} adapter, version {report.version}"
    yield ""


def _files(report: ImportReport, indent: str = "") -> Iterator[str]:
    for each in report.source_files:
        size = count(each.size, "byte")
        yield f"{indent}- {code(each.path)}, {size}, SHA-256 `{each.digest}`"


def _many_files(report: ImportReport) -> Iterator[str]:
    if len(report.source_files) > _FEW:
        yield from _section("Source files", "What was read, by path.", list(_files(report)))


def _kept(report: ImportReport) -> str:
    if report.source_kept and len(report.source_files) > 1 and not report.beside:
        return "these files; the digest above is that of the list of their names and digests"
    if report.source_kept and report.source_files:
        return "these files; the digest above is that of the first"
    if report.source_kept:
        return code(report.source_path.removeprefix(f"{report.folder}/"))
    return "not kept, since they seem to hold a secret; the digest above names them"


def _counts(report: ImportReport) -> Iterator[str]:
    yield "| new | changed | unchanged | parked | refused |"
    yield "|---|---|---|---|---|"
    counts = report.counts
    numbers = (counts.new, counts.changed, counts.unchanged, counts.parked, counts.refused)
    yield f"| {' | '.join(f'{number:,}' for number in numbers)} |"
    yield ""


def _stated(report: ImportReport) -> Iterator[str]:
    yield "## What the source says of itself, and what was checked"
    yield ""
    yield f"- source: {code(report.source)}"
    for name, value in report.facts.items():
        yield f"- {visible(name)}: {code(value)}"
    yield ""


def _losses(report: ImportReport) -> Iterator[str]:
    yield "## What did not map"
    yield ""
    if not report.losses:
        yield "Every field has a place in a record."
        yield ""
        return
    yield "Kept word for word as claims of the candidates, unless the reason says otherwise."
    yield "Entries that are unchanged or refused count too."
    yield ""
    yield "| field | how many have it | why |"
    yield "|---|---|---|"
    for loss in report.losses:
        yield f"| {code(loss.field)} | {loss.count:,} | {visible(loss.reason)} |"
    yield ""


def _parked(report: ImportReport) -> Iterator[str]:
    lines = [
        f"- {code(each.pointer)} ({code(each.source_id)}): {visible(each.reason)} [{each.code}]"
        for each in report.parked
    ]
    yield from _section("Parked", "No record file can hold these exactly.", lines)


def _refused(report: ImportReport) -> Iterator[str]:
    lines = [
        f"- {code(each.pointer)} ({code(each.source_id)}): {_places(each.places)}"
        for each in report.refused
    ]
    note = "These seem to hold a secret. Neither they nor the source's bytes were written."
    yield from _section("Refused", note, lines)
    outside = [f"- {code(str(place))}" for place in report.outside]
    note = "Hits in nothing that is new. The source's bytes were not written."
    yield from _section("Secrets elsewhere in the source", note, outside)


def _marked(report: ImportReport) -> Iterator[str]:
    lines = [
        f"- {each.mark}: {code(f'{each.stem}.md')} ({code(each.source_id)})"
        + (f", updates {code(each.updates)}" if each.updates else "")
        for each in report.staged
        if each.mark
    ]
    note = "Candidates like the others; nothing was deleted, and nothing follows from it here."
    yield from _section("What the source no longer holds for current", note, lines)


def _set_aside(report: ImportReport) -> Iterator[str]:
    lines = [
        f"- {each.kind}: {code(each.pointer)} ({code(each.source_id)}): {visible(each.reason)}"
        for each in report.set_aside
    ]
    yield from _section("Not imported", "These stand in none of the counts.", lines)


def _beside(report: ImportReport) -> Iterator[str]:
    lines = [
        f"- {each.kind}: {code(each.path)}"
        + (f" ({', '.join(map(code, each.about))})" if each.about else "")
        + f", {count(each.size, 'byte')}, SHA-256 `{each.digest}`: {_kept_beside(each)}"
        for each in report.beside
    ]
    note = "These came with the source. Nothing is made of them."
    yield from _section("Files beside the source", note, lines)


def _kept_beside(each: Beside) -> str:
    if each.kept:
        return f"kept as {code(each.kept)}"
    if each.secrets:
        return f"not kept, since it seems to hold a secret at {_places(each.secrets)}"
    return f"not kept: {visible(each.fault)}" if each.fault else "not kept"


def _questions(report: ImportReport) -> Iterator[str]:
    lines = [f"- {code(each.pointer)}: {code(each.text)}" for each in report.questions]
    note = "What the source leaves open. Nothing here is decided by it."
    yield from _section("Open questions", note, lines)


def _places(places: Iterable[object]) -> str:
    return ", ".join(code(str(place)) for place in places)


def _declared(report: ImportReport) -> Iterator[str]:
    lines = [f"- {code(str(each.place))}" for each in report.declared]
    note = "Hits that the user declared to be no secret, each by `--not-a-secret`."
    yield from _section("Declared no secret", note, lines)


def _warnings(report: ImportReport) -> Iterator[str]:
    lines = [
        f"- {code(p.pointer) + ': ' if p.pointer else ''}{visible(p.message)} [{p.code}]"
        for p in report.problems
    ]
    yield from _section("Warnings", "The source was read all the same.", lines)


def _section(title: str, note: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"## {title}"
        yield ""
        yield note
        yield ""
        yield from lines
        yield ""


def _ledger(report: ImportReport) -> Iterator[str]:
    yield "## Ledger"
    yield ""
    yield "What doll remembers, so that nothing comes twice: digest, file, id at the source."
    yield ""
    yield import_ledger.block(ledger_of(report))
