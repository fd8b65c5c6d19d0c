"""Covers secrets in text that is shown. The text itself is never changed on disk by this."""

from collections.abc import Sequence
from typing import Any

from doll.secrets.hits import Hit
from doll.secrets.scanning import scan

# What stands right behind a cover may be taken for a value together with it.
_PASSES = 4
_COVER = "[secret: "


def mask(text: str) -> str:
    """Return `text` with every secret value replaced by `[secret: <detector>]`."""
    for _ in range(_PASSES):
        hits = scan(text)
        if not hits:
            break
        text = _covered(text, hits)
    return text


def mask_first(text: str, most: int) -> str:
    """Return the first `most` characters of `mask(text)`, without looking at all of a long text.

    Twice as many are looked at, so that no half of a secret is left over; what stands near the end
    of these is not returned, and so it may be less where much was covered.
    """
    if len(text) <= 2 * most:
        return mask(text)[:most]
    shown = mask(text[: 2 * most])
    return shown[: max(0, min(most, len(shown) - most // 2))]


def _covered(text: str, hits: Sequence[Hit]) -> str:
    pieces = []
    position = 0
    for hit in hits:
        # A cover that was taken for the beginning of a value makes room for the new one.
        before = text[position : hit.start].removesuffix(_COVER)
        pieces += [before, f"{_COVER}{hit.detector}]"]
        position = hit.end
    return "".join([*pieces, text[position:]])


def mask_within(value: Any) -> Any:
    """Return a value of texts, lists and mappings with every text in it masked, keys too."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list | tuple):
        return [mask_within(item) for item in value]
    if isinstance(value, dict):
        return {mask(key): _beside(key, item) for key, item in value.items()}
    return value


def _beside(key: str, value: Any) -> Any:
    """Return the value of a key; the key can be what says that it is a secret."""
    if not isinstance(value, str):
        return mask_within(value)
    head = f"{key}: "
    said = mask(head + value)
    return said.removeprefix(head) if said.startswith(head) else mask(value)
