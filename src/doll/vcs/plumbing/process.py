"""One run of git: its environment, its failures as `GitError`, its version.

Nothing here knows what a repository is; `doll.vcs.plumbing.repository` does.
"""

import os
import re
import signal
import subprocess
from collections.abc import Container, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from doll.errors import GitError, TimeLimitError

MINIMUM = (2, 34)

# What `git rev-parse --local-env-vars` prints, over the versions that doll supports: variables
# that tie git to one repository. Asking git for them would cost a process in every hook.
LOCAL_VARIABLES = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REFERENCE_BACKEND",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)

# A user's choice of pathspec magic is for the commands that they type.
PATHSPEC_VARIABLES = frozenset(
    {
        "GIT_GLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_LITERAL_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
    }
)

_QUIET = {
    "LC_ALL": "C",  # "not a git repository" is told from other failures by its words
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",  # an object id names these bytes, whatever refs/replace says
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone must not go to the network for a missing object: the first one says so to
    # git >= 2.44, the second one forbids every transport to the older ones.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}


# In English, since reading calls are made in the C locale.
_DAMAGE = (
    r"not a tree object|bad (?:tree|object|signature)|(?:loose|packed) object .* is corrupt"
    r"|unable to (?:read|unpack)|could not read|(?:object|index) file .* (?:is empty|corrupt)"
)
# git says so where it would have to fetch an object.
_PROMISED = r"from promisor remote|lazy fetching disabled"
_LOOK = "git fsck    tells what is missing or damaged; a whole clone of the repository has it"


class Output(NamedTuple):
    """What a run of git left: its exit code and the bytes of both streams."""

    code: int
    stdout: bytes
    stderr: bytes


def environment(own: bool) -> dict[str, str]:
    """Return the environment for a reading call.

    `own` keeps what ties git to the repository whose hook is running (GIT_INDEX_FILE, GIT_DIR, …).
    """
    dropped = PATHSPEC_VARIABLES if own else PATHSPEC_VARIABLES | LOCAL_VARIABLES
    return {name: value for name, value in os.environ.items() if name not in dropped} | _QUIET


def run(
    arguments: Sequence[str],
    folder: Path,
    variables: dict[str, str],
    *,
    feed: bytes = b"",
    expected: Container[int] = (0,),
    timeout: float | None = None,
) -> Output:
    """Run git in `folder` and return its output; GitError for an exit code not in `expected`.

    `feed` is its standard input. After `timeout` seconds git is killed, with all that it started:
    TimeLimitError.
    """
    command = ["git", "--no-optional-locks", *arguments]
    if timeout is not None and timeout <= 0:
        raise _too_slow(arguments)
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=timeout is not None,
        )
    except OSError as error:
        raise not_started(arguments, folder, error) from error
    try:
        stdout, stderr = process.communicate(feed, timeout)
    except subprocess.TimeoutExpired as error:
        raise _too_slow(arguments) from error
    finally:
        if process.returncode is None:
            end(process, group=timeout is not None)
    if process.returncode not in expected:
        raise failure(arguments, process.returncode, stderr)
    return Output(process.returncode, stdout, stderr)


def end(process: "subprocess.Popen[bytes]", *, group: bool = False) -> None:
    """Kill a process, with `group` all that share its session; read nothing more from it.

    What it started may outlive it and hold its pipes open.
    """
    with suppress(ProcessLookupError, PermissionError):
        if group:
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()


def failure(arguments: Sequence[str], code: int, stderr: bytes) -> GitError:
    """Return the error that tells of a failed run of git, in git's own words on one line."""
    said = stderr.decode("utf-8", "replace").expandtabs()
    lines = (line.strip() for line in said.split("\n"))
    lines = (line for line in lines if not line.startswith("hint:"))
    said = "; ".join(line for line in lines if line) or "it said nothing"
    if re.search(_PROMISED, said):
        return left_out()
    hint = _LOOK if re.search(_DAMAGE, said) else ""
    return GitError(f"{_shown(arguments)} {how_it_ended(code)}: {said}", hint=hint)


def left_out() -> GitError:
    """Return the error for an object that is not here because this is a partial clone."""
    return GitError(
        "objects that git needs for this were left out of this partial clone",
        hint="git fetch --refetch --no-filter    brings all of them, or use a whole clone",
    )


def how_it_ended(code: int) -> str:
    """Return what a return code of `subprocess` says: `failed with exit 1`, or which signal."""
    if code >= 0:
        return f"failed with exit {code}"
    try:
        name = f" ({signal.Signals(-code).name})"
    except ValueError:  # a real-time signal has no name
        name = ""
    return f"was killed by signal {-code}{name}"


def version() -> tuple[int, ...]:
    """Return the installed git's version, such as (2, 39, 5); GitError when there is no git."""
    words = run(["--version"], Path("/"), environment(own=False)).stdout.split()
    numbers: list[int] = []
    for part in words[2].split(b".") if len(words) > 2 else ():
        if not part.isdigit():
            break
        numbers.append(int(part))
    return tuple(numbers)


def require_version() -> None:
    """Raise GitError when the installed git is older than doll needs."""
    found = version()
    if found < MINIMUM:
        raise GitError(
            f"git {'.'.join(map(str, found))} is too old: doll needs git "
            f"{'.'.join(map(str, MINIMUM))} or later",
            hint="install a newer git",
        )


def not_started(arguments: Sequence[str], folder: Path, error: OSError) -> GitError:
    """Return the error that tells why git could not be started in `folder`."""
    # subprocess raises the same error for a missing program and for a missing working folder.
    if not folder.is_dir():
        return GitError(f"{_shown(arguments)} cannot run in {folder}: it is no folder")
    if isinstance(error, FileNotFoundError):
        return GitError("git is not installed, or not on PATH", hint="install git 2.34 or later")
    return GitError(f"{_shown(arguments)} cannot be started: {error.strerror or error}")


def _too_slow(arguments: Sequence[str]) -> TimeLimitError:
    return TimeLimitError(f"{_shown(arguments)} did not end within the time limit")


def _shown(arguments: Sequence[str]) -> str:
    shown = " ".join(arguments[:6])
    return f"`git {shown}{' …' if len(arguments) > 6 else ''}`"
