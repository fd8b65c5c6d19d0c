"""A redaction is said in its message, by a person: the commit-msg hook stops any other."""

import pytest

from tests.desk import Desk
from tests.gitbox import git
from tests.laws.test_law3_experience_is_history import ENTRY, NAME, PATH, commit_entries

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

BY = ("--reason", "names a person")
TRAILER = f"Doll-Redacts: {NAME}"


@pytest.fixture
def kept(desk: Desk) -> Desk:
    """A vault with committed entries and doll's hooks, and a redaction that is not committed."""
    commit_entries(desk)
    desk.ok("redact", NAME, "--field", "summary", *BY)
    return desk


def stopped(desk: Desk, *arguments: str) -> list[str]:
    """Commit, hold git to having been stopped, return the lines that were printed."""
    before = desk.git("rev-parse", "HEAD")
    printed = git(desk.root, "commit", "-qa", *arguments, code=1)
    assert desk.git("rev-parse", "HEAD") == before
    return printed.splitlines()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("redact", f"lacks the line `{TRAILER}`"),
        (f"redact\n\n{TRAILER}\n\nmore words", f"lacks the line `{TRAILER}`"),
        ("redact\n\nDoll-Redacts: another", "names another: another"),
        (f"redact\n\n{TRAILER}\nDoll-By: model:x", "has `Doll-By:`: it is the user's act"),
        (f"redact\n\ndoll-redacts: {NAME}\ndoll-by: model:x", "has `Doll-By:`"),
    ],
)
def test_a_redaction_that_is_not_said_is_stopped(kept: Desk, said: str, why: str) -> None:
    first, line, *_ = stopped(kept, "-m", said)
    assert first.startswith(f"doll: {PATH}")
    assert why in first
    assert "[experience.changed]" in first
    kept.type(line)
    assert TRAILER in kept.git("log", "-1", "--format=%B")
    assert kept.doll("verify").code == 0


@pytest.mark.parametrize("key", ["Doll-Redacts", "doll-redacts"])
def test_one_that_is_said_goes_on(kept: Desk, key: str) -> None:
    assert git(kept.root, "commit", "-qam", f"x\n\n{key}: {NAME}") == ""
    assert kept.doll("verify").code == 0


def test_a_vault_in_a_folder_and_what_is_staged_beside_it(desk: Desk) -> None:
    vault = desk.at("its notes")
    vault.root.mkdir()
    desk.git("mv", "doll.yaml", "authority", ".gitignore", ".gitattributes", "its notes")
    vault.put(PATH, ENTRY)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "moved")
    desk.ok("hooks", "install", "--vault", "its notes")
    vault.ok("redact", NAME, "--field", "summary", *BY)
    desk.put("code.py", "x = 1\n")
    desk.git("add", "-A")
    first, line, *_ = stopped(desk, "-m", "redact")
    assert f"lacks the line `{TRAILER}`" in first
    desk.type(line)
    assert desk.git("show", "--name-only", "--format=", "HEAD") == f"its notes/{PATH}"


def test_a_merge_takes_over_what_was_said(kept: Desk) -> None:
    kept.git("switch", "-qc", "side")
    kept.git("commit", "-qam", "redact", "--trailer", TRAILER)
    kept.git("switch", "-q", "main")
    kept.put("confirmed/x.md", "---\ntitle: X\n---\n")
    kept.git("add", "-A")
    kept.git("commit", "-qm", "more")
    assert git(kept.root, "merge", "-q", "-m", "merge", "side") == ""
    assert kept.doll("verify").code == 0


def test_a_changed_file_of_such_a_folder_elsewhere_is_nothing_to_it(desk: Desk) -> None:
    desk.ok("hooks", "install", "--vault", ".")
    desk.put("src/experience/a.py", "x = 1\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "one")
    desk.put("src/experience/a.py", "x = 2\n")
    assert git(desk.root, "commit", "-qam", "two") == ""


def test_history_and_a_server_take_none_that_a_model_made(kept: Desk) -> None:
    server = kept.root.parent / "server.git"
    kept.git("clone", "-q", "--bare", str(kept.root), str(server))
    kept.at("../server.git").ok("hooks", "install", "--bare")
    kept.git("commit", "-qa", "--no-verify", "-m", f"x\n\n{TRAILER}\nDoll-By: model:x")
    (problem,) = kept.doll("verify", "--json").json["problems"]
    assert problem["code"] == "experience.changed"
    assert "redacts this entry, and its message has `Doll-By:`" in problem["message"]
    assert "has `Doll-By:`" in kept.type(f"git push -q {server} main", 1)
    # What a merge brings is excused by no such commit either.
    kept.git("switch", "-qc", "side", "HEAD~1")
    kept.git("commit", "-q", "--allow-empty", "-m", "side")
    kept.git("merge", "-q", "--no-verify", "-m", "merge", "main")
    found = kept.doll("verify", "--json").json["problems"]
    assert len(found) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("redacted_by: ", "redacted_by: model:x "),
        ("redacted_at: 2", "redacted_at: 1"),
    ],
)
def test_who_and_when_are_rules_of_the_file(kept: Desk, old: str, new: str) -> None:
    kept.put(PATH, kept.read(PATH).replace(old, new))
    said = kept.doll("validate", "--json").json["problems"]
    assert {p["code"] for p in said} == {"experience.changed", "field.value"}
    printed = git(kept.root, "commit", "-qam", f"x\n\n{TRAILER}", code=1)
    assert "[field.value]" in printed
    kept.git("commit", "-qam", f"x\n\n{TRAILER}", "--no-verify")
    (problem,) = kept.doll("verify", "--json").json["problems"]
    assert problem["code"] == "experience.changed"


def test_an_entry_that_is_dated_later_is_redacted_at_its_time(desk: Desk) -> None:
    later = ENTRY.replace("at: 2026-08-20T14:32:05Z", "at: 2199-08-20T14:32:05.5+02:00")
    desk.put(PATH, later)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "later")
    desk.ok("redact", NAME, "--field", "summary", *BY, "--commit")
    assert "redacted_at: 2199-08-20T12:32:05.5" in desk.read(PATH)
    assert desk.doll("verify").code == 0


def test_an_identity_of_a_model_redacts_nothing(desk: Desk) -> None:
    commit_entries(desk)
    words = ("redact", NAME, "--field", "summary", *BY)
    said = desk.refused(5, *words, GIT_AUTHOR_NAME="model:x", GIT_COMMITTER_NAME="model:x")
    assert "not that of a person" in said
    assert said.count("nothing was changed") == 1
