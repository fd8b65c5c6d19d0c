"""Law 3: the one change of experience is a redaction, and a redacted failure still warns.

Text alone is redacted, whole or element by element, and all else keeps its bytes.
"""

import pytest

from doll.records.digest import sha256
from doll.records.model import Experience
from doll.services.checking.redacting import ADDED as ADDED_FIELDS
from doll.services.checking.redacting import REDACTABLE, is_redaction
from tests.desk import Desk
from tests.gitbox import git
from tests.laws.test_law3_experience_is_history import (
    AS_OF,
    ENTRY,
    NAME,
    PATH,
    commit_entries,
    is_an_error,
)

ADDED = (
    "redacted_at: 2026-09-01T08:00:00Z\n"
    "redacted_by: Ada <ada@example.org>\n"
    f"redacted_sha256: {sha256(ENTRY.encode())}\n"
    'redacted_reason: "names a person"\n'
)


@pytest.fixture
def kept(desk: Desk) -> Desk:
    """A vault with a committed entry, another one, an attachment, and doll's hook."""
    return commit_entries(desk)


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
    "a model": REDACTED.replace("Ada <ada@example.org>", '"model:x"'),
    "a model with a mail": REDACTED.replace("Ada <", "Model:x <"),
    "the mail of a model": REDACTED.replace("ada@example.org", "model:x"),
    "a name alone": REDACTED.replace("Ada <ada@example.org>", "Ada"),
    "a list of people": REDACTED.replace("Ada <ada@example.org>", "[Ada <ada@example.org>]"),
    "a redaction before the entry": REDACTED.replace("2026-09-01", "2026-08-20"),
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


@pytest.mark.parametrize("name", ["a model", "a name alone", "a redaction before the entry"])
def test_who_and_when_are_asked_of_what_is_no_record_too(name: str) -> None:
    """The entry lacks a field that it needs; it may hold a secret all the same."""
    before = ENTRY.replace("outcome: failed", "outcome: odd")
    swap = (sha256(ENTRY.encode()), sha256(before.encode()))
    right = REDACTED.replace("outcome: failed", "outcome: odd").replace(*swap)
    wrong = WRONG[name].replace("outcome: failed", "outcome: odd").replace(*swap)
    assert is_redaction(before.encode(), right.encode())
    assert not is_redaction(before.encode(), wrong.encode())


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
    is_an_error(kept, "changed", "--staged")
    assert "[experience.changed]" in git(kept.root, "commit", "-m", "redact", code=1)
