"""A git repository in a folder of the vault: what is said of it, and the line that ends that."""

import os
from typing import Literal

from doll.errors import Problem
from doll.services.opening import Vault
from doll.vault.obstacles import moving_away
from doll.vault.typed import typed

MODE = "160000"

Known = Literal["disk", "index", "head"]


def repository_within(vault: Vault, path: str, known: Known) -> Problem:
    """Return the problem of a folder that is a repository; `known` is where it is one.

    The line moves what makes it one beside the vault's repository: nothing of it is lost.
    """
    message = "this folder is a git repository of its own, and no part of the vault's"
    line = making_plain(vault, path, known)
    plain = f", or make it plain files: {line}" if line else ""
    return Problem(path, 0, 0, "file.symlink", message, hint=f"move it out of the vault{plain}")


def making_plain(vault: Vault, path: str, known: Known) -> str:
    """Return the line that makes plain files of the repository at `path`, "" where it is none."""
    git, inner = f"git -C {typed(str(vault.root))}", vault.root / path / ".git"
    taking = {
        "index": [f"{git} restore --staged -- {typed(path)}"],
        "head": [f"{git} rm -q --cached --ignore-unmatch -- {typed(path)}"],
    }
    steps = taking.get(known, [])
    if os.path.lexists(inner):
        name = vault.repository.top.parent / f"{inner.parent.name}.git"
        steps.append(moving_away(inner, name))
    if known == "head":
        # git commits files in place of a repository only with all else that is staged.
        steps = [f"{git} diff --cached --stat --exit-code", *steps]
        steps.append(f"{git} add -- {typed(f'{path}/')}")
        steps.append(f"{git} commit -m {typed(f'make {path} plain files')}")
    return " && ".join(steps)
