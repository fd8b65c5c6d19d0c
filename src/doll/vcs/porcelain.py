"""Writing git, through GitPython: init, stage, commit, settings.

The only module that knows GitPython, and it imports it when it is called. Commits go through
`git commit` itself, so that the user's hooks and signing run; the user's settings, templates and
locale apply. Reading belongs to `doll.vcs.plumbing`.
"""

import os
import re
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from doll.errors import GitError, StorageError
from doll.vault import disk
from doll.vcs.plumbing.index import tracked
from doll.vcs.plumbing.objects import head
from doll.vcs.plumbing.process import LOCAL_VARIABLES, PATHSPEC_VARIABLES, how_it_ended
from doll.vcs.plumbing.repository import Repository, find, repository_environment

_PLACES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")
# git takes the lock of its settings without waiting for it; it holds it for milliseconds.
_PAUSES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
# In whatever language git says it; the file's own name is not translated.
_LOCK = re.compile(r"/[^\n']*/(?:(?:index|HEAD|packed-refs|config)\.lock|refs/[^\n']+\.lock)")
_LISTED = ("--pathspec-from-file=-", "--pathspec-file-nul")


def init(root: Path, branch: str) -> Repository:
    """Make a repository in the folder `root` (made where it is missing), unborn on `branch`."""
    try:
        disk.make_folders(root)
    except OSError as error:
        raise StorageError(f"{root} cannot be made: {error.strerror or error}") from error
    with _variables(dict.fromkeys(LOCAL_VARIABLES)):
        _git(root, "init", "--quiet", f"--initial-branch={branch}")
    repository = find(root)
    assert repository is not None, "git init made no repository"
    return repository


def stage(repository: Repository, paths: Sequence[str]) -> None:
    """Put these paths into the index as they are on disk: new, changed or gone.

    A path that is neither on disk nor in the index is passed over: its deletion is staged
    already. GitError also for a path that `.gitignore` excludes.
    """
    known = {entry.path for entry in tracked(repository, paths)}
    there = [path for path in paths if path in known or os.path.lexists(repository.top / path)]
    if there:
        with _tied(repository):
            _git(repository.top, "add", "--all", *_LISTED, listed=there)


def commit(
    repository: Repository,
    paths: Sequence[str],
    message: str,
    *,
    only: bool = True,
    tell: Callable[[str], None] | None = None,
) -> str:
    """Commit exactly these paths as they are on disk, and return the commit's id.

    New files of the list are added and missing ones are deleted; whatever else is staged stays
    staged and out of the commit. With `only=False` the whole index is committed, after the paths
    have been staged. `tell` is given what the hooks wrote. GitError, with git's and the hooks'
    words, when a hook refuses, nobody is named, or nothing changes; files that were not in the
    index before are then out of it again.
    """
    if only and not paths:
        raise GitError("no paths to commit were given")
    known = {entry.path for entry in tracked(repository, paths)} if paths else set()
    new = [p for p in paths if p not in known and os.path.lexists(repository.top / p)]
    with _tied(repository):
        try:
            if only and new:
                _git(repository.top, "add", *_LISTED, listed=new)
            elif paths and not only:
                stage(repository, paths)
            chosen = ("--only", *_LISTED) if only else ()
            # The message is the caller's to the letter; lines that begin with `#` are text.
            said = _git(
                repository.top,
                *("commit", "--quiet", "--cleanup=whitespace", f"--message={message}", *chosen),
                listed=paths if only else (),
            )
        except BaseException:
            _take_out(repository, new)
            raise
    if tell is not None and said:
        tell(said)
    made = head(repository)
    assert made is not None, "git commit made no commit"
    return made


def set_config(repository: Repository, key: str, value: str) -> None:
    """Set a setting in the repository's own file, which linked work trees share."""
    _config(repository, "--replace-all", "--", key, value)


def unset_config(repository: Repository, key: str) -> None:
    """Take a setting out of the repository's own file, if it is there."""
    _config(repository, "--unset-all", key, expected=(0, 5))


def _config(repository: Repository, *arguments: str, expected: tuple[int, ...] = (0,)) -> None:
    """Change the repository's own file, waiting while another git does."""
    for pause in (*_PAUSES, None):
        try:
            with _tied(repository):
                _git(repository.top, "config", "--local", *arguments, expected=expected, plain=True)
        except GitError as error:
            held = "lock config file" in error.message and "File exists" in error.message
            if not held:
                raise
            if pause is None:
                raise _lock_error(repository.common_dir / "config.lock") or error from error
        else:
            return
        time.sleep(pause)


def _take_out(repository: Repository, paths: Sequence[str]) -> None:
    if paths:
        with suppress(GitError):
            arguments = ("update-index", "--force-remove", "-z", "--stdin")
            _git(repository.top, *arguments, feed=_terminated(paths))


def _git(
    folder: Path,
    *arguments: str,
    listed: Sequence[str] = (),
    feed: bytes = b"",
    expected: tuple[int, ...] = (0,),
    plain: bool = False,
) -> str:
    """Run git through GitPython and return what it and its hooks said, `plain` in English.

    `listed` paths are fed to it as literal pathspecs: no number of them is too large, no name is
    taken for an option or a pattern. The magic stands at each path, since GIT_LITERAL_PATHSPECS
    would reach the user's hooks.
    """
    try:
        import git
    except ImportError as error:  # GitPython asks git for its version when it is imported
        raise GitError("git is not installed, or not on PATH") from error
    feed = feed or _terminated([f":(top,literal){path}" for path in listed])
    runner = git.Git(folder)
    # GitPython forces the C locale; hooks run in the user's. An empty value counts as none.
    if not plain:
        users = {name: os.environ.get(name, "") for name in ("LC_ALL", "LANGUAGE")}
        runner.update_environment(**users)
    with _stream(feed) as stream:
        try:
            status, out, said = runner.execute(
                ["git", *arguments],
                istream=stream,
                with_extended_output=True,
                with_exceptions=False,
            )
        except git.GitCommandNotFound as error:
            raise GitError(f"git cannot be started in {folder}") from error
    words = "\n".join(part for part in (str(out).strip(), said.strip()) if part)
    if status not in expected:
        shown = f"`git {arguments[0]}` {how_it_ended(status)}"
        raise _locked(words) or GitError(f"{shown}: {words or 'it said nothing'}")
    return words


@contextmanager
def _stream(feed: bytes) -> Iterator[BinaryIO | None]:
    """Give a file that holds `feed`, None where there is nothing to feed: that needs no disk."""
    if not feed:
        yield None
        return
    with disk.unnamed(feed) as stream:
        yield stream


def _locked(words: str) -> GitError | None:
    """Return the error for a lock of git that its words name and that is there, else None."""
    found = _LOCK.search(words)
    return _lock_error(Path(found[0])) if found else None


def _lock_error(lock: Path) -> GitError | None:
    """Return the error for a lock of git, None where it is gone by now.

    It can belong to a git that is at work, so it is for the user to remove.
    """
    try:
        age = _age(time.time() - lock.lstat().st_mtime)
    except OSError:
        return None
    return GitError(
        f"git is at work here, or was killed: its lock {lock} is {age} old; "
        f"if no git is running, remove it: rm -- {shlex.quote(str(lock))}"
    )


def _age(seconds: float) -> str:
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            number = int(seconds // length)
            return f"{number} {unit}{'' if number == 1 else 's'}"
    return f"{max(0, int(seconds))} s"


def _terminated(paths: Sequence[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


@contextmanager
def _tied(repository: Repository) -> Iterator[None]:
    """Make the environment fit the repository, as for `doll.vcs.plumbing`'s calls on it."""
    wanted: dict[str, str | None] = dict.fromkeys(PATHSPEC_VARIABLES)
    if not repository.own:
        wanted |= dict.fromkeys(LOCAL_VARIABLES)
    placed = repository_environment(repository)
    wanted |= {name: placed[name] for name in _PLACES if name in placed}
    with _variables(wanted):
        yield


@contextmanager
def _variables(wanted: dict[str, str | None]) -> Iterator[None]:
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
