"""Recall: a query to the current records that answer it, best first.

The index says which and how well; every record that is shown is read from the vault again and
must still be the one that was indexed. Writes no record.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from heapq import nsmallest
from typing import NamedTuple

from doll.errors import Problem, UsageError
from doll.recall import lexical
from doll.recall.index import BrokenIndexError
from doll.recall.lexical import Ranking, rank
from doll.recall.query import Query, ask
from doll.recall.rows import Row
from doll.recall.standing import Standing
from doll.reconcile.applying import Progress
from doll.reconcile.refreshing import Fresh, Site, refresh
from doll.reconcile.shelf import Notice
from doll.records.digest import sha256
from doll.render.recall_values import Answer, Hit
from doll.services.opening import Vault
from doll.services.recalling.recalled import hit_of
from doll.services.recalling.reviews import marked

MAX_QUERY = 20_000
ALGORITHM: Mapping[str, object] = {
    "name": lexical.NAME,
    "version": lexical.VERSION,
    "k1": lexical.K1,
    "b": lexical.B,
    "scale": lexical.SCALE,
}
_TRIES = 3


class Recalled(NamedTuple):
    """An answer, and what is to be said beside it: never a part of it."""

    answer: Answer
    notices: tuple[Notice, ...]


def recall(
    vault: Vault, text: str, as_of: datetime, *, limit: int = 10, progress: Progress | None = None
) -> Recalled:
    """Return the best `limit` current records for a query, and what stood in the way.

    Raises UsageError for an empty or overlong query, NoVaultError for an unreadable folder.
    """
    query = _query(text)
    for _ in range(_TRIES):
        fresh, ranking = _ranked(site_of(vault), query, progress)
        current, left_out = _current(fresh.rows, ranking, as_of)
        best = nsmallest(limit, current, key=lambda row: _order(row, ranking))
        hits = tuple(_hits(vault, best, query, ranking))
        if len(hits) == len(best):
            break
    hits, told = marked(vault, hits)
    answer = Answer(
        query=text,
        terms=query.terms,
        dropped=query.dropped,
        algorithm=ALGORITHM,
        as_of=as_of,
        hits=hits,
        matches=len(current),
        left_out=left_out,
        changed=len(best) - len(hits),
        indexed=ranking.statistics.documents,
        index_digest=_digest(fresh.rows),
        unreadable=_one_each(fresh.unreadable),
    )
    return Recalled(answer, (*fresh.notices, *told))


def site_of(vault: Vault) -> Site:
    """Return where a vault's recall index belongs."""
    return Site(vault.root, vault.cache, vault.state)


def _query(text: str) -> Query:
    if not text.strip():
        raise UsageError("the query is empty", hint="doll recall espresso")
    if len(text) > MAX_QUERY:
        message = f"the query has {len(text):,} characters; at most {MAX_QUERY:,} are searched for"
        raise UsageError(message, hint="ask with a few words")
    return ask(text)


def _ranked(site: Site, query: Query, progress: Progress | None) -> tuple[Fresh, Ranking]:
    fresh = refresh(site, progress)
    try:
        return fresh, _rank(fresh, query)
    except BrokenIndexError as error:
        told = Notice(f"the recall index could not be searched and was made anew ({error})", "")
        fresh = refresh(site, progress, anew=True).with_notice(told)
        return fresh, _rank(fresh, query)


def _rank(fresh: Fresh, query: Query) -> Ranking:
    lengths = {row.serial: row.length for row in fresh.rows if row.serial}
    return rank(fresh.index, lengths, query.terms)


def _current(
    rows: Sequence[Row], ranking: Ranking, as_of: datetime
) -> tuple[list[Row], Mapping[str, int]]:
    """Return the matching rows that are current, and how many are not, by reason."""
    standing = Standing(rows, as_of)
    current: list[Row] = []
    left_out: Counter[str] = Counter()
    for row in rows:
        if row.serial in ranking.scores:
            reason = standing.of(row)
            if reason == "current":
                current.append(row)
            else:
                left_out[reason] += 1
    return current, dict(sorted(left_out.items()))


def _order(row: Row, ranking: Ranking) -> tuple[int, str, str]:
    """Return the key of the order of answers: best score, then id, then path."""
    return -ranking.scores[row.serial], row.id, row.path


def _hits(vault: Vault, rows: Sequence[Row], query: Query, ranking: Ranking) -> Iterator[Hit]:
    for row in rows:
        hit = hit_of(vault.root, row, ranking.scores[row.serial], query, ranking.statistics)
        if hit is not None:
            yield hit


def _digest(rows: Sequence[Row]) -> str:
    lines = "".join(f"{row.digest} {row.path}\n" for row in rows if row.serial)
    return sha256(lines.encode())


def _one_each(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    first: dict[str, Problem] = {}
    for problem in problems:
        first.setdefault(problem.path, problem)
    return tuple(first.values())
