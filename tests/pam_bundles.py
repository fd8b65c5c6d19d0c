"""Whole PAM exports for tests: a store with conversations and embeddings, as a folder or a zip."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.pam_documents import EXPORT_DATE, Json, encoded, memory, store

MAIN = "memory-store.json"


def conversation(text: str = "Would you like tea?", name: str = "conv-1") -> Json:
    """Return one conversation of one message."""
    return {
        "schema": "portable-ai-memory-conversation",
        "schema_version": "1.0",
        "id": name,
        "messages": [{"id": "msg-1", "role": "user", "content": {"type": "text", "text": text}}],
    }


def embeddings() -> Json:
    """Return embeddings of one memory."""
    vector = {"id": "emb-1", "memory_id": "mem-1", "model": "m", "dimensions": 2}
    vector |= {"created_at": EXPORT_DATE, "vector": [0.5, -0.25]}
    return {
        "schema": "portable-ai-memory-embeddings",
        "schema_version": "1.0",
        "embeddings": [vector],
    }


def indexed(*refs: str, kind: str = "file") -> Json:
    """Return a store whose index names these files; `conv-1` is the first."""
    entries = [
        {
            "id": f"conv-{number}",
            "platform": "chatgpt",
            "temporal": {"created_at": EXPORT_DATE},
            "storage": {"type": kind, "ref": ref, "format": "json"},
        }
        for number, ref in enumerate(refs, 1)
    ]
    provenance = {"platform": "chatgpt", "conversation_ref": "conv-1", "message_ref": "msg-1"}
    return store(memory(provenance=provenance), conversations_index=entries)


def files(**changes: object) -> dict[str, bytes]:
    """Return the files of an export; `store=` replaces its store, `text=` what was said."""
    text = changes.get("text", "Would you like tea?")
    return {
        MAIN: encoded(changes.get("store", indexed("conversations/conv-1.json"))),
        "conversations/conv-1.json": encoded(conversation(str(text))),
        "embeddings.json": json.dumps(embeddings()).encode(),
    }


def folder(place: Path, contents: Mapping[str, bytes]) -> Path:
    """Write the files of an export below `place`."""
    for name, data in contents.items():
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return place


def packed(contents: Mapping[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return the files of an export as a zip archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    return made.getvalue()
