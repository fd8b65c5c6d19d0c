"""One row of a log as the fields of an experience entry; whatever has no field becomes a claim.

Whatever a row says, it is `imported_external`. Rows that the tool wrote by itself are guesses:
observations without an outcome. A fix is not verified, a decision decides nothing.
Source: the table in `doll.interchange.projectmem.fields`.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal, NamedTuple

from doll.interchange import experience
from doll.interchange.base import Options
from doll.interchange.pointers import join
from doll.interchange.projectmem import paths
from doll.interchange.projectmem.rows import Row
from doll.interchange.strict_json import text_of
from doll.records.model import Experience, ExperienceKind

ADAPTER = "projectmem"
DECISION = "stated-as-a-decision"
LOSSY = "lossy-summary"

_KINDS: dict[str, ExperienceKind] = {
    "issue": "observation",
    "hypothesis": "hypothesis",
    "attempt": "attempt",
    "fix": "resolution",
    "decision": "observation",
    "note": "observation",
}
_BACKFILLED = ("Created during backfill", "Auto-backfilled from git commit")
_SNOOZED = "precheck warnings snoozed"
_AS_CLAIMS = (
    "issue_id",
    "location",
    "git_commit",
    "supersedes",
    "auto_captured",
    "capture_source",
    "capture_confidence",
    "git_message",
    "command",
    "notes",
)

Outcome = Literal["worked", "failed", "partial", "unknown"]


class Mapped(NamedTuple):
    """The fields of an entry, its body, and its time where that is believed."""

    fields: Experience
    body: str
    at: datetime | None


def is_guessed(row: dict[str, Any]) -> bool:
    """Return whether the tool wrote a row by itself: captured, backfilled, churn, snooze."""
    return (
        row.get("auto_captured") is True
        or bool(row.get("capture_source"))
        or (row.get("issue_id") or "").startswith("legacy_")
        or (row.get("notes") or "").startswith(_BACKFILLED)
        or row["summary"].startswith(_SNOOZED)
    )


def mapped(row: Row, options: Options) -> Mapped:
    """Return a row, whose shape is right, as an entry of the project that was named."""
    value = row.value
    guessed = is_guessed(value)
    kind = "observation" if guessed else _KINDS[value["type"]]
    at = experience.moment(value.get("timestamp"), options.as_of)
    said = experience.said(value["summary"])
    named = value.get("files")
    patterns = [paths.pattern(each) for each in named] if isinstance(named, list) else []
    fields = Experience(
        project=options.project,
        kind=kind,
        assertion="imported_external",
        at=at or experience.UNKNOWN,
        summary=said.summary,
        outcome=_outcome(value, kind),
        paths=tuple(dict.fromkeys(each for each in patterns if each is not None)),
        tags=tuple(_tags(value, guessed=guessed, known=at is not None)),
        origin="import",
        origin_adapter=ADAPTER,
        origin_source=options.project,
        origin_id=row.source_id or None,
        origin_sha256=row.digest,
        claims=dict(_claims(value, kind, at)),
    )
    return Mapped(fields, said.body, at)


def summary_text(text: str, digest: str, options: Options) -> Mapped:
    """Return the summary of a log that is not there as one entry of text."""
    fields = Experience(
        project=options.project,
        kind="observation",
        assertion="imported_external",
        at=experience.UNKNOWN,
        summary=experience.said(text).summary,
        tags=(LOSSY, experience.TIME_UNKNOWN),
        origin="import",
        origin_adapter=ADAPTER,
        origin_source=options.project,
        origin_sha256=digest,
    )
    return Mapped(fields, text, None)


def _outcome(value: dict[str, Any], kind: str) -> Outcome | None:
    if kind == "resolution":
        return "unknown"
    outcome: Outcome | None = value.get("outcome")
    return outcome if kind == "attempt" else None


def _tags(value: dict[str, Any], *, guessed: bool, known: bool) -> Iterator[str]:
    if guessed:
        yield experience.GUESSED
    if value["type"] == "decision":
        yield DECISION
    if not known:
        yield experience.TIME_UNKNOWN


def _claims(value: dict[str, Any], kind: str, at: datetime | None) -> Iterator[tuple[str, str]]:
    """Yield pointer and JSON text of every value that no field holds as it was said."""
    yield "/type", text_of(value["type"])
    stated = value.get("timestamp")
    if stated is not None and not experience.is_exact(stated, at):
        yield "/timestamp", text_of(stated)
    outcome = value.get("outcome")
    if outcome is not None and (kind != "attempt" or outcome == "failed"):
        yield "/outcome", text_of(outcome)
    files = value.get("files")
    if isinstance(files, list):
        for index, each in enumerate(files):
            if paths.pattern(each) != each:
                yield join("/files", index), text_of(each)
    elif files:
        yield "/files", text_of(files)
    for name in _AS_CLAIMS:
        if value.get(name) not in (None, ""):
            yield join("", name), text_of(value[name])
