"""Exports on a desk: memories written and committed, what `doll export pam` prints, recomputed."""

import hashlib
import re
import unicodedata
from datetime import UTC, datetime
from typing import Any

from tests.desk import Desk, Result
from tests.foreign_desk import ForeignDesk
from tests.pam_documents import Json, canonical

OWNER = "ada"
DATE = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
GITHUB = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


def remember(desk: Desk, **records: str) -> None:
    """Write and commit memories: each the text of a file, or just what its front matter says."""
    for name, text in records.items():
        whole = text if text.startswith("---") else f"---\n{text}\n---\nAbout {name}.\n"
        desk.put(f"confirmed/{name.replace('_', '-')}.md", whole)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "remember")


def run(desk: Desk, *arguments: str, code: int = 0) -> Result:
    """Run `doll export pam` as `OWNER`, and hold it to its exit code."""
    result = desk.doll("export", "pam", "--owner", OWNER, *arguments)
    assert result.code == code, result.err
    return result


def exported(desk: Desk, *arguments: str, code: int = 0) -> Json:
    """Return the store that `doll export pam` prints."""
    document: Json = run(desk, *arguments, code=code).json
    return document


def report(desk: Desk, *arguments: str, code: int = 0) -> Json:
    """Return the document of `doll export pam --json`."""
    document: Json = run(desk, *arguments, "--json", code=code).json
    return document


def ids(document: Json) -> list[str]:
    """Return the ids of the memories of a store."""
    return [memory["id"] for memory in document["memories"]]


def reasons(document: Json) -> dict[str, int]:
    """Return how many records a report left out, by reason."""
    return {each["reason"]: each["number"] for each in document["left_out"]}


def lost(document: Json) -> dict[str, list[str]]:
    """Return the fields that a report names as lost, by record."""
    return {each["id"]: [lost["field"] for lost in each["fields"]] for each in document["lost"]}


def survives(memory: Json) -> tuple[Any, ...]:
    """Return what of a memory has to survive an export and an import: all but its id and type."""
    temporal = memory["temporal"]
    times = (temporal["created_at"], temporal.get("updated_at"))
    return memory["content"], memory["summary"], tuple(memory["tags"]), times


def checked(document: Json) -> Json:
    """Hold hashes, checksum and order of a store to what they have to be, by other code; return it.

    The product hashes with the `rfc8785` and `portable_ai_memory` packages, this does not.
    """
    memories = document["memories"]
    assert ids(document) == sorted(ids(document))
    for memory in memories:
        text = unicodedata.normalize("NFC", memory["content"].strip().lower())
        normal = re.sub(r"\s+", " ", text).encode()
        assert memory["content_hash"] == f"sha256:{hashlib.sha256(normal).hexdigest()}"
    assert document["integrity"] == {
        "canonicalization": "RFC8785",
        "checksum": f"sha256:{hashlib.sha256(canonical(memories)).hexdigest()}",
        "total_memories": len(memories),
    }
    return document


def approve_all(desk: ForeignDesk, document: bytes) -> None:
    """Import an export into the vault of a desk, approve every candidate, and commit."""
    for candidate in desk.committed(document):
        desk.approve(candidate)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "approved")
