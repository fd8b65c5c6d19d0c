"""`doll import projectmem` from end to end: a log becomes warnings of preflight, and no more."""

import json
from pathlib import Path

import pytest

from tests.desk import Result
from tests.foreign_desk import AWS, ForeignDesk
from tests.pam_documents import Json
from tests.projectmem_documents import event, log

NOW = ("--as-of", "2026-08-21T00:00:00Z")
FAILED = event("redis lock", type="attempt", outcome="failed", files=["src/payment.py"])
ASKED = ("preflight", "--project", "atlas", "--path", "src/payment.py", "--json", *NOW)


def bring(desk: ForeignDesk, *rows: object, options: tuple[str, ...] = (), code: int = 0) -> Result:
    """Write a repository with a log, import it for `atlas`, and hold it to its exit code."""
    place = desk.root.parent / "shop"
    (place / ".projectmem").mkdir(parents=True, exist_ok=True)
    (place / ".projectmem" / "events.jsonl").write_bytes(log(*rows).data)
    words = ("import", "projectmem", str(place), "--project", "atlas", "--json", *NOW, *options)
    result = desk.doll(*words)
    assert result.code == code, result.err + result.out
    return result


def codes(report: Json) -> list[str]:
    return [each["code"] for each in report["findings"]]


def test_the_real_log_is_imported_once(foreign: Path, desk: ForeignDesk) -> None:
    place, later = str(foreign / "projectmem"), ("--as-of", "2026-12-01T00:00:00Z")
    words = ("import", "projectmem", place, "--project", "atlas", "--json", *later)
    first = desk.ok(*words, "--commit").json
    assert first["counts"] == {"new": 26, "changed": 0, "unchanged": 0, "parked": 0, "refused": 0}
    assert first["source"]["kept"].endswith("source/events.jsonl")
    before = desk.files()
    assert desk.ok(*words).json["counts"]["unchanged"] == 26
    assert desk.files() == before
    assert desk.ok("validate").code == 0


def test_an_approved_failure_warns_and_does_no_more(desk: ForeignDesk) -> None:
    (candidate,) = bring(desk, FAILED, options=("--commit",)).json["candidates"]
    assert codes(desk.ok(*ASKED).json) == []
    reviewed = desk.read(candidate["path"])
    desk.approve(candidate, "--commit")
    name = candidate["id"].partition("/")[2]
    text = desk.read(f"experience/atlas/{name}.md")
    assert "\nat: 2026-08-20T14:32:05Z\n" in text
    assert "\nassertion: imported_external\n" in text
    assert set(reviewed.splitlines()) < set(text.splitlines())
    assert desk.ok("validate").code == 0
    report = desk.ok(*ASKED).json
    assert codes(report) == ["experience.prior_failure.imported_external"]
    assert (report["status"], report["authorizes"]) == ("warning", False)


def test_no_event_closes_decides_or_replaces_anything(desk: ForeignDesk) -> None:
    item = desk.ok("new", "work-item", "pay", "--project", "atlas", "--title", "Pay", "--commit")
    words = ("--outcome", "failed", "--path", "src/payment.py", "--at", "2026-08-20T00:00:00Z")
    mine = desk.ok("log", "attempt", "mine", "--project", "atlas", *words, "--commit")
    stem = mine.out.split("/")[-1].partition(".md")[0]
    rows = [
        event("Fixed", type="fix", issue_id="pay", files=["src/payment.py"], supersedes=stem),
        event("We close pay", id="evt_2", type="decision", issue_id="pay", supersedes=stem),
    ]
    before = {path: data for path, data in desk.files().items() if not path.startswith("staging")}
    candidates = bring(desk, *rows, options=("--commit",)).json["candidates"]
    for each in candidates:
        desk.approve(each, "--commit")
    after = desk.files()
    assert all(after[path] == data for path, data in before.items()), item.out
    new = {path for path in after if path not in before and not path.startswith("staging")}
    assert all(path.startswith("experience/atlas/") for path in new)
    assert codes(desk.ok(*ASKED).json) == ["experience.prior_failure.user_recorded"]


def test_an_entry_of_unknown_time_is_approved_and_never_recent(desk: ForeignDesk) -> None:
    row = {**FAILED, "timestamp": "yesterday"}
    (candidate,) = bring(desk, row, options=("--commit",)).json["candidates"]
    assert "/unknown-attempt-redis-lock-" in candidate["path"]
    desk.approve(candidate, "--commit")
    assert desk.ok("validate").code == 0
    (finding,) = desk.ok(*ASKED).json["findings"]
    assert finding["at"].startswith("1970-01-01")


def test_rows_are_parked_with_their_lines_and_the_others_go_on(desk: ForeignDesk) -> None:
    found = bring(desk, FAILED, b"{torn", event("x", id="evt_2", colour=1), code=1)
    assert found.json["counts"] == {
        "new": 1,
        "changed": 0,
        "unchanged": 0,
        "parked": 2,
        "refused": 0,
    }
    assert [each["pointer"] for each in found.json["parked"]] == ["/lines/2", "/lines/3"]
    report = desk.read(f"{found.json['folder']}/_import.md")
    assert "line 2" in report
    assert "`colour`" in report


def test_copies_that_overlap_bring_nothing_twice(desk: ForeignDesk) -> None:
    rows = [event(f"Event {n}", id=f"evt_{n}") for n in range(5)]
    bring(desk, *rows[:3], options=("--commit",))
    found = bring(desk, *rows[1:], rows[4])
    assert found.json["counts"]["new"] == 2
    assert found.json["counts"]["unchanged"] == 3


def test_an_id_with_another_content_is_a_conflict_that_is_said(desk: ForeignDesk) -> None:
    bring(desk, event("First"), options=("--commit",))
    found = bring(desk, event("Second")).json
    assert found["counts"]["changed"] == 1
    (problem,) = found["problems"]
    assert problem["code"] == "import.id_conflict"
    (one,) = [path for path in desk.files() if "-first-" in path]
    assert one


def test_a_secret_refuses_its_row_and_keeps_the_log_out(desk: ForeignDesk) -> None:
    rows = (event(f"key {AWS}"), event("Plain", id="evt_2"), b"{torn " + AWS.encode())
    found = bring(desk, *rows, code=1)
    assert (found.json["counts"]["new"], found.json["counts"]["refused"]) == (1, 1)
    assert found.json["source"]["kept"] is None
    assert AWS not in found.out + found.err
    assert all(AWS.encode() not in data for data in desk.files().values())


def test_a_clone_without_a_log_is_told_and_its_summary_is_text(desk: ForeignDesk) -> None:
    place = desk.root.parent / "clone"
    (place / ".projectmem").mkdir(parents=True)
    (place / ".projectmem" / "summary.md").write_text("# shop\n\n- [OPEN] Rounding\n")
    words = ("import", "projectmem", str(place), "--project", "atlas")
    said = desk.refused(4, *words)
    assert "a clone has none" in said
    found = desk.ok(*words, "--lossy", "--json").json
    (candidate,) = found["candidates"]
    assert "/unknown-observation-" in candidate["path"]
    assert desk.read(candidate["path"]).endswith("---\n# shop\n\n- [OPEN] Rounding\n")
    assert [each["code"] for each in found["problems"]] == ["projectmem.lossy"]


def test_a_project_must_be_named_and_be_one(desk: ForeignDesk) -> None:
    place = desk.root.parent / "events.jsonl"
    place.write_bytes(log(FAILED).data)
    assert "--project" in desk.refused(2, "import", "projectmem", str(place))
    desk.refused(2, "import", "projectmem", str(place), "--project", "nowhere")
    desk.refused(2, "import", "projectmem", str(place), "--project", "atlas", "--as-of", "now")
    desk.refused(4, "import", "projectmem", str(desk.root), "--project", "atlas")


def test_a_project_goes_by_its_alias(desk: ForeignDesk) -> None:
    first = bring(desk, FAILED, options=("--project", "Atlas")).json
    assert "\nproject: atlas\n" in desk.read(first["candidates"][0]["path"])


@pytest.mark.soak
def test_ten_thousand_rows_are_accounted_for(desk: ForeignDesk) -> None:
    rows = [event(f"Event number {n}", id=f"evt_{n}") for n in range(10_000)]
    assert bring(desk, *rows, options=("--commit",)).json["counts"]["new"] == 10_000
    again = json.loads(bring(desk, *rows).out)
    assert again["counts"]["unchanged"] == 10_000
