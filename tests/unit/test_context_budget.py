"""The budget: no pack is above it, whatever the records say; its shares; what is said for want."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.recall.query import ask
from doll.render.context_values import Head, Item, Section
from doll.render.tokens import tokens
from doll.services.packing.asked import MIN_BUDGET, Tally
from doll.services.packing.candidates import Bounds, Candidate, candidate
from doll.services.packing.choosing import SHARES, choose, limit_of
from tests.context_packs import check, quotes
from tests.preflight_builders import record
from tests.unit.test_context_quoting import HOSTILE

NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)
TYPES = {"work": "work-item", "decisions": "decision", "failures": "experience", "memory": "memory"}
HOSTILE_TEXT = st.text(st.characters(codec="utf-8"), max_size=80) | st.sampled_from(
    [HOSTILE, *HOSTILE.split("\n"), "`" * 9, "> quote", "a" * 400, "咖啡" * 90]
)
BUDGETS = st.integers(MIN_BUDGET, 900) | st.integers(900, 20_000)


def head(budget: int, task: str = "order coffee", project: str | None = "atlas") -> Head:
    return Head(task, project, (), (), "personal", NOW, "0f" * 20, budget)


def made(section: Section, number: int, text: str, budget: int, **facts: str) -> Candidate:
    kind: Any = TYPES[section]
    path = f"{section}/{text[:20].replace(chr(10), ' ')}/r{number}.md"
    each = record(kind, f"r{number}", path, title=text.strip() or "x")
    bounds = Bounds({a.term: a.said for a in ask("order coffee").asked}, limit_of(budget))
    return candidate(section, each, text * 3, bounds, facts, [text[:90]])


def found_of(texts: Mapping[Section, list[str]], budget: int) -> dict[Section, list[Candidate]]:
    return {
        section: [
            made(section, n, text, budget, kind=text[:30]) for n, text in enumerate(texts[section])
        ]
        for section in SHARES
    }


def shown(items: tuple[Item, ...]) -> list[tuple[str, str]]:
    return [(item.section, item.source.id) for item in items]


@given(
    st.fixed_dictionaries({section: st.lists(HOSTILE_TEXT, max_size=4) for section in SHARES}),
    HOSTILE_TEXT,
    BUDGETS,
)
def test_no_pack_is_above_its_budget_and_no_line_escapes(
    texts: dict[Section, list[str]], task: str, budget: int
) -> None:
    found = found_of(texts, budget)
    tally = Tally()
    items, text = choose(head(budget, task), found, tally)
    check(text, budget)
    numbers = {each.reason: each.number for each in tally.all()}
    left = {c.source.id for some in found.values() for c in some}
    if len(left) == sum(map(len, found.values())):
        assert len(items) + numbers.get("over_budget", 0) == sum(map(len, texts.values()))


@pytest.mark.parametrize("budget", [50, 51, 60, 80, 99])
def test_a_tiny_budget_says_what_does_not_fit(budget: int) -> None:
    found = found_of({section: ["text"] * 99 for section in SHARES}, budget)
    items, text = choose(head(budget), found, Tally())
    assert items == ()
    assert text == f"396 found; none fits in {budget} tokens. Try `--budget 2000`."
    check(text, budget)


@pytest.mark.parametrize("budget", [50, 100])
def test_a_tiny_budget_for_nothing_says_that_there_is_nothing(budget: int) -> None:
    nothing: dict[Section, list[Candidate]] = {section: [] for section in SHARES}
    items, text = choose(head(budget), nothing, Tally())
    assert (items, text) == ((), "Nothing was found.")


def test_the_largest_numbers_fit_into_the_smallest_budget() -> None:
    from doll.render.context_markdown import tiny_line

    assert tokens(tiny_line(MIN_BUDGET, {"memory": 10_000_000}) + "\n") <= MIN_BUDGET


def test_no_section_pushes_another_out_of_its_share() -> None:
    texts: dict[Section, list[str]] = {section: ["some words " * 8] * 50 for section in SHARES}
    items, _ = choose(head(2000), found_of(texts, 2000), Tally())
    assert {item.section for item in items} == set(SHARES)
    only = {**texts, "work": [], "decisions": [], "failures": []}
    more, _ = choose(head(2000), found_of(only, 2000), Tally())
    assert len(more) > sum(item.section == "memory" for item in items)


def test_the_best_are_taken_first() -> None:
    texts: dict[Section, list[str]] = {section: ["some words " * 8] * 50 for section in SHARES}
    items, _ = choose(head(1500), found_of(texts, 1500), Tally())
    for section in SHARES:
        ids = [item.source.id for item in items if item.section == section]
        assert ids == [f"r{number}" for number in range(len(ids))]


def test_what_is_left_out_is_named_while_there_is_room() -> None:
    texts: dict[Section, list[str]] = {section: [] for section in SHARES}
    tally = Tally()
    for number in range(7):
        tally.add("not_committed", f"new-{number}")
    tally.count("sensitivity", 2)
    _, text = choose(head(2000), found_of(texts, 2000), tally)
    assert "- 7 not committed on the vault's branch: `new-0`, `new-1`, `new-2` …" in text
    assert "- 2 above the sensitivity asked for\n" in text
    _, text = choose(head(200), found_of(texts, 200), tally)
    assert text.endswith("Left out: 9; `--json` lists them.")


def test_more_room_shows_more_of_the_best() -> None:
    texts: dict[Section, list[str]] = {section: [] for section in SHARES}
    texts["decisions"] = ["first line\n" + "more words here\n" * 30]
    short, _ = choose(head(400), found_of(texts, 400), Tally())
    long, text = choose(head(2000), found_of(texts, 2000), Tally())
    assert short[0].quote.cut
    assert len(long[0].quote.lines) > len(short[0].quote.lines)
    assert "more words here" in set(quotes(text))
