"""How a world stands after a fault: what is a third state, what is said falsely, what is not ended.

Each function yields in words what is wrong, and nothing where all is well.
"""

import errno
import json
import os
from collections.abc import Iterator

from doll.vault.layout import AREAS
from tests.faults import Fault
from tests.flows import READS, Flow
from tests.gitbox import git
from tests.sweeping import Ran, State, World


def after_kill(world: World, flow: Flow, fault: Fault, old: State, new: State) -> Iterator[str]:
    """Kill a flow, look at what is there, and type it again."""
    world.renew(flow)
    killed = world.type(flow, fault=fault)
    found = world.state(flow)
    if killed.code is not None:
        # It came to its end by fewer steps this time, as what waits for the clock may.
        if killed.code or (found != new and not flow.stop):
            yield f"it was not killed: {killed.code} {killed.err}"
        return
    yield from unlike(flow, found, old, new)
    yield from told(world, flow)
    yield from ended(world, flow, found, new)


def after_error(world: World, flow: Flow, fault: Fault, old: State, new: State) -> Iterator[str]:
    """Have one step of a flow refused: all is done, or an error is told and nothing is."""
    world.renew(flow)
    ran = world.type(flow, fault=fault)
    found = world.state(flow)
    yield from _said(ran, fault)
    if ran.code in (0, 1):
        if found != new and found.files != old.files:
            yield f"it ended with {ran.code} and did not do all"
    elif not (found == old or _is_uncommitted(ran, found, old, new) or _is_kept(flow, ran)):
        changed = [p for p in found.files if found.files[p] != old.files.get(p)]
        yield f"it ended with {ran.code} and changed {changed}: {ran.err}"
    if world.temporaries() and "remove" not in ran.steps[fault.number].name:
        yield f"left: {world.temporaries()}"
    yield from told(world, flow)


def after_lasting(world: World, flow: Flow, fault: Fault, old: State, new: State) -> Iterator[str]:
    """Have all steps refused from one on; once the disk takes them again, type it again."""
    world.renew(flow)
    ran = world.type(flow, fault=fault)
    found = world.state(flow)
    yield from _said(ran, fault)
    if ran.code in (0, 1) and found == new:
        return
    yield from unlike(flow, found, old, new)
    yield from told(world, flow)
    yield from ended(world, flow, found, new)


def _is_uncommitted(ran: Ran, found: State, old: State, new: State) -> bool:
    """Return whether all files are as they are to be, git was at fault, and that is said."""
    said = ran.code == 7 and any(word in ran.err for word in ("committed", "staged", "is written"))
    return said and found.files == new.files and _made(found.commits) == _made(old.commits)


def _made(commits: dict[str, str]) -> dict[str, str]:
    """Return the commits of the repositories that have one: a new one has none."""
    return {name: commit for name, commit in commits.items() if commit}


def _is_kept(flow: Flow, ran: Ran) -> bool:
    return bool(flow.keeps) and flow.keeps in ran.err


def _said(ran: Ran, fault: Fault) -> Iterator[str]:
    if ran.code in (None, 2, 4, 70, 130):
        yield f"exit {ran.code}: {ran.err}"
    words = os.strerror(getattr(errno, fault.how.removesuffix("+")))
    if ran.code not in (0, 1) and words not in ran.err:
        yield f"exit {ran.code} does not say why: {ran.err}"


def unlike(flow: Flow, found: State, old: State, new: State) -> Iterator[str]:
    """Yield what is neither as it was before nor as it is to be."""
    for path in sorted({*found.files, *old.files, *new.files}):
        has = found.files.get(path)
        if has not in (old.files.get(path), new.files.get(path)) and not flow.chained:
            yield f"{path} is a third: {has!r}"
    if len(found.files) < min(len(old.files), len(new.files)):
        yield f"lost: {sorted({*old.files, *new.files} - {*found.files})}"
    if flow.whole and found.files not in (old.files, new.files):
        yield "some files of many"
    for name, commit in found.commits.items():
        if commit not in (old.commits.get(name, ""), new.commits[name]) and not flow.chained:
            yield f"{name} is at another commit"
        if commit == new.commits[name] != old.commits.get(name) and _without(
            found.files, "remote.git/"
        ) != _without(new.files, "remote.git/"):
            yield f"{name} has the commit and not its files"
    for name, index in found.indexes.items():
        known = old.indexes.get(name, frozenset()) | new.indexes[name]
        if not flow.chained and not index <= known:
            yield f"the index of {name} has {sorted(index - known)}"
    if flow in READS.values() and found != old:
        yield "a command that is asked to change nothing changed something"


def _without(files: dict[str, bytes], folder: str) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if not path.startswith(folder)}


def told(world: World, flow: Flow) -> Iterator[str]:
    """Yield what readers say that is not so: a whole vault, and what the killed one left."""
    status = world.type(Flow("status --json", folder=flow.vault))
    left = [path.removeprefix(f"{flow.vault}/") for path in world.temporaries()]
    left = [path for path in left if path.startswith((*AREAS, ".doll/judged", ".doll/schemas"))]
    if status.code != 0:
        yield f"status: {status.err}"
    elif json.loads(status.out)["leftovers"] != left:
        yield f"status names {json.loads(status.out)['leftovers']}, not {left}"
    checked = world.type(Flow("validate", folder=flow.vault))
    errors = checked.out.count(": error: ")
    known = checked.out.count(f"[{flow.objects}]") if flow.objects else 0
    if checked.code != 0 and (checked.code != 1 or errors != known):
        yield f"validate: {checked.out}{checked.err}"


def ended(world: World, flow: Flow, found: State, new: State) -> Iterator[str]:
    """Type the command again and yield what is then not as it is to be."""
    again = world.type(flow, flow.again, seed=2 if flow.adds else 1)
    after = world.state(flow)
    if again.code not in (0, 1):
        written = again.code in (2, 5) and found.files == new.files
        if not written:
            yield f"typed again: {again.code} {again.err}"
    elif flow.adds:
        lost = [path for path in found.files if path not in after.files]
        if lost or len(after.files) < len(new.files):
            yield f"lost: {lost}"
    elif after.files != new.files:
        paths = sorted({*after.files, *new.files})
        yield f"not finished: {[p for p in paths if after.files.get(p) != new.files.get(p)]}"
    elif after[1:] != new[1:] and not flow.waits:
        yield f"git is not as it is to be: {again.err}"
    next_one = world.type(Flow("new memory next --title Next", folder=flow.vault))
    if next_one.code != 0:
        yield f"the next writer: {next_one.err}"
    if flow.makes:
        # What `doll init` says to type where it was killed before its commit.
        made = world.root / flow.makes
        git(made, "add", "doll.yaml", ".gitignore", ".gitattributes", code=None)
        git(made, "commit", "-qm", "Start the vault", "--", "doll.yaml", code=None)
        world.type(Flow("new memory next --title Next", folder=flow.makes))
    if left := world.temporaries():
        yield f"left: {left}"
    if flow.indexes:
        checked = world.type(Flow("index --check", folder=flow.vault))
        if checked.code != 0:
            yield f"the index: {checked.out}{checked.err}"
