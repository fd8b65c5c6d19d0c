"""`doll list`, `doll show` and `doll schema`: reading, with labels and secrets respected."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from doll.records.model import TYPES
from tests.desk import Desk

pytestmark = pytest.mark.sampled(4)

KEY = "AKIA" + "QWERTYUIOPASDFGH"
MEMORIES = ["espresso", "evil", "old", "proposals/tea-01234567", "safe"]
EVIL = "Fine \u202e\x1b[31m\nauthority/policies/x.md"


@pytest.fixture
def stocked(desk: Desk) -> Desk:
    """A vault with a little of everything, some of it broken or hostile."""
    desk.put("confirmed/espresso.md", "---\ntitle: Espresso, no sugar\n---\nBlack.\n")
    desk.put("confirmed/old.md", "---\nstatus: archived\nrelated: [espresso, gone]\n---\n# Old\n")
    desk.put("confirmed/evil.md", f"---\ntitle: {json.dumps(EVIL)}\n---\n{EVIL}\n{KEY}\n")
    desk.put("confirmed/safe.md", "---\ntitle: Below the stone\nsensitivity: secret\n---\nStone.\n")
    desk.put("confirmed/broken.md", "---\ntitle: [\n---\n")
    desk.put(
        "authority/policies/off.md",
        "---\neffect: deny\nenabled: false\nprojects: [Atlas]\n---\n",
    )
    desk.put("authority/policies/on.md", "---\neffect: deny\n---\n")
    desk.put(
        "experience/atlas/20260820T143205Z-attempt-x-k3v9q2xw7d.md",
        "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\n"
        "at: 2026-08-20T14:32:05Z\nsummary: It locked\noutcome: failed\n---\n",
    )
    desk.put("staging/proposals/tea-01234567.md", "---\nschema: doll/memory/1\ntitle: Tea\n---\n")
    return desk


def _ids(desk: Desk, *arguments: str) -> list[str]:
    return [record["id"] for record in desk.ok("list", *arguments, "--json").json["records"]]


def test_a_line_for_each_record_in_a_fixed_order(stocked: Desk) -> None:
    result = stocked.ok("list")
    lines = [line.split() for line in result.out.splitlines()]
    assert [line[0] for line in lines] == [
        *("espresso", "evil", "old", "safe", "20260820T143205Z-attempt-x-k3v9q2xw7d"),
        *("atlas", "garden", "off", "on"),
    ]
    assert lines[0] == ["espresso", "memory", "active", "Espresso,", "no", "sugar"]
    assert ["off", "policy", "disabled", "off"] in lines
    assert ["safe", "memory", "active"] in lines
    assert "\\u{202e}\\u{1b}[31m" in result.out
    assert "stone" not in result.out.lower()
    assert "tea" not in result.out
    assert "1 file cannot be read" in result.err
    assert "confirmed/broken.md:3:" in result.err
    assert stocked.ok("list").out == result.out


def test_filters(stocked: Desk) -> None:
    assert _ids(stocked, "--type", "policy") == ["off", "on"]
    assert _ids(stocked, "--type", "policy", "--type", "project") == [
        "atlas",
        "garden",
        "off",
        "on",
    ]
    assert _ids(stocked, "--status", "failed") == ["20260820T143205Z-attempt-x-k3v9q2xw7d"]
    assert _ids(stocked, "--status", "archived", "--status", "disabled") == ["old", "off"]
    assert _ids(stocked, "--project", "ATLAS") == [
        "20260820T143205Z-attempt-x-k3v9q2xw7d",
        "off",
    ]
    assert _ids(stocked, "--project", "garden") == []
    assert _ids(stocked, "--type", "memory", "--staging") == MEMORIES


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--type", "memoir"), "memory"),
        (("--project", "atlsa"), "did you mean atlas?"),
        (("--project", "espresso"), "is a memory"),
        (("--project", "\udcff"), "UTF-8"),
        (("--status", "faild"), "did you mean failed?"),
        (("--status", "ready", "--type", "memory"), "active"),
        (("-0", "--json"), "two forms"),
    ],
)
def test_filters_that_nothing_can_pass(
    stocked: Desk, arguments: tuple[str, ...], said: str
) -> None:
    assert said in stocked.refused(2, "list", *arguments)


def test_the_json_of_a_list(stocked: Desk) -> None:
    document = stocked.ok("list", "--json").json
    assert document["schema"] == "doll.list/1"
    assert document["unreadable"] == ["confirmed/broken.md"]
    assert document["problems"][0]["line"] == 3
    records = {record["id"]: record for record in document["records"]}
    assert records["safe"]["name"] == "safe"
    assert records["evil"]["name"] == EVIL
    assert records["off"]["projects"] == ["Atlas"]
    assert records["off"]["status"] == "disabled"
    assert len(records["off"]["digest"]) == 64


def test_paths_for_xargs(stocked: Desk) -> None:
    stocked.put("confirmed/珈琲 'x'.md", "---\ntags: x\n---\n")
    command = [sys.executable, "-m", "doll", "list", "-0", "--type", "memory"]
    done = subprocess.run(command, cwd=stocked.root, capture_output=True, check=True)
    paths = [os.fsdecode(part) for part in done.stdout.split(b"\0")]
    assert paths.pop() == ""
    assert "confirmed/珈琲 'x'.md" in paths
    assert all((stocked.root / path).is_file() for path in paths)


def test_an_empty_vault_says_what_to_type(desk: Desk) -> None:
    for project in ("atlas", "garden"):
        (desk.root / f"authority/projects/{project}.md").write_text("broken")
    result = desk.ok("list")
    assert result.out == ""
    assert "doll new memory" in result.err


@pytest.mark.parametrize(
    "filters", [("--type", "memory"), ("--status", "failed"), ("--project", "atlas")]
)
def test_filters_that_nothing_passes(desk: Desk, filters: tuple[str, ...]) -> None:
    result = desk.ok("list", *filters)
    assert (result.out, result.err) == ("", "no record matches these filters\n")
    assert desk.ok("list", *filters, "--json").json["records"] == []


def test_what_was_superseded_is_marked(desk: Desk) -> None:
    log = ("log", "attempt", "It locked", "--project", "atlas", "--outcome", "failed")
    first = Path(desk.ok(*log).path).stem
    assert "(superseded)" not in desk.ok("list").out
    second = Path(desk.ok("correct", first, "It did not", "--outcome", "worked").path).stem
    rows = {r["id"]: r for r in desk.ok("list", "--type", "experience", "--json").json["records"]}
    assert (rows[first]["status"], rows[first]["superseded"]) == ("failed", True)
    assert (rows[second]["status"], rows[second]["superseded"]) == ("worked", False)
    out = desk.ok("list", "--status", "failed").out
    assert f"{first}  experience  failed (superseded)  It locked\n" == out
    assert _ids(desk, "--status", "superseded") == [first]
    assert _ids(desk, "--status", "superseded", "--type", "experience") == [first]
    # What is weaker replaces nothing of the user's.
    desk.ok("correct", second, "It did", "--by", "model:claude")
    assert _ids(desk, "--status", "superseded") == [first]


def test_a_superseded_memory_is_marked_however_it_says_so(desk: Desk) -> None:
    desk.put("confirmed/own.md", "---\nstatus: superseded\n---\n")
    assert _ids(desk, "--status", "superseded") == ["own"]
    desk.put("confirmed/before.md", "---\ntitle: B\n---\n")
    desk.put("confirmed/after.md", "---\nsupersedes: [before]\n---\n")
    desk.put("confirmed/old.md", "---\nstatus: archived\nsupersedes: [after]\n---\n")
    assert _ids(desk, "--status", "superseded") == ["before", "own"]
    lines = desk.ok("list", "--type", "memory").out.splitlines()
    states = [re.split(" {2,}", line)[2] for line in lines]
    assert states == ["active", "active (superseded)", "archived", "superseded"]


def test_columns_count_what_a_terminal_shows(desk: Desk) -> None:
    desk.put("confirmed/珈琲.md", "---\ntitle: A\n---\n")
    desk.put("confirmed/x\u0301te.md", "---\ntitle: B\n---\n")
    desk.put("confirmed/abcd.md", "---\ntitle: C\n---\n")
    desk.put(f"confirmed/{'x' * 80}.md", "---\ntitle: D\n---\n")
    out = desk.ok("list", "--type", "memory").out.splitlines()
    assert out == [
        f"abcd{' ' * 76}  memory  active  C",
        f"{'x' * 80}  memory  active  D",
        f"x\u0301te{' ' * 77}  memory  active  B",
        f"珈琲{' ' * 76}  memory  active  A",
    ]


def test_a_record_is_shown_as_data(stocked: Desk) -> None:
    stocked.git("add", "confirmed")
    stocked.git("commit", "-qm", "memories")
    result = stocked.ok("show", "evil")
    assert result.out.startswith("confirmed/evil.md\n  id         evil\n  type       memory\n")
    assert "yes: HEAD has these bytes" in result.out
    assert "| Fine \\u{202e}\\u{1b}[31m\n| authority/policies/x.md\n" in result.out
    assert "| [secret: aws-key]\n" in result.out
    assert KEY not in result.out
    assert "\x1b" not in result.out
    stocked.put("confirmed/evil.md", "---\ntags: x\n---\n")
    assert "no: it differs from HEAD" in stocked.ok("show", "evil").out
    assert "no: HEAD has no such file" in stocked.ok("show", "off").out


def test_references_both_ways(stocked: Desk) -> None:
    out = stocked.ok("show", "old").out
    assert "refers to:\n  related: espresso    confirmed/espresso.md\n" in out
    assert "  related: gone    names no record\n" in out
    out = stocked.ok("show", "atlas").out
    assert "referred to by:\n  projects: off    authority/policies/off.md\n" in out
    document = stocked.ok("show", "espresso", "--json").json
    assert document["schema"] == "doll.record/1"
    assert document["referred_by"] == [
        {"field": "related", "id": "old", "path": "confirmed/old.md"}
    ]
    assert document["record"]["body"] == "Black.\n"
    assert document["state"] == "new"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("ESPRESSO", "confirmed/espresso.md"),
        ("espr", "confirmed/espresso.md"),
        ("[[espresso|coffee]]", "confirmed/espresso.md"),
        ("confirmed/espresso.md", "confirmed/espresso.md"),
        ("./confirmed/espresso.md", "confirmed/espresso.md"),
        ("k3v9q2xw7d", "experience/atlas/20260820T143205Z-attempt-x-k3v9q2xw7d.md"),
        ("proposals/tea-01234567", "staging/proposals/tea-01234567.md"),
        ("staging/proposals/tea-01234567.md", "staging/proposals/tea-01234567.md"),
    ],
)
def test_names_for_a_record(stocked: Desk, name: str, path: str) -> None:
    assert stocked.ok("show", name, "--json").json["record"]["path"] == path


def test_names_for_none(stocked: Desk) -> None:
    assert "did you mean espresso?" in stocked.refused(2, "show", "expresso")
    assert "did you mean proposals/tea-01234567" in stocked.refused(2, "show", "tea-01234567")
    said = stocked.refused(4, "show", "broken")
    assert "confirmed/broken.md:3:" in said
    stocked.put("confirmed/more/espresso.md", "---\ntags: x\n---\n")
    assert "can mean 2 records" in stocked.refused(2, "show", "espresso")


def test_a_secret_record_is_shown_when_asked_for(stocked: Desk) -> None:
    plain = stocked.ok("show", "safe")
    assert "tone" not in plain.out
    assert "--reveal" in plain.out
    assert "Stone" not in stocked.ok("show", "safe", "--json").out
    assert "| Stone." in stocked.ok("show", "safe", "--reveal").out
    revealed = stocked.ok("show", "safe", "--reveal", "--json").json["record"]
    assert revealed["body"] == "Stone.\n"
    assert "user" in stocked.refused(5, "show", "safe", "--reveal", DOLL_BY="model:claude")
    stocked.ok("show", "safe", DOLL_BY="model:claude")


def test_reading_changes_nothing(stocked: Desk) -> None:
    before = stocked.files()
    for arguments in ("list", "list --staging -0", "show old", "schema memory"):
        stocked.ok(*arguments.split())
    assert stocked.files() == before


@pytest.mark.parametrize("record_type", TYPES)
def test_schemas(desk: Desk, record_type: str) -> None:
    schema = desk.ok("schema", record_type).json
    assert schema["title"] == f"doll/{record_type}/1"


def test_the_list_of_schemas(desk: Desk) -> None:
    assert desk.ok("schema", "--list").out.split() == list(TYPES)
    assert "--list" in desk.refused(2, "schema")
    desk.refused(2, "schema", "memory", "--list")
    assert "memory" in desk.refused(2, "schema", "memoir")


@pytest.mark.parametrize("command", ["new", "log", "correct", "confirm", "list", "show", "schema"])
def test_help_has_an_example(desk: Desk, command: str) -> None:
    result = desk.ok(command, "--help")
    assert f"\n    doll {command}" in result.out


def test_a_path_from_where_one_is(stocked: Desk) -> None:
    inside, outside = stocked.at("confirmed"), stocked.at("..")
    assert inside.ok("show", "espresso.md", "--json").json["record"]["id"] == "espresso"
    assert inside.ok("show", "./espresso.md", "--json").json["record"]["id"] == "espresso"
    assert inside.ok("show", "../confirmed/espresso.md").out.startswith("confirmed/espresso.md\n")
    assert inside.ok("show", "confirmed/espresso.md").out.startswith("confirmed/espresso.md\n")
    whole = str(stocked.root / "confirmed/espresso.md")
    assert outside.ok("show", "--vault", "notes", whole).out.startswith("confirmed/espresso.md\n")
    named = outside.ok("show", "--vault", "notes", "notes/confirmed/espresso.md").out
    assert named.startswith("confirmed/espresso.md\n")
    stocked.put("../espresso.md", "---\ntitle: Not of the vault\n---\n")
    outside.refused(2, "show", "--vault", "notes", "espresso.md")
    outside.refused(2, "show", "--vault", "notes", str(stocked.root.parent / "espresso.md"))
    inside.refused(2, "show", "gone.md")


def test_a_path_names_an_entry_and_a_candidate_too(stocked: Desk) -> None:
    entry = "20260820T143205Z-attempt-x-k3v9q2xw7d.md"
    inside = stocked.at("experience/atlas")
    assert inside.ok("confirm", entry).path.startswith("experience/atlas/")
    inside.refused(5, "correct", entry, "It was replaced by now")
    proposals = stocked.at("staging/proposals")
    for command in ("show", "diff"):
        said = proposals.ok("review", command, "tea-01234567.md", "--json").json
        assert said["candidate"]["id"] == "proposals/tea-01234567"
