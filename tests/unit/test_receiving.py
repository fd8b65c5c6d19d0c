"""The pure parts of a push: what git says, where a vault lies, who wrote a record for certain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.errors import ConfigurationError, UsageError
from doll.services.receiving.server import vault_prefix
from doll.services.receiving.updates import Update, parse_updates
from doll.services.verifying.reviews import is_users
from doll.vault.entries import parse_file

OLD, NEW, NONE = "a" * 40, "b" * 64, "0" * 40


def test_updates_are_read_with_what_is_made_and_deleted() -> None:
    said = f"{OLD} {NEW} refs/heads/a b\n{NONE} {OLD} refs/tags/\u00e9\n{OLD} {NONE} refs/x\n"
    assert parse_updates(said) == (
        Update(OLD, NEW, "refs/heads/a b"),
        Update(None, OLD, "refs/tags/\u00e9"),
        Update(OLD, None, "refs/x"),
    )
    assert parse_updates("") == ()


@pytest.mark.parametrize("line", ["x", f"{OLD} {NEW}", f"{OLD} x refs/a", f"{OLD} {NEW} main"])
def test_other_input_is_wrong_usage(line: str) -> None:
    with pytest.raises(UsageError):
        parse_updates(line)


@pytest.mark.parametrize(
    ("name", "prefix"),
    [(".", ""), ("", ""), ("notes", "notes/"), ("./a//b/", "a/b/"), ("..a", "..a/")],
)
def test_where_a_vault_lies(name: str, prefix: str) -> None:
    assert vault_prefix(name) == prefix


@pytest.mark.parametrize("name", ["/srv/notes", "../x", "a/.."])
def test_a_vault_lies_inside(name: str) -> None:
    with pytest.raises(ConfigurationError):
        vault_prefix(name)


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        ("title: a", True),
        ("origin: user", True),
        ("title: a\norigin: user  ", True),
        ("origin: model", False),
        ("origin: user\norigin: model", False),
        ('"orig\\x69n": model', False),
        ("origin: user\norigin_id: x", False),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_who_wrote_a_record_is_told_for_certain_or_left_open(
    front: str, expected: bool, newline: str
) -> None:
    text = f"---\n{front}\n---\n\norigin: model\n".replace("\n", newline)
    assert is_users(text.encode()) is expected


_LINES = st.sampled_from(
    [
        "---",
        "--- ",
        "---x",
        "title: a",
        "origin: user",
        "origin: model",
        " origin: model",
        "'origin': import",
        '"orig\\u0069n": model',
        "summary: |",
        "  ---",
        "origin:",
        "  model",
        "# origin: user",
        "{origin: model}",
    ]
)


@given(st.lists(_LINES, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_no_record_of_another_is_taken_for_the_users(lines: list[str], newline: str) -> None:
    data = newline.join(["---", *lines, "---", "body", ""]).encode()
    record = parse_file(data, "confirmed/a.md")[0]
    if record is not None and is_users(data):
        assert record.fields.origin == "user"
