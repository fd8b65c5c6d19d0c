"""Installing and removing doll's blocks in a repository's git hooks.

Only the block is doll's: see `doll.services.hooks.block` for its text, `pins` for what is written
into git's configuration, `plans` for which hooks may be edited. A hook that may not is left alone,
and it is said what the user can add.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from doll.errors import BusyError, ConflictError, DollError, UsageError
from doll.services.hooks import block as hook_block
from doll.services.hooks import file as hook_file
from doll.services.hooks import pins as hook_pins
from doll.services.hooks.by_hand import is_called
from doll.services.hooks.places import places
from doll.services.hooks.plans import (
    Edit,
    Plan,
    cannot_edit,
    has_block,
    plan,
    read_quietly,
    refusal,
)
from doll.vault.lock import PATIENCE, writing
from doll.vcs import plumbing


class Hook(NamedTuple):
    """What `install` did with one hook: its file, the edit, what to know.

    A hook that is `left` alone has the reason, and what to do `by_hand`.
    """

    kind: str
    path: Path
    edit: Edit
    notes: tuple[str, ...] = ()
    reason: str = ""
    by_hand: str = ""


class Installed(NamedTuple):
    """What `install` did: the hooks, the settings written, what else to know."""

    hooks: tuple[Hook, ...]
    settings: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Uninstalled(NamedTuple):
    """What `uninstall` took out: files that lost the block, files that went, settings."""

    kinds: tuple[str, ...]
    edited: tuple[Path, ...]
    removed: tuple[Path, ...]
    settings: tuple[str, ...]
    notes: tuple[str, ...]


def install(
    repository: plumbing.Repository,
    vault_root: Path,
    vault_id: str,
    project: str | None,
    python: str,
    kinds: Sequence[str] = hook_block.LOCAL,
) -> Installed:
    """Put doll's block into hooks of `repository` and pin the vault; again changes nothing.

    `python` is the absolute path of the interpreter that runs doll. A hook that is not doll's to
    edit is left alone. Raises ConflictError when all are, or a setting is, with the lines to type,
    and BusyError while another doll is at it; nothing is changed then.
    """
    values = hook_pins.wanted(repository, vault_root, vault_id, project, python)
    return install_pinned(repository, values, kinds)


def install_pinned(
    repository: plumbing.Repository, values: Mapping[str, str], kinds: Sequence[str]
) -> Installed:
    """Put doll's block into hooks and pin these values, as `install` does."""
    _check_kinds(kinds)
    with _alone(repository):
        return _install(repository, values, kinds)


def _install(
    repository: plumbing.Repository, values: Mapping[str, str], kinds: Sequence[str]
) -> Installed:
    plans = [plan(repository, kind) for kind in kinds]
    if all(each.edit == "left" for each in plans):
        raise refusal(plans, values)
    earlier = hook_pins.read_own(repository)
    chosen = _chosen(repository, kinds)
    named = {"hooks": chosen} if chosen else {}
    missing: dict[str, str | None] = {**hook_pins.to_write(repository, {**values, **named})}
    if not chosen and "hooks" in earlier:
        missing["hooks"] = None
    done: list[Plan] = []
    try:
        hook_pins.pin(repository, missing)
        for each in plans:
            _write(each)
            done.append(each)
    except DollError:
        with suppress(DollError):
            for each in reversed(done):
                _undo(each)
            hook_pins.pin(repository, {name: earlier.get(name) for name in missing})
        raise
    settings = tuple(f"doll.{name}" for name, value in missing.items() if value is not None)
    return Installed(tuple(map(_told, plans)), settings)


def _told(each: Plan) -> Hook:
    return Hook(each.kind, each.path, each.edit, each.notes, each.reason, each.by_hand)


def _chosen(repository: plumbing.Repository, kinds: Sequence[str]) -> str:
    """Return the kinds of hooks that the user wants, as a setting; "" for all of them."""
    wanted = {*kinds, *installed_kinds(repository)} & set(hook_block.LOCAL)
    return "" if wanted == set(hook_block.LOCAL) else _in_order(wanted)


def _in_order(kinds: set[str]) -> str:
    return " ".join(kind for kind in hook_block.LOCAL if kind in kinds)


def installed_kinds(repository: plumbing.Repository) -> tuple[str, ...]:
    """Return the kinds of hooks that have doll's block, wherever `install` can have put it."""
    return tuple(
        kind
        for kind in hook_block.LOCAL
        if any(has_block(read_quietly(path) or b"", kind) for path in places(repository, kind).all)
    )


def _write(each: Plan) -> None:
    if each.edit == "created":
        hook_file.create(each.path, each.after)
    elif each.edit in ("added", "updated"):
        assert each.before is not None
        hook_file.replace(each.path, each.after, each.before)


def _undo(each: Plan) -> None:
    if each.edit == "created":
        hook_file.remove(each.path, each.after)
    elif each.edit in ("added", "updated"):
        assert each.before is not None
        hook_file.replace(each.path, each.before, each.after)


def uninstall(
    repository: plumbing.Repository, kinds: Sequence[str] = hook_block.LOCAL
) -> Uninstalled:
    """Take out doll's block wherever `install` can have put it; with the last one its settings.

    A file that `install` made goes when nothing else is left in it. ConflictError when a hook
    with the block cannot be edited, BusyError while another doll is at it; nothing is changed then.
    """
    _check_kinds(kinds)
    with _alone(repository):
        return _uninstall(repository, kinds)


def _uninstall(repository: plumbing.Repository, kinds: Sequence[str]) -> Uninstalled:
    found = [(path, kind) for kind in kinds for path in places(repository, kind).all]
    before = {
        (path, kind): data
        for path, kind in found
        if (data := _with_block(repository, path, kind)) is not None
    }
    after = {key: hook_block.remove(data, key[1]) for key, data in before.items()}
    for key, left in after.items():
        if left is None:
            hook_file.remove(key[0], before[key])
        else:
            hook_file.replace(key[0], left, before[key])
    edited = tuple(path for (path, _), left in after.items() if left is not None)
    removed = tuple(path for (path, _), left in after.items() if left is None)
    settings, notes = _unpinned(repository), _left_by_hand(repository, kinds)
    return Uninstalled(tuple(kinds), edited, removed, settings, notes)


def _unpinned(repository: plumbing.Repository) -> tuple[str, ...]:
    """Take out the settings, unless a block is left that needs them."""
    rest = installed_kinds(repository)
    if not rest:
        return hook_pins.unpin(repository)
    hook_pins.pin(repository, {"hooks": _in_order(set(rest))})
    return ()


@contextmanager
def _alone(repository: plumbing.Repository) -> Iterator[None]:
    """Keep other doll processes from hooks and settings, which linked work trees share."""
    try:
        with writing(repository.common_dir / "doll", PATIENCE):
            yield
    except BusyError as error:
        raise BusyError(
            "another doll process is changing the hooks of this repository; nothing was changed",
            hint=error.hint,
        ) from error


def _with_block(repository: plumbing.Repository, hook: Path, kind: str) -> bytes | None:
    """Return the bytes of a hook with doll's block, None for another one."""
    data = read_quietly(hook)
    if data is None or not has_block(data, kind):
        return None
    if fault := cannot_edit(repository, hook, data, kind):
        raise ConflictError(
            f"{fault}; nothing was changed", hint=f"take doll's lines out of {hook} by hand"
        )
    return data


def _check_kinds(kinds: Sequence[str]) -> None:
    for kind in kinds:
        if kind not in hook_block.KINDS:
            known = ", ".join(hook_block.LOCAL)
            raise UsageError(f"doll has no {kind!r} hook", hint=f"known hooks: {known}")


def _left_by_hand(repository: plumbing.Repository, kinds: Sequence[str]) -> tuple[str, ...]:
    left = []
    for kind in kinds:
        hook = places(repository, kind).hook
        data = read_quietly(hook.resolve())
        if data is not None and is_called(data, kind):
            left.append(f"{hook} still calls `doll hooks run {kind}`: that is yours to remove")
    return tuple(left)
