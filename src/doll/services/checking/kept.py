"""Experience is kept: a path under `experience/`, once at HEAD, keeps its bytes and mode.

The one exception is a redaction in a commit of its own, which `redacting` knows by its shape.
Source: docs/vault-format.md, "Experience is append-only".
"""

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from doll.errors import Problem
from doll.services.opening import Vault
from doll.services.restoring import restoring
from doll.vault.layout import is_kept
from doll.vault.typed import typed
from doll.vcs import plumbing

FILES = ("100644", "100755")


class Version(NamedTuple):
    """A file as one side has it: git's mode and blob id."""

    mode: str
    oid: str


def kept_problems(
    vault: Vault,
    before: Mapping[str, Version],
    after: Mapping[str, Version],
    redacted: frozenset[str] = frozenset(),
    source: str = "HEAD",
) -> list[Problem]:
    """Return a problem for each kept path that `after` lacks or has otherwise.

    `redacted` are the paths whose change has the shape of a redaction (`redacting.is_redaction`),
    `source` is the commit that has `before`.
    """
    problems = []
    for path, version in before.items():
        if not is_kept(path) or path in redacted:
            continue
        now = after.get(path)
        if now is None:
            is_here = os.path.lexists(vault.root / path)
            how = "git's index lacks it" if is_here else "it is gone"
            message = f"this entry is committed history, and {how}"
            hint = restoring(vault.root, [path], source=source)
            problems.append(Problem(path, 0, 0, "experience.removed", message, hint=hint))
        elif now != version:
            message = "this entry is committed history, and it was changed"
            restore = f"git restore --source={source} --staged --worktree -- {typed(path)}"
            hint = f"{restore}    drops the change\ncorrect it with a new entry: doll correct ID …"
            problems.append(Problem(path, 0, 0, "experience.changed", message, hint=hint))
    return problems


def versions(vault: Vault, items: Iterable[plumbing.TreeEntry]) -> dict[str, Version]:
    """Return the versions of the vault's files among those of a tree or of the index."""
    return {
        path: Version(item.mode, item.oid)
        for item in items
        if (path := vault.in_vault(item.path)) is not None
    }


def changed_files(before: Mapping[str, Version], after: Mapping[str, Version]) -> list[str]:
    """Return the kept files that both sides have with different bytes and one mode."""
    return [
        path
        for path, version in before.items()
        if is_kept(path)
        and version.mode in FILES
        and path in after
        and after[path].oid != version.oid
        and after[path].mode == version.mode
    ]
