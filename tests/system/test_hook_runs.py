"""The installed hook in real commits: what it prints, what it stops, what it leaves alone."""

import shutil
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.footprint import OWN, footprint
from tests.gitbox import git, make
from tests.hook_desk import NAME, assert_warned, change, commit

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)


def test_a_failure_warns_and_the_commit_goes_on(code: Desk) -> None:
    change(code, "migrations/0042.sql")
    assert_warned(commit(code), "migrations/0042.sql")


def test_a_denial_stops(code: Desk) -> None:
    change(code, "drops/a", "migrations/1.sql")
    lines = commit(code, code=1).splitlines()
    assert lines[0].startswith("doll: BLOCKED: authority/policies/no-drops.md:2: ")
    assert "No drops" in lines[0]
    assert "db.drop matches db.drop.all" in lines[0]
    assert_warned("\n".join(lines[1:4]), "migrations/1.sql")
    assert "doll: the commit is stopped; `git commit --no-verify` commits all the same" in lines[-2]
    assert lines[-1] == "    doll show no-drops"
    assert len(lines) == 6
    staged = code.git("diff", "--cached", "--name-only").splitlines()
    assert staged == ["drops/a", "migrations/1.sql"]
    assert commit(code, "--no-verify") == ""


def test_a_wish_for_confirmation_goes_on_unless_strict(code: Desk) -> None:
    change(code, "exports/a")
    printed = commit(code)
    assert "CONFIRMATION REQUIRED: authority/policies/ask.md:2" in printed
    assert printed.splitlines()[-1] == "doll: the commit goes on; somebody has to confirm it"
    code.git("config", "doll.strict", "yes")
    change(code, "exports/b")
    printed = commit(code, code=1)
    assert printed.splitlines()[-1] == "    doll show ask"
    change(code, "x")
    code.git("config", "doll.strict", "no")
    commit(code)


def test_clear_prints_nothing(code: Desk) -> None:
    change(code, "src/a.py", "drop/a")
    assert commit(code) == ""
    assert commit(code, "--allow-empty") == ""


def test_every_way_to_commit(code: Desk) -> None:
    change(code, "migrations/a", "src/b")
    assert "matches migrations/a" in commit(code)
    code.put("migrations/a", "edited")
    assert "matches migrations/a" in commit(code, "-a")
    code.put("migrations/a", "edited again")
    code.put("src/b", "edited")
    assert commit(code, "--", "src/b") == ""
    assert "matches migrations/a" in commit(code, "--", "migrations/a")
    code.put("migrations/a", "a third time")
    assert "matches migrations/a" in commit(code.at("src"), "-a")
    code.put("migrations/a", "a fourth time")
    code.git("add", "-A")
    assert "matches migrations/a" in commit(code, "--amend")
    assert commit(code, "--amend", "--allow-empty") == ""
    code.git("rm", "-q", "migrations/a")
    assert "matches migrations/a" in commit(code)
    change(code, "migrations/c")
    printed = git(code.root.parent, "-C", "code", "commit", "-qm", "x")
    assert "matches migrations/c" in printed


def test_the_old_path_of_a_move_counts_too(code: Desk) -> None:
    change(code, "migrations/a")
    commit(code, "--no-verify")
    code.git("mv", "migrations/a", "moved")
    assert "matches migrations/a" in commit(code)
    code.git("mv", "moved", "migrations/b")
    assert "matches migrations/b" in commit(code)


def test_a_linked_work_tree(code: Desk) -> None:
    code.git("worktree", "add", "-q", "../linked")
    linked = code.at("../linked")
    change(linked, "migrations/a")
    assert "matches migrations/a" in commit(linked)
    change(linked, "drops/a")
    assert "no-drops" in commit(linked, code=1)


def test_a_submodule(code: Desk) -> None:
    outer = make(code.root.parent / "outer")
    allow = ("-c", "protocol.file.allow=always")
    git(outer, *allow, "submodule", "--quiet", "add", str(code.root), "inner")
    inner = code.at("../outer/inner")
    inner.ok("hooks", "install", "--vault", "../../notes", "--project", "atlas")
    change(inner, "migrations/a")
    assert "matches migrations/a" in commit(inner)
    git(outer, "add", "-A")
    git(outer, "commit", "-qm", "inner")


def test_a_repository_apart_from_its_work_tree(code: Desk) -> None:
    (code.root / ".git").rename(code.root.parent / "apart.git")
    tied = (f"--git-dir={code.root.parent / 'apart.git'}", f"--work-tree={code.root}")
    code.put("migrations/a", "a")
    for folder in (code.root, code.root.parent):
        code.put("migrations/a", f"{folder}")
        git(folder, *tied, "add", "--", f"{code.root}/migrations/a")
        assert "matches migrations/a" in git(folder, *tied, "commit", "-qm", "x")
    code.put("drops/a", "a")
    tied_here = code.under(GIT_DIR="../apart.git", GIT_WORK_TREE=".")
    tied_here.type("git add drops")
    assert "no-drops" in tied_here.type("git commit -qm x", 1)


def test_a_vault_in_a_work_tree_apart_from_its_repository(code: Desk) -> None:
    """As with dotfiles: nothing but git's variables says where the vault's history is."""
    root = code.root.parent / "home"
    shutil.copytree(code.root.parent / "notes", root)
    (root / ".git").rename(code.root.parent / "dotfiles")
    home = code.at("../home").under(GIT_DIR="../dotfiles", GIT_WORK_TREE=".")
    home.ok("hooks", "install", "--vault", ".")
    home.put(f"experience/atlas/{NAME}.md", "gone")
    home.type("git add -A")
    assert "[experience.changed]" in home.type("git commit -qm x", 1)
    assert home.doll("preflight", "--project", "atlas", "--action", "db.drop").code == 1


ODD = [
    "with space",
    "it's",
    'a"b',
    "new\nline",
    "ünï-漢字",
    "tab\t",
    "back\\slash",
    "-dash",
    "\udcff",
]


def test_files_of_odd_names(code: Desk) -> None:
    for name in ODD:
        code.put(f"migrations/{name}", "x")
        code.git("add", "-A")
        result = code.ok("hooks", "run", "pre-commit")
        assert result.err.count("\n") == 3, name
        assert "migrations/** matches migrations/" in result.err
        code.git("commit", "-qm", "x", "--no-verify")
        code.put(f"drops/{name}", "x")
        code.git("add", "-A")
        assert "no-drops" in code.doll("hooks", "run", "pre-commit").err
        code.git("rm", "-rqf", "drops")
    code.put("migrations/new\nline", "y")
    code.git("add", "-A")
    assert_warned(commit(code), "migrations/new\\u{a}line")


def test_a_hidden_path_is_shown_as_it_is(code: Desk) -> None:
    code.put("migrations/a\u202eb\x1b[2J.sql", "x")
    code.git("add", "-A")
    assert "matches migrations/a\\u{202e}b\\u{1b}[2J.sql" in commit(code)


def test_a_branch_without_a_commit_and_a_detached_head(code: Desk) -> None:
    code.git("switch", "-q", "--orphan", "new")
    change(code, "migrations/a")
    assert "matches migrations/a" in commit(code)
    code.git("switch", "-q", "--detach")
    change(code, "drops/a")
    assert "no-drops" in commit(code, code=1)


def test_nothing_changes_but_the_commit(code: Desk, tmp_path: Path) -> None:
    """The same commits in a twin without the hook make the same history, index and files."""
    shutil.copytree(code.root, tmp_path / "twin")
    twin = code.at("../twin")
    (twin.root / ".git/hooks/pre-commit").unlink()
    notes = footprint(tmp_path / "notes", OWN)
    config = (code.root / ".git/config").read_bytes()
    for desk in (twin, code):
        change(desk, "migrations/a", "src/b")
        commit(desk)
        desk.put("src/b", "edited\n")
        desk.put("not added", "x")
        desk.git("add", "src/b")
        desk.put("src/b", "edited again\n")
        git(desk.root, "commit", "-qm", "part", "--", "src/b")
        git(desk.root, "stash", "-q", "--include-untracked", code=None)
    for words in (("rev-parse", "HEAD"), ("ls-files", "-s"), ("status", "--porcelain")):
        assert code.git(*words) == twin.git(*words)
    assert code.files() == twin.files()
    assert footprint(tmp_path / "notes", OWN) == notes
    assert (code.root / ".git/config").read_bytes() == config
    names = [{place.name for place in (desk.root / ".git").iterdir()} for desk in (code, twin)]
    assert names[0] == names[1]


def test_rebase_and_cherry_pick_go_on_and_a_merge_is_checked(code: Desk) -> None:
    """git runs no pre-commit for what it makes itself; only a conflict that a person ends."""
    change(code, "src/a", "both")
    commit(code)
    code.git("switch", "-qc", "feature")
    change(code, "drops/a")
    commit(code, "--no-verify")
    code.put("both", "feature\n")
    commit(code, "-a", "--no-verify")
    code.git("switch", "-q", "main")
    change(code, "src/c")
    commit(code)
    code.git("cherry-pick", "feature^")
    code.git("reset", "-q", "--hard", "HEAD^")
    merge = ("merge", "-q", "--no-ff", "-m", "merge", "feature")
    printed = git(code.root, *merge, code=1)
    assert "no-drops" in printed
    past = "doll: the merge is stopped; `git commit --no-verify` concludes it all the same. Type:"
    assert past in printed
    git(code.root, "commit", "--no-verify", "--no-edit")
    assert code.git("rev-list", "--count", "--merges", "HEAD") == "1"
    code.git("reset", "-q", "--hard", "HEAD^")
    git(code.root, *merge, "--no-verify")
    code.git("reset", "-q", "--hard", "HEAD^")
    code.git("rebase", "-q", "main", "feature")
    code.git("switch", "-q", "main")
    code.put("both", "main\n")
    commit(code, "-a")
    git(code.root, "merge", "feature", code=1)
    code.put("both", "mended\n")
    code.git("add", "-A")
    assert "no-drops" in git(code.root, "commit", "-qm", "merge", code=1)
    assert (code.root / ".git/MERGE_HEAD").is_file()
    git(code.root, "commit", "-qm", "merge", "--no-verify")
    code.git("config", "doll.strict", "true")
    code.git("config", "doll.vault", "../nowhere")
    code.git("switch", "-qc", "other", "HEAD^")
    change(code, "src/d")
    commit(code, "--no-verify")
    code.git("rebase", "-q", "main")
    code.git("revert", "--no-edit", "HEAD")
