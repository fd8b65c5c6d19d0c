"""The signature of a memory store: can it be checked, and does it hold?

A signature proves where the export comes from, never that what it says is true; whatever comes
out here changes no candidate.
Source: PAM specification v1.0, section 18; RFC 8032; RFC 7518, sections 3.3 and 3.4.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from doll.interchange.pam import public_keys
from doll.interchange.pam.integrity import canonical

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.hashes import HashAlgorithm

    from doll.interchange.pam.public_keys import PublicKey

Status = Literal["none", "not_checkable", "verified", "wrong"]

_ED25519_BYTES = 64
# The curve, the bytes of one of the two numbers, and the size of the hash in bits.
_CURVES = {"ES256": ("secp256r1", 32, 256), "ES384": ("secp384r1", 48, 384)}
_RSA = {"RS256": 256, "RS384": 384, "RS512": 512}


def status(store: Mapping[str, Any], checksum: str) -> Status:
    """Return what can be said of the signature of a store whose shape is right.

    `checksum` is the status of the store's checksum: a signature covers the memories only through
    it, so without a verified one there is nothing to check.
    """
    block = store.get("signature")
    if block is None:
        return "none"
    if checksum != "verified":
        return "not_checkable"
    value, payload = public_keys.base64url(block["value"]), canonical(_payload(store))
    key = public_keys.read(block["public_key"])
    if key is None or value is None or payload is None:
        return "not_checkable"
    holds = _holds(block["algorithm"], key, value, payload)
    if holds is None:
        return "not_checkable"
    return "verified" if holds else "wrong"


def _payload(store: Mapping[str, Any]) -> dict[str, str]:
    return {
        "checksum": store["integrity"]["checksum"],
        "export_id": store["export_id"],
        "export_date": store["export_date"],
        "owner_id": store["owner"]["id"],
    }


def _holds(algorithm: str, key: "PublicKey", value: bytes, payload: bytes) -> bool | None:
    """Return whether the signature holds; None where key or value is none of this algorithm."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    try:
        if algorithm == "Ed25519" and isinstance(key, Ed25519PublicKey):
            if len(value) != _ED25519_BYTES:
                return None
            key.verify(value, payload)
            return True
        if algorithm in _CURVES and isinstance(key, EllipticCurvePublicKey):
            return _verify_ecdsa(algorithm, key, value, payload)
        if algorithm in _RSA and isinstance(key, RSAPublicKey):
            return _verify_rsa(algorithm, key, value, payload)
    except InvalidSignature:
        return False
    return None


def _verify_ecdsa(
    algorithm: str, key: "EllipticCurvePublicKey", value: bytes, payload: bytes
) -> bool | None:
    """Check an ECDSA signature, as JWS writes it (both numbers at full length) or as DER."""
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    curve, length, bits = _CURVES[algorithm]
    if key.curve.name != curve:
        return None
    if len(value) == 2 * length:
        halves = (int.from_bytes(half, "big") for half in (value[:length], value[length:]))
        value = utils.encode_dss_signature(*halves)
    else:
        try:
            utils.decode_dss_signature(value)
        except ValueError:
            return None
    key.verify(value, payload, ec.ECDSA(_hash(bits)))
    return True


def _verify_rsa(algorithm: str, key: "RSAPublicKey", value: bytes, payload: bytes) -> bool | None:
    """Check a PKCS #1 v1.5 signature, which is as long as the key's modulus."""
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

    if len(value) != (key.key_size + 7) // 8:
        return None
    key.verify(value, payload, PKCS1v15(), _hash(_RSA[algorithm]))
    return True


def _hash(bits: int) -> "HashAlgorithm":
    from cryptography.hazmat.primitives import hashes

    made: dict[int, HashAlgorithm] = {
        256: hashes.SHA256(),
        384: hashes.SHA384(),
        512: hashes.SHA512(),
    }
    return made[bits]
