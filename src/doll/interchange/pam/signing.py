"""Signing an export with an Ed25519 private key. Pure: the key's bytes come from the caller.

No message quotes a byte of the key.
Source: PAM specification v1.0, section 18.3; RFC 8032; the multibase and multicodec tables.
"""

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from doll.errors import InvalidDocumentError
from doll.interchange.pam import multibase as codes
from doll.interchange.pam.integrity import canonical

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MAX_KEY_BYTES = 64 * 1024

_OPENSSH = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_MAKE = "openssl genpkey -algorithm ed25519 -out key.pem    makes one"


def read_key(data: bytes, name: str) -> "Ed25519PrivateKey":
    """Return the Ed25519 private key in a PEM or OpenSSH file; `name` is for messages.

    InvalidDocumentError for anything else, and for a key that a passphrase protects.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        load_pem_private_key,
        load_ssh_private_key,
    )

    load = load_ssh_private_key if data.lstrip().startswith(_OPENSSH) else load_pem_private_key
    try:
        key = load(data.lstrip(), password=None)
    except TypeError:
        raise _protected(name) from None
    except (ValueError, UnsupportedAlgorithm) as error:
        if "password" in str(error).lower() or "encrypted" in str(error).lower():
            raise _protected(name) from None
        message = f"{name} holds no private key in PEM or OpenSSH form"
        raise InvalidDocumentError(message, hint=_hint_for(data)) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise InvalidDocumentError(f"{name} holds a key of another kind than Ed25519", hint=_MAKE)
    return key


def _protected(name: str) -> InvalidDocumentError:
    return InvalidDocumentError(
        f"{name} is protected by a passphrase, and doll asks for none",
        hint=f"give a key file without one, for its owner alone: {_MAKE}",
    )


def _hint_for(data: bytes) -> str:
    if data.lstrip().startswith((b"ssh-", b"-----BEGIN PUBLIC")):
        return "this is the public half; give the private key"
    return _MAKE


def block(key: "Ed25519PrivateKey", head: Mapping[str, Any], checksum: str) -> dict[str, str]:
    """Return the signature of an export; it is dated by the export, so that its bytes stay."""
    payload = canonical(
        {
            "checksum": checksum,
            "export_id": head["export_id"],
            "export_date": head["export_date"],
            "owner_id": head["owner"]["id"],
        }
    )
    assert payload is not None, "texts have an RFC 8785 form"
    return {
        "algorithm": "Ed25519",
        "public_key": multibase(key),
        "value": base64.urlsafe_b64encode(key.sign(payload)).decode("ascii").rstrip("="),
        "signed_at": head["export_date"],
    }


def multibase(key: "Ed25519PrivateKey") -> str:
    """Return the public key as multibase text (`z6Mk…`)."""
    return codes.encode(codes.ED25519 + key.public_key().public_bytes_raw())
