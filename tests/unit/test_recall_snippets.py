"""Snippets: the line that answers best, cut around the match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.recall.query import ask
from doll.recall.snippets import WIDTH, beginning, cut, snippet

TEXT = "# Coffee\n\nNo sugar.\n  A double espresso, no sugar, no milk.\nSugar again: espresso.\n"


def test_the_first_line_with_most_of_the_terms() -> None:
    assert snippet(TEXT, ask("espresso sugar").terms) == "A double espresso, no sugar, no milk."
    assert snippet(TEXT, ask("sugar").terms) == "No sugar."
    assert snippet(TEXT, ask("tea").terms) == ""
    assert beginning("\n \n  first\nsecond") == "first"
    assert beginning("") == ""


def test_a_long_line_is_cut_around_the_match() -> None:
    line = "word " * 300 + "needle here " + "tail " * 300
    found = snippet(line, ask("needle").terms)
    assert "needle here" in found
    assert found[0] == found[-1] == "\u2026"
    assert len(found) <= WIDTH + 2


@pytest.mark.parametrize("text", ["ＡＢＣ " * 100 + "ｎｅｅｄｌｅ end", "ﷺ" * 60 + " needle"])
def test_the_original_is_shown_though_its_normal_form_matched(text: str) -> None:
    found = snippet(text, ask("needle").terms)
    assert found.strip("\u2026") in text
    assert "needle" in found or "ｎｅｅｄｌｅ" in found


def test_unspaced_text_is_cut_too() -> None:
    found = snippet("茶" * 500 + "咖啡" + "水" * 500, ask("咖啡").terms)
    assert "咖啡" in found
    assert len(found) <= WIDTH + 2


@given(st.text(max_size=400), st.integers(0, 400), st.integers(60, 200))
def test_a_cut_is_a_part_of_the_line(line: str, place: int, width: int) -> None:
    found = cut(line, place, width)
    assert len(found) <= width + 2
    assert found.removeprefix("\u2026").removesuffix("\u2026") in line


@given(st.text(max_size=300), st.text(max_size=20))
def test_any_text_and_query(text: str, query: str) -> None:
    assert "\n" not in snippet(text, ask(query).terms)
