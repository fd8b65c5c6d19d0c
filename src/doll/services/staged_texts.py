"""Text that is staged and nowhere else: no commit has it, no file on disk, and staging drops it.

A flow that changes or writes files asks before anything is written. Changes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConflictError
from doll.records.digest import blob_id
from doll.services import waiting
from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing import Repository
from doll.vcs.plumbing.hashing import hashed
from doll.vcs.plumbing.index_file import surely_lacks

_SHOWN = 10
# Of so few it is worth while to look into the file of the index before git is asked.
_FEW = 2


class Where(NamedTuple):
    """A folder of a repository whose files are asked about; `head` is its commit, None for none."""

    repository: Repository
    root: Path
    head: str | None

    @classmethod
    def of(cls, vault: Vault) -> "Where":
        """Return the folder of a vault."""
        return cls(vault.repository, vault.root, vault.head)

    @property
    def git(self) -> str:
        """How git is called there, in a line to type."""
        return f"git -C {typed(str(self.root))}"


def refuse_staged_text(vault: Vault, paths: Iterable[str]) -> None:
    """Raise ConflictError where git's index alone has a text of one of these files of the vault."""
    refuse_staged_text_at(Where.of(vault), paths)


def refuse_staged_text_at(where: Where, paths: Iterable[str]) -> None:
    """Do so for files below a folder."""
    found = staged_alone(where, paths)
    if not found:
        return
    first, *others = sorted(found)
    more = f" (and {len(others):,} more)" if others else ""
    names = " ".join(map(typed, (first, *others)))
    shown = [shows(where, path) for path in (first, *others)[:_SHOWN]]
    drop = f"{where.git} restore --staged -- {names}    drops it, after which this can be done"
    raise ConflictError(
        f"{first}{more} is staged with a text that is neither in HEAD nor on disk, and would be "
        "lost; nothing was changed",
        hint="\n".join([*shown, *keeps(where, found), drop]),
    )


def shows(where: Where, path: str) -> str:
    """Return the line that shows the text of a file that is staged."""
    # `:./` is the folder, where `:` alone is the top of the repository.
    return f"{where.git} show {typed(f':./{path}')}    shows it"


def unstaging(where: Where, paths: Sequence[str], names: str, does: str = "") -> list[str]:
    """Return the lines that unstage `paths`, which are `names` in the line.

    What only the index has is shown first, and the line says that it drops that; else what it
    `does`.
    """
    alone = sorted(staged_alone(where, paths))
    line = f"{where.git} restore --staged {names}"
    if not alone:
        return [f"{line}    {does}".rstrip()]
    shown = [f"{shows(where, path)}: only the index has that" for path in alone[:_SHOWN]]
    return [*shown, f"{line}    drops that, and leaves what is on disk"]


def keeps(where: Where, found: Mapping[str, bool]) -> list[str]:
    """Return the line that commits what is staged of files; `found` tells which HEAD has.

    None where no commit may have it, since it changes an entry of experience that HEAD has.
    """
    if any(is_at_head and layout.is_kept(path) for path, is_at_head in found.items()):
        return []
    if underway := waiting.find(where.repository):
        return [f"{underway.at(where.repository).finish}    finishes {underway.what} first"]
    commit = f'{where.git} commit -m "Keep what is staged"'
    return [f"{commit}    keeps it, with all else that is staged"]


def staged_alone(where: Where, paths: Iterable[str]) -> dict[str, bool]:
    """Return the paths whose text in the index neither the work tree nor HEAD has.

    With each stands whether HEAD has the file. An empty file is no text.
    """
    inside = where.root.relative_to(where.repository.top)
    places = {(inside / path).as_posix(): path for path in paths}
    if not places or (
        len(places) <= _FEW and all(surely_lacks(where.repository, place) for place in places)
    ):
        return {}
    empty = blob_id(b"", where.repository.algorithm)
    maybe = {
        change.path: change
        for change in plumbing.staged(where.repository, where.head)
        if change.path in places and change.status in "AMT"
        if change.oid not in (change.old_oid, empty)
    }
    on_disk = hashed(where.repository, maybe)
    return {
        places[place]: change.status != "A"
        for place, change in maybe.items()
        if on_disk.get(place) != change.oid
    }
