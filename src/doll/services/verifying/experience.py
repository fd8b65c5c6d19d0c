"""Experience is kept: each commit has every path under `experience/` of each of its parents.

With the same bytes and mode, save redactions. Source: design, law 3.
"""

from collections.abc import Iterator

from doll.services.trailers import BY, REDACTS
from doll.services.verifying.faults import Fault, fault
from doll.services.verifying.ground import Ground
from doll.services.verifying.redactions import Likeness, likeness, own_change, shape
from doll.vault.layout import is_kept, record_id
from doll.vcs.plumbing.history import Step
from doll.vcs.plumbing.index import Change

_REMOVED, _CHANGED = "experience.removed", "experience.changed"


def kept_faults(step: Step, ground: Ground) -> Iterator[Fault]:
    """Yield a fault for each kept path that a commit lacks or has otherwise than a parent."""
    lost = dict.fromkeys(
        change
        for side in step.sides
        for change in side
        if change.status != "A" and is_kept(change.path)
    )
    for change in lost:
        if change.status == "D":
            yield fault(step, change.path, _REMOVED, f"removes this entry{_of(step)}")
        elif message := _said(step, change, ground):
            yield fault(step, change.path, _CHANGED, message)


def _said(step: Step, change: Change, ground: Ground) -> str:
    """Return what is wrong with a change, "" for a redaction."""
    if change.oid == change.old_oid:
        return f"changes the mode of this entry from {change.old_mode} to {change.mode}{_of(step)}"
    alone = own_change(step)
    like = likeness(step, alone, ground.contents) if alone else Likeness.NONE
    if like is Likeness.UNSAID:
        trailer = f"{REDACTS}: {record_id(change.path)}"
        return f"redacts this entry without the line `{trailer}` in its message"
    if like is Likeness.BY_MODEL:
        return f"redacts this entry, and its message has `{BY}:`: a redaction is the user's act"
    if like in (Likeness.WHOLE, Likeness.UNKNOWN) or _is_taken_over(step, change, ground):
        return ""
    return f"changes this entry{_of(step)}"


def _is_taken_over(step: Step, change: Change, ground: Ground) -> bool:
    """Return whether a merge takes over a redaction, or may do so as far as anybody can see here.

    What cannot be seen is said as a gap.
    """
    if len(step.parents) < 2 or change.mode != change.old_mode:
        return False
    if ground.earlier.redacted(change.path, change.old_oid, change.oid, step.commit):
        return True
    like = shape(change, ground.contents)
    return like is Likeness.UNKNOWN or (like is Likeness.UNSAID and ground.earlier.cut)


def _of(step: Step) -> str:
    return ", which one of its parents has" if len(step.parents) > 1 else ""
