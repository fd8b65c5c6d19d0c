"""The texts of the memories that are exported, each looked through once more for secrets.

Nothing here keeps or hands out the value of a secret.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, cast

from doll.errors import Problem
from doll.interchange.pam.encoding import Exportable, content_of
from doll.records import fences
from doll.records.model import Memory, Record
from doll.render.export_values import Reason
from doll.services.exporting.asking import refusal
from doll.services.opening import Vault
from doll.vault import files

if TYPE_CHECKING:
    from doll.secrets import Hit

Progress = Callable[[str, int, int], None]

_STEP = 200


class Texts(NamedTuple):
    """The records to export by path, and those that cannot be, with why and where."""

    records: Mapping[str, Exportable]
    barred: Mapping[str, Reason]
    problems: tuple[Problem, ...]


def read(vault: Vault, records: Sequence[Record], commit: str, progress: Progress) -> Texts:
    """Return what the files of accepted records hold; GitError when git fails."""
    found, barred, problems = dict[str, Exportable](), dict[str, Reason](), list[Problem]()
    since = _arrivals(vault, records, commit)
    for number, record in enumerate(records):
        if number % _STEP == 0:
            progress("reading", number, len(records))
        made = _exportable(vault, record, since.get(record.path))
        if made is None:
            barred[record.path] = "not_committed"
            problems.append(refusal(record.path, "not_committed"))
            continue
        exportable, data = made
        secrets = _secrets(vault, record, exportable, data)
        problems += secrets
        if secrets:
            barred[record.path] = "secret_found"
        elif not content_of(exportable)[0]:
            barred[record.path] = "empty"
            problems.append(refusal(record.path, "empty"))
        else:
            found[record.path] = exportable
    return Texts(found, barred, tuple(problems))


def _arrivals(vault: Vault, records: Sequence[Record], commit: str) -> dict[str, datetime]:
    """Return when records came that do not say when they were written; git is asked in need."""
    if all(record.fields.created for record in records):
        return {}
    from doll.vcs.plumbing.dates import arrivals

    found = arrivals(vault.repository, commit, vault.in_git("confirmed"))
    return {vault.in_vault(path) or path: moment for path, moment in found.items()}


def _exportable(
    vault: Vault, record: Record, since: datetime | None
) -> tuple[Exportable, bytes] | None:
    """Return a record with its text, and the bytes of its file; None when it has others by now."""
    data = files.read_as(vault.root, record.path, record.digest)
    if data is None:
        return None
    body = fences.body(data.decode())
    fields = cast("Memory", record.fields)
    return Exportable(record.id, fields, body, tuple(record.lines), since), data


def _secrets(
    vault: Vault, record: Record, exportable: Exportable, data: bytes
) -> tuple[Problem, ...]:
    """Return the places of what is exported that look like secrets and count as such."""
    from doll.secrets import scan, scan_document

    said = exportable.fields
    quickly = (record.id, exportable.body, said.title or "", said.summary or "", *said.tags)
    if not any(map(scan, quickly)):
        return ()
    texts = {
        "id": record.id,
        "body": exportable.body,
        "title": said.title or "",
        "summary": said.summary or "",
        "tags": list(said.tags),
    }
    return tuple(_counting(vault, record, data, scan_document(texts)))


def _counting(
    vault: Vault, record: Record, data: bytes, hits: "Sequence[Hit]"
) -> Iterator[Problem]:
    from doll.services.checking.declarations import declarations
    from doll.services.checking.false_alarms import false_alarms

    declared = declarations(vault).detectors(vault.in_git(record.path), data)
    for hit in hits:
        if hit.detector in declared or false_alarms(vault).cover(record.path, hit.detector):
            continue
        field = hit.pointer.split("/")[1]
        line = _line(record, field, hit.line, data)
        message = f"this looks like a secret ({hit.detector}) in `{field}`"
        hint = (
            "remove it from the record, commit that, and change it where it is used\n"
            "doll validate    says how to declare it, if you know that it is none"
        )
        yield Problem(record.path, line, 1, "secret.found", message, hint=hint)


def _line(record: Record, field: str, line: int, data: bytes) -> int:
    """Return the line in the file of what was found on a line of a field, counted from 1."""
    if field != "body":
        return record.line(field)
    text = data.decode()
    return text.count("\n", 0, fences.bounds(text)[2]) + line
