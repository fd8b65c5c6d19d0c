"""What git says to a pre-receive hook: which refs a push moves. Pure."""

from typing import NamedTuple

from doll.errors import UsageError

BRANCHES = "refs/heads/"


class Update(NamedTuple):
    """A ref that a push makes, moves or deletes: ids of objects, None where there is none."""

    old: str | None
    new: str | None
    ref: str


def parse_updates(text: str) -> tuple[Update, ...]:
    """Return the lines `<old> <new> <ref>` of a hook's input; UsageError for anything else."""
    updates = []
    for line in text.splitlines():
        old, _, rest = line.partition(" ")
        new, _, ref = rest.partition(" ")
        if not (ref.startswith("refs/") and _is_id(old) and _is_id(new)):
            raise UsageError(
                f"{line[:120]!r} is not what git says to a pre-receive hook",
                hint="git calls it by itself, at every push",
            )
        updates.append(Update(_some(old), _some(new), ref))
    return tuple(updates)


def _is_id(word: str) -> bool:
    return len(word) in (40, 64) and set(word) <= set("0123456789abcdef")


def _some(oid: str) -> str | None:
    return oid if oid.strip("0") else None
