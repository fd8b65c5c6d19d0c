"""`doll new`: a record from its template, or nothing."""

import re
import subprocess
import sys

import pytest

from doll.records.codec import parse
from doll.records.model import TYPES, Record, RecordType
from doll.vault.layout import expected_type, record_id
from tests.desk import Desk

pytestmark = pytest.mark.sampled(4)

KEY = "AKIA" + "QWERTYUIOPASDFGH"
REQUIRED: dict[RecordType, tuple[str, ...]] = {
    "work-item": ("--project", "atlas"),
    "decision": ("--project", "atlas"),
    "procedure": ("--set", "project=atlas"),
    "permission": ("--set", "capability=db.migrate"),
    "policy": ("--set", "effect=advise"),
}


def _record(desk: Desk, path: str) -> Record:
    data = desk.read(path).encode()
    parsed = parse(data, path, record_id(path), expected_type(path))
    assert parsed.problems == ()
    assert parsed.record is not None
    return parsed.record


@pytest.mark.sampled(6)
@pytest.mark.parametrize("record_type", [name for name in TYPES if name != "experience"])
def test_every_type_from_its_template(desk: Desk, record_type: RecordType) -> None:
    desk.ok("new", "capability", "db.migrate", "--title", "Migrate")
    more = REQUIRED.get(record_type, ())
    path = desk.ok("new", record_type, "some-id", "--title", "A: title # 'x'", *more).path
    record = _record(desk, path)
    assert record.name == "A: title # 'x'"
    assert record.fields.created is not None
    assert desk.read(path).startswith(f"---\nschema: doll/{record_type}/1\n")
    assert desk.read(path).endswith("\n")
    assert desk.doll("validate").code == 0


def test_the_commands_of_the_story(desk: Desk) -> None:
    desk.ok("new", "project", "orion", "--title", "Orion", "--commit")
    path = desk.ok(
        *("new", "policy", "no-online-migrations", "--title", "No online migrations"),
        *("--set", "effect=deny", "--set", "projects=orion", "--set", "actions=db.migrate.online"),
    ).path
    text = desk.read(path)
    assert re.fullmatch(
        "---\nschema: doll/policy/1\ntitle: No online migrations\neffect: deny\n"
        r"created: \S+\nprojects: \[orion\]\nactions: \[db\.migrate\.online\]\n---\n",
        text,
    )
    assert desk.git("log", "-1", "--format=%s") == "new: project Orion"
    assert desk.doll("validate").code == 0


def test_lists_are_given_by_repeating(desk: Desk) -> None:
    settings = ("--set", "tags=coffee, black", "--set", "tags=no", "--set", "tags=a=b")
    path = desk.ok("new", "memory", "espresso", *settings).path
    assert _record(desk, path).fields.tags == ("coffee, black", "no", "a=b")
    result = desk.ok("new", "memory", "filter", "--set", "tags=coffee,taste")
    assert _record(desk, result.path).fields.tags == ("coffee,taste",)
    assert "repeat --set tags=" in result.err


def test_values_of_every_shape(desk: Desk) -> None:
    path = desk.ok(
        *("new", "policy", "p", "--set", "enabled=false", "--set", "effect=advise"),
        *(
            "--set",
            "valid_until=2027-01-01T00:00:00+01:00",
            "--set",
            "summary=no",
            "--set",
            "tags=",
        ),
        *("--project", "atlas", "--set", "paths=migrations/**", "--set", 'paths=say "hi" #1'),
    ).path
    text = desk.read(path)
    assert "\nenabled: false\n" in text
    assert "\nvalid_until: 2027-01-01T00:00:00+01:00\n" in text
    assert "tags" not in text
    record = _record(desk, path)
    assert record.fields.summary == "no"
    assert getattr(record.fields, "paths", None) == ("migrations/**", 'say "hi" #1')
    assert getattr(record.fields, "projects", None) == ("atlas",)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("memory",), "needs an id or a title"),
        (("memory", "--title", " "), "--title: it is empty"),
        (("memory", "--title", "two\nlines"), "line break"),
        (("experience", "x"), "doll log"),
        (("memry", "x"), "memory"),
        (("memory", ""), "it is empty"),
        (("memory", "../x"), "must begin with a letter or a digit"),
        (("memory", "a/b"), "must not contain '/'"),
        (("memory", "CON"), "Windows"),
        (("memory", "x" * 300), "300 bytes"),
        (("memory", "🙂"), "must begin"),
        (("memory", "\udcff"), "UTF-8"),
        (("memory", "x", "--title", "\udcff"), "UTF-8"),
        (("memory", "x", "--set", "tags=\udcff"), "UTF-8"),
        (("memory", "x", "--set", "tags"), "FIELD=VALUE"),
        (("memory", "x", "--set", "=1"), "FIELD=VALUE"),
        (("memory", "x", "--set", "tag=1"), "did you mean `tags`?"),
        (("memory", "x", "--set", "title=1"), "--title"),
        (("memory", "x", "--set", "created=2026-01-01T00:00:00Z"), "written by doll"),
        (("memory", "x", "--set", "origin=user"), "written by doll"),
        (("memory", "x", "--set", "reviewed_by=me"), "written by doll"),
        (("memory", "x", "--set", "kind=fct"), "write fact"),
        (("memory", "x", "--set", "kind=fact", "--set", "kind=goal"), "takes one value"),
        (("memory", "x", "--set", "exportable=no"), "true or false"),
        (("memory", "x", "--set", "valid_from=2026-01-01"), "2026-01-01T00:00:00Z"),
        (("memory", "x", "--set", "summary=two\nlines"), "line break"),
        (("memory", "x", "--set", "related=nothing"), "no memory has the id"),
        (("memory", "x", "--set", "supersedes=atlas"), "wants a memory"),
        (("memory", "x", "--set", "aliases=Atlas"), "taken by authority/projects/atlas.md"),
        (("memory", "x", "--set", "aliases=a/b"), "no valid id"),
        (("memory", "x", "--project", "atlas"), "belongs to no project"),
        (("policy", "x", "--set", "effect="), "needs --set effect=VALUE"),
        (("policy", "x", "--title", "Never"), "deny: blocked; require_confirmation: asks"),
        (("policy", "x"), "needs --set effect=VALUE"),
        (("memory", ".md"), "it is empty"),
        (("policy", "x", "--set", "actions=a.b,c.d"), "repeat --set actions"),
        (("policy", "x", "--project", "atlas", "--set", "projects=atlas"), "both given"),
        (("policy", "x", "--project", "atlsa"), "did you mean atlas?"),
        (("work-item", "x"), "--project ID"),
        (("decision", "x", "--set", "project="), "--project ID"),
        (("permission", "x"), "--set capability=ID"),
        (("capability", "DB migrate"), "db.migrate"),
        (("memory", "--title", "t", "--set", "sensitivity=secret"), "name it yourself"),
        (
            (
                *("policy", "x", "--set", "effect=deny"),
                *("--set", "valid_from=2027-01-01T00:00:00Z"),
                *("--set", "valid_until=2026-01-01T00:00:00Z"),
            ),
            "never holds",
        ),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_written(
    desk: Desk, arguments: tuple[str, ...], said: str
) -> None:
    assert said in desk.refused(2, "new", *arguments)


def test_faults_are_reported_together(desk: Desk) -> None:
    said = desk.refused(2, "new", "policy", "x", "--set", "efect=deny", "--set", "actions=A B")
    assert "did you mean `effect`?" in said
    assert "--set actions: error" in said


def test_the_id_comes_from_the_title(desk: Desk) -> None:
    assert desk.ok("new", "memory", "--title", "珈琲 & Espresso!").path == (
        "confirmed/珈琲-espresso.md"
    )
    assert desk.ok("new", "memory", "--title", "🙂").path == "confirmed/record.md"
    assert desk.ok("new", "capability", "sensor.flash").path.endswith("/sensor.flash.md")


def test_the_ending_of_the_file_is_no_part_of_the_id(desk: Desk) -> None:
    assert desk.ok("new", "memory", "espresso.md").path == "confirmed/espresso.md"
    assert "is taken by" in desk.refused(5, "new", "memory", "espresso")
    proposed = desk.ok("new", "memory", "filter.md", "--title", "Other", "--by", "model:claude")
    assert re.fullmatch(r"staging/proposals/filter-[0-9a-f]{8}\.md", proposed.path)
    untitled = desk.ok("new", "memory", "--title", "No id", "--by", "model:claude").path
    assert re.fullmatch(r"staging/proposals/no-id-[0-9a-f]{8}\.md", untitled)


def test_what_is_written_has_no_comments_unless_it_is_a_form(desk: Desk) -> None:
    form = desk.read(desk.ok("new", "memory", "form").path)
    assert "\n# kind: fact  " in form
    for name, more in {
        "one": ("--title", "A # b  # c"),
        "two": ("--set", "tags=a  # b", "--set", "kind="),
        "three": ("--body", "# Head\n\n# kind: x"),
    }.items():
        text = desk.read(desk.ok("new", "memory", name, *more).path)
        head, _, body = text.removeprefix("---\n").partition("---\n")
        keys = [line.partition(":")[0] for line in head.splitlines()]
        assert set(keys) <= {"schema", "title", "created", "tags"}
        assert {"schema", "title", "created"} <= set(keys)
        assert body == ("\n# Head\n\n# kind: x\n" if name == "three" else "")
    assert _record(desk, "confirmed/one.md").name == "A # b  # c"
    assert _record(desk, "confirmed/two.md").fields.tags == ("a  # b",)
    plain = desk.read(desk.ok("new", "decision", "d", "--title", "D", "--project", "atlas").path)
    assert "#  " not in plain
    assert plain.endswith("\n---\n\n## Context\n\n## Decision\n\n## Consequences\n")


def test_the_project_of_the_repository_counts_where_a_type_needs_one(desk: Desk) -> None:
    desk.git("config", "doll.project", "garden")
    path = desk.ok("new", "work-item", "w", "--title", "W").path
    assert getattr(_record(desk, path).fields, "project", None) == "garden"
    path = desk.ok("new", "work-item", "v", "--title", "V", "--project", "atlas").path
    assert getattr(_record(desk, path).fields, "project", None) == "atlas"
    path = desk.ok("new", "policy", "p", "--set", "effect=deny").path
    assert getattr(_record(desk, path).fields, "projects", None) == ()
    desk.git("config", "doll.project", "gardn")
    said = desk.refused(2, "new", "work-item", "x")
    assert "git config doll.project: no project has the id 'gardn'" in said
    assert "did you mean garden?" in said


@pytest.mark.parametrize("commit", [(), ("--commit",)])
def test_on_another_branch_authority_says_that_it_does_not_count(
    desk: Desk, commit: tuple[str, ...]
) -> None:
    said = "it does not count until it is on the vault's branch, main"
    rule = ("--set", "effect=deny", *commit)
    assert said not in desk.ok("new", "policy", "a", *rule).err
    desk.git("switch", "-q", "-c", "feature")
    result = desk.ok("new", "policy", "b", *rule, "--json")
    assert f"HEAD is on feature: {said}" in result.err
    assert result.json["notes"] == [f"HEAD is on feature: {said}"]
    assert said not in desk.ok("new", "memory", "c", *commit).err
    desk.git("checkout", "-q", "--detach")
    assert f"HEAD is on no branch: {said}" in desk.ok("new", "policy", "d", *rule).err
    desk.git("config", "doll.branch", "gone")
    assert (
        "it does not count: the vault's branch 'gone'" in desk.ok("new", "policy", "e", *rule).err
    )


@pytest.mark.parametrize("name", ["espresso", "ESPRESSO", "Old-Name", "atlas"])
def test_an_id_that_is_taken(desk: Desk, name: str) -> None:
    desk.put("confirmed/espresso.md", "---\naliases: [old-name]\n---\nmine\n")
    said = desk.refused(5, "new", "memory", name)
    assert "is taken by" in said


def test_the_id_of_a_file_that_cannot_be_read_is_taken(desk: Desk) -> None:
    desk.put("confirmed/espresso.md", "---\nbroken: [\n---\n")
    assert "confirmed/espresso.md" in desk.refused(5, "new", "project", "Espresso")


def test_two_at_once_never_overwrite(desk: Desk) -> None:
    command = [sys.executable, "-m", "doll", "new", "memory", "one", "--title"]
    running = [
        subprocess.Popen(
            [*command, title], cwd=desk.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for title in ("first", "second", "third")
    ]
    codes = sorted(process.wait() for process in running)
    assert codes == [0, 5, 5]


def test_a_body_takes_the_place_of_the_templates(desk: Desk) -> None:
    plain = desk.read(desk.ok("new", "decision", "one", "--project", "atlas").path)
    assert plain.endswith("## Consequences\n")
    path = desk.ok("new", "decision", "two", "--project", "atlas", "--body", "Because.").path
    assert desk.read(path).endswith("\n---\n\nBecause.\n")
    path = desk.ok("new", "memory", "three", "--body", "-", stdin="日本\r\n".encode()).path
    assert desk.read(path).endswith("\n---\n\n日本\r\n")
    said = desk.refused(2, "new", "memory", "four", "--body", "-", stdin=b"x" * 5_000_000)
    assert "4,194,304" in said


def test_a_model_proposes_a_memory(desk: Desk) -> None:
    arguments = ("new", "memory", "espresso", "--title", "Espresso, no sugar", "--body", "Black.")
    result = desk.ok(*arguments, "--by", "model:claude", "--commit")
    assert re.fullmatch(r"staging/proposals/espresso-[0-9a-f]{8}\.md", result.path)
    record = _record(desk, result.path)
    assert record.id.startswith("proposals/")
    assert (record.fields.origin, record.fields.origin_source) == ("model", "model:claude")
    assert "waits for the user's review" in result.err
    assert "Doll-By: model:claude" in desk.git("log", "-1", "--format=%B")
    before = desk.files()
    again = desk.ok(*arguments, DOLL_BY="model:claude")
    assert (again.path, desk.files()) == (result.path, before)
    assert "proposed before" in again.err
    assert "nothing was written" in again.err
    said = desk.refused(2, *arguments, "--set", "aliases=mocha", DOLL_BY="model:claude")
    assert "names are the user's to give [proposal.field]" in said
    assert desk.ok(*arguments).path == "confirmed/espresso.md"
    assert desk.doll("validate").code == 0


@pytest.mark.parametrize("record_type", [t for t in TYPES if t not in ("memory", "experience")])
def test_a_model_makes_no_authority(desk: Desk, record_type: str) -> None:
    for by in (("--by", "model:claude"), ()):
        variables = {} if by else {"DOLL_BY": "model:claude"}
        said = desk.refused(5, "new", record_type, "x", *by, stdin=b"", **variables)
        assert "that is the user's" in said
    desk.refused(2, "new", record_type, "x", "--by", "user", DOLL_BY="model:claude")


def test_secrets_are_refused(desk: Desk) -> None:
    for arguments, field in (
        (("key", "--title", f"My key {KEY}"), "title"),
        ((KEY,), "id"),
        (("key", "--set", f"summary=it is {KEY}"), "summary"),
        (("key", "--body", f"x\n{KEY}"), "body"),
    ):
        said = desk.refused(5, "new", "memory", *arguments)
        assert f"--not-a-secret aws-key:{field}" in said
        assert KEY not in said.replace(f"'{KEY}'", "") or field == "id"
    allowed = ("--not-a-secret", "aws-key:title", "--commit")
    desk.ok("new", "memory", "key", "--title", f"My key {KEY}", *allowed)
    assert "Doll-Not-A-Secret: aws-key:title" in desk.git("log", "-1", "--format=%B")
    by = ("--by", "model:claude")
    desk.refused(5, "new", "memory", "two", "--title", f"My key {KEY}", *allowed, *by)


def test_json(desk: Desk) -> None:
    document = desk.ok("new", "memory", "espresso", "--title", "No \u202e", "--json").json
    assert document["schema"] == "doll.record/1"
    assert document["record"]["id"] == "espresso"
    assert document["record"]["path"] == "confirmed/espresso.md"
    assert document["record"]["fields"]["title"] == "No \u202e"
    secret = desk.ok(
        "new", "memory", "s", "--title", "Where", "--set", "sensitivity=secret", "--json"
    )
    assert "Where" not in secret.out
    assert "Where" not in secret.err


def test_the_hint_for_a_title_that_needs_quotes_can_be_typed(desk: Desk) -> None:
    result = desk.ok("new", "memory", "it", "--title", 'It\'s $HOME; `x` & "y"')
    line = next(line for line in result.err.splitlines() if line.startswith("  git add"))
    subprocess.run(["sh", "-ec", line], cwd=desk.root, check=True, capture_output=True)
    assert desk.git("log", "-1", "--format=%s") == 'new: memory It\'s $HOME; `x` & "y"'


def test_a_name_that_is_never_a_record_is_refused(desk: Desk) -> None:
    told = desk.refused(2, "new", "policy", "README", "--title", "x", "--set", "effect=deny")
    assert "README.md is never a record" in told
