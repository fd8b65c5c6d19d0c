"""Digests of a memory store, over the JSON as it was read: entries, content hashes, checksum.

A value without an RFC 8785 form (half a surrogate pair, an integer beyond a double) has no
digest; nothing here guesses one.
Source: PAM specification v1.0, sections 6.1, 9.4 and 17; RFC 8785.
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from doll.errors import Problem

Memories = Sequence[Mapping[str, Any]]


class Digests(NamedTuple):
    """SHA-256 (64 hex digits) of each memory by index, and the store's checksums.

    `checksums` has the checksum for ids in the order of code points and, where it differs, of
    UTF-16 units, as JavaScript sorts; it is empty when a memory has no digest.
    """

    entries: tuple[str | None, ...]
    checksums: tuple[str, ...]


def canonical(value: Any) -> bytes | None:
    """Return the RFC 8785 bytes of a JSON value, or None where it has none."""
    import rfc8785

    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError):
        return None


def digests(memories: Memories) -> Digests:
    """Return the digests of the memories; the canonical form of all is never held at once."""
    by_code_point = sorted(range(len(memories)), key=lambda index: str(memories[index]["id"]))
    entries, checksum = _pass(memories, by_code_point)
    if checksum is None:
        return Digests(entries, ())
    by_unit = sorted(
        range(len(memories)), key=lambda index: str(memories[index]["id"]).encode("utf-16-be")
    )
    other = checksum if by_unit == by_code_point else _pass(memories, by_unit)[1]
    return Digests(entries, (checksum,) if other in (None, checksum) else (checksum, str(other)))


def _pass(memories: Memories, order: Sequence[int]) -> tuple[tuple[str | None, ...], str | None]:
    """Hash the memories in `order`, each alone and all as one array."""
    entries: list[str | None] = [None] * len(memories)
    whole, separator, complete = hashlib.sha256(b"["), b"", True
    for index in order:
        data = canonical(memories[index])
        if data is None:
            complete = False
            continue
        entries[index] = hashlib.sha256(data).hexdigest()
        whole.update(separator + data)
        separator = b","
    whole.update(b"]")
    return tuple(entries), f"sha256:{whole.hexdigest()}" if complete else None


def content_hash_holds(content: str, stated: str) -> bool:
    """Return whether `stated` is the content hash of `content` in either reading.

    The reference code collapses every run of white space, section 6.1 only spaces.
    """
    from portable_ai_memory.core.integrity import compute_content_hash

    if compute_content_hash(content) == stated:
        return True
    text = unicodedata.normalize("NFC", content.strip().lower())
    return f"sha256:{hashlib.sha256(re.sub(' +', ' ', text).encode()).hexdigest()}" == stated


class Checksum(NamedTuple):
    """What the integrity block says: `verified`, `none` or `not_checkable`, and problems."""

    status: str
    problems: tuple[Problem, ...]


def check(store: Mapping[str, Any], found: Digests, name: str) -> Checksum:
    """Check checksum and count of a store whose shape is right."""
    stated = store.get("integrity")
    if stated is None:
        return Checksum("none", ())
    problems = []
    total, count = stated["total_memories"], len(store["memories"])
    if total != count:
        message = f"the export says {total:,} memories and holds {count:,}"
        at = "/integrity/total_memories"
        problems.append(_broken(name, at, "pam.total_memories", message))
    if not found.checksums:
        message = "a memory has no RFC 8785 form, so the checksum could not be checked"
        where = "/integrity/checksum"
        problem = Problem(name, 0, 0, "pam.checksum_not_checkable", message, "warning", "", where)
        return Checksum("not_checkable", (*problems, problem))
    if stated["checksum"] not in found.checksums:
        message = "the memories are not those that the checksum was made for"
        problems.append(_broken(name, "/integrity/checksum", "pam.checksum", message))
    return Checksum("verified", tuple(problems))


def _broken(name: str, pointer: str, code: str, message: str) -> Problem:
    hint = "the file was changed or damaged after the export: export it again"
    return Problem(name, 0, 0, code, message, hint=hint, pointer=pointer)
