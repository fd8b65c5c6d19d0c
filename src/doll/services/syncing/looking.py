"""What differs from HEAD in the vault, and whose it is to commit: a sync's, the user's, nobody's.

Goes by paths and by what `git status` says; what stands in the files is for `choosing`.
"""

import errno
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConflictError, Problem
from doll.reconcile.watching import is_passing
from doll.services import nested, unseen
from doll.services.opening import Vault
from doll.services.pending import Difference
from doll.services.restoring import bringing_back
from doll.services.syncing import shapes, staged_alone, unlooked
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs.plumbing import status

AREAS = ("confirmed", "experience", "staging")
# All of the vault's that a sync may have to name.
_OWN = (*layout.AREAS, layout.MARKER, layout.ATTRIBUTES, layout.IGNORE)
_DOLL = (layout.JUDGED, layout.SCHEMAS)
_KEPT_NAMES = ("README.md", ".gitkeep")


class Look(NamedTuple):
    """Paths of the vault that differ from HEAD: `wanted` may be committed, the rest may not.

    As in `Plan`; `held` are problems of paths that no commit can take.
    """

    wanted: tuple[str, ...]
    held: tuple[Problem, ...]
    theirs: tuple[Difference, ...]
    aside: tuple[str, ...]


def require_own_folders(vault: Vault) -> None:
    """Raise ConflictError where one of the vault's folders is a symbolic link, or a file of HEAD's.

    Asks git only then.
    """
    others = [area for area in layout.AREAS if _is_no_folder(vault.root / area)]
    if others:
        shapes.require_folders(vault)
    links = [area for area in others if (vault.root / area).is_symlink()]
    if links:
        is_ = "is a symbolic link" if len(links) == 1 else "are symbolic links"
        raise ConflictError(
            f"{', '.join(links)} {is_}; doll commits nothing through links; nothing was changed",
            hint=f"{_unlinking(vault, links)}, then doll sync",
        )


def _is_no_folder(place: Path) -> bool:
    return place.is_symlink() or place.is_file()


def look(vault: Vault) -> Look:
    """Look at the work tree and the index; one process.

    ConflictError where HEAD has something else for a folder of the vault.
    """
    wanted, held, theirs, aside = [], [*unlooked.problems(vault)], list[Difference](), list[str]()
    all_ = dict[str, status.Difference]()
    places = [vault.in_git(name) for name in (*_OWN, *_DOLL)]
    for found in status.differences(vault.repository, places, ignored=True):
        path = vault.in_vault(found.path)
        if path is None:
            continue
        if found.is_ignored:
            if layout.is_record(path):
                held.append(unseen.ignored(f"git -C {typed(str(vault.root))}", [path], "error"))
            continue
        if path in layout.AREAS:
            shapes.require_folders(vault)
        if path.partition("/")[0] not in AREAS or "/" not in path:
            theirs.append(Difference(path.rstrip("/"), _what(vault, found)))
        elif path.endswith("/") or found.is_submodule:
            known: nested.Known = "index" if found.staged == "A" else "head"
            known = known if found.is_submodule else "disk"
            held.append(nested.repository_within(vault, path.rstrip("/"), known))
        elif found.is_untracked and not _is_wanted(path):
            if not is_passing(path.rpartition("/")[2]):
                aside.append(path)
        elif problem := _link(vault, path) or _unreadable(vault, path):
            held.append(problem)
        else:
            wanted.append(path)
            all_[path] = found
    alone = staged_alone.problems(vault, all_)
    halves = [*alone, *_halves(vault, all_, {each.path for each in alone})]
    held += halves
    wanted = [path for path in wanted if path not in {half.path for half in halves}]
    links = sorted({link for path in wanted if (link := _link_above(vault, path))})
    held = [problem for problem in held if problem.path not in links]
    held += [_in_place_of_folder(vault, link) for link in links]
    wanted = [path for path in wanted if not any(_is_at(path, link) for link in links)]
    blocked = [path for path in wanted if (vault.root / path).is_dir()]
    for path in blocked:
        held += [_in_place_of(each, path) for each in wanted if _is_at(each, path)]
    wanted = [path for path in wanted if not any(_is_at(path, each) for each in blocked)]
    return Look(
        tuple(dict.fromkeys(wanted)), tuple(held), tuple(dict.fromkeys(theirs)), tuple(aside)
    )


def _halves(
    vault: Vault, all_: Mapping[str, status.Difference], alone: Collection[str]
) -> list[Problem]:
    """Return the problems of files that are staged as new and gone, and of where they were before.

    A commit of the rest would keep a text in neither place: a move of which one half is missing.
    So it is for what is in `alone`, the paths that are held back for what is staged.
    """
    gone = {path: each for path, each in all_.items() if (each.staged, each.unstaged) == ("A", "D")}
    problems = []
    for path in gone:
        git = f"git -C {typed(str(vault.root))}"
        hint = f"{git} checkout-index -u -- {typed(path)}    brings it back, or, to give it up:\n"
        hint += f"{git} restore --staged -- {typed(path)}"
        message = "it is staged as new, and gone from disk"
        problems.append(Problem(path, 0, 0, "sync.needs", message, hint=hint))
    out = {**gone, **{path: all_[path] for path in alone if all_[path].staged == "A"}}
    for path, each in out.items():
        how = "is staged and gone from disk" if path in gone else "is held back"
        for other, left in all_.items():
            is_left = "D" in (left.staged, left.unstaged) and other not in out
            if is_left and (left.old_oid == each.oid or _name(other) == _name(path)):
                message = f"it was moved to {path}, which {how}"
                problems.append(Problem(other, 0, 0, "sync.needs", message, hint=""))
    return problems


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_at(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _is_wanted(path: str) -> bool:
    """Return whether a file that git does not know is one of the vault's.

    What is committed below experience/ stays there for ever, so nothing but records goes there.
    """
    name = path.rpartition("/")[2]
    if layout.is_record(path) or name in _KEPT_NAMES:
        return True
    return not path.startswith("experience/") and not is_passing(name)


def _what(vault: Vault, found: status.Difference) -> str:
    if found.is_untracked or found.staged == "A":
        return "new"
    return "changed" if os.path.lexists(vault.repository.top / found.path) else "removed"


def _unreadable(vault: Vault, path: str) -> Problem | None:
    """Return why a file cannot be read, None where it can be, or is gone, or is no file."""
    place = vault.root / path
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            return None
        message = f"the file cannot be read: {error.strerror}"
        return Problem(path, 0, 0, "file.unreadable", message, hint="check its permissions")
    os.close(descriptor)
    return None


def _link(vault: Vault, path: str) -> Problem | None:
    """Return the problem of a symbolic link that is new or leads elsewhere now."""
    if not (vault.root / path).is_symlink() or _link_above(vault, path):
        return None
    message = "this is a symbolic link; records are not read through links"
    return Problem(path, 0, 0, "file.symlink", message, hint=_unlinking(vault, [path]))


def _link_above(vault: Vault, path: str) -> str:
    """Return the topmost folder above a path that is a symbolic link, "" where none is."""
    parts = path.split("/")[:-1]
    folders = ("/".join(parts[:length]) for length in range(1, len(parts) + 1))
    return next((folder for folder in folders if (vault.root / folder).is_symlink()), "")


def _in_place_of_folder(vault: Vault, link: str) -> Problem:
    """Return the problem of a link that stands where HEAD has a folder."""
    message = (
        "this is a symbolic link, and HEAD has files below; nothing is committed through links"
    )
    back = bringing_back(f"git -C {typed(str(vault.root))}", [link])
    hint = f"{_unlinking(vault, [link])}\n{back}    brings back what HEAD has"
    return Problem(link, 0, 0, "file.symlink", message, hint=hint)


def _unlinking(vault: Vault, links: Sequence[str]) -> str:
    listed = " ".join(typed(str(vault.root / link)) for link in links)
    return f"rm -- {listed}    takes the link away; then put what it leads to there"


def _in_place_of(path: str, folder: str) -> Problem:
    """Return the problem of a folder that stands where HEAD has a file, and of what is in it."""
    message = f"{folder} is a file at HEAD and a folder now, and a sync commits files one by one"
    # Of the name alone git would make a repository.
    hint = f"git add --all -- {typed(folder)} && git commit -- {typed(f'{folder}/')}"
    return Problem(path, 0, 0, "sync.needs", message, hint=hint)
