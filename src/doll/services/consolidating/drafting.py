"""What is proposed for a finding: the bytes of a candidate. Pure; writes and reads nothing.

A candidate for records that say the same takes one of their texts word for word and names all of
them in `supersedes`: which one, and what the others say besides, stands in comments above its
fields, for the reviewer. Where the records disagree the candidate is a question and supersedes
nothing. The same records in the same texts make the same bytes.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast

from doll.interchange.stems import identity, stems
from doll.records import times
from doll.records.codec import render
from doll.records.digest import sha256
from doll.records.model import Memory, Record, Sensitivity
from doll.records.names import fold, slug
from doll.records.references import plain
from doll.render.duplicates_text import member_line
from doll.render.duplicates_values import Finding, Kind, Member
from doll.render.text import visible
from doll.secrets import mask
from doll.services.consolidating.describing import Words, compare
from doll.vault.layout import PROPOSALS

SOURCE = "doll duplicates"
# So many records of one finding are superseded by one proposal: its front matter has a bound.
MOST = {"exact": 100, "extending": 2, "near": 10, "contradiction": 2, "overlap": 10}
QUESTIONS: tuple[Kind, ...] = ("contradiction", "overlap")

_LEVELS: tuple[Sensitivity, ...] = ("public", "internal", "personal", "sensitive", "secret")
_MOST_LINKS = 50


class Source(NamedTuple):
    """A record that a proposal is about, its body, the digest of its text, and the words of that.

    Of records with the same text the words are not needed.
    """

    record: Record
    body: str
    text: str
    words: Words

    @property
    def fields(self) -> Memory:
        """Its fields."""
        return cast("Memory", self.record.fields)


class Draft(NamedTuple):
    """A candidate that is proposed: its path, its bytes, and what it would supersede."""

    path: str
    data: bytes
    supersedes: tuple[str, ...]


def draft(finding: Finding, sources: Sequence[Source]) -> Draft:
    """Return the candidate for a finding about `sources`, the leader first."""
    if finding.kind in QUESTIONS:
        fields, body = _question(finding, sources)
        notes = _question_notes(finding, sources)
    else:
        kept = _kept(finding.kind, sources)
        fields, body = _fields(kept, sources), kept.body
        notes = _notes(finding, kept, sources)
    said = [finding.kind, sorted((fold(each.record.id), each.text) for each in sources)]
    entry = identity("proposals", SOURCE, "", sha256(json.dumps(said).encode()))
    stem = stems([slug(fields.title or sources[0].record.name)], [entry])[0]
    comments = "".join(f"# {visible(line)}\n" for line in notes)
    data = render(fields, body).replace(b"---\n", f"---\n{comments}".encode(), 1)
    return Draft(f"{PROPOSALS}/{stem}.md", data, fields.supersedes)


def _kept(kind: Kind, sources: Sequence[Source]) -> Source:
    """Return the record whose text is taken: the longer one, else the one changed last."""
    if kind == "extending":
        return sources[1]
    return max(sources, key=lambda each: (_changed(each), len(each.body), each.record.path))


def _changed(source: Source) -> str:
    moment = source.fields.updated or source.fields.created
    return "" if moment is None else times.stamp(moment)


def _fields(kept: Source, sources: Sequence[Source]) -> Memory:
    ids = tuple(each.record.id for each in sources)
    levels = [_LEVELS.index(each.fields.sensitivity) for each in sources]
    return Memory(
        title=kept.fields.title,
        summary=kept.fields.summary,
        tags=_union(tag for each in sources for tag in each.fields.tags),
        sensitivity=_LEVELS[max(levels)],
        origin="system",
        origin_source=SOURCE,
        kind=kept.fields.kind,
        valid_from=kept.fields.valid_from,
        valid_until=kept.fields.valid_until,
        supersedes=ids,
        contradicts=_links(sources, "contradicts", ids),
        related=_links(sources, "related", ids),
        exportable=all(each.fields.exportable for each in sources),
    )


def _links(sources: Sequence[Source], field: str, ids: Sequence[str]) -> tuple[str, ...]:
    """Return what the records name in a field, without themselves."""
    own = {fold(name) for name in ids}
    named = (name for each in sources for name in getattr(each.fields, field))
    return _union(name for name in named if fold(plain(name)) not in own)


def _union(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))[:_MOST_LINKS]


def _notes(finding: Finding, kept: Source, sources: Sequence[Source]) -> Iterator[str]:
    """Yield what the reviewer has to compare."""
    more = len(finding.paths) - len(sources) + finding.more
    yield f"proposed by `{SOURCE}`: {finding.why}"
    yield f"the text below is that of {kept.record.path}, word for word; compare it with:"
    for each in sources:
        if each is not kept:
            member = compare(each.record, 0, kept.words, each.words)
            member = member._replace(likeness=_likeness(finding.kind, member, each))
            said = member_line(finding.kind, member, kept.record.id)
            yield f"  {each.record.path}: {said}"
    for field in ("kind", "valid_from", "valid_until"):
        if len({getattr(each.fields, field) for each in sources}) > 1:
            yield f"they differ in `{field}`; here stands what {kept.record.path} says"
    yield "once it is approved, it supersedes all of them; their files stay as they are"
    if more > 0:
        yield f"{more:,} more are like them: propose again after this one is approved"


def _likeness(kind: Kind, member: Member, source: Source) -> int:
    """Return in permille how much of both texts, or of the shorter one, is in both."""
    whole = len(source.words) if kind == "extending" else member.both
    return 1000 * member.shared // whole if whole else 0


def _question(finding: Finding, sources: Sequence[Source]) -> tuple[Memory, str]:
    names = [mask(each.record.name).splitlines()[0] for each in sources]
    lines = [
        f"- [[{each.record.id}]]: {visible(name)}"
        for each, name in zip(sources, names, strict=True)
    ]
    levels = [_LEVELS.index(each.fields.sensitivity) for each in sources]
    ids = [each.record.id for each in sources]
    fields = Memory(
        title=f"Which holds: {' or '.join(ids[:2])}?",
        sensitivity=_LEVELS[max(levels)],
        origin="system",
        origin_source=SOURCE,
        related=tuple(ids),
        exportable=all(each.fields.exportable for each in sources),
    )
    return fields, "\n".join(["", f"Open question: {finding.why}.", "", *lines, ""])


def _question_notes(finding: Finding, sources: Sequence[Source]) -> Iterator[str]:
    yield f"proposed by `{SOURCE}`: {finding.why}"
    yield "compare " + " with ".join(each.record.path for each in sources)
    yield "it is a question: approved as it is, it supersedes nothing"
    yield "to answer it, write here what holds, name in `supersedes` what does not, and commit it"
    if finding.kind == "contradiction":
        yield "if both hold, reject it, and take the name out of `contradicts`"
    else:
        yield "if all hold, reject it and say so: doll duplicates judge A B --distinct"
