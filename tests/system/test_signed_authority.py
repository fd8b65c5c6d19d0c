"""Where signatures are required: what well-signed commits say counts, and nothing lifts it."""

from pathlib import Path

import pytest

from tests.gitbox import git
from tests.signing import ADVISE, ASKED, DENY, NEEDS_SSH, POLICY, SIGNED, Signer, asked, notes

# The others run with `pytest -m soak`.
pytestmark = [NEEDS_SSH, pytest.mark.sampled(6)]


def test_what_is_signed_counts(ada: Signer) -> None:
    report = asked(ada.desk)
    assert (report["status"], report["problems"], report["notes"]) == ("blocked", [], [])


LIFTING: dict[str, tuple[tuple[str, str | None], ...]] = {
    "edits": ((POLICY, ADVISE.replace("advise", "advise\nprojects: garden")),),
    "breaks": ((POLICY, "---\neffect: [\n---\n"),),
    "empties": ((POLICY, ""),),
    "deletes": ((POLICY, None),),
    "renames": ((POLICY, None), ("authority/policies/_no.md", DENY)),
    "moves": ((POLICY, None), ("authority/policies/deep/no.md", DENY)),
    "reverts": ((POLICY, ADVISE),),
    "shadows": (("authority/policies/deep/no.md", ADVISE),),
    "aliases": (("authority/policies/yes.md", ADVISE.replace("---\n", "---\naliases: no\n", 1)),),
    "takes the project": (
        ("authority/projects/other.md", "---\nstatus: active\naliases: atlas\n---\n"),
    ),
    "breaks a project": (("authority/projects/atlas.md", "no front matter\n"),),
    "removes a project": (("authority/projects/atlas.md", None),),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("way", LIFTING)
def test_an_unsigned_commit_lifts_nothing(ada: Signer, way: str) -> None:
    commit = ada.plain(*LIFTING[way])
    report = asked(ada.desk)
    assert (report["status"], report["problems"]) == ("blocked", [])
    said = notes(report)
    wanted = {path for path, _ in LIFTING[way] if "/_" not in path}
    assert set(said) == wanted
    assert all(
        text.startswith(f"commit {commit[:12]} changed it, and it is not signed;")
        for text in said.values()
    )


@pytest.mark.sampled(6)
@pytest.mark.parametrize("way", LIFTING)
def test_nor_does_an_uncommitted_change(ada: Signer, way: str) -> None:
    for path, text in LIFTING[way]:
        if text is None:
            (ada.desk.root / path).unlink()
        else:
            ada.desk.put(path, text)
    report = asked(ada.desk)
    assert (report["status"], report["problems"]) == ("blocked", [])
    assert notes(report) == {}


OFF = SIGNED.replace("required", "off")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SIGNED, OFF),
        (SIGNED, ""),
        ("branch: main", "branch: other"),
        ("0f0f", "0e0e"),
        ("format: 1", "format: 2"),
        ("format: 1", "format: ["),
        ("format: 1", "format: 1\nunknown: 1"),
    ],
)
@pytest.mark.parametrize("pinned", [True, False])
@pytest.mark.parametrize("committed", [True, False])
def test_the_settings_are_those_that_are_signed(
    ada: Signer, old: str, new: str, *, pinned: bool, committed: bool
) -> None:
    desk = ada.desk
    desk.git("branch", "other", "HEAD~1")
    if pinned:
        desk.git("config", "doll.branch", "main")
    changed = desk.read("doll.yaml").replace(old, new)
    assert changed != desk.read("doll.yaml")
    if committed:
        commit = ada.plain(("doll.yaml", changed), (POLICY, None))
    else:
        desk.put("doll.yaml", changed)
        (desk.root / POLICY).unlink()
    report = asked(desk)
    assert (report["status"], report["problems"]) == ("blocked", [])
    if committed:
        assert report["accepted_commit"] == commit
        assert set(notes(report)) == {"doll.yaml", POLICY}


def test_so_is_the_map(ada: Signer) -> None:
    desk = ada.desk
    rule = "actions:\n  - paths: [a]\n    actions: [db.drop]\n"
    ada.signed(("doll.yaml", desk.read("doll.yaml") + rule))
    ada.plain(("doll.yaml", desk.read("doll.yaml").replace("[a]", "[b]")))
    asking = ("preflight", "--project", "atlas", "--json", "--path")
    assert desk.doll(*asking, "a").json["status"] == "blocked"
    assert desk.doll(*asking, "b").json["status"] != "blocked"


def test_settings_removed_from_the_vault(ada: Signer, tmp_path: Path) -> None:
    ada.plain(("doll.yaml", None))
    git(tmp_path, "init", "-q", "code")
    code = ada.desk.at("../code")
    code.git("config", "doll.vault", str(ada.desk.root))
    assert code.doll(*ASKED, "--json").json["status"] == "blocked"
    ada.signed(("doll.yaml", "format: 1\n"))
    ada.signed(("doll.yaml", None))
    assert code.doll(*ASKED, "--json").json["status"] == "not_checked"


def test_a_signed_deletion_lifts(ada: Signer) -> None:
    ada.signed((POLICY, None))
    report = asked(ada.desk)
    assert (report["status"], notes(report)) == ("clear", {})
    ada.plain((POLICY, DENY))
    report = asked(ada.desk)
    assert report["status"] == "clear"
    assert notes(report)[POLICY].endswith("no signed version of it is there, so it does not count")


def test_signed_settings_that_ask_no_longer(ada: Signer) -> None:
    ada.signed(("doll.yaml", ada.desk.read("doll.yaml").replace(SIGNED, OFF)))
    ada.plain((POLICY, None))
    assert asked(ada.desk)["status"] == "clear"


def test_what_was_never_signed_does_not_count(ada: Signer) -> None:
    ada.signed((POLICY, None))
    path = "authority/policies/new.md"
    ada.plain((path, DENY))
    report = asked(ada.desk)
    assert report["status"] == "clear"
    assert notes(report)[path].endswith("no signed version of it is there, so it does not count")
    ada.signed((path, DENY + "\n"))
    assert asked(ada.desk)["status"] == "blocked"
