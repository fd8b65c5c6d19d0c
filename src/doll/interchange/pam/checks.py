"""Every check of a memory store that can refuse it, together: schema, ids, hashes, checksum."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from doll.errors import Problem, errors_in
from doll.interchange.base import Document
from doll.interchange.json_places import placed
from doll.interchange.pam import integrity, schema
from doll.interchange.pointers import SURROGATE
from doll.interchange.refusals import refused

Indexed = list[tuple[int, Mapping[str, Any]]]


class Examined(NamedTuple):
    """What is known of a store that was not refused.

    `digests` are SHA-256 (64 hex digits) of the memories by index, None where one has no RFC 8785
    form; `checksum` is `verified`, `none` or `not_checkable`.
    """

    digests: tuple[str | None, ...]
    checksum: str
    warnings: tuple[Problem, ...]


def examine(store: Mapping[str, Any], document: Document) -> Examined:
    """Check a store; InvalidDocumentError with every problem that was found."""
    name = document.file
    checked = schema.check(store, name)
    right = _right_memories(store, checked.wrong)
    problems = [
        *checked.problems,
        *_repeated_ids(right, name),
        *_wrong_hashes(right, name),
        *_broken_texts(store, name),
    ]
    examined = Examined((), "none", ())
    if not checked.problems:
        examined, found = _digested(store, name)
        problems += found
    if problems:
        message = f"{name} is not a valid PAM memory store"
        raise refused(message, placed(problems, document.data), unexamined=checked.unexamined)
    return examined


def _digested(store: Mapping[str, Any], name: str) -> tuple[Examined, list[Problem]]:
    digests = integrity.digests(store["memories"])
    checksum = integrity.check(store, digests, name)
    errors = errors_in(checksum.problems)
    warnings = tuple(problem for problem in checksum.problems if problem not in errors)
    return Examined(digests.entries, checksum.status, warnings), errors


def _right_memories(store: Mapping[str, Any], wrong: frozenset[int]) -> Indexed:
    memories = store.get("memories")
    if not isinstance(memories, list):
        return []
    return [(index, each) for index, each in enumerate(memories) if index not in wrong]


def _repeated_ids(memories: Indexed, name: str) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for index, memory in memories:
        before = first.setdefault(memory["id"], index)
        if before != index:
            message = f"the id of /memories/{before} stands here again"
            hint = "ids are unique in a store: keep one of the two, or give one another id"
            pointer = f"/memories/{index}/id"
            yield Problem(name, 0, 0, "pam.duplicate_id", message, hint=hint, pointer=pointer)


def _wrong_hashes(memories: Indexed, name: str) -> Iterator[Problem]:
    for index, memory in memories:
        content = memory["content"]
        if SURROGATE.search(content):
            continue  # such text has no UTF-8 form to hash; the memory will be parked
        if not integrity.content_hash_holds(content, memory["content_hash"]):
            message = "the content is not the one that the hash was made for"
            hint = "the file was changed or damaged after the export: export it again"
            pointer = f"/memories/{index}/content_hash"
            yield Problem(name, 0, 0, "pam.content_hash", message, hint=hint, pointer=pointer)


def _broken_texts(store: Mapping[str, Any], name: str) -> Iterator[Problem]:
    """Yield a problem for texts that name the document and are no Unicode text."""
    owner = store.get("owner")
    owner_id = owner.get("id") if isinstance(owner, dict) else None
    for pointer, text in (("/owner/id", owner_id), ("/export_id", store.get("export_id"))):
        if isinstance(text, str) and SURROGATE.search(text):
            message = "this holds half of a surrogate pair, which is no Unicode text"
            yield Problem(name, 0, 0, "text.surrogate", message, pointer=pointer)
