"""Paths of the vault that are one and the same on some file systems: case, composition of letters.

A clone there gets one of them, and git shows the other as changed or removed for ever.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence

from doll.errors import Problem
from doll.records.model import FOLDERS
from doll.records.names import fold
from doll.services.checking.alike_names import on_disk_alike
from doll.services.diagnosing.subject import Subject
from doll.vault import layout
from doll.vault.typed import moving, typed
from doll.vcs.plumbing.history import added_last

_SHOWN = 20
_FOLDERS = frozenset(FOLDERS.values())


def clashes(subject: Subject) -> Iterator[Problem]:
    """Yield each group of paths that clash, and each name that is taken for one of the vault."""
    tracked = set(subject.tracked)
    disk = {found.path for found in subject.on_disk.files}
    groups = _groups({*tracked, *disk})
    for number, group in enumerate(groups):
        if number == _SHOWN:
            message = f"+{len(groups) - _SHOWN:,} more clashes of this kind"
            yield Problem("", 0, 0, "path.clash", message, "warning", "# mend these, look again")
            return
        yield _spelled(subject, group, tracked) or _clash(subject, group)
    committed = {path for path in tracked if layout.is_kept(path)}
    yield from on_disk_alike(subject.vault, committed)


def _groups(paths: set[str]) -> list[tuple[str, ...]]:
    """Return the paths that differ in case or composition alone, at the first part that does.

    Two folders that clash are one group, however many files lie in them.
    """
    spellings = defaultdict[str, set[str]](set)
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            above, name = "/".join(parts[: end - 1]), parts[end - 1]
            spellings[f"{above}/{fold(name)}"].add("/".join(parts[:end]))
    return sorted(tuple(sorted(group)) for group in spellings.values() if len(group) > 1)


def _spelled(subject: Subject, group: Sequence[str], tracked: set[str]) -> Problem | None:
    """Return the finding where git and the disk have one file under two spellings, else None.

    So it is where a file system composes letters its own way, or tells no case apart.
    """
    apart = [path for path in group if path not in tracked]
    if len(group) != 2 or len(apart) != 1:
        return None
    known = next(path for path in group if path in tracked)
    if not _is_one_file(subject, known, apart[0]):
        return None
    if known.casefold() == apart[0].casefold():
        message = f"on disk this is {apart[0]}, in other case: elsewhere its name is this one"
        hint = subject.line("mv", known, apart[0])
    else:
        message = "on disk this name is in other bytes than in git, which takes it for new"
        hint = subject.line("config core.precomposeUnicode true")
    return Problem(known, 0, 0, "path.clash", message, "warning", hint)


def _is_one_file(subject: Subject, one: str, other: str) -> bool:
    try:
        return (subject.vault.root / one).samefile(subject.vault.root / other)
    except OSError:
        return False


def _clash(subject: Subject, group: Sequence[str]) -> Problem:
    others = ", ".join(typed(path) for path in group[1:])
    message = f"on some file systems this is the same as {others}: a clone there loses one"
    hint = _mending(subject, group)
    return Problem(group[0], 0, 0, "path.clash", message, "warning", hint)


def _mending(subject: Subject, group: Sequence[str]) -> str:
    """Return the line that parts two paths: a new name, or in some places one folder for both."""
    own = next((path for path in group if path in _FOLDERS), None)
    if own is not None:
        other = next(path for path in group if path != own)
        return _into(subject, other, own) or _renaming(subject, other)
    if not group[0].startswith("experience/"):
        return _renaming_the_newest(subject, group)
    fresh = [path for path in group if not _is_tracked(subject, path)]
    if not fresh:
        return "# committed experience keeps its names: check it out where names are told apart"
    path = fresh[0]
    if path.endswith(".md"):
        return _renaming(subject, path)
    kept = next(other for other in group if other != path)
    if line := _into(subject, path, kept):
        return f"{line}    if {typed(kept)} is the project's name"
    return f"# move what is in {path} into {kept}, each file under a name that is free there"


def _renaming_the_newest(subject: Subject, group: Sequence[str]) -> str:
    """Return the line that renames the path that came last: references meant the other before.

    No alias is left, as `doll mv` would: the two ids are one in any case of letters.
    """
    fresh = [path for path in group if not _is_in(path, subject.committed)]
    path = fresh[-1] if fresh else group[-1]
    if not fresh and subject.vault.head:
        places = {subject.vault.in_git(each): each for each in group}
        last = added_last(subject.vault.repository, subject.vault.head, list(places))
        path = places.get(last or "", path)
    line = _renaming(subject, path)
    if not path.endswith(".md"):
        return line
    kept = next(each for each in group if each != path)
    return f"{line}    leaves the name to {typed(kept)}, also in references"


def _into(subject: Subject, path: str, kept: str) -> str:
    """Return the line that moves all of a folder into another one, "" where names are taken."""
    root = subject.vault.root
    try:
        names, taken = sorted(os.listdir(root / path)), os.listdir(root / kept)  # noqa: PTH208
    except OSError:
        return ""
    if not names or not set(names).isdisjoint(taken):
        return ""
    if not _is_tracked(subject, path):
        words = " ".join(typed(str(root / path / name)) for name in names)
        folder, other = typed(str(root / path)), typed(str(root / kept))
        return f"mv -n -- {words} {other}/ && rmdir -- {folder}"
    if not all(_is_tracked(subject, f"{path}/{name}") for name in names):
        return ""
    words = " ".join(typed(f"{path}/{name}") for name in names)
    return f"{subject.git} mv -- {words} {typed(kept)}/"


def _is_tracked(subject: Subject, path: str) -> bool:
    """Return whether git has a file, or anything in a folder."""
    return _is_in(path, subject.tracked)


def _is_in(path: str, paths: Sequence[str]) -> bool:
    return any(p == path or p.startswith(f"{path}/") for p in paths)


def _renaming(subject: Subject, path: str) -> str:
    """Return the line that gives a file or folder a name of its own."""
    stem, dot, ending = path.rpartition(".") if path.endswith(".md") else (path, "", "")
    taken = {*subject.tracked, *(found.path for found in subject.on_disk.files)}
    ids = _ids(subject) if dot else frozenset()
    number = 2
    while any(fold(p).startswith(fold(f"{stem}-{number}{dot}{ending}")) for p in taken) or (
        fold(f"{layout.record_id(path)}-{number}") in ids
    ):
        number += 1
    new = f"{stem}-{number}{dot}{ending}"
    if _is_tracked(subject, path):
        return f"{subject.git} mv -- {typed(path)} {typed(new)}"
    root = subject.vault.root
    return moving(str(root / path), str(root / new))


def _ids(subject: Subject) -> frozenset[str]:
    """Return the ids and aliases that are taken, folded."""
    records = (e.record for e in subject.vault.load(layout.LOCAL_AREAS).entries)
    return frozenset(
        fold(name) for r in records if r is not None for name in (r.id, *r.fields.aliases)
    )
