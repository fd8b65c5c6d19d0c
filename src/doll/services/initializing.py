"""Making a vault: folders, settings, schemas, a git repository, and the first commit."""

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConflictError, GitError, StorageError, UsageError
from doll.records.handler import scalar
from doll.records.model import TYPES
from doll.records.schema import json_schema
from doll.services.accepted import PINNED_BRANCH
from doll.services.committing import require_committable
from doll.services.staged_texts import Where, refuse_staged_text_at
from doll.vault import disk, files, layout, leftovers, lock, temporary
from doll.vault.settings import parse_settings, render_settings
from doll.vcs import plumbing
from doll.vcs.plumbing import ignoring
from doll.vcs.plumbing.branches import is_branch_name

DEFAULT_BRANCH = "main"

_AREA_NOTES = {
    "confirmed": "What you have confirmed: one memory a file. Edit freely; git keeps the history.",
    "staging": "Imports and proposals that wait for your review (`doll review`). Never authority.",
    "experience": "What was tried and what came of it, a folder for each project. Append-only.",
    "authority": "What holds now: projects, work items, decisions, procedures, policies,\n"
    "permissions, capabilities. What you commit here counts.",
}
_IGNORE_NOTE = "# made by doll; derived, or of this machine only"
_ATTRIBUTE_NOTE = "# bytes, and so digests, survive a checkout"


class Initialized(NamedTuple):
    """A vault that was made: its folder, id and branch, and the commit that started it."""

    root: Path
    vault_id: str
    branch: str
    commit: str
    new_repository: bool


def initialize(folder: Path, branch: str | None) -> Initialized:
    """Make a vault in `folder`, which need not exist, and commit it.

    Inside a repository the vault becomes part of it; elsewhere a new one is made. Raises
    NoVaultError when HEAD has one there that is gone from disk, ConflictError when there is a vault
    already, in a parent folder too, when something stands in the way, git ignores the folder, knows
    no identity, or has a text of a file there in its index alone, and UsageError for a branch that
    cannot be: then nothing was changed. StorageError or GitError for a vault half made, which the
    same call finishes; GitError also when git refuses the first commit.
    """
    from doll.vcs import porcelain

    root = _place(folder)
    existing = plumbing.find(_nearest(root))
    _refuse_lost(existing, root)
    require_committable(existing)
    branch = _branch(existing, branch)
    vault_id = os.urandom(16).hex()
    marker = _marker(vault_id, branch)
    _refuse_ignored(existing, root)
    if existing is not None:
        refuse_staged_text_at(Where(existing, root, plumbing.head(existing)), PATHS)
    with _failures(root):
        repository = existing or porcelain.init(root, branch)
        with lock.writing(repository.git_dir / "doll"):
            leftovers.remove(root, repository.git_dir / "doll")
            _write(root)
            # Another vault of this repository may have pinned it: then that stays.
            if plumbing.config(repository, PINNED_BRANCH, local=True) is None:
                porcelain.set_config(repository, PINNED_BRANCH, branch)
            # The last of all, since it is the mark: without it `doll init` begins anew.
            files.create(root, layout.MARKER, marker)
    commit = _commit(repository, root)
    return Initialized(root, vault_id, branch, commit, existing is None)


def _place(folder: Path) -> Path:
    """Return where the vault goes; ConflictError when it cannot go there."""
    try:
        root = folder.resolve()
        with suppress(FileNotFoundError, NotADirectoryError):
            root.lstat()
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConflictError(f"{folder} cannot be made: {why}") from error
    for place in (root, *root.parents):
        if os.path.lexists(place / layout.MARKER):
            raise ConflictError(
                f"{place} is a vault already; nothing was changed",
                hint="choose a folder outside it, or use that vault: "
                f"doll status --vault {shlex.quote(str(place))}",
            )
    for path in PATHS:
        if fault := _fault(root / path):
            raise ConflictError(f"{fault}; nothing was changed", hint="choose another folder")
    _try(_nearest(root))
    return root


def _try(folder: Path) -> None:
    """Raise ConflictError where nothing new can be made in a folder.

    Permissions do not say it for every user and every file system, so it is tried.
    """
    try:
        leftovers.remove_dead(folder)
        tried = folder / temporary.name()
        disk.make_folder(tried)
        disk.remove_folder(tried)
    except OSError as error:
        raise ConflictError(
            f"nothing can be made in {folder}: {error.strerror}; nothing was changed",
            hint="choose another folder, or check its permissions",
        ) from error


def _fault(path: Path) -> str:
    """Return what stands in the way of a file, "" when nothing does."""
    for place in (*path.parents, path):
        if os.path.lexists(place):
            is_right = os.path.isfile(place) if place == path else os.path.isdir(place)  # noqa: PTH112,PTH113
            if not is_right or os.path.islink(place):  # noqa: PTH114 - these never raise
                return f"{place} is in the way: it is no {'file' if place == path else 'folder'}"
    return ""


def _nearest(folder: Path) -> Path:
    """Return the nearest folder at or above `folder` that is there."""
    return next(place for place in (folder, *folder.parents) if os.path.isdir(place))  # noqa: PTH112


def _branch(repository: plumbing.Repository | None, wanted: str | None) -> str:
    """Return the branch that the vault will be on."""
    if repository is None:
        default = plumbing.config(None, "init.defaultBranch") or DEFAULT_BRANCH
        return default if wanted is None else wanted
    current = plumbing.branch(repository)
    if current is None:
        raise ConflictError(
            f"HEAD of {repository.top} is on no branch, so the vault would have none",
            hint="git switch main    then run the command again",
        )
    if wanted is not None and wanted != current:
        new = "" if plumbing.resolve(repository, f"refs/heads/{wanted}") else "-c "
        raise ConflictError(
            f"{repository.top} is on the branch {current}, not on {wanted}",
            hint=f"git switch {new}{shlex.quote(wanted)}    then run the command again",
        )
    return current


def _marker(vault_id: str, branch: str) -> bytes:
    """Return the new `doll.yaml`; UsageError when the branch cannot stand in it, or be in git."""
    data = render_settings(vault_id, scalar(branch))
    settings = parse_settings(data)[0]
    if settings is None or settings.branch != branch or not is_branch_name(branch):
        raise UsageError(
            f"{branch!r} is no name for the vault's branch; nothing was changed",
            hint=f"--branch {DEFAULT_BRANCH}",
        )
    return data


def _refuse_lost(repository: plumbing.Repository | None, root: Path) -> None:
    if repository is None:
        return
    marker = (root / layout.MARKER).relative_to(repository.top).as_posix()
    if plumbing.tree(repository, plumbing.head(repository), [marker]):
        from doll.services.restoring import marker_gone

        raise marker_gone(root)


def _refuse_ignored(repository: plumbing.Repository | None, root: Path) -> None:
    if repository is None:
        return
    inside = root.relative_to(repository.top)
    ignored = ignoring.ignored(repository, [(inside / path).as_posix() for path in PATHS])
    if ignored:
        raise ConflictError(
            f"git ignores {ignored[0]}, and what is in a vault has to be committed; nothing was "
            "changed",
            hint=f"git check-ignore -v {shlex.quote(ignored[0])}    says which line does it",
        )


def _commit(repository: plumbing.Repository, root: Path) -> str:
    from doll.vcs import porcelain

    inside = root.relative_to(repository.top)
    try:
        return porcelain.commit(
            repository, [(inside / path).as_posix() for path in PATHS], "Start the vault"
        )
    except GitError as error:
        git = f"git -C {shlex.quote(str(root))}"
        names = " ".join(map(shlex.quote, PATHS))
        raise GitError(
            f"the vault was made and not committed: {error.message}",
            hint=f'{git} add -- {names} && {git} commit -m "Start the vault" -- {names}',
        ) from error


@contextmanager
def _failures(root: Path) -> Iterator[None]:
    """Say in every failure that a vault half made is left, and what finishes it."""
    try:
        yield
    except (StorageError, GitError) as error:
        left = "what was made so far is left there; " if os.path.isdir(root) else ""  # noqa: PTH112
        raise type(error)(
            f"{error.message}; {root} is no vault yet",
            hint=f"check the disk space and permissions; {left}the same command finishes it",
        ) from error


def _write(root: Path) -> None:
    """Write the vault's files, all but the mark; what is there already stays."""
    _append(root, layout.IGNORE, layout.IGNORE_LINES, _IGNORE_NOTE)
    _append(root, layout.ATTRIBUTES, layout.ATTRIBUTE_LINES, _ATTRIBUTE_NOTE)
    for area, note in _AREA_NOTES.items():
        _put(root, f"{area}/README.md", f"# {area}\n\n{note}\n".encode())
    for record_type in TYPES:
        _put(root, _schema_path(record_type), _schema(record_type))


def _schema_path(record_type: str) -> str:
    return f"{layout.SCHEMAS}/{record_type}.schema.json"


def _schema(record_type: str) -> bytes:
    import json

    schema = json_schema(record_type)  # type: ignore[arg-type]
    return (json.dumps(schema, indent=2, ensure_ascii=False) + "\n").encode()


def _put(root: Path, path: str, data: bytes) -> None:
    """Write a file that is not there yet; one that is stays as it is."""
    if not (root / path).exists():
        files.create(root, path, data)


def _append(root: Path, path: str, lines: tuple[str, ...], comment: str) -> None:
    """Write the lines to a file of git's, below what a user has in it already."""
    from doll.records.digest import sha256

    if not (root / path).exists():
        files.create(root, path, "\n".join([comment, *lines, ""]).encode())
        return
    before = files.read(root, path)
    present = before.decode("utf-8", "replace").splitlines()
    missing = [line for line in lines if line not in present]
    if missing:
        gap = b"" if not before or before.endswith(b"\n") else b"\n"
        after = before + gap + "\n".join([comment, *missing, ""]).encode()
        files.replace(root, path, after, sha256(before))


# Everything that a new vault is made of, relative to its folder.
PATHS = (
    layout.IGNORE,
    layout.ATTRIBUTES,
    *(f"{area}/README.md" for area in _AREA_NOTES),
    *(_schema_path(record_type) for record_type in TYPES),
    layout.MARKER,
)
