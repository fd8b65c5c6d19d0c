"""Why git finds no repository where one is: what of `.git` is missing, damaged or unreadable.

git itself says that there is no repository, and whoever makes one then ends a history. Looks at
names and small files alone, starts no git and mends nothing.
"""

import os
import re
import shlex
from pathlib import Path

from doll.errors import GitError
from doll.vcs.plumbing.process import Output, failure

_HEAD = re.compile(rb"(ref:\s*refs/\S.*|[0-9a-f]{40}([0-9a-f]{24})?)\s*", re.DOTALL)
# A folder `.git` with none of these never was a repository.
_PARTS = ("HEAD", "objects", "refs", "config", "packed-refs", "logs")
_FOLDERS = ("objects", "refs")
_NO_SETTINGS = re.compile(r"bad config line (\d+) in file ([^;]+)")
_CLOSED_SETTINGS = re.compile(r"unable to access '([^']+)': ([^;]+)")
_INDEX = re.compile(
    r"index file (?!exists)|bad index (?:file|version)|/index: |index uses |map index"
)
_BAD_FILE = re.compile(rb"not a git repository: (?!')|invalid gitfile format")


def damaged(folder: Path, below: Path | None = None) -> GitError | None:
    """Return the error for the nearest `.git` at or above a folder, where git passes over it.

    With `below` only places inside of that folder are looked at. None where nothing is wrong.
    """
    for place in (folder, *folder.parents):
        if place == below:
            return None
        git_dir = place / ".git"
        if os.path.isdir(git_dir) and (found := _of_folder(git_dir)):  # noqa: PTH112
            return found if isinstance(found, GitError) else None
    return None


def _of_folder(git_dir: Path) -> GitError | bool:
    """Return what is wrong with a `.git`, True where nothing is, False where it is none."""
    try:
        names = {name for name in os.listdir(git_dir) if name in _PARTS}  # noqa: PTH208
        if not names:
            return False
        head = (git_dir / "HEAD").read_bytes() if "HEAD" in names else None
    except OSError as error:
        return _closed(Path(error.filename), error.strerror or str(error))
    for name in _FOLDERS:
        if name in names and not os.access(git_dir / name, os.X_OK):
            return _closed(git_dir / name, "Permission denied")
    faults = [f"{name} is missing" for name in _FOLDERS if name not in names]
    if head is None or not _HEAD.fullmatch(head):
        faults.insert(0, "HEAD is damaged" if head is not None else "HEAD is missing")
    if not faults:
        return True
    return GitError(
        f"{git_dir} is damaged, so git finds no repository there: {', '.join(faults)}",
        hint="\n".join(_mending(git_dir, faults)),
    )


def closed_on_the_way(folder: Path, place: Path) -> GitError | None:
    """Return the error for the first of `folder` and what leads from it to `place` that is closed.

    A folder is closed that may not be listed or entered, a file that may not be read.
    """
    inside = place.relative_to(folder)
    for part in (*reversed(inside.parents), inside):
        at = folder / part
        wanted = os.R_OK | os.X_OK if os.path.isdir(at) else os.R_OK  # noqa: PTH112
        if os.path.lexists(at) and not os.access(at, wanted):
            return _closed(at, "Permission denied")
    return None


def _mending(git_dir: Path, faults: list[str]) -> list[str]:
    lines = list[str]()
    if faults[0].startswith("HEAD"):
        file = shlex.quote(str(git_dir / "HEAD"))
        own = f"rm -- {file} && " if (git_dir / "HEAD").is_symlink() else ""
        lines.append(
            f"{own}echo 'ref: refs/heads/main' >{file}    mends it, if main was checked out"
        )
    if "refs is missing" in faults:
        heads = shlex.quote(str(git_dir / "refs/heads"))
        lines.append(f"mkdir -p {heads}    makes it anew; then `doll doctor` names what it lost")
    if "objects is missing" in faults:
        place = shlex.quote(str(git_dir / "objects"))
        lines.append(f"# copy {place} back from a backup or from the .git of a clone")
    return lines


def _closed(place: Path, why: str) -> GitError:
    rights = "u+rwx" if os.path.isdir(place) else "u+rw"  # noqa: PTH112
    return GitError(
        f"{place} cannot be read: {why}",
        hint=f"chmod {rights} {shlex.quote(str(place))}    if it is yours",
    )


def not_found(arguments: tuple[str, ...], folder: Path, output: Output) -> GitError:
    """Return the error for git's refusal to say to which repository a folder belongs.

    `output` is what git left; its words are kept, and the line that mends it is added.
    """
    error = failure(arguments, output.code, output.stderr)
    said = output.stderr.decode("utf-8", "replace").replace("\n", "; ")
    if line := _NO_SETTINGS.search(said):
        file = shlex.quote(_full(folder, line[2].strip()))
        hint = f"sed -n {line[1]}p {file}    shows the line; mend or remove it in an editor"
    elif closed := _CLOSED_SETTINGS.search(said):
        file = _full(folder, closed[1])
        hint = f"chmod u+rw {shlex.quote(file)}    if it is yours"
        if os.path.isdir(file):  # noqa: PTH112 - unlike Path's, it never raises
            hint = f"# {shlex.quote(file)} has to be a file: put it back from a backup"
    elif _BAD_FILE.search(output.stderr) and (place := _file(folder)):
        return _bad_file(place)
    else:
        return error
    return GitError(error.message, hint=hint)


def index_unread(error: GitError, index: Path, top: Path) -> GitError | None:
    """Return the error that says once for all questions that git cannot read its index, or None.

    git's words differ with the damage and with what was asked.
    """
    said = _INDEX.search(error.message)
    if said is None:
        return None
    file = shlex.quote(str(index))
    if os.path.isfile(index) and "Permission denied" in error.message:  # noqa: PTH113
        hint = f"chmod u+rw {file}    if it is yours"
        return GitError(f"git cannot read its index {index}: Permission denied", hint=hint)
    return GitError(
        f"git's index {index} is damaged",
        hint=f"mv {file} {file}.bad && git -C {shlex.quote(str(top))} reset -q    "
        "makes it anew; what was staged has to be staged again",
    )


def _full(folder: Path, name: str) -> str:
    """Return where a file lies that git names as it is from the top of the work tree."""
    for place in (folder, *folder.parents):
        if os.path.lexists(place / name):
            return str(place / name)
    return name


def _file(folder: Path) -> Path | None:
    """Return the nearest `.git` at or above a folder, if it is a file."""
    found = (place / ".git" for place in (folder, *folder.parents))
    first = next((place for place in found if os.path.lexists(place)), None)
    return first if first is not None and os.path.isfile(first) else None  # noqa: PTH113


def _bad_file(place: Path) -> GitError:
    """Return the error for a file `.git` that leads to no repository."""
    try:
        text = place.read_text("utf-8", "surrogateescape")
    except OSError as error:
        return _closed(place, error.strerror or str(error))
    name = text.removeprefix("gitdir:").strip()
    if name == text.strip() or not name:
        return GitError(
            f"{place} is damaged: it names no repository",
            hint=f"# put {shlex.quote(str(place))} back from a backup, or clone the vault anew",
        )
    target = Path(os.path.normpath(place.parent / name))
    main, _, linked = str(target).partition("/.git/worktrees/")
    hint = f"# put {shlex.quote(str(target))} back, or clone the vault anew"
    if linked:
        hint = (
            f"git -C {shlex.quote(main)} worktree repair {shlex.quote(str(place.parent))}    "
            "if that is where the repository is; else name its folder now"
        )
    return GitError(f"{place} names {target}, and git finds no repository there", hint=hint)
