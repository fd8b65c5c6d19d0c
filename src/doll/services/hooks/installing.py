"""Installing, removing and describing doll's block in a repository's git hooks.

Only the block is doll's: see `doll.services.hooks.block` for its text, `hook_pins` for what is
written into git's configuration. A hook that cannot be edited safely is left alone, and the
error says which line the user can add.
"""

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, NamedTuple

from doll.errors import BusyError, ConflictError, DollError, UsageError
from doll.services.hooks import block as hook_block
from doll.services.hooks import file as hook_file
from doll.services.hooks import pins as hook_pins
from doll.services.hooks.places import Places, is_inside, is_tracked, manager_of, places
from doll.vault.lock import PATIENCE, writing
from doll.vcs import plumbing

Edit = Literal["created", "added", "updated", "unchanged"]


class Installed(NamedTuple):
    """What `install` did: the hook's file, the edit, the settings written, what to know."""

    kind: str
    path: Path
    edit: Edit
    settings: tuple[str, ...]
    notes: tuple[str, ...]


class Uninstalled(NamedTuple):
    """What `uninstall` took out: files that lost the block, files that went, settings."""

    kind: str
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
    kind: str = "pre-commit",
) -> Installed:
    """Put doll's block into the hook of `repository` and pin the vault; again changes nothing.

    `python` is the absolute path of the interpreter that runs doll. Raises ConflictError when the
    hook or a setting is not doll's to edit, with the lines to type, and BusyError while another
    doll is at it; nothing is changed then.
    """
    values = hook_pins.wanted(repository, vault_root, vault_id, project, python)
    return install_pinned(repository, values, kind)


def install_pinned(
    repository: plumbing.Repository, values: Mapping[str, str], kind: str
) -> Installed:
    """Put doll's block into a hook and pin these values, as `install` does."""
    _check_kind(kind)
    with _alone(repository):
        return _install(repository, values, kind)


def _install(repository: plumbing.Repository, values: Mapping[str, str], kind: str) -> Installed:
    hook = target(places(repository, kind), kind)
    before = _editable(repository, hook, kind, values)
    missing = hook_pins.to_write(repository, values)
    earlier = hook_pins.read_own(repository)
    try:
        hook_pins.pin(repository, missing)
        edit = _write(hook, before, kind)
    except DollError:
        with suppress(DollError):
            hook_pins.pin(repository, {name: earlier.get(name) for name in missing})
        raise
    settings = tuple(f"doll.{name}" for name in missing)
    return Installed(kind, hook, edit, settings, _notes(repository, hook, before or b"", kind))


def uninstall(repository: plumbing.Repository, kind: str = "pre-commit") -> Uninstalled:
    """Take out doll's block wherever `install` can have put it, and the settings it wrote.

    A file that `install` made goes when nothing else is left in it. ConflictError when a hook
    with the block cannot be edited, BusyError while another doll is at it; nothing is changed then.
    """
    _check_kind(kind)
    with _alone(repository):
        return _uninstall(repository, kind)


def _uninstall(repository: plumbing.Repository, kind: str) -> Uninstalled:
    found = places(repository, kind)
    before = {path: data for path in found.all if (data := _with_block(repository, path, kind))}
    after = {path: hook_block.remove(data, kind) for path, data in before.items()}
    for path, left in after.items():
        if left is None:
            hook_file.remove(path, before[path])
        else:
            hook_file.replace(path, left, before[path])
    settings = hook_pins.unpin(repository)
    edited = tuple(path for path, left in after.items() if left is not None)
    removed = tuple(path for path, left in after.items() if left is None)
    return Uninstalled(kind, edited, removed, settings, _left_by_hand(found.hook, kind))


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


def target(found: Places, kind: str) -> Path:
    """Return the file that holds the block or is to hold it.

    The pre-commit framework keeps running a hook that it moved aside: a block in there stays.
    """
    hook, legacy = read_quietly(found.hook) or b"", read_quietly(found.legacy) or b""
    manager = manager_of(hook)
    moved = manager is not None and manager.name == "pre-commit"
    if moved and not has_block(hook, kind) and has_block(legacy, kind):
        return found.legacy
    return found.hook


def has_block(data: bytes, kind: str) -> bool:
    """Tell whether the text has doll's block, of whatever version or state."""
    return hook_block.state(data, kind) != "absent"


def read_quietly(hook: Path) -> bytes | None:
    """Return a hook's bytes, None when there is none or it cannot be read as a file."""
    try:
        return hook_file.read(hook)
    except ConflictError:
        return None


def _with_block(repository: plumbing.Repository, hook: Path, kind: str) -> bytes | None:
    """Return the bytes of a hook with doll's block, None for another one."""
    data = read_quietly(hook)
    if data is None or not has_block(data, kind):
        return None
    if fault := _fault(repository, hook, data, kind):
        raise ConflictError(
            f"{fault}; nothing was changed", hint=f"take doll's lines out of {hook} by hand"
        )
    return data


def _check_kind(kind: str) -> None:
    if kind not in hook_block.KINDS:
        known = ", ".join(hook_block.KINDS)
        raise UsageError(f"doll has no {kind!r} hook", hint=f"known hooks: {known}")


def _editable(
    repository: plumbing.Repository, hook: Path, kind: str, values: Mapping[str, str]
) -> bytes | None:
    """Return the bytes of a hook that may be edited, None when there is no hook."""
    by_hand = _by_hand(kind, values, read_quietly(hook) or b"")
    if not is_inside(repository, hook):
        raise ConflictError(
            f"git looks for hooks in {hook.parent}, outside this repository "
            "(core.hooksPath); doll edits no hooks that other repositories share",
            hint=by_hand,
        )
    try:
        data = hook_file.read(hook)
    except ConflictError as error:
        raise ConflictError(f"{error.message}; it is left as it is", hint=by_hand) from error
    if data is None:
        return None
    if fault := _fault(repository, hook, data, kind):
        raise ConflictError(f"{fault}; it is left as it is", hint=by_hand)
    if not hook_file.runs(hook):
        raise ConflictError(
            f"the hook {hook} is not executable, so git does not run it; it is left as it is",
            hint=f"chmod +x {shlex.quote(str(hook))}    turns it on, or remove it; then run the "
            "command again",
        )
    return data


def _fault(repository: plumbing.Repository, hook: Path, data: bytes, kind: str) -> str:
    if not is_inside(repository, hook):
        return f"the hook {hook} lies outside this repository"
    fault = hook_block.fault(data, kind)
    return f"the hook {hook} {fault}" if fault else ""


def _by_hand(kind: str, values: Mapping[str, str], data: bytes) -> str:
    settings = [
        f"git config doll.{name} {shlex.quote(value)}"
        for name, value in values.items()
        if name != "python"
    ]
    advice = hook_block.advice_by_hand(data, kind)
    return "\n".join(["to have it all the same, type:", *settings, advice])


def _write(hook: Path, before: bytes | None, kind: str) -> Edit:
    after = hook_block.insert(before, kind)
    if before is None:
        hook_file.create(hook, after)
        return "created"
    if after == before:
        return "unchanged"
    hook_file.replace(hook, after, before)
    return "added" if hook_block.state(before, kind) == "absent" else "updated"


def _notes(repository: plumbing.Repository, hook: Path, data: bytes, kind: str) -> tuple[str, ...]:
    notes: list[str] = []
    if manager := manager_of(data):
        line = hook_block.line_by_hand(kind)
        notes.append(manager.advice.format(kind=kind, line=line))
    if is_tracked(repository, hook):
        notes.append(
            f"{hook} is a file of the project: if you commit it, everyone who uses it gets the "
            "check, and is told NOT CHECKED where doll is not set up"
        )
    return tuple(notes)


def _left_by_hand(hook: Path, kind: str) -> tuple[str, ...]:
    data = read_quietly(hook.resolve())
    if data is not None and hook_block.is_called(data, kind):
        return (f"{hook} still calls `doll hooks run {kind}`: that line is yours to remove",)
    return ()
