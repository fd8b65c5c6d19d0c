"""Strict JSON: what is refused, with which place, and what is kept exactly."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.errors import CODES, InvalidDocumentError, Problem
from doll.interchange import json_places, strict_json
from tests.guard import no_hang

NAME = "export.json"
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def refused(data: bytes) -> tuple[Problem, ...]:
    with pytest.raises(InvalidDocumentError) as caught:
        strict_json.read(data, NAME)
    assert caught.value.exit_code == 4
    assert {problem.code for problem in caught.value.problems} <= CODES.keys()
    return caught.value.problems


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"", "json.truncated", 1, 1),
        (b" \n", "json.truncated", 2, 1),
        (b'{"a": [1, 2', "json.truncated", 1, 12),
        (b'{"a": "tex', "json.truncated", 1, 7),
        (b'{"a": 1}\n{"b": 2}', "json.trailing", 2, 1),
        (b"{}\0", "json.trailing", 1, 3),
        (b'{"a": 1,}', "json.syntax", 1, 9),
        (b"{'a': 1}", "json.syntax", 1, 2),
        (b'{"a": 01}', "json.syntax", 1, 8),
        (b'{"a":\n "x\ty"}', "json.syntax", 2, 4),
        ('{"é": \xe9'.encode("latin-1"), "file.not_utf8", 1, 3),
        ('{"a": 1}'.encode("utf-16"), "file.not_utf8", 1, 1),
        (b'{"a": "\xed\xa0\x80"}', "file.not_utf8", 1, 8),
    ],
)
def test_what_is_no_json_is_refused_at_its_place(
    data: bytes, code: str, line: int, column: int
) -> None:
    (problem,) = refused(data)
    assert (problem.code, problem.line, problem.column) == (code, line, column)
    assert problem.path == NAME


def test_every_repeated_name_and_nan_is_named_at_once() -> None:
    text = '{"a": 1,\n "b": {"c": [NaN, {"d": 1, "d": 2}]},\n "a": -Infinity}'
    found = [(p.code, p.line, p.column, p.pointer) for p in refused(text.encode())]
    assert found == [
        ("json.constant", 2, 14, "/b/c/0"),
        ("json.duplicate_key", 2, 28, "/b/c/1/d"),
        ("json.duplicate_key", 3, 2, "/a"),
        ("json.constant", 3, 7, "/a"),
    ]


def test_names_that_escapes_make_equal_are_one_name() -> None:
    (problem,) = refused(rb'{"type": 1, "t\u0079pe": 2}')
    assert (problem.code, problem.pointer) == ("json.duplicate_key", "/type")


def test_more_problems_than_are_listed_are_counted() -> None:
    with pytest.raises(InvalidDocumentError, match=r"250 problems .*100 are listed, \+150 more"):
        strict_json.read(b"[" + b",".join([b"NaN"] * 250) + b"]", NAME)


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("closed", [True, False])
def test_deep_nesting_is_refused_quickly(opening: bytes, closed: bool) -> None:
    data = opening * 100_000
    if closed:
        data += b"1" + (b"]" if opening == b"[" else b"}") * 100_000
    with no_hang():
        (problem,) = refused(data)
    assert problem.code == "json.too_deep"
    assert problem.column == len(opening) * strict_json.MAX_DEPTH + 1


def test_brackets_in_text_are_no_nesting() -> None:
    data = json.dumps({"a": "[" * 1000, "b": '\\"[{' * 1000}).encode()
    assert strict_json.read(data, NAME).value["a"] == "[" * 1000


def test_a_huge_integer_is_refused_without_being_computed() -> None:
    with no_hang():
        (problem,) = refused(b'{"a": ' + b"9" * 1_000_000 + b"}")
    assert (problem.code, problem.pointer) == ("json.number", "/a")


def test_hostile_text_takes_linear_time() -> None:
    members = [
        b'{"' + b"k" * 500_000 + b'": [' + b"NaN," * 100_000 + b"1]}",
        b'"' + b'\\"' * 500_000,
        b'"' + b'\\"' * 500_000 + b"\\",
        b"[" + b'"",' * 300_000,
    ]
    for data in members:
        with no_hang():
            refused(data)


def test_too_large_a_document_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_json, "MAX_BYTES", 10)
    assert refused(b'{"a": "0123456789"}')[0].code == "document.too_large"


def test_a_byte_order_mark_is_skipped_and_said() -> None:
    found = strict_json.read(b'\xef\xbb\xbf{"a": 1}', NAME)
    assert found.value == {"a": 1}
    assert [(note.code, note.severity) for note in found.notes] == [("file.bom", "note")]


@pytest.mark.parametrize(
    "text", ["0.950", "1.00", "1e2", "1E+2", "-0", "-0.0", "0.1", "7", "1e999"]
)
def test_numbers_keep_their_text(text: str) -> None:
    assert strict_json.text_of(strict_json.read(text.encode(), NAME).value) == text


@settings(deadline=None)
@given(VALUES)
def test_reading_and_writing_agree_with_the_standard_library(value: Any) -> None:
    data = json.dumps(value, ensure_ascii=True).encode()
    depth = max((p.count("/") for p, _ in strict_json.leaves(value)), default=0)
    assert depth <= strict_json.MAX_DEPTH
    read = strict_json.read(data, NAME).value
    assert json.loads(strict_json.text_of(read)) == json.loads(data)


@settings(deadline=None)
@given(VALUES)
def test_every_pointer_is_found_at_its_own_text(value: Any) -> None:
    text = json.dumps(value, indent=1)
    pointers = sorted({pointer for pointer, _ in strict_json.leaves(value)})
    wanted = [Problem(NAME, 0, 0, "json.syntax", "", pointer=p) for p in pointers]
    lines = text.split("\n")
    for problem in json_places.placed(wanted, text.encode()):
        rest = lines[problem.line - 1][problem.column - 1 :]
        name = problem.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        assert rest.startswith(json.dumps(name)) or name.isdigit() or not problem.pointer


@settings(deadline=None)
@given(st.binary(max_size=300) | st.text('[]{}",:\\0NaN \n\ud800', max_size=60))
def test_no_bytes_give_a_traceback(data: bytes | str) -> None:
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        strict_json.read(raw, NAME)
        problems: tuple[Problem, ...] = ()
    except InvalidDocumentError as error:
        problems = error.problems or (Problem(NAME, 0, 0, "none", ""),)
    assert all(problem.line >= 1 and problem.message.encode() for problem in problems)


def test_leaves_of_a_long_name_cost_its_length_once() -> None:
    value = {"k" * 100_000: [0] * 50_000}
    assert sum(len(pointer) for pointer, _ in strict_json.leaves(value)) < 1_000_000
