"""`doll redact`: values of a committed entry are replaced, and what still holds them is said."""

import subprocess
from pathlib import Path

import pytest

from doll.records.codec import values_of
from doll.records.digest import sha256
from doll.services.checking.redacting import is_redaction
from tests.desk import Desk
from tests.laws.test_law3_experience_is_history import AS_OF, NAME, PATH, commit_entries
from tests.laws.test_law3_redactions import DECIDING, LONG

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

BY = ("--reason", "names a person")
VALUE = "Quillfeather"


@pytest.fixture
def kept(desk: Desk) -> Desk:
    """A vault with committed entries and doll's hook; one entry has all that can be redacted."""
    commit_entries(desk)
    (desk.root / PATH).write_text(LONG)
    desk.git("commit", "-aqm", "more", "--no-verify")
    return desk


def redact(desk: Desk, *fields: str, commit: bool = True) -> tuple[bytes, bytes]:
    """Redact fields, hold the result to the one rule, and return the bytes before and after."""
    before = (desk.root / PATH).read_bytes()
    words = [word for field in fields for word in ("--field", field)]
    desk.ok("redact", NAME, *words, *BY, *(("--commit",) if commit else ()))
    after = (desk.root / PATH).read_bytes()
    assert is_redaction(before, after)
    return before, after


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "fields",
    [
        ("summary",),
        ("evidence",),
        ("tags",),
        ("tags:1",),
        ("tags:3",),
        ("tags:1", "tags:3"),
        ("paths:2",),
        ("paths",),
        ("claims",),
        ("claims:/a",),
        ("claims:/b",),
        ("nick",),
        ("body",),
        ("summary", "evidence", "tags:2", "paths:3", "claims:/a", "nick", "body"),
    ],
)
def test_what_is_named_is_replaced_and_all_else_stays(kept: Desk, fields: tuple[str, ...]) -> None:
    redact(kept, *fields)
    assert kept.doll("validate").code == 0
    message = kept.git("log", "-1", "--format=%B")
    assert f"Doll-Redacts: {NAME}" in message
    found = kept.doll("verify", "--json").json["problems"]
    assert {p["path"] for p in found} <= {PATH}
    assert len(found) == 1  # the one that made the entry longer, above


def test_lines_that_are_not_redacted_are_byte_for_byte(kept: Desk) -> None:
    before, after = redact(kept, "tags:1", "summary")
    changed = set(before.decode().splitlines()) ^ set(after.decode().splitlines())
    old = {'summary: Locked for "jane" # on production', "  - 'jane' # her name"}
    new = {'summary: "[redacted]" # on production', '  - "[redacted]" # her name'}
    assert {line for line in changed if not line.startswith("redacted_")} == old | new
    values = values_of(after)
    assert values["redacted_sha256"] == sha256(before)
    assert values["redacted_reason"] == "names a person"
    assert "@" in str(values["redacted_by"])


def test_windows_line_ends_stay(kept: Desk) -> None:
    (kept.root / PATH).write_bytes(LONG.replace("\n", "\r\n").encode())
    kept.git("commit", "-aqm", "crlf", "--no-verify")
    _, after = redact(kept, "summary", "tags:2", "body")
    assert after.count(b"\n") == after.count(b"\r\n")


def test_it_can_be_committed_by_the_line_that_is_printed(kept: Desk) -> None:
    result = kept.ok("redact", NAME, "--field", "summary", *BY, "--json").json
    assert result["commit"] is None
    assert kept.doll("validate").code == 0
    kept.type(result["next"][0])
    assert kept.git("status", "--porcelain") == ""
    assert f"Doll-Redacts: {NAME}" in kept.git("log", "-1", "--format=%B")


def test_what_else_is_staged_stays_out_of_the_commit(kept: Desk) -> None:
    kept.put("confirmed/x.md", "---\ntitle: X\n---\n")
    kept.git("add", "-A")
    redact(kept, "summary")
    assert kept.git("show", "--name-only", "--format=", "HEAD").split() == [PATH]
    assert kept.git("diff", "--cached", "--name-only").split() == ["confirmed/x.md"]


def test_a_second_redaction_follows_the_first(kept: Desk) -> None:
    redact(kept, "summary")
    redact(kept, "tags:2", "body")
    assert "redacted already" in kept.refused(2, "redact", NAME, "--field", "body", *BY)
    assert kept.doll("validate").code == 0


def test_a_redacted_failure_still_warns(kept: Desk) -> None:
    ask = ("preflight", "--project", "atlas", "--path", "migrations/1.sql", "--json", *AS_OF)
    before = kept.ok(*ask).json
    words = ("--field", "summary", "--field", "paths", "--field", "body", "--commit")
    said = kept.ok("redact", NAME, *words, *BY).err
    assert "a failure still" in said
    assert "matches every path" in said
    after = kept.ok(*ask).json
    assert before["status"] == after["status"] == "warning"
    assert {f["record"] for f in before["findings"]} == {f["record"] for f in after["findings"]}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("field", DECIDING)
def test_what_decides_whom_it_warns_is_not_redacted(kept: Desk, field: str) -> None:
    assert "it stays" in kept.refused(2, "redact", NAME, "--field", field, *BY)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("sumary", "did you mean summary"),
        ("title", "has no `title`"),
        ("tags:0", "tags:1 to tags:3"),
        ("tags:4", "tags:1 to tags:3"),
        ("tags:jane", "tags:1 to tags:3"),
        ("claims:/c", "claims:/a"),
        ("summary:1", "one text"),
        ("body:1", "as a whole"),
        ("redacted_reason", "it stays"),
        ("", "has no"),
    ],
)
def test_what_cannot_be_named(kept: Desk, field: str, said: str) -> None:
    assert said in kept.refused(2, "redact", NAME, "--field", field, *BY)


def test_the_reason_holds_no_secret_and_not_the_words(kept: Desk) -> None:
    key = "AKIA" + "Q3EGRZ5LKLMNOPQT"
    said = kept.refused(5, "redact", NAME, "--field", "body", "--reason", f"was {key}")
    assert key not in said
    assert "write about the secret without the secret" in said
    assert "--not-a-secret" not in said
    kept.refused(2, "redact", NAME, "--field", "tags:1", "--reason", "was jane")
    kept.refused(2, "redact", NAME, "--field", "body", "--reason", " ")


def test_it_is_the_users_act(kept: Desk) -> None:
    words = ("redact", NAME, "--field", "body", *BY)
    assert "that is the user's" in kept.refused(5, *words, "--by", "model:x")
    assert "that is the user's" in kept.refused(5, *words, DOLL_BY="model:x")


def test_only_committed_experience_is_redacted(kept: Desk) -> None:
    kept.put("confirmed/x.md", "---\ntitle: X\n---\n")
    kept.put("experience/atlas/new.md", LONG)
    assert "may be edited" in kept.refused(2, "redact", "x", "--field", "title", *BY)
    assert "may be edited" in kept.refused(2, "redact", "atlas", "--field", "title", *BY)
    assert "not committed yet" in kept.refused(5, "redact", "new", "--field", "body", *BY)
    kept.put(PATH, LONG.replace("Locked", "Looked"))
    assert "not as HEAD has it" in kept.refused(5, "redact", NAME, "--field", "body", *BY)


def test_files_that_hold_the_same_words_are_named(kept: Desk) -> None:
    kept.put("confirmed/x.md", "---\ntitle: X\n---\nAsk jane.\n")
    result = kept.ok("redact", NAME, "--field", "tags:1", *BY, "--json").json
    other = f"experience/atlas/{NAME}2.md"
    assert result["left"] == ["confirmed/x.md", PATH, other]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("change", ["a byte", "no trailer", "a file more"])
def test_what_is_almost_what_it_made_is_refused(kept: Desk, change: str) -> None:
    redact(kept, "summary", commit=False)
    base = kept.git("rev-parse", "HEAD").strip()
    if change == "a byte":
        kept.put(PATH, kept.read(PATH).replace("db.alter", "db.altar"))
    if change == "a file more":
        kept.put(f"experience/atlas/{NAME}3.md", LONG)
    kept.git("add", "-A")
    assert kept.doll("validate", "--staged").code == (0 if change == "no trailer" else 1)
    trailer = () if change == "no trailer" else ("--trailer", f"Doll-Redacts: {NAME}")
    kept.git("commit", "-qm", "redact", "--no-verify", *trailer)
    assert kept.git("rev-parse", "HEAD~1").strip() == base
    problems = kept.doll("verify", "--json").json["problems"]
    assert len([p for p in problems if p["code"] == "experience.changed"]) == 2


def bare(desk: Desk) -> Path:
    """Return a server's repository that takes only what doll's hook lets through."""
    server = desk.root.parent / "server.git"
    desk.git("clone", "-q", "--bare", str(desk.root), str(server))
    desk.at("../server.git").ok("hooks", "install", "--bare")
    desk.git("remote", "add", "origin", str(server))
    return server


def test_a_server_takes_the_commit_and_nothing_like_it(desk: Desk) -> None:
    commit_entries(desk)
    bare(desk)
    desk.ok("redact", NAME, "--field", "summary", *BY, "--commit")
    desk.type("git push -q origin main")
    desk.ok("redact", NAME, "--field", "body", *BY)
    desk.git("commit", "-aqm", "redact", "--no-verify")
    assert "experience.changed" in desk.type("git push -q origin main", 1)


def holds(folder: Path, value: str) -> bool:
    """Return whether any git object, reachable or not, holds a text."""
    done = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects", "--unordered"],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    return value.encode() in done.stdout


def test_the_lines_that_are_printed_purge_history_and_cache(desk: Desk) -> None:
    summary = f"{VALUE} locked the table"
    words = ("log", "attempt", summary, "--project", "atlas", "--outcome", "failed", "--commit")
    path = desk.ok(*words, "--tag", VALUE, "--body", f"It was {VALUE}.").path
    desk.ok("new", "memory", "tea", "--title", "Tea", "--commit")
    desk.git("tag", "-am", "a tag", "before")
    desk.git("branch", "other")
    assert desk.ok("recall", "locked").out
    fields = [word for f in ("summary", "tags", "body") for word in ("--field", f)]
    result = desk.ok("redact", path, *fields, *BY, "--commit", "--json").json
    assert result["left"] == []
    assert holds(desk.root, VALUE)
    count = desk.git("rev-list", "--count", "HEAD")
    (line,) = result["purge"]
    # Where git refuses to rewrite, nothing is taken away, neither what is changed nor stashed.
    before = desk.git("reflog"), desk.git("for-each-ref")
    desk.put("confirmed/tea.md", desk.read("confirmed/tea.md") + "Edit.\n")
    assert "unstaged changes" in desk.type(line, 1)
    assert list((desk.root / ".doll/cache").iterdir())
    assert (desk.git("reflog"), desk.git("for-each-ref")) == before
    desk.git("stash")
    assert "stash@{0}" in desk.type(line, 1)
    desk.git("stash", "pop")
    desk.git("restore", "confirmed/tea.md")
    desk.type(line)
    assert not holds(desk.root, VALUE)
    assert desk.git("rev-list", "--count", "HEAD") == count
    assert desk.git("status", "--porcelain") == ""
    assert desk.doll("validate").code == 0
    assert desk.doll("verify").code == 0
    assert "[redacted]" in desk.read(path)
    everything = b"".join(p.read_bytes() for p in desk.root.rglob("*") if p.is_file())
    slug = VALUE.lower().encode()
    assert VALUE.encode() not in everything
    assert slug in path.encode()  # a name is kept, which was said


def test_history_is_purged_of_a_vault_in_a_folder_with_odd_names(desk: Desk) -> None:
    vault = desk.at("it's notes")
    vault.root.mkdir()
    desk.git("mv", "doll.yaml", "authority", ".gitignore", ".gitattributes", "it's notes")
    path = "experience/atlas/20260820T143205Z-attempt-ça, c'est (l'été)-k3v9q2xw7d.md"
    text = LONG.replace("jane", VALUE)
    vault.put(path, text)
    desk.git("add", "-A")
    desk.git("commit", "-qm", f"an entry of {VALUE}")
    fields = ("summary", "tags", "claims", "paths:2", "nick", "evidence", "body")
    words = [word for field in fields for word in ("--field", field)]
    result = vault.ok("redact", path, *words, *BY, "--commit", "--json").json
    for line in result["purge"]:
        desk.type(line)
    assert not holds(desk.root, VALUE)
    assert vault.doll("verify").code == 0
    assert desk.git("status", "--porcelain") == ""


def test_a_reviewed_entry_is_redacted_too(desk: Desk) -> None:
    sent = (
        "---\nproject: atlas\nkind: attempt\nat: 2026-08-20T14:32:05Z\noutcome: failed\n"
        f"summary: {VALUE} broke it\n---\n"
    )
    by = ("--by", "model:x", "--commit", "--json")
    candidate = desk.ok("propose", "experience", *by, stdin=sent.encode()).json["record"]
    words = (candidate["id"], "--digest", candidate["digest"], "--commit")
    desk.ok("review", "approve", *words)
    (path,) = [p for p in desk.files() if p.startswith("experience/")]
    result = desk.ok("redact", path, "--field", "summary", *BY, "--commit", "--json").json
    assert any("it was reviewed" in note for note in result["notes"])
    assert result["left"] == []
    assert desk.doll("validate").code == 0
    assert desk.doll("verify").code == 0


def test_json(kept: Desk) -> None:
    document = kept.ok("redact", NAME, "--field", "tags:2", *BY, "--commit", "--json").json
    assert document["schema"] == "doll.redact/1"
    assert document["fields"] == ["tags:2"]
    assert document["trailers"] == [f"Doll-Redacts: {NAME}"]
    assert document["next"] == []
    assert document["sha256"] == sha256((kept.root / PATH).read_bytes())
