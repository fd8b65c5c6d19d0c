"""What is to be done with one hook: which file, whether doll may edit it, what then stands there.

Nothing is written here. A file that other repositories share, that another program writes anew, or
that is no shell script is the user's to edit: then the plan has what to add by hand.
"""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from doll.errors import ConflictError
from doll.services.hooks import block as hook_block
from doll.services.hooks import file as hook_file
from doll.services.hooks.by_hand import advice_by_hand, is_called, is_listed
from doll.services.hooks.places import (
    FRAMEWORK,
    HookManager,
    Places,
    is_inside,
    is_tracked,
    manager_of,
    misled,
)
from doll.services.hooks.places import places as places_of
from doll.services.hooks.starting import Stalled, stalled
from doll.vcs import plumbing

Edit = Literal["created", "added", "updated", "unchanged", "by_hand", "left"]


class Plan(NamedTuple):
    """What `install` does with a hook: its file, the bytes there now (None: no file) and then.

    `by_hand` as an edit says that a line of the user's calls doll already. A hook that is `left`
    alone has the reason and what to do by hand.
    """

    kind: str
    path: Path
    edit: Edit
    before: bytes | None = None
    after: bytes = b""
    notes: tuple[str, ...] = ()
    reason: str = ""
    by_hand: str = ""


def plan(repository: plumbing.Repository, kind: str) -> Plan:
    """Return what to do with the hook of a kind; nothing is changed."""
    hook = target(places_of(repository, kind), kind)
    if found := misled(repository, hook):
        return Plan(kind, hook, "left", reason=found.why, by_hand=found.mending)
    data = read_quietly(hook.resolve())
    if data is not None and (stall := _stalled(hook, data, kind)):
        reason = f"the hook {hook} {stall.why}"
        return Plan(kind, hook, "left", reason=reason, by_hand=stall.mending)
    if caller := called_by_hand(repository, hook, data or b"", kind):
        note = () if caller == str(hook) else (f"{kind} is called from {caller}",)
        return Plan(kind, hook, "by_hand", data, notes=note)
    inside = is_inside(repository, hook)
    manager = manager_of(data or b"")
    by_hand = advice_by_hand(data, kind, str(hook), shared=not inside)
    if not inside:
        return Plan(kind, hook, "left", reason=_shared(hook), by_hand=by_hand)
    if manager is not None and manager.rewrites and not has_block(data or b"", kind):
        reason = f"{manager.name} writes {hook} anew by itself, and doll's lines would be lost"
        return Plan(kind, hook, "left", reason=reason, by_hand=manager.advise(kind))
    try:
        data = hook_file.read(hook)
    except ConflictError as error:
        return Plan(kind, hook, "left", reason=error.message, by_hand=by_hand)
    return _edit(repository, hook, kind, data, by_hand)


def _stalled(hook: Path, data: bytes, kind: str) -> Stalled | None:
    shell = has_block(data, kind) or hook_block.is_shell_script(data)
    return stalled(hook, data, block=shell)


def _edit(
    repository: plumbing.Repository, hook: Path, kind: str, data: bytes | None, by_hand: str
) -> Plan:
    if data is not None and (fault := hook_block.fault(data, kind)):
        return Plan(kind, hook, "left", reason=f"the hook {hook} {fault}", by_hand=by_hand)
    if data is not None and not hook_file.runs(hook):
        reason = f"the hook {hook} is not executable, so git does not run it"
        turning_on = f"chmod +x {shlex.quote(str(hook))}    turns it on, or remove it; then "
        turning_on += "run the command again"
        return Plan(kind, hook, "left", reason=reason, by_hand=turning_on)
    after = hook_block.insert(data, kind)
    notes = _notes(repository, hook, manager_of(data or b""), kind)
    edit: Edit = "created" if data is None else "unchanged" if after == data else "updated"
    if data is not None and not has_block(data, kind):
        edit = "added"
    return Plan(kind, hook, edit, data, after, notes)


def refusal(plans: Sequence[Plan], values: Mapping[str, str]) -> ConflictError:
    """Return the error for hooks that are all left alone, with all that a user has to type."""
    reasons = dict.fromkeys(each.reason for each in plans)
    settings = [
        f"git config doll.{name} {shlex.quote(value)}"
        for name, value in values.items()
        if name != "python"
    ]
    advice = dict.fromkeys(each.by_hand for each in plans)
    hint = "\n".join(["to have it all the same, type:", *settings, "and", *advice])
    return ConflictError(
        "\n".join(f"{reason}; it is left as it is" for reason in reasons), hint=hint
    )


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


def called_by_hand(
    repository: plumbing.Repository, hook: Path, data: bytes, kind: str
) -> str | None:
    """Return the file in which a line of the user's calls doll for this hook, None for none."""
    if not has_block(data, kind) and is_called(data, kind) and hook_file.runs(hook):
        return str(hook)
    manager = manager_of(data)
    for source in manager.sources if manager else ():
        name = source.format(kind=kind)
        text = read_quietly(repository.top / name) or b""
        if is_called(text, kind) or (name == FRAMEWORK and is_listed(text, kind)):
            return name
    return None


def has_block(data: bytes, kind: str) -> bool:
    """Tell whether the text has doll's block, of whatever version or state."""
    return hook_block.state(data, kind) != "absent"


def read_quietly(hook: Path) -> bytes | None:
    """Return a hook's bytes, None when there is none or it cannot be read as a file."""
    try:
        return hook_file.read(hook)
    except ConflictError:
        return None


def cannot_edit(repository: plumbing.Repository, hook: Path, data: bytes, kind: str) -> str:
    """Return why a hook with doll's block in it is not edited, "" where it can be."""
    if not is_inside(repository, hook):
        return f"the hook {hook} lies outside this repository"
    fault = hook_block.fault(data, kind)
    return f"the hook {hook} {fault}" if fault else ""


def _shared(hook: Path) -> str:
    return (
        f"git looks for hooks in {hook.parent}, outside this repository "
        "(core.hooksPath); doll edits no hooks that other repositories share"
    )


def _notes(
    repository: plumbing.Repository, hook: Path, manager: HookManager | None, kind: str
) -> tuple[str, ...]:
    notes: list[str] = []
    if manager is not None:
        notes.append(manager.advise(kind))
    if is_tracked(repository, hook):
        notes.append(
            f"{hook} is a file of the project: if you commit it, everyone who uses it gets the "
            "check, and is told NOT CHECKED where doll is not set up"
        )
    return tuple(notes)
