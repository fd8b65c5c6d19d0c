"""Where signatures are required: what well-signed commits say counts, and nothing lifts it."""

from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk, make_vault
from tests.gitbox import git
from tests.signing import NEEDS_SSH, Signer, line_for, make_key, sign_with, trust

pytestmark = NEEDS_SSH

POLICY = "authority/policies/no.md"
DENY = "---\neffect: deny\nactions: db.drop\n---\n"
ADVISE = "---\neffect: advise\nactions: db.drop\n---\n"
SIGNED = "authority:\n  signed: required\n"
ASKED = ("preflight", "--project", "atlas", "--action", "db.drop")


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the keys `ada` and `eve`."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ada", "eve"):
        make_key(folder, name)
    return folder


@pytest.fixture
def ada(tmp_path: Path, keys: Path, capsys: pytest.CaptureFixture[str]) -> Signer:
    """A vault in which all is signed by `ada`: first advice about `db.drop`, then a denial."""
    desk = Desk(make_vault(tmp_path / "notes"), capsys)
    trust(desk.root, tmp_path / "home" / "signers", line_for(keys / "ada"))
    signer = Signer(desk, keys / "ada")
    settings = desk.read("doll.yaml") + SIGNED
    projects = {f"authority/projects/{name}.md" for name in ("atlas", "garden")}
    texts = {path: desk.read(path).replace("active", "active ") for path in projects}
    signer.signed(("doll.yaml", settings), (POLICY, ADVISE), *texts.items(), subject="ask")
    signer.signed((POLICY, DENY), subject="deny")
    return signer


def asked(desk: Desk, *more: str) -> Any:
    """Ask about `db.drop`, with the cache, with it warm, and without it: one answer."""
    command = (*ASKED, "--as-of", "2026-09-01T00:00:00Z", "--json", *more)
    found = [desk.doll(*command) for _ in range(2)]
    (desk.root / ".doll").rename(desk.root.parent / "cache")
    found.append(desk.doll(*command))
    gone = desk.root / ".doll"
    if gone.exists():
        gone.rename(desk.root.parent / "cache-new")
    (desk.root.parent / "cache").rename(gone)
    import shutil

    shutil.rmtree(desk.root.parent / "cache-new", ignore_errors=True)
    assert len({(each.code, each.out) for each in found}) == 1, [each.out for each in found]
    return found[0].json


def notes(report: Any) -> dict[str, str]:
    """Return the notes about what is not signed, by path."""
    return {n["path"]: n["message"] for n in report["notes"] if n["code"] == "authority.not_signed"}


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
    found = ada.desk.doll(*ASKED, "--json", "--vault", str(ada.desk.root))
    assert found.json["status"] in ("blocked", "not_checked")
    git(tmp_path, "init", "-q", "code")
    code = ada.desk.at("../code")
    code.git("config", "doll.vault", str(ada.desk.root))
    assert code.doll(*ASKED, "--json").json["status"] == "blocked"


def test_a_signed_deletion_lifts(ada: Signer) -> None:
    ada.signed((POLICY, None))
    report = asked(ada.desk)
    assert (report["status"], report["notes"]) == ("clear", [])
    ada.plain((POLICY, DENY))
    report = asked(ada.desk)
    assert report["status"] == "clear"
    assert notes(report)[POLICY].endswith("a signed commit removed it, and that counts")


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
    assert notes(report)[path].endswith("no signed commit has it, so it does not count")
    ada.signed((path, DENY + "\n"))
    assert asked(ada.desk)["status"] == "blocked"


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


def test_a_feature_branch_lifts_nothing(ada: Signer) -> None:
    desk = ada.desk
    desk.git("switch", "-qc", "feature")
    settings = desk.read("doll.yaml").replace(SIGNED, OFF).replace("main", "feature")
    ada.signed((POLICY, None), ("doll.yaml", settings))
    assert asked(desk)["status"] == "blocked"


def test_an_author_is_not_looked_at(ada: Signer) -> None:
    ada.desk.git("config", "user.name", "Eve")
    (ada.desk.root / POLICY).unlink()
    options = (*sign_with(ada.key), "commit", "-qaS", "-m", "x", "--author", "Eve <eve@e.org>")
    ada.desk.git(*options)
    assert asked(ada.desk)["status"] == "clear"


@pytest.mark.parametrize(
    ("options", "why"), [('valid-before="20200101"', "its key is not trusted"), ("", "")]
)
def test_a_key_that_has_expired(ada: Signer, keys: Path, options: str, why: str) -> None:
    root = ada.desk.root
    file = root.parent / "home" / "signers"
    trust(root, file, line_for(keys / "ada"), line_for(keys / "eve", options))
    Signer(ada.desk, keys / "eve").signed((POLICY, None))
    report = asked(ada.desk)
    assert report["status"] == ("blocked" if why else "clear")
    assert (POLICY in notes(report)) == bool(why)
    assert why in notes(report).get(POLICY, "")


def test_a_key_that_is_not_in_the_file(ada: Signer, keys: Path) -> None:
    Signer(ada.desk, keys / "eve").signed((POLICY, None))
    report = asked(ada.desk)
    assert report["status"] == "blocked"
    assert "its key is not trusted" in notes(report)[POLICY]


def test_a_key_that_was_revoked(ada: Signer, keys: Path, tmp_path: Path) -> None:
    file = tmp_path / "home" / "signers"
    trust(ada.desk.root, file, line_for(keys / "ada"), line_for(keys / "eve"))
    Signer(ada.desk, keys / "eve").signed((POLICY, None))
    assert asked(ada.desk)["status"] == "clear"
    revoked = tmp_path / "home" / "revoked"
    revoked.write_bytes((keys / "eve.pub").read_bytes())
    ada.desk.git("config", "gpg.ssh.revocationFile", str(revoked))
    report = asked(ada.desk)
    assert report["status"] == "blocked"
    assert "its key was revoked" in notes(report)[POLICY]
    revoked.unlink()
    report = asked(ada.desk)
    assert "signature.trust" in {problem["code"] for problem in report["problems"]}


def test_a_signature_of_other_bytes(ada: Signer) -> None:
    commit = ada.signed((POLICY, None))
    text = ada.desk.git("cat-file", "commit", commit).replace("signed", "forged").encode() + b"\n"
    (ada.desk.root.parent / "forged").write_bytes(text)
    forged = ada.desk.git("hash-object", "-t", "commit", "-w", "../forged")
    ada.desk.git("reset", "-q", "--hard", forged)
    report = asked(ada.desk)
    assert report["status"] == "blocked"
    assert "its signature is bad" in notes(report)[POLICY]
