"""Large documents are read piece by piece: the same value as read whole, or left to be refused."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.errors import InvalidDocumentError
from doll.interchange import json_entries, strict_json

ODD = '[]{}",:\\ \n\t\u20ac\U0001f600e\u0301'
TEXTS = st.text(st.sampled_from(ODD), max_size=6)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
ENTRIES = st.lists(st.dictionaries(TEXTS, VALUES, max_size=3), max_size=6)
DOCUMENTS = st.dictionaries(TEXTS, ENTRIES | VALUES, max_size=5)
quiet = settings(deadline=None)


@pytest.fixture(autouse=True, scope="module")
def small() -> Any:
    """Every document is large, and a piece holds a few entries."""
    before = strict_json.LARGE, json_entries._PIECE
    strict_json.LARGE, json_entries._PIECE = 0, 24
    yield
    strict_json.LARGE, json_entries._PIECE = before


def pieces(data: bytes) -> dict[str, Any] | None:
    return json_entries.read(data, json.JSONDecoder().decode, 64)


@quiet
@given(DOCUMENTS, st.booleans(), st.sampled_from([None, 1]))
def test_the_value_is_that_of_the_whole_text(value: Any, ascii: bool, indent: int | None) -> None:  # noqa: A002
    data = json.dumps(value, ensure_ascii=ascii, indent=indent).encode()
    assert pieces(data) in (value, None)
    assert strict_json.read(data, "x").value == value


@quiet
@given(st.lists(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=3), min_size=1, max_size=6))
def test_a_store_takes_the_short_way(entries: list[Any]) -> None:
    value = {"schema": "x", "memories": entries, "tags": ["[", "]"], "relations": []}
    data = json.dumps(value, ensure_ascii=False).encode()
    found = pieces(data)
    assert found == value
    assert found is not None
    assert list(found) == list(value)


@settings(deadline=None, max_examples=40)
@given(DOCUMENTS, st.data())
def test_what_is_damaged_is_refused_as_before(value: Any, data: st.DataObject) -> None:
    raw = bytearray(json.dumps(value, ensure_ascii=False).encode())
    at = data.draw(st.integers(0, max(len(raw) - 1, 0)))
    change = data.draw(st.sampled_from([b"", b",", b'"', b"[", b"]", b"{", b"}", b"\\", b"\xff"]))
    raw[at : at + data.draw(st.integers(0, 2))] = change
    assert _outcome(bytes(raw)) == _whole(bytes(raw))


def _outcome(data: bytes) -> Any:
    try:
        return strict_json.read(data, "x")
    except InvalidDocumentError as error:
        return error.problems


def _whole(data: bytes) -> Any:
    before, strict_json.LARGE = strict_json.LARGE, 1 << 40
    try:
        return _outcome(data)
    finally:
        strict_json.LARGE = before


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": [{"b": 1} {"b": 2}]}',
        b'{"a": [{"b": 1},, {"b": 2}]}',
        b'{"a": [, {"b": 1}]}',
        b'{"a": [{"b": 1}, ]}',
        b'{"a": [{"b": 1}], "a": [{"b": 2}]}',
        b'{"a": [{"b": 1, "b": 2}]}',
        b'{"a": [{"b": NaN}]}',
        b'{"a": [{"b": 1}]} x',
        b'{"a": [{"b": 1}]}}',
        b'{"a": [{"b": "\n"}]}',
        b'{"a": [{"b": "[}]',
        b'{"a": [{"b": ' + b"[" * 70 + b"]" * 70 + b"}]}",
        b'[{"a": [{}]}]',
    ],
)
def test_the_same_is_said_of_what_is_wrong(data: bytes) -> None:
    assert _outcome(data) == _whole(data)


@quiet
@given(DOCUMENTS)
def test_the_leaves_are_those_of_the_whole_text(value: Any) -> None:
    data = json.dumps(value, ensure_ascii=False).encode()
    found = strict_json.document_leaves(data, "x")
    assert sorted(map(repr, found)) == sorted(map(repr, strict_json.leaves(value)))


def test_leaves_of_what_is_wrong_are_refused() -> None:
    for data in (b'{"a": [{"b": 1}, {"b": }]}', b'{"a": [{"b": 1, "b": 1}]}', b'{"a": [{}]'):
        with pytest.raises(InvalidDocumentError):
            list(strict_json.document_leaves(data, "x"))


def test_numbers_keep_their_text_and_a_byte_order_mark_is_said() -> None:
    data = b'\xef\xbb\xbf{"a": [{"b": 0.950}, {"b": 1e2}, 7, {"b": -0}]}'
    found = strict_json.read(data, "x")
    assert [strict_json.text_of(each) for each in found.value["a"]] == [
        '{"b": 0.950}',
        '{"b": 1e2}',
        "7",
        '{"b": -0}',
    ]
    assert [note.code for note in found.notes] == ["file.bom"]
