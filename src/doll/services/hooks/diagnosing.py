"""What is wrong with the hooks of a repository, each with the line to type. Changes nothing.

A hook can be dead (it finds no doll), shadowed (git runs another file), or stranded (what it was
installed for is gone). Each is silent, or noticed at a commit that should have been checked.
"""

import os
import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from doll import __version__
from doll.errors import GitError, Problem, Severity
from doll.preflight.request import REQUEST
from doll.services.hooks import pins as hook_pins
from doll.services.hooks import programs, running
from doll.services.hooks.block import LOCAL
from doll.services.hooks.places import FRAMEWORK, manager_of, places
from doll.services.hooks.plans import called_by_hand, has_block, plan, read_quietly
from doll.services.hooks.starting import stalled
from doll.services.hooks.status import HookState, earlier, hook_state
from doll.vcs import plumbing

INSTALL = "doll hooks install"
_WHERE = "git config"


class Diagnosis(NamedTuple):
    """The hooks as they are, and what is wrong; no hook and nothing wrong where doll is in none."""

    hooks: tuple[HookState, ...]
    problems: tuple[Problem, ...]

    @property
    def is_absent(self) -> bool:
        """Whether nothing of doll is in any hook."""
        return all(hook.state == "absent" for hook in self.hooks)


def diagnose(
    repository: plumbing.Repository,
    kinds: Sequence[str],
    cwd: Path,
    environment: str | None,
    now: datetime,
) -> Diagnosis:
    """Return what is wrong with the hooks of `repository`, in the order in which git meets them.

    `environment` is DOLL_VAULT. GitError when git cannot say where hooks are.
    """
    hooks = tuple(hook_state(repository, kind) for kind in kinds)
    pins, own = hook_pins.read(repository), hook_pins.read_own(repository)
    elsewhere = {hook.kind: _elsewhere(repository, hook) for hook in hooks}
    if not own and not any(elsewhere.values()) and all(h.state == "absent" for h in hooks):
        return Diagnosis(hooks, ())
    wanted = pins.hooks.split() if pins.hooks else kinds
    found = [problem for hook in hooks for problem in _of_hook(hook)]
    found += _late(repository, hooks, pins)
    found += _shadowed(repository, hooks, elsewhere)
    found += _missing(repository, [h for h in hooks if h.kind in wanted and not elsewhere[h.kind]])
    if any(hook.state != "absent" and not _is_framework_s(repository, hook) for hook in hooks):
        found += _dead(pins)
    present = any(elsewhere.values()) or any(hook.state != "absent" for hook in hooks)
    if tuple(kinds) == LOCAL and present:
        found += _stranded(repository, hooks, cwd, environment, now)
    return Diagnosis(hooks, tuple(dict.fromkeys(found)))


def _elsewhere(repository: plumbing.Repository, hook: HookState) -> Path | None:
    """Return a file with the block that git does not run, where it runs no other one."""
    if hook.state != "absent":
        return None
    files = (path for path in places(repository, hook.kind).all if path != hook.path)
    return next((p for p in files if has_block(read_quietly(p) or b"", hook.kind)), None)


def _is_framework_s(repository: plumbing.Repository, hook: HookState) -> bool:
    """Tell whether the pre-commit framework runs doll here, which then has one of its own."""
    data = read_quietly(hook.path) or b""
    return called_by_hand(repository, hook.path, data, hook.kind) == FRAMEWORK


def _of_hook(hook: HookState) -> Iterator[Problem]:
    at = (str(hook.path), 0, 0)
    if hook.state == "damaged":
        hint = f"take doll's lines out of it by hand, then: {INSTALL}"
        yield Problem(*at, "hooks.damaged", "half of doll's block is there", hint=hint)
    elif hook.state == "disabled":
        hint = f"chmod +x {shlex.quote(str(hook.path))}"
        yield Problem(*at, "hooks.disabled", "it is not executable: git passes it over", hint=hint)
    elif hook.state == "stalled":
        data = read_quietly(hook.path.resolve()) or b""
        if stall := stalled(hook.path, data, block=has_block(data, hook.kind)):
            yield Problem(*at, "hooks.disabled", f"it {stall.why}", hint=stall.mending)
    elif hook.state == "outdated":
        message = "doll's block is that of another version"
        yield Problem(*at, "hooks.outdated", message, hint=INSTALL)


def _late(
    repository: plumbing.Repository, hooks: Sequence[HookState], pins: hook_pins.Pins
) -> Iterator[Problem]:
    """Yield the hooks that run other lines before doll's block: it is to stand first."""
    for hook in hooks:
        early = earlier(hook.path, hook.kind) if hook.state in ("installed", "outdated") else None
        if early is not None:
            severity: Severity = "error" if early.ends else "warning"
            message = f"lines before doll's block run first and may end the hook: `{early.text}`"
            hint = _moving(repository, hook.kind, pins)
            at = (str(hook.path), early.number, 1)
            yield Problem(*at, "hooks.late", message, severity, hint)


def _moving(repository: plumbing.Repository, kind: str, pins: hook_pins.Pins) -> str:
    """Return the line that takes the block out and puts it in as the first, settings kept."""
    only = f" --only {kind}" if kind in LOCAL else ""
    words = [f"doll hooks uninstall{only} && {INSTALL}{only or ' --bare'}"]
    if pins.vault:
        place = repository.top / pins.vault if only else Path(pins.vault)
        words.append(f"--vault {shlex.quote(str(place))}")
    if only and pins.project:
        words.append(f"--project {shlex.quote(pins.project)}")
    return " ".join(words)


def _shadowed(
    repository: plumbing.Repository,
    hooks: Sequence[HookState],
    elsewhere: dict[str, Path | None],
) -> Iterator[Problem]:
    for hook in hooks:
        if (path := elsewhere[hook.kind]) is not None:
            manager = manager_of(read_quietly(hook.path) or b"")
            by = f", which {manager.name} took over" if manager else ""
            message = f"git does not run doll's block here: it runs {hook.path}{by}"
            hint = _installing(repository, hook.kind)
            yield Problem(str(path), 0, 0, "hooks.shadowed", message, hint=hint)


def _missing(repository: plumbing.Repository, hooks: Sequence[HookState]) -> Iterator[Problem]:
    for hook in hooks:
        if hook.state == "absent":
            message = f"no {hook.kind} hook calls doll"
            hint = _installing(repository, hook.kind)
            yield Problem(str(hook.path), 0, 0, "hooks.missing", message, hint=hint)


def _installing(repository: plumbing.Repository, kind: str) -> str:
    """Return what puts doll into a hook: the command, or what to do by hand."""
    if kind not in LOCAL:
        return f"{INSTALL} --bare"
    found = plan(repository, kind)
    return found.by_hand if found.edit == "left" else INSTALL


def _dead(pins: hook_pins.Pins) -> Iterator[Problem]:
    path = programs.on_path()
    works = path is not None and path.version is not None
    if path is not None and path.version is None:
        message = "the doll on PATH does not even say its version, so hooks check nothing"
        yield Problem(path.command[0], 0, 0, "hooks.dead", message, hint="install doll anew")
    elif path is not None and path.version != __version__:
        message = f"the doll on PATH is {path.version}, and this is {__version__}"
        hint = "put the one that is meant first on PATH, or install it anew"
        yield Problem(path.command[0], 0, 0, "hooks.dead", message, "warning", hint)
    if pins.python is None:
        if not works:
            message = "doll is not on PATH, and no Python is pinned: hooks check nothing"
            yield Problem(_WHERE, 0, 0, "hooks.dead", message, hint=INSTALL)
        return
    if programs.pinned(pins.python).version is None:
        there = os.access(pins.python, os.X_OK)
        why = "has no doll that runs" if there else "is gone"
        so = "hooks work only where doll is on PATH" if works else "hooks check nothing"
        message = f"the pinned Python {why} (doll.python): {so}"
        yield Problem(pins.python, 0, 0, "hooks.dead", message, hint=INSTALL)


def _stranded(
    repository: plumbing.Repository,
    hooks: Sequence[HookState],
    cwd: Path,
    environment: str | None,
    now: datetime,
) -> Iterator[Problem]:
    at, code = (_WHERE, 0, 0), "hooks.stranded"
    _, fault = running.strictness(repository)
    if fault:
        yield Problem(*at, "hooks.setting", fault, hint=running.MEND_STRICT)
    blocks = any(hook.state != "by_hand" for hook in hooks)
    pins = hook_pins.read(repository)
    unset = [f"doll.{n}" for n, v in (("vault", pins.vault), ("vaultId", pins.vault_id)) if not v]
    if blocks and unset:
        message = f"{' and '.join(unset)} not set, so nothing says which vault is meant"
        yield Problem(*at, code, message, hint=f"{INSTALL} --vault PATH")
    try:
        why = running.unready(running.setting(cwd), environment, now)
    except GitError as error:
        yield Problem(*at, code, error.message, hint=error.hint)
        return
    for problem in why:
        if problem.path == REQUEST:
            hint = "git config doll.project ID    names the right one"
            yield Problem(*at, code, problem.message, hint=hint)
        elif problem.code == "vault.unusable":
            yield Problem(*at, code, problem.message, hint=problem.hint)
        else:
            yield problem
