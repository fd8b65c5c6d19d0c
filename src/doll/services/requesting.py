"""What a request takes from the repository it is made in: its project, what its paths mean."""

import posixpath
from pathlib import Path

from doll.errors import UsageError
from doll.services.opening import Vault
from doll.vcs import plumbing

PROJECT = "doll.project"


def configured_project(here: plumbing.Repository | None) -> str | None:
    """Return the project that a repository names in git's configuration, None where it names none.

    An empty value is a wrong one, as any that names no project is: it says less than was meant.
    """
    return plumbing.config(here, PROJECT) if here else None


def staged_paths(here: plumbing.Repository | None, vault: Vault | None) -> tuple[str, ...]:
    """Return the staged paths of a repository, those of the vault itself left out."""
    if here is None:
        raise UsageError("--staged: this folder is in no git repository")
    if vault is not None and plumbing.same_work_tree(here, vault.repository):
        changes = plumbing.staged(here, vault.head)
        return tuple(c.path for c in changes if not vault.owns(c.path))
    return tuple(change.path for change in plumbing.staged(here, plumbing.head_found(here)))


def from_the_top(here: plumbing.Repository | None, cwd: Path, path: str) -> str:
    """Return a typed path as it is from the top of the work tree; it needs not exist.

    A plain one counts from the top, so that a request means the same wherever it is made. One that
    begins with `./`, `../` or `/` counts from `cwd`, where that lies in the repository `here`. What
    leads out of the work tree is given back as it is, for preflight to refuse; so is what names no
    file. Outside any repository only a `./` before it goes.
    """
    if path.rpartition("/")[2] in ("", ".", ".."):
        return path
    if here is None or not path.startswith(("./", "../", "/")):
        found = posixpath.normpath(path)
        return path if found.startswith(("../", "/")) else found
    full = Path(posixpath.normpath(posixpath.join(cwd.as_posix(), path)))
    return full.relative_to(here.top).as_posix() if full.is_relative_to(here.top) else path
