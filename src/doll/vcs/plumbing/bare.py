"""A repository as its own folder: a bare one, or one that is being pushed to.

It is a `Repository` whose `top` is its `git_dir`: nothing is asked about a work tree.
"""

import os
from pathlib import Path
from typing import Literal, cast

from doll.errors import GitError
from doll.vcs.plumbing.damage import not_found
from doll.vcs.plumbing.process import environment, run
from doll.vcs.plumbing.repository import Repository

_QUESTION = (
    "rev-parse",
    "--show-object-format",
    "--is-bare-repository",
    "--path-format=absolute",
    "--git-dir",
)


def find_bare(folder: Path) -> Repository | None:
    """Return the bare repository that `folder` is or lies in, None for anything else."""
    return _found(folder, own=False, bare=True)


def receiving(folder: Path) -> Repository:
    """Return the repository that a push goes to, as git says it to the hook that runs in `folder`.

    What is pushed lies in a quarantine until the hook ends: only the environment of the hook leads
    to it, so it is kept. GitError when there is no repository.
    """
    found = _found(folder, own=True, bare=False)
    if found is None:
        raise GitError(f"{folder} lies in no git repository")
    return found


def _found(folder: Path, *, own: bool, bare: bool) -> Repository | None:
    output = run(_QUESTION, folder, environment(own), expected=(0, 128))
    if output.code != 0:
        if b"not a git repository (or any" in output.stderr:
            return None
        raise not_found(_QUESTION, folder, output)
    algorithm, is_bare, name = output.stdout.removesuffix(b"\n").split(b"\n", 2)
    if bare and is_bare != b"true":
        return None
    place = Path(os.fsdecode(name))
    kind = cast("Literal['sha1', 'sha256']", algorithm.decode())
    return Repository(place, place, place, kind, own)
