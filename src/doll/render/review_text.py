"""Reviews for people and for scripts: lists, one candidate, differences, outcomes.

A candidate is foreign text: it is quoted, its invisible characters are escaped, and nothing of it
can pass for doll's own words.
"""

import re
from collections.abc import Iterable, Iterator

from doll.interchange.claims import NO_FIELD, UNKNOWN, Claim
from doll.render.leading import led
from doll.render.problems import problem_lines, problem_values
from doll.render.review_values import (
    Approved,
    Candidate,
    Difference,
    Listing,
    Rejected,
    Shown,
)
from doll.render.text import count, quoted, visible
from doll.secrets import mask

SCHEMA = "doll.review/1"

_LONGEST = 120
_CLAIM = re.compile(r"  [^\s#].*: \S.*")


def list_payload(listing: Listing) -> dict[str, object]:
    """Return the JSON values of a list of candidates."""
    return {
        "command": "list",
        "candidates": [candidate_values(each) for each in listing.candidates],
        "problems": problem_values(listing.problems),
    }


def show_payload(shown: Shown) -> dict[str, object]:
    """Return the JSON values of one candidate."""
    return {
        "command": "show",
        "candidate": candidate_values(shown.candidate),
        "text": shown.text,
        "claims": [each._asdict() for each in shown.claims],
        "duplicates": [each._asdict() for each in shown.duplicates],
        "remarks": [each._asdict() for each in shown.remarks],
        "secrets": problem_values(shown.secrets),
        "report": shown.report or None,
    }


def diff_payload(difference: Difference) -> dict[str, object]:
    """Return the JSON values of a difference."""
    return {
        "command": "diff",
        "candidate": candidate_values(difference.candidate),
        "against": difference.against or None,
        "note": difference.note,
        "lines": list(difference.lines),
    }


def approved_payload(approved: Approved) -> dict[str, object]:
    """Return the JSON values of approvals."""
    return {
        "command": "approve",
        "moves": [each._asdict() for each in approved.moves],
        "reviewed_by": approved.reviewed_by,
        "reviewed_at": approved.reviewed_at,
        "commit": approved.commit or None,
        "notes": list(approved.notes),
    }


def rejected_payload(rejected: Rejected) -> dict[str, object]:
    """Return the JSON values of a rejection."""
    return {"command": "reject", **rejected._asdict(), "commit": rejected.commit or None}


def candidate_values(candidate: Candidate) -> dict[str, object]:
    """Return the JSON values of a candidate's line."""
    candidate = _covered(candidate)
    return {
        "id": candidate.id,
        "path": candidate.path,
        "sha256": candidate.digest,
        "type": candidate.type,
        "name": candidate.name,
        "state": candidate.state,
        "committed": candidate.committed,
        "origin": candidate.origin,
        "adapter": candidate.adapter or None,
        "source": candidate.source or None,
        "source_id": candidate.source_id or None,
        "updates": candidate.updates or None,
    }


def _covered(candidate: Candidate) -> Candidate:
    """Return a candidate with every secret covered in what its file says of its source."""
    return candidate._replace(
        adapter=mask(candidate.adapter),
        source=mask(candidate.source),
        source_id=mask(candidate.source_id),
        updates=mask(candidate.updates),
    )


def list_lines(listing: Listing) -> Iterator[str]:
    """Yield `state  id  name` lines."""
    for each in listing.candidates:
        state = each.state if each.committed or each.state != "open" else "not committed"
        name = visible(" ".join(each.name.split()))
        short = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
        yield f"{state:<13}  {visible(each.id)}  {short}".rstrip()


def tally(listing: Listing) -> str:
    """Return how many candidates are what, in one line."""
    states = [each.state for each in listing.candidates]
    waiting, rejected = states.count("open"), states.count("rejected")
    parts = [f"{count(waiting, 'candidate')} to review", f"{rejected:,} rejected"]
    if half := states.count("half-approved"):
        parts.append(f"{half:,} half-approved (approve again to finish)")
    if uncommitted := sum(not each.committed for each in listing.candidates):
        parts.append(f"{uncommitted:,} not committed yet")
    return ", ".join(parts)


def show_lines(shown: Shown) -> Iterator[str]:
    """Yield everything that a reviewer needs of one candidate."""
    yield f"{visible(shown.candidate.id)}  ({shown.candidate.type})"
    yield from _facts(shown)
    yield ""
    yield from quoted(_without_claims(shown.text) if shown.claims else shown.text)
    yield from _section("claims: what the source said; nothing acts on them", _claims(shown.claims))
    yield from _section(
        "likely duplicates in confirmed memory (a hint, no proof)",
        (f"{each.id}  {each.why}  {each.path}" for each in shown.duplicates),
    )
    if shown.secrets:
        yield ""
        yield "it seems to hold a secret, which is covered above, and it cannot be approved so:"
        yield from problem_lines(shown.secrets)


def diff_lines(difference: Difference) -> Iterator[str]:
    """Yield a difference; a character in front of each line says what it is."""
    if difference.note:
        yield f"note: {visible(difference.note)}"
    yield from map(visible, difference.lines)


def approved_lines(approved: Approved) -> Iterator[str]:
    """Yield one line for each record that came of an approval."""
    for move in approved.moves:
        done = " (an interrupted approval, finished)" if move.finished else ""
        yield f"{visible(move.path)}  from {visible(move.candidate)}{done}"


def rejected_line(rejected: Rejected) -> str:
    """Return what became of a rejected candidate."""
    return f"{visible(rejected.path)}  rejected: {visible(rejected.reason)}"


def _facts(shown: Shown) -> Iterator[str]:
    each = _covered(shown.candidate)
    committed = "yes: HEAD has these bytes" if each.committed else "no: commit it, then approve it"
    yield f"  path       {visible(each.path)}"
    yield f"  sha256     {each.digest}"
    yield f"  state      {each.state}"
    yield f"  committed  {committed}"
    source = [each.adapter, each.source, each.source_id and f"id {each.source_id}"]
    said = ", ".join(visible(part) for part in source if part)
    yield f"  origin     {each.origin}{f': {said}' if said else ''}"
    if shown.report:
        yield f"  import     {visible(shown.report)}"
    for remark in shown.remarks:
        yield f"  {remark.name:<9}  {visible(remark.text)}"
    if each.updates:
        compared = led(f"doll review diff {visible(each.id)}")
        yield f"  updates    {visible(each.updates)}    ({compared})"


def _without_claims(text: str) -> str:
    """Return a candidate's text without its lines of claims, which are listed below it.

    Only lines of the one form that claims have are left out, so that nothing else can hide there.
    """
    lines = text.split("\n")
    end = lines.index("---", 1) if lines[0] == "---" and "---" in lines[1:] else 0
    if "claims:" not in lines[:end]:
        return text
    start = lines.index("claims:") + 1
    stop = start
    while stop < end and _CLAIM.fullmatch(lines[stop]):
        stop += 1
    return "\n".join([*lines[: start - 1], "claims: (below)", *lines[stop:]])


def _claims(claims: Iterable[Claim]) -> Iterator[str]:
    """Yield the claims: first those that mean nothing here, then those of one reason together."""
    grouped: dict[str, list[Claim]] = {}
    for each in claims:
        if each.reason in (UNKNOWN, NO_FIELD):
            yield f"source: {each.name} = {each.text} ({UNKNOWN})"
        else:
            grouped.setdefault(each.reason, []).append(each)
    for reason, alike in grouped.items():
        yield f"({reason})"
        yield from (f"  {each.name} = {each.text}" for each in alike)


def _section(head: str, lines: Iterable[str]) -> Iterator[str]:
    listed = [f"  {visible(line)}" for line in lines]
    if listed:
        yield ""
        yield f"{head}:"
        yield from listed
