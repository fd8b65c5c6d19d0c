"""The public key of a signature: multibase, JWK or PEM text to a key, or nothing.

No text raises. What is no key of a kind that the format signs with, or one too weak or too large
to be checked, is None: the signature is not checkable then.
Source: PAM specification v1.0, section 18, and its schema; RFC 7517, 7518 and 8037.
"""

import base64
import re
from typing import TYPE_CHECKING, Any

from doll.errors import InvalidDocumentError
from doll.interchange import strict_json
from doll.interchange.pam import multibase

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import (
        EllipticCurve,
        EllipticCurvePublicKey,
    )
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    PublicKey = Ed25519PublicKey | EllipticCurvePublicKey | RSAPublicKey

MAX_CHARACTERS = 16 * 1024
# The specification asks for 2,048 bits and more; far larger keys only take time.
RSA_BITS = range(2048, 8192 + 1)

_BASE64URL = re.compile(r"[A-Za-z0-9_-]+={0,2}")


def read(text: str) -> "PublicKey | None":
    """Return the key that `text` writes, in whichever of the three forms it is."""
    if len(text) > MAX_CHARACTERS or not text.isascii():
        return None
    stripped = text.strip()
    try:
        if stripped.startswith("{"):
            return _supported(_jwk(stripped))
        if stripped.startswith("-----BEGIN "):
            return _supported(_pem(stripped))
        return _supported(_multibase(text))
    except _unreadable():
        return None


def _unreadable() -> tuple[type[Exception], ...]:
    from cryptography.exceptions import UnsupportedAlgorithm

    return (ValueError, KeyError, TypeError, InvalidDocumentError, UnsupportedAlgorithm)


def _supported(key: Any) -> "PublicKey | None":
    """Return a key of the kinds and sizes that are checked."""
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    if isinstance(key, RSAPublicKey):
        return key if key.key_size in RSA_BITS else None
    return key if isinstance(key, Ed25519PublicKey | EllipticCurvePublicKey) else None


def _multibase(text: str) -> Any:
    from cryptography.hazmat.primitives.asymmetric import ec

    data = multibase.decode(text) or b""
    codec, raw = data[:2], data[2:]
    if codec == multibase.ED25519:
        return _ed25519(raw)
    if codec == multibase.P256:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw)
    if codec == multibase.P384:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP384R1(), raw)
    return _der(raw) if codec == multibase.RSA else None


def _ed25519(raw: bytes) -> "Ed25519PublicKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(raw)


def _der(raw: bytes) -> Any:
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    return load_der_public_key(raw)


def _pem(text: str) -> Any:
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    return load_pem_public_key(text.encode("ascii"))


def _jwk(text: str) -> Any:
    value = strict_json.read(text.encode("ascii"), "").value
    if not isinstance(value, dict):
        return None
    match value.get("kty"), value.get("crv"):
        case "OKP", "Ed25519":
            return _ed25519(_member(value, "x"))
        case "EC", "P-256" | "P-384" as curve:
            return _point(curve, _member(value, "x"), _member(value, "y"))
        case "RSA", _:
            return _rsa(_member(value, "n"), _member(value, "e"))
    return None


def _point(curve: str, x: bytes, y: bytes) -> "EllipticCurvePublicKey":
    from cryptography.hazmat.primitives.asymmetric import ec

    chosen: EllipticCurve = ec.SECP256R1() if curve == "P-256" else ec.SECP384R1()
    if len(x) != len(y):
        raise ValueError("the coordinates have different lengths")
    return ec.EllipticCurvePublicKey.from_encoded_point(chosen, b"\x04" + x + y)


def _rsa(modulus: bytes, exponent: bytes) -> "RSAPublicKey | None":
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

    number, power = int.from_bytes(modulus, "big"), int.from_bytes(exponent, "big")
    if number.bit_length() not in RSA_BITS:
        return None
    return RSAPublicNumbers(power, number).public_key()


def _member(jwk: dict[str, Any], name: str) -> bytes:
    """Return the bytes of a member of a JWK; ValueError where it is none."""
    found = base64url(jwk[name])
    if found is None:
        raise ValueError(f"{name} is no base64url text")
    return found


def base64url(text: str) -> bytes | None:
    """Return the bytes of base64url text with or without padding; None for anything else."""
    if not _BASE64URL.fullmatch(text):
        return None
    digits = text.rstrip("=")
    if len(digits) % 4 == 1:
        return None
    return base64.urlsafe_b64decode(digits + "=" * (-len(digits) % 4))
