"""Recall: a query to the current records that answer it, best first.

The index says which and how well; every record that is shown is read from the vault again and
must still be the one that was indexed. Writes no record.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from heapq import nsmallest
from typing import NamedTuple

from doll.errors import Problem, UsageError
from doll.recall.algorithms import DEFAULT, algorithm, described
from doll.recall.index import BrokenIndexError
from doll.recall.query import Query, ask
from doll.recall.ranking import Algorithm, Corpus, Ranking
from doll.recall.rows import Row
from doll.recall.standing import Standing
from doll.reconcile.applying import Progress
from doll.reconcile.refreshing import Fresh, Site, refresh
from doll.reconcile.shelf import Notice
from doll.records.digest import sha256
from doll.render.recall_values import Answer
from doll.services.opening import Vault
from doll.services.recalling.recalled import hit_of
from doll.services.recalling.reviews import marked
from doll.services.recalling.source import Source

MAX_QUERY = 20_000
_TRIES = 3


class Recalled(NamedTuple):
    """An answer, and what is to be said beside it: never a part of it."""

    answer: Answer
    notices: tuple[Notice, ...]


class _Search(NamedTuple):
    """What is searched for and how."""

    query: Query
    as_of: datetime
    algorithm: Algorithm
    progress: Progress | None


def recall(
    vault: Vault,
    text: str,
    as_of: datetime,
    *,
    limit: int = 10,
    name: str = DEFAULT,
    progress: Progress | None = None,
) -> Recalled:
    """Return the best `limit` current records for a query, and what stood in the way.

    `name` is that of the ranking algorithm. Raises UsageError for an empty or overlong query and
    for a name of no algorithm, NoVaultError for an unreadable folder.
    """
    query = _query(text)
    search = _Search(query, as_of, algorithm(name), progress)
    for _ in range(_TRIES):
        fresh, source, ranking = _ranked(vault, search)
        current, left_out = _current(fresh.rows, ranking, as_of)
        best = nsmallest(limit, current, key=lambda row: _order(row, ranking))
        found = (hit_of(source, row, query, ranking) for row in best)
        hits = tuple(hit for hit in found if hit is not None)
        if len(hits) == len(best):
            break
    hits, told = marked(vault, hits)
    answer = Answer(
        query=text,
        terms=query.terms,
        dropped=query.dropped,
        algorithm=described(search.algorithm),
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


def _ranked(vault: Vault, search: _Search) -> tuple[Fresh, Source, Ranking]:
    site = site_of(vault)
    fresh = refresh(site, search.progress)
    try:
        return fresh, *_rank(vault, fresh, search)
    except BrokenIndexError as error:
        told = Notice(f"the recall index could not be searched and was made anew ({error})", "")
        fresh = refresh(site, search.progress, anew=True).with_notice(told)
        return fresh, *_rank(vault, fresh, search)


def _rank(vault: Vault, fresh: Fresh, search: _Search) -> tuple[Source, Ranking]:
    rows = {row.serial: row for row in fresh.rows if row.serial}
    lengths = {serial: row.length for serial, row in rows.items()}
    source = Source(vault.root, rows)
    corpus = Corpus(fresh.index, rows, lengths, source.read)
    return source, search.algorithm.rank(corpus, search.query, search.as_of)


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


def _digest(rows: Sequence[Row]) -> str:
    lines = "".join(f"{row.digest} {row.path}\n" for row in rows if row.serial)
    return sha256(lines.encode())


def _one_each(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    first: dict[str, Problem] = {}
    for problem in problems:
        first.setdefault(problem.path, problem)
    return tuple(first.values())
