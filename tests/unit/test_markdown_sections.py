"""Files that agents read, split at their headings: what is one, and that no byte goes astray."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.interchange.base import Document
from doll.interchange.markdown.agent_files import NAMES, is_agent_file
from doll.interchange.markdown.sections import MAX_SECTIONS, sections
from tests.markdown_documents import decode, pieces


def headings(text: str) -> list[tuple[str, ...]]:
    found = sections(text)
    assert found is not None
    return [each.headings for each in found]


def test_a_section_has_its_headings_in_its_title_and_its_text_whole() -> None:
    text = "Intro.\n\n# Build\nmake\n\n## Tests\npytest\n# Style\nshort\n"
    assert pieces(text) == {
        "CLAUDE": "Intro.\n\n",
        "Build": "# Build\nmake\n\n",
        "Build > Tests": "## Tests\npytest\n",
        "Style": "# Style\nshort\n",
    }


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no\n```\n",
        "~~~ sh\n# no\n```\n# no\n~~~~\n",
        "```\n# no, never closed\n",
        "    # indented\n",
        "\t# indented\n",
        "<!--\n# no\n-->\n",
        "<!-- # no -->\n",
        "<pre>\n# no\n</pre>\n",
        "<script>\n# no\n</script>\n",
        "#no\n",
        "####### seven\n",
        "\\# no\n",
        "text\n\n---\n",
        "- item\n---\n",
        "1. item\n===\n",
        "> quoted\n---\n",
        "---\n",
        "===\n",
        "    code\n---\n",
        "| a |\n|---|\n",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    assert headings(text) == [()]


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# A", "A"),
        ("   ###### A  \n", "A"),
        ("# A ##\n", "A"),
        ("# A#\n", "A#"),
        ("#\tA\n", "A"),
        ("#\n", "untitled"),
        ("# #\n", "untitled"),
        ("A\n===\n", "A"),
        ("A\nB\n  ---  \n", "A B"),
        ("A\r\n---\r\n", "A"),
        ("# A\r", "A"),
        ("```\n```\n# A\n", "A"),
        ("<!-- x -->\n# A\n", "A"),
        ("<!--\n-->\n# A\n", "A"),
        ("- item\n\nA\n---\n", "A"),
        ("# " + "x" * 300, "x" * 199 + "…"),
    ],
)
def test_what_is_a_heading(text: str, heading: str) -> None:
    assert headings(text)[-1] == (heading,)


def test_a_heading_closes_those_of_its_level_and_below() -> None:
    text = "# A\n### B\n## C\n#### D\n# E\n"
    assert headings(text) == [("A",), ("A", "B"), ("A", "C"), ("A", "C", "D"), ("E",)]


@given(
    st.lists(
        st.sampled_from(
            ["# A", "## B", "text", "===", "---", "```", "<!--", "-->", "", "- x", "\u2028# C"]
        ).flatmap(lambda line: st.sampled_from([line + "\n", line + "\r\n", line + "\r"]))
    ).map("".join)
)
def test_sections_fill_the_text_without_a_gap(text: str) -> None:
    found = sections(text)
    assert found is not None
    assert "".join(text[each.start : each.end] for each in found) == text
    assert all(a.end == b.start for a, b in itertools.pairwise(found))
    assert all(each.start <= each.own <= each.end for each in found)


def test_a_heading_without_a_text_of_its_own_is_no_entry() -> None:
    assert pieces("# A\n\n## B\ntext\n\n## C\n") == {"A > B": "## B\ntext\n\n"}
    assert pieces("# A\n") == {"CLAUDE": "# A\n"}


def test_headings_without_a_text_are_counted() -> None:
    found = decode(Document("CLAUDE.md", b"# A\n\n## B\ntext\n\n## C\n"))
    assert found.facts["headings without a text of their own"] == "2"


def test_sections_of_one_name_are_told_apart() -> None:
    found = decode(Document("AGENTS.md", b"# A\none\n# A\none\n# A\ntwo\n")).candidates
    ids = [each.source_id for each in found]
    assert ids == ["AGENTS.md#A", "AGENTS.md#A (2)", "AGENTS.md#A (3)"]


def test_the_line_of_a_section_is_its_place() -> None:
    text = b"---\nx: 1\n---\n# A\none\n\nB\n---\ntwo\n"
    found = decode(Document("MEMORY.md", text)).candidates
    assert [each.pointer for each in found] == ["/MEMORY.md/lines/4", "/MEMORY.md/lines/7"]


def test_properties_are_the_first_section_s() -> None:
    text = b"---\ndescription: Rules\nglobs: x\n---\n# A\none\n# B\ntwo\n"
    first, second = decode(Document("AGENTS.md", text)).candidates
    assert (first.fields.summary, first.fields.claims) == ("Rules", {"/globs": '"x"'})
    assert (second.fields.summary, second.fields.claims) == (None, {})
    changed = decode(Document("AGENTS.md", text.replace(b"globs: x", b"globs: y"))).candidates
    assert changed[0].entry_digest != first.entry_digest
    assert changed[1].entry_digest == second.entry_digest


@pytest.mark.parametrize("name", [*NAMES, "claude.md", "Agents.MD"])
def test_files_that_agents_read_are_known_by_name(name: str) -> None:
    assert is_agent_file(name)
    assert len(pieces("# A\none\n# B\ntwo\n", name)) == 2


def test_other_files_are_split_where_that_is_asked() -> None:
    document = Document("diary.md", b"# A\none\n# B\ntwo\n")
    assert len(decode(document).candidates) == 1
    assert len(decode(document, split=True).candidates) == 2


def test_a_file_of_very_many_headings_stays_one() -> None:
    text = "# A\nx\n" * (MAX_SECTIONS + 1)
    assert list(pieces(text).values()) == [text]


def test_long_lines_and_many_marks_cost_no_time() -> None:
    runs = ["# a" + " " * 9000 + "b", "`" * 9000 + "x`", "~" * 9000, "-" * 9000 + "x", "#" * 9000]
    text = "\n".join(runs * 20)
    assert sections(text) is not None
    assert sections("x" * 1_000_000 + "\n---\n") is not None
