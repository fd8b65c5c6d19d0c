"""Is this a document that the adapter reads at all? What it is instead is said first and alone."""

from typing import Any, NoReturn

from doll.errors import InvalidDocumentError, Problem
from doll.interchange.base import Document
from doll.interchange.json_places import placed

SCHEMA = "portable-ai-memory"
VERSION = "1.0"
MEDIA = f"{SCHEMA} {VERSION}"

_COMPANIONS = {
    "portable-ai-memory-conversation": "one conversation",
    "portable-ai-memory-embeddings": "embeddings",
}
_STORE = "give the memory store of the export, usually memory-store.json"


def memory_store(value: Any, document: Document) -> dict[str, Any]:
    """Return `value`, the JSON of `document`, when it says that it is a PAM 1.0 memory store.

    Raises InvalidDocumentError for anything else. Nothing but the three fields that say so has
    been checked then.
    """
    if not isinstance(value, dict) or "schema" not in value:
        _refuse(document, "", "pam.not_a_store", "this is no PAM document", _STORE)
    schema, version = value["schema"], value.get("schema_version")
    if isinstance(schema, str) and schema in _COMPANIONS:
        message = f"this is a companion file of a PAM export: {_COMPANIONS[schema]}"
        hint = f"{_STORE}, or the whole folder"
        _refuse(document, "/schema", "pam.not_a_store", message, hint)
    if schema != SCHEMA:
        message = f"`schema` is not {SCHEMA}, so this is no PAM memory store"
        _refuse(document, "/schema", "pam.not_a_store", message, _STORE)
    if version != VERSION:
        shown = f"{version[:40]!a}" if isinstance(version, str) else "missing or no text"
        message = f"`schema_version` is {shown}; this doll reads {VERSION}"
        hint = f"export as PAM {VERSION}, or update doll"
        pointer = "/schema_version" if "schema_version" in value else ""
        _refuse(document, pointer, "pam.version", message, hint)
    return value


def _refuse(document: Document, pointer: str, code: str, message: str, hint: str) -> NoReturn:
    problem = Problem(document.file, 0, 0, code, message, hint=hint, pointer=pointer)
    places = placed([problem], document.data)
    raise InvalidDocumentError(f"{document.file}: {message}", hint=hint, problems=places)
