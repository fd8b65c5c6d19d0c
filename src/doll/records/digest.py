"""Digests of file bytes: doll's own (SHA-256) and git's blob ids."""

import hashlib
from collections.abc import Iterable
from typing import Literal

Algorithm = Literal["sha1", "sha256"]


def sha256(data: bytes) -> str:
    """Return the SHA-256 of `data` as 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def blob_id(data: bytes, algorithm: Algorithm = "sha1") -> str:
    """Return the id that git gives a blob of these bytes in a repository of that object format.

    Source: gitformat-loose (git documentation). SHA-1 names the object here; it proves nothing.
    """
    header = b"blob %d\0" % len(data)
    return hashlib.new(algorithm, header + data, usedforsecurity=False).hexdigest()


def blob_id_of(parts: Iterable[bytes], size: int, algorithm: Algorithm = "sha1") -> str:
    """Return what `blob_id` does for bytes that come in parts, `size` in all."""
    made = hashlib.new(algorithm, b"blob %d\0" % size, usedforsecurity=False)
    for part in parts:
        made.update(part)
    return made.hexdigest()
