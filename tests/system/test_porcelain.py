"""Commits of exactly the paths that were meant, and nothing half done when git refuses."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from doll.errors import GitError, StorageError
from doll.vcs import plumbing, porcelain
from tests.gitbox import found, git, hook, make, put

pytestmark = pytest.mark.sampled(4)

STRANGE = ["-x", ":(glob)**", ":!no", "a b", "q\"'q", "new\nline", "ü 記憶.md", "star*", "#hash"]


def _committed(top: Path, revision: str = "HEAD") -> list[str]:
    printed = git(top, "show", "--format=", "--name-only", "-z", "--no-renames", revision)
    return [path for path in printed.split("\0") if path]


def _status(top: Path) -> str:
    return git(top, "status", "--short", "-uall")


def test_init_makes_an_unborn_branch(tmp_path: Path) -> None:
    repository = porcelain.init(tmp_path / "deep" / "notes", "trunk")
    assert repository.top == tmp_path / "deep" / "notes"
    assert plumbing.branch(repository) == "trunk"
    assert plumbing.head(repository) is None


def test_init_is_not_led_away_by_a_hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = make(tmp_path / "other")
    before = git(other, "config", "--list", "--local")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    repository = porcelain.init(tmp_path / "notes", "main")
    assert repository.top == tmp_path / "notes"
    assert os.environ["GIT_DIR"] == str(other / ".git")
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_WORK_TREE")
    assert git(other, "config", "--list", "--local") == before


def test_init_where_a_file_stands(tmp_path: Path) -> None:
    put(tmp_path, "notes", "a file")
    with pytest.raises(StorageError, match="cannot be made"):
        porcelain.init(tmp_path / "notes", "main")


def test_the_first_commit(tmp_path: Path) -> None:
    repository = porcelain.init(tmp_path / "notes", "main")
    put(repository.top, "doll.yaml", "format: 1\n")
    put(repository.top, "private", "not meant\n")
    made = porcelain.commit(repository, ["doll.yaml"], "Make a vault")
    assert made == git(repository.top, "rev-parse", "HEAD")
    assert _committed(repository.top) == ["doll.yaml"]
    assert _status(repository.top) == "?? private"


def test_exactly_these_paths(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    for name in ("edited", "gone", "removed", "staged"):
        put(top, name, "1\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "second")
    put(top, "staged", "the user's own\n")
    put(top, "own-new", "the user's own\n")
    git(top, "add", "-A")
    put(top, "edited", "2\n")
    put(top, "new", "2\n")
    (top / "gone").unlink()
    git(top, "rm", "-q", "removed")
    put(top, "README", "not named\n")
    paths = ["edited", "new", "gone", "removed"]
    porcelain.commit(found(top), paths, "Third\n\n# kept\n\nDoll-Redacts: x")
    assert sorted(_committed(top)) == sorted(paths)
    assert _status(top) == "M README\nA  own-new\nM  staged"
    assert git(top, "log", "-1", "--format=%B") == "Third\n\n# kept\n\nDoll-Redacts: x"


def test_a_move_that_is_staged(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    put(top, "staging/a.md", "a\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "second")
    (top / "confirmed").mkdir()
    (top / "staging/a.md").rename(top / "confirmed/a.md")
    repository = found(top)
    porcelain.stage(repository, ["staging/a.md", "confirmed/a.md"])
    porcelain.stage(repository, ["staging/a.md", "confirmed/a.md"])  # again: nothing to do
    assert _status(top) == "R  staging/a.md -> confirmed/a.md"
    porcelain.commit(repository, ["staging/a.md", "confirmed/a.md"], "review: a")
    assert _committed(top) == ["confirmed/a.md", "staging/a.md"]
    assert _status(top) == ""


def test_strange_names(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    names = [*STRANGE, os.fsdecode(b"latin-\xe9")]
    for name in names:
        put(top, name, "x") if name.isprintable() or "\n" in name else (top / name).write_text("x")
    put(top, "starry", "not meant")
    put(top, "b b", "not meant")
    porcelain.stage(found(top), names[:3])
    porcelain.commit(found(top), names, "names")
    assert sorted(_committed(top)) == sorted(names)
    assert _status(top) == '?? "b b"\n?? starry'


@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.soak)])
def test_very_many_paths(tmp_path: Path, count: int) -> None:
    top = make(tmp_path / "r")
    names = [
        f"experience/a-longer-folder-name/{number:05}-some-record.md" for number in range(count)
    ]
    (top / "experience/a-longer-folder-name").mkdir(parents=True)
    for name in names:
        (top / name).write_bytes(name.encode())
    porcelain.commit(found(top), names, "many")
    assert len(_committed(top)) == count


def test_a_hook_that_refuses_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    hook(top, "#!/bin/sh\necho 'no, thanks' >&2\nexit 1\n")
    put(top, "own", "the user's own\n")
    git(top, "add", "own")
    put(top, "new", "x\n")
    put(top, "README", "edited\n")
    before = _status(top)
    with pytest.raises(GitError, match=r"git commit.*exit 1: no, thanks"):
        porcelain.commit(found(top), ["new", "README"], "x")
    assert _status(top) == before == "M README\nA  own\n?? new"


def test_nobody_to_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = make(tmp_path / "r")
    put(top, "new", "x\n")
    git(top, "config", "user.useConfigOnly", "true")
    for role in ("AUTHOR", "COMMITTER"):
        for part in ("NAME", "EMAIL"):
            monkeypatch.delenv(f"GIT_{role}_{part}")
    with pytest.raises(GitError, match="tell me who you are"):
        porcelain.commit(found(top), ["new"], "x")
    assert _status(top) == "?? new"


@pytest.mark.parametrize("paths", [["missing"], ["README"], ["new", "missing"], ["ignored"], []])
def test_nothing_to_commit_or_no_such_file(tmp_path: Path, paths: list[str]) -> None:
    top = make(tmp_path / "r")
    put(top, ".git/info/exclude", "ignored\n")
    put(top, "ignored", "x")
    put(top, "new", "x")
    with pytest.raises(GitError):
        porcelain.commit(found(top), paths, "x")
    assert _status(top) == "?? new"


def test_a_held_index_is_named(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    put(top, "new", "x")
    put(top, ".git/index.lock", "")
    with pytest.raises(GitError, match=r"index\.lock"):
        porcelain.commit(found(top), ["new"], "x")
    assert (top / ".git/index.lock").exists()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("lock", ["index.lock", "HEAD.lock", "refs/heads/main.lock"])
@pytest.mark.parametrize(("seconds", "age"), [(5, "s"), (200_000, "2 days"), (3_700, "1 hour")])
def test_a_lock_that_is_left_over_is_named_with_its_age_and_stays(
    tmp_path: Path, lock: str, seconds: int, age: str
) -> None:
    repository = found(make(tmp_path / "r"))
    put(tmp_path, "r/new", "x")
    place = repository.git_dir / lock
    place.write_text("")
    moment = time.time() - seconds
    os.utime(place, (moment, moment))
    with pytest.raises(GitError) as caught:
        porcelain.commit(repository, ["new"], "new")
    assert f"its lock {place} is " in caught.value.message
    assert f"{age} old" in caught.value.message
    line = f"rm -- {place}"
    assert caught.value.message.endswith(line)
    assert place.exists()
    subprocess.run(["sh", "-c", line], check=True)
    porcelain.commit(repository, ["new"], "new")


def test_a_hook_that_speaks_of_another_lock_is_heard(tmp_path: Path) -> None:
    repository = found(make(tmp_path / "r"))
    other = put(tmp_path, "r/poetry.lock", "x")
    hook(tmp_path / "r", f"#!/bin/sh\necho '{other} is out of date'\nexit 1\n")
    with pytest.raises(GitError, match=r"poetry\.lock is out of date"):
        porcelain.commit(repository, ["poetry.lock"], "new")


def test_no_partial_commit_during_a_merge(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    git(top, "checkout", "-qb", "side")
    git(top, "commit", "-qm", "side", "--allow-empty")
    git(top, "checkout", "-q", "main")
    git(top, "merge", "-q", "--no-ff", "--no-commit", "side")
    put(top, "new", "x")
    with pytest.raises(GitError, match="during a merge"):
        porcelain.commit(found(top), ["new"], "x")
    assert _status(top) == "?? new"
    porcelain.commit(found(top), [], "merged", only=False)
    assert len(git(top, "log", "-1", "--format=%P").split()) == 2


def test_the_whole_index(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    put(top, "staged", "x")
    git(top, "add", "staged")
    put(top, "named", "x")
    porcelain.commit(found(top), ["named"], "both", only=False)
    assert _committed(top) == ["named", "staged"]


def test_hooks_run_in_the_users_locale_and_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = make(tmp_path / "r")
    hook(top, '#!/bin/sh\necho "warning [$LC_ALL] [$GIT_LITERAL_PATHSPECS] [$LANG]" >&2\n')
    put(top, "new", "x")
    monkeypatch.setenv("LC_ALL", "")
    monkeypatch.setenv("LANG", "C.UTF-8")
    heard: list[str] = []
    porcelain.commit(found(top), ["new"], "x", tell=heard.append)
    assert heard == ["warning [] [] [C.UTF-8]"]


def test_signing_settings_apply(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    git(top, "config", "commit.gpgSign", "true")
    git(top, "config", "gpg.program", "false")
    put(top, "new", "x")
    with pytest.raises(GitError, match="sign"):
        porcelain.commit(found(top), ["new"], "x")
    assert _status(top) == "?? new"


def test_from_within_a_hook_of_another_repository(tmp_path: Path) -> None:
    code, notes = make(tmp_path / "code"), make(tmp_path / "notes")
    put(notes, "logged", "x")
    script = (
        "from pathlib import Path\n"
        "from doll.vcs import plumbing, porcelain\n"
        f"notes = plumbing.find(Path({str(notes)!r}))\n"
        "porcelain.commit(notes, ['logged'], 'log')\n"
    )
    hook(code, f"#!{sys.executable}\n{script}")
    put(code, "README", "edited\n")
    put(code, "other", "x\n")
    git(code, "commit", "-qm", "code", "--", "README")
    assert _committed(code) == ["README"]
    assert _committed(notes) == ["logged"]


def test_with_the_pathspec_settings_of_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = make(tmp_path / "r")
    put(top, "new", "x")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    porcelain.commit(found(top), ["new"], "x")
    assert _committed(top) == ["new"]


def test_settings(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    repository = found(top)
    for value in ("-x", "with 'quotes\" and\nlines # ; \\", "ü 記憶", " padded "):
        porcelain.set_config(repository, "doll.vault", value)
        assert plumbing.config(repository, "doll.vault") == value
    git(top, "worktree", "add", "-q", str(tmp_path / "linked"))
    assert plumbing.config(found(tmp_path / "linked"), "doll.vault", local=True) == " padded "
    before = (top / ".git/config").read_bytes()
    porcelain.set_config(found(tmp_path / "linked"), "doll.project", "atlas")
    porcelain.unset_config(repository, "doll.project")
    porcelain.unset_config(repository, "doll.project")
    assert (top / ".git/config").read_bytes() == before
    with pytest.raises(GitError, match="config"):
        porcelain.set_config(repository, "no-dot", "x")


def test_git_that_is_not_installed(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path\n"
        "from doll.errors import GitError\n"
        "from doll.vcs import porcelain\n"
        "try:\n    porcelain.init(Path('x'), 'main')\n"
        "except GitError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=os.environ | {"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "git is not installed, or not on PATH"


def test_plumbing_does_not_load_gitpython() -> None:
    script = "import sys; from doll.vcs import plumbing, porcelain; print('git' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"
