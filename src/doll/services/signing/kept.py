"""What is not as signed at a commit, for one part of the vault, kept in the sealed cache.

A new commit on top of a known one is all that is looked at; the answer is that of the whole
history, with the cache and without it: where history was left out of the clone, nothing is kept.
"""

from collections.abc import Mapping, Sequence

import msgspec

from doll.services.opening import Vault
from doll.services.signing.grading import Grader
from doll.services.signing.standing import Apart, Touch, Version, apart_in, walk
from doll.vcs import plumbing
from doll.vcs.plumbing.history import cut_off, history, is_ancestor

# Raise it when a rule of `standing` changes.
_RULES = 1
_KEPT = 4


class Standing(msgspec.Struct, frozen=True, array_like=True):
    """What is not as it counts at a commit, by path of the repository.

    Every other path of the part counts as it is there. `hidden`: the history is cut off where it
    would have to say what counts.
    """

    commit: str
    apart: dict[str, Apart]
    hidden: bool = False

    def counting(self, items: Sequence[plumbing.TreeEntry]) -> list[plumbing.TreeEntry]:
        """Return the files that count, given those of the commit; a path may have several."""
        found = [item for item in items if item.path not in self.apart]
        for path, apart in self.apart.items():
            found += [plumbing.TreeEntry(path, mode, oid) for mode, oid in apart.versions if oid]
        return sorted(found)


class _Shelf(msgspec.Struct, frozen=True, array_like=True):
    rules: int
    kept: tuple[Standing, ...]


def standing(vault: Vault, grader: Grader, commit: str, part: str) -> Standing:
    """Return what is not as signed below `part` of the vault, a folder or a file, at a commit.

    GitError when git fails, also for history that is not here.
    """
    name = f"signed/{part}"
    is_whole = plumbing.is_whole(vault.repository)
    shelf = grader.load(name, _Shelf) if is_whole else None
    kept = shelf.kept if shelf is not None and shelf.rules == _RULES else ()
    found = next((each for each in kept if each.commit == commit), None)
    if found is None:
        path = vault.in_git(part)
        found = _on_top(vault, grader, commit, path, kept[0] if kept else None)
        found = found or _whole(vault, grader, commit, path)
        if is_whole:
            grader.store(name, _Shelf(_RULES, (found, *kept[: _KEPT - 1])))
    return found


def _whole(vault: Vault, grader: Grader, commit: str, path: str) -> Standing:
    touches = _touches(vault, commit, (), path)
    cut = cut_off(vault.repository)
    walked = walk(touches, _known(grader, touches), grader.of, cut)
    return Standing(commit, apart_in(_tree(vault, commit, path), walked), bool(walked.hidden))


def _on_top(
    vault: Vault, grader: Grader, commit: str, path: str, base: Standing | None
) -> Standing | None:
    """Return the standing by what came after `base`; None where that is not all on top of it."""
    if base is None or not is_ancestor(vault.repository, base.commit, commit):
        return None
    touches = _touches(vault, commit, (base.commit,), path)
    mine = {base.commit, *(touch.commit for touch in touches)}
    if not all(touch.parents and mine.issuperset(touch.parents) for touch in touches):
        return None
    walked = walk(touches, _known(grader, touches), grader.of, frozenset())
    tree = _tree(vault, commit, path)
    changed = walked.signed or walked.unsigned
    before = _tree(vault, base.commit, path) if changed else tree
    return Standing(commit, apart_in(tree, walked, before, base.apart))


def _known(grader: Grader, touches: Sequence[Touch]) -> dict[str, str]:
    return grader.unsigned(touch.commit for touch in touches if touch.versions)


def _touches(vault: Vault, commit: str, known: Sequence[str], path: str) -> list[Touch]:
    """Return the commits of a history, children before parents."""
    steps = history(vault.repository, (commit,), known, path)
    return [Touch.of(step) for step in steps][::-1]


def _tree(vault: Vault, commit: str, path: str) -> Mapping[str, Version]:
    items = plumbing.tree(vault.repository, commit, [path])
    return {item.path: (item.mode, item.oid) for item in items}
