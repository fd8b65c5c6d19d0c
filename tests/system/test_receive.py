"""A push to a bare repository that `doll hooks install --bare` guards: real git, both sides."""

from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git
from tests.system.test_verify import ENTRY, NAME, PATH, REDACTED, commit
from tests.system.test_verify_reviews import HOME, STAGED, TEXT, reviewed

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

POLICY = "---\neffect: deny\nactions: db.drop\n---\n"


class Team:
    """A clone at work, and the server's repository that it pushes to."""

    def __init__(self, clone: Desk, server: Path) -> None:
        self.clone = clone
        self.server = server

    def push(self, *arguments: str) -> str:
        """Push, hold it to being taken, and return what git printed."""
        return git(self.clone.root, "push", *(arguments or ("origin", "main")))

    def refused(self, *arguments: str) -> str:
        """Push, hold the server to refusing all of it and keeping nothing; return its lines."""
        before = self._kept()
        said = git(self.clone.root, "push", *(arguments or ("origin", "main")), code=1)
        assert self._kept() == before
        assert "doll: nothing was taken" in said
        assert "Traceback" not in said
        return "\n".join(
            line.removeprefix("remote: ").rstrip()
            for line in said.splitlines()
            if line.startswith("remote: ")
        )

    def _kept(self) -> tuple[str, list[Path]]:
        """Return the server's refs and the files of its objects."""
        found = (self.server / "objects").rglob("*")
        return git(self.server, "for-each-ref"), sorted(path for path in found if path.is_file())

    def reset(self) -> None:
        """Take the clone back to what the server has."""
        self.clone.git("reset", "-q", "--hard", "origin/main")
        self.clone.git("clean", "-qfd")


def make_team(desk: Desk, tmp_path: Path) -> Team:
    """Make a vault with an entry of experience on a guarded server, and a clone of it."""
    desk.put(PATH, ENTRY.format(""))
    commit(desk, "entry")
    server = tmp_path / "server.git"
    git(tmp_path, "clone", "-q", "--bare", str(desk.root), str(server))
    desk.git("remote", "add", "origin", str(server))
    desk.git("fetch", "-q", "origin")
    desk.at("../server.git").ok("hooks", "install", "--bare")
    return Team(desk, server)


@pytest.fixture
def team(desk: Desk, tmp_path: Path) -> Team:
    """A vault with an entry of experience on a guarded server, and a clone of it."""
    return make_team(desk, tmp_path)


def test_a_good_push_is_taken_without_a_word(team: Team) -> None:
    team.clone.put("confirmed/a.md", "---\ntitle: A\n---\n")
    team.clone.put("authority/policies/p.md", POLICY)
    team.clone.put(PATH.replace("k3v9", "aaaa"), ENTRY.format(""))
    commit(team.clone, "more")
    team.clone.put(PATH, REDACTED)
    commit(team.clone, "redact", "--trailer", f"Doll-Redacts: {NAME}")
    assert "remote:" not in team.push()
    team.clone.put(STAGED, TEXT)
    commit(team.clone, "propose")
    (team.clone.root / STAGED).unlink()
    team.clone.put(HOME, reviewed(TEXT))
    commit(team.clone, "approve")
    team.clone.git("switch", "-qc", "feature", "HEAD~1")
    team.clone.put("confirmed/b.md", "---\ntitle: B\n---\n")
    commit(team.clone, "feature")
    team.clone.git("tag", "-a", "v1", "-m", "one")
    assert "remote:" not in team.push("origin", "main", "feature", "v1")
    team.clone.git("commit", "-q", "--amend", "-m", "other words")
    assert "remote:" not in team.push("-f", "origin", "feature")
    assert "remote:" not in team.push("origin", ":feature", ":v1")
    assert not (team.server / ".doll").exists()


def test_changed_and_removed_experience(team: Team) -> None:
    team.clone.put(PATH, ENTRY.format("").replace("failed", "worked"))
    by = commit(team.clone, "edit")
    assert team.refused().splitlines() == [
        "doll: refs/heads/main is not taken:",
        f"  {PATH}: commit {by[:12]} changes this entry [experience.changed]",
        "doll: nothing was taken; mend the commits in your clone, where this says more:",
        "    doll validate; doll verify --range origin/main..HEAD",
    ]
    team.reset()
    team.clone.git("rm", "-q", PATH)
    gone = commit(team.clone, "tidy")
    team.clone.git("revert", "--no-edit", gone)
    assert f"commit {gone[:12]} removes this entry [experience.removed]" in team.refused()
    team.reset()
    team.clone.put(PATH, REDACTED)
    commit(team.clone, "redact")
    assert f"without the line `Doll-Redacts: {NAME}`" in team.refused()
    team.reset()
    team.clone.put(PATH, REDACTED.replace("project: atlas", 'project: "[redacted]"'))
    commit(team.clone, "redact whom it warns", "--trailer", f"Doll-Redacts: {NAME}")
    assert "changes this entry [experience.changed]" in team.refused()


def test_an_evil_merge(team: Team) -> None:
    team.clone.git("switch", "-qc", "side")
    commit(team.clone, "side")
    team.clone.git("switch", "-q", "main")
    other = PATH.replace("k3v9", "bbbb")
    team.clone.put(other, ENTRY.format(""))
    commit(team.clone, "main")
    team.push()
    team.clone.git("switch", "-q", "side")
    team.clone.git("merge", "-q", "-s", "ours", "-m", "evil", "main")
    assert f"{other}: commit" in team.refused("origin", "side:main")
    assert f"{other}: commit" in team.refused("origin", "side")


def test_unreviewed_and_wrongly_reviewed_records(team: Team) -> None:
    team.clone.put(HOME, TEXT)
    commit(team.clone, "unreviewed")
    said = team.refused()
    assert f"{HOME}:4: commit" in said
    assert said.count("[review.missing]") == 1
    team.reset()
    team.clone.put(HOME, reviewed(TEXT))
    commit(team.clone, "never staged")
    assert "[review.digest]" in team.refused()


def test_authority_of_another_than_the_user(team: Team) -> None:
    path = "authority/policies/p.md"
    team.clone.put(path, POLICY.replace("effect", "origin: model\neffect"))
    commit(team.clone, "model")
    said = team.refused()
    assert f"{path}:2: commit" in said
    assert said.count("[authority.origin]") == 1
    team.clone.put(path, POLICY)
    commit(team.clone, "now the user's")
    assert "[authority.origin]" in team.refused()


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("confirmed/a.md", "no front matter", "frontmatter.missing"),
        ("authority/policies/p.md", POLICY.replace("deny", "maybe"), "field.value"),
        ("authority/policies/p.md", POLICY.replace("effect", "projects: x\neffect"), "reference."),
        ("authority/projects/b.md", "---\nstatus: active\naliases: atlas\n---\n", "id.duplicate"),
        ("confirmed/atlas.md", "---\ntitle: A\n---\n", "id.duplicate"),
        (PATH.replace("k3v9", "a"), ENTRY.format("").replace("atlas", "x"), "reference.unres"),
        ("doll.yaml", "format: 1\nid: 0f\nbranch: main\n", "settings.value"),
    ],
)
def test_invalid_records(team: Team, path: str, text: str, code: str) -> None:
    team.clone.put(path, text)
    commit(team.clone, "broken")
    said = team.refused()
    assert f"  {path}" in said
    assert f"[{code}" in said


def test_what_was_broken_before_may_be_mended_step_by_step(desk: Desk, team: Team) -> None:
    team.clone.put("confirmed/a.md", "broken")
    team.clone.put("confirmed/b.md", "broken")
    commit(team.clone, "broken")
    (team.server / "hooks/pre-receive").rename(team.server / "hooks/off")
    team.push()
    (team.server / "hooks/off").rename(team.server / "hooks/pre-receive")
    desk.put("confirmed/a.md", "---\ntitle: A\n---\n")
    commit(desk, "one of two")
    team.push()


def test_a_secret_in_any_commit(team: Team) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    team.clone.put("confirmed/a.md", f"---\ntitle: A\n---\n\n{token}\n")
    by = commit(team.clone, "secret")
    team.clone.git("rm", "-q", "confirmed/a.md")
    commit(team.clone, "gone")
    said = team.refused()
    assert f"confirmed/a.md:5: commit {by[:12]}: this looks like a secret" in said
    assert token not in said
    team.reset()
    team.clone.put("confirmed/a.md", f"---\ntitle: A\n---\n\n{token}\n")
    trailer = f"Doll-Not-A-Secret: {said.partition('secret (')[2].partition(')')[0]}:body"
    commit(team.clone, "declared", "--trailer", trailer)
    team.push()


def test_the_vaults_branch_is_not_forced_or_deleted(team: Team) -> None:
    team.clone.git("commit", "-q", "--amend", "-m", "other words")
    assert "take commits away from it [push.forced]" in team.refused("-f", "origin", "main")
    assert "never deleted [push.deleted]" in team.refused("origin", ":main")


def test_one_bad_ref_refuses_all_of_a_push(team: Team) -> None:
    commit(team.clone, "good")
    team.clone.git("switch", "-qc", "feature")
    team.clone.git("rm", "-q", PATH)
    commit(team.clone, "tidy")
    said = team.refused("origin", "main", "feature")
    assert "refs/heads/feature is not taken" in said
    assert "refs/heads/main" not in said
    team.clone.git("tag", "-a", "v1", "-m", "one")
    assert "refs/tags/v1 is not taken" in team.refused("origin", "v1")
    blob = team.clone.git("hash-object", "-w", "doll.yaml")
    assert "[push.no_commit]" in team.refused("origin", f"{blob}:refs/tags/blob")


def test_a_push_cannot_loosen_what_it_is_judged_by(team: Team) -> None:
    text = team.clone.read("doll.yaml")
    team.clone.put("doll.yaml", text.replace("branch: main", "branch: other"))
    team.clone.git("rm", "-q", PATH)
    commit(team.clone, "another branch")
    assert "[experience.removed]" in team.refused()
    team.reset()
    team.clone.put("doll.yaml", text.replace("0f", "0e"))
    commit(team.clone, "another id")
    assert "the id in doll.yaml is not" in team.refused()
    team.reset()
    team.clone.git("rm", "-q", "doll.yaml")
    commit(team.clone, "no vault")
    assert "[push.other_vault]" in team.refused()


def test_a_server_without_doll_takes_nothing_unless_told(team: Team) -> None:
    git(team.server, "config", "doll.python", "/nowhere/python")
    commit(team.clone, "good")
    said = git(team.clone.root, "push", "origin", "main", code=1, PATH="/usr/bin:/bin")
    assert "NOT CHECKED: doll is not found or failed on the server" in said
    git(team.server, "config", "doll.strict", "false")
    git(team.clone.root, "push", "origin", "main", PATH="/usr/bin:/bin")


def test_the_first_push_brings_the_vault(desk: Desk, tmp_path: Path) -> None:
    server = tmp_path / "empty.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(server))
    done = desk.at("../empty.git").ok("hooks", "install", "--bare")
    assert "nothing has been pushed to main yet" in done.err
    team = Team(desk, server)
    desk.git("remote", "add", "origin", str(server))
    desk.put(HOME, TEXT)
    commit(desk, "unreviewed")
    assert "[review.missing]" in team.refused()
    desk.git("reset", "-q", "--hard", "HEAD~1")
    team.push()


def test_a_vault_inside_a_code_repository(desk: Desk, tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    git(code, "init", "-q", "-b", "main")
    for path, data in desk.files().items():
        place = code / "notes" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    work = desk.at("../code")
    work.put(f"notes/{PATH}", ENTRY.format(""))
    work.put("main.c", "int main;\n")
    commit(work, "all")
    git(tmp_path, "clone", "-q", "--bare", str(code), "code.git")
    server = desk.at("../code.git")
    assert "has no doll.yaml" in server.refused(3, "hooks", "install", "--bare")
    server.ok("hooks", "install", "--bare", "--vault", "notes")
    assert git(server.root, "config", "doll.vault") == "notes"
    team = Team(work, server.root)
    work.git("remote", "add", "origin", str(server.root))
    work.put("main.c", "int main = 1;\n")
    work.put("experience/x", "no vault here")
    commit(work, "code")
    team.push()
    work.git("rm", "-q", "experience/x")
    commit(work, "code")
    team.push()
    work.git("rm", "-q", f"notes/{PATH}")
    commit(work, "tidy")
    assert f"  {PATH}: commit" in team.refused()


def test_installing_keeps_what_the_hook_says_and_hands_its_input_on(team: Team) -> None:
    server = team.clone.at("../server.git")
    server.ok("hooks", "uninstall")
    hook = team.server / "hooks/pre-receive"
    assert not hook.exists()
    own = b'#!/bin/sh\nwhile read old new ref; do echo "saw $ref"; done\n'
    hook.write_bytes(own)
    hook.chmod(0o755)
    settings = git(team.server, "config", "--local", "--list")
    for _ in range(3):
        server.ok("hooks", "install", "--bare")
    assert server.ok("hooks", "status").out.startswith("pre-receive: installed")
    commit(team.clone, "good")
    assert "remote: saw refs/heads/main" in team.push()
    server.ok("hooks", "uninstall")
    assert hook.read_bytes() == own
    assert git(team.server, "config", "--local", "--list") == settings


def test_where_it_does_not_belong(team: Team) -> None:
    assert "no bare repository" in team.clone.refused(7, "hooks", "install", "--bare")
    server = team.clone.at("../server.git")
    assert "doll hooks install --bare" in server.refused(7, "hooks", "install")
    wrong = server.refused(2, "hooks", "install", "--bare", "--project", "atlas")
    assert "--project" in wrong
    assert "inside the repository" in server.refused(
        3, "hooks", "install", "--bare", "--vault", "../x"
    )
    assert "pre-receive" in server.refused(1, "hooks", "run", "pre-receive", stdin=b"nonsense\n")


def test_a_secret_that_was_a_link_first(team: Team) -> None:
    place = team.clone.root / "confirmed/a.md"
    place.parent.mkdir()
    place.symlink_to("ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
    commit(team.clone, "link")
    assert "confirmed/a.md:1: commit" in team.refused()


def test_a_server_with_sha256(desk: Desk, tmp_path: Path) -> None:
    server = tmp_path / "server.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "--object-format=sha256", str(server))
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "-q", "-b", "main", "--object-format=sha256")
    for path, data in desk.files().items():
        place = work / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    desk.at("../server.git").ok("hooks", "install", "--bare")
    team = Team(desk.at("../work"), server)
    git(work, "remote", "add", "origin", str(server))
    commit(team.clone, "all")
    team.push()
    team.clone.put(HOME, TEXT)
    commit(team.clone, "unreviewed")
    assert "[review.missing]" in team.refused()
