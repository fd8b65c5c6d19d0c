"""The installed hook in real commits: what it prints, what it stops, what it leaves alone."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from doll.cli import hook_run
from tests.desk import Desk, make_vault
from tests.footprint import OWN, footprint
from tests.gitbox import git, make, put

NAME = "20260820T143205Z-attempt-online-migration-k3v9q2xw7d"
TITLE = "Online migration of orders locked the table"
FAILURE = (
    "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
    f"summary: {TITLE}\noutcome: failed\n"
    "paths: [migrations/**]\nevidence: [commit:1f2e3d4]\n---\n"
)
POLICY = "---\neffect: deny\ntitle: No drops\nprojects: atlas\nactions: db.drop\n---\n"
ASK = "---\neffect: require_confirmation\nprojects: atlas\nactions: db.export\n---\n"
MAP = (
    "actions:\n  - {project: atlas, paths: 'drops/**', actions: [db.drop.all]}\n"
    "  - {paths: 'exports/', actions: [db.export]}\n"
)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault `notes` with rules, and `code` beside it with the hook; not to be changed."""
    folder = tmp_path_factory.mktemp("prepared")
    notes = make_vault(folder / "notes")
    put(notes, f"experience/atlas/{NAME}.md", FAILURE)
    put(notes, "authority/policies/no-drops.md", POLICY)
    put(notes, "authority/policies/ask.md", ASK)
    put(notes, "doll.yaml", (notes / "doll.yaml").read_text() + MAP)
    git(notes, "add", "-A")
    git(notes, "commit", "-qm", "rules")
    code = make(folder / "code")
    install = ("hooks", "install", "--vault", "../notes", "--project", "atlas")
    done = _doll(code, *install)
    assert done == 0
    # As a user may write it; a copy of both folders then finds its own vault.
    git(code, "config", "doll.vault", "../notes")
    return folder


def _doll(folder: Path, *arguments: str) -> int:
    from doll.cli import run

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return run(arguments)


@pytest.fixture
def code(prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """The code repository with the hook, beside the vault `notes`."""
    shutil.copytree(prepared, tmp_path, symlinks=True, dirs_exist_ok=True)
    return Desk(tmp_path / "code", capsys)


def change(desk: Desk, *paths: str) -> None:
    """Change files and stage everything."""
    for path in paths:
        before = desk.read(path) if (desk.root / path).exists() else ""
        desk.put(path, f"{before}{path}\n")
    desk.git("add", "-A")


def commit(desk: Desk, *arguments: str, code: int = 0) -> str:
    """Commit, hold git to its exit code, return what was printed."""
    before = _newest(desk)
    printed = git(desk.root, "commit", "-qm", f"after {before}", *arguments, code=code)
    assert (_newest(desk) != before) is (code == 0)
    return printed


def _newest(desk: Desk) -> str:
    return git(desk.root, "rev-parse", "-q", "--verify", "HEAD", code=None)


def assert_warned(printed: str, path: str) -> None:
    """Hold what was printed to the one warning: record, evidence, the match, a line to type."""
    warning, to_type, other = printed.split("\n")
    assert warning.startswith(f"doll: warning: experience/atlas/{NAME}.md:7: ")
    for part in (TITLE, f"migrations/** matches {path}", "user_recorded", "commit:1f2e3d4"):
        assert part in warning
    assert to_type == f"    doll correct {NAME} 'what holds now'"
    resolution = f"'what works instead' --project atlas --resolves {NAME}"
    assert other == f"    or: doll log resolution {resolution}"


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


def not_checked(code: Desk, *said: str) -> None:
    """Hold the hook to saying NOT CHECKED and going on, and to stopping under doll.strict."""
    change(code, "drops/a", "src/a")
    code.git("config", "doll.strict", "true")
    strict = code.doll("hooks", "run", "pre-commit")
    assert strict.code == 1
    code.git("config", "--unset", "doll.strict")
    going = commit(code)
    for text in (strict.err, going):
        assert text.startswith("doll: NOT CHECKED: ")
        for words in said:
            assert words in text
    assert "doll: the commit is stopped (doll.strict)" in strict.err
    assert "git commit --no-verify" in strict.err
    assert "doll: the commit goes on" in going


def test_a_vault_that_is_not_there(code: Desk) -> None:
    (code.root.parent / "notes").rename(code.root.parent / "elsewhere")
    not_checked(code, "git config doll.vault names", "is no folder")
    code.git("config", "--unset", "doll.vault")
    not_checked(code, "no vault here")


def test_a_vault_without_a_commit(code: Desk) -> None:
    shutil.rmtree(code.root.parent / "notes/.git")
    git(code.root.parent / "notes", "init", "-q", "-b", "main")
    not_checked(code, "has no commit yet")


def test_another_vault_than_the_pinned_one(code: Desk, tmp_path: Path) -> None:
    other = make_vault(tmp_path / "other")
    put(other, "doll.yaml", (other / "doll.yaml").read_text().replace("0f", "aa"))
    git(other, "commit", "-qam", "another id")
    code.git("config", "doll.vault", "../other")
    not_checked(code, "is another vault than the one that this hook was installed for")


def test_the_pinned_vault_counts_whatever_the_environment_says(code: Desk, tmp_path: Path) -> None:
    make_vault(tmp_path / "other")
    change(code, "drops/a")
    said = git(code.root, "commit", "-qm", "x", code=1, DOLL_VAULT=str(tmp_path / "other"))
    assert "no-drops" in said
    for name in ("vault", "vaultId"):
        code.git("config", "--unset", f"doll.{name}")
    assert "no vault here" in commit(code)
    change(code, "drops/b")
    said = git(code.root, "commit", "-qm", "x", code=1, DOLL_VAULT=str(tmp_path / "notes"))
    assert "no-drops" in said


def test_a_wrong_project(code: Desk) -> None:
    code.git("config", "doll.project", "nobody")
    change(code, "src/a")
    printed = commit(code)
    assert "doll: NOT CHECKED: <request>: no project has the id or alias nobody" in printed
    assert printed.splitlines()[-1] == "doll: the commit goes on, and nobody has checked it"
    code.git("config", "doll.strict", "true")
    change(code, "src/b")
    printed = commit(code, code=1)
    assert "the commit is stopped" in printed
    assert printed.splitlines()[-1] == "    git config doll.project ID"


def test_a_strict_that_is_no_boolean_counts_as_true_and_is_named(code: Desk) -> None:
    code.git("config", "doll.strict", "perhaps")
    named, mending = (
        "doll: git config doll.strict is 'perhaps', neither true nor false, and counts as true",
        "    git config doll.strict true",
    )
    for path, stop, said in (
        ("drops/a", 1, "BLOCKED"),
        ("exports/a", 1, "CONFIRMATION REQUIRED"),
        ("src/a", 0, ""),
    ):
        code.git("reset", "-q")
        change(code, path)
        lines = commit(code, code=stop).splitlines()
        assert lines[:2] == [named, mending]
        assert said in "\n".join(lines[2:])
        assert bool(lines[2:]) is bool(said)
        (code.root / path).unlink()
    state = code.ok("hooks", "status")
    assert "strict: what cannot be checked stops the commit" in state.out
    assert "counts as true: `git config doll.strict true` mends it" in state.err
    code.type(mending)
    change(code, "src/b")
    assert commit(code) == ""


def test_settings_that_git_cannot_read(code: Desk) -> None:
    change(code, "drops/a")
    code.git("config", "doll.vault", "~nobody-of-this-name/notes")
    printed = commit(code)
    assert printed.startswith("doll: NOT CHECKED: ")
    assert "nobody-of-this-name" in printed


def test_without_a_project_what_some_project_means_is_never_silent(code: Desk) -> None:
    """A path means an action in one project's entry; the rule on it names another one, or all."""
    code.git("config", "--unset", "doll.project")
    change(code, "drops/a")
    lines = commit(code).splitlines()
    assert lines[0].startswith("doll: CONFIRMATION REQUIRED: authority/policies/no-drops.md:2: ")
    assert "not given: --project" in lines[0]
    assert lines[2].startswith("    git config doll.project ID    ")
    notes = code.at("../notes")
    everybody = POLICY.replace("projects: atlas\n", "")
    notes.put("authority/policies/no-drops.md", everybody)
    notes.git("commit", "-qam", "for all")
    change(code, "drops/b")
    assert "CONFIRMATION REQUIRED: authority/policies/no-drops.md:2" in commit(code)
    # What no entry means, and what no rule is about, stays silent.
    change(code, "src/a")
    assert commit(code) == ""
    notes.put("authority/policies/no-drops.md", everybody.replace("db.drop", "db.other"))
    notes.git("commit", "-qam", "about something else")
    change(code, "drops/c")
    assert commit(code) == ""
    # An entry that counts for all needs no project.
    notes.put("authority/policies/no-drops.md", everybody.replace("db.drop", "db.export"))
    notes.git("commit", "-qam", "about exports")
    change(code, "exports/a")
    assert "BLOCKED: authority/policies/no-drops.md:2" in commit(code, code=1)


def test_another_project_than_the_entry_s_is_silent(code: Desk) -> None:
    code.git("config", "doll.project", "garden")
    notes = code.at("../notes")
    notes.put("authority/policies/no-drops.md", POLICY.replace("projects: atlas\n", ""))
    notes.git("commit", "-qam", "for all")
    change(code, "drops/a")
    assert commit(code) == ""


def test_a_newer_vault_stops_no_commit(code: Desk) -> None:
    notes = code.at("../notes")
    notes.put("doll.yaml", notes.read("doll.yaml").replace("format: 1", "format: 2"))
    notes.git("commit", "-qam", "newer")
    not_checked(code, "update doll")
    notes.git("config", "doll.branch", "main")
    not_checked(code, "written by a newer doll", "update doll")


def test_a_broken_vault_stops_until_it_is_mended(code: Desk) -> None:
    notes = code.at("../notes")
    text = notes.read("authority/policies/ask.md")
    notes.put("authority/policies/ask.md", text.replace("effect", "efect"))
    change(code, "src/a")
    assert commit(code) == ""  # what is not committed has no say
    notes.git("commit", "-qam", "broken")
    change(code, "src/b")
    printed = commit(code, code=1)
    assert "doll: NOT CHECKED: authority/policies/ask.md:" in printed
    assert printed.splitlines()[-1] == "    doll validate"
    notes.put("authority/policies/ask.md", text)
    notes.git("commit", "-qam", "mended")
    assert commit(code) == ""


def test_what_concerns_another_project_stops_nobody(code: Desk) -> None:
    notes = code.at("../notes")
    notes.put(
        "authority/work-items/w.md", "---\nproject: garden\nstatus: ready\ndepends_on: x\n---\n"
    )
    notes.git("add", "-A")
    notes.git("commit", "-qm", "another project's")
    change(code, "src/a")
    assert "the commit goes on, and nobody has checked it" in commit(code)
    notes.put(
        "authority/work-items/w.md", "---\nproject: atlas\nstatus: ready\ndepends_on: x\n---\n"
    )
    notes.git("commit", "-qam", "ours")
    change(code, "src/b")
    assert "doll: NOT CHECKED: authority/work-items/w.md:4" in commit(code, code=1)


def test_emptied_or_unmarked_the_vault_still_blocks(code: Desk) -> None:
    notes = code.at("../notes")
    for path in ("experience", "authority"):
        shutil.rmtree(notes.root / path)
    change(code, "drops/a")
    assert "no-drops" in commit(code, code=1)
    (notes.root / "doll.yaml").unlink()
    printed = commit(code, code=1)
    assert "no-drops" in printed
    assert "has no record on disk" in printed


class Slow:
    """A git that takes for ever for some of what doll asks it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, words: str) -> str:
        """Return a PATH with a git that hangs when its arguments match a shell pattern."""
        real = shutil.which("git")
        script = f'#!/bin/sh\ncase "$*" in {words}) exec sleep 60 ;; esac\nexec {real} "$@"\n'
        put(self.folder, "bin/git", script).chmod(0o755)
        return f"{self.folder}/bin:{os.environ['PATH']}"


def test_the_time_limit(code: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(tmp_path)
    monkeypatch.setattr(hook_run, "LIMIT", 1.0)
    change(code, "drops/a")
    for words, strict, status in (
        ("*ls-tree*", "false", 0),
        ("*ls-tree*", "true", 1),
        ("*", "true", 0),  # not even doll.strict is known by then
    ):
        code.git("config", "doll.strict", strict)
        result = code.under(PATH=slow.path(words)).doll("hooks", "run", "pre-commit")
        assert result.code == status
        assert "doll: NOT CHECKED: the check took more than 1 s" in result.err
        assert "doll preflight --staged" in result.err
    code.git("config", "doll.strict", "false")
    assert code.doll("hooks", "run", "pre-commit").code == 1


def test_git_itself_cannot_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare")
    for desk in (Desk(tmp_path, capsys), Desk(tmp_path / "bare", capsys)):
        result = desk.doll("hooks", "run", "pre-commit")
        assert result.code == 0
        assert result.err.startswith("doll: NOT CHECKED: ")
    assert Desk(tmp_path, capsys).doll("hooks", "run", "post-commit").code == 2


def test_many_staged_files_in_a_vault_of_its_own(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that is broken is found among them."""
    monkeypatch.setattr(hook_run, "LIMIT", 60.0)
    for number in range(800):
        desk.put(f"confirmed/{number % 10}/m{number}.md", f"---\ntitle: M{number}\n---\n")
    desk.put("confirmed/broken.md", "---\n")
    desk.git("add", "-A")
    result = desk.doll("hooks", "run", "pre-commit")
    assert result.code == 1
    assert result.err.count("error") == 1
    assert "confirmed/broken.md:1:1: error" in result.err


@pytest.fixture
def home(prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """The vault's own repository, with the hook."""
    shutil.copytree(prepared / "notes", tmp_path / "notes")
    desk = Desk(tmp_path / "notes", capsys)
    desk.ok("hooks", "install", "--vault", ".")
    return desk


def test_the_vaults_own_commits_are_judged_by_validate_alone(home: Desk) -> None:
    home.put("confirmed/x.md", "---\ntitle: X\n---\n")
    home.git("add", "-A")
    assert commit(home) == ""
    home.put("authority/policies/no-drops.md", POLICY.replace("deny", "dany"))
    home.git("add", "-A")
    printed = commit(home, code=1)
    assert printed.startswith("doll: authority/policies/no-drops.md:2:")
    assert "[field.value]" in printed
    assert "git commit --no-verify" in printed
    home.git("rm", "-qf", "authority/policies/no-drops.md")  # repealed
    assert commit(home) == ""
    home.put("confirmed/y.md", "\ufeff---\ntitle: Y\n---\n")
    home.git("add", "-A")
    assert "warning: the file begins with a byte order mark" in commit(home)


def test_the_vaults_own_broken_record_can_be_mended(home: Desk) -> None:
    home.put("authority/policies/no-drops.md", POLICY.replace("deny", "dany"))
    home.git("commit", "-qam", "broken", "--no-verify")
    home.put("confirmed/x.md", "---\ntitle: X\n---\n")
    home.git("add", "confirmed/x.md")
    assert commit(home) == ""
    home.put("authority/policies/no-drops.md", POLICY)
    home.git("add", "-A")
    assert commit(home) == ""


@pytest.fixture
def mixed(prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A code repository with the vault in its folder `notes`, and the hook."""
    code = make(tmp_path / "code")
    shutil.copytree(prepared / "notes", code / "notes", ignore=shutil.ignore_patterns(".git"))
    git(code, "add", "-A")
    git(code, "commit", "-qm", "notes")
    desk = Desk(code, capsys)
    desk.ok("hooks", "install", "--vault", "notes", "--project", "atlas")
    assert desk.git("config", "doll.vault") == "notes"
    return desk


def test_a_vault_inside_the_code_repository(mixed: Desk) -> None:
    change(mixed, "migrations/a")
    assert_warned(commit(mixed), "migrations/a")
    change(mixed, "drops/a")
    assert "no-drops" in commit(mixed, code=1)
    # Repealing the policy in the same commit does not help it: it is not accepted yet.
    mixed.git("rm", "-q", "notes/authority/policies/no-drops.md")
    assert "no-drops" in commit(mixed, code=1)
    mixed.git("reset", "-q", "drops")
    assert commit(mixed) == ""
    mixed.git("add", "drops")
    assert commit(mixed) == ""


def test_a_mixed_commit_is_judged_by_both(mixed: Desk) -> None:
    change(mixed, "src/a")
    mixed.put("notes/confirmed/x.md", "---\n")
    mixed.put(f"notes/experience/atlas/{NAME}.md", FAILURE.replace("failed", "worked"))
    mixed.git("add", "-A")
    printed = commit(mixed, code=1)
    assert "doll: confirmed/x.md:1:1: error" in printed
    assert "[experience.changed]" in printed
    mixed.put(f"notes/experience/atlas/{NAME}.md", FAILURE)
    mixed.put("notes/confirmed/x.md", "---\ntitle: X\n---\n")
    change(mixed, "migrations/a")
    assert_warned(commit(mixed), "migrations/a")


def test_a_mixed_commit_that_mends_what_is_broken_goes_on(mixed: Desk) -> None:
    path = "notes/authority/policies/ask.md"
    mixed.put(path, ASK.replace("effect", "efect"))
    mixed.git("commit", "-qam", "broken", "--no-verify")
    change(mixed, "src/a")
    assert "ask.md" in commit(mixed, code=1)
    mixed.put(path, ASK)
    mixed.git("add", path)
    printed = commit(mixed)
    assert "nobody has checked it" in printed
    change(mixed, "src/b")
    assert commit(mixed) == ""


def test_a_feature_branch_of_the_code_lifts_no_block(mixed: Desk) -> None:
    mixed.git("switch", "-qc", "feature")
    mixed.git("rm", "-q", "notes/authority/policies/no-drops.md")
    assert commit(mixed) == ""
    change(mixed, "drops/a")
    assert "no-drops" in commit(mixed, code=1)


def test_a_linked_work_tree_has_its_own_vault(mixed: Desk) -> None:
    mixed.git("worktree", "add", "-q", "../linked")
    linked = mixed.at("../linked")
    change(linked, "migrations/a")
    assert_warned(commit(linked), "migrations/a")
    linked.put(f"notes/experience/atlas/{NAME}.md", "")
    linked.git("add", "-A")
    assert "[experience.changed]" in commit(linked, code=1)


def test_a_vault_in_a_parent_folder(prepared: Path, tmp_path: Path, desk: Desk) -> None:
    shutil.copytree(prepared / "notes", tmp_path / "all")
    inner = desk.at("../all/code")
    make(inner.root)
    inner.ok("hooks", "install", "--vault", "..", "--project", "atlas")
    for name in ("vault", "vaultId"):
        inner.git("config", "--unset", f"doll.{name}")
    change(inner, "migrations/a")
    assert_warned(commit(inner), "migrations/a")


def test_the_hook_runs_without_doll_on_the_path(code: Desk) -> None:
    change(code, "drops/a")
    places = os.environ["PATH"].split(":")
    path = ":".join(place for place in places if not (Path(place) / "doll").exists())
    assert code.git("config", "doll.python") == sys.executable
    assert "no-drops" in git(code.root, "commit", "-qm", "x", code=1, PATH=path)
