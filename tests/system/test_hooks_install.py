"""Installing and removing: which files and settings change, and that all comes out again."""

import errno
import itertools
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import NamedTuple

import pytest

from doll.errors import BusyError, ConflictError, DollError, GitError, UsageError
from doll.services.hooks import block as hook_block
from doll.services.hooks import file as hook_file
from doll.services.hooks import installing as hooking
from doll.services.hooks import status as hook_status
from doll.services.hooks.by_hand import line_by_hand
from doll.services.hooks.installing import Installed
from doll.services.hooks.status import HookState
from doll.vault import disk
from doll.vault.lock import writing
from doll.vcs import plumbing
from tests.children import refused
from tests.desk import make_vault
from tests.gitbox import found, git, hook, make, put

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

KIND = "pre-commit"
ID = "0123456789abcdef0123456789abcdef"
SHELL_HOOKS = {
    "plain": "#!/bin/sh\necho hello\n",
    "strict": "#!/usr/bin/env bash\nset -euo pipefail\ntrue\n",
    "exits": "#!/bin/sh\nexit 0\n",
    "execs": "#!/bin/sh\nexec true\n",
    "open end": "#!/bin/sh\necho hello",
    "no first line": "echo hello\n",
    "empty": "",
}
HUSKY = '#!/usr/bin/env sh\n. "$(dirname "$0")/h"'
LEFTHOOK = "#!/bin/sh\ncall_lefthook()\n{\n:\n}\n"
LEFT_ALONE = {
    "no shell script": "#!/usr/bin/env python3\nprint('hello')\n",
    "CRLF": "#!/bin/sh\r\necho hello\r\n",
    "NUL": "\x7fELF\0",
    "its own text": '#!/bin/sh\nexec python3 "$0" "$@"\n',
    "without the other": "#!/bin/sh\n# >>> doll: pre-commit >>>\n",
    "husky writes": HUSKY,
    "lefthook writes": LEFTHOOK,
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """Return a folder that stands for a vault of its own repository."""
    folder = make(tmp_path / 'my notes\' "vault"')
    put(folder, "doll.yaml", "format: 1\n")
    return folder


@pytest.fixture
def code(tmp_path: Path) -> Path:
    return make(tmp_path / "code")


class One(NamedTuple):
    """What `install` did with the one hook, and the settings that it wrote."""

    path: Path
    edit: str
    notes: tuple[str, ...]
    settings: tuple[str, ...]


def install(folder: Path, vault: Path, project: str | None = "atlas") -> One:
    """Install the hook for the repository of `folder`."""
    done: Installed = hooking.install(found(folder), vault, ID, project, sys.executable, [KIND])
    (only,) = done.hooks
    # Which hooks are wanted is a setting of its own.
    settings = tuple(name for name in done.settings if name != "doll.hooks")
    return One(only.path, only.edit, only.notes, settings)


def state(folder: Path) -> HookState:
    """Return what there is of the hook in the repository of `folder`."""
    return hook_status.hook_state(found(folder), KIND)


def settings(folder: Path) -> bytes:
    """Return the bytes of the repository's own configuration."""
    return (found(folder).common_dir / "config").read_bytes()


def test_a_hook_of_its_own(code: Path, vault: Path) -> None:
    before = settings(code)
    done = install(code, vault)
    path = code / ".git/hooks/pre-commit"
    assert (done.path, done.edit, done.notes) == (path, "created", ())
    assert hook_file.runs(path)
    repository = found(code)
    assert plumbing.config(repository, "doll.vault", local=True) == str(vault)
    assert plumbing.config(repository, "doll.vaultId") == ID
    assert plumbing.config(repository, "doll.project") == "atlas"
    assert plumbing.config(repository, "doll.python") == sys.executable
    again = install(code, vault)
    assert (again.edit, again.settings) == ("unchanged", ())
    gone = hooking.uninstall(repository)
    assert (gone.removed, gone.edited) == ((path,), ())
    assert not os.path.lexists(path)
    assert settings(code) == before
    assert hooking.uninstall(repository) == (hook_block.LOCAL, (), (), (), ())


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("name", "mode"),
    list(zip(SHELL_HOOKS, itertools.cycle([0o755, 0o775, 0o700]), strict=False)),
)
def test_three_installs_and_one_uninstall(code: Path, vault: Path, name: str, mode: int) -> None:
    path = hook(code, SHELL_HOOKS[name])
    path.chmod(mode)
    before = settings(code)
    edits = [install(code, vault).edit for _ in range(3)]
    assert edits == ["added", "unchanged", "unchanged"]
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert state(code).state == "installed"
    gone = hooking.uninstall(found(code))
    assert (gone.edited, gone.removed) == ((path,), ())
    assert path.read_bytes() == SHELL_HOOKS[name].encode()
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert settings(code) == before
    assert not [p.name for p in path.parent.iterdir() if p.name.startswith(".")]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("words", LEFT_ALONE)
def test_what_is_left_alone(code: Path, vault: Path, words: str) -> None:
    path = hook(code, LEFT_ALONE[words])
    before = settings(code)
    with pytest.raises(ConflictError, match=words) as caught:
        install(code, vault)
    # Each in its own words: no line helps in a program, and lefthook wants YAML.
    told = words not in ("NUL", "its own text", "lefthook writes", "CRLF")
    assert (line_by_hand(KIND) in caught.value.hint) is told
    assert ("doll hooks run pre-commit" in caught.value.hint) is (words != "CRLF")
    assert "git config doll.vault '" in caught.value.hint
    assert path.read_bytes() == LEFT_ALONE[words].encode()
    assert settings(code) == before


def test_settings_that_cannot_be_written(
    code: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doll.vcs.porcelain.settings._PAUSES", (0.01,))
    put(code, ".git/config.lock", "")
    before = settings(code)
    with pytest.raises(GitError, match="lock"):
        install(code, vault)
    assert settings(code) == before
    assert not (code / ".git/hooks/pre-commit").exists()


def test_settings_that_another_git_is_writing(code: Path, vault: Path) -> None:
    lock = put(code, ".git/config.lock", "")
    threading.Timer(0.2, lock.unlink).start()
    assert install(code, vault).edit == "created"
    assert plumbing.config(found(code), "doll.vaultId", local=True) == ID


def test_two_at_once_lose_nothing(code: Path, tmp_path: Path) -> None:
    make_vault(tmp_path / "notes")
    line = (sys.executable, "-m", "doll", "hooks", "install", "--vault", "../notes")
    for arguments in (line, (*line, "--project", "atlas")):
        together = [
            subprocess.Popen(arguments, cwd=code, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(3)
        ]
        said = [process.communicate() for process in together]
        assert [process.returncode for process in together] == [0, 0, 0], said
    section = plumbing.config_section(found(code), "doll", local=True)
    assert (section["vaultid"], section["project"]) == ("0f" * 16, "atlas")
    assert {name for name in section if not name.startswith("installed.")} == {
        name.removeprefix("installed.") for name in section if name.startswith("installed.")
    }


def test_while_another_doll_is_at_it(
    code: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooking, "PATIENCE", 0.05)
    before = settings(code)
    for work in (lambda: install(code, vault), lambda: hooking.uninstall(found(code))):
        with (
            writing(found(code).common_dir / "doll"),
            pytest.raises(BusyError, match="changing the hooks of this repository"),
        ):
            work()
        assert settings(code) == before
        assert not (code / ".git/hooks/pre-commit").exists()
    assert install(code, vault).edit == "created"


def test_links_folders_and_hooks_that_do_not_run_are_left_alone(code: Path, vault: Path) -> None:
    path = code / ".git/hooks/pre-commit"
    real = put(code, "scripts/pre-commit", "#!/bin/sh\n")
    path.symlink_to(real)
    with pytest.raises(ConflictError, match="symbolic link"):
        install(code, vault)
    real.unlink()
    with pytest.raises(ConflictError, match="symbolic link"):
        install(code, vault)
    path.unlink()
    path.mkdir()
    with pytest.raises(ConflictError, match="no regular file"):
        install(code, vault)
    assert state(code).notes == (f"the hook {path} cannot be read",)
    path.rmdir()
    hook(code, "#!/bin/sh\n").chmod(0o644)
    with pytest.raises(ConflictError, match="not executable") as caught:
        install(code, vault)
    assert "chmod +x" in caught.value.hint
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_linked_work_tree_shares_hook_and_settings(
    code: Path, vault: Path, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    git(code, "worktree", "add", "-q", str(linked))
    assert install(linked, vault).path == code / ".git/hooks/pre-commit"
    assert state(code).runs
    assert plumbing.config(found(code), "doll.project", local=True) == "atlas"
    hooking.uninstall(found(code))
    assert not state(linked).runs


def test_a_submodule_has_its_own(code: Path, vault: Path, tmp_path: Path) -> None:
    outer = make(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(code), "sub")
    assert install(outer / "sub", vault).path == outer / ".git/modules/sub/hooks/pre-commit"
    assert not state(outer).runs
    assert plumbing.config(found(outer), "doll.project") is None


def test_a_separate_git_dir(vault: Path, tmp_path: Path) -> None:
    top = make(tmp_path / "tree", f"--separate-git-dir={tmp_path / 'store'}")
    assert install(top, vault).path == tmp_path / "store/hooks/pre-commit"


def test_no_hooks_folder_and_no_commit_yet(vault: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--template=", "new\nline")
    top = tmp_path / "new\nline"
    assert not (top / ".git/hooks").exists()
    assert install(top, vault).edit == "created"
    assert state(top).runs


def test_a_hooks_path_inside_the_work_tree(code: Path, vault: Path) -> None:
    git(code, "config", "core.hooksPath", ".githooks")
    path = put(code, ".githooks/pre-commit", "#!/bin/sh\n")
    path.chmod(0o755)
    git(code, "add", "-A")
    (code / "sub").mkdir()
    done = install(code / "sub", vault)
    assert done.path == path
    assert "file of the project" in done.notes[0]
    hooking.uninstall(found(code))
    assert path.read_bytes() == b"#!/bin/sh\n"
    assert git(code, "diff", "--name-only") == ""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("where", ["hooks", "absent"])
def test_a_hooks_path_that_others_share(
    code: Path, vault: Path, tmp_path: Path, where: str
) -> None:
    shared = tmp_path / where
    if where == "hooks":
        put(tmp_path, "hooks/pre-commit", "#!/bin/sh\n").chmod(0o755)
    git(code, "config", "core.hooksPath", str(shared))
    with pytest.raises(ConflictError, match="outside this repository") as caught:
        install(code, vault)
    assert line_by_hand(KIND) in caught.value.hint
    assert "outside this repository" in state(code).notes[0]
    if where == "hooks":
        assert (shared / "pre-commit").read_bytes() == b"#!/bin/sh\n"


def test_a_hooks_folder_linked_to_elsewhere(code: Path, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    hooks = code / ".git/hooks"
    for sample in hooks.iterdir():
        sample.unlink()
    hooks.rmdir()
    hooks.symlink_to(tmp_path / "shared")
    with pytest.raises(ConflictError, match="outside this repository"):
        install(code, vault)
    hooks.unlink()
    (code / "githooks").mkdir()
    hooks.symlink_to("../githooks")
    assert install(code, vault).edit == "created"
    assert (code / "githooks/pre-commit").is_file()


def test_the_block_is_found_where_git_no_longer_looks(code: Path, vault: Path) -> None:
    path = install(code, vault).path
    git(code, "config", "core.hooksPath", ".husky/_")
    status = state(code)
    assert (status.state, status.runs) == ("absent", False)
    assert str(path) in status.notes[0]
    assert install(code, vault).path == code / ".husky/_/pre-commit"
    gone = hooking.uninstall(found(code))
    assert set(gone.removed) == {path, code / ".husky/_/pre-commit"}


def test_generated_hooks_are_named(code: Path, vault: Path) -> None:
    git(code, "config", "core.hooksPath", ".husky/_")
    path = hook(code, HUSKY)
    with pytest.raises(ConflictError, match="husky writes") as caught:
        install(code, vault)
    assert f"add to .husky/pre-commit:\n{line_by_hand(KIND)}" in caught.value.hint
    assert state(code).notes == ("the hook is generated by husky",)
    put(code, ".husky/pre-commit", f"make lint\n{line_by_hand(KIND)}\n")
    found_state = state(code)
    assert (found_state.state, found_state.runs) == ("by_hand", True)
    assert found_state.notes[0] == "it is called from .husky/pre-commit"
    # Once the line is there, the settings are all that is missing.
    done = install(code, vault)
    assert (done.edit, done.notes) == ("by_hand", ("pre-commit is called from .husky/pre-commit",))
    assert path.read_bytes() == HUSKY.encode()
    assert plumbing.config(found(code), "doll.vault", local=True) == str(vault)


def test_a_hook_that_the_framework_moved_aside(code: Path, vault: Path) -> None:
    path = install(code, vault).path
    legacy = path.rename(path.with_name("pre-commit.legacy"))
    generated = hook(code, "#!/usr/bin/env bash\n# File generated by pre-commit: https://x\n:\n")
    assert state(code).runs
    done = install(code, vault)
    assert (done.path, done.edit) == (legacy, "unchanged")
    assert hooking.uninstall(found(code)).removed == (legacy,)
    assert b"doll" not in generated.read_bytes()


def test_the_vaults_own_repository_is_named_relative_to_itself(vault: Path, tmp_path: Path) -> None:
    install(vault, vault, None)
    assert plumbing.config(found(vault), "doll.vault") == "."
    outer = make(tmp_path / "outer")
    (outer / "notes").mkdir()
    git(outer, "worktree", "add", "-q", str(tmp_path / "linked"))
    install(tmp_path / "linked", outer / "notes", None)
    assert plumbing.config(found(outer), "doll.vault") == "notes"
    assert plumbing.config(found(outer), "doll.project") is None


def test_a_new_vault_or_project_replaces_doll_s_own_settings(
    code: Path, vault: Path, tmp_path: Path
) -> None:
    before = settings(code)
    install(code, vault)
    other = make(tmp_path / "other")
    assert set(install(code, other, "borealis").settings) == {"doll.vault", "doll.project"}
    assert plumbing.config(found(code), "doll.project") == "borealis"
    install(code, other, None)
    assert plumbing.config(found(code), "doll.project") == "borealis"
    hooking.uninstall(found(code))
    assert settings(code) == before


def test_settings_of_the_users_own_stay(code: Path, vault: Path) -> None:
    git(code, "config", "doll.project", "atlas")
    git(code, "config", "doll.vault", "../" + vault.name)
    before = settings(code)
    assert set(install(code, vault).settings) == {"doll.vaultId", "doll.python"}
    hooking.uninstall(found(code))
    assert settings(code) == before
    with pytest.raises(ConflictError, match=r"doll\.project is 'atlas'") as caught:
        install(code, vault, "borealis")
    assert "git config --local --unset-all doll.project" in caught.value.hint
    assert settings(code) == before
    assert not (code / ".git/hooks/pre-commit").exists()


def test_a_setting_that_the_user_changed_since_stays(code: Path, vault: Path) -> None:
    install(code, vault)
    git(code, "config", "doll.project", "changed")
    git(code, "config", "doll.branch", "main")
    gone = hooking.uninstall(found(code))
    assert gone.settings == ("doll.vault", "doll.vaultId", "doll.python", "doll.hooks")
    left = {"project": "changed", "branch": "main"}
    assert plumbing.config_section(found(code), "doll", local=True) == left


def test_the_settings_go_back_when_the_hook_cannot_be_written(
    code: Path, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = install(code, vault).path
    before = plumbing.config_section(found(code), "doll", local=True)
    path.unlink()
    # As if the folder were not writable, also for root.
    monkeypatch.setattr(disk, "open_new", refused(errno.EACCES))
    with pytest.raises(DollError, match="cannot be written"):
        install(code, make(tmp_path / "other"))
    assert plumbing.config_section(found(code), "doll", local=True) == before
    assert not path.exists()
    git(code, "config", "--remove-section", "doll")
    git(code, "config", "--remove-section", "doll.installed")
    clean = settings(code)
    with pytest.raises(DollError, match="cannot be written"):
        install(code, vault)
    assert settings(code) == clean


@pytest.mark.skipif(os.geteuid() == 0, reason="root ignores permissions")
def test_a_folder_that_is_not_writable(code: Path, vault: Path) -> None:
    before = settings(code)
    (code / ".git/hooks").chmod(0o555)
    with pytest.raises(DollError, match="Permission denied"):
        install(code, vault)
    assert settings(code) == before


def test_a_hook_that_changes_meanwhile_is_left_alone(code: Path) -> None:
    path = hook(code, "#!/bin/sh\n")
    with pytest.raises(ConflictError, match="changed while"):
        hook_file.replace(path, b"new", b"what was read")
    with pytest.raises(ConflictError, match="changed while"):
        hook_file.remove(path, b"what was read")
    with pytest.raises(ConflictError, match="appeared just now"):
        hook_file.create(path, b"new")
    assert path.read_bytes() == b"#!/bin/sh\n"


def test_an_unknown_kind(code: Path, vault: Path) -> None:
    with pytest.raises(UsageError, match="post-commit"):
        hooking.install(found(code), vault, ID, None, sys.executable, ["post-commit"])


def test_states(code: Path, vault: Path) -> None:
    repository = found(code)
    assert state(code).state == "absent"
    path = install(code, vault).path
    whole = hook_status.status(repository)
    assert (state(code).state, whole.runs, whole.python_found) == ("installed", True, True)
    assert whole.pins == (str(vault), ID, "atlas", sys.executable, None, KIND)
    path.chmod(0o644)
    status = state(code)
    assert (status.state, status.runs) == ("disabled", False)
    path.chmod(0o755)
    assert state(code).notes == ()
    path.write_bytes(path.read_bytes().replace(b"code=$?", b"code=0"))
    assert (state(code).state, install(code, vault).edit) == (
        "outdated",
        "updated",
    )
    path.write_bytes(path.read_bytes().replace(b"# <<< doll", b"# <<< dol"))
    status = state(code)
    assert (status.state, status.runs) == ("damaged", False)
    with pytest.raises(ConflictError, match="without the other"):
        hooking.uninstall(repository)
    assert plumbing.config(repository, "doll.vault") == str(vault)
    path.write_text("#!/usr/bin/env python3\nrun(['doll', 'hooks', 'run', 'pre-commit'])\n")
    status = state(code)
    assert (status.state, status.runs) == ("by_hand", True)
    assert "yours to remove" in hooking.uninstall(repository).notes[0]
    assert "doll.vault is not set" in hook_status.status(repository).notes[-1]
