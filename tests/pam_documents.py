"""Small PAM documents for tests, made without any code of doll's or of the PAM package.

`sealed` computes hashes and checksum anew after a test has changed a document; tests that want
them wrong do not call it. Numbers in memories must be integers or have a fraction, so that
Python's JSON is RFC 8785 for them.
"""

import base64
import copy
import hashlib
import json
import re
import unicodedata
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

Json = dict[str, Any]

OWNER = "11111111-2222-4333-8444-555555555555"
EXPORT_DATE = "2026-02-15T22:00:00Z"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def canonical(value: object) -> bytes:
    """Return RFC 8785 bytes; right for Unicode text and the numbers named above."""
    return json.dumps(_ordered(value), separators=(",", ":"), ensure_ascii=False).encode()


def _ordered(value: object) -> object:
    """Return the value with its names in the order of UTF-16 units (RFC 8785, section 3.2.3)."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return {name: _ordered(value[name]) for name in names}
    return [_ordered(item) for item in value] if isinstance(value, list) else value


def sha256(data: bytes) -> str:
    """Return a digest as PAM writes it."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def content_hash(content: str) -> str:
    """Return the content hash of the reference code."""
    text = unicodedata.normalize("NFC", content.strip().lower())
    return sha256(re.sub(r"\s+", " ", text).encode())


def memory(content: str = "Prefers tea to coffee.", **changes: Any) -> Json:
    """Return a memory with only what is required, changed as wanted."""
    made: Json = {
        "id": "mem-1",
        "type": "preference",
        "content": content,
        "content_hash": "",
        "temporal": {"created_at": "2025-03-04T08:12:00Z"},
        "provenance": {"platform": "chatgpt"},
    }
    return made | changes


def full_memory(**changes: Any) -> Json:
    """Return a memory with every field of the format."""
    return memory(
        **{
            "id": "mem-full",
            "custom_type": None,
            "status": "superseded",
            "summary": "Tea, not coffee",
            "tags": ["drinks", "tea"],
            "confidence": {
                "initial": 0.75,
                "current": 0.5,
                "decay_model": "time_linear",
                "last_reinforced": "2026-01-18T19:40:00Z",
            },
            "temporal": {
                "created_at": "2025-03-04T08:12:00Z",
                "updated_at": "2026-01-18T19:40:00+02:00",
                "valid_from": "2025-01-01T00:00:00Z",
                "valid_until": "2027-01-01T00:00:00Z",
                "superseded_by": "mem-1",
            },
            "provenance": {
                "platform": "chatgpt",
                "platform_user_id": "user-7",
                "conversation_ref": "conv-1",
                "message_ref": "msg-3",
                "extraction_method": "llm_inference",
                "extracted_at": "2025-03-04T08:12:30Z",
                "extractor": "exporter/1.2.0",
            },
            "access": {
                "visibility": "shared",
                "exportable": False,
                "shared_with": [{"entity": "agent-1", "permissions": ["read"]}],
            },
            "embedding_ref": "emb-1",
            "metadata": {"language": "en", "domain": "personal", "room": {"floor": 2}},
            **changes,
        }
    )


def relation(start: str, end: str, kind: str = "supersedes", **changes: Any) -> Json:
    """Return a relation between two memories."""
    made: Json = {
        "id": f"rel-{start}-{end}",
        "from": start,
        "to": end,
        "type": kind,
        "created_at": "2025-03-04T08:12:00Z",
    }
    return made | changes


def store(*memories: Json, **changes: Any) -> Json:
    """Return a sealed store of these memories (one plain one when none is given)."""
    made: Json = {
        "schema": "portable-ai-memory",
        "schema_version": "1.0",
        "export_id": "export-1",
        "exported_by": "exporter/1.2.0",
        "export_date": EXPORT_DATE,
        "owner": {"id": OWNER},
        "memories": [copy.deepcopy(each) for each in memories or (memory(),)],
        "integrity": {},
        "export_type": "full",
    }
    return sealed(made | changes)


def sealed(document: Json) -> Json:
    """Return a copy with right content hashes and, where there is one, a right integrity block."""
    made = copy.deepcopy(document)
    for each in made["memories"]:
        each["content_hash"] = content_hash(each["content"])
    if made.get("integrity") is not None:
        ordered = sorted(made["memories"], key=lambda each: str(each["id"]))
        made["integrity"] = {
            "canonicalization": "RFC8785",
            "checksum": sha256(canonical(ordered)),
            "total_memories": len(ordered),
        }
    return made


def signed(document: Json, **changes: Any) -> Json:
    """Return a copy with an Ed25519 signature by `KEY`, its block changed as wanted."""
    payload = {
        "checksum": document["integrity"]["checksum"],
        "export_id": document["export_id"],
        "export_date": document["export_date"],
        "owner_id": document["owner"]["id"],
    }
    value = base64.urlsafe_b64encode(KEY.sign(canonical(payload))).decode().rstrip("=")
    block: Json = {
        "algorithm": "Ed25519",
        "public_key": multibase(KEY),
        "value": value,
        "signed_at": EXPORT_DATE,
    }
    return copy.deepcopy(document) | {"signature": block | changes}


def multibase(key: Ed25519PrivateKey) -> str:
    """Return the public key as `z6Mk…`."""
    raw = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    number, digits = int.from_bytes(b"\xed\x01" + raw, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        digits = _BASE58[digit] + digits
    return f"z{digits}"


def encoded(document: object) -> bytes:
    """Return a document as an exporter writes it."""
    return json.dumps(document, indent=2, ensure_ascii=False).encode()
