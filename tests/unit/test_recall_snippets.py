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


def test_a_long_line_is_cut_where_most_of_the_terms_stand() -> None:
    line = "needle " + "word " * 100 + "needle with thread " + "tail " * 100 + "thread needle"
    assert "needle with thread" in snippet(line, ask("thread needle").terms)
    assert "needle with thread" in snippet(line, ask("thread needle word").terms)


@pytest.mark.parametrize(
    "filler", ["e\u0301", "\u0e01\u0e33", "\u0915\u093f", "\U0001f468\u200d\U0001f469"]
)
def test_no_character_is_cut_in_halves(filler: str) -> None:
    for lead in ("", "x"):
        line = lead + filler * 300 + "needle" + filler * 300
        shown = cut(line, line.index("needle"), 160).strip("\u2026")
        assert "needle" in shown
        before, after = shown.split("needle")
        assert before == filler * (len(before) // len(filler))
        assert after == filler * (len(after) // len(filler))


def test_unspaced_lines_are_cut_around_the_match_in_their_own_script() -> None:
    line = "".join(chr(0x4E00 + n) for n in range(2000))
    wanted = line[1000:1004]
    found = snippet(line, ask(wanted).terms)
    assert wanted in found
    assert found[0] == found[-1] == "\u2026"
    assert found.strip("\u2026") in line


@given(st.text(max_size=400), st.integers(0, 400), st.integers(60, 200))
def test_a_cut_is_a_part_of_the_line(line: str, place: int, width: int) -> None:
    found = cut(line, place, width)
    assert len(found) <= width + 2
    assert found.removeprefix("\u2026").removesuffix("\u2026") in line


@given(st.text(max_size=300), st.text(max_size=20))
def test_any_text_and_query(text: str, query: str) -> None:
    assert "\n" not in snippet(text, ask(query).terms)
