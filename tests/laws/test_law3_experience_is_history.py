"""Law 3: experience is history, not authority, and history is kept.

It completes no work item, changes no project, makes no decision, approves no procedure and grants
no permission; a path under `experience/`, once committed, keeps its bytes and mode, except by a
redaction.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.footprint import footprint
from tests.gitbox import git

NAME = "20260820T143205Z-attempt-locked-k3v9q2xw7d"
PATH = f"experience/atlas/{NAME}.md"
ENTRY = """---
schema: doll/experience/1
# who did it
project: atlas
kind: attempt
assertion: user_recorded
at: 2026-08-20T14:32:05Z
summary: Locked for "jane" # on production
outcome: failed
actions:
  - db.migrate
  - db.alter
paths: [migrations/**]
evidence: |
  token of jane

tags: [x]
---

The table of Jane was locked.
"""
RULES = {
    "authority/work-items/w.md": "project: atlas\nstatus: blocked\nblocked_by: the lock\n",
    "authority/work-items/v.md": "project: atlas\nstatus: ready\ndepends_on: w\n",
    "authority/decisions/one-database.md": "project: atlas\nstatus: accepted\nactions: db.split\n",
    "authority/procedures/offline.md": "project: atlas\nstatus: draft\nrequired_for: db.migrate\n",
    "authority/policies/no.md": "effect: deny\nprojects: atlas\nactions: db.migrate.online\n",
    "authority/permissions/may.md": "capability: db.drop\nmode: deny\n",
    "authority/capabilities/db.drop.md": "risk: high\nrelease: excluded\n",
}
AS_OF = ("--as-of", "2026-09-01T08:00:00Z")
QUESTIONS = (
    ("--work-item", "w"),
    ("--work-item", "v"),
    ("--project", "atlas", "--action", "db.migrate"),
    ("--project", "atlas", "--action", "db.migrate.online"),
    ("--project", "atlas", "--action", "db.split"),
    ("--project", "atlas", "--action", "db.drop"),
)


@pytest.fixture
def ruled(desk: Desk) -> Desk:
    """A vault with a rule of each kind."""
    for path, text in RULES.items():
        desk.put(path, f"---\n{text}---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "rules")
    return desk


def authority_says(desk: Desk) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what authority, and only authority, answers to every question."""
    answers = []
    for question in QUESTIONS:
        report = desk.doll("preflight", "--json", *AS_OF, *question).json
        assert report["authorizes"] is False
        said = [(f["code"], f["record"]) for f in report["findings"] if f["assertion"] is None]
        answers.append((report["status"], said))
    return answers


KINDS = ("observation", "hypothesis", "attempt", "outcome", "resolution", "lesson")
STATES = ("proposed", "ready", "in_progress", "blocked", "completed", "cancelled")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("by", ["", "model:claude"])
@pytest.mark.parametrize("state", STATES)
def test_no_command_of_experience_changes_a_work_item(desk: Desk, state: str, by: str) -> None:
    desk.put("authority/work-items/w.md", f"---\nproject: atlas\nstatus: {state}\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "work item")
    before = footprint(desk.root / "authority")
    who = ("--by", by) if by else ()
    log = ("log", "--project", "atlas", "--work-item", "w", "--outcome", "worked", *who)
    failure = ("log", "attempt", "It failed", *log[1:5], "--outcome", "failed")
    failed = Path(desk.ok(*failure, "--commit").path).stem
    for kind in KINDS:
        said = desk.ok(*log, kind, f"w is done, says {kind}", "--resolves", failed, "--commit")
        assert f"the work item w is left as it was, {state}" in said.err
    status = ("--body", f"---\nstatus: completed\nwork_item: {state}\n---\n")
    named = desk.ok("correct", failed, "It is completed", *status, *who, "--commit").path
    desk.ok("confirm", Path(named).stem, "--commit")
    desk.doll("work", "done", "w", "--by", "model:claude")
    desk.ok("recall", "done")
    desk.ok("context", "done", "--project", "atlas", "--action", "db.migrate")
    desk.ok("index")
    desk.ok("validate")
    assert footprint(desk.root / "authority") == before
    assert desk.git("log", "--format=%s", "--", "authority/work-items") == "work item"


def test_what_is_logged_changes_no_authority(ruled: Desk) -> None:
    before, answers = footprint(ruled.root / "authority"), authority_says(ruled)
    statuses = [status for status, _ in answers]
    assert statuses == ["blocked", "blocked", "blocked", "blocked", "warning", "blocked"]
    log = ("log", "--project", "atlas", "--commit", "--at", "2026-08-20T14:32:05Z")
    every = ("--action", "db.migrate", "--action", "db.split", "--action", "db.drop")
    first = ruled.ok(*log, "attempt", "It was locked", "--outcome", "failed", *every)
    failure = Path(first.path).stem
    done = ("--outcome", "worked", *every, "--resolves", failure)
    for kind in ("resolution", "outcome", "lesson"):
        for item in ("w", "v"):
            said = f"The work item is completed and all of it is allowed now, says {kind}"
            ruled.ok(*log, kind, said, "--work-item", item, *done, "--body", "status: completed\n")
    confirmed = Path(ruled.ok("confirm", failure, "--commit").path).stem
    ruled.ok("correct", confirmed, "It was never locked", "--outcome", "worked", "--commit")
    assert footprint(ruled.root / "authority") == before
    assert ruled.git("diff", "HEAD~8", "--name-only", "--", "authority", "doll.yaml") == ""
    after = authority_says(ruled)
    assert [said for _, said in after] == [said for _, said in answers]
    assert [status for status, _ in after][:4] == ["blocked"] * 4


CLAIMS = {
    "status": "completed",
    "effect": "allow",
    "mode": "allow",
    "capability": "db.drop",
    "enabled": "false",
    "aliases": "[w, no, offline, atlas]",
}


def test_an_entry_that_claims_authority_has_none(ruled: Desk) -> None:
    answers = authority_says(ruled)
    lines = "".join(f"{key}: {value}\n" for key, value in CLAIMS.items())
    ruled.put(PATH, ENTRY.replace("outcome: failed\n", f"outcome: worked\n{lines}"))
    ruled.git("add", "-A")
    ruled.git("commit", "-qm", "claims")
    assert authority_says(ruled) == answers


def commit_entries(desk: Desk) -> Desk:
    """Return a vault with a committed entry, another one, an attachment, and doll's hook."""
    desk.put(PATH, ENTRY)
    desk.put(f"experience/atlas/{NAME}2.md", ENTRY.replace('Locked for "jane"', "Again"))
    desk.put("experience/atlas/trace.log", "a trace\n")
    desk.put("experience/README.md", "notes\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "entries")
    desk.ok("hooks", "install", "--vault", ".")
    return desk


@pytest.fixture
def kept(desk: Desk) -> Desk:
    """A vault with committed experience, and doll's hook."""
    return commit_entries(desk)


Change = Callable[[Path], object]


def _rewrite(old: str, new: str) -> Change:
    return lambda place: place.write_text(place.read_text().replace(old, new))


def _link(place: Path) -> None:
    text = place.read_text()
    place.unlink()
    other = place.parents[2] / "confirmed/moved.md"
    other.parent.mkdir(exist_ok=True)
    other.write_text(text)
    place.symlink_to(other)


def _remove_all(place: Path) -> None:
    for area in ("experience", "authority"):
        shutil.rmtree(place.parents[2] / area)


CHANGES: dict[str, tuple[Change, str]] = {
    "a word": (_rewrite("Locked", "Fine"), "changed"),
    "the outcome": (_rewrite("failed", "worked"), "changed"),
    "a line feed": (_rewrite("\n", "\r\n"), "changed"),
    "broken": (_rewrite("---\n", ""), "changed"),
    "emptied": (lambda place: place.write_text(""), "changed"),
    "removed": (Path.unlink, "removed"),
    "renamed": (lambda place: place.rename(place.with_name(f"{NAME}0.md")), "removed"),
    "in another project": (lambda place: place.rename(place.parents[1] / "x.md"), "removed"),
    "out of sight": (lambda place: place.rename(place.with_name(f"_{NAME}.md")), "removed"),
    "executable": (lambda place: place.chmod(0o755), "changed"),
    "a link": (_link, "changed"),
    "the folder": (lambda place: shutil.rmtree(place.parent), "removed"),
    "every record": (_remove_all, "removed"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CHANGES)
def test_a_committed_entry_stays_as_it_is(kept: Desk, name: str) -> None:
    change, code = CHANGES[name]
    change(kept.root / PATH)
    if name != "every record":
        is_an_error(kept, code)
    kept.git("add", "-A")
    if name != "every record":
        is_an_error(kept, code)
        is_an_error(kept, code, "--staged")
    said = git(kept.root, "commit", "-m", "history", code=1)
    assert f"doll: {PATH}: error: this entry is committed history" in said
    assert f"[experience.{code}]" in said
    assert "git commit --no-verify" in said
    how = "restore --source" if code == "changed" else "checkout-index"
    restore = next(line for line in said.splitlines() if PATH in line and how in line)
    kept.type(restore.partition("    drops")[0])
    assert kept.read(PATH) == ENTRY


def is_an_error(desk: Desk, code: str, *arguments: str) -> None:
    result = desk.doll("validate", "--json", *arguments)
    assert result.code == 1
    found = {(p["path"], p["code"]) for p in result.json["problems"]}
    assert (PATH, f"experience.{code}") in found


def test_an_attachment_is_kept_and_a_readme_is_not(kept: Desk) -> None:
    kept.put("experience/README.md", "other notes\n")
    kept.put("experience/atlas/README.md", "about atlas\n")
    kept.git("commit", "-qam", "notes")
    kept.put("experience/atlas/trace.log", "no trace\n")
    assert "experience/atlas/trace.log: error" in git(kept.root, "commit", "-am", "x", code=1)


def test_experience_that_is_not_committed_yet_may_change(kept: Desk) -> None:
    new = f"experience/atlas/{NAME}9.md"
    kept.put(new, ENTRY)
    kept.git("add", "-A")
    kept.put(new, ENTRY.replace("Locked", "Blocked"))
    assert kept.ok("validate").out == ""
    kept.git("add", "-A")
    kept.git("commit", "-qm", "new")
