"""Recall: a query to the records that answer it, best first.

The index says which and how well; every record that is shown is read from the vault again and
must still be the one that was indexed. Writes no record.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import UsageError
from doll.recall.algorithms import DEFAULT, algorithm, described
from doll.recall.filters import Wanted, unknown_tags
from doll.recall.index import BrokenIndexError
from doll.recall.query import Query, ask
from doll.recall.ranking import Algorithm
from doll.recall.rows import Row
from doll.reconcile.sharing import Progress
from doll.reconcile.shelf import Notice
from doll.records.digest import sha256
from doll.render.recall_values import CANDIDATE, Answer, Hit, UnknownTag
from doll.secrets import mask, mask_within
from doll.services.opening import Vault
from doll.services.recalling.choosing import Chooser
from doll.services.recalling.committing import with_uncommitted
from doll.services.recalling.filtering import NO_FILTERS, Filters, wanted_of
from doll.services.recalling.gathering import Gathered, corpus_of, gather, one_each
from doll.services.recalling.recalled import hit_of, partial_hit_of
from doll.services.recalling.reviews import marked
from doll.services.recalling.source import Source
from doll.services.recalling.using import weighed
from doll.services.recalling.widened import Ranked, Ranker

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
    limit: int
    enough: int
    algorithm: Algorithm
    filters: Filters
    wanted: Wanted
    progress: Progress | None


class _Found(NamedTuple):
    """What one look at the vault gave; `shown` are the rows of the hits and of what changed."""

    gathered: Gathered
    ranked: Ranked
    shown: list[Row]
    hits: tuple[Hit, ...]


def recall(
    vault: Vault,
    text: str,
    as_of: datetime,
    *,
    limit: int = 10,
    name: str = DEFAULT,
    filters: Filters = NO_FILTERS,
    widen: bool = True,
    progress: Progress | None = None,
) -> Recalled:
    """Return the best `limit` records for a query that are wanted, and what stood in the way.

    `name` is that of the ranking algorithm. `widen`: where words answer too little, parts of words
    and corrected ones are tried. Raises UsageError for an empty or overlong query, a
    name of no algorithm and a filter that nothing can pass, NoVaultError for an unreadable folder.
    """
    query = _query(text)
    wanted = wanted_of(vault, filters)
    enough = limit if widen else 0
    search = _Search(query, as_of, limit, enough, algorithm(name), filters, wanted, progress)
    for _ in range(_TRIES):
        found = _found(vault, search)
        if len(found.hits) == len(found.shown):
            break
    hits, told = marked(vault, found.hits)
    hits, doubts = with_uncommitted(vault, hits)
    answer = Answer(
        query=mask(text),
        terms=found.ranked.query.terms,
        words=tuple(dict.fromkeys(one.said for one in found.ranked.query.asked)),
        unmatched=found.ranked.unmatched(as_of),
        dropped=query.dropped,
        algorithm=described(search.algorithm),
        as_of=as_of,
        hits=hits,
        matches=len(found.ranked.chosen.rows),
        left_out=found.ranked.chosen.left_out,
        changed=len(found.shown) - len(hits),
        indexed=found.ranked.used.ranking.statistics.documents,
        index_digest=_digest(found.gathered),
        unreadable=one_each(found.gathered.unreadable),
        filters=mask_within(filters._asdict()),
        filtered_out=found.ranked.chosen.filtered_out,
        corrected=found.ranked.corrected,
        partial=found.ranked.partial_shown,
        unknown_tags=_unknown_tags(search, found),
        usage=found.ranked.used.usage,
    )
    return Recalled(answer, (*found.gathered.notices, *found.ranked.used.notices, *told, *doubts))


def _query(text: str) -> Query:
    if not text.strip():
        raise UsageError("the query is empty", hint="doll recall espresso")
    if len(text) > MAX_QUERY:
        message = f"the query has {len(text):,} characters; at most {MAX_QUERY:,} are searched for"
        raise UsageError(message, hint="ask with a few words")
    return ask(text)


def _found(vault: Vault, search: _Search) -> _Found:
    staging = search.filters.staging
    gathered = gather(vault, staging=staging, progress=search.progress)
    try:
        return _searched(vault, search, gathered)
    except BrokenIndexError as error:
        told = Notice(f"the recall index could not be searched and was made anew ({error})", "")
        anew = gather(vault, staging=staging, progress=search.progress, anew=True)
        return _searched(vault, search, anew._replace(notices=(*anew.notices, told)))


def _searched(vault: Vault, search: _Search, gathered: Gathered) -> _Found:
    corpus, source = corpus_of(vault, gathered)
    chooser = Chooser(
        gathered.rows,
        corpus.rows,
        search.as_of,
        search.wanted,
        everything=search.filters.everything,
    )
    ranker = Ranker(
        corpus,
        gathered.words,
        lambda query: search.algorithm.rank(corpus, query, search.as_of),
        chooser.choose,
        lambda words, rows: weighed(vault, search.algorithm, words, rows, search.as_of),
    )
    ranked = ranker.ranked(search.query, search.enough)
    best = ranked.chosen.rows.best(search.limit, ranked.score)
    return _Found(gathered, ranked, best, tuple(_hits(source, best, ranked)))


def _hits(source: Source, rows: Sequence[Row], ranked: Ranked) -> Iterator[Hit]:
    for row in rows:
        if ranked.partial is not None and ranked.is_partial(row.serial):
            hit = partial_hit_of(source, row, ranked.partial)
        else:
            hit = hit_of(source, row, ranked.query, ranked.used.ranking)
        if hit is not None:
            reason = ranked.chosen.reasons[row.serial]
            marks = (CANDIDATE,) if row.is_candidate else ()
            yield hit._replace(marks=marks if reason == "current" else (*marks, reason))


def _unknown_tags(search: _Search, found: _Found) -> tuple[UnknownTag, ...]:
    """Return the tags asked for that no record has; those of all are looked at only in need."""
    if search.wanted.tags <= found.ranked.chosen.tags:
        return ()
    from doll.records.checks import did_you_mean

    missing, known = unknown_tags(sorted(search.wanted.tags), found.gathered.searched)
    possible = tuple(sorted(known))
    near = (did_you_mean(tag, possible) or "" for tag in missing)
    return tuple(UnknownTag(mask(tag), mask(one)) for tag, one in zip(missing, near, strict=True))


def _digest(gathered: Gathered) -> str:
    if not gathered.candidates:
        return gathered.rows.summary.digest
    lines = "".join(f"{row.digest} {row.path}\n" for row in gathered.searched if row.serial)
    return sha256(lines.encode())
