"""Looking for duplicates: gathered, found, judged ones left out, and the first of them described.

Writes no record: what is merged, archived or superseded is decided by the user alone.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import Problem, UsageError
from doll.recall.similarity import text_digest
from doll.records import times
from doll.records.references import Names
from doll.render.duplicates_values import KINDS, Duplicates, Finding, Kind, Verdict
from doll.secrets import mask
from doll.services.consolidating import judgements
from doll.services.consolidating.describing import describe
from doll.services.consolidating.finding import Raw, find
from doll.services.consolidating.gathering import Progress, Wanted, gather, read_text
from doll.services.consolidating.judgements import Settled
from doll.services.opening import Vault
from doll.services.reading import referring
from doll.vault.judged import Judgement


class Looked(NamedTuple):
    """A report, the findings that are shown in it, and the problems of judgements."""

    report: Duplicates
    raws: tuple[Raw, ...]
    problems: tuple[Problem, ...]


def look(
    vault: Vault,
    wanted: Wanted,
    as_of: datetime,
    *,
    kinds: Sequence[Kind] = KINDS,
    limit: int = 20,
    progress: Progress | None = None,
    now: datetime | None = None,
) -> Looked:
    """Return the first `limit` findings of some kinds, and how many there are of each.

    A judgement that is dated after `now`, or is not committed, does not count.
    Raises UsageError for a project that is none, or one without experience.
    """
    if wanted.project is not None and "experience" not in wanted.types:
        raise UsageError(
            "--project: memories belong to no project",
            hint="add --type experience",
        )
    read = judgements.read_all(vault.root, now)
    counting = judgements.accepted(vault, read)
    gathered = gather(vault, wanted, as_of, progress)
    settled = Settled(counting, gathered.names)
    found = find(gathered, settled)
    raws = [raw for raw in found.raws if raw.kind in kinds]
    shown: list[tuple[Raw, Finding]] = []
    changed = gathered.changed
    for raw in raws[:limit]:
        finding = describe(vault, raw, settled)
        if finding is None:
            changed += 1
        else:
            shown.append((raw, finding))
    counts = Counter(raw.kind for raw in found.raws)
    report = Duplicates(
        as_of=as_of,
        findings=tuple(finding for _, finding in shown),
        counts={kind: counts[kind] for kind in KINDS},
        hidden=max(0, len(raws) - limit),
        compared=sum(len(pool.records) for pool in gathered.pools),
        left_out=gathered.left_out,
        judged=sum(_holds(vault, gathered.names, said) for said in counting),
        not_committed=len(read.judgements) - len(counting),
        cut=found.cut,
        changed=changed,
        unreadable=gathered.unreadable,
    )
    return Looked(report, tuple(raw for raw, _ in shown), read.problems)


def verdicts(
    vault: Vault, now: datetime | None = None
) -> tuple[tuple[Verdict, ...], tuple[Problem, ...]]:
    """Return every judgement with its state, by path, and the problems of damaged ones."""
    read = judgements.read_all(vault.root, now)
    counting = judgements.accepted(vault, read)
    names = Names(referring.load(vault).records)
    found = [
        Verdict(
            ids=said.ids,
            path=said.path,
            verdict=said.verdict,
            by=mask(said.by),
            at=times.render(said.at),
            state=_shown_state(_state(vault, names, said), is_committed=said in counting),
        )
        for said in read.judgements
    ]
    return tuple(found), read.problems


def _shown_state(state: str, *, is_committed: bool) -> str:
    return "not committed" if state == "holds" and not is_committed else state


def _holds(vault: Vault, names: Names, said: Judgement) -> bool:
    return _state(vault, names, said) == "holds"


def _state(vault: Vault, names: Names, said: Judgement) -> str:
    pair = judgements.resolved(said, names)
    if pair is None:
        return "record gone"
    texts = [read_text(vault, record) for record in pair]
    now = tuple(None if text is None else text_digest(text) for text in texts)
    return "holds" if now == said.texts else "text changed"
