"""The pre-merge-commit hook in real merges, of code and of the vault itself."""

import shutil
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.footprint import OWN, footprint
from tests.gitbox import git
from tests.hook_desk import FAILURE, NAME, unchecked_commit
from tests.system.test_verify import ENTRY, PATH, REDACTED
from tests.system.test_verify_reviews import HOME, STAGED, TEXT, reviewed

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)


def fork(desk: Desk, *paths: str) -> None:
    """Commit paths on a branch `feature`, and something else on `main`."""
    desk.git("switch", "-qc", "feature")
    unchecked_commit(desk, *paths)
    desk.git("switch", "-q", "main")
    unchecked_commit(desk, "src/main")


def merge(desk: Desk, code: int = 0) -> str:
    return git(desk.root, "merge", "-q", "--no-edit", "feature", code=code)


def test_what_a_merge_brings_in_is_checked(code: Desk) -> None:
    fork(code, "drops/a")
    lines = merge(code, 1).splitlines()
    assert lines[0].startswith("doll: BLOCKED: authority/policies/no-drops.md")
    assert lines[1] == (
        "doll: the merge is stopped; `git commit --no-verify` concludes it all the same. Type:"
    )
    # The hook's own advice works, and so does going back.
    assert (code.root / ".git/MERGE_HEAD").is_file()
    git(code.root, "merge", "--abort")
    merge(code, 1)
    git(code.root, "commit", "--no-verify", "--no-edit", "-q")
    assert code.git("rev-list", "--merges", "--count", "HEAD") == "1"


def test_what_main_did_meanwhile_is_not_the_merge_s(code: Desk) -> None:
    code.git("switch", "-qc", "feature")
    unchecked_commit(code, "src/feature")
    code.git("switch", "-q", "main")
    unchecked_commit(code, "drops/a")
    assert merge(code) == ""


def test_warnings_go_on_and_an_unready_vault_too(code: Desk) -> None:
    fork(code, "migrations/a", "exports/a")
    printed = merge(code)
    assert "this failed before" in printed
    assert printed.endswith("doll: the merge goes on; somebody has to confirm it")
    code.git("reset", "-q", "--hard", "HEAD^")
    (code.root.parent / "notes").rename(code.root.parent / "elsewhere")
    assert merge(code).endswith("doll: the merge goes on")


def test_a_pull_and_several_branches_at_once(code: Desk) -> None:
    fork(code, "src/feature")
    code.git("switch", "-qc", "third", "main^")
    unchecked_commit(code, "drops/a")
    code.git("switch", "-q", "main")
    assert "no-drops" in git(code.root, "merge", "-q", "--no-edit", "feature", "third", code=1)
    git(code.root, "merge", "--abort", code=None)
    code.git("reset", "-q", "--hard")
    code.git("push", "-q", "--no-verify", "origin", "third:theirs")
    pull = ("pull", "-q", "--no-rebase", "--no-edit", "origin", "theirs")
    assert "no-drops" in git(code.root, *pull, code=1)


def test_a_merge_changes_nothing_else(code: Desk) -> None:
    shutil.copytree(code.root, code.root.parent / "twin")
    twin = code.at("../twin")
    for hook in (twin.root / ".git/hooks").iterdir():
        hook.unlink()
    notes = footprint(code.root.parent / "notes", OWN)
    for desk in (twin, code):
        fork(desk, "migrations/a")
        merge(desk)
        desk.put("src/main", "edited\n")
        git(desk.root, "commit", "-qam", "x")
        desk.git("push", "-q", "origin", "HEAD:refs/heads/" + desk.root.name)
    for words in (("rev-parse", "HEAD"), ("ls-files", "-s"), ("status", "--porcelain")):
        assert code.git(*words) == twin.git(*words)
    assert code.files() == twin.files()
    assert footprint(code.root.parent / "notes", OWN) == notes
    names = [{place.name for place in (desk.root / ".git").iterdir()} for desk in (code, twin)]
    assert names[0] == names[1] | {"doll"}
    assert (code.root / ".git/doll").is_dir()  # the lock of `hooks install`, nothing else


@pytest.fixture
def home(pair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """The vault's own repository, with the hooks."""
    shutil.copytree(pair / "notes", tmp_path / "notes")
    desk = Desk(tmp_path / "notes", capsys)
    desk.put(PATH, ENTRY.format(""))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "entry")
    desk.ok("hooks", "install", "--vault", ".")
    return desk


def side(desk: Desk, *commits: dict[str, str | None]) -> None:
    """Make these commits on `feature` past all hooks, and another one on `main`."""
    desk.git("switch", "-qc", "feature")
    for number, files in enumerate(commits):
        for path, text in files.items():
            if text is None:
                (desk.root / path).unlink()
            else:
                desk.put(path, text)
        desk.git("add", "-A")
        desk.git("commit", "-qm", f"feature {number}", "--no-verify")
    desk.git("switch", "-q", "main")
    desk.put("confirmed/m.md", "---\ntitle: M\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "main", "--no-verify")


def test_a_side_that_imported_and_reviewed(home: Desk) -> None:
    """The candidate was never at HEAD; it was where the review was made."""
    side(home, {STAGED: TEXT}, {STAGED: None, HOME: reviewed(TEXT)})
    assert merge(home) == ""


def test_a_side_that_redacted_and_did_more(home: Desk) -> None:
    side(home, {PATH: REDACTED}, {"confirmed/n.md": "---\ntitle: N\n---\n"})
    assert merge(home) == ""


def test_a_side_that_rewrote_or_removed_history(home: Desk) -> None:
    failure = f"experience/atlas/{NAME}.md"
    side(home, {failure: FAILURE.replace("failed", "worked")})
    assert "[experience.changed]" in merge(home, 1)
    git(home.root, "merge", "--abort")
    home.git("branch", "-qD", "feature")
    home.git("reset", "-q", "--hard", "HEAD^")
    side(home, {failure: None})
    printed = merge(home, 1)
    assert "[experience.removed]" in printed
    assert "doll: mend it and git add the files; `git commit --no-verify` concludes" in printed


def test_a_merge_that_drops_what_the_other_side_added(home: Desk) -> None:
    added = PATH.replace("k3v9", "aaaa")
    side(home, {added: ENTRY.format(""), "confirmed/n.md": "---\ntitle: N\n---\n"})
    git(home.root, "merge", "-q", "--no-commit", "feature")
    home.git("rm", "-qf", added)
    printed = git(home.root, "commit", "--no-edit", code=1)
    assert f"{added}: error: this entry is committed history, and it is gone" in printed
    line = next(line for line in printed.splitlines() if "MERGE_HEAD" in line)
    home.type(line.strip())
    assert ENTRY.format("") == home.read(added)
    assert git(home.root, "commit", "--no-edit") is not None


def test_two_sides_that_are_well_each_and_not_together(home: Desk) -> None:
    side(home, {"authority/policies/m.md": "---\neffect: advise\nactions: a\n---\n"})
    assert "[id.duplicate]" in merge(home, 1)
