"""Law 3: experience is history, not authority, and history is kept.

It completes no work item, changes no project, makes no decision, approves no procedure and grants
no permission; a path under `experience/`, once committed, keeps its bytes and mode, except by a
redaction.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from doll.records.digest import sha256
from doll.records.model import Experience
from doll.services.checking.redacting import ADDED as ADDED_FIELDS
from doll.services.checking.redacting import REDACTABLE, is_redaction
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
ADDED = (
    "redacted_at: 2026-09-01T08:00:00Z\n"
    "redacted_by: Ada <ada@example.org>\n"
    f"redacted_sha256: {sha256(ENTRY.encode())}\n"
    'redacted_reason: "names a person"\n'
)

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


@pytest.fixture
def kept(desk: Desk) -> Desk:
    """A vault with a committed entry, another one, an attachment, and doll's hook."""
    desk.put(PATH, ENTRY)
    desk.put(f"experience/atlas/{NAME}2.md", ENTRY.replace('Locked for "jane"', "Again"))
    desk.put("experience/atlas/trace.log", "a trace\n")
    desk.put("experience/README.md", "notes\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "entries")
    desk.ok("hooks", "install", "--vault", ".")
    return desk


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


@pytest.mark.parametrize("name", CHANGES)
def test_a_committed_entry_stays_as_it_is(kept: Desk, name: str) -> None:
    change, code = CHANGES[name]
    change(kept.root / PATH)
    if name != "every record":
        _is_an_error(kept, code)
    kept.git("add", "-A")
    if name != "every record":
        _is_an_error(kept, code)
        _is_an_error(kept, code, "--staged")
    said = git(kept.root, "commit", "-m", "history", code=1)
    assert f"doll: {PATH}: error: this entry is committed history" in said
    assert f"[experience.{code}]" in said
    assert "git commit --no-verify" in said
    restore = next(line for line in said.splitlines() if PATH in line and "git restore" in line)
    kept.type(restore)
    assert kept.read(PATH) == ENTRY


def _is_an_error(desk: Desk, code: str, *arguments: str) -> None:
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


REDACTED = (
    ENTRY.replace('Locked for "jane"', '"[redacted]"')
    .replace("|\n  token of jane\n", "'[redacted]'\n")
    .replace("tags: [x]\n---\n", f"tags: [x]\n{ADDED}---\n")
)
TAGS = """tags:
  - 'jane' # her name
  - harm#less
  - doe
"""
# The entry with more that can hold a name, and its redaction of single elements.
LONG = ENTRY.replace("tags: [x]\n", f"{TAGS}claims:\n  /a: '\"jane\"'\n  /b: '1'\nnick: jane\n")
LONG = LONG.replace("[migrations/**]", "[migrations/**, jane/, '*.sql']")
LISTED = (
    LONG.replace("jane/, '*.sql'", "'[redacted]', '*.sql'")
    .replace("'jane' #", '"[redacted]" #')
    .replace("- doe\n", "- '[redacted]'\n")
    .replace("'\"jane\"'", '"[redacted]"')
    .replace("nick: jane", 'nick: "[redacted]"')
    .replace("---\n\nThe", f"{ADDED}---\n\nThe")
    .replace(sha256(ENTRY.encode()), sha256(LONG.encode()))
)
BODY = "\nThe table of Jane was locked.\n"
RIGHT = {
    "fields": REDACTED,
    "fields and body": REDACTED.replace(BODY, "\n[redacted]\n"),
    "the body alone": ENTRY.replace("---\n\nThe", f"{ADDED}---\n\nThe").replace(
        BODY, "[redacted]\n"
    ),
    "lines elsewhere": ENTRY.replace('Locked for "jane"', '"[redacted]"').replace(
        "project: atlas\n", f"project: atlas\n{ADDED}"
    ),
}
WRONG = {
    "another byte of a field": REDACTED.replace("migrations/**", "migrations/*"),
    "another quote": REDACTED.replace("tags: [x]", 'tags: ["x"]'),
    "a comment": REDACTED.replace("# who did it", "# who did not"),
    "no comment": REDACTED.replace(" # on production", ""),
    "a comment more": REDACTED.replace("'[redacted]'\n", "'[redacted]' # hello\n"),
    "a comment behind an added line": REDACTED.replace("08:00:00Z\n", "08:00:00Z # hello\n"),
    "a comment in a list": REDACTED.replace("tags: [x]", 'tags: # hello\n  - "[redacted]"'),
    "an empty line": REDACTED.replace("kind:", "\nkind:"),
    "another order": "---\nat: 2026-08-20T14:32:05Z\n"
    + REDACTED.replace("at: 2026-08-20T14:32:05Z\n", "").removeprefix("---\n"),
    "another value": REDACTED.replace("outcome: failed", "outcome: worked"),
    "a value almost redacted": REDACTED.replace('"[redacted]" #', '"[redacted] " #'),
    "an element more": ENTRY.replace("[x]\n---", f"[x, '[redacted]']\n{ADDED}---"),
    "no time of redaction": REDACTED.replace("redacted_at: 2026-09-01T08:00:00Z", "redacted_at: x"),
    "an action": ENTRY.replace("- db.alter\n", "- '[redacted]'\n").replace(
        "---\n\n", f"{ADDED}---\n\n"
    ),
    "a field gone": REDACTED.replace("tags: [x]\n", ""),
    "a field more": REDACTED.replace("tags: [x]\n", "tags: [x]\ntitle: Mine\n"),
    "a body edited": REDACTED.replace("Jane", "[redacted]"),
    "a body cut": REDACTED.replace(BODY, "\nThe table was locked.\n"),
    "a body more": REDACTED + "more\n",
    "no body": REDACTED.replace(BODY, ""),
    "line endings": REDACTED.replace("\n", "\r\n"),
    "nothing redacted": ENTRY.replace("[x]\n---", f"[x]\n{ADDED}---"),
    "a wrong digest": REDACTED.replace(sha256(ENTRY.encode()), "0" * 64),
    "its own digest": REDACTED.replace(sha256(ENTRY.encode()), sha256(REDACTED.encode())),
    "an empty reason": REDACTED.replace('"names a person"', '""'),
    "not YAML": REDACTED.replace("tags: [x]", "tags: [x"),
    **{
        f"no {line.partition(':')[0]}": REDACTED.replace(line, "")
        for line in ADDED.splitlines(keepends=True)
    },
}


WRONG_LISTED = {
    "an element less": LISTED.replace("  - harm#less\n", ""),
    "another element": LISTED.replace("harm#less", "harmless"),
    "another style": LISTED.replace("- harm#less", "- 'harm#less'"),
    "another order": LISTED.replace("migrations/**, '[redacted]'", "'[redacted]', migrations/**"),
    "an element almost redacted": LISTED.replace("- '[redacted]'", "- '[redacted]!'"),
    "a comment in a list": LISTED.replace("  - harm", "  # hello\n  - harm"),
    "a comment behind an element": LISTED.replace("- '[redacted]'\n", "- '[redacted]' # hello\n"),
    "another claim": LISTED.replace("/b: '1'", "/b: '2'"),
    "another pointer": LISTED.replace("/a:", "/c:"),
    "all claims": LISTED.replace("\n  /a: \"[redacted]\"\n  /b: '1'", " '[redacted]'"),
}

# Every field that says whether and whom an entry warns, and a value that it can have.
DECIDING = {
    "schema": "doll/experience/1",
    "project": "atlas",
    "kind": "attempt",
    "assertion": "user_recorded",
    "at": "2026-08-20T14:32:05Z",
    "outcome": "failed",
    "work_item": "w",
    "actions": "db.migrate",
    "sources": "other",
    "resolves": "other",
    "supersedes": "other",
    "aliases": "other",
    "sensitivity": "personal",
    "origin": "user",
    "origin_adapter": "pam",
    "origin_sha256": "0" * 64,
    "updates": "other",
    "created": "2026-08-20T14:32:05Z",
    "updated": "2026-08-20T14:32:05Z",
    "reviewed_by": "Ada",
    "reviewed_at": "2026-08-20T14:32:05Z",
    "reviewed_sha256": "0" * 64,
    "review": "rejected",
}


@pytest.mark.parametrize("written", ['"[redacted]"', '["[redacted]"]'])
@pytest.mark.parametrize("field", DECIDING)
def test_what_decides_whom_an_entry_warns_is_never_redacted(field: str, written: str) -> None:
    lines = "".join(f"{key}: {value}\n" for key, value in DECIDING.items())
    before = f"---\n{lines}summary: jane\ntitle: jane\n---\n"
    added = ADDED.replace(sha256(ENTRY.encode()), sha256(before.encode()))
    right = before.replace("title: jane\n", f'title: "[redacted]"\n{added}')
    assert is_redaction(before.encode(), right.encode())
    wrong = right.replace(f"\n{field}: {DECIDING[field]}\n", f"\n{field}: {written}\n")
    wrong = wrong.replace(f"---\n{field}: {DECIDING[field]}\n", f"---\n{field}: {written}\n")
    assert wrong != right
    assert not is_redaction(before.encode(), wrong.encode())


def test_every_field_is_redactable_or_decides() -> None:
    fields = {*Experience.__struct_fields__} - {*ADDED_FIELDS}
    assert fields == REDACTABLE | DECIDING.keys()


def test_elements_are_redacted_one_by_one() -> None:
    assert is_redaction(LONG.encode(), LISTED.encode())
    part = LONG.replace("  - doe", '  - "[redacted]"').replace("---\n\n", f"{ADDED}---\n\n")
    part = part.replace(sha256(ENTRY.encode()), sha256(LONG.encode()))
    assert is_redaction(LONG.encode(), part.encode())


@pytest.mark.parametrize("name", WRONG_LISTED)
def test_elements_that_are_kept_stay_as_they_are(name: str) -> None:
    assert WRONG_LISTED[name] != LISTED
    assert not is_redaction(LONG.encode(), WRONG_LISTED[name].encode())


@pytest.mark.parametrize("name", RIGHT)
def test_the_shape_of_a_redaction(name: str) -> None:
    assert is_redaction(ENTRY.encode(), RIGHT[name].encode())


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_quite_a_redaction(name: str) -> None:
    assert WRONG[name] != REDACTED
    assert not is_redaction(ENTRY.encode(), WRONG[name].encode())


def test_a_second_redaction_is_of_the_first() -> None:
    first = RIGHT["the body alone"]
    second = first.replace('Locked for "jane"', '"[redacted]"')
    assert not is_redaction(first.encode(), second.encode())
    second = second.replace(sha256(ENTRY.encode()), sha256(first.encode()))
    assert is_redaction(first.encode(), second.encode())
    assert not is_redaction(ENTRY.encode(), second.encode())


def test_a_redaction_passes_by_itself_and_still_warns(kept: Desk) -> None:
    ask = ("preflight", "--project", "atlas", "--path", "migrations/1.sql", "--json", *AS_OF)
    before = kept.ok(*ask).json
    assert before["status"] == "warning"
    redacted = RIGHT["lines elsewhere"].replace("paths: [migrations/**]", 'paths: "[redacted]"')
    kept.put(PATH, redacted)
    assert kept.ok("validate").out == ""
    kept.git("add", "-A")
    assert kept.ok("validate", "--staged").out == ""
    kept.git("commit", "-qm", "redact", "--trailer", f"Doll-Redacts: {NAME}")
    after = kept.ok(*ask).json
    assert after["status"] == "warning"
    assert {f["record"] for f in after["findings"]} == {f["record"] for f in before["findings"]}
    assert "Locked" not in str(after)


@pytest.mark.parametrize("line", ["project: atlas", "outcome: failed", "paths: [migrations/**]"])
def test_a_redaction_silences_nobody(kept: Desk, line: str) -> None:
    key = line.partition(":")[0]
    added = ADDED.replace(sha256(ENTRY.encode()), sha256(kept.read(PATH).encode()))
    text = kept.read(PATH).replace(line, f'{key}: "[redacted]"', 1)
    kept.put(PATH, text.replace("---\n\nThe", f"{added}---\n\nThe"))
    code = int(key != "paths")
    assert kept.doll("validate").code == code
    kept.git("add", "-A")
    assert kept.doll("validate", "--staged").code == code
    trailer = ("--trailer", f"Doll-Redacts: {NAME}")
    kept.git("commit", "-qm", "redact", "--no-verify", *trailer)
    found = kept.doll("verify", "--json").json["problems"]
    assert [p["code"] for p in found] == ["experience.changed"] * code


@pytest.mark.parametrize("more", ["another redaction", "another file", "a new entry", "the mode"])
def test_a_redaction_stands_alone_in_its_commit(kept: Desk, more: str) -> None:
    kept.put(PATH, REDACTED)
    other = f"experience/atlas/{NAME}2.md"
    if more == "another redaction":
        text = kept.read(other)
        digest = sha256(text.encode())
        lines = ADDED.replace(sha256(ENTRY.encode()), digest)
        kept.put(other, text.replace("Again", '"[redacted]"').replace("tags", f"{lines}tags"))
        assert is_redaction(text.encode(), kept.read(other).encode())
    elif more == "another file":
        kept.put("confirmed/x.md", "---\ntitle: X\n---\n")
    elif more == "a new entry":
        kept.put(f"experience/atlas/{NAME}3.md", ENTRY)
    else:
        (kept.root / PATH).chmod(0o755)
    kept.git("add", "-A")
    _is_an_error(kept, "changed", "--staged")
    assert "[experience.changed]" in git(kept.root, "commit", "-m", "redact", code=1)
