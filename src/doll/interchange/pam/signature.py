"""The signature of a memory store: can it be checked, and does it hold?

A signature proves where the export comes from, never that what it says is true; whatever comes
out here changes no candidate. Only Ed25519 is checked.
Source: PAM specification v1.0, section 18.3; RFC 8032; the multibase and multicodec tables.
"""

import base64
import re
from collections.abc import Mapping
from typing import Any, Literal

from doll.interchange.pam.integrity import canonical

Status = Literal["none", "not_checkable", "verified", "wrong"]

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_ED25519_CODEC = b"\xed\x01"
_KEY_BYTES = 32
_SIGNATURE_BYTES = 64
_BASE64URL = re.compile(r"[A-Za-z0-9_-]+={0,2}")


def status(store: Mapping[str, Any], checksum: str) -> Status:
    """Return what can be said of the signature of a store whose shape is right.

    `checksum` is the status of the store's checksum: a signature covers the memories only through
    it, so without a verified one there is nothing to check.
    """
    block = store.get("signature")
    if block is None:
        return "none"
    if checksum != "verified" or block["algorithm"] != "Ed25519":
        return "not_checkable"
    key, value = ed25519_key(block["public_key"]), _base64url(block["value"])
    payload = canonical(_payload(store))
    if key is None or value is None or len(value) != _SIGNATURE_BYTES or payload is None:
        return "not_checkable"
    return "verified" if _holds(key, value, payload) else "wrong"


def _payload(store: Mapping[str, Any]) -> dict[str, str]:
    return {
        "checksum": store["integrity"]["checksum"],
        "export_id": store["export_id"],
        "export_date": store["export_date"],
        "owner_id": store["owner"]["id"],
    }


def _holds(key: bytes, value: bytes, payload: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(value, payload)
    except InvalidSignature:
        return False
    return True


def ed25519_key(text: str) -> bytes | None:
    """Return the 32 bytes of a multibase Ed25519 key (`z6Mk…`), or None for anything else."""
    if not text.startswith("z6Mk") or len(text) > 2 * _KEY_BYTES:
        return None
    number = 0
    for character in text[1:]:
        digit = _BASE58.find(character)
        if digit < 0:
            return None
        number = number * 58 + digit
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    if len(data) != len(_ED25519_CODEC) + _KEY_BYTES or not data.startswith(_ED25519_CODEC):
        return None
    return data[len(_ED25519_CODEC) :]


def _base64url(text: str) -> bytes | None:
    """Return the bytes of base64url text with or without padding; None for anything else."""
    if not _BASE64URL.fullmatch(text):
        return None
    digits = text.rstrip("=")
    if len(digits) % 4 == 1:
        return None
    return base64.urlsafe_b64decode(digits + "=" * (-len(digits) % 4))
