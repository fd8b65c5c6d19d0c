"""The mapping table of an adapter: every field of its format, and what becomes of it.

The mapping, the loss report and docs/interchange.md follow such a table, and tests hold them to
it. A field with a `reason` is a loss wherever a document has it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from doll.interchange.base import Loss


class Rule(NamedTuple):
    """One field: what it becomes, and why that is a loss where it is one.

    `becomes` is `field NAME`, `body`, `claim`, `report`, `checked`, or empty: the value is in
    no record.
    """

    field: str
    becomes: str
    reason: str = ""


def reasons(rules: Iterable[Rule]) -> dict[str, str]:
    """Return why each field is a loss, by its pointer pattern; "" where it cannot be one."""
    return {rule.field: rule.reason for rule in rules}


def losses(rules: Sequence[Rule], counts: Mapping[str, int]) -> tuple[Loss, ...]:
    """Return the losses in the order of the table; `counts` is how often each pattern occurs."""
    there = (rule for rule in rules if counts.get(rule.field))
    return tuple(Loss(rule.field, counts[rule.field], rule.reason) for rule in there)


def counted(patterns: Iterable[Iterable[str]]) -> Counter[str]:
    """Return in how many of the groups each pattern stands."""
    counts: Counter[str] = Counter()
    for group in patterns:
        counts.update(set(group))
    return counts
