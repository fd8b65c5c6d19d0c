"""One run of git through GitPython: its environment, what it said, its failures as `GitError`.

Every git that writes is started by `execute`.
"""

import os
import re
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, NamedTuple

from doll.errors import GitError
from doll.vault import disk
from doll.vcs.plumbing.locks import age_in_words
from doll.vcs.plumbing.process import LOCAL_VARIABLES, PATHSPEC_VARIABLES, how_it_ended
from doll.vcs.plumbing.repository import Repository, repository_environment

LISTED = ("--pathspec-from-file=-", "--pathspec-file-nul")

_PLACES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")
# In whatever language git says it; the file's own name is not translated.
_LOCK = re.compile(r"/[^\n']*/(?:(?:index|HEAD|packed-refs|config)\.lock|refs/[^\n']+\.lock)")


class Ran(NamedTuple):
    """What a run of git left: its exit code, and both streams as text, bare of outer space."""

    code: int
    out: str
    said: str

    @property
    def words(self) -> str:
        """All that it and its hooks said."""
        return "\n".join(part.expandtabs() for part in (self.out, self.said) if part)


def git(
    folder: Path,
    *arguments: str,
    listed: Sequence[str] = (),
    feed: bytes = b"",
    expected: tuple[int, ...] = (0,),
    plain: bool = False,
) -> str:
    """Run git and return what it and its hooks said, `plain` in English.

    `listed` paths are fed to it as literal pathspecs: no number of them is too large, no name is
    taken for an option or a pattern. The magic stands at each path, since GIT_LITERAL_PATHSPECS
    would reach the user's hooks.
    """
    feed = feed or terminated([f":(top,literal){path}" for path in listed])
    ran = execute(folder, arguments, feed=feed, plain=plain)
    if ran.code not in expected:
        raise failed(arguments, ran)
    return ran.words


def execute(
    folder: Path,
    arguments: Sequence[str],
    *,
    feed: bytes = b"",
    plain: bool = False,
    variables: Mapping[str, str] = MappingProxyType({}),
    alone: bool = False,
) -> Ran:
    """Run git through GitPython, whatever its exit code; GitError where it cannot be started.

    `variables` are added to its environment. `alone` takes the terminal away from it and from all
    that it starts, so that nothing can ask and wait for an answer.
    """
    try:
        import git as gitpython
    except ImportError as error:  # GitPython asks git for its version when it is imported
        raise GitError("git is not installed, or not on PATH") from error
    runner = gitpython.Git(folder)
    # GitPython forces the C locale; hooks run in the user's. An empty value counts as none.
    if not plain:
        users = {name: os.environ.get(name, "") for name in ("LC_ALL", "LANGUAGE")}
        runner.update_environment(**users)
    runner.update_environment(**variables)
    with _stream(feed) as stream:
        try:
            code, out, said = runner.execute(
                ["git", *arguments],
                istream=stream,
                with_extended_output=True,
                with_exceptions=False,
                start_new_session=alone,
            )
        except gitpython.GitCommandNotFound as error:
            raise GitError(f"git cannot be started in {folder}") from error
    return Ran(int(code), _plain(str(out)), _plain(said).expandtabs())


def _plain(words: str) -> str:
    """Return words without the carriage returns of progress and of ssh."""
    return words.replace("\r\n", "\n").replace("\r", "\n").strip()


def failed(arguments: Sequence[str], ran: Ran) -> GitError:
    """Return the error that tells of a failed run of git, or of the lock that it met."""
    name = next((word for word in arguments if not word.startswith("-") and "=" not in word), "")
    shown = f"`git {name}` {how_it_ended(ran.code)}"
    return locked(ran.words) or GitError(f"{shown}: {ran.words or 'it said nothing'}")


@contextmanager
def _stream(feed: bytes) -> Iterator[BinaryIO | None]:
    """Give a file that holds `feed`, None where there is nothing to feed: that needs no disk."""
    with ExitStack() as opened:
        try:
            stream = opened.enter_context(disk.unnamed(feed)) if feed else None
        except OSError as error:
            said = f"no temporary file for what git is given: {error.strerror or error}"
            raise GitError(said, hint="check the disk space, or set TMPDIR") from error
        yield stream


def locked(words: str) -> GitError | None:
    """Return the error for a lock of git that its words name and that is there, else None."""
    found = _LOCK.search(words)
    return lock_error(Path(found[0])) if found else None


def lock_error(lock: Path) -> GitError | None:
    """Return the error for a lock of git, None where it is gone by now.

    It can belong to a git that is at work, so it is for the user to remove.
    """
    try:
        age = age_in_words(time.time() - lock.lstat().st_mtime)
    except OSError:
        return None
    return GitError(
        f"git is at work here, or was killed: its lock {lock} is {age} old; "
        f"if no git is running, remove it: rm -- {shlex.quote(str(lock))}"
    )


def terminated(paths: Sequence[str]) -> bytes:
    """Return paths as git takes them from a stream, each ended by NUL."""
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


@contextmanager
def tied(repository: Repository) -> Iterator[None]:
    """Make the environment fit the repository, as for `doll.vcs.plumbing`'s calls on it."""
    wanted: dict[str, str | None] = dict.fromkeys(PATHSPEC_VARIABLES)
    if not repository.own:
        wanted |= dict.fromkeys(LOCAL_VARIABLES)
    placed = repository_environment(repository)
    wanted |= {name: placed[name] for name in _PLACES if name in placed}
    with variables(wanted):
        yield


@contextmanager
def variables(wanted: dict[str, str | None]) -> Iterator[None]:
    """Set (or, for None, drop) variables of this process for a while.

    GitPython starts git with the process's own environment and can add to it, not take away.
    """
    before = {name: os.environ.get(name) for name in wanted}
    try:
        _put(wanted)
        yield
    finally:
        _put(before)


def _put(wanted: dict[str, str | None]) -> None:
    for name, value in wanted.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
