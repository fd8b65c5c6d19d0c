"""Which path of a vault is what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.records.model import FOLDERS, TYPES, RecordType
from doll.records.names import id_fault
from doll.vault.layout import (
    area_of,
    expected_type,
    holds_records,
    is_kept,
    is_record,
    path_of,
    record_id,
)

RECORDS: dict[str, tuple[str, RecordType | None]] = {
    "confirmed/espresso-order.md": ("espresso-order", "memory"),
    "confirmed/a/b/c/d.md": ("d", "memory"),
    "confirmed/build/x.md": ("x", "memory"),
    "confirmed/node_modules/x.md": ("x", "memory"),
    "confirmed/dist/env/ops/x.md": ("x", "memory"),
    "confirmed/_archive/x.md": ("x", "memory"),
    "confirmed/source/x.md": ("x", "memory"),
    "confirmed/x.md/y.md": ("y", "memory"),
    "confirmed/readme.md": ("readme", "memory"),
    "confirmed/u\u0308ber.md": ("über", "memory"),
    "experience/atlas/20260820T143205Z-attempt-x-k3v9q2xw7d.md": (
        "20260820T143205Z-attempt-x-k3v9q2xw7d",
        "experience",
    ),
    "experience/x.md": ("x", "experience"),
    "authority/policies/x.md": ("x", "policy"),
    "authority/work-items/deep/x.md": ("x", "work-item"),
    "authority/capabilities/db.migrate.md": ("db.migrate", "capability"),
    "authority/x.md": ("x", None),
    "authority/recipes/x.md": ("x", None),
    "staging/pam/chatgpt/x.md": ("chatgpt/x", None),
    "staging/pam/chatgpt/deep/x.md": ("chatgpt/x", None),
    "staging/pam/source/x.md": ("source/x", None),
    "staging/pam/chatgpt/deep/source/x.md": ("chatgpt/x", None),
    "staging/pam/chatgpt/source.md": ("chatgpt/source", None),
    "staging/proposals/x.md": ("proposals/x", None),
    "staging/proposals/deep/x.md": ("proposals/x", None),
    "staging/proposals/deep/source/x.md": ("proposals/x", None),
    "staging/pam/x.md": ("pam/x", None),
    "staging/x.md": ("staging/x", None),
}


@pytest.mark.parametrize("path", RECORDS)
def test_records(path: str) -> None:
    found, record_type = RECORDS[path]
    assert is_record(path)
    assert area_of(path) == path.partition("/")[0]
    assert record_id(path) == found
    assert expected_type(path) == record_type


@pytest.mark.parametrize(
    "path",
    [
        "",
        "x.md",
        "confirmed",
        "confirmed.md",
        "other/x.md",
        "doll.yaml",
        ".doll/cache/x.md",
        ".doll/confirmed/x.md",
        "confirmed/README.md",
        "experience/atlas/README.md",
        "confirmed/_draft.md",
        "confirmed/.x.md",
        "confirmed/.md",
        "confirmed/.obsidian/x.md",
        "confirmed/a/.trash/b/x.md",
        "confirmed/x.txt",
        "confirmed/x.md~",
        "confirmed/x.md.tmp",
        "confirmed/.#x.md",
        "confirmed/4913",
        "confirmed/.doll-new-12-ab",
        "staging/pam/chatgpt/_import.md",
        "staging/pam/chatgpt/source/x.md",
        "staging/pam/chatgpt/source/deep/x.md",
        "/confirmed/x.md",
        "../confirmed/x.md",
    ],
)
def test_what_is_no_record(path: str) -> None:
    assert not is_record(path)


@given(st.lists(st.sampled_from(["confirmed", "staging", "source", "a", ".b", "_c", "x.md", "y"])))
def test_a_record_is_a_record_name_in_a_folder_of_records(parts: list[str]) -> None:
    path = "/".join(parts)
    folder, _, name = path.rpartition("/")
    named = name.endswith(".md") and name[0] not in "._"
    assert is_record(path) == (named and holds_records(folder))


@pytest.mark.parametrize("record_type", TYPES)
def test_where_a_record_belongs_its_folder_says_its_type(record_type: RecordType) -> None:
    path = path_of(record_type, "some-id", "atlas")
    assert path.startswith(f"{FOLDERS[record_type]}/")
    assert is_record(path)
    assert record_id(path) == "some-id"
    assert expected_type(path) == record_type
    assert path == ("experience/atlas/some-id.md" if record_type == "experience" else path)


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("experience/atlas/x.md", True),
        ("experience/x", True),
        ("experience/atlas/notes/x.png", True),
        ("experience/atlas/_x.md", True),
        ("experience/atlas/.hidden", True),
        ("experience/README.md", False),
        ("experience/atlas/README.md", False),
        ("experience/atlas/.gitkeep", False),
        ("experience", False),
        ("confirmed/x.md", False),
        ("experience2/x.md", False),
    ],
)
def test_what_is_append_only(path: str, kept: bool) -> None:
    assert is_kept(path) == kept


@pytest.mark.parametrize("stem", ["x", "db.migrate", "a.md", "日本"])
def test_an_id_is_the_name_without_its_ending(stem: str) -> None:
    assert record_id(f"confirmed/{stem}.md") == stem
    assert id_fault(stem) is None
