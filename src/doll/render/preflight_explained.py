"""A preflight report explained: in words, what matched what, at which commit, and what to do.

Shows what findings and accounts hold, and decides nothing. All text from records is made visible.
"""

from collections.abc import Iterable, Iterator

from doll.errors import Problem
from doll.preflight import CODES, OPTIONS, Finding, Matched, Report
from doll.preflight.explaining import Account, Comparison
from doll.render.leading import led
from doll.render.preflight_text import WORDS, covered, obstacle_lines, place_of, shortened
from doll.render.text import visible, visible_lines
from doll.secrets import mask

_PARTS = {
    "actions": "action",
    "required_for": "action",
    "capability": "action",
    "id": "action",
    "paths": "path",
    "project": "project",
    "projects": "project",
    "scope": "scope",
    "work_item": "work item",
}
_NOT_GIVEN = {
    "actions": "--action",
    "required_for": "--action",
    "capability": "--action",
    "id": "--action",
    "paths": "--path",
    "project": "--project",
    "projects": "--project",
    "scope": "--scope",
    "work_item": "--work-item",
}
_MOST = 5


def explained(report: Report) -> list[str]:
    """Return the explanation of every finding and problem of a report."""
    report = covered(report)
    lines = [_result(report)]
    for finding in report.findings:
        lines += ["", *_finding(finding, report)]
    for obstacle in report.obstacles:
        lines += ["", *obstacle_lines(obstacle)]
    return lines


def explained_code(report: Report, code: str) -> list[str] | None:
    """Return what a code means and where it was found; None for a code that nothing knows."""
    report = covered(report)
    findings = [finding for finding in report.findings if finding.code == code]
    obstacles = [each for each in report.obstacles if each.problem.code == code]
    notes = [note for note in report.notes if note.code == code]
    if code not in CODES and not obstacles:
        return None
    lines = list(_code(code)) if code in CODES else []
    for finding in findings:
        lines += ["", *_finding(finding, report)]
    for obstacle in obstacles:
        lines += ["", *obstacle_lines(obstacle)] if lines else list(obstacle_lines(obstacle))
    lines += ["", *(f"note: {shortened(note.message)}" for note in notes)] if notes else []
    if not (findings or obstacles or notes):
        lines += ["", "It was not found for this request."]
    return lines


def explained_record(report: Report, accounts: Iterable[Account]) -> list[str]:
    """Return what records have to do with a request, found or not."""
    report = covered(report)
    lines: list[str] = []
    for account in accounts:
        record = account.record
        found = [each for each in report.findings if each.path == record.path]
        lines += [""] if lines else []
        if found:
            for finding in found:
                lines += _finding(finding, report)
        else:
            lines += _silent(account)
    return lines


def explained_uncounted(found: Iterable[Problem]) -> list[str]:
    """Return why files have no say, as `explaining.uncounted` gives them, and what to type."""
    lines: list[str] = []
    for each in found:
        lines += [f"{visible(each.path)} does not count as it is: {shortened(mask(each.message))}"]
        lines += [f"    {line}" for line in visible_lines(led(each.hint)) if line]
    return lines


def _result(report: Report) -> str:
    found = len(report.findings)
    said = f"{found} finding{'' if found == 1 else 's'}"
    return f"{WORDS[report.status]}: {said} at the accepted commit {_commit(report)}"


def _code(code: str) -> Iterator[str]:
    known = CODES[code]
    yield f"{code}: {known.meaning}"
    yield f"    effect: {known.effect.replace('_', ' ')}"
    yield f"    {known.advice}"


def _finding(finding: Finding, report: Report) -> Iterator[str]:
    source = CODES[finding.code].source
    yield f"{WORDS[finding.severity]}: {finding.code}, from the {source} {visible(finding.record)}"
    yield f"    {CODES[finding.code].meaning}"
    state = f"at {_commit(report)}" if finding.committed else "in the work tree, not committed"
    if any(n.code == "authority.not_signed" and n.path == finding.path for n in report.notes):
        state = f"as it was signed, not as {_commit(report)} has it"
    if report.draft:
        state = "in the work tree (draft)"
    title = "" if finding.title is None else f": {shortened(finding.title)}"
    yield f"    {place_of(finding)}, {state}{title}"
    for matched in finding.matched_on:
        yield f"    because {_because(matched)}"
    for part in finding.unknown:
        yield f"    {OPTIONS[part]} is not given, and would decide more"
    if finding.assertion:
        yield f"    it is history, which warns and never blocks; {finding.assertion} says so"
    yield f"    {CODES[finding.code].advice}"
    yield f"        {visible(finding.answer)}"
    if finding.alternative:
        yield f"        or: {visible(finding.alternative)}"


def _because(matched: Matched) -> str:
    part = _PARTS.get(matched.field, "request")
    pattern, value = shortened(matched.pattern), shortened(matched.value)
    if pattern == value:
        return f"its `{matched.field}` names {value}, which is the {part} of the request"
    return f"its `{matched.field}` names {pattern}, which covers the {part} {value} of the request"


def _silent(account: Account) -> Iterator[str]:
    record = account.record
    yield f"{visible(record.id)} says nothing about this request"
    yield f"    {visible(record.path)}, a record of type {record.type}"
    if account.silent:
        yield f"    {mask(account.silent)}"
    for comparison in account.comparisons:
        if comparison.says:
            yield f"    {_compared(comparison)}"


def _compared(comparison: Comparison) -> str:
    says = _listed(comparison.says)
    part = _PARTS[comparison.field]
    if comparison.outcome == "unknown":
        missing = _NOT_GIVEN[comparison.field]
        return f"its `{comparison.field}` names {says}; {missing} is not given"
    given = _listed(comparison.given or ()) or "none"
    verb = "matches" if comparison.outcome == "match" else "does not match"
    return f"its `{comparison.field}` names {says}, and that {verb} the {part} given: {given}"


def _listed(texts: tuple[str, ...]) -> str:
    shown = ", ".join(shortened(mask(text)) for text in texts[:_MOST])
    rest = len(texts) - _MOST
    return f"{shown} +{rest} more" if rest > 0 else shown


def _commit(report: Report) -> str:
    return "none" if report.commit is None else visible(report.commit)[:12]
