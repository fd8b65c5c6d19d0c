"""The two text forms of a report: hooks are short and quiet, `doll preflight` says it all."""

from typing import Any

from doll.errors import Problem
from doll.preflight import Entry, Inputs, Pending, Request, evaluate
from doll.records.model import Record
from doll.render.preflight_text import full_lines, hook_lines
from tests.preflight_builders import AS_OF, ATLAS, check, failure, record

FAILURE = failure(
    "20260801T100000Z-attempt-lock-k3v9q2xw7d",
    summary="Online migration of orders locked the table",
    actions=["db.migrate"],
    paths=["migrations/**"],
    evidence=["commit:1f2e3d4"],
)
STAGED: dict[str, Any] = {"actions": (), "paths": ("migrations/0042.sql",), "hook": True}


def test_a_clear_hook_prints_nothing() -> None:
    assert hook_lines(check(**STAGED), stops=False) == []
    general = failure("f")
    assert hook_lines(check(general, **STAGED), stops=False) == []


def test_pending_changes_alone_are_not_printed_in_a_hook() -> None:
    pending = [Pending("authority/policies/p.md", "new")]
    asked = Request("atlas", (), (), hook=True)
    report = evaluate(Inputs(authority=[ATLAS], pending=pending), asked, AS_OF)
    assert hook_lines(report, stops=False) == []
    assert "note: authority/policies/p.md: new" in full_lines(report)


def test_a_warning_in_a_hook_is_one_line_and_the_line_to_type() -> None:
    warning, answer, other = hook_lines(check(FAILURE, **STAGED), stops=False)
    assert warning == (
        f"doll: warning: {FAILURE.record.path}:{FAILURE.record.line('outcome')}: "
        "this failed before: Online migration of orders locked the table (project: atlas; "
        "paths: migrations/** matches migrations/0042.sql; user_recorded; "
        "evidence: commit:1f2e3d4)"
    )
    assert answer == f"    doll correct {FAILURE.record.id} 'what holds now'"
    assert other == (
        "    or: doll log resolution 'what works instead' --project atlas "
        f"--resolves {FAILURE.record.id}"
    )


def test_a_failure_that_is_resolved_offers_no_other_resolution() -> None:
    resolution = failure("r", resolves=[FAILURE.record.id], outcome="worked")
    report = check(FAILURE, resolution, **STAGED)
    assert len(hook_lines(report, stops=False)) == 2
    assert report.findings[0].alternative == ""


def test_each_line_to_type_is_said_once() -> None:
    policies = [record("policy", name, paths=["migrations/**"]) for name in ("p", "q")]
    lines = hook_lines(check(*policies, **STAGED), stops=True)
    assert [line for line in lines if line.startswith("    ")] == [
        "    doll show q",
        "    doll show p",
    ]
    going = hook_lines(check(*policies, **STAGED), stops=False)
    assert [line for line in going if line.startswith("    ")] == [
        "    doll show p",
        "    doll show q",
    ]


def test_a_work_item_is_said_in_words() -> None:
    blocked = record("work-item", "w", status="blocked", depends_on=["x"])
    report = check(blocked, record("work-item", "x"), work_item="w")
    lines = full_lines(report)
    assert lines.count("    work item: w") == 2
    assert "blocked: the work item depends on x, which is ready: w" in map(str.lower, lines)


def test_what_was_given_is_not_called_not_given() -> None:
    asked = Request("nobody", ("a",), work_item="nothing")
    first = full_lines(evaluate(Inputs(authority=[ATLAS]), asked, AS_OF))[0]
    assert first == "NOT CHECKED: project nobody, actions a, paths not given, work item nothing"


def test_a_stop_for_an_unknown_project_names_the_setting() -> None:
    asked = Request("nobody", (), ("a",), hook=True)
    report = evaluate(Inputs(authority=[ATLAS]), asked, AS_OF)
    assert hook_lines(report, stops=True)[-1] == "    git config doll.project ID"


def test_a_stop_for_a_vault_that_cannot_be_used_ends_with_its_own_line() -> None:
    obstacle = Problem("", 0, 0, "vault.unusable", "it is empty", hint="git restore\nbrings back")
    report = evaluate(Inputs(obstacles=[obstacle]), Request(), AS_OF)
    assert hook_lines(report, stops=True)[-1] == "    git restore"


def test_what_names_no_target_is_one_count_line_beside_a_finding() -> None:
    general: list[Record | Entry] = [failure("f"), record("decision", "d")]
    lines = hook_lines(check(FAILURE, *general, **STAGED), stops=False)
    said = "2 failures, decisions or advice without an action or path: `doll preflight` shows them"
    assert lines[3:] == [f"doll: note: {said}"]


def test_a_stop_ends_with_the_line_to_type_and_names_the_way_past() -> None:
    policy = record("policy", "no-online", title="No online migrations", paths=["migrations/**"])
    lines = hook_lines(check(policy, FAILURE, **STAGED), stops=True)
    said = "a policy denies this: No online migrations"
    assert lines[0].startswith(f"doll: BLOCKED: authority/policies/no-online.md:2: {said}")
    assert "git commit --no-verify" in lines[-2]
    assert lines[-1] == "    doll show no-online"


def test_a_stop_for_unreadable_authority_names_the_place() -> None:
    broken = Problem("authority/policies/x.md", 3, 1, "yaml.syntax", "no YAML", hint="close it")
    asked = Request("atlas", (), ("a",), hook=True)
    report = evaluate(Inputs(authority=[ATLAS], unreadable=[broken]), asked, AS_OF)
    assert hook_lines(report, stops=True) == [
        "doll: NOT CHECKED: authority/policies/x.md:3: no YAML",
        "    close it",
        "doll: the commit is stopped; `git commit --no-verify` commits all the same. Type:",
        "    doll validate",
    ]
    assert hook_lines(report, stops=False)[-1].endswith("goes on, and nobody has checked it")


def test_an_obstacle_without_a_place_is_its_message() -> None:
    obstacle = Problem("", 0, 0, "vault.unusable", "no vault here", hint="doll init notes")
    report = evaluate(Inputs(obstacles=[obstacle]), Request(), AS_OF)
    lines = hook_lines(report, stops=False)
    assert lines[:2] == ["doll: NOT CHECKED: no vault here", "    doll init notes"]


def test_confirmation_says_that_the_commit_goes_on() -> None:
    policy = record("policy", "ask", effect="require_confirmation")
    assert "goes on" in hook_lines(check(policy, **STAGED), stops=False)[-1]
    assert hook_lines(check(policy, **STAGED), stops=True)[-1] == "    doll show ask"


def test_the_full_form_says_what_was_asked_and_why_it_answers_so() -> None:
    resolution = failure("r", resolves=[FAILURE.record.id], outcome="worked", summary="Off-peak")
    policy = record("policy", "p", title="Ask first", actions=["x"], paths=["q/**"])
    report = check(FAILURE, resolution, policy, actions=("db.migrate.online",))
    lines = full_lines(report)
    assert lines[:2] == [
        "CONFIRMATION REQUIRED: project atlas, actions db.migrate.online, paths not given",
        "    as of 2026-08-20T12:00:00Z, no accepted commit, rule set doll 1",
    ]
    text = "\n".join(lines)
    for part in (
        "policy.denied  authority/policies/p.md:2",
        "not given: --path",
        "actions: db.migrate matches db.migrate.online",
        "resolved by r (user_recorded): Off-peak",
        "evidence: commit:1f2e3d4",
    ):
        assert f"    {part}\n" in text
    assert lines[-1] == "This grants nothing: whoever performs the action decides."


def test_commits_drafts_and_cuts_are_said() -> None:
    inputs = Inputs(authority=[ATLAS], head="a" * 40, commit="b" * 40, draft=True)
    lines = full_lines(evaluate(inputs, Request("atlas"), AS_OF))
    assert "accepted commit bbbbbbbbbbbb (HEAD is aaaaaaaaaaaa)" in lines[1]
    assert "DRAFT" in lines[2]
    many = [failure(f"f{n}") for n in range(5)]
    assert "+3 more findings, not shown" in full_lines(check(*many, cap=2))
    assert "+1 more finding, not shown" in full_lines(check(*many, cap=4))


def test_text_from_records_cannot_act_on_a_terminal_or_pose_as_output() -> None:
    hostile = "x\n\u202edoll: clear\x1b[2J\u200b"
    entry = failure("f", summary=hostile, paths=["m\u202e/**"], evidence=[hostile], title=hostile)
    report = check(entry, actions=(), paths=("m\u202e/\n\x1bx",), hook=True)
    for line in (*hook_lines(report, stops=False), *full_lines(report)):
        assert line.isprintable()
        assert not line.startswith("clear")
    assert "\\u{202e}doll: clear\\u{1b}[2J\\u{200b}" in hook_lines(report, stops=False)[0]


def test_long_texts_are_cut_and_that_is_seen() -> None:
    entry = failure("f", summary="y" * 100_000, evidence=["z" * 5_000] * 50)
    first = full_lines(check(entry))[3]
    assert first == f"warning: this failed before: {'y' * 200}…"
    assert any(line.endswith("+45 more") for line in full_lines(check(entry)))
    assert sum(map(len, full_lines(check(entry)))) < 4_000


def test_a_secret_record_is_shown_by_its_id() -> None:
    entry = failure("f", summary="the code is 7", sensitivity="secret")
    assert full_lines(check(entry))[3] == "warning: this failed before: f"
    assert "code" not in "".join(full_lines(check(entry)))
