"""Strict YAML of foreign stores: what is read, and hostile files refused at their lines."""

import json
from itertools import pairwise

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from doll.errors import CODES, InvalidDocumentError
from doll.interchange import yaml_building
from doll.interchange.strict_yaml import read
from doll.interchange.yaml_scalars import json_text

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)


def codes(text: str | bytes) -> dict[str, int]:
    """Return the codes of what is wrong with a text, and the line of each."""
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(InvalidDocumentError) as caught:
        read(data, "x.yaml")
    assert {problem.code for problem in caught.value.problems} <= CODES.keys()
    return {problem.code: problem.line for problem in reversed(caught.value.problems)}


@given(VALUES)
def test_what_json_says_is_read_as_it_is(value: object) -> None:
    found = read(json.dumps({"a": value}, ensure_ascii=False).encode(), "x").value
    assert json.loads(json_text(found)) == {"a": value}
    assert json.loads(json_text(found, canonical=True)) == {"a": value}


@given(st.dictionaries(st.text("abc", min_size=1), st.lists(WORDS), max_size=4))
def test_what_a_yaml_writer_writes_is_read_as_it_is(value: dict[str, list[str]]) -> None:
    for style in (None, '"', "'", "|", ">"):
        text = yaml.dump(value, allow_unicode=True, default_style=style, version=None)
        if "!!" in text or "&" in text.replace("'", "").replace('"', ""):
            continue
        assert read(text.encode(), "x").value == value


def test_plain_scalars_mean_what_the_core_schema_says_in_claims() -> None:
    text = "[~, null, true, False, 1, -0, 1.50, 1e3, yes, NO, 1_000, 0o7, 2026-01-01, .inf, +1]"
    said = json_text(read(text.encode(), "x").value)
    assert said == (
        '[null, null, true, false, 1, -0, 1.50, 1e3, "yes", "NO", "1_000", "0o7", '
        '"2026-01-01", ".inf", "+1"]'
    )
    assert json_text(read(b"['null', \"1\"]", "x").value) == '["null", "1"]'


def test_characters_that_break_no_line_in_yaml_1_2_stay() -> None:
    text = 'a: x\u2028y\u0085z\nb: "p\u2029q"\nc: 1\n'
    found = read(text.encode(), "x")
    assert found.value == {"a": "x\u2028y\u0085z", "b": "p\u2029q", "c": "1"}
    assert found.lines == {"/a": 1, "/b": 2, "/c": 3}


def test_lines_and_comments_are_known() -> None:
    entry = "  - id: '# no'\n    text: |- # third\n      # no\n"
    text = f"# first\nengrams: # second\n{entry}  - id: b#no\n"
    found = read(text.encode(), "x")
    assert found.lines == {"/engrams": 3, "/engrams/0": 3, "/engrams/1": 6}
    assert found.comments == ((1, "# first"), (2, "# second"), (4, "# third"))
    assert found.value["engrams"][0] == {"id": "# no", "text": "# no"}


def test_many_comments_cost_their_length_once() -> None:
    found = read(b"# words\n" * 300_000 + b"a: 1\n", "x")
    assert len(found.comments) == 300_000
    assert (found.comments[-1][0], found.lines["/a"]) == (300_000, 300_001)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("a: &x 1", "yaml.alias", 1),
        ("a: 1\nb: *x", "yaml.alias", 2),
        ("a: !!str 1", "yaml.tag", 1),
        ("a: !x 1", "yaml.tag", 1),
        ("a: 1\nb: 2\na: 3", "yaml.duplicate_key", 3),
        ("a: {b: 1, b: 2}", "yaml.duplicate_key", 1),
        ("a: 1\n---\nb: 1", "yaml.many_documents", 2),
        ("? [a]\n: b", "yaml.key", 1),
        ("a: 'b", "yaml.syntax", 1),
        ("a: \x07", "yaml.syntax", 1),
        ('a: "\\ud800"', "yaml.syntax", 1),
        ("\ta: 1", "yaml.syntax", 1),
        ("a: [1, 2", "yaml.syntax", 1),
    ],
)
def test_what_would_be_a_guess_is_refused_at_its_line(text: str, code: str, line: int) -> None:
    assert codes(text).get(code) == line


def test_a_billion_laughs_is_refused_at_its_first_anchor() -> None:
    rows = ["a: &a [lol, lol]", *(f"{c}: &{c} [*{p}, *{p}]" for p, c in pairwise("abcdefg"))]
    assert codes("\n".join(rows))["yaml.alias"] == 1


@pytest.mark.parametrize(
    "text",
    ["[" * 500_000, "{a: " * 100_000, "\n".join(f"{' ' * n}a:" for n in range(300)), "- " * 9999],
)
def test_deep_nesting_is_refused(text: str) -> None:
    assert "yaml.too_deep" in codes(text)


def test_a_file_of_fifty_megabytes_is_refused_unread() -> None:
    assert codes(b"a" * 50_000_000) == {"yaml.too_large": 0}


def test_a_file_of_too_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_building, "MAX_VALUES", 1000)
    assert codes("- a\n" * 1001) == {"yaml.too_large": 1000}
    assert len(read(b"- a\n" * 999, "x").value) == 999


def test_the_first_hundred_faults_are_listed() -> None:
    with pytest.raises(InvalidDocumentError) as caught:
        read(b"- &a 1\n" * 5000, "x")
    assert len(caught.value.problems) == 100


def test_bytes_that_are_no_text_are_refused() -> None:
    assert codes(b"a: \xff") == {"file.not_utf8": 1}
    assert codes(b"PK\x03\x04") == {"json.syntax": 1}


@given(st.binary(max_size=300))
def test_no_bytes_give_a_traceback(data: bytes) -> None:
    said = True
    try:
        read(data, "x")
    except InvalidDocumentError as error:
        said = bool(error.problems)
    assert said
