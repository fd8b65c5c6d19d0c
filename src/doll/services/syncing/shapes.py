"""What the remote makes of a folder that a vault needs, and links and repositories within it.

Nothing can be read or committed through them, so they are found before anything is taken over.
Reads only.
"""

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from doll.errors import ConflictError
from doll.records.model import FOLDERS
from doll.services import nested
from doll.services.opening import Vault
from doll.services.syncing.aside import aside
from doll.services.syncing.values import Stop, Target
from doll.services.syncing.wording import git, words
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing import Change
from doll.vcs.plumbing.history import changes, last_with

_FOUND, _CONFLICT = 1, 5
_SHORT = 12
_LISTED = 20
_LINK, _REPOSITORY = "120000", "160000"
_FOLDERS = (
    *(*layout.AREAS, layout.OWN, layout.CACHE, layout.USAGE, layout.JUDGED, layout.SCHEMAS),
    *(layout.PROPOSALS, *FOLDERS.values()),
)


class _Wrong(NamedTuple):
    """A path of the repository where a commit has what a vault cannot have."""

    path: str
    mode: str
    is_folder_needed: bool

    def said(self, at: str) -> str:
        """Return it in words; `at` says where it is so."""
        what = {_LINK: "a symbolic link", _REPOSITORY: "a repository of its own"}
        needs = "has to be a folder" if self.is_folder_needed else "a vault holds none"
        return f"{self.path} is {what.get(self.mode, 'a file')} {at}, and {needs}"


def refusal(
    vault: Vault, target: Target, base: str, ours: Sequence[Change], theirs: Sequence[Change]
) -> Stop | None:
    """Return why `theirs` is not taken over; both are changes since `base`. GitError if git fails.

    The paths are those of the repository. What was such before, or is here too, stops nothing.
    """
    here = {(change.path, change.mode, change.oid) for change in ours}
    new = (each for each in theirs if (each.path, each.mode, each.oid) not in here)
    wrong = _wrong(vault, new)
    return _stop(vault, target, base, wrong) if wrong else None


def found(vault: Vault, target: Target, base: str, tip: str) -> Stop | None:
    """Return the same for a remote that has `tip`, where `base` is what HEAD has of that."""
    ours = changes(vault.repository, base, vault.head, "") if base != vault.head else ()
    return refusal(vault, target, base, ours, changes(vault.repository, base, tip, ""))


def unpushed(vault: Vault, tip: str) -> Stop | None:
    """Return the stop for what HEAD brings to a remote at `tip` that nobody would take over."""
    wrong = _wrong(vault, changes(vault.repository, tip, vault.head, ""))
    if not wrong:
        return None
    return Stop(
        _FOUND,
        f"not pushed: {wrong[0].said('at HEAD')}; other machines would not take it over",
        "\n".join([*(_mended(vault, each) for each in wrong[:_LISTED]), "doll sync"]),
        paths=tuple(each.path for each in wrong[:_LISTED]) if wrong[1:] else (),
    )


def require_folders(vault: Vault) -> None:
    """Raise ConflictError where HEAD itself has something else for a folder of the vault.

    That is what a merge by hand took over.
    """
    areas = [vault.in_git(area) for area in layout.AREAS]
    items = plumbing.tree(vault.repository, vault.head, areas)
    wrong = [_Wrong(each.path, each.mode, True) for each in items if each.path in areas]
    if wrong:
        shown = f"{git(vault)} log --oneline -- {words([each.path for each in wrong])}"
        lines = [f"{shown}    shows who did it", *(_mended(vault, each) for each in wrong)]
        raise ConflictError(
            f"{wrong[0].said('at HEAD')}; nothing was changed",
            hint="\n".join([*lines, "doll sync"]),
        )


def _wrong(vault: Vault, found: Iterable[Change]) -> list[_Wrong]:
    """Return what changes bring that a vault cannot have, folders that are none first."""
    needed = _needed(vault)
    wrong = (
        _Wrong(each.path, each.mode, each.path in needed)
        for each in found
        if each.status != "D" and (each.path in needed or _is_foreign(vault, each))
    )
    return sorted(wrong, key=lambda each: (not each.is_folder_needed, each.path))


def _mended(vault: Vault, wrong: _Wrong) -> str:
    """Return the line that commits what is on disk for a folder, or else what was there before."""
    here, name = git(vault), typed(wrong.path)
    place = vault.repository.top / wrong.path
    is_repository, inside_vault = wrong.mode == _REPOSITORY, vault.in_vault(wrong.path)
    if is_repository and inside_vault and os.path.lexists(place / ".git"):
        return f"{nested.making_plain(vault, inside_vault, 'head')}    makes it plain files"
    commit = f"{here} commit -qm {typed(f'mend {wrong.path}')} -- "
    # Of a name alone git would commit the folder that stands there now as a repository.
    inside = typed(f"{wrong.path}/")
    if place.is_dir() and not place.is_symlink() and not is_repository:
        return f"{here} add --all -- {name} && {commit}{inside}"
    taking = f"{here} rm -q --ignore-unmatch -- {name}"
    before = had(vault, vault.head, wrong.path)
    if before is None:
        return f"{taking} && {commit}{name}"
    items = plumbing.tree(vault.repository, before, [wrong.path])
    is_folder = all(each.path != wrong.path for each in items)
    back = f"{here} checkout -q {before[:_SHORT]} -- {name}"
    end = f"{inside if is_folder else name}    brings back what was there"
    return f"{taking} && {back} && {commit}{end}"


def _needed(vault: Vault) -> frozenset[str]:
    """Return the folders of the vault, and those above it, as paths of the repository."""
    parts = vault.prefix.split("/")[:-1]
    above = ("/".join(parts[: number + 1]) for number in range(len(parts)))
    return frozenset((*above, *map(vault.in_git, _FOLDERS)))


def _is_foreign(vault: Vault, change: Change) -> bool:
    """Return whether a change brings a link or a repository into the vault's own folders."""
    if change.mode not in (_LINK, _REPOSITORY) or change.mode == change.old_mode:
        return False
    inside = vault.in_vault(change.path)
    # What comes of the marker is said of the settings.
    own = None if inside is None else layout.taken_for(inside) or inside
    return own is not None and layout.is_own(own) and own != layout.MARKER


def _stop(vault: Vault, target: Target, base: str, wrong: Sequence[_Wrong]) -> Stop:
    paths = [each.path for each in wrong]
    more = f", and so on for {len(paths) - 1:,} more" if paths[1:] else ""
    return Stop(
        _CONFLICT,
        f"what {target.name} has now is not taken over: {wrong[0].said('there')}{more}",
        f"{git(vault)} log --oneline {base[:_SHORT]}..{target.fetched} -- {words(paths[:1])}"
        "    shows who did it\n"
        "to have the remote as it was there, by a commit on top, made beside the vault:\n"
        f"{_mending(vault, target, base, paths)}",
        paths=tuple(paths[:_LISTED]) if paths[1:] else (),
    )


def _mending(vault: Vault, target: Target, base: str, paths: Sequence[str]) -> str:
    """Return the lines that put back at the remote what was at `paths` before.

    In a work tree of their own: they change no file and no branch here, and push without force.
    """
    beside = aside(vault, target.fetched)
    back = dict[str, list[str]]()
    for path in paths:
        if commit := had(vault, target.incoming, path, or_else=base):
            back.setdefault(commit[:_SHORT], []).append(path)
    steps = [
        f"{beside.git} rm -rfq -- {words(paths)}",
        *(f"{beside.git} checkout -q {commit} -- {words(named)}" for commit, named in back.items()),
    ]
    return beside.pushed(vault, target, steps, "put back what a vault needs")


def had(vault: Vault, tip: str, path: str, *, or_else: str | None = None) -> str | None:
    """Return the commit that had at a path what a vault can have, before what `tip` has there.

    `or_else` is another one to look at; None where neither had anything there.
    """
    commit = last_with(vault.repository, tip, path)
    before = plumbing.resolve(vault.repository, f"{commit}^") if commit is not None else None
    return next((known for known in (before, or_else) if known and _has(vault, known, path)), None)


def _has(vault: Vault, commit: str, path: str) -> bool:
    items = plumbing.tree(vault.repository, commit, [path])
    itself = next((each for each in items if each.path == path), None)
    if itself is None:
        return bool(items)
    return itself.mode not in (_LINK, _REPOSITORY) and path not in _needed(vault)
