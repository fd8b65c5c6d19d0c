"""A preflight report as text: the short form of git hooks and the full form of `doll preflight`.

Shows what the report holds and decides nothing. All text from records is made visible.
"""

from collections.abc import Iterable, Iterator

from doll.preflight import OPTIONS, RULESET, RULESET_VERSION, Finding, Note, Obstacle, Report
from doll.preflight.request import MESSAGE, REQUEST
from doll.records import times
from doll.render.deeds import COMMIT, Deed
from doll.render.leading import led
from doll.render.problems import shown
from doll.render.text import count, visible

WORDS = {
    "blocked": "BLOCKED",
    "not_checked": "NOT CHECKED",
    "confirmation_required": "CONFIRMATION REQUIRED",
    "warning": "warning",
    "clear": "clear",
}
_VALIDATE = "doll validate"
# In a hook nothing else of a request can be wrong, but for what the message of a commit asks.
_PROJECT = "git config doll.project ID"
_MESSAGE = 'git commit --edit --file="$(git rev-parse --git-path COMMIT_EDITMSG)"'
_RULESET = f"rule set {RULESET} {RULESET_VERSION}"
# Longer texts are cut, which is shown; the record has them whole.
_LONGEST = 200
_MOST_EVIDENCE = 5
_GRANTS = "This grants nothing: whoever performs the action decides."


def covered(report: Report) -> Report:
    """Return a report with every secret covered that it takes from records and files."""
    obstacles = (each._replace(problem=shown(each.problem)) for each in report.obstacles)
    findings = (_covered_finding(each) for each in report.findings)
    notes = (each._replace(message=_mask(each.message)) for each in report.notes)
    return report._replace(obstacles=tuple(obstacles), findings=tuple(findings), notes=tuple(notes))


def _covered_finding(finding: Finding) -> Finding:
    matched = (
        each._replace(pattern=_mask(each.pattern), value=_mask(each.value))
        for each in finding.matched_on
    )
    resolutions = (each._replace(title=_title(each.title)) for each in finding.resolutions)
    return finding._replace(
        title=_title(finding.title),
        detail=_mask(finding.detail),
        evidence=tuple(map(_mask, finding.evidence)),
        matched_on=tuple(matched),
        resolutions=tuple(resolutions),
    )


def _title(text: str | None) -> str | None:
    return None if text is None else _mask(text)


def _mask(text: str) -> str:
    # Most reports show nothing of a record, and then the detectors are not needed.
    from doll.secrets import mask

    return mask(text)


def hook_lines(report: Report, *, stops: bool, deed: Deed = COMMIT) -> list[str]:
    """Return what a git hook prints, nothing where there is nothing to say.

    `stops` says whether the hook stops `deed` (`doll.preflight.stops_commit`).
    """
    if not (report.findings or report.obstacles):
        return []
    report = covered(report)
    last = _stopping(report) if stops else None
    return [
        *(line for finding in report.findings for line in _hook_finding(finding, last)),
        *(line for obstacle in report.obstacles for line in _hook_obstacle(obstacle)),
        *(f"doll: {line}" for line in more_lines(report)),
        *(f"doll: note: {_note(note)}" for note in report.notes),
        *_ending(report, last, deed, stops=stops),
    ]


def full_lines(report: Report) -> list[str]:
    """Return the whole report for a person: request, findings, problems, notes."""
    report = covered(report)
    lines = [
        f"{WORDS[report.status]}: {_request(report)}",
        f"    as of {times.render(report.as_of)}, {_commits(report)}, {_RULESET}",
    ]
    if report.draft:
        lines.append("    DRAFT: authority as it is in the work tree, which does not count yet")
    for finding in report.findings:
        lines += ["", *_full_finding(finding)]
    for obstacle in report.obstacles:
        lines += ["", *obstacle_lines(obstacle)]
    extra = [*more_lines(report), *(f"note: {_note(note)}" for note in report.notes)]
    lines += ["", *extra] if extra else []
    return [*lines, "", _GRANTS]


def _stopping(report: Report) -> Finding | None:
    """Return the finding whose line to type ends a stop, None where an obstacle stops."""
    if report.status not in ("blocked", "confirmation_required"):
        return None
    return next((each for each in report.findings if each.severity == report.status), None)


def _hook_finding(finding: Finding, last: Finding | None) -> Iterator[str]:
    said = f"{shortened(finding.detail)}: {name_of(finding)}"
    reasons = "; ".join([*_reasons(finding), *_support(finding)])
    said += f" ({reasons})" if reasons else ""
    yield f"doll: {WORDS[finding.severity]}: {place_of(finding)}: {said}"
    if finding is not last:
        yield from _answers(finding)
    if "project" in finding.unknown:
        yield f"    {_PROJECT}    says which project this repository belongs to"


def _answers(finding: Finding) -> Iterator[str]:
    yield f"    {visible(finding.answer)}"
    if finding.alternative:
        yield f"    or: {visible(finding.alternative)}"


def _hook_obstacle(obstacle: Obstacle) -> Iterator[str]:
    yield f"doll: NOT CHECKED: {trouble_of(obstacle)}"
    yield from _hint(obstacle)


def _ending(report: Report, last: Finding | None, deed: Deed, *, stops: bool) -> Iterator[str]:
    if stops:
        yield f"doll: the {deed.noun} is stopped; {deed.past}. Type:"
        yield f"    {visible(last.answer) if last else _mending(report)}"
    elif report.status == "confirmation_required":
        yield f"doll: the {deed.noun} goes on; somebody has to confirm it"
    elif report.status == "not_checked":
        yield f"doll: the {deed.noun} goes on, and nobody has checked it"


def _mending(report: Report) -> str:
    """Return the line that mends the first obstacle: what the vault has, `doll validate` shows."""
    first = next((each.problem for each in report.obstacles), None)
    if first is not None and first.path == MESSAGE:
        return _MESSAGE
    if first is not None and first.path == REQUEST:
        return _MESSAGE if _asks_more(report) else _PROJECT
    # A vault that cannot be used says by itself what to type.
    own = visible(first.hint.splitlines()[0]) if first and first.hint and not first.path else ""
    return led(own or _VALIDATE)


def _asks_more(report: Report) -> bool:
    """Return whether a hook's request has more than paths and what they mean: a message's wish."""
    request = report.request
    return request.work_item is not None or not set(request.actions or ()) <= set(report.derived)


def _full_finding(finding: Finding) -> Iterator[str]:
    yield f"{WORDS[finding.severity]}: {shortened(finding.detail)}: {name_of(finding)}"
    yield f"    {finding.code}  {place_of(finding)}"
    yield from (f"    {reason}" for reason in (*_reasons(finding), *_support(finding)))
    yield from _answers(finding)


def obstacle_lines(obstacle: Obstacle) -> Iterator[str]:
    """Yield why the answer is not complete, and what to type."""
    yield f"NOT CHECKED: {trouble_of(obstacle)}"
    yield f"    {obstacle.problem.code}"
    yield from _hint(obstacle)


def _hint(obstacle: Obstacle) -> Iterator[str]:
    yield from (f"    {visible(line)}" for line in obstacle.problem.hint.splitlines())


def trouble_of(obstacle: Obstacle) -> str:
    """Return where something is wrong, and what."""
    path, line, *_ = obstacle.problem
    if not path:
        return shortened(obstacle.problem.message)
    place = f"{visible(path)}:{line}" if line else visible(path)
    return f"{place}: {shortened(obstacle.problem.message)}"


def place_of(finding: Finding) -> str:
    """Return the record's path in the vault, and the line."""
    return f"{visible(finding.path)}:{finding.line}" if finding.line else visible(finding.path)


def name_of(finding: Finding) -> str:
    """Return the record's title; the id of a secret one."""
    return shortened(finding.record if finding.title is None else finding.title)


def shortened(text: str) -> str:
    """Return a text made visible, a long one cut, which shows."""
    return visible(text) if len(text) <= _LONGEST else f"{visible(text[:_LONGEST])}…"


def _reasons(finding: Finding) -> Iterator[str]:
    for field, pattern, value in finding.matched_on:
        same = pattern == value
        words = shortened(value) if same else f"{shortened(pattern)} matches {shortened(value)}"
        yield f"{field.replace('_', ' ')}: {words}"
    if finding.unknown:
        yield "not given: " + ", ".join(OPTIONS[part] for part in finding.unknown)


def _support(finding: Finding) -> Iterator[str]:
    if finding.assertion:
        state = "" if finding.committed else ", not committed"
        yield f"{finding.assertion}{state}"
    if finding.evidence:
        rest = len(finding.evidence) - _MOST_EVIDENCE
        shown = [shortened(text) for text in finding.evidence[:_MOST_EVIDENCE]]
        yield "evidence: " + ", ".join([*shown, *([f"+{rest} more"] if rest > 0 else [])])
    for settled in finding.resolutions:
        title = "" if settled.title is None else f": {shortened(settled.title)}"
        yield f"resolved by {visible(settled.record)} ({settled.assertion}){title}"


def _note(note: Note) -> str:
    return (
        f"{visible(note.path)}: {shortened(note.message)}" if note.path else shortened(note.message)
    )


def more_lines(report: Report) -> Iterator[str]:
    """Yield how much of a report is not listed."""
    for kind, number in sorted(report.omitted.items()):
        if number:
            yield f"+{count(number, f'more {kind[:-1]}', f'more {kind}')}, not shown"


def _request(report: Report) -> str:
    request = report.request
    parts = [f"project {_or_unknown(None if request.project is None else [request.project])}"]
    parts.append(f"actions {_or_unknown(request.actions)}")
    if request.paths is not None and len(request.paths) > 5:
        parts.append(count(len(request.paths), "path"))
    else:
        parts.append(f"paths {_or_unknown(request.paths)}")
    if request.work_item:
        parts.append(f"work item {visible(request.work_item)}")
    if request.range is not None:
        parts.append("range " + "..".join(oid[:12] for oid in request.range.split("..")))
    if request.scope is not None:
        parts.append(f"scope {_or_unknown(request.scope)}")
    return ", ".join(parts)


def _or_unknown(values: Iterable[str] | None) -> str:
    if values is None:
        return "not given"
    return " ".join(visible(value) or "''" for value in values) or "none"


def _commits(report: Report) -> str:
    if report.commit is None:
        return "no accepted commit"
    accepted = f"accepted commit {visible(report.commit)[:12]}"
    if report.head in (None, report.commit):
        return accepted
    return f"{accepted} (HEAD is {visible(report.head or '')[:12]})"
