"""References that get a new id: the name alone changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.records.codec import values_of
from doll.records.handler import entry
from doll.records.references import plain
from doll.records.repointing import repoint

FIELDS = ("project", "depends_on", "related")


def file(block: str, newline: str = "\n") -> bytes:
    return f"---\n{block}---\n\nsee [[old]]\nproject: old".replace("\n", newline).encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("project: old\n", "project: new\n"),
        ("project:   'old'  # old\n", "project:   'new'  # old\n"),
        ('project: "old" # it\'s old\n', 'project: "new" # it\'s old\n'),
        ("project: OLD\n", "project: new\n"),
        ('project: "[[old|the old one]]"\n', 'project: "[[new|the old one]]"\n'),
        ("project: old#part\n", "project: new#part\n"),
        ("depends_on: [ a,old , 'old' ] # c\n", "depends_on: [ a,new , 'new' ] # c\n"),
        ("depends_on: [older, old-1, old]\n", "depends_on: [older, old-1, new]\n"),
        (
            "depends_on:\n# c\n- a # old\n-  old   # d\n",
            "depends_on:\n# c\n- a # old\n-  new   # d\n",
        ),
        ("depends_on: old\n", "depends_on: new\n"),
        ("title: old\nproject: old\n", "title: old\nproject: new\n"),
        ("title: old\nproject: other\n", "title: old\nproject: other\n"),
        ("related: [old,\n  old]\n", "related: [new,\n  new]\n"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_name_alone_changes(before: str, after: str, newline: str) -> None:
    assert repoint(file(before, newline), FIELDS, "old", "new") == file(after, newline)


def test_a_new_name_is_quoted_where_it_has_to_be() -> None:
    data = file("depends_on: [old, \"old\", 'old']\n")
    changed = repoint(data, FIELDS, "old", "it's, no")
    assert values_of(changed)["depends_on"] == ["it's, no"] * 3
    assert values_of(repoint(file("project: old\n"), FIELDS, "old", "no")) == {"project": "no"}


def test_a_name_over_several_lines_is_rewritten_whole() -> None:
    data = file("project: >-\n  old\ntitle: x\n")
    assert values_of(repoint(data, FIELDS, "old", "new")) == {"project": "new", "title": "x"}


NAMES = st.sampled_from(["old", "Old", "older", "an old", "[[old]]", "o'ld", "[[old|x]]", "1"])


@given(st.lists(NAMES, min_size=1), st.sampled_from(["new", "n'ew", "a, b", "x & y", "007"]))
def test_any_list_says_what_is_meant(names: list[str], new: str) -> None:
    data = file(entry("related", names) + "\n")
    found = values_of(repoint(data, FIELDS, "old", new))["related"]
    assert isinstance(found, list)
    assert found == [
        name.replace(plain(name), new) if plain(name).lower() == "old" else name for name in names
    ]
