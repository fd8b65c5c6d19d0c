"""What a context pack is asked for, and what stays out of it on the way: values, and a tally."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from doll.records.model import Record, Sensitivity
from doll.render.context_values import REASONS, LeftOut, Reason

# Those that a pack may show, from the least to the most: a record about a secret never.
LABELS: tuple[Sensitivity, ...] = ("public", "internal", "personal", "sensitive")
DEFAULT_SENSITIVITY: Sensitivity = "personal"
DEFAULT_BUDGET = 2000
MIN_BUDGET, MAX_BUDGET = 50, 1_000_000
# So many records of a section are looked at, whatever the budget: what is found does not depend on
# what fits.
MOST = 200

_T = TypeVar("_T")


class Asked(NamedTuple):
    """The task in words, and what bounds the pack.

    `project` is an id or alias, None for none; `typed` says that it was, and else that git's
    configuration names it. `actions` and `paths` are those of a request of preflight, None where
    not given. `sensitivity` is the highest label that is shown, `budget` the most tokens.
    """

    task: str
    project: str | None = None
    typed: bool = True
    actions: tuple[str, ...] | None = None
    paths: tuple[str, ...] | None = None
    sensitivity: Sensitivity = DEFAULT_SENSITIVITY
    budget: int = DEFAULT_BUDGET

    def may_show(self, label: Sensitivity) -> bool:
        """Return whether records of this label are shown."""
        return label in LABELS[: LABELS.index(self.sensitivity) + 1]


class Tally:
    """What is left out, by reason. Ids that a label keeps from being shown are never given."""

    def __init__(self) -> None:
        self._numbers: dict[Reason, int] = {}
        self._ids: dict[Reason, dict[str, bool]] = {}

    def add(self, reason: Reason, record_id: str, *, named: bool = True) -> None:
        """Count a record, once for each reason; `named`: its id may be shown."""
        known = self._ids.setdefault(reason, {})
        if record_id not in known:
            known[record_id] = named
            self.count(reason)

    def count(self, reason: Reason, number: int = 1) -> None:
        """Count records of which no more is known."""
        self._numbers[reason] = self._numbers.get(reason, 0) + number

    def all(self) -> Iterator[LeftOut]:
        """Yield each reason that was given, in the order in which they are said."""
        for reason in REASONS:
            if number := self._numbers.get(reason):
                known = self._ids.get(reason, {})
                yield LeftOut(reason, number, tuple(name for name in known if known[name]))


def shows(asked: Asked, record: Record, tally: Tally) -> bool:
    """Return whether a record's label lets it be shown; one that it does not is counted."""
    if asked.may_show(record.fields.sensitivity):
        return True
    tally.add("sensitivity", record.id, named=False)
    return False


def best(found: Sequence[_T], tally: Tally) -> Sequence[_T]:
    """Return the first of what was found, in its order, and count the rest."""
    if len(found) > MOST:
        tally.count("weaker_match", len(found) - MOST)
    return found[:MOST]
