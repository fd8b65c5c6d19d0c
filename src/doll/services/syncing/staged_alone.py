"""Files of which git's index alone has a text: a commit of what is on disk would drop it.

Goes by what `git status` said; git is asked once more only where such a file may be.
"""

from collections.abc import Mapping

from doll.errors import Problem
from doll.records.digest import blob_id
from doll.services.opening import Vault
from doll.services.staged_texts import Where, keeps, shows
from doll.vault.typed import typed
from doll.vcs.plumbing.hashing import hashed
from doll.vcs.plumbing.status import Difference


def problems(vault: Vault, found: Mapping[str, Difference]) -> list[Problem]:
    """Return the problems of those files, by their paths of the vault, that a sync holds back."""
    empty = blob_id(b"", vault.repository.algorithm)
    maybe = {path: each for path, each in found.items() if each.oid != empty and _may_be(each)}
    on_disk = hashed(vault.repository, [each.path for each in maybe.values()])
    return [
        _problem(vault, path, each)
        for path, each in maybe.items()
        if on_disk.get(each.path) != each.oid
    ]


def _may_be(each: Difference) -> bool:
    """Return whether the index has another text than HEAD, and the disk differs from it.

    What is staged as new and gone from disk is told of elsewhere.
    """
    if each.is_unmerged or each.unstaged == "." or (each.staged, each.unstaged) == ("A", "D"):
        return False
    return each.staged in "AMT" and each.oid != each.old_oid


def _problem(vault: Vault, path: str, each: Difference) -> Problem:
    message = "it is staged with a text that is neither in HEAD nor on disk, and would be lost"
    where = Where.of(vault)
    take = f"{where.git} add --all -- {typed(path)}    takes what is on disk"
    hint = "\n".join([shows(where, path), take, *keeps(where, {path: each.staged != "A"})])
    return Problem(path, 0, 0, "sync.staged", message, hint=hint)
