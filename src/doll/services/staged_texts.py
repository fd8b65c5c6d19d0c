"""Text that is staged and nowhere else: no commit has it, no file on disk, and staging drops it.

A flow that changes records asks before anything is written. Changes nothing.
"""

import shlex
from collections.abc import Iterable, Iterator

from doll.errors import ConflictError
from doll.records.digest import blob_id
from doll.services.opening import Vault
from doll.vault.typed import typed
from doll.vcs import plumbing

_SHOWN = 10


def refuse_staged_text(vault: Vault, paths: Iterable[str]) -> None:
    """Raise ConflictError where git's index alone has a text of one of these files of the vault."""
    found = sorted(_staged_alone(vault, dict.fromkeys(paths)))
    if not found:
        return
    more = f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""
    git = f"git -C {shlex.quote(str(vault.root))}"
    names = " ".join(map(typed, found))
    # `:./` is the folder, where `:` alone is the top of the repository.
    shown = [f"{git} show {typed(f':./{path}')}    shows it" for path in found[:_SHOWN]]
    raise ConflictError(
        f"{found[0]}{more} is staged with a text that is neither in HEAD nor on disk, and would be "
        "lost; nothing was changed",
        hint="\n".join(
            [
                *shown,
                f'{git} commit -m "Keep what is staged"    keeps it, with all else that is staged',
                f"{git} restore --staged -- {names}    drops it, after which this can be done",
            ]
        ),
    )


def _staged_alone(vault: Vault, paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths whose text in the index neither the work tree nor HEAD has.

    git is asked about HEAD only where the other two differ.
    """
    places = {vault.in_git(path): path for path in paths}
    algorithm = vault.repository.algorithm
    # What `git add -N` notes is no text.
    known = {None, blob_id(b"", algorithm)}
    index = {
        entry.path: entry.oid
        for entry in plumbing.tracked(vault.repository, list(places))
        if entry.path in places and entry.stage == 0 and entry.oid not in known
    }
    differing = {
        place: oid for place, oid in index.items() if oid != _on_disk(vault, places[place])
    }
    if differing:
        tree = plumbing.tree(vault.repository, vault.head, list(differing))
        head = {entry.path: entry.oid for entry in tree}
        yield from (places[place] for place, oid in differing.items() if head.get(place) != oid)


def _on_disk(vault: Vault, path: str) -> str | None:
    try:
        return blob_id(vault.read(path), vault.repository.algorithm)
    except OSError:
        return None
