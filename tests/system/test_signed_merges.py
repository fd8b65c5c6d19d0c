"""Merges and branches where signatures are required: only a signed merge decides."""

import pytest

from tests.signing import (
    ADVISE,
    DENY,
    NEEDS_SSH,
    POLICY,
    SIGNED,
    Signer,
    asked,
    notes,
    sign_with,
)

# The others run with `pytest -m soak`.
pytestmark = [NEEDS_SSH, pytest.mark.sampled(6)]


OFF = SIGNED.replace("required", "off")


def side(ada: Signer, *changes: tuple[str, str | None], signed: bool = False) -> None:
    """Commit on a branch `side` that leaves before the denial; come back to main."""
    ada.desk.git("switch", "-qc", "side", "HEAD~1")
    (ada.signed if signed else ada.plain)(*changes, subject="side")
    ada.desk.git("switch", "-q", "main")


@pytest.mark.parametrize("strategy", ["ours", "theirs"])
def test_an_evil_merge_lifts_nothing(ada: Signer, strategy: str) -> None:
    side(ada, ("a", "a"))
    desk = ada.desk
    if strategy == "ours":  # seen from the side: the merge keeps what it was before the denial
        desk.git("switch", "-q", "side")
        desk.git("merge", "-q", "-s", "ours", "-m", "merge", "main")
        desk.git("branch", "-f", "main")
        desk.git("switch", "-q", "main")
    else:
        desk.git("merge", "-q", "--no-commit", "side")
        ada.plain((POLICY, ADVISE), subject="merge")
    assert len(desk.git("rev-list", "--parents", "-1", "HEAD").split()) == 3
    report = asked(desk)
    assert (report["status"], set(notes(report))) == ("blocked", {POLICY})


def test_nor_does_an_octopus(ada: Signer) -> None:
    desk = ada.desk
    side(ada, ("a", "a"))
    desk.git("switch", "-qc", "third", "HEAD~1")
    ada.plain(("b", "b"))
    tree = desk.git("rev-parse", "HEAD~1^{tree}")
    merge = desk.git(
        "commit-tree", "-p", "third", "-p", "side", "-p", "main", "-m", "octopus", tree
    )
    desk.git("switch", "-q", "main")
    desk.git("reset", "-q", "--hard", merge)
    assert asked(desk)["status"] == "blocked"


def test_a_merge_of_signed_work_needs_no_signature(ada: Signer) -> None:
    path = "authority/policies/other.md"
    side(ada, (path, DENY.replace("db.drop", "db.wipe")), signed=True)
    ada.desk.git("merge", "-q", "-m", "merge", "side")
    report = asked(ada.desk)
    assert (report["status"], report["notes"], report["problems"]) == ("blocked", [], [])
    assert ada.desk.doll("preflight", "--action", "db.wipe", "--json").json["status"] == "blocked"


@pytest.mark.parametrize("first", ["main", "side"])
def test_signed_versions_joined_without_a_signature(ada: Signer, first: str) -> None:
    side(ada, (POLICY, ADVISE + "\n"), signed=True)
    desk = ada.desk
    desk.git("switch", "-q", first)
    other = {"main": "side", "side": "main"}[first]
    desk.git("merge", "-q", "-s", "ours", "-m", "merge", other)
    if first == "side":
        desk.git("branch", "-f", "main")
        desk.git("switch", "-q", "main")
    report = asked(desk)
    assert report["status"] == "blocked"
    (problem,) = report["problems"]
    assert (problem["code"], problem["path"]) == ("signature.concurrent", POLICY)
    # The line that it prints settles it as the merge left it.
    line = problem["hint"].splitlines()[0]
    key = " ".join(("git", *(f"'{each}'" for each in sign_with(ada.key))))
    desk.type(line.replace("git -C", f"{key} -C", 1))
    status = {"main": "blocked", "side": "warning"}[first]
    report = asked(desk)
    assert (report["status"], report["problems"], report["notes"]) == (status, [], [])


def test_a_project_with_two_versions_mutes_nothing(ada: Signer) -> None:
    desk = ada.desk
    ada.signed((POLICY, DENY.replace("actions", "projects: atlas\nactions")))
    project = "authority/projects/atlas.md"
    side(ada, (project, desk.read(project) + "side\n"), signed=True)
    ada.signed((project, desk.read(project) + "main\n"))
    desk.git("merge", "-q", "-s", "ours", "-m", "merge", "side")
    assert asked(desk)["status"] == "blocked"


def test_a_signed_merge_decides(ada: Signer) -> None:
    side(ada, (POLICY, ADVISE + "\n"))
    desk = ada.desk
    desk.git("merge", "-q", "-s", "ours", "--no-commit", "side")
    ada.signed((POLICY, ADVISE), subject="merge")
    report = asked(desk)
    assert (report["status"], report["notes"]) == ("warning", [])


@pytest.mark.sampled(6)
@pytest.mark.parametrize("names_itself", [True, False])
@pytest.mark.parametrize("signed", [True, False])
def test_a_feature_branch_lifts_nothing(ada: Signer, *, signed: bool, names_itself: bool) -> None:
    desk = ada.desk
    desk.git("switch", "-qc", "feature")
    settings = desk.read("doll.yaml").replace(SIGNED, OFF)
    if names_itself:
        settings = settings.replace("main", "feature")
    (ada.signed if signed else ada.plain)((POLICY, None), ("doll.yaml", settings))
    assert asked(desk)["status"] == "blocked"
