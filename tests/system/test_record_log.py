"""`doll log`: one new file of experience, checked whole before it is written."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from doll.records.codec import parse
from doll.records.model import Experience, Record
from tests.desk import Desk
from tests.gitbox import hook

pytestmark = pytest.mark.sampled(4)

FAILURE = ("log", "attempt", "Online migration of orders locked the table", "--project", "atlas")
KEY = "AKIA" + "QWERTYUIOPASDFGH"


def _record(desk: Desk, path: str) -> tuple[Record, Experience]:
    name = path.rpartition("/")[2].removesuffix(".md")
    parsed = parse(desk.read(path).encode(), path, name, "experience")
    assert parsed.problems == ()
    assert parsed.record is not None
    assert isinstance(parsed.record.fields, Experience)
    return parsed.record, parsed.record.fields


def test_the_failure_of_the_story(desk: Desk) -> None:
    path = desk.ok(
        *FAILURE,
        *("--outcome", "failed", "--action", "db.migrate", "--path", "migrations/**"),
        *("--evidence", "commit:1f2e3d4", "--commit"),
    ).path
    shape = r"experience/atlas/\d{8}T\d{6}Z-attempt-online-migration-of-orders[a-z-]*-[a-z2-7]{10}"
    assert re.fullmatch(shape + r"\.md", path)
    fields = _record(desk, path)[1]
    assert fields.assertion == "user_recorded"
    assert fields.origin == "user"
    assert fields.outcome == "failed"
    assert fields.actions == ("db.migrate",)
    assert fields.paths == ("migrations/**",)
    assert fields.evidence == ("commit:1f2e3d4",)
    assert fields.at == fields.created
    subject = "log: attempt Online migration of orders locked the table"
    assert desk.git("log", "-1", "--format=%B").strip() == subject
    assert desk.git("show", "--name-only", "--format=", "HEAD") == path
    assert desk.git("status", "--porcelain") == ""


def test_a_commit_takes_only_the_new_file(desk: Desk) -> None:
    desk.put("confirmed/mine.md", "---\ntags: x\n---\nmine\n")
    desk.git("add", "-A")
    desk.put("confirmed/later.md", "---\ntags: x\n---\nlater\n")
    path = desk.ok(*FAILURE, "--commit").path
    assert desk.git("show", "--name-only", "--format=", "HEAD") == path
    assert desk.git("diff", "--cached", "--name-only") == "confirmed/mine.md"
    assert desk.git("ls-files", "--others", "--exclude-standard") == "confirmed/later.md"


def test_without_commit_it_says_how_to(desk: Desk) -> None:
    result = desk.ok(*FAILURE)
    assert "not committed" in result.err
    line = next(line for line in result.err.splitlines() if line.startswith("  git add"))
    subprocess.run(["sh", "-ec", line], cwd=desk.root, check=True, capture_output=True)
    assert desk.git("show", "--name-only", "--format=", "HEAD") == result.path
    assert desk.git("log", "-1", "--format=%s").startswith("log: attempt Online")


def test_from_another_folder_the_line_to_type_says_where(desk: Desk, tmp_path: Path) -> None:
    elsewhere = Desk(tmp_path, desk._capsys)
    result = elsewhere.ok(*FAILURE, "--vault", "notes")
    line = next(line for line in result.err.splitlines() if line.startswith("  git -C"))
    subprocess.run(["sh", "-ec", line], cwd=tmp_path, check=True, capture_output=True)
    assert desk.git("show", "--name-only", "--format=", "HEAD") == result.path


def test_a_vault_in_a_folder_of_a_repository(desk: Desk) -> None:
    for name in ("doll.yaml", "authority"):
        desk.put("sub/.keep", "")
        desk.git("mv", name, "sub/")
    desk.git("commit", "-qm", "move")
    inner = Desk(desk.root / "sub", desk._capsys)
    path = inner.ok(*FAILURE, "--commit").path
    assert path.startswith("experience/atlas/")
    assert desk.git("show", "--name-only", "--format=", "HEAD") == f"sub/{path}"


def test_json_is_one_document(desk: Desk) -> None:
    document = desk.ok(*FAILURE, "--json", "--tag", "one, two").json
    assert document["schema"] == "doll.record/1"
    assert document["commit"] is None
    assert document["record"]["fields"]["tags"] == ["one, two"]
    assert document["record"]["type"] == "experience"
    assert document["next"][0].startswith("git add -- ")
    refused = desk.doll("log", "attempt", "x", "--project", "atlsa", "--json")
    assert refused.json["exit"] == refused.code == 2
    assert refused.json["schema"] == "doll.error/1"


def test_a_body_keeps_its_text(desk: Desk) -> None:
    text = "\n# Heading\r\n\n---\nno: 1\n  trailing  \n漢字 \u202e"
    path = desk.ok(*FAILURE, "--body", "-", stdin=text.encode()).path
    assert desk.read(path).endswith(f"---\n\n{text}\n")
    path = desk.ok(*FAILURE, "--body", "One line.").path
    assert desk.read(path).endswith("\n---\n\nOne line.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--project", "atlsa"), "did you mean atlas?"),
        (("--project", ""), "no project has the id ''"),
        (("--work-item", "atlas"), "atlas is a project, and this wants a work-item"),
        (("--resolves", "atlas"), "wants an experience"),
        (("--source", "nothing"), "doll list"),
        (("--action", "DB Migrate"), "--action: error"),
        (("--path", "!x"), "gitignore pattern"),
        (("--path", "../x"), "leads out of the work tree"),
        (("--path", "a/../../x"), "leads out of the work tree"),
        (("--path", "."), "leads out of the work tree"),
        (("--path", "/home/ada/code/x"), "such as home/ada/code/x"),
        (("--path", "[z-"), "no path can match '[z-'"),
        (("--path", "~/code/x"), "a path of the whole disk"),
        (("--path", "C:\\code\\x"), "a path of the whole disk"),
        (("--at", "yesterday"), "2026-08-20T14:32:05Z"),
        (("--at", "2026-08-20T14:32:05"), "offset"),
        (("--at", "0001-01-01T00:00:00+14:00"), "--at"),
        (("--outcome", "bad"), "worked"),
        (("--evidence", "a\nb"), "line break"),
        (("--tag", ""), "--tag: it is empty"),
        (("--by", "user"), "nobody becomes the user"),
        (("--by", "claude"), "says no model"),
        (("--by", ""), "says no model"),
        (("--not-a-secret", "aws-key"), "DETECTOR:FIELD"),
        (("--not-a-secret", "aws-key:body"), "nothing there looks like that"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_written(
    desk: Desk, arguments: tuple[str, ...], said: str
) -> None:
    assert said in desk.refused(2, *FAILURE, *arguments)


@pytest.mark.parametrize(
    "summary",
    ["", "  ", "two\nlines", "bell\a", "\x1b[31mred", "line\u2028separator", "nul\0", "byte\udcff"],
)
def test_a_summary_is_one_line_of_text(desk: Desk, summary: str) -> None:
    assert "SUMMARY" in desk.refused(2, "log", "lesson", summary, "--project", "atlas")


@pytest.mark.parametrize(
    "summary", ["🙂🙂", "../../etc/passwd", "CON", "x" * 300, "-", "no: yes #"]
)
def test_an_odd_summary_is_kept_and_named_safely(desk: Desk, summary: str) -> None:
    path = desk.ok("log", "lesson", "--project", "atlas", "--", summary).path
    record, fields = _record(desk, path)
    assert fields.summary == summary
    assert len(record.id.encode()) <= 120
    assert path.count("/") == 2


def test_faults_are_reported_together(desk: Desk) -> None:
    said = desk.refused(2, *FAILURE, "--action", "A B", "--path", "!x", "--path", "ok/**")
    assert "--action" in said
    assert "--path" in said


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"x" * 5_000_000, "4,194,304"),
        (b"latin \xe9", "UTF-8 at byte 7"),
        (b"nul \0", "NUL byte"),
        (b"<<<<<<< one\na\n=======\nb\n>>>>>>> two\n", "merge conflict"),
    ],
)
def test_a_body_that_no_record_could_hold(desk: Desk, body: bytes, said: str) -> None:
    assert said in desk.refused(2, *FAILURE, "--body", "-", stdin=body)


def test_references_are_stored_as_ids(desk: Desk) -> None:
    text = desk.read("authority/projects/atlas.md")
    desk.put("authority/projects/atlas.md", text.replace("status", "aliases: [Old Atlas]\nstatus"))
    first = desk.ok("log", "attempt", "first", "--project", "OLD ATLAS").path
    record, fields = _record(desk, first)
    assert fields.project == "atlas"
    assert first.startswith("experience/atlas/")
    token = record.id[-10:]
    second = desk.ok(
        *("log", "resolution", "second", "--project", "[[atlas]]"),
        *("--resolves", token, "--source", record.id.upper(), "--resolves", record.id),
    )
    assert _record(desk, second.path)[1].resolves == (record.id,)
    assert _record(desk, second.path)[1].sources == (record.id,)


def test_links_stay_within_the_project(desk: Desk) -> None:
    first = desk.ok("log", "attempt", "first", "--project", "garden").path
    name = _record(desk, first)[0].id
    assert "--source" in desk.refused(2, *FAILURE, "--resolves", name)
    assert "garden" in desk.refused(2, *FAILURE, "--supersedes", name)
    desk.ok(*FAILURE, "--source", name)
    desk.ok("new", "work-item", "dig", "--project", "garden")
    assert "--project garden" in desk.refused(2, *FAILURE, "--work-item", "dig")


WAY = {
    "proposed": "doll work ready split && doll work start split && doll work done split",
    "ready": "doll work start split && doll work done split",
    "in_progress": "doll work done split",
    "blocked": "doll work start split && doll work done split",
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("status", ["proposed", "ready", "in_progress", "blocked", "completed"])
def test_a_resolution_leaves_the_work_item_as_it_was(desk: Desk, status: str) -> None:
    desk.ok("new", "work-item", "split", "--project", "atlas", "--set", f"status={status}")
    before = desk.read("authority/work-items/split.md")
    result = desk.ok(
        "log", "resolution", "It is split", "--project", "atlas", "--work-item", "split"
    )
    steps = f"; if it is done, type: {WAY[status]}" if status in WAY else ""
    assert f"note: the work item split is left as it was, {status}{steps}\n" in result.err
    assert "--resolves ID" in result.err
    assert desk.read("authority/work-items/split.md") == before
    if steps:
        desk.type(WAY[status])
        assert "status: completed" in desk.read("authority/work-items/split.md")


def test_a_resolution_names_the_work_item_of_what_it_resolves(desk: Desk) -> None:
    desk.ok("new", "work-item", "split", "--project", "atlas", "--set", "status=in_progress")
    failure = desk.ok(*FAILURE, "--work-item", "split").path.rpartition("/")[2].removesuffix(".md")
    before = desk.read("authority/work-items/split.md")
    for kind in ("resolution", "outcome"):
        log = ("log", kind, "It is split", "--project", "atlas", "--resolves", failure)
        said = "the work item split is left as it was, in_progress"
        assert f"{said}; if it is done, type: doll work done split" in desk.ok(*log).err
        by_model = desk.ok(*log, "--by", "model:claude").err
        assert f"{said}; the user types: doll work done split" in by_model
    assert desk.read("authority/work-items/split.md") == before


def test_a_resolution_without_a_work_item_says_so(desk: Desk) -> None:
    other = desk.ok("log", "resolution", "All is well", "--project", "atlas")
    assert "no work item is changed" in other.err


def test_a_future_time_is_remarked(desk: Desk) -> None:
    result = desk.ok(*FAILURE, "--at", "2999-01-01T00:00:00+02:00")
    assert "in the future" in result.err
    assert "at: 2999-01-01T00:00:00+02:00" in desk.read(result.path)
    assert "/29981231T220000Z-" in result.path


def test_a_model_is_lowered(desk: Desk) -> None:
    path = desk.ok(*FAILURE, "--by", "model:openai/gpt-5", "--commit").path
    fields = _record(desk, path)[1]
    assert (fields.assertion, fields.origin) == ("model_proposed", "model")
    assert fields.origin_source == "model:openai/gpt-5"
    assert "Doll-By: model:openai/gpt-5" in desk.git("log", "-1", "--format=%(trailers)")
    path = desk.ok(*FAILURE, DOLL_BY="model:claude").path
    assert _record(desk, path)[1].assertion == "model_proposed"


def test_nothing_raises_a_model(desk: Desk) -> None:
    for by in ("user", "", "model:other", "model:"):
        desk.refused(2, *FAILURE, "--by", by, DOLL_BY="model:claude")
    for variable in ("user", "", "claude", "model:a b", "model:\u202e"):
        desk.refused(2, *FAILURE, DOLL_BY=variable)
        desk.refused(2, *FAILURE, "--by", "model:claude", DOLL_BY=variable)
    desk.ok(*FAILURE, "--by", "model:claude", DOLL_BY="model:claude")


def test_a_models_link_to_the_users_entry_says_that_it_does_not_count(desk: Desk) -> None:
    user = _record(desk, desk.ok(*FAILURE, "--outcome", "failed").path)[0].id
    result = desk.ok(
        *("log", "resolution", "Fixed", "--project", "atlas", "--resolves", user),
        *("--by", "model:claude"),
    )
    assert f"{user} is user_recorded, more than model_proposed" in result.err
    assert "is not resolved by it" in result.err


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("--body", f"the key\nis {KEY} here"), "body"),
        (("--evidence", "commit:1f2e3d4", "--evidence", f"file:{KEY}"), "evidence"),
        (("--tag", KEY), "tags"),
    ],
)
def test_a_secret_is_refused_by_kind_and_place(
    desk: Desk, arguments: tuple[str, ...], field: str
) -> None:
    said = desk.refused(5, *FAILURE, *arguments)
    assert f"--not-a-secret aws-key:{field}" in said
    assert KEY not in said
    assert "[secret.found]" in said
    if field == "body":
        assert "body:2:4: error" in said.replace("body:3:", "body:2:")


def test_a_false_alarm_is_allowed_one_by_one_and_recorded(desk: Desk) -> None:
    body = ("--body", f"{KEY} and {KEY}")
    said = desk.refused(5, *FAILURE, *body, "--not-a-secret", "aws-key:body")
    allowed = ("--not-a-secret", "aws-key:body", "--not-a-secret", "aws-key:body")
    assert " ".join(allowed) in said
    result = desk.ok(*FAILURE, *body, *allowed, "--commit")
    assert KEY in desk.read(result.path)
    trailers = desk.git("log", "-1", "--format=%(trailers:key=Doll-Not-A-Secret,valueonly)")
    assert trailers.split() == ["aws-key:body", "aws-key:body"]
    result = desk.ok(*FAILURE, *body, *allowed)
    assert result.err.count("--trailer 'Doll-Not-A-Secret: aws-key:body'") == 2
    desk.refused(5, *FAILURE, *body, *allowed, "--by", "model:claude")
    desk.refused(5, *FAILURE, *body, *allowed, DOLL_BY="model:claude")


def test_a_secret_record_is_told_by_its_id_alone(desk: Desk) -> None:
    result = desk.ok(*FAILURE, "--sensitivity", "secret", "--commit")
    assert re.search(r"Z-attempt-secret-[a-z2-7]{10}\.md", result.path)
    assert "orders" not in result.err
    assert "orders" not in desk.git("log", "-1", "--format=%B")
    document = desk.ok(*FAILURE, "--sensitivity", "secret", "--json")
    assert "Online" not in document.out
    assert document.json["record"]["body"] is None


def test_without_an_identity_nothing_is_written(desk: Desk) -> None:
    nobody = dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL"), "")
    desk.git("config", "user.useConfigOnly", "true")
    said = desk.refused(5, *FAILURE, "--commit", stdin=b"", **nobody)
    assert "git config --global user.name" in said


def test_a_hook_that_refuses_leaves_a_true_report(desk: Desk) -> None:
    hook(desk.root, "#!/bin/sh\necho not today >&2\nexit 1\n")
    result = desk.doll(*FAILURE, "--commit")
    assert result.code == 7
    assert "is written and not committed" in result.err
    assert "not today" in result.err
    written = desk.git("ls-files", "--others", "--exclude-standard")
    assert written.startswith("experience/atlas/")
    assert desk.git("diff", "--cached", "--name-only") == ""
    hook(desk.root, "#!/bin/sh\necho fine\n")
    line = result.err.partition("mend what git names, then: ")[2].strip()
    subprocess.run(["sh", "-ec", line], cwd="/", check=True, capture_output=True)
    assert desk.git("show", "--name-only", "--format=", "HEAD") == written


def test_an_unreadable_project_is_pointed_to(desk: Desk) -> None:
    desk.put("authority/projects/atlas.md", "---\nstatus: [\n---\n")
    said = desk.refused(2, *FAILURE)
    assert "doll validate" in said


def test_many_at_once_are_all_kept(desk: Desk) -> None:
    command = [sys.executable, "-m", "doll", *FAILURE, "--commit"]
    running = [
        subprocess.Popen(
            command, cwd=desk.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    results = [process.communicate() for process in running]
    assert [process.returncode for process in running] == [0] * 4, results
    paths = {out.strip() for out, _ in results}
    assert len(paths) == 4
    assert set(desk.git("ls-tree", "-r", "--name-only", "HEAD", "experience").split("\n")) == paths


def test_a_declared_false_alarm_passes_the_hook_and_every_later_check(desk: Desk) -> None:
    desk.ok("hooks", "install", "--vault", ".")
    text = "key " + "AK" + "IAQ3EGRT5XYZABCDEF"
    told = desk.refused(5, "log", "observation", text, "--project", "atlas", "--commit")
    assert "--not-a-secret aws-key:summary" in told
    allowed = ("--not-a-secret", "aws-key:summary", "--commit")
    desk.ok("log", "observation", text, "--project", "atlas", *allowed)
    desk.ok("validate")
    # Another clone knows it by the commit's trailer.
    (desk.root / ".git" / "doll" / "not-a-secret").unlink()
    desk.ok("validate")


def test_the_project_of_a_code_repository(desk: Desk) -> None:
    desk.git("init", "-q", "../code")
    code = desk.at("../code")
    code.git("config", "doll.vault", "../notes")
    said = code.refused(2, "log", "lesson", "x")
    assert "an entry belongs to a project" in said
    assert "git config doll.project ID" in said
    code.git("config", "doll.project", "garden")
    assert code.ok("log", "lesson", "x").path.startswith("experience/garden/")
    given = code.ok("log", "lesson", "x", "--project", "atlas").path
    assert given.startswith("experience/atlas/")
    code.git("config", "doll.project", "nothing")
    said = code.refused(2, "log", "lesson", "x")
    assert "git config doll.project: no project has the id 'nothing'" in said
