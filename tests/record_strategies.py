"""Hypothesis strategies for records of every type, with text that hurts, and for their bodies."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import msgspec
from hypothesis import strategies as st

from doll.records.fields import Field, fields_of
from doll.records.model import STRUCTS, TYPES, Fields, RecordType

HOSTILE = (
    "",
    " ",
    " lead",
    "trail ",
    "a: b",
    "a:b",
    "a #b",
    "#",
    "- a",
    "-",
    "--- ",
    "---",
    "...",
    "? x",
    "%YAML 1.1",
    "*bold*",
    "&a",
    "!tag",
    "@at",
    "`tick`",
    "|",
    ">",
    "[[link]]",
    "[x",
    "{y}",
    "x, y",
    "x,y",
    "it's",
    'say "hi"',
    "'",
    '"',
    "\\",
    "\\u0041",
    "a\nb",
    "a\r\nb",
    "a\rb",
    "\n",
    "\t",
    "a\tb",
    "null",
    "Null",
    "~",
    "true",
    "True",
    "no",
    "yes",
    "on",
    "off",
    "y",
    "n",
    "1.10",
    "0123",
    "1e5",
    "0x1f",
    "1_000",
    "12:30:45",
    "2026-01-01",
    ".inf",
    ".nan",
    "=",
    "<<",
    "\x00",
    "\x07",
    "\x1b[31m",
    "\x7f",
    "\x85",
    "\u2028",
    "\u2029",
    "\u202eevil",
    "\u200b",
    "\ufeff",
    "\ufffe",
    "\U0001f469\u200d\U0001f680",
    "渋谷の焼き鳥屋",
    "我喜歡咖啡",
    "e\u0301",
    "é",
    "ﬁ",
    "<<<<<<< HEAD",
)

texts = st.sampled_from(HOSTILE) | st.text(
    st.characters(codec="utf-8") | st.sampled_from(" \n\r\t:#-[]{}'\",&*!|>%@`\\"), max_size=40
)
times = st.datetimes(
    datetime(2, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    datetime(9998, 12, 31),  # noqa: DTZ001
    timezones=st.just(UTC)
    | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)
claims = st.dictionaries(texts, texts, max_size=4)
bodies = st.sampled_from(
    (
        "",
        "\n",
        "no last line feed",
        "---\n",
        "---\ntitle: not this\n---\n",
        "# A heading\r\n\r\ntext\r\n",
        "\r",
        "```\n---\n```\n",
        "~~~ yaml\ntitle: x\n...\n",
        "a\u2028b\x0c\x1c\n",
        "\ufeff",
        "=======\n>>>>>>> HEAD\n",
        "  \n\t\n",
    )
) | texts.filter(lambda text: "\0" not in text)


# Names and addresses as git takes them.
_identities = st.from_regex(
    r"[A-Za-zäß'.][A-Za-zäß' .-]{0,20}[a-z] <[a-z]{1,9}@[a-z.]{1,9}>", fullmatch=True
)


@st.composite
def fields(draw: st.DrawFn, types: tuple[RecordType, ...] = TYPES) -> Fields:
    """Fields of any record type that obey the rules between fields."""
    record_type = draw(st.sampled_from(types))
    values: dict[str, Any] = {}
    for field in fields_of(record_type).values():
        if field.name != "schema" and (field.required or draw(st.booleans())):
            values[field.name] = draw(value(field))
    begin, end = values.get("valid_from"), values.get("valid_until")
    if begin and end and end <= begin:
        del values["valid_until"]
    reviewed = ("reviewed_by", "reviewed_at", "reviewed_sha256")
    if not all(name in values for name in reviewed):
        for name in reviewed:
            values.pop(name, None)
    if "redacted_by" in values:
        values["redacted_by"] = draw(_identities)
    if "redacted_at" in values and "at" in values:
        values["at"], values["redacted_at"] = sorted((values["at"], values["redacted_at"]))
    return msgspec.convert(values, STRUCTS[record_type])


def value(field: Field) -> st.SearchStrategy[Any]:
    """Values of one field."""
    match field.shape:
        case "flag":
            return st.booleans()
        case "time":
            return times
        case "choice":
            return st.sampled_from(field.choices)
        case "claims":
            return claims
        case "texts":
            return st.lists(_text(field), max_size=4).map(tuple)
        case "text":
            return _text(field)


def _text(field: Field) -> st.SearchStrategy[str]:
    if field.pattern is not None:
        within = field.pattern.removeprefix(r"\A").removesuffix(r"\Z")
        made = st.from_regex(within, fullmatch=True)
        return made.filter(lambda text: len(text) <= (field.max_length or 300))
    if field.min_length:
        return texts.filter(bool)
    return texts
