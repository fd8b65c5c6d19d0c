"""Law 3: whatever an entry looks like, `doll redact` makes of it what the one rule takes."""

from contextlib import suppress
from datetime import UTC, datetime

from hypothesis import assume, given
from hypothesis import strategies as st

from doll.errors import UsageError
from doll.preflight.strength import assertion_of
from doll.records.codec import parse, values_of
from doll.records.digest import sha256
from doll.records.model import Experience
from doll.services.checking.redacting import ADDED, REDACTABLE, REDACTED, is_redaction
from doll.services.redacting.replacing import Mark, redacted, texts_of
from doll.services.redacting.wanted import Wanted, parse_wanted
from tests.record_strategies import HOSTILE

MARK = Mark(datetime(2026, 9, 1, 8, tzinfo=UTC), "Ada <ada@example.org>", "a reason: #1")

# One text in each way in which a value can be written, and the lists and claims.
TEXTS = (
    "plain words",
    "'single: #quoted'",
    '"double \\"quoted\\" \\u65e5"',
    "plain over\n  two lines",
    "|\n  block\n  # of text\n",
    ">-\n  folded\n  text\n",
    "'' ",
    "[a]",
)
LISTS = (
    "[a, 'b c', \"d\"]",
    "[a, # why\n  b]",
    "\n  - a\n  - 'b' # why\n  - |\n    block\n    text\n",
    "\n- a\n# between\n- b c\n",
    "one",
    "[]",
)
CLAIMS = (
    "\n  /a: '\"x\"'\n  /b: '1'",
    '\n  "/a b": "y"',
    "{/a: x, '/b': \"y\"}",
    "{}",
)
# What a key that is no field can hold: anything.
SHAPES = (
    "\n  a: [1, {b: X}]",
    "\n- [a, {b: [c]}] # why\n- d: e\n  # f\n  g: h\n",
    "{a: {b: true}}",
    "[[a], {}]",
    "\n  ? a b\n  : c",
)
NAMES = ("title", "evidence", "tags", "paths", "claims", "origin_id", "nick", "names", "mine")
LINES = {
    "title": TEXTS,
    "origin_id": TEXTS,
    "nick": TEXTS,
    "evidence": LISTS,
    "tags": LISTS,
    "paths": LISTS,
    "names": LISTS,
    "claims": CLAIMS,
    "mine": SHAPES,
}
KEPT = (
    "project: atlas # of ours\nkind: attempt\nassertion: user_recorded\n"
    "at: 2026-08-20T14:32:05Z\noutcome: failed\nactions: [db.migrate]\n"
)


@st.composite
def entries(draw: st.DrawFn) -> bytes:
    """Draw an entry with fields that can be redacted, in any style and order."""
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=6))
    lines = []
    for name in names:
        value = draw(st.sampled_from(LINES[name]))
        lines.append(f"{name}:{'' if value.startswith(chr(10)) else ' '}{value}")
    comment = draw(st.sampled_from(("", "# a comment\n", "\n")))
    front = "".join(f"{line}\n{comment}" for line in ["summary: It failed", *lines])
    body = draw(st.sampled_from(("", "\n", "\nOne.\n", "Two", "\n\n---\nsummary: x\n", *HOSTILE)))
    text = f"---\n{KEPT}{front}---\n{body}"
    if draw(st.booleans()):
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return text.encode()


WANTED = st.lists(
    st.sampled_from(
        [
            *NAMES,
            *("summary", "body", "tags:1", "tags:2", "evidence:3", "paths:1", "names:2"),
            *("claims:/a", "claims:/b", "claims:/a b"),
        ]
    ),
    min_size=3,
    max_size=8,
)


def wanted_of(data: bytes, fields: list[str]) -> list[Wanted]:
    """Return what can be redacted of what is named; nothing where the entry is no record."""
    before = parse(data, "", "x", "experience")
    if before.record is None:
        return []
    fitting = []
    for field in fields:
        with suppress(UsageError):
            parse_wanted((field,), values_of(data), before.body)
            fitting.append(field)
    return parse_wanted(tuple(fitting), values_of(data), before.body)


@given(entries(), WANTED)
def test_what_is_redacted_has_the_shape_and_still_warns(data: bytes, fields: list[str]) -> None:
    wanted = wanted_of(data, fields)
    assume(wanted)
    after = redacted(data, wanted, MARK)
    assert is_redaction(data, after)
    before, values = parse(data, "", "x", "experience"), values_of(data)
    assert before.record is not None
    result = parse(after, "", "x", "experience")
    assert result.record is not None
    old, new = before.record.fields, result.record.fields
    assert isinstance(old, Experience)
    assert isinstance(new, Experience)
    for name in Experience.__struct_fields__:
        if name not in REDACTABLE and name not in ADDED:
            assert getattr(old, name) == getattr(new, name)
    assert assertion_of(before.record) == assertion_of(result.record)
    named = {each.key for each in wanted}
    changed = values_of(after)
    assert all(changed[key] == value for key, value in values.items() if key not in named)
    assert changed["redacted_sha256"] == sha256(data)
    if "body" not in named:
        assert result.body == before.body
    assert texts_of(data, wanted)
    assert set(texts_of(after, wanted)) == {REDACTED}


@given(entries(), WANTED, st.data())
def test_one_byte_beside_it_is_no_redaction(
    data: bytes, fields: list[str], draw: st.DataObject
) -> None:
    wanted = wanted_of(data, fields)
    assume(wanted)
    after = redacted(data, wanted, MARK)
    # A body may have such line ends while the front matter has none.
    kept = KEPT.encode() if KEPT.encode() in after else KEPT.replace("\n", "\r\n").encode()
    at = draw.draw(st.integers(0, len(kept) - 1))
    start = after.index(kept)
    byte = draw.draw(st.sampled_from(b"x #1"))
    hostile = after[: start + at] + bytes([byte]) + after[start + at + 1 :]
    assert hostile == after or not is_redaction(data, hostile)
    cut = after[: start + at] + after[start + at + 1 :]
    assert not is_redaction(data, cut)
