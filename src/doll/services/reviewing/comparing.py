"""A unified diff of two texts, in bounded time. Pure."""

from collections.abc import Iterator

_MOST_LINES = 2000
_CONTEXT = 3


def unified(before: str, after: str, old_name: str, new_name: str) -> Iterator[str]:
    """Yield the lines of a unified diff, without line ends; nothing for equal texts.

    Between long texts, lines that differ are not matched with each other: what lies between the
    common beginning and the common end counts as replaced.
    """
    old, new = before.split("\n"), after.split("\n")
    old_label, new_label = f"a/{old_name}" if old_name else "/dev/null", f"b/{new_name}"
    if not before:
        old = []
    if len(old) + len(new) <= _MOST_LINES:
        from difflib import unified_diff

        yield from unified_diff(old, new, old_label, new_label, n=_CONTEXT, lineterm="")
        return
    if old == new:
        return
    yield from (f"--- {old_label}", f"+++ {new_label}")
    start, end = _common(old, new)
    first = max(0, start - _CONTEXT)
    old_stop, new_stop = len(old) - end, len(new) - end
    tail = old[old_stop : old_stop + _CONTEXT]
    sizes = (old_stop - first + len(tail), new_stop - first + len(tail))
    yield f"@@ -{first + 1},{sizes[0]} +{first + 1},{sizes[1]} @@"
    yield from (f" {line}" for line in old[first:start])
    yield from (f"-{line}" for line in old[start:old_stop])
    yield from (f"+{line}" for line in new[start:new_stop])
    yield from (f" {line}" for line in tail)


def _common(old: list[str], new: list[str]) -> tuple[int, int]:
    """Return how many lines both texts share at their beginning and then at their end."""
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    room = shorter - start
    end = next((i for i in range(room) if old[-1 - i] != new[-1 - i]), room)
    return start, end
