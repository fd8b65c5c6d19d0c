"""Which repository a folder belongs to, and how git is asked about it."""

import os
import shlex
import time
from collections.abc import Container
from pathlib import Path
from typing import Literal, NamedTuple, cast

from doll.errors import GitError
from doll.vcs.plumbing.process import Output, environment, require_version, run

# git prints a line for each of these, and paths may hold newlines. It echoes an option that it
# does not know, and `//` stands in no normalised path: so this separates the paths for certain.
_BETWEEN = "--//"
_QUESTION = (
    "rev-parse",
    "--show-object-format",
    "--is-bare-repository",
    "--path-format=absolute",
    "--git-dir",
    _BETWEEN,
    "--git-common-dir",
    _BETWEEN,
    "--show-toplevel",
    _BETWEEN,
    "--revs-only",
    "HEAD",
    "--symbolic-full-name",
    "HEAD",
)
_BRANCHES = "refs/heads/"


class Position(NamedTuple):
    """Where HEAD was when git was asked: its commit's id, its branch's short name.

    `branch` is None where HEAD is detached.
    """

    commit: str
    branch: str | None


class Draft(NamedTuple):
    """An index beside git's own, and a folder for the objects that only it knows."""

    index_file: Path
    object_folder: Path


class Repository(NamedTuple):
    """A repository with a work tree, as git found it.

    All paths are absolute, with symbolic links resolved. `git_dir` is the work tree's own,
    `common_dir` the one that linked work trees share. `algorithm` names the object ids' hash.
    `own`: calls keep the GIT_* variables of the environment, because it is the repository whose
    hook is running (or the one the user's shell is tied to). `deadline` is the moment of
    `time.monotonic()` by which every call has to end. `found_at` is where HEAD was when the
    repository was found, None where that takes another question (a branch without a commit).
    `draft` is an index that stands in for git's own, None where that one counts.
    """

    top: Path
    git_dir: Path
    common_dir: Path
    algorithm: Literal["sha1", "sha256"]
    own: bool
    deadline: float | None = None
    found_at: Position | None = None
    draft: Draft | None = None


def find(folder: Path, *, own: bool = False, deadline: float | None = None) -> Repository | None:
    """Return the repository that `folder` lies in, None when it lies in none.

    With `own` the environment decides first, as it does for git itself; `folder` is then the
    current one, since GIT_DIR and GIT_WORK_TREE may be relative to it. GitError: a bare
    repository, a folder that git does not trust (`safe.directory`), a broken `.git` file.
    TimeLimitError: `deadline` has passed.
    """
    limit = _left(deadline)
    output = run(_QUESTION, folder, environment(own), expected=(0, 128), timeout=limit)
    parts = output.stdout.split(f"\n{_BETWEEN}\n".encode())
    lines = parts[0].split(b"\n", 2)
    if lines[1:2] == [b"true"]:
        raise _bare(folder, _path(lines[2].partition(b"\n")[0]))
    if output.code != 0:
        from doll.vcs.plumbing.damage import damaged, not_found

        if b"not a git repository (or any" in output.stderr:
            if (fault := damaged(folder)) is not None:
                raise fault
            return None
        raise not_found(_QUESTION, folder, output)
    if len(parts) != 4 or lines[0] not in (b"sha1", b"sha256"):
        require_version()
        raise GitError(f"`git rev-parse` answers what doll does not understand: {output.stdout!r}")
    git_dir, common_dir, top = map(_path, (lines[2], parts[1], parts[2]))
    if not os.path.isdir(top):  # noqa: PTH112 - unlike Path's, it never raises
        raise _no_work_tree(top, git_dir)
    algorithm = cast("Literal['sha1', 'sha256']", lines[0].decode())
    return Repository(top, git_dir, common_dir, algorithm, own, deadline, _position(parts[3]))


def _bare(folder: Path, git_dir: Path) -> GitError:
    """Return the error for a repository without a work tree, or one that is only said to be so."""
    if git_dir.name == ".git" and folder.is_relative_to(git_dir.parent) and folder != git_dir:
        return GitError(
            f"core.bare is true in {git_dir}, so git takes it for a bare repository",
            hint=f"git -C {shlex.quote(str(git_dir.parent))} config core.bare false    "
            "if the files here are its work tree",
        )
    return GitError(
        f"{folder} lies in a bare repository; doll needs one with a work tree",
        hint="run this in a clone of it",
    )


def _no_work_tree(top: Path, git_dir: Path) -> GitError:
    """Return the error for a repository whose settings or environment name a work tree in vain."""
    return GitError(
        f"git takes {top} for the work tree of {git_dir}, and that is no folder",
        hint=f"git --git-dir={shlex.quote(str(git_dir))} config --unset core.worktree    "
        "if it is set there; else make the folder, or unset GIT_WORK_TREE",
    )


def _position(output: bytes) -> Position | None:
    """Return what the two lines on HEAD say, None where they are others.

    git says nothing on a branch without a commit, and the full name of another ref, or none, where
    a branch or a tag is called HEAD.
    """
    commit, _, name = os.fsdecode(output).strip("\n").partition("\n")
    if name == "HEAD":
        return Position(commit, None)
    if name.startswith(_BRANCHES):
        return Position(commit, name.removeprefix(_BRANCHES))
    return None


def same_repository(one: Repository, other: Repository) -> bool:
    """Tell whether both are one repository, perhaps in two linked work trees."""
    return _same(one.common_dir, other.common_dir)


def same_work_tree(one: Repository, other: Repository) -> bool:
    """Tell whether both are one work tree of one repository: one HEAD, one index."""
    return _same(one.git_dir, other.git_dir)


def is_whole(repository: Repository) -> bool:
    """Return whether no history was left out of a repository: no shallow and no partial clone.

    Looks at the names of files alone, and starts no git.
    """
    named = os.environ.get("GIT_SHALLOW_FILE") if repository.own else None
    if os.path.lexists(named or repository.common_dir / "shallow"):
        return False
    try:
        with os.scandir(repository.common_dir / "objects" / "pack") as packs:
            return not any(pack.name.endswith(".promisor") for pack in packs)
    except FileNotFoundError:
        return True
    except OSError:  # what cannot be looked at is not known to be whole
        return False


def ask(
    repository: Repository,
    *arguments: str,
    feed: bytes = b"",
    expected: Container[int] = (0,),
    variables: dict[str, str] | None = None,
) -> Output:
    """Run git at the top of the repository's work tree; raises what `process.run` raises.

    `variables` are its environment, else `repository_environment`.
    """
    try:
        return run(
            arguments,
            repository.top,
            repository_environment(repository) if variables is None else variables,
            feed=feed,
            expected=expected,
            timeout=_left(repository.deadline),
        )
    except GitError as error:
        from doll.vcs.plumbing.damage import index_unread

        own_index = repository.own and "GIT_INDEX_FILE" in os.environ
        index = None if own_index or repository.draft else repository.git_dir / "index"
        if index is not None and (found := index_unread(error, index, repository.top)):
            raise found from error
        raise


def repository_environment(repository: Repository) -> dict[str, str]:
    """Return the environment for calls about `repository`, made from the top of its work tree."""
    variables = environment(repository.own)
    # Where the environment names these, it may do so relative to the folder of the first call.
    # GIT_INDEX_FILE stays: git itself takes it relative to the top of the work tree.
    if "GIT_DIR" in variables:
        variables["GIT_DIR"] = str(repository.git_dir)
        variables["GIT_WORK_TREE"] = str(repository.top)
    if repository.top == repository.git_dir:  # no work tree
        variables.pop("GIT_WORK_TREE", None)
    elif "GIT_WORK_TREE" in variables:
        variables["GIT_WORK_TREE"] = str(repository.top)
    if "GIT_COMMON_DIR" in variables:
        variables["GIT_COMMON_DIR"] = str(repository.common_dir)
    if repository.draft is not None:
        variables |= draft_variables(repository, repository.draft)
    return variables


def draft_variables(repository: Repository, draft: Draft) -> dict[str, str]:
    """Return what has git work on a draft: it writes there, and still knows its own objects."""
    own = os.environ.get("GIT_OBJECT_DIRECTORY") if repository.own else None
    known = own or str(repository.common_dir / "objects")
    quoted = '"' + known.replace("\\", "\\\\").replace('"', '\\"') + '"'
    more = os.environ.get("GIT_ALTERNATE_OBJECT_DIRECTORIES") if repository.own else None
    return {
        "GIT_INDEX_FILE": str(draft.index_file),
        "GIT_OBJECT_DIRECTORY": str(draft.object_folder),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": f"{quoted}{os.pathsep}{more}" if more else quoted,
    }


def _left(deadline: float | None) -> float | None:
    return None if deadline is None else deadline - time.monotonic()


def _path(raw: bytes) -> Path:
    return Path(os.fsdecode(raw))


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one == other
