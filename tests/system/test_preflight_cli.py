"""`doll preflight` as it is typed: the request, the exit code, one document with --json."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from doll.cli import clock
from tests.desk import Desk
from tests.gitbox import make

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

AS_OF = "2026-09-01T08:00:00Z"
RULES = {
    "authority/policies/deny.md": "effect: deny\nprojects: atlas\nactions: db.drop\n",
    "authority/policies/ask.md": "effect: require_confirmation\nactions: db.export\n",
    "authority/policies/advise.md": "effect: advise\nprojects: garden\npaths: '*.bin'\n",
    "authority/policies/past.md": "effect: deny\nactions: x\nvalid_until: 2026-09-01T08:00:00Z\n",
    "authority/policies/off.md": "effect: deny\nactions: x\nenabled: false\n",
    "authority/work-items/stuck.md": "project: atlas\nstatus: blocked\n",
    "authority/work-items/next.md": "project: atlas\nstatus: ready\ndepends_on: stuck\n",
    "authority/work-items/free.md": "project: garden\nstatus: ready\n",
}
MAP = (
    "actions:\n  - {project: atlas, paths: 'drops/**', actions: [db.drop.all]}\n"
    "  - {paths: 'exports/', actions: [db.export]}\n"
)


@pytest.fixture
def ruled(desk: Desk) -> Desk:
    """A vault with rules and a map."""
    for path, text in RULES.items():
        desk.put(path, f"---\n{text}---\n")
    desk.put("doll.yaml", desk.read("doll.yaml") + MAP)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "rules")
    return desk


def ask(desk: Desk, *request: str, code: int = 0) -> Any:
    """Ask with --json; hold it to its exit code, to one document, and to an empty stderr."""
    result = desk.doll("preflight", "--json", "--as-of", AS_OF, *request)
    assert (result.code, result.err) == (code, ""), result.out
    text = desk.doll("preflight", "--as-of", AS_OF, *request)
    assert (text.code, text.err) == (code, "")
    assert text.out.endswith("\nThis grants nothing: whoever performs the action decides.\n")
    assert result.json["authorizes"] is False
    return result.json


CASES: dict[str, tuple[str, int]] = {
    "--project atlas --action db.drop": ("blocked", 1),
    "--project atlas --action db.drop.table": ("blocked", 1),
    "--project atlas --action db": ("clear", 0),
    "--project garden --action db.drop": ("clear", 0),
    "--action db.drop": ("confirmation_required", 1),
    "--project atlas": ("confirmation_required", 1),
    "--project garden --action db.export": ("confirmation_required", 1),
    "--project garden --action z --path a/b.bin": ("warning", 0),
    "--project garden --action z --path a/b.txt": ("clear", 0),
    "--project atlas --path drops/a": ("blocked", 1),
    "--project atlas --path src/a --path drops/a": ("blocked", 1),
    "--project garden --path drops/a": ("confirmation_required", 1),
    "--project garden --path exports/a": ("confirmation_required", 1),
    "--project garden --path x --action y": ("clear", 0),
    "--work-item stuck": ("blocked", 1),
    "--work-item next": ("blocked", 1),
    "--project garden --work-item free --action z": ("clear", 0),
    "--action x --project garden": ("clear", 0),
    "--project nobody": ("not_checked", 3),
    "--project nobody --action db.drop": ("not_checked", 3),
    "--work-item nothing": ("not_checked", 3),
    "--project deny": ("not_checked", 3),
    "--project garden --work-item stuck": ("not_checked", 3),
    "--action DB.Drop": ("not_checked", 3),
    "--project atlas --path ../x": ("not_checked", 3),
    "--project atlas --path /x": ("not_checked", 3),
    "--project atlas --path ../drops/a": ("not_checked", 3),
    # A block found beside what cannot be checked stays a block.
    "--project nobody --work-item stuck": ("blocked", 1),
    "--work-item stuck --action Drop": ("blocked", 1),
}


def test_an_empty_project_is_none_of_the_vault_s(ruled: Desk) -> None:
    ruled.git("config", "doll.project", "atlas")
    assert ask(ruled, "--action", "db.drop", code=1)["request"]["project"] == "atlas"
    ruled.refused(2, "preflight", "--project", "", "--action", "db.drop")
    ruled.git("config", "doll.project", "")
    report = ask(ruled, "--action", "db.drop", code=3)
    assert (report["status"], report["request"]["project"]) == ("not_checked", "")
    (problem,) = report["problems"]
    assert problem["message"] == "no project has the id or alias ''"


def test_status_and_exit_code(ruled: Desk) -> None:
    for request, (status, code) in CASES.items():
        report = ask(ruled, *request.split(), code=code)
        assert report["status"] == status, request
        assert report["complete"] is (not report["problems"]), request
        assert all(problem["hint"] for problem in report["problems"]), request


def test_the_answer_says_what_was_asked(ruled: Desk) -> None:
    paths = ("--path", "drops/b", "--path", "drops/a")
    report = ask(ruled, "--project", "ATLAS", "--action", "z", *paths, code=1)
    assert report["request"] == {
        "project": "atlas",
        "actions": ["db.drop.all", "z"],
        "actions_from_paths": ["db.drop.all"],
        "paths": ["drops/a", "drops/b"],
        "paths_total": 2,
        "work_item": None,
        "scope": None,
        "hook": False,
        "range": None,
    }
    assert report["as_of"] == AS_OF
    head = ruled.git("rev-parse", "HEAD")
    assert (report["head"], report["accepted_commit"]) == (head, head)
    assert report["ruleset"]["name"] == "doll"
    (finding,) = report["findings"]
    assert (finding["code"], finding["record"]) == ("policy.denied", "deny")
    assert (finding["path"], finding["line"]) == ("authority/policies/deny.md", 2)
    text = ruled.doll("preflight", "--project", "atlas", "--path", "drops/a").out
    assert text.startswith("BLOCKED: project atlas, actions db.drop.all, paths drops/a\n")
    assert f"accepted commit {head[:12]}" in text
    assert "doll show deny" in text


MOMENTS = {
    "2026-08-20T14:32:00Z": "2026-08-20T14:32:00Z",
    "2026-08-20T14:32:00.000001Z": "2026-08-20T14:33:00Z",
    "2026-08-20T14:32:05Z": "2026-08-20T14:33:00Z",
    "2026-12-31T23:59:59.9Z": "2027-01-01T00:00:00Z",
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("moment", MOMENTS)
def test_now_is_rounded_up_to_the_minute(
    ruled: Desk, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime.fromisoformat(moment).astimezone(UTC)
    monkeypatch.setattr("doll.cli.preflight.now", lambda: now)
    assert clock.now().tzinfo is UTC
    report = ruled.ok("preflight", "--json", "--project", "garden", "--action", "z").json
    assert report["as_of"] == MOMENTS[moment]


def test_as_of_is_taken_as_it_is(ruled: Desk) -> None:
    late = ruled.ok(
        "preflight", "--json", "--as-of", "2026-08-20T16:32:05.25+02:00", "--action", "y"
    )
    assert late.json["as_of"] == "2026-08-20T14:32:05.250000Z"
    for moment, status in (("2026-09-01T07:59:59Z", 1), ("2026-09-01T08:00:00Z", 0)):
        assert ruled.doll("preflight", "--action", "x", "--as-of", moment).code == status


WRONG = [
    ("--as-of", "yesterday"),
    ("--as-of", "2026-08-20"),
    ("--as-of", "2026-08-20T14:32:05"),
    ("--as-of", ""),
    ("--nonsense",),
    ("too", "much"),
    ("--project",),
    ("--draft=1",),
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_usage(ruled: Desk, arguments: tuple[str, ...]) -> None:
    text = ruled.doll("preflight", *arguments)
    assert (text.code, text.out) == (2, "")
    assert text.err.startswith("doll: ")
    assert len(text.err.splitlines()) >= 2
    document = ruled.doll("preflight", "--json", *arguments)
    assert document.code == 2
    assert (document.json["schema"], document.json["exit"]) == ("doll.error/1", 2)


def test_staged_outside_a_repository(ruled: Desk, tmp_path: Path) -> None:
    (tmp_path / "nowhere").mkdir()
    desk = ruled.at("../nowhere")
    said = desk.doll("preflight", "--staged", "--vault", str(ruled.root))
    assert (said.code, said.out) == (2, "")
    assert "this folder is in no git repository" in said.err
    assert desk.doll("preflight", "--staged", "--json").json["exit"] == 2


@pytest.fixture
def code(ruled: Desk) -> Desk:
    """A code repository of the project `atlas`, beside the vault."""
    desk = ruled.at("../code")
    make(desk.root)
    desk.git("config", "doll.vault", "../notes")
    desk.git("config", "doll.project", "atlas")
    return desk


def test_staged_paths_and_the_configured_project(code: Desk) -> None:
    code.put("drops/ü 'x'\n.sql", "x")
    code.put("src/a", "x")
    code.put("not staged/drops/a", "x")
    code.git("add", "src", "drops")
    report = ask(code, "--staged", code=1)
    assert report["request"]["project"] == "atlas"
    assert report["request"]["paths"] == ["drops/ü 'x'\n.sql", "src/a"]
    assert report["request"]["actions"] == ["db.drop.all"]
    assert report["request"]["hook"] is False
    assert ask(code.at("src"), "--staged", code=1) == report
    assert ask(code, "--staged", "--project", "garden")["status"] == "clear"
    more = ask(code, "--staged", "--path", "exports/b", code=1)
    assert more["request"]["paths"] == ["drops/ü 'x'\n.sql", "exports/b", "src/a"]
    code.git("rm", "-rq", "--cached", "drops")
    assert ask(code, "--staged")["request"]["actions"] == []


def test_nothing_staged_and_a_branch_without_a_commit(code: Desk) -> None:
    report = ask(code, "--staged")
    assert report["request"]["paths"] == report["request"]["actions"] == []
    code.git("switch", "-q", "--orphan", "new")
    code.put("drops/a", "x")
    code.git("add", "-A")
    assert ask(code, "--staged", code=1)["request"]["paths"] == ["drops/a"]


def test_staged_files_of_the_vault_itself_are_no_paths(ruled: Desk) -> None:
    ruled.put("confirmed/x.md", "---\ntitle: X\n---\n")
    ruled.git("add", "-A")
    assert ask(ruled, "--staged", "--project", "atlas")["request"]["paths"] == []


def test_many_paths_are_counted(code: Desk) -> None:
    for number in range(150):
        code.put(f"src/{number}", "x")
    code.git("add", "-A")
    request = ask(code, "--staged")["request"]
    assert (len(request["paths"]), request["paths_total"]) == (100, 150)
    assert "150 paths" in code.ok("preflight", "--staged").out


def test_draft_is_said(ruled: Desk) -> None:
    ruled.put("authority/policies/deny.md", f"---\n{RULES['authority/policies/ask.md']}---\n")
    ruled.put("authority/policies/broken.md", "---\neffect: x\n---\n")
    (ruled.root / "authority/policies/link.md").symlink_to("ask.md")
    words = ("--project", "atlas", "--action", "db.drop")
    assert ask(ruled, *words, code=1)["draft"] is False
    report = ask(ruled, *words, "--draft", code=3)
    assert (report["draft"], report["status"]) == (True, "not_checked")
    assert {(p["path"], p["code"]) for p in report["problems"]} == {
        ("authority/policies/broken.md", "field.value"),
        ("authority/policies/link.md", "file.symlink"),
    }
    assert "DRAFT" in ruled.doll("preflight", *words, "--draft").out
    (ruled.root / "authority/policies/link.md").unlink()
    (ruled.root / "authority/policies/broken.md").unlink()
    assert ask(ruled, *words, "--draft")["status"] == "clear"
    ruled.put("doll.yaml", "format: 1\n")
    report = ask(ruled, *words, "--draft", code=3)
    assert {p["path"] for p in report["problems"]} == {"doll.yaml"}
    (ruled.root / "doll.yaml").unlink()
    assert ask(ruled, *words, "--draft", code=3)["status"] == "not_checked"


def test_blockers_are_never_cut(ruled: Desk) -> None:
    for number in range(30):
        for effect in ("deny", "advise"):
            ruled.put(
                f"authority/policies/{effect}-{number}.md",
                f"---\neffect: {effect}\nactions: many\n---\n",
            )
    ruled.git("add", "-A")
    ruled.git("commit", "-qm", "many")
    report = ask(ruled, "--action", "many", code=1)
    shown = [finding["severity"] for finding in report["findings"]]
    assert (shown.count("blocked"), shown.count("warning")) == (30, 20)
    assert report["omitted"] == {"findings": 10, "notes": 0, "problems": 0}
    assert report["counts"]["warning"] == 30
    assert "+10 more findings, not shown" in ruled.doll("preflight", "--action", "many").out


def test_a_document_whatever_happens(ruled: Desk, tmp_path: Path) -> None:
    for arguments, status in (
        (("--vault", "nowhere"), 3),
        (("--vault", "nowhere", "--as-of", "x"), 2),
        (("--vault", "nowhere", "--staged"), 3),
        (("--vault", str(tmp_path / "notes/doll.yaml")), 3),
    ):
        result = ruled.doll("preflight", "--json", *arguments)
        assert result.code == status
        assert json.loads(result.out)["schema"] in ("doll.preflight/1", "doll.error/1")


def test_text_from_records_is_shown_as_it_is(ruled: Desk) -> None:
    ruled.put(
        "authority/policies/odd.md",
        '---\neffect: advise\nactions: odd\ntitle: "a\\u202eb\\e[31m\\nBLOCKED: c"\n---\n',
    )
    ruled.put(
        "authority/policies/hidden.md",
        "---\neffect: advise\nactions: odd\ntitle: The launch\nsensitivity: secret\n---\n",
    )
    ruled.git("add", "-A")
    ruled.git("commit", "-qm", "odd")
    text = ruled.ok("preflight", "--action", "odd").out
    assert "a\\u{202e}b\\u{1b}[31m\\u{a}BLOCKED: c" in text
    assert "launch" not in text + ruled.ok("preflight", "--action", "odd", "--json").out
    assert "hidden" in text


def test_paths_count_from_the_top_and_with_dots_from_where_the_user_stands(code: Desk) -> None:
    asked = ("preflight", "--json", "--path")
    code.put("drops/deep/x", "x")
    for folder, path in (
        (".", "./drops/a"),
        ("drops", "drops/a"),
        ("drops", "./a"),
        ("drops/deep", "../a"),
        ("drops", str(code.root / "drops/a")),
    ):
        found = code.at(folder).doll(*asked, path)
        assert (found.code, found.json["request"]["paths"]) == (1, ["drops/a"]), path
    found = code.at("drops").doll(*asked, "../../drops/a")
    assert found.code == 3
    assert "leads out of the work tree" in found.json["problems"][0]["message"]
    outside = code.at("..").doll(*asked, "./drops/a", "--project", "atlas", "--vault", "notes")
    assert (outside.code, outside.json["request"]["paths"]) == (1, ["drops/a"])


def test_no_finding_shows_a_secret(ruled: Desk) -> None:
    token = "ghp" + "_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    ruled.put(
        "authority/policies/leaky.md",
        f'---\neffect: deny\nactions: leaky.act\ntitle: "{token}"\n---\n',
    )
    ruled.put(
        "experience/atlas/20260820T143205Z-attempt-x-k3v9q2xw7d.md",
        "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\noutcome: failed\n"
        f'at: 2026-08-20T14:32:05Z\nactions: leaky.act\nsummary: "{token}"\n'
        f'evidence: ["{token}"]\n---\n',
    )
    ruled.git("add", "-A")
    ruled.git("commit", "-qm", "leaky")
    asked = ("preflight", "--project", "atlas", "--action", "leaky.act")
    for more in ((), ("--json",), ("--draft",)):
        found = ruled.doll(*asked, *more)
        assert found.code == 1
        assert token not in found.out + found.err
        assert "[secret: " in found.out


def test_the_scope_decides_between_permissions(ruled: Desk) -> None:
    ruled.put("authority/capabilities/db.wipe.md", "---\nrisk: low\nrelease: available\n---\n")
    ruled.put("authority/permissions/no.md", "---\ncapability: db.wipe\nmode: deny\n---\n")
    scoped = "---\ncapability: db.wipe\nmode: allow\nscope: env=test\n---\n"
    ruled.put("authority/permissions/test.md", scoped)
    ruled.git("add", "-A")
    ruled.git("commit", "-qm", "permissions")
    request = ("--project", "garden", "--action", "db.w*")
    assert ask(ruled, *request, "--scope", "env=test")["status"] == "clear"
    assert ask(ruled, *request, "--scope", "env=prod", code=1)["status"] == "blocked"
    assert ask(ruled, *request, code=1)["status"] == "confirmation_required"
    assert ask(ruled, *request, "--scope", "prod", code=3)["status"] == "not_checked"
    text = ruled.doll("preflight", *request, "--scope", "env=test").out
    assert "scope env=test" in text.splitlines()[0]


DROP = ("preflight", "--as-of", AS_OF, "--project", "atlas", "--action", "db.drop")


def test_explaining_everything_one_code_and_one_record(ruled: Desk) -> None:
    everything = ruled.doll(*DROP, "--explain")
    assert everything.code == 1
    assert "BLOCKED: policy.denied, from the policy deny" in everything.out.splitlines()
    assert ruled.doll(*DROP, "--explain", "deny").out.startswith("BLOCKED: policy.denied")
    code = ruled.doll(*DROP, "--explain", "policy.denied").out
    assert code.startswith("policy.denied: A policy of yours denies this.\n")
    silent = ruled.doll(*DROP, "--explain", "ask").out
    assert silent.startswith("ask says nothing about this request\n")
    assert "its `actions` names db.export, and that does not match" in silent
    nothing = ruled.doll(*DROP, "--explain", "nobody")
    assert (nothing.code, nothing.out) == (2, "")
    assert "is no code of preflight, and no record" in nothing.err
    last = ruled.doll("preflight", "--as-of", AS_OF, "--explain", "--staged")
    assert (last.code, last.out.startswith("clear: 0 findings")) == (0, True)


def test_the_formats_of_other_tools(ruled: Desk) -> None:
    github = ruled.doll(*DROP, "--format", "github")
    assert github.code == 1
    assert github.out.startswith("::error file=authority/policies/deny.md,line=")
    gitlab = ruled.doll(*DROP, "--format", "gitlab")
    assert (gitlab.code, gitlab.json[0]["severity"]) == (1, "blocker")
    assert ruled.doll(*DROP, "--format", "json").out == ruled.doll(*DROP, "--json").out
    assert ruled.doll(*DROP, "--format", "text").out == ruled.doll(*DROP).out
    clear = ("preflight", "--project", "garden", "--action", "db.drop", "--format", "github")
    assert ruled.doll(*clear) == (0, "", "")


def test_two_ways_to_answer_at_once_are_refused(ruled: Desk) -> None:
    for more in (("--json", "--format", "github"), ("--explain", "deny", "--json")):
        assert ruled.doll(*DROP, *more).code == 2
