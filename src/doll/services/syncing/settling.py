"""Whether a merge that waits was settled, and holds nothing else: before it is made, or dropped."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from doll.errors import ConflictError, errors_in
from doll.services.opening import Vault
from doll.services.staged_texts import Where, unstaging
from doll.services.syncing import room
from doll.services.syncing.made import Made, Version, made, sides
from doll.services.syncing.wording import git, listed, words
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing import Change, status
from doll.vcs.plumbing.attributes import mark_sizes
from doll.vcs.plumbing.hashing import hashed
from doll.vcs.plumbing.underway import merge_heads

_SHORT = 12
_MARKS = 7
_GO_ON = "doll sync --continue"
_GO_BACK = "doll sync --abort"


class _Merge(NamedTuple):
    """A merge that waits: what the index has otherwise than HEAD, and what git made of it."""

    theirs: str
    incoming: Mapping[str, Change]
    staged: Mapping[str, Change]
    made: Made

    @property
    def strays(self) -> tuple[str, ...]:
        """The paths that the index has neither as git made them nor as conflicts settled."""
        paths = sorted({*self.staged, *self.made.files} - self.made.open)
        return tuple(path for path in paths if self.now(path) != self.made.files.get(path))

    def now(self, path: str) -> Version | None:
        """Return what the index has, None where that is what HEAD has."""
        return Version.of(self.staged[path]) if path in self.staged else None

    def of_theirs(self, path: str) -> Version | None:
        """Return what the other side made of a file, None where it did not change it."""
        return Version.of(self.incoming[path]) if path in self.incoming else None


def require_settled(vault: Vault) -> None:
    """Raise ConflictError where the merge that waits cannot be committed.

    More is staged than the merge, a file still has marks of a conflict, or holds a secret, or an
    entry of experience was settled otherwise than the remote has it; or the work tree went back.
    """
    merge = _waiting(vault)
    _require_no_strays(vault, merge)
    _require_taken_over(vault, merge)
    settled = [
        change
        for path, change in merge.staged.items()
        if path not in merge.incoming or merge.incoming[path].oid != change.oid
    ]
    _require_no_secrets(vault, settled)
    _require_settings(vault, settled)
    _require_kept(vault, merge)
    opened = [c for c in merge.staged.values() if c.path in merge.made.open]
    _require_unmarked(vault, [c for c in opened if c.mode.startswith("100")])


def require_droppable(vault: Vault) -> tuple[str, ...]:
    """Raise ConflictError where going back to before the merge that waits would lose a text.

    That is what is staged, or stands on disk where git would put a file back, and no part of the
    merge. How the conflicts were settled is dropped. Return the files that are as HEAD has them
    already, as where going back was cut off.
    """
    room.require_nothing_promised(vault, "goes back", f"nothing was changed\n{_GO_BACK}")
    merge = _waiting(vault)
    own = {path for path in merge.strays if path in merge.staged}
    own.update(p for p in merge.made.mixed if merge.now(p) not in (None, merge.of_theirs(p)))
    edited, in_way = _on_disk(vault, merge, own)
    back = _as_before(vault, merge, {*edited, *(p for p, place in in_way.items() if p == place)})
    lost = sorted({*own, *edited, *in_way} - back)
    if lost:
        named = [in_way.get(path, path) for path in lost]
        lines = _unstaging(vault, lost, "leaves it in the work tree")
        raise ConflictError(
            f"{listed(named)}: {'staged' if own else 'changed'}, and no part of the merge, so "
            "going back would drop it; nothing was changed",
            hint="\n".join([*lines, _GO_BACK]),
        )
    return tuple(sorted(back))


def _on_disk(vault: Vault, merge: _Merge, own: Collection[str]) -> tuple[set[str], dict[str, str]]:
    """Return what differs on disk of the files that git would put back, but those in `own`.

    First those that the index has, then what stands in place of others, by the path of each.
    """
    given_back = [p for p in merge.staged if p not in own and p not in merge.made.open]
    on_disk = status.differences(vault.repository, given_back) if given_back else ()
    edited = {each.path for each in on_disk if each.unstaged in "MT" and each.path in given_back}
    gone = [c.path for c in merge.staged.values() if c.status == "D" and c.path not in own]
    return edited, room.in_way(vault, gone)


def _as_before(vault: Vault, merge: _Merge, paths: Iterable[str]) -> set[str]:
    now = hashed(vault.repository, paths)
    return {path for path, oid in now.items() if oid == merge.staged[path].old_oid}


def _waiting(vault: Vault) -> _Merge:
    theirs = merge_heads(vault.repository)[0]
    ours, incoming = sides(vault, theirs)
    staged = {change.path: change for change in plumbing.staged(vault.repository, vault.head)}
    return _Merge(theirs, incoming, staged, made(vault, theirs, ours, incoming))


def _require_no_strays(vault: Vault, merge: _Merge) -> None:
    added = [path for path in merge.strays if merge.now(path) is not None]
    # By hand, somebody may have merged and kept this side of a file.
    taken = [p for p in merge.strays if merge.now(p) is None] if merge.made.noted else []
    if not added and not taken:
        return
    parts = [f"{listed(added)}: staged, and no part of the merge"] if added else []
    if taken:
        what = "the merge changes it, and that was taken out of the index"
        parts.append(f"{listed(taken)}: {what}")
    message = "; ".join([*parts, "nothing was committed"])
    plain = [path for path in added if path not in merge.made.files]
    lines = _unstaging(vault, plain) if plain else []
    lines += [_putting_back(vault, path, v) for path, v in _wanted(merge, (*added, *taken))]
    raise ConflictError(message, hint="\n".join([*lines, _GO_ON]))


def _unstaging(vault: Vault, paths: Sequence[str], does: str = "") -> list[str]:
    where = Where(vault.repository, vault.repository.top, vault.head)
    return unstaging(where, paths, f"-- {words(paths)}", does)


def _wanted(merge: _Merge, paths: Sequence[str]) -> list[tuple[str, Version]]:
    return [(path, merge.made.files[path]) for path in paths if path in merge.made.files]


def _putting_back(vault: Vault, path: str, wanted: Version) -> str:
    """Return the line that has the index hold what git made of a file, and leaves the disk."""
    if wanted.is_gone:
        return f"{git(vault)} rm -q --cached -- {typed(path)}"
    return f"{git(vault)} update-index --add --cacheinfo {wanted.mode},{wanted.oid},{typed(path)}"


def _require_taken_over(vault: Vault, merge: _Merge) -> None:
    """Raise ConflictError where going back was cut off: the next commit would undo the merge."""
    edited, in_way = _on_disk(vault, merge, ())
    back = sorted(_as_before(vault, merge, {*edited, *in_way} - merge.made.open))
    if not back:
        return
    known = [path for path in back if path in edited]
    places = [str(vault.repository.top / path) for path in back if path not in edited]
    lines = [f"{git(vault)} checkout-index -f -- {words(known)}"] if known else []
    lines += [f"rm -- {words(places)}"] if places else []
    raise ConflictError(
        f"{listed(back)}: on disk as before the merge, as where going back was cut off; nothing "
        "was committed",
        hint="\n".join([f"{_GO_BACK}    goes back, or, to take over what came:", *lines, _GO_ON]),
    )


def _require_no_secrets(vault: Vault, settled: Sequence[Change]) -> None:
    # Not at the top: a sync that has nothing to do needs none of it.
    from doll.services.syncing import leaking

    if problems := leaking.secrets_of_merge(vault, settled):
        raise ConflictError(
            "what looks like a secret is in what was settled, and it would stay in the history",
            hint=f"mend the files, then {git(vault)} add -- FILE …\n{_GO_ON}",
            problems=tuple(problems),
        )


def _require_settings(vault: Vault, settled: Sequence[Change]) -> None:
    """Raise ConflictError where `doll.yaml` was settled into what cannot be read."""
    for change in settled:
        if vault.in_vault(change.path) == layout.MARKER and change.mode.startswith("100"):
            data = plumbing.blobs(vault.repository, [change.oid])[change.oid]
            if problems := errors_in(vault.parse_settings(data)[1]):
                raise ConflictError(
                    f"{layout.MARKER} has problems as it was settled",
                    hint=f"mend it, then {git(vault)} add -- {typed(change.path)}\n{_GO_ON}",
                    problems=problems,
                )


def _require_kept(vault: Vault, merge: _Merge) -> None:
    """Raise ConflictError where an entry of experience is not settled as the remote has it.

    It would be changed, and not pushed for that. One that the remote gave up stays as it is here.
    """
    for path in sorted(merge.made.open.intersection(merge.incoming)):
        theirs = merge.of_theirs(path)
        is_given_up = theirs is None or theirs.is_gone
        if not layout.is_kept(vault.in_vault(path) or "") or (
            merge.now(path) == (None if is_given_up else theirs)
        ):
            continue
        side = "HEAD" if is_given_up else merge.theirs[:_SHORT]
        raise ConflictError(
            f"{path}: an entry of experience that {'you have' if is_given_up else 'the remote has'}"
            " is kept as it is; nothing was committed",
            hint=f"{git(vault)} checkout {side} -- {typed(path)}    takes it\n"
            f"{_GO_ON}    then doll redact, for what else has to go",
        )


def _require_unmarked(vault: Vault, opened: Sequence[Change]) -> None:
    sizes = mark_sizes(vault.repository, [change.path for change in opened])
    blobs = plumbing.blobs(vault.repository, [change.oid for change in opened])
    marked = [c.path for c in opened if _is_marked(blobs[c.oid], {_MARKS, sizes[c.path]})]
    if marked:
        raise ConflictError(
            f"{listed(marked)}: the marks of the conflict are still in it",
            hint=f"keep what is right, then {git(vault)} add -- {words(marked)}\n{_GO_ON}",
        )


def _is_marked(data: bytes, sizes: set[int]) -> bool:
    """Return whether a text holds both marks of a conflict at the beginning of lines."""
    text = b"\n" + data
    marks = ((b"\n" + sign * size + b" " for sign in (b"<", b">")) for size in sizes)
    return any(all(mark in text for mark in both) for both in marks)
