"""An edit changes the bytes it means to and leaves every other byte alone."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.errors import ConflictError, DollError, UsageError
from doll.records.codec import values_of
from doll.records.handler import Plain, inline
from doll.records.limits import MAX_FILE_BYTES
from doll.records.splice import splice
from tests.hostile_bytes import anything
from tests.record_strategies import texts

AT = datetime(2026, 8, 20, 14, 32, 5, tzinfo=UTC)


def edited(block: str, changes: Mapping[str, Plain], body: str = "") -> str:
    """Return the block of a file after an edit, which leaves the rest as it is."""
    result = splice(f"---\n{block}---\n{body}".encode(), changes).decode()
    assert result.startswith("---\n")
    assert result.endswith(f"---\n{body}")
    crlf = f"---\n{block}---\n{body}".replace("\n", "\r\n").encode()
    assert splice(crlf, changes).decode() == result.replace("\n", "\r\n")
    marked = b"\xef\xbb\xbf" + f"---\n{block}---\n{body}".encode()
    assert splice(marked, changes) == b"\xef\xbb\xbf" + result.encode()
    return result[4 : len(result) - len(body) - 4]


@pytest.mark.parametrize(
    ("block", "changes", "result"),
    [
        ("a: b # c\nd: e\n", {"a": "x"}, "a: x # c\nd: e\n"),
        ("a: b\t# c\nd: e\n", {"a": "x"}, "a: x\t# c\nd: e\n"),
        ("a : b\n", {"a": "x"}, "a : x\n"),
        ("a:     b\n", {"a": "x"}, "a:     x\n"),
        ("'a': 'b'\n", {"a": "x"}, "'a': x\n"),
        ("a:b: c\nd: e\n", {"d": "x"}, "a:b: c\nd: x\n"),
        ("# top\n\na: b\n# end\n", {"d": "x"}, "# top\n\na: b\n# end\nd: x\n"),
        ("# only\n", {"d": "x"}, "# only\nd: x\n"),
        ("", {"d": "x", "e": ["y"]}, 'd: x\ne: ["y"]\n'),
        ("a: b\n", {"a": None}, ""),
        ("a: b # c\n# d\ne: f\n", {"a": None}, "# d\ne: f\n"),
        ("a: b\n", {"absent": None}, "a: b\n"),
        ("a: b\n", {}, "a: b\n"),
        ("a: b\nc: d\n", {"c": None, "a": "x", "e": "f"}, "a: x\ne: f\n"),
        ("a:\nb: c\n", {"a": "x"}, "a: x\nb: c\n"),
        ("a:   # todo\nb: c\n", {"a": "x"}, "a: x   # todo\nb: c\n"),
        ("a: ~\n", {"a": True}, "a: true\n"),
        ("a: no\n", {"a": False}, "a: false\n"),
        ("a: b\n", {"a": AT}, "a: 2026-08-20T14:32:05Z\n"),
        ("a: b\n", {"a": "n"}, 'a: "n"\n'),
        ("a: b\n", {"a": "1.10"}, 'a: "1.10"\n'),
        ("a: b\n", {"a": "x\ny"}, 'a: "x\\ny"\n'),
        ("a: b\n", {"a": ""}, 'a: ""\n'),
        ("a: b\n", {"a": []}, "a: []\n"),
        # entries that go take their lines along, and no other
        ("a:\n- b # c\n- d # e\n# f\n- g\n", {"a": ["b", "g"]}, "a:\n- b # c\n# f\n- g\n"),
        ("a:\n  - b # c\n  - d # e\nf: g\n", {"a": ["d"]}, "a:\n  - d # e\nf: g\n"),
        ("a:\n  - b # c\n  - d # e\nf: g\n", {"a": ["b"]}, "a:\n  - b # c\nf: g\n"),
        ("a:\n- b\n- b\n- c\n- d\n", {"a": ["b", "d"]}, "a:\n- b\n- d\n"),
        ("a:\n- b\n- c\n  d\n- e\n", {"a": ["b", "e"]}, "a: [b, e]\n"),
        # lists that stand on one line stay there
        ("a: [b] # c\n", {"a": ["x", "w"]}, "a: [x, w] # c\n"),
        ("a: b # c\n", {"a": ["x"]}, "a: [x] # c\n"),
        ("a: [b]\n", {"a": ["x" * 50, "w" * 50]}, f"a: [{'x' * 50}, {'w' * 50}]\n"),
        ("a: [b]\n", {"a": ["x, w", "v,u"]}, 'a: ["x, w", "v,u"]\n'),
        ("a: [b,\n  c # d\n] # e\nf: g\n", {"a": ["x"]}, "a: [x] # e\nf: g\n"),
        ("a:\n  [b, c]\nd: e\n", {"a": ["x"]}, "a:\n  [x]\nd: e\n"),
        # texts over several lines
        ("a: b\n  c\n  d # e\nf: g\n", {"a": "x"}, "a: x # e\nf: g\n"),
        ('a: "b\n  c" # d\nf: g\n', {"a": "x"}, "a: x # d\nf: g\n"),
        ("a:\n  b\nf: g\n", {"a": "x"}, "a:\n  x\nf: g\n"),
        ("a: |\n  b\n  c\n\n\n# d\ne: f\n", {"a": "x"}, "a: x\n\n\n# d\ne: f\n"),
        ("a: |+\n  b\n\ne: f\n", {"a": "x"}, "a: x\n\ne: f\n"),
        ("a: |+\n  b\n\n", {"e": "f"}, "a: |+\n  b\n\ne: f\n"),
        ("a: >-\n  b\n  c # text\n# d\ne: f\n", {"a": None}, "# d\ne: f\n"),
        ("a: |\ne: f\n", {"a": "x"}, "a: x\ne: f\n"),
        ("e: f\na: |\n  b\n", {"a": "x"}, "e: f\na: x\n"),
        # block lists
        ("a:\n  - b\n  - c\n# d\n\ne: f\n", {"a": ["x"]}, "a: [x]\n# d\n\ne: f\n"),
        ("a:\n- b\ne: f\n", {"a": None}, "e: f\n"),
        ("a:\n- b # one\n- c\ne: f\n", {"a": ["b", "c", "x"]}, "a:\n- b # one\n- c\n- x\ne: f\n"),
        ("a:\n    - b # one\n", {"a": ["b", "n", "x"]}, 'a:\n    - b # one\n    - "n"\n    - x\n'),
        ("a:\n  - b\n", {"a": ["b"]}, "a:\n  - b\n"),
        ("a:\n  - b\n", {"c": "d", "a": ["b", "x"]}, "a:\n  - b\n  - x\nc: d\n"),
        ("a:\n  - b\n\n# c\ne: f\n", {"a": ["b", "x"]}, "a:\n  - b\n  - x\n\n# c\ne: f\n"),
        ("a:\n  - |\n    b\n    c\ne: f\n", {"a": ["b\nc\n", "x"]}, None),
        ("a:\n  - b\n  -\ne: f\n", {"a": ["x"]}, "a: [x]\ne: f\n"),
        ("a:\n  b: c\n  d: e # f\ng: h\n", {"a": None}, "g: h\n"),
        ("a:\n  b: c\n  d: e # f\ng: h\n", {"g": "x"}, "a:\n  b: c\n  d: e # f\ng: x\n"),
        # margins, explicit keys, flow
        ("  a: b\n  c: [d]\n", {"e": "f", "a": "x", "c": None}, "  a: x\n  e: f\n"),
        ("  a: b\n", {"c": {"/x": "1"}}, '  a: b\n  c:\n    "/x": "1"\n'),
        ("? a\n: b\nc: d\n", {"a": "x"}, "? a\n: x\nc: d\n"),
        ("{a: b, c: [d]}\n", {"a": "x", "c": ["w", "v"]}, "{a: x, c: [w, v]}\n"),
    ],
)
def test_edits(block: str, changes: Mapping[str, Plain], result: str | None) -> None:
    before = values_of(f"---\n{block}---\n".encode())
    after = edited(block, changes, "# body\n\n---\nkey: value")
    if result is not None:
        assert after == result
    expected: dict[str, object] = dict(before)
    for key, value in changes.items():
        if value is None:
            expected.pop(key, None)
        elif isinstance(value, datetime):
            expected[key] = "2026-08-20T14:32:05Z"
        else:
            expected[key] = value
    assert values_of(f"---\n{after}---\n".encode()) == expected


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no front matter"),
        (b"text\n", "no front matter"),
        (b"---\na: b\n", "never closed"),
        (b"---\na: b: c\n---\n", "line 2"),
        (b"---\nx: y\na: b\na: c\n---\n", "line 4"),
        (b"---\na: &x b\n---\n", "anchor"),
        (b"---\na: b\n...\n---\n", "line 3"),
        (b"---\na: caf\xe9\n---\n", "0xe9"),
        (b"---\na: b\n---\n\0", "NUL"),
        (b"---\na: b\n---\n<<<<<<< x\n=======\n>>>>>>> y\n", "conflict"),
        (b"---\na: b\n---\n" + b"x" * 5_000_000, "bytes"),
        (b"---\n- a\n---\n", "list"),
    ],
)
def test_what_cannot_be_read_whole_is_not_edited(data: bytes, said: str) -> None:
    with pytest.raises(ConflictError) as refused:
        splice(data, {"a": "x"})
    assert said in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize(
    ("block", "changes"),
    [
        ("{a: b}\n", {"c": "x"}),
        ("{a: b, c: d}\n", {"a": None}),
        ("? a\n: b\n", {"a": None}),
        ("a: b\n", {"c: d": "x"}),
    ],
)
def test_an_edit_that_cannot_be_made_safely_is_refused(
    block: str, changes: Mapping[str, Plain]
) -> None:
    with pytest.raises(ConflictError) as refused:
        splice(f"---\n{block}---\n".encode(), changes)
    assert "cannot edit safely" in refused.value.message
    assert refused.value.hint == "make the change in a text editor"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (f"---\na: {'x' * 65_500}\n---\n", "larger than 64 KiB"),
        (f"---\na: b\n---\n{'x' * (MAX_FILE_BYTES - 20)}", "the file has more than"),
    ],
)
def test_an_edit_that_has_no_room_is_refused(data: str, said: str) -> None:
    with pytest.raises(ConflictError, match=said) as refused:
        splice(data.encode(), {"c": "x" * 100})
    assert refused.value.message.startswith("there is no room in the file")
    assert "text editor" not in refused.value.hint
    with pytest.raises(ConflictError, match="there is no room"):
        splice(b"---\na: b\n---\n", {"a": "x" * 70_000})


def test_text_that_utf8_cannot_hold_is_refused() -> None:
    with pytest.raises(UsageError):
        splice(b"---\na: b\n---\n", {"a": "\udcff"})


@st.composite
def chunks(draw: st.DrawFn, margin: str) -> tuple[dict[str, str], list[str]]:
    """The lines of a block: (key -> its lines, in order) and what stands between the keys."""
    written: dict[str, str] = {}
    between = [draw(st.sampled_from(GAPS))]
    for number in range(draw(st.integers(0, 6))):
        key = f"k{number}"
        name = draw(st.sampled_from([key, f"'{key}'", f'"{key}"']))
        value = draw(VALUES)
        lines = f"{name}: {value}\n" if value and value[0] != "\n" else f"{name}:{value}\n"
        written[key] = "".join(f"{margin}{line}\n" for line in lines[:-1].split("\n"))
        between.append(draw(st.sampled_from(GAPS)))
    return written, between


GAPS = ("", "", "", "# comment: with a colon\n", "\n", "# one\n\n  # two\n")
QUOTED = texts.filter(lambda text: text.isprintable()).map(inline)
WORDS = st.sampled_from(["word", "two words", "1.10", "no", "日本", "a:b", "http://e.org/#x"])
VALUES = st.one_of(
    WORDS,
    WORDS.map(lambda word: f"{word} # comment"),
    QUOTED,
    QUOTED.map(lambda text: f"{text}   # comment"),
    st.sampled_from(["", " # empty", "~", "null", "true"]),
    st.lists(QUOTED, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
    st.lists(QUOTED, min_size=1, max_size=3).map(lambda items: f"[{', '.join(items)}] # comment"),
    st.lists(QUOTED, min_size=1, max_size=3).map(
        lambda items: "[\n" + "".join(f"   {item}, # c\n" for item in items) + "  ] # end"
    ),
    st.lists(QUOTED, min_size=1, max_size=3).map(
        lambda items: "\n" + "\n".join(f"  - {item} # c" for item in items)
    ),
    st.lists(WORDS, min_size=1, max_size=3).map(
        lambda items: "\n" + "\n".join(f"- {item}" for item in items)
    ),
    st.sampled_from(
        [
            "|\n  literal\n   text",
            "|-\n  # no comment\n  text",
            ">\n  folded\n\n  text",
            "|2\n    indented",
            "plain\n  over\n  lines",
            "'quoted\n  over\n\n  lines' # comment",
            "\n  on the next line",
            "\n  a: b\n  c: d # comment",
            "{a: b, c: d}",
        ]
    ),
)
NEW = st.one_of(
    st.none(), texts, st.booleans(), st.just(AT), st.lists(texts, max_size=4), st.just(["x" * 90])
)


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, list[str], dict[str, Plain], list[str | None]]:
    """A file, its parts around the keys that change, the changes, and all parts in order."""
    margin = draw(st.sampled_from(["", "", "", "  ", "     "]))
    written, between = draw(chunks(margin))
    keys = [*written, "new1", "new2"]
    changes = draw(st.dictionaries(st.sampled_from(keys), NEW, max_size=4))
    opening = draw(st.sampled_from(["---\n", "--- \n", "\ufeff---\n"]))
    ending = draw(st.sampled_from(["---\n", "---\t\n", "---"]))
    body = draw(st.sampled_from(["", "\n", "text", "---\nkey: x\n", "# k0: x\n"]))
    parts: list[str | None] = [opening + between[0]]
    for (key, lines), gap in zip(written.items(), between[1:], strict=True):
        parts += [None if key in changes else lines, gap]
    parts += [None, ending + ("" if ending == "---" else body)]
    filled = iter([lines for key, lines in written.items() if key in changes])
    text = "".join(next(filled, "") if part is None else part for part in parts)
    return text, [part for part in parts if part is not None], changes, parts


def check_edit(case: tuple[str, list[str], dict[str, Plain], list[str | None]], crlf: bool) -> None:
    text, _, changes, parts = case
    newline = "\r\n" if crlf else "\n"
    before = text.replace("\n", newline).encode()
    old = values_of(before)
    result = splice(before, changes)
    expected: dict[str, object] = {**old}
    for key, value in changes.items():
        if value is None:
            expected.pop(key, None)
        else:
            expected[key] = "2026-08-20T14:32:05Z" if isinstance(value, datetime) else value
    assert values_of(result) == expected
    kept = "".join("(?s:.*?)" if part is None else re.escape(part) for part in parts)
    assert re.fullmatch(kept.replace("\\\n", "\\\r\n" if crlf else "\\\n"), result.decode())
    if crlf:
        assert not re.search(rb"[^\r]\n", result)
    assert splice(result, {}) == result


@given(edits(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_every_other_byte_stays(
    case: tuple[str, list[str], dict[str, Plain], list[str | None]], crlf: bool
) -> None:
    check_edit(case, crlf)


@pytest.mark.soak
@given(edits(), st.booleans())
@settings(max_examples=40_000, deadline=None)
def test_every_other_byte_stays_in_the_large(
    case: tuple[str, list[str], dict[str, Plain], list[str | None]], crlf: bool
) -> None:
    check_edit(case, crlf)


@given(anything, st.dictionaries(st.sampled_from(["title", "tags", "new"]), NEW, max_size=3))
@settings(max_examples=80, deadline=None)
def test_any_bytes_are_edited_as_meant_or_refused(
    data: bytes, changes: Mapping[str, str | Sequence[str] | None]
) -> None:
    try:
        result = splice(data, changes)
    except DollError:
        return
    for key, value in values_of(data).items():
        assert key in changes or values_of(result)[key] == value
    assert result.startswith(data[:3])
