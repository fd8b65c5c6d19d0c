"""Covers secrets in text that is shown. The text itself is never changed on disk by this."""

from doll.secrets.scanning import scan


def mask(text: str) -> str:
    """Return `text` with every secret value replaced by `[secret: <detector>]`."""
    hits = scan(text)
    if not hits:
        return text
    pieces = []
    position = 0
    for hit in hits:
        pieces += [text[position : hit.start], f"[secret: {hit.detector}]"]
        position = hit.end
    return "".join([*pieces, text[position:]])
