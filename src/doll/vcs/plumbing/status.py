"""How the work tree and the index differ from HEAD, file by file, as `git status` sees it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from doll.vcs.plumbing.ignoring import refuse_never_ending
from doll.vcs.plumbing.objects import TreeEntry, chosen, records_of, room_for
from doll.vcs.plumbing.repository import Repository, ask

# Renames stay two paths, and every untracked file is named, whatever the user's settings are.
_STATUS = (
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=none",
)
# How many fields stand before the path, by the kind of line (git-status(1)).
_FIELDS = {"1": 8, "u": 10}


class Difference(NamedTuple):
    """A path that is not in the work tree or the index as HEAD has it.

    `staged` and `unstaged` are letters of git-status(1): `.` for no difference, `U` in an unmerged
    path, `?` for both where git does not know the file, `!` where it ignores it. A repository of
    its own that git does not know ends in `/`. `is_submodule` tells of one that it knows. `old_oid`
    and `oid` are the ids of what HEAD and the index have, zeros for nothing; "" for a file that git
    does not know, or that is unmerged.
    """

    path: str
    staged: str
    unstaged: str
    is_submodule: bool = False
    old_oid: str = ""
    oid: str = ""

    @property
    def is_untracked(self) -> bool:
        """Whether git does not know the file."""
        return self.staged == "?"

    @property
    def is_ignored(self) -> bool:
        """Whether git leaves the file out, as it was told."""
        return self.staged == "!"

    @property
    def is_unmerged(self) -> bool:
        """Whether the path is in a merge that is not settled."""
        return "U" in (self.staged, self.unstaged) or (
            self.staged == self.unstaged and self.staged in "AD"
        )


def differences(
    repository: Repository, paths: Sequence[str] = (), *, ignored: bool = False
) -> tuple[Difference, ...]:
    """Return what differs at or below `paths` (none: all), and with `ignored` what git ignores.

    GitError also where git would wait for a pipe for ever.
    """
    refuse_never_ending(repository, [f"{path}/" for path in paths or [""]])
    few = room_for(paths)
    option = f"--ignored={'traditional' if ignored else 'no'}"
    output = ask(repository, *_STATUS, option, "--", *(paths if few else ())).stdout
    found = list(_parsed(records_of(output)))
    if not few:
        wanted = {each.path for each in chosen([TreeEntry(d.path, "", "") for d in found], paths)}
        found = [each for each in found if each.path in wanted]
    return tuple(found)


def _parsed(records: Sequence[str]) -> Iterator[Difference]:
    for record in records:
        kind, _, rest = record.partition(" ")
        if kind in ("?", "!"):
            yield Difference(rest, kind, kind)
        elif kind in _FIELDS:
            fields = rest.split(" ", _FIELDS[kind] - 1)
            old_oid, oid = fields[5:7] if kind == "1" else ("", "")
            is_submodule = fields[1][0] == "S"
            yield Difference(fields[-1], fields[0][0], fields[0][1], is_submodule, old_oid, oid)
