"""Duplicates as text: records quoted as data, everything invisible escaped."""

import shlex
from collections.abc import Iterable, Iterator

from doll.records import times
from doll.render.duplicates_values import (
    Duplicates,
    Finding,
    Judged,
    Kind,
    Member,
    Proposal,
    Proposed,
    Side,
    Verdict,
)
from doll.render.leading import led
from doll.render.text import count, visible

_REASONS = {"not_reviewed": "not reviewed", "not_yet_valid": "not valid yet", "secret": "secret"}
_NOTHING_DIFFERS = "the same words; order, word endings or signs differ"


def report_lines(report: Duplicates) -> Iterator[str]:
    """Yield the findings, then how many there are and what was not compared."""
    for number, finding in enumerate(report.findings, 1):
        yield from _finding(number, finding)
    yield from _rest(report)


def member_line(kind: Kind, member: Member, leader: str) -> str:
    """Return what a record has in common with the leader of its finding, and what not."""
    if kind == "exact":
        return "the same text"
    shared = f"{member.shared:,} of {count(member.both, 'different word')} in both"
    parts = [f"{member.likeness} permille, {shared}" if member.likeness else shared]
    if member.added:
        parts.append(f"only here: {_words(member.added, member.added_more)}")
    if member.lacking:
        parts.append(f"only in {leader}: {_words(member.lacking, member.lacking_more)}")
    if not (member.added or member.lacking):
        parts.append(_NOTHING_DIFFERS)
    return "; ".join(parts)


def verdict_lines(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield one line for each judgement: its state, the two ids, who and when."""
    for each in verdicts:
        ids = " ".join(visible(name) for name in map(shlex.quote, each.ids))
        yield f"{each.state}: {ids}  {each.verdict} {each.at} {visible(each.by)}"


def proposed_lines(done: Proposed) -> Iterator[str]:
    """Yield one line for each proposal."""
    for each in done.proposals:
        yield f"{each.state}: {visible(each.path)}{_about(each)}"


def judged_line(done: Judged) -> str:
    """Return what became of a pair."""
    pair = " and ".join(map(visible, done.ids))
    if done.undone:
        return f"{pair}: open again"
    return f"{pair}: distinct{'' if done.changed else ' already'}"


def _about(proposal: Proposal) -> str:
    if proposal.reason:
        return f" ({visible(proposal.reason)})"
    if proposal.supersedes:
        return f" (would supersede {count(len(proposal.supersedes), 'record')})"
    return " (a question)"


def _finding(number: int, finding: Finding) -> Iterator[str]:
    yield f"{number}. {finding.kind}: {finding.why}"
    yield from _side(finding.leader)
    for member in finding.members:
        yield from _side(member.side)
        if finding.kind != "exact":
            yield f"     {visible(member_line(finding.kind, member, finding.leader.id))}"
        if member.judged:
            yield f"     you judged them distinct at {member.judged}"
        if member.judged_before:
            yield f"     judged distinct at {member.judged_before}; a text has changed since"
    more = len(finding.paths) - 1 - len(finding.members) + finding.more
    if more:
        yield f"   +{more:,} more; --json names them"
    if finding.kind == "contradiction":
        yield "   if both hold: take the name out of `contradicts`"
    elif len(finding.paths) == 2 and not more:
        ids = " ".join(shlex.quote(each.id) for each in (finding.leader, finding.members[0].side))
        line = f"doll duplicates judge {visible(ids)} --distinct"
        yield led(f"   to say that they are two things: {line}")


def _side(side: Side) -> Iterator[str]:
    facts = ", ".join(f"{name} {visible(value)}" for name, value in side.facts.items())
    yield f"   {visible(side.name)}"
    yield f"     {visible(side.path)}{f' ({facts})' if facts else ''}"


def _words(words: Iterable[str], more: int) -> str:
    return " ".join([*words, *([f"+{more:,}"] if more else [])])


def _rest(report: Duplicates) -> Iterator[str]:
    found = ", ".join(f"{number:,} {kind}" for kind, number in report.counts.items() if number)
    compared = f"{count(report.compared, 'current record')} compared"
    yield f"{found or 'nothing is told twice'} ({compared} as of {times.render(report.as_of)})"
    if report.hidden:
        yield f"+{report.hidden:,} more: --limit {report.hidden + len(report.findings)}"
    if report.judged:
        yield led(f"{count(report.judged, 'pair')} judged distinct: doll duplicates --judged")
    if report.not_committed:
        said = count(report.not_committed, "judgement")
        yield led(f"{said} not committed, which does not count yet: doll duplicates --judged")
    if report.cut:
        yield (
            f"{count(report.cut, 'text')} shared rare words with more others than were looked at,"
            " so a pair of these may be missing"
        )
    if report.changed:
        yield f"{count(report.changed, 'record')} changed while being compared; ask again"
    if report.left_out:
        reasons = (f"{n:,} {_REASONS.get(reason, reason)}" for reason, n in report.left_out.items())
        yield f"not current, or secret, and left out: {', '.join(reasons)}"
