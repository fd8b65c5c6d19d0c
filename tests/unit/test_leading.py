"""Lines that are typed elsewhere than in the vault lead to it; every other line stays as it is."""

import importlib
from collections.abc import Iterator

import pytest

from doll.cli.table import COMMANDS
from doll.render import leading
from doll.render.leading import Way, by, is_to_type, led

ELSEWHERE = Way("/my notes", "/my notes")


@pytest.fixture
def elsewhere() -> Iterator[None]:
    before = leading._way.get()
    by(lambda: ELSEWHERE)
    yield
    by(before)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("rm -- confirmed/a.md", "cd '/my notes' && rm -- confirmed/a.md"),
        ("rm -- /tmp/a.md", None),
        ("rm -- \"$(printf 'a\\303\\251.md')\"", "cd '/my notes' && {}"),
        ("rm -- \"$(printf '/a\\303\\251.md')\"", None),
        ("mkdir -p -- a/b && mv -n -- x.md a/b/x.md    moves it", "cd '/my notes' && {}"),
        ("cd '/my notes' && rm -- confirmed/a.md", None),
        ("git restore -- confirmed/a.md", "cd '/my notes' && {}"),
        ("git -C '/my notes' restore -- confirmed/a.md", None),
        ("git -C /v diff -z HEAD -- confirmed | git -C /v restore --staged -", None),
        ("to drop it: git rm -- a.md", "to drop it: cd '/my notes' && git rm -- a.md"),
        ("git config doll.project ID", None),
        ("doll index", "doll index --vault '/my notes'"),
        ("doll index    makes it", "doll index --vault '/my notes'    makes it"),
        ("doll mv -- a b", "doll mv --vault '/my notes' -- a b"),
        ('doll correct x "a -- b" --at T', "{} --vault '/my notes'"),
        ("doll log lesson 'a && doll list'", "{} --vault '/my notes'"),
        ("doll review list > FILE", "doll review list --vault '/my notes' > FILE"),
        (
            "doll list && doll show a",
            "doll list --vault '/my notes' && doll show a --vault '/my notes'",
        ),
        ("doll list --vault /other", None),
        ("`doll list --type x` shows it", "`doll list --type x --vault '/my notes'` shows it"),
        ("mend it, then: doll sync", "mend it, then: doll sync --vault '/my notes'"),
        (
            "        doll review    (committed)",
            "        doll review --vault '/my notes'    (committed)",
        ),
        (
            "compare: doll show a; then rename",
            "compare: doll show a --vault '/my notes'; then rename",
        ),
        ("as a model: doll new memory …", "as a model: doll new memory --vault '/my notes' …"),
        (
            "git -C /v push    then doll sync",
            "git -C /v push    then doll sync --vault '/my notes'",
        ),
        ("doll did not write it: mend it", None),
        ("doll hooks install", None),
        ("doll init notes", None),
        ("doll import --detect PATH", None),
        ("doll export --help", None),
        ("# rm -- confirmed/a.md", None),
        ("did you mean espresso?", None),
        ("rm -- 'it is", None),
        ("", None),
    ],
)
def test_a_line_is_typed_such_that_it_leads_to_the_vault(line: str, typed: str | None) -> None:
    expected = line if typed is None else typed.replace("{}", line)
    assert led(line) == expected
    assert led(led(line)) == expected


def test_each_line_of_a_hint_is_changed_by_itself(elsewhere: None) -> None:
    assert led("rm -- a\n# or\ndoll index") == (
        "cd '/my notes' && rm -- a\n# or\ndoll index --vault '/my notes'"
    )


def test_in_the_vault_nothing_is_changed() -> None:
    by(Way)
    assert led("rm -- a && doll index") == "rm -- a && doll index"


@pytest.mark.parametrize(
    "line",
    [
        *("rm -- a", "doll index    x", "git status", "cd /a && rm -- b"),
        *("git add a    then doll sync", "mv -n -- /a /b    is in the way; doll makes it anew"),
    ],
)
def test_a_command_is_to_type(line: str) -> None:
    assert is_to_type(line)


@pytest.mark.parametrize("line", ["", "# rm -- a", "write format: 1", "to drop it: rm -- a"])
def test_words_are_not_to_type(line: str) -> None:
    assert not is_to_type(line)


def test_every_command_that_has_a_vault_is_told_of_it() -> None:
    """A new command belongs into the list, or here."""
    told = set(leading._OURS.split("|"))
    assert told <= set(COMMANDS)
    about_none = {"init", "schema", "tour", "hooks"}
    assert set(COMMANDS) - told == about_none
    for name in told:
        command = importlib.import_module(COMMANDS[name].module).command
        for one in getattr(command, "commands", {"": command}).values():
            assert "--vault" in [option for each in one.params for option in each.opts], name
