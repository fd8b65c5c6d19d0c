"""What keeps the remote's commits from being taken over as a whole, found before anything is.

Folders that are none, settings that no command could read afterwards, and files where the other
side has a folder: git would move one aside under a name of its own. Changes nothing.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from doll.errors import Problem, errors_in
from doll.records.limits import MAX_FILE_BYTES
from doll.services.opening import Vault
from doll.services.syncing import shapes
from doll.services.syncing.aside import aside
from doll.services.syncing.values import Stop, Target
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing import Change

_CONFLICT = 5
_SHOWN = 3
_SHORT = 12
_LINK_TO_REPOSITORY = "160000"


class _Pair(NamedTuple):
    """A path that is a file on one side and a folder on the other; `is_known` by git here."""

    path: str
    is_folder_here: bool
    is_known: bool


def refusal(
    vault: Vault, target: Target, base: str, ours: Sequence[Change], theirs: Sequence[Change]
) -> Stop | None:
    """Return why `theirs` is not taken over; both are changes since `base`. GitError if git fails.

    The paths are those of the repository.
    """
    return (
        shapes.refusal(vault, target, base, ours, theirs)
        or _settings(vault, target, base, theirs)
        or _folders(vault, ours, theirs)
    )


def _settings(vault: Vault, target: Target, base: str, theirs: Iterable[Change]) -> Stop | None:
    """Return the stop for a `doll.yaml` that would leave the vault without settings."""
    marker = vault.in_git(layout.MARKER)
    change = next((each for each in theirs if each.path == marker), None)
    if change is None:
        return None
    problems: tuple[Problem, ...] = ()
    if change.status == "D":
        what = f"takes {layout.MARKER} away, and without it there is no vault"
    elif not change.mode.startswith("100"):
        what = f"makes something of {layout.MARKER} that is no file"
    else:
        data = plumbing.blobs(vault.repository, [change.oid], MAX_FILE_BYTES)[change.oid]
        problems = tuple(errors_in(vault.parse_settings(data)[1]))
        if not problems:
            return None
        what = f"brings a {layout.MARKER} that cannot be used here"
    beside, path = aside(vault, target.fetched), typed(marker)
    steps = [f"{beside.git} rm -rfq --ignore-unmatch -- {path}"]
    if plumbing.tree(vault.repository, base, [marker]):
        # Not what is here: nobody has looked at that with an eye on the remote.
        steps.append(f"{beside.git} checkout -q {base[:_SHORT]} -- {path}")
    return Stop(
        _CONFLICT,
        f"{target.name} {what}; nothing was taken over",
        f"{beside.here} log --oneline {base[:_SHORT]}..{target.fetched} -- {path}"
        "    shows who did it\n"
        "to take over the rest and keep yours, by a commit on top, made beside the vault:\n"
        f"{beside.pushed(vault, target, steps, f'put {layout.MARKER} back')}",
        problems,
    )


def _folders(vault: Vault, ours: Sequence[Change], theirs: Sequence[Change]) -> Stop | None:
    """Return the stop for what is a file on one side and a folder on the other."""
    here = {change.path for change in ours if change.status != "D"}
    there = {
        change.path
        for change in theirs
        if change.status != "D" and change.mode != _LINK_TO_REPOSITORY
    }
    gone = {change.path for change in theirs if change.status == "D"}
    pairs = {
        *(_Pair(path, True, True) for path in _above(here) & there),
        *(_Pair(path, False, True) for path in _above(there) & here),
    }
    known = {pair.path for pair in pairs}
    pairs.update(p for p in _on_disk(vault, there, gone) if p.path not in known)
    if not pairs:
        return None
    first, *others = sorted(pairs)
    is_ = "a folder here and a file" if first.is_folder_here else "a file here and a folder"
    more = f", and so are {len(others):,} more" if others else ""
    lines = [_renaming(vault, pair, there) for pair in (first, *others[: _SHOWN - 1])]
    return Stop(
        _CONFLICT,
        f"{first.path} is {is_} at the remote{more}; nothing was taken over",
        "\n".join([*lines, "doll sync"]),
        paths=tuple(pair.path for pair in (first, *others)[:_SHOWN]) if others else (),
    )


def _above(paths: Iterable[str]) -> set[str]:
    """Return the folders above all paths."""
    found = set[str]()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def _on_disk(vault: Vault, there: Collection[str], gone: Collection[str]) -> Iterator[_Pair]:
    """Yield what is in the way on disk, that git does not know and a merge does not take away."""
    top = vault.repository.top
    for folder in _above(there):
        if folder not in gone and os.path.lexists(top / folder) and not _is_folder(top / folder):
            yield _Pair(folder, False, False)
    for path in there:
        if _is_folder(top / path) and any(each not in gone for each in _files(vault, path)):
            yield _Pair(path, True, False)


def _is_folder(place: os.PathLike[str]) -> bool:
    return os.path.isdir(place) and not os.path.islink(place)  # noqa: PTH112, PTH114


def _files(vault: Vault, folder: str) -> Iterator[str]:
    top = vault.repository.top
    for place, _, names in os.walk(top / folder):
        inside = os.path.relpath(place, top)
        yield from (f"{inside}/{name}" for name in names)


def _renaming(vault: Vault, pair: _Pair, taken: Collection[str]) -> str:
    """Return the line that gives what is here a name that neither side has."""
    top = vault.repository.top
    new = _free(vault, pair, {*taken, *_above(taken)})
    inside = vault.in_vault(pair.path) or ""
    is_record = layout.is_record(inside) and inside.startswith(("confirmed/", "authority/"))
    if pair.is_known and not pair.is_folder_here and is_record:
        name = typed(layout.record_id(inside))
        return f"doll mv {name} {typed(layout.record_id(new))} --commit"
    if not pair.is_known:
        return f"mv -n -- {typed(str(top / pair.path))} {typed(str(top / new))}"
    git = f"git -C {typed(str(top))}"
    both = f"{typed(pair.path)} {typed(new)}"
    return f"{git} mv -- {both} && {git} commit -m 'make room for the remote' -- {both}"


def _free(vault: Vault, pair: _Pair, taken: Collection[str]) -> str:
    folder, slash, name = pair.path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not stem:
        stem, dot, ending = name, "", ""
    tail = "" if pair.is_folder_here else f"{dot}{ending}"
    number = 1
    while True:
        new = f"{folder}{slash}{stem}-mine{f'-{number}' if number > 1 else ''}{tail}"
        if new not in taken and not os.path.lexists(vault.repository.top / new):
            return new
        number += 1
