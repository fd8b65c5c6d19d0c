"""`associative/1`: what dates, phrases and links add, and that none of it grows without bound."""

from itertools import pairwise

import pytest

from doll.recall.algorithms import NAMES, algorithm
from doll.recall.associative import CROWD, FAN, SEEDS, Associative
from doll.recall.document import document
from doll.recall.lexical import Lexical
from doll.recall.links import MAX_WIKILINKS, marks
from doll.recall.query import ask
from doll.records.codec import parse
from tests.recall_corpus import NOW, Records

TIE = "A distractor that shares no word.\n"


def _memory(body: str, **said: str) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in said.items())
    return f"---\n{lines}---\n{body}\n"


def _approved(body: str, **said: str) -> str:
    review = {
        "origin": "import",
        "reviewed_by": "Ada <ada@example.org>",
        "reviewed_at": "2026-08-01T00:00:00Z",
        "reviewed_sha256": "a" * 64,
    }
    return _memory(body, **review, **said)


def _entry(summary: str, **said: str) -> str:
    given = {
        "project": "atlas",
        "kind": "attempt",
        "assertion": "user_recorded",
        "at": "2026-08-01T00:00:00Z",
        "summary": summary,
    } | said
    return _memory("", **given)


def _records(**texts: str) -> Records:
    return Records({f"confirmed/{name}.md": text for name, text in texts.items()})


def _added(records: Records, query: str, name: str) -> list[tuple[str, str, int]]:
    ranking = Associative().rank(records.corpus, ask(query), NOW)
    serial = next(n for n, row in records.rows.items() if row.id == name)
    return [tuple(one) for one in ranking.additions.get(serial, ())]  # type: ignore[misc]


LINKED = {
    "related": (
        _memory("The zebra crossing", related="[other]"),
        _memory(TIE),
        "seed (named by it)",
    ),
    "backward": (_memory("The zebra crossing"), _memory(TIE, related="[seed]"), "seed (names it)"),
    "supersedes": (
        _memory("The zebra crossing", supersedes='["[[Other]]"]'),
        _memory(TIE),
        "seed (named by it)",
    ),
    "updates": (_memory("A zebra", updates="other"), _memory(TIE), "seed (named by it)"),
    "wikilink": (
        _memory("The zebra, see [[other#place|that]]"),
        _memory(TIE),
        "seed (named by it)",
    ),
    "alias": (
        _memory("The zebra, see [[before]]"),
        _memory(TIE, aliases="[Before]"),
        "seed (named by it)",
    ),
    "own alias": (
        _memory("The zebra", aliases="[Old Name]"),
        _memory(f"{TIE} [[old name]]"),
        "seed (names it)",
    ),
    "next in an import": (
        _approved("A zebra", origin_source="me", origin_id="D1:9"),
        _memory(TIE, origin="import", origin_source="me", origin_id="D1:10"),
        "seed (next to it in its import)",
    ),
    "same moment of an import": (
        _approved("A zebra", origin_id="x-a", created="2026-01-02T03:04:05Z"),
        _memory(TIE, origin="import", origin_id="x-b", created="2026-01-02T03:04:05Z"),
        "seed (of the same moment of its import)",
    ),
}


@pytest.mark.parametrize("kind", LINKED)
def test_a_link_passes_on_half_of_a_score(kind: str) -> None:
    seed, other, said = LINKED[kind]
    records = _records(seed=seed, other=other, third=_memory(TIE))
    scores = records.scored(Associative(), "zebra")
    assert list(scores) == ["seed", "other"]
    assert scores["other"] == scores["seed"] // 2
    assert _added(records, "zebra", "other") == [("link", said, scores["other"])]


@pytest.mark.parametrize(
    ("seed", "other"),
    [
        (_approved("zebra", origin_id="9"), _memory(TIE, origin_id="10")),
        (
            _approved("zebra", origin_id="a9", origin_source="x"),
            _memory(TIE, origin="import", origin_id="a10", origin_source="y"),
        ),
        (
            _approved("zebra", origin_id="a9"),
            _memory(TIE, origin="import", origin_id="a11"),
        ),
        (_memory("zebra [[nobody]] [[ ]] [[seed]]"), _memory(TIE)),
        (
            _memory("zebra", created="2026-01-02T00:00:00Z"),
            _memory(TIE, created="2026-01-02T00:00:00Z"),
        ),
    ],
)
def test_what_is_no_link(seed: str, other: str) -> None:
    assert list(_records(seed=seed, other=other).scored(Associative(), "zebra")) == ["seed"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("work_item", "migrate"), ("evidence", '["commit:1f2e3d4"]')],
)
def test_entries_share_a_work_item_and_evidence(field: str, value: str) -> None:
    said = {field: value}
    records = Records(
        {
            "experience/atlas/seed.md": _entry("The zebra stood still", **said),
            "experience/atlas/other.md": _entry("Slept", **said),
            "experience/atlas/third.md": _entry("Ate"),
            "experience/borea/fourth.md": _entry("Ran", project="borea", work_item="migrate"),
        }
    )
    scores = records.scored(Associative(), "zebra")
    assert list(scores) == ["seed", "other"]


def test_the_most_that_any_one_passes_on_is_taken_and_never_the_sum() -> None:
    texts = {f"seed{n}": _memory("zebra", related="[hub]") for n in range(5)}
    records = _records(**texts, hub=_memory(TIE))
    scores = records.scored(Associative(), "zebra")
    assert scores["hub"] == scores["seed0"] // 2


@pytest.mark.parametrize("origin", ["import", "model", "system"])
def test_what_waits_for_a_review_passes_nothing_on(origin: str) -> None:
    waiting = _memory("zebra", schema="doll/memory/1", origin=origin, related="[hub]")
    for path, text in (
        ("confirmed/seed.md", waiting),
        ("confirmed/seed.md", waiting.replace("origin:", "status: archived\norigin:")),
        ("staging/pam/one/seed.md", waiting),
    ):
        records = Records({path: text, "confirmed/hub.md": _memory(TIE)})
        assert [name.rpartition("/")[2] for name in records.scored(Associative(), "zebra")] == [
            "seed"
        ]


def test_what_waits_takes_no_place_among_those_that_pass_on() -> None:
    waiting = _memory("zebra zebra", schema="doll/memory/1", origin="import")
    texts = {f"staging/pam/one/s{n:03}.md": waiting for n in range(90)}
    texts["confirmed/seed.md"] = _memory("zebra", related="[hub]")
    texts["confirmed/hub.md"] = _memory(TIE)
    scores = Records(texts).scored(Associative(), "zebra")
    assert scores["hub"] == scores["seed"] // 2


@pytest.mark.parametrize("status", ["archived", "superseded"])
def test_a_memory_of_the_users_that_is_not_current_leads_on(status: str) -> None:
    records = _records(seed=_memory("zebra", status=status, related="[hub]"), hub=_memory(TIE))
    assert list(records.scored(Associative(), "zebra")) == ["seed", "hub"]


def test_one_hop_only() -> None:
    records = _records(
        seed=_memory("zebra [[near]]"), near=_memory(f"{TIE} [[far]]"), far=_memory(TIE)
    )
    assert list(records.scored(Associative(), "zebra")) == ["seed", "near"]


@pytest.mark.parametrize("linking", [FAN, FAN + 1, 4 * FAN, CROWD, CROWD + 1])
def test_a_crowd_is_told_less_each_and_then_nothing(linking: int) -> None:
    texts = {f"n{n}": _memory(TIE, related="[hub]") for n in range(linking)}
    records = _records(hub=_memory("The zebra"), **texts)
    scores = records.scored(Associative(), "zebra")
    if linking > CROWD:
        assert list(scores) == ["hub"]
    else:
        assert {scores[name] for name in texts} == {scores["hub"] * FAN // (2 * max(FAN, linking))}


def test_a_list_of_everything_links_to_nothing() -> None:
    listed = " ".join(f"[[r{n}]]" for n in range(MAX_WIKILINKS + 1))
    records = _records(index=_memory(f"{listed} zebra"), r1=_memory(TIE))
    assert list(records.scored(Associative(), "zebra")) == ["index"]


def test_only_the_best_pass_on() -> None:
    texts = {f"s{n:03}": _memory("zebra " * (99 - n), related=f"[t{n:03}]") for n in range(30)}
    texts |= {f"t{n:03}": _memory(TIE) for n in range(30)}
    found = _records(**texts).scored(Associative(), "zebra")
    assert sum(name.startswith("t") for name in found) == SEEDS


def test_a_date_counts_as_terms_of_its_own() -> None:
    texts = {
        "day": _memory("dinner", created="2023-05-03T10:00:00Z"),
        "month": _memory("dinner", created="2023-05-04T10:00:00Z"),
        "year": _memory("dinner", created="2023-06-03T10:00:00Z"),
        "never": _memory("dinner"),
        "then": _memory("lunch", created="2023-05-03T23:59:59.999999Z"),
        "once": _memory("lunch", created="2023-05-31T00:00:00Z"),
    }
    records = _records(**texts)
    found = records.scored(Associative(["date"]), "dinner on May 3, 2023")
    assert list(found) == ["day", "then", "month", "year", "never"]
    assert found["day"] == found["then"] + records.scored(Lexical(), "dinner")["day"]
    (added,) = _added(records, "dinner on May 3, 2023", "then")
    assert added == ("date", "May 3, 2023", found["then"])
    assert [_added(records, "dinner on May 3, 2023", name)[0][1] for name in ("month", "year")] == [
        "2023-05",
        "2023",
    ]


@pytest.mark.parametrize("query", ["in August", "on 31 February", "on 31 February 1960"])
def test_a_date_of_another_time_finds_nothing(query: str) -> None:
    old = _memory("lunch", created="1960-03-03T10:00:00Z")
    records = _records(old=old, new=_memory("lunch", created="2023-05-03T10:00:00Z"))
    assert records.scored(Associative(), query) == {}


def test_a_month_of_any_year_is_found() -> None:
    texts = {f"n{year}": _memory("x", created=f"{year}-08-03T10:00:00Z") for year in (1999, 2023)}
    records = _records(**texts, july=_memory("x", created="2023-07-31T23:59:59Z"))
    assert set(records.scored(Associative(), "in August")) == {"n1999", "n2023"}


def test_a_year_alone_adds_to_matches_and_finds_nothing() -> None:
    records = _records(
        hit=_memory("dinner", created="2023-05-03T10:00:00Z"),
        other=_memory("lunch", created="2023-05-03T10:00:00Z"),
        late=_memory("dinner", created="2024-05-03T10:00:00Z"),
    )
    assert list(records.scored(Associative(["date"]), "dinner in 2023")) == ["hit", "late"]


@pytest.mark.parametrize(
    "query", ["quiet harbor", '"quiet harbor" in winter', "\u201cQuiet harbors\u201d"]
)
def test_a_phrase_comes_before_its_words_apart(query: str) -> None:
    records = _records(
        apart=_memory("harbor quiet"), whole=_memory("a quiet harbor for the winter night")
    )
    assert next(iter(records.scored(Lexical(), "quiet harbor"))) == "apart"
    assert next(iter(records.scored(Associative(), query))) == "whole"


def test_a_question_is_no_phrase() -> None:
    records = _records(apart=_memory("harbor quiet"), whole=_memory("the quiet harbor at night"))
    assert _added(records, "where is the quiet harbor", "whole") == []
    assert _added(records, "quiet", "whole") == []


def test_the_parts_add_up() -> None:
    texts = {
        f"n{n}": _memory(
            f"quiet harbor {'zebra ' * n}",
            created=f"2023-05-0{n}T00:00:00Z",
            related=f"[n{n % 7 + 1}]",
        )
        for n in range(1, 8)
    }
    records = _records(**texts)
    for query in ("quiet harbor", "zebra on May 3, 2023", '"quiet harbor" 2023-05-04 yesterday'):
        words = Lexical().rank(records.corpus, ask(query), NOW).scores
        ranking = Associative().rank(records.corpus, ask(query), NOW)
        assert ranking.scores
        assert words.keys() <= ranking.scores.keys()
        for serial, score in ranking.scores.items():
            added = sum(one.points for one in ranking.additions.get(serial, ()))
            assert score == words.get(serial, 0) + added
        best = list(records.scored(Associative(), query).values())
        assert all(first >= second for first, second in pairwise(best))


def test_a_record_that_changed_passes_nothing_on() -> None:
    records = _records(seed=_memory("zebra", related="[other]"), other=_memory(TIE))
    records._read.clear()
    assert list(records.scored(Associative(), "zebra")) == ["seed"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_matches_nothing(name: str) -> None:
    assert _records(one=_memory(TIE)).scored(algorithm(name), "zebra") == {}
    assert Records({}).scored(algorithm(name), "zebra in May 2023") == {}


def test_links_are_terms_that_no_text_gives_and_that_hold_no_text() -> None:
    key = "ghp_" + "x1Y2" * 9
    entry = _entry("zebra", evidence=f"['{key}']", work_item="migrate")
    record, _, body = parse(entry.encode(), "experience/atlas/e.md", "e", "experience")
    assert record is not None
    found = marks(record, f"{body} [[{key}]] [[{'long ' * 50}]]")
    assert len(found) == 4
    for term in found:
        assert term.startswith("\0")
        assert len(term) < 30
        assert key.lower() not in term.lower()
    assert set(found) <= document(record, f"{body} [[{key}]] [[{'long ' * 50}]]").terms.keys()


def test_a_link_counts_for_no_length_and_in_no_statistics() -> None:
    plain, linking = (_records(a=_memory(f"zebra {text}")) for text in ("other", "[[other]]"))
    assert plain.lengths == linking.lengths
    assert plain.scored(Lexical(), "zebra") == linking.scored(Lexical(), "zebra")
