"""The block at work: real commits, with a stand-in for doll that ends as it is told."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from doll.services.hooks import installing as hooking
from doll.services.hooks.by_hand import line_by_hand
from tests.gitbox import found, git, hook, make, put

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

STAND_IN = """#!/bin/sh
case "$*" in *--version) exit ${VERSION_EXIT:-0} ;; esac
printf '%s\\n' "$0" "$@" >>"$CALLS"
cat >>"$CALLS"
exit ${DOLL_EXIT:-0}
"""
SHELLS = {
    "sh": "#!/bin/sh",
    "strict sh": "#!/bin/sh -eu",
    "dash": "#!/bin/dash",
    "bash": "#!/usr/bin/env bash",
    "strict bash": "#!/bin/bash -eu",
    "busybox": "#!/bin/busybox sh",
    "zsh": "#!/usr/bin/env zsh",
}


class Box:
    """A code repository with an installed hook, and a stand-in for doll."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.code = make(folder / "co de's")
        self.calls = folder / "calls"
        self.bin = folder / "bin"
        for name in ("bin/doll", "py \"t'hon/python"):
            put(folder, name, STAND_IN).chmod(0o755)
        self.python = folder / "py \"t'hon/python"
        self.path = f"{self.bin}:{_path_without_doll(folder)}"

    def install(self, text: str | None = None) -> Path:
        """Install the block, into a hook of this text when there is one."""
        if text is not None:
            hook(self.code, text)
        vault = make(self.folder / "vault")
        python = str(self.python)
        done = hooking.install(found(self.code), vault, "0" * 32, None, python, ["pre-commit"])
        return done.hooks[0].path

    def commit(self, code: int = 0, *arguments: str, **variables: str) -> str:
        """Commit one more line, hold git to its exit code, return all that was printed."""
        with (self.code / "README").open("a") as file:
            file.write("more\n")
        before = git(self.code, "rev-parse", "HEAD")
        variables = {"CALLS": str(self.calls), "PATH": self.path} | variables
        printed = git(self.code, *arguments, "commit", "-a", "-m", "x", code=code, **variables)
        assert (git(self.code, "rev-parse", "HEAD") != before) is (code == 0)
        return printed

    def heard(self) -> list[str]:
        """Return what the stand-in was called with, and what came on its standard input."""
        return self.calls.read_text().splitlines() if self.calls.exists() else []


def _path_without_doll(folder: Path) -> str:
    """Return a PATH with what hooks and git need, on which no installed doll stands."""
    tools = folder / "tools"
    tools.mkdir()
    for name in ("git", "sh", "bash", "dash", "zsh", "env", "cat", "dirname", "basename", "true"):
        place = shutil.which(name)
        if place:
            (tools / name).symlink_to(place)
    return str(tools)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


CALL = ["hooks", "run", "pre-commit"]


def test_it_calls_doll_and_goes_on(box: Box) -> None:
    box.install()
    printed = box.commit()
    assert "doll:" not in printed
    assert box.heard() == [str(box.bin / "doll"), *CALL]


def test_exit_1_stops(box: Box) -> None:
    box.install()
    printed = box.commit(1, DOLL_EXIT="1")
    assert "NOT CHECKED" not in printed
    assert box.heard() == [str(box.bin / "doll"), *CALL]
    box.commit(0, DOLL_EXIT="0")


def test_any_other_exit_is_not_checked_and_goes_on(box: Box) -> None:
    box.install()
    for code in ("2", "3", "70", "126", "127", "130", "255"):
        printed = box.commit(0, DOLL_EXIT=code)
        assert f"doll: NOT CHECKED: doll is not found or failed (exit {code})" in printed


def test_exit_1_of_a_doll_that_cannot_even_say_its_version(box: Box) -> None:
    box.install()
    assert "NOT CHECKED" in box.commit(0, DOLL_EXIT="1", VERSION_EXIT="1")


def test_strict_stops_what_was_not_checked(box: Box) -> None:
    box.install()
    git(box.code, "config", "doll.strict", "yes")
    printed = box.commit(1, DOLL_EXIT="70")
    assert "NOT CHECKED" in printed
    assert "git commit --no-verify" in printed
    git(box.code, "config", "doll.strict", "off")
    box.commit(0, DOLL_EXIT="70")
    box.commit(1, "-c", "doll.strict=true", DOLL_EXIT="70")


@pytest.mark.parametrize("value", ["maybe", "tru e", "2x"])
def test_what_is_no_boolean_counts_as_strict(box: Box, value: str) -> None:
    box.install()
    git(box.code, "config", "doll.strict", value)
    printed = box.commit(1, DOLL_EXIT="70")
    assert "doll.strict" in printed.split("NOT CHECKED")[1]
    git(box.code, "config", "doll.strict", "")  # false, says git
    box.commit(0, DOLL_EXIT="70")


def test_the_pinned_python_stands_in_when_path_has_no_doll(box: Box) -> None:
    box.install()
    (box.bin / "doll").unlink()
    printed = box.commit()
    assert "doll:" not in printed
    assert box.heard() == [str(box.python), "-P", "-m", "doll", *CALL]
    box.commit(1, DOLL_EXIT="1")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("shell", SHELLS)
def test_no_doll_at_all_is_said_loudly(box: Box, shell: str) -> None:
    _need(shell)
    box.install(f"{SHELLS[shell]}\necho 'the rest ran'\n")
    (box.bin / "doll").unlink()
    box.python.unlink()
    printed = box.commit()
    assert printed.count("doll: NOT CHECKED") == 1
    assert "the rest ran" in printed
    git(box.code, "config", "doll.strict", "true")
    assert "the rest ran" not in box.commit(1)
    git(box.code, "config", "doll.strict", "maybe")
    assert "the rest ran" not in box.commit(1)
    git(box.code, "config", "--unset", "doll.python")
    assert "NOT CHECKED" in box.commit(1)


def _need(shell: str) -> None:
    program = SHELLS[shell].removeprefix("#!/usr/bin/env ").removeprefix("#!").split()[0]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("shell", SHELLS)
def test_the_rest_of_the_hook_notices_nothing(box: Box, shell: str) -> None:
    _need(shell)
    out = box.folder / "out"
    text = (
        f'{SHELLS[shell]}\nprintf "%s|" "$#" "$@" "${{code-unset}}" "$-" >"{out}"\ncat >>"{out}"\n'
    )
    plain = hook(box.code, text, "plain")
    before = _run_hook(box, plain, out)
    hooked = box.install(text)
    assert _run_hook(box, hooked, out) == before
    assert before.startswith("2|one|two words|unset|")
    assert before.endswith("|given\n")
    assert box.heard() == [str(box.bin / "doll"), *CALL]


def _run_hook(box: Box, path: Path, out: Path) -> str:
    subprocess.run(
        [str(path), "one", "two words"],
        cwd=box.code,
        env=os.environ | {"CALLS": str(box.calls), "PATH": box.path},
        input=b"given\n",
        check=True,
    )
    return out.read_text()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("shell", SHELLS)
def test_the_hooks_own_answer_stands(box: Box, shell: str) -> None:
    _need(shell)
    path = box.install(f"{SHELLS[shell]}\nexit ${{OWN_EXIT}}\n")
    for own, doll, answer in ((0, 0, 0), (7, 0, 7), (0, 1, 1), (7, 1, 1), (0, 70, 0), (7, 70, 7)):
        variables = {"CALLS": str(box.calls), "PATH": box.path}
        variables |= {"OWN_EXIT": str(own), "DOLL_EXIT": str(doll)}
        done = subprocess.run([str(path)], cwd=box.code, env=os.environ | variables, check=False)
        assert done.returncode == answer, (own, doll)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "text",
    [
        "#!/bin/sh\nexit 0\necho never",
        "#!/bin/sh\nexec true\n",
        "#!/bin/bash\nset -euo pipefail\ntrue | cat\n",
        "echo without a first line\n",
        "",
        "#!/bin/sh",
    ],
)
def test_hooks_that_would_never_reach_their_end(box: Box, text: str) -> None:
    box.install(text)
    box.commit(1, DOLL_EXIT="1")
    box.commit(0)
    assert len(box.heard()) == 8


def test_every_way_to_commit(box: Box) -> None:
    box.install()
    variables = {"CALLS": str(box.calls), "PATH": box.path, "DOLL_EXIT": "1"}
    put(box.code, "README", "changed\n")
    (box.code / "sub").mkdir()
    linked = box.folder / "linked"
    git(box.code, "worktree", "add", "-q", str(linked))
    put(linked, "README", "changed\n")
    git(box.code, "commit", "-qam", "x", code=1, **variables)
    git(box.code / "sub", "commit", "-qm", "x", "--", "../README", code=1, **variables)
    git(linked, "commit", "-qam", "x", code=1, **variables)
    places = (f"--git-dir={box.code / '.git'}", f"--work-tree={box.code}")
    git(box.folder, *places, "commit", "-qam", "x", code=1, **variables)
    assert len(box.heard()) == 4 * 4
    git(box.code, "commit", "-qam", "x", "--no-verify", code=0, **variables)
    assert len(box.heard()) == 4 * 4


def test_the_first_commit(tmp_path: Path) -> None:
    box = Box(tmp_path)
    fresh = tmp_path / "fresh"
    git(tmp_path, "init", "-q", str(fresh))
    hooking.install(found(fresh), found(box.code).top, "0" * 32, None, str(box.python))
    put(fresh, "a", "a")
    git(fresh, "add", "a")
    variables = {"CALLS": str(box.calls), "PATH": box.path}
    git(fresh, "commit", "-qm", "x", code=1, DOLL_EXIT="1", **variables)
    git(fresh, "commit", "-qm", "x", code=0, **variables)


def test_modules_of_the_repository_do_not_reach_doll(tmp_path: Path) -> None:
    """The real fallback, with a module named doll at the top of the repository."""
    import sys

    code = make(tmp_path / "code")
    put(code, "doll.py", "raise SystemExit(1)\n")
    put(code, "click.py", "raise SystemExit(1)\n")
    hooking.install(found(code), make(tmp_path / "vault"), "0" * 32, None, sys.executable)
    git(code, "add", "-A")
    path = _path_without_doll(tmp_path)
    git(code, "commit", "-qm", "x", PATH=path)


def test_with_husky_as_it_is(box: Box) -> None:
    """husky's own layout: a generated folder of one-line hooks that run `.husky/pre-commit`."""
    git(box.code, "config", "core.hooksPath", ".husky/_")
    put(box.code, ".husky/_/.gitignore", "*\n")
    put(
        box.code,
        ".husky/_/h",
        '#!/usr/bin/env sh\nn=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n'
        '[ ! -f "$s" ] && exit 0\nsh -e "$s" "$@"\nc=$?\n'
        '[ $c != 0 ] && echo "husky - $n script failed (code $c)"\nexit $c\n',
    )
    line = line_by_hand("pre-commit")
    put(box.code, ".husky/pre-commit", f"{line}\necho linted\n")
    path = box.install('#!/usr/bin/env sh\n. "$(dirname "$0")/h"')
    assert path.read_text() == '#!/usr/bin/env sh\n. "$(dirname "$0")/h"'
    git(box.code, "add", "-A")
    git(box.code, "commit", "-qm", "husky", "--no-verify")
    assert "linted" in box.commit()
    assert "linted" not in box.commit(1, DOLL_EXIT="1")
    assert "linted" in box.commit(0, DOLL_EXIT="3")
    put(box.code, ".husky/pre-commit", f"{line}\nexit 3\n")
    assert "husky - pre-commit script failed (code 3)" in box.commit(1)
