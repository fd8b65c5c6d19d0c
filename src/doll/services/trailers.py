"""The trailers of commit messages that doll reads or writes: every one of them, in one list.

The commit-msg hook knows these and no other; a message that doll made itself must pass it. Pure.
"""

from collections.abc import Iterable

ACTION = "Doll-Action"
WORK_ITEM = "Doll-Work-Item"
REDACTS = "Doll-Redacts"
BY = "Doll-By"
FALSE_ALARM = "Doll-Not-A-Secret"
KNOWN = (ACTION, WORK_ITEM, REDACTS, BY, FALSE_ALARM)

Pairs = Iterable[tuple[str, str]]


def values(pairs: Pairs, key: str) -> list[str]:
    """Return the values of a trailer among pairs of key and value; git takes keys in any case."""
    return [value.strip() for found, value in pairs if found.lower() == key.lower()]
