"""What is committed and not signed is named: by validate, status, recall and verify."""

from pathlib import Path

import pytest

from tests.signing import ADVISE, NEEDS_SSH, POLICY, Signer, asked

pytestmark = [NEEDS_SSH, pytest.mark.sampled(3)]

MEMORY = "confirmed/espresso.md"
TEXT = "---\nsummary: Espresso without sugar\n---\n"


@pytest.fixture
def reviewed(ada: Signer) -> Signer:
    """A vault that also asks for signed reviews, with one signed memory."""
    settings = ada.desk.read("doll.yaml") + "review:\n  signed: required\n"
    ada.signed(("doll.yaml", settings), (MEMORY, TEXT))
    return ada


def test_all_is_signed(reviewed: Signer) -> None:
    desk = reviewed.desk
    assert desk.doll("validate").code == 0
    assert "not signed" not in desk.ok("status").out
    (hit,) = desk.ok("recall", "espresso", "--json").json["hits"]
    assert hit["marks"] == []
    assert desk.doll("verify").code == 0


def test_unsigned_changes_are_named(reviewed: Signer) -> None:
    desk = reviewed.desk
    commit = reviewed.plain((POLICY, ADVISE), (MEMORY, TEXT.replace("without", "with")))
    problems = desk.doll("validate", "--json").json["problems"]
    found = {(each["path"], each["code"], each["severity"]) for each in problems}
    assert (POLICY, "authority.not_signed", "error") in found
    assert (MEMORY, "review.not_signed", "error") in found
    status = desk.ok("status", "--json").json
    assert {each["path"]: each["commit"] for each in status["unsigned"]} == {
        POLICY: commit,
        MEMORY: commit,
    }
    assert "not signed as the vault asks (2):" in desk.ok("status").out
    (hit,) = desk.ok("recall", "espresso", "--json").json["hits"]
    assert hit["marks"] == ["not_signed"]
    assert f"{MEMORY} (memory, not signed" in desk.ok("recall", "espresso").out
    verified = desk.doll("verify", "--json")
    assert verified.code == 1
    assert {(each["path"], each["commit"]) for each in verified.json["problems"]} == {
        (POLICY, commit),
        (MEMORY, commit),
    }


def test_what_is_said_of_a_memory_is_what_recall_does(reviewed: Signer) -> None:
    desk = reviewed.desk
    other = "confirmed/tea.md"
    gone = "confirmed/gone.md"
    reviewed.signed((gone, TEXT))
    commit = reviewed.plain((MEMORY, TEXT.replace("out", "")), (other, TEXT), (gone, None))
    how = f"commit {commit[:12]} changed it, and it is not signed; "
    said = {
        MEMORY: f"{how}another version of it is signed",
        other: f"{how}no version of it is signed",
        gone: f"{how}another version of it is signed",
    }
    for problems in (
        desk.doll("validate", "--json").json["problems"],
        desk.doll("verify", "--json").json["problems"],
    ):
        found = {p["path"]: p["message"] for p in problems if p["code"] == "review.not_signed"}
        assert found == said
    hits = desk.ok("recall", "espresso", "--json").json["hits"]
    assert {hit["path"]: hit["marks"] for hit in hits} == {
        MEMORY: ["not_signed"],
        other: ["not_signed"],
    }
    plain = desk.ok("recall", "espresso").out
    assert plain.count("(memory, not signed") == 2
    assert "Espresso with sugar" in plain
    assert "counts" not in plain + desk.ok("status").out


def test_the_line_that_validate_prints_signs_all_of_it(reviewed: Signer) -> None:
    desk = reviewed.desk
    reviewed.plain((POLICY, ADVISE), (MEMORY, TEXT.replace("without", "with")))
    hints = [each["hint"] for each in desk.doll("validate", "--json").json["problems"]]
    line = next(hint for hint in hints if " merge -S " in hint).splitlines()[0]
    desk.git("config", "gpg.format", "ssh")
    desk.git("config", "user.signingKey", str(reviewed.key))
    desk.type(line)
    assert desk.doll("validate").code == 0
    assert desk.doll("verify").code == 0
    assert asked(desk)["status"] == "warning"
    assert asked(desk)["notes"] == []


def test_a_vault_that_begins_to_ask_signs_what_it_has(ada: Signer) -> None:
    """One line signs doll.yaml and all of authority, and the story goes on from there."""
    desk = ada.desk
    desk.git("switch", "-q", "--orphan", "new")
    desk.git("checkout", "main", "--", ".")
    desk.git("commit", "-qm", "all of it, not signed")
    desk.git("branch", "-f", "main", "new")
    desk.git("switch", "-q", "main")
    report = asked(desk)
    assert (report["status"], report["complete"]) == ("blocked", False)
    (problem,) = report["problems"]
    desk.git("config", "gpg.format", "ssh")
    desk.git("config", "user.signingKey", str(ada.key))
    desk.type(problem["hint"].splitlines()[0])
    assert (asked(desk)["status"], asked(desk)["complete"]) == ("blocked", True)
    ada.plain((POLICY, None))
    assert asked(desk)["status"] == "blocked"


def test_reviews_alone(ada: Signer) -> None:
    """Authority needs no signature where only reviews do."""
    desk = ada.desk
    settings = desk.read("doll.yaml").replace("authority", "review")
    ada.signed(("doll.yaml", settings))
    ada.plain((POLICY, None), (MEMORY, TEXT))
    assert asked(desk)["status"] == "clear"
    problems = desk.doll("validate", "--json").json["problems"]
    assert [each["path"] for each in problems if each["code"].endswith("not_signed")] == [MEMORY]


def test_recall_says_that_it_cannot_tell(reviewed: Signer, tmp_path: Path) -> None:
    (tmp_path / "home" / "signers").unlink()
    found = reviewed.desk.ok("recall", "espresso")
    assert "signers cannot be read" in found.err


def test_who_writes_authority_is_told_to_sign(ada: Signer) -> None:
    rest = ("--set", "effect=deny", "--set", "actions=deploy")
    said = ada.desk.ok("new", "policy", "No nights", *rest).err
    assert "asks for signed commits" in said
    ada.desk.git("config", "commit.gpgSign", "true")
    said = ada.desk.ok("new", "policy", "No weekends", *rest).err
    assert "asks for signed commits" not in said
