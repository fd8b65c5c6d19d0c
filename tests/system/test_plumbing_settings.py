"""Settings, identity and the hooks folder, as git itself understands them."""

from pathlib import Path

import pytest

from doll.errors import GitError
from doll.vcs import plumbing
from tests.gitbox import found, git, make


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's own settings file, with nobody named in the environment."""
    place = tmp_path / "gitconfig"
    place.write_text("")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(place))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for role in ("AUTHOR", "COMMITTER"):
        for part in ("NAME", "EMAIL"):
            monkeypatch.delenv(f"GIT_{role}_{part}")
    monkeypatch.delenv("EMAIL", raising=False)
    return place


def test_config(tmp_path: Path, settings: Path) -> None:
    top = make_named(tmp_path / "r")
    repository = found(top)
    settings.write_text("[doll]\n\tvault = ~/notes\n\tproject = from-user\n")
    assert plumbing.config(repository, "doll.absent") is None
    assert plumbing.config(repository, "doll.project") == "from-user"
    assert plumbing.config(repository, "doll.project", local=True) is None
    assert plumbing.config(repository, "doll.vault", kind="path") == str(tmp_path / "home/notes")
    git(top, "config", "doll.project", "two\nlines ü")
    assert plumbing.config(repository, "doll.project") == "two\nlines ü"
    git(top, "config", "--add", "doll.project", "last")
    assert plumbing.config(repository, "doll.project") == "last"
    assert plumbing.config_section(repository, "doll") == {"vault": "~/notes", "project": "last"}
    assert plumbing.config_section(repository, "doll", local=True) == {"project": "last"}
    assert plumbing.config(None, "doll.project") == "from-user"
    assert plumbing.config(None, "core.bare") is None


@pytest.mark.parametrize(
    ("written", "value"),
    [("true", True), ("yes", True), ("on", True), ("1", True), ("", False), ("off", False)],
)
def test_flags_as_git_reads_them(tmp_path: Path, written: str, value: bool) -> None:
    top = make(tmp_path / "r")
    git(top, "config", "doll.strict", written)
    assert plumbing.config_flag(found(top), "doll.strict") is value


def test_a_flag_without_a_value_or_with_a_wrong_one(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    repository = found(top)
    assert plumbing.config_flag(repository, "doll.strict") is False
    with (top / ".git" / "config").open("a") as file:
        file.write("[doll]\n\tstrict\n")
    assert plumbing.config_flag(repository, "doll.strict") is True
    assert plumbing.config_section(repository, "doll") == {"strict": ""}
    git(top, "config", "doll.strict", "perhaps")
    with pytest.raises(GitError, match="perhaps"):
        plumbing.config_flag(repository, "doll.strict")


def test_a_setting_for_one_command_counts_for_its_own_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = make(tmp_path / "r")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'doll.strict'='true'")
    assert plumbing.config_flag(found(top, own=True), "doll.strict") is True
    assert plumbing.config_flag(found(top), "doll.strict") is False


def make_named(folder: Path) -> Path:
    """Make a repository where no identity is set up."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    return folder


def test_identity(tmp_path: Path, settings: Path) -> None:
    top = make_named(tmp_path / "r")
    settings.write_text("[user]\n\tuseConfigOnly = true\n")
    assert plumbing.identity(found(top)) is None
    assert plumbing.identity(None) is None
    git(top, "config", "user.name", "Åsa van der Berg")
    git(top, "config", "user.email", "asa@example.org")
    assert plumbing.identity(found(top)) == "Åsa van der Berg <asa@example.org>"
    assert plumbing.identity(None) is None
    settings.write_text("[user]\n\tname = Global\n\temail = g@example.org\n")
    assert plumbing.identity(None) == "Global <g@example.org>"


def test_an_empty_name_is_no_identity(tmp_path: Path, settings: Path) -> None:
    top = make_named(tmp_path / "r")
    settings.write_text('[user]\n\tname = ""\n\temail = g@example.org\n')
    assert plumbing.identity(found(top)) is None


def test_hooks_folder(tmp_path: Path, settings: Path) -> None:
    top = make_named(tmp_path / "new\nline")
    git(top, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "1", "--allow-empty")
    (top / "sub").mkdir()
    repository = found(top / "sub")
    assert plumbing.hooks_folder(repository) == top / ".git" / "hooks"
    git(top, "worktree", "add", "-q", str(tmp_path / "linked"))
    assert plumbing.hooks_folder(found(tmp_path / "linked")) == top / ".git" / "hooks"
    git(top, "config", "core.hooksPath", ".husky/_")
    assert plumbing.hooks_folder(repository) == top / ".husky" / "_"
    assert plumbing.hooks_folder(found(tmp_path / "linked")) == tmp_path / "linked" / ".husky" / "_"
    git(top, "config", "--unset", "core.hooksPath")
    settings.write_text("[core]\n\thooksPath = ~/hooks\n")
    assert plumbing.hooks_folder(repository) == tmp_path / "home" / "hooks"
