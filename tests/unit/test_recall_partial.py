"""Scores of records that match by parts of words: below all others, explained, in whole numbers."""

from hypothesis import given
from hypothesis import strategies as st

from doll.recall.lexical import rank
from doll.recall.partial import Partial, rank_partial
from doll.recall.query import ask
from doll.recall.widening import within
from tests.recall_corpus import Records
from tests.recall_vault import memory

PARTS = ("micro", "service", "catalog", "desk", "order", "s", "un", "re")


def _ranked(records: Records, text: str) -> tuple[dict[int, int], Partial]:
    query = ask(text)
    words = dict(rank(records.index, records.lengths, query.terms).scores)
    limit = min(words.values()) - 1 if words else None
    holding = within(query.terms, records.index.held, lambda t: len(records.index.held[t]))
    return words, rank_partial(records.corpus, query, holding, words, limit)


def test_the_larger_part_scores_more() -> None:
    records = Records(
        {
            "confirmed/a.md": memory("selfservice"),
            "confirmed/b.md": memory("microservicecatalog"),
            "confirmed/c.md": memory("nothing"),
        }
    )
    words, partial = _ranked(records, "service")
    assert words == {}
    scores = partial.ranking.scores
    assert scores[1] > scores[2] > 0
    assert 3 not in scores
    assert partial.query.asked[0].said == "service"
    assert all(0 < share < 1 for share in partial.shares.values())


def test_no_score_reaches_the_others() -> None:
    texts = {f"confirmed/w{n}.md": memory("service desk", "word " * 400) for n in range(20)}
    texts["confirmed/p.md"] = memory("microservices", "selfservice subservice " * 50)
    texts["confirmed/q.md"] = memory("bioservices")
    words, partial = _ranked(Records(texts), "service")
    assert len(words) == 20
    best, other = partial.ranking.scores[21], partial.ranking.scores[22]
    assert min(words.values()) > best > other


def test_where_there_is_no_room_below_all_are_alike() -> None:
    records = Records({"confirmed/a.md": memory("selfservice"), "confirmed/b.md": memory("x")})
    query = ask("service")
    holding = within(query.terms, records.index.held, lambda _: 1)
    assert rank_partial(records.corpus, query, holding, (), 0).ranking.scores == {1: 0}
    assert rank_partial(records.corpus, query, holding, (), -1).ranking.scores == {1: -1}
    assert rank_partial(records.corpus, query, holding, (1,), 9).ranking.scores == {}


_TEXTS = st.lists(st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map("".join), max_size=6)


@given(st.lists(_TEXTS, min_size=1, max_size=6), st.sampled_from(PARTS))
def test_partial_matches_are_others_and_less(texts: list[list[str]], query: str) -> None:
    records = Records(
        {f"confirmed/m{n}.md": memory("m", " ".join(words)) for n, words in enumerate(texts)}
    )
    words, partial = _ranked(records, query)
    scores = partial.ranking.scores
    assert not words.keys() & scores.keys()
    if words and scores:
        assert max(scores.values()) < min(words.values())
    asked = set(ask(query).terms)
    for serial in scores:
        held = {term for term, found in records.index.held.items() if serial in dict(found)}
        assert any(term != one and one in term for term in held for one in asked)
