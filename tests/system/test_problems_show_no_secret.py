"""Problems quote the file that they are about, and never a secret in it: text, JSON and hooks."""

from pathlib import Path

import pytest

from tests.desk import Desk, make_vault
from tests.gitbox import git

pytestmark = pytest.mark.sampled(4)

TOKEN = "ghp_" + "a1B2" * 9
PASSWORD = "Tr0ub4dor&3x!"
PLAIN = "Tr0ub4dor3xq9Z"
LOGIN = "admin:pa55-w0rd-of-the-house-with-a-very-long-rest-0123456789@db"
POLICY = "authority/policies/p.md"

# Where a secret stands, by the code of the problem that quotes what is there.
PLANTED = {
    "yaml.syntax": f"summary: password: {PASSWORD}",
    "yaml.syntax, no space": f"password:{PASSWORD}\ntitle: x",
    "yaml.syntax, full width": f"password：{PASSWORD}\ntitle: x",
    "yaml.syntax, in a list": f"tags: [{TOKEN}]x",
    "yaml.alias": f"password: *{PLAIN}",
    "yaml.alias, in a list": f"tags: [ok, *{TOKEN}]",
    "yaml.alias, an anchor": f"password: &{PLAIN} x",
    "yaml.syntax, an anchor": f"password: &{PASSWORD} x",
    "yaml.tag": f"password: !{PASSWORD} x",
    "yaml.duplicate_key": f"{TOKEN}: a\n{TOKEN}: b",
    "field.value": f"kind: {TOKEN}",
    "field.value, long": f"kind: see https://{LOGIN} for this",
    "field.time": f"created: {TOKEN}",
    "field.time, long": f"created: postgres://{LOGIN}/orders-of-the-year",
    "field.shape": f"kind: [{TOKEN}]",
    "field.unknown": f"{TOKEN}: x",
    "field.unknown, long": f"https://{LOGIN}/x-and-some-more-of-a-key: x",
    "schema.unknown": f"schema: {TOKEN}",
    "schema.unknown, long": f"schema: https://{LOGIN}/orders-of-the-year-and-more",
    "reference.unresolved": f"related: {TOKEN}",
    "id.duplicate": f"aliases: [{TOKEN}]",
}
SECRETS = (TOKEN, PASSWORD, PLAIN, "pa55-w0rd")


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(make_vault(tmp_path / "vault"), capsys)


def shown_nowhere(desk: Desk, *arguments: str) -> str:
    """Run `doll`, hold what it prints to having no secret in it, and return it."""
    result = desk.doll(*arguments)
    for secret in SECRETS:
        assert secret not in result.out + result.err, arguments
    return result.out + result.err


@pytest.mark.sampled(6)
@pytest.mark.parametrize("place", PLANTED)
def test_no_command_shows_the_secret_in_a_problem(desk: Desk, place: str) -> None:
    desk.put("confirmed/x.md", f"---\n{PLANTED[place]}\n---\n")
    if place == "id.duplicate":
        desk.put("confirmed/y.md", f"---\naliases: [{TOKEN}]\n---\n")
    said = shown_nowhere(desk, "validate")
    assert f"[{place.partition(',')[0]}]" in said
    assert "[secret.found]" in said
    for command in ("validate", "status", "list", "preflight"):
        shown_nowhere(desk, command)
        shown_nowhere(desk, command, "--json")
    shown_nowhere(desk, "show", "x")
    shown_nowhere(desk, "show", "x", "--json")
    shown_nowhere(desk, "recall", "anything")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("place", PLANTED)
def test_neither_preflight_nor_the_staged_check_does(desk: Desk, place: str) -> None:
    desk.put(POLICY, f"---\neffect: deny\n{PLANTED[place]}\n---\n")
    git(desk.root, "add", "-A")
    shown_nowhere(desk, "validate", "--staged")
    shown_nowhere(desk, "validate", "--staged", "--json")
    git(desk.root, "commit", "-qm", "a slip")
    for draft in ((), ("--draft",)):
        shown_nowhere(desk, "preflight", "--project", "atlas", "--action", "db.migrate", *draft)
        shown_nowhere(desk, "preflight", "--project", "atlas", "--json", *draft)


def test_the_hook_does_not(desk: Desk) -> None:
    desk.put("confirmed/x.md", f"---\n{PLANTED['yaml.syntax']}\n---\n")
    git(desk.root, "config", "doll.vault", str(desk.root))
    git(desk.root, "add", "-A")
    said = shown_nowhere(desk, "hooks", "run", "pre-commit")
    assert "[secret: password-assignment]" in said
    assert "yaml.syntax" in said


def test_what_is_shown_says_where_and_covers_only_the_secret(desk: Desk) -> None:
    desk.put("confirmed/x.md", f"---\n{PLANTED['field.value']}\n---\n")
    (problem,) = [
        each
        for each in desk.doll("validate", "--json").json["problems"]
        if each["code"] == "field.value"
    ]
    assert (problem["line"], problem["column"]) == (2, 7)
    assert problem["message"].startswith("`kind`: [secret: github-token] is none of fact, ")


def test_an_error_that_quotes_a_secret_covers_it(desk: Desk) -> None:
    said = shown_nowhere(desk, "show", TOKEN)
    assert "[secret: github-token]" in said
    shown_nowhere(desk, "show", TOKEN, "--json")
    shown_nowhere(desk, "list", "--status", TOKEN)
    shown_nowhere(desk, "preflight", "--as-of", TOKEN)


def test_a_shown_record_covers_what_its_keys_and_references_say(desk: Desk) -> None:
    claims = f"claims:\n  /password: {PASSWORD}\n"
    desk.put("confirmed/x.md", f"---\ntitle: X\nrelated: {TOKEN}\n{claims}---\n")
    shown_nowhere(desk, "show", "x")
    said = shown_nowhere(desk, "show", "x", "--json")
    assert '"/password": "[secret: password-assignment]"' in said


def _entry(field: str) -> str:
    fields = {
        "project": "atlas",
        "kind": "attempt",
        "assertion": "user_recorded",
        "at": "2026-09-01T08:00:00Z",
        "outcome": "failed",
        "summary": "The zebra",
    }
    lines = (fields | {field: TOKEN}).items()
    return "".join(f"{name}: {value}\n" for name, value in lines)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "field",
    [
        *("project", "summary", "title", "work_item", "paths", "evidence", "sources"),
        *("related", "tags", "aliases", "resolves", "supersedes"),
    ],
)
def test_no_view_of_a_readable_record_shows_the_secret(desk: Desk, field: str) -> None:
    path = "experience/atlas/20260901T080000Z-attempt-x-k3v9q2xw7d.md"
    desk.put(path, f"---\n{_entry(field)}---\nA zebra.\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "an entry")
    commands = (
        ("list",),
        ("status",),
        ("validate",),
        ("preflight",),
        ("preflight", "--project", "atlas"),
        ("show", "k3v9q2xw7d"),
        ("recall", "zebra attempt", "--explain"),
    )
    for command in commands:
        shown_nowhere(desk, *command)
        shown_nowhere(desk, *command, "--json")
    assert '"records": [\n' in desk.ok("list", "--type", "experience", "--json").out


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "field", ["summary", "title", "tags", "origin_adapter", "origin_source", "origin_id"]
)
def test_no_view_of_a_candidate_shows_the_secret(desk: Desk, field: str) -> None:
    said = {"title": "Zebra", "origin": "model", field: TOKEN}
    lines = "".join(f"{name}: {value}\n" for name, value in said.items())
    desk.put("staging/proposals/x.md", f"---\nschema: doll/memory/1\n{lines}---\nA zebra.\n")
    for command in (("review", "list"), ("review", "show", "x"), ("review", "diff", "x")):
        shown_nowhere(desk, *command)
        shown_nowhere(desk, *command, "--json")
    shown_nowhere(desk, "list", "--staging", "--json")
    assert '"id": "proposals/x"' in desk.ok("review", "list", "--json").out
