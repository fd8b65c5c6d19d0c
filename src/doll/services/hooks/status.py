"""Describing what is installed: whether git will run doll in a hook, and with which vault.

Looks at the hook and at git's configuration alone; whether the vault can be used is what
`doll.services.hooks.running.unready` says.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from doll.services.hooks import block as hook_block
from doll.services.hooks import file as hook_file
from doll.services.hooks import pins as hook_pins
from doll.services.hooks import running
from doll.services.hooks.by_hand import is_called
from doll.services.hooks.places import is_inside, manager_of, misled, places
from doll.services.hooks.plans import called_by_hand, has_block, read_quietly, target
from doll.services.hooks.starting import stalled
from doll.vcs import plumbing

State = Literal["installed", "by_hand", "outdated", "damaged", "disabled", "stalled", "absent"]


class HookState(NamedTuple):
    """A kind of hook in a repository.

    `state`: `installed`; `by_hand`, a line of the user's calls doll; `outdated`, the block of
    another version, which works; `damaged`, half a block; `disabled`, the block is in a file that
    git does not run; `stalled`, it is in one whose first line starts nothing that reads it;
    `absent`. `runs`: git runs doll in it, and no line before the block seems to
    end the hook. `notes` say what to do.
    """

    kind: str
    path: Path
    state: State
    runs: bool
    notes: tuple[str, ...]


class Status(NamedTuple):
    """The hooks of a repository, and what git's configuration says to all of them.

    `python_found`: the pinned interpreter is there, for when `doll` is not on PATH.
    """

    hooks: tuple[HookState, ...]
    pins: hook_pins.Pins
    python_found: bool
    strict: bool
    notes: tuple[str, ...]

    @property
    def is_absent(self) -> bool:
        """Whether nothing of doll is in any hook."""
        return all(hook.state == "absent" for hook in self.hooks)

    @property
    def runs(self) -> bool:
        """Whether there is something of doll, and git runs all of it."""
        return not self.is_absent and all(h.runs for h in self.hooks if h.state != "absent")


def status(repository: plumbing.Repository, kinds: Sequence[str] = hook_block.LOCAL) -> Status:
    """Return what there is of doll's hooks in this repository; nothing is changed."""
    hooks = tuple(hook_state(repository, kind) for kind in kinds)
    pins = hook_pins.read(repository)
    python_found = pins.python is not None and os.access(pins.python, os.X_OK)
    strict, fault = running.strictness(repository)
    found = Status(hooks, pins, python_found, strict, ())
    notes = [] if found.is_absent else _vault_notes(repository)
    if fault:
        notes.append(f"{fault}: `{running.MEND_STRICT}` mends it")
    return found._replace(notes=tuple(notes))


def hook_state(repository: plumbing.Repository, kind: str) -> HookState:
    """Return what there is of doll's hook of one kind."""
    found = places(repository, kind)
    hook = target(found, kind)
    state, notes = _state(repository, hook, kind)
    for path in found.all:
        if path != hook and has_block(read_quietly(path) or b"", kind):
            notes.append(f"{path} has the block too, and git does not run it")
    ends = False
    if state in ("installed", "outdated") and (early := earlier(hook, kind)) is not None:
        ends = early.ends
        notes.append(told_early(hook, early))
    runs = state in ("installed", "by_hand", "outdated") and not ends
    return HookState(kind, hook, state, runs, tuple(notes))


def earlier(hook: Path, kind: str) -> hook_block.Before | None:
    """Return what a hook runs before doll's block, None for nothing."""
    return hook_block.before(read_quietly(hook.resolve()) or b"", kind)


def told_early(hook: Path, early: hook_block.Before) -> str:
    """Return the words for what a hook runs before doll's block."""
    where = f"line {early.number}: `{early.text}`"
    return f"the lines of {hook} before doll's block run first and may end the hook ({where})"


def _vault_notes(repository: plumbing.Repository) -> list[str]:
    vault = plumbing.config(repository, "doll.vault", kind="path")
    if not vault:
        return ["git config doll.vault is not set: run `doll hooks install --vault PATH`"]
    return []


def _state(repository: plumbing.Repository, hook: Path, kind: str) -> tuple[State, list[str]]:
    data = read_quietly(hook.resolve())
    if data is None:
        unread = [f"the hook {hook} cannot be read"] if os.path.lexists(hook) else []
        return "absent", unread + _obstacles(repository, hook, b"", kind)
    state = hook_block.state(data, kind)
    if state == "damaged":
        return state, [f"one of the block's marker lines is missing: mend {hook} by hand"]
    called = state != "absent" or is_called(data, kind)
    caller = called_by_hand(repository, hook, data, kind)
    stall = stalled(hook, data, block=state != "absent")
    if stall and (caller or (called and hook_file.runs(hook))):
        return "stalled", [f"the hook {hook} {stall.why}\n{stall.mending}"]
    if caller is not None and caller != str(hook):
        return "by_hand", [f"it is called from {caller}"]
    if called and not hook_file.runs(hook):
        return "disabled", [f"{hook} is not executable, so git does not run it"]
    if state == "outdated":
        return state, ["`doll hooks install` brings the block up to date"]
    if state == "absent":
        return ("by_hand" if called else "absent"), _obstacles(repository, hook, data, kind)
    return state, []


def _obstacles(repository: plumbing.Repository, hook: Path, data: bytes, kind: str) -> list[str]:
    notes = []
    if found := misled(repository, hook):
        notes.append(f"{found.why}\n{found.mending}")
    elif not is_inside(repository, hook):
        notes.append(f"git looks for hooks in {hook.parent}, outside this repository")
    elif fault := hook_block.fault(data, kind):
        notes.append(f"the hook {hook} {fault}, so doll leaves it alone")
    if manager := manager_of(data):
        notes.append(f"the hook is generated by {manager.name}")
    return notes
