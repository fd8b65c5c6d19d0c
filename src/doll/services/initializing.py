"""Making a vault: folders, settings, schemas, a git repository, and the first commit."""

import os
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConflictError, NoVaultError
from doll.records.model import TYPES
from doll.records.schema import json_schema
from doll.services.accepted import PINNED_BRANCH
from doll.services.identity import require_identity
from doll.vault import files, layout
from doll.vault.settings import render_settings
from doll.vcs import plumbing

DEFAULT_BRANCH = "main"

_AREA_NOTES = {
    "confirmed": "What you have confirmed: one memory a file. Edit freely; git keeps the history.",
    "staging": "Imports and proposals that wait for your review (`doll review`). Never authority.",
    "experience": "What was tried and what came of it, a folder for each project. Append-only.",
    "authority": "What holds now: projects, work items, decisions, procedures, policies,\n"
    "permissions, capabilities. What you commit here counts.",
}
_IGNORED = (".doll/cache/", ".doll/usage/", ".doll-new-*")
_ATTRIBUTES = ("*.md -text", "doll.yaml -text", "staging/**/source/** -text -diff -merge")


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
    ConflictError when there is a vault already, in a parent folder too, and when git knows no
    identity: then nothing was changed.
    """
    from doll.vcs import porcelain

    _refuse_vault(folder)
    existing = plumbing.find(_nearest(folder))
    require_identity(existing)
    folder.mkdir(parents=True, exist_ok=True)
    root = folder.resolve()
    if existing is None:
        branch = branch or plumbing.config(None, "init.defaultBranch") or DEFAULT_BRANCH
        porcelain.init(root, branch)
    else:
        branch = _current_branch(existing, branch)
    repository = plumbing.find(root)
    if repository is None:
        raise NoVaultError(f"git made no repository in {root}")
    vault_id = os.urandom(16).hex()
    written = _write(root, vault_id, branch)
    porcelain.set_config(repository, PINNED_BRANCH, branch)
    inside = root.relative_to(repository.top)
    paths = [(inside / path).as_posix() for path in written]
    commit = porcelain.commit(repository, paths, "Start the vault")
    return Initialized(root, vault_id, branch, commit, existing is None)


def _nearest(folder: Path) -> Path:
    """Return the nearest folder at or above `folder` that is there."""
    return next(place for place in (folder, *folder.parents) if place.is_dir())


def _refuse_vault(folder: Path) -> None:
    for place in (folder, *folder.resolve().parents):
        if (place / layout.MARKER).exists():
            raise ConflictError(
                f"{place} is a vault already; nothing was changed",
                hint="choose a folder outside it, or use that vault: doll status",
            )
    if folder.exists() and not folder.is_dir():
        raise ConflictError(f"{folder} is a file; nothing was changed", hint="choose a folder")


def _current_branch(repository: plumbing.Repository, wanted: str | None) -> str:
    current = plumbing.branch(repository)
    if current is None:
        raise ConflictError(
            f"HEAD of {repository.top} is on no branch, so the vault would have none",
            hint="git switch main    then run the command again",
        )
    if wanted is not None and wanted != current:
        raise ConflictError(
            f"{repository.top} is on the branch {current}, not on {wanted}",
            hint=f"git switch {wanted}    then run the command again",
        )
    return current


def _write(root: Path, vault_id: str, branch: str) -> list[str]:
    """Write the vault's files and return their paths; `doll.yaml` last, since it is the mark."""
    written = [
        _append(root, ".gitignore", _IGNORED, "# made by doll; derived, or of this machine only"),
        _append(root, ".gitattributes", _ATTRIBUTES, "# bytes, and so digests, survive a checkout"),
    ]
    for area, note in _AREA_NOTES.items():
        written.append(_put(root, f"{area}/README.md", f"# {area}\n\n{note}\n".encode()))
    for record_type in TYPES:
        path = f"{layout.SCHEMAS}/{record_type}.schema.json"
        written.append(_put(root, path, _schema(record_type)))
    files.create(root, layout.MARKER, render_settings(vault_id, branch))
    return [*written, layout.MARKER]


def _schema(record_type: str) -> bytes:
    import json

    schema = json_schema(record_type)  # type: ignore[arg-type]
    return (json.dumps(schema, indent=2, ensure_ascii=False) + "\n").encode()


def _put(root: Path, path: str, data: bytes) -> str:
    """Write a file that is not there yet; one that is stays as it is."""
    if not (root / path).exists():
        files.create(root, path, data)
    return path


def _append(root: Path, path: str, lines: tuple[str, ...], comment: str) -> str:
    """Write the lines to a file of git's, below what a user has in it already."""
    from doll.records.digest import sha256

    if not (root / path).exists():
        files.create(root, path, "\n".join([comment, *lines, ""]).encode())
        return path
    before = files.read(root, path)
    present = before.decode("utf-8", "replace").splitlines()
    missing = [line for line in lines if line not in present]
    if missing:
        gap = b"" if not before or before.endswith(b"\n") else b"\n"
        after = before + gap + "\n".join([comment, *missing, ""]).encode()
        files.replace(root, path, after, sha256(before))
    return path
