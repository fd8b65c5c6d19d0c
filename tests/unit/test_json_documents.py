"""JSON documents: every reader takes them, whatever bytes the names of files are made of."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.render.document import to_json, to_line

_ANY = st.text(alphabet=st.characters(exclude_categories=()))
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | _ANY,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(_ANY, inner, max_size=3)
        | st.tuples(inner, inner)
    ),
    max_leaves=6,
)


@given(_VALUES)
def test_no_document_holds_half_of_a_pair(value: object) -> None:
    for text in (to_json("x/1", {"value": value}), to_line("x/1", {"value": value})):
        assert text.isascii()
        read = json.loads(text)
        json.dumps(read, ensure_ascii=False).encode("utf-8")  # lone halves would be refused


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a\udcff.md", "a\\u{dcff}.md"),
        ("caf\u00e9 \U0001f600 \ud7a3", "caf\u00e9 \U0001f600 \ud7a3"),
        ("\U0001f600\ud83d", "\U0001f600\\u{d83d}"),
        ({"\udcff": ["\udcff", ("\udcff", 1)]}, {"\\u{dcff}": ["\\u{dcff}", ["\\u{dcff}", 1]]}),
        ("\\ud800", "\\ud800"),
    ],
)
def test_halves_are_written_out_and_nothing_else(value: object, written: object) -> None:
    assert json.loads(to_json("x/1", {"value": value}))["value"] == written


def test_a_line_is_the_same_document_on_one_line() -> None:
    payload = {"b": "\n\r\u2028\u0085", "a": [1]}
    line = to_line("x/1", payload)
    assert line.splitlines() == [line]
    assert json.loads(line) == json.loads(to_json("x/1", payload))
    assert re.fullmatch(r'\{"a".*"b".*"schema": "x/1"\}', line)
