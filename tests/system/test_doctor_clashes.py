"""`doll doctor` on records whose names are one: the newcomer is renamed, references stay true."""

import json

import pytest

from tests.desk import Desk
from tests.examined import commands, of_code, wanting

FIRST = "---\ntitle: First\n---\n"
LATER = "---\ntitle: Later\n---\n"
NAMING = "---\ntitle: Naming\nsupersedes: [tea]\n---\n"


def _commit(desk: Desk, *paths: str) -> None:
    desk.git("add", "--", *paths)
    desk.git("commit", "-qm", "more", "--", *paths)


def _title(desk: Desk, name: str) -> str:
    """Return the title of the record that a reference of this name means."""
    shown = json.loads(desk.ok("show", name, "--json").out)
    title: str = shown["record"]["fields"]["title"]
    return title


@pytest.mark.sampled(6)
@pytest.mark.parametrize("known", ["untracked", "staged", "committed later"])
@pytest.mark.parametrize(("first", "later"), [("tea", "Tea"), ("Tea", "tea"), ("té", "te\u0301")])
def test_the_newcomer_is_renamed(desk: Desk, first: str, later: str, known: str) -> None:
    desk.put(f"confirmed/{first}.md", FIRST)
    desk.put("confirmed/naming.md", NAMING.replace("tea", first))
    _commit(desk, "confirmed")
    desk.put(f"confirmed/{later}.md", LATER)
    if known != "untracked":
        desk.git("add", f"confirmed/{later}.md")
    if known == "committed later":
        _commit(desk, f"confirmed/{later}.md")
        desk.put(f"confirmed/{first}.md", FIRST + "Changed since.\n")
        _commit(desk, f"confirmed/{first}.md")
    (line,) = commands(of_code(desk, "path.clash"))
    desk.at("..").type(line)
    assert "path.clash" not in wanting(desk)
    assert _title(desk, first) == "First"
    assert _title(desk, f"{later}-2") == "Later"
    assert desk.read(f"confirmed/{later}-2.md") == LATER
    desk.ok("validate")


def test_a_name_that_a_record_has_elsewhere_is_not_given(desk: Desk) -> None:
    desk.put("confirmed/tea.md", FIRST)
    desk.put("confirmed/chai.md", "---\ntitle: Chai\naliases: [Tea-2]\n---\n")
    desk.put("confirmed/deep/tea-3.md", FIRST)
    _commit(desk, "confirmed")
    desk.put("confirmed/Tea.md", LATER)
    (line,) = commands(of_code(desk, "path.clash"))
    desk.type(line)
    assert desk.read("confirmed/Tea-4.md") == LATER
    desk.ok("validate")


def test_folders_of_which_one_came_later(desk: Desk) -> None:
    desk.put("confirmed/notes/a.md", FIRST)
    _commit(desk, "confirmed")
    desk.put("confirmed/Notes/b.md", LATER)
    _commit(desk, "confirmed")
    desk.put("confirmed/notes/c.md", FIRST)
    _commit(desk, "confirmed")
    (line,) = commands(of_code(desk, "path.clash"))
    desk.type(line)
    assert desk.read("confirmed/Notes-2/b.md") == LATER
    assert desk.read("confirmed/notes/a.md") == FIRST
