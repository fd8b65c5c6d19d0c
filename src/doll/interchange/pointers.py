"""JSON Pointers (RFC 6901), and text that may hold halves of surrogate pairs made printable."""

import re

SURROGATE = re.compile("[\ud800-\udfff]")


def join(pointer: str, *parts: str | int) -> str:
    """Return `pointer` continued by `parts`, each a property's name or an index."""
    return pointer + "".join(f"/{escaped(str(part))}" for part in parts)


def escaped(name: str) -> str:
    """Return a property's name as one part of a pointer."""
    if "~" in name or "/" in name:
        return name.replace("~", "~0").replace("/", "~1")
    return name


def parts(pointer: str) -> tuple[str, ...]:
    """Return the names and indices that a pointer goes through."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])


def encodable(text: str) -> str:
    r"""Return `text` with each half of a surrogate pair written out (`\ud800`), for messages."""
    return text.encode("utf-8", "backslashreplace").decode()
