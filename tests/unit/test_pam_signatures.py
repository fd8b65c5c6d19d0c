"""Signatures of every algorithm of the format: verified, wrong, or not checkable and said so."""

import base64
import json
from collections.abc import Callable
from functools import cache

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.errors import InvalidDocumentError
from doll.interchange.base import Decoded, Document, Options
from doll.interchange.pam import multibase, public_keys
from doll.interchange.pam.adapter import PamAdapter
from tests.pam_documents import KEY, Json, canonical, encoded, signed, store

Private = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey
HASHES: dict[str, hashes.HashAlgorithm] = {
    "256": hashes.SHA256(),
    "384": hashes.SHA384(),
    "512": hashes.SHA512(),
}
ALGORITHMS = ["ES256", "ES384", "RS256", "RS384", "RS512"]


@cache
def private(algorithm: str) -> Private:
    if algorithm == "ES256":
        return ec.derive_private_key(7, ec.SECP256R1())
    if algorithm == "ES384":
        return ec.derive_private_key(7, ec.SECP384R1())
    return rsa.generate_private_key(65537, 2048)


def url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def numbers(key: Private) -> Json:
    """Return the key as a JWK."""
    if isinstance(key, rsa.RSAPrivateKey):
        public = key.public_key().public_numbers()
        return {"kty": "RSA", "n": url(public.n.to_bytes(256, "big")), "e": "AQAB"}
    point = key.public_key().public_numbers()
    size = key.key_size // 8
    x, y = (url(part.to_bytes(size, "big")) for part in (point.x, point.y))
    return {"kty": "EC", "crv": f"P-{key.key_size}", "x": x, "y": y}


def jwk(key: Private) -> str:
    return json.dumps(numbers(key))


def pem(key: Private) -> str:
    form = PublicFormat.SubjectPublicKeyInfo
    return key.public_key().public_bytes(Encoding.PEM, form).decode()


def multicodec(key: Private) -> str:
    if isinstance(key, rsa.RSAPrivateKey):
        der = key.public_key().public_bytes(Encoding.DER, PublicFormat.PKCS1)
        return multibase.encode(multibase.RSA + der)
    codec = multibase.P256 if key.key_size == 256 else multibase.P384
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    return multibase.encode(codec + point)


def signature(algorithm: str, payload: bytes, *, der: bool = False) -> bytes:
    key, chosen = private(algorithm), HASHES[algorithm[2:]]
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(payload, padding.PKCS1v15(), chosen)
    made = key.sign(payload, ec.ECDSA(chosen))
    if der:
        return made
    size = key.key_size // 8
    return b"".join(each.to_bytes(size, "big") for each in utils.decode_dss_signature(made))


def export(algorithm: str, *, der: bool = False, **changes: str) -> Json:
    """Return a store with a right signature, its block changed as wanted."""
    document = store()
    payload = {
        "checksum": document["integrity"]["checksum"],
        "export_id": document["export_id"],
        "export_date": document["export_date"],
        "owner_id": document["owner"]["id"],
    }
    block = {
        "algorithm": algorithm,
        "public_key": jwk(private(algorithm)),
        "value": url(signature(algorithm, canonical(payload), der=der)),
    }
    return signed(document, **block | changes)


def decode(document: Json) -> Decoded:
    return PamAdapter().decode(Document("export.json", encoded(document)), Options())


def status(document: Json) -> str:
    return decode(document).facts["signature"]


@pytest.mark.parametrize("form", [jwk, pem, multicodec])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_right_one_is_verified(algorithm: str, form: Callable[[Private], str]) -> None:
    assert status(export(algorithm, public_key=form(private(algorithm)))) == "verified"


@pytest.mark.parametrize("algorithm", ["ES256", "ES384"])
def test_an_ecdsa_signature_may_be_der(algorithm: str) -> None:
    assert status(export(algorithm, der=True)) == "verified"


@pytest.mark.parametrize("form", ["jwk", "pem"])
def test_an_ed25519_key_may_be_a_jwk_or_pem(form: str) -> None:
    public = KEY.public_key()
    text = json.dumps({"kty": "OKP", "crv": "Ed25519", "x": url(public.public_bytes_raw())})
    if form == "pem":
        spki = PublicFormat.SubjectPublicKeyInfo
        text = public.public_bytes(Encoding.PEM, spki).decode()
    assert status(signed(store(), public_key=text)) == "verified"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_wrong_one_is_refused(algorithm: str) -> None:
    document = export(algorithm) | {"export_id": "export-2"}
    with pytest.raises(InvalidDocumentError) as caught:
        decode(document)
    assert [problem.code for problem in caught.value.problems] == ["pam.signature_wrong"]
    accepted = Options(accept_bad_signature=True)
    found = PamAdapter().decode(Document("export.json", encoded(document)), accepted)
    assert found.facts["signature"] == "wrong"


def test_another_hash_is_wrong() -> None:
    value = url(signature("RS384", b"x"))
    document = export("RS256", public_key=jwk(private("RS384")), value=value)
    with pytest.raises(InvalidDocumentError):
        decode(document)


@pytest.mark.parametrize("algorithm", ["Ed25519", *ALGORITHMS])
@pytest.mark.parametrize("other", ["ES256", "ES384", "RS256"])
def test_a_key_of_another_kind_is_not_checkable(algorithm: str, other: str) -> None:
    if algorithm[:2] == other[:2] == "RS" or algorithm == other:
        return
    document = signed(store(), algorithm=algorithm, public_key=jwk(private(other)))
    assert status(document) == "not_checkable"


@pytest.mark.parametrize(
    "change",
    [
        {"value": "AAAA"},
        {"value": url(bytes(63))},
        {"value": "eyJhbGciOiJFUzI1NiJ9..AAAA"},
        {"public_key": "{}"},
        {"public_key": "{" * 10_000},
        {"public_key": '{"kty": "EC", "crv": "P-256"}'},
        {"public_key": '{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AAAA"}'},
        {"public_key": '{"kty": "EC", "crv": "P-256", "x": 1, "y": []}'},
        {"public_key": '{"kty": "EC", "kty": "EC"}'},
        {"public_key": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"},
        {"public_key": "-----BEGIN CERTIFICATE-----"},
        {"public_key": multibase.encode(multibase.P256 + bytes(33))},
        {"public_key": "z" + "2" * 5_000},
    ],
)
def test_what_cannot_be_checked_goes_on(change: dict[str, str]) -> None:
    decoded = decode(export("ES256", der=False, **change))
    assert decoded.facts["signature"] == "not_checkable"
    assert len(decoded.candidates) == 1


def test_a_weak_or_huge_rsa_key_proves_nothing() -> None:
    small = {"kty": "RSA", "n": url(b"\xff" * 128), "e": "AQAB"}
    huge = {"kty": "RSA", "n": url(b"\xff" * 2048), "e": "AQAB"}
    for each in (small, huge):
        assert status(export("RS256", public_key=json.dumps(each))) == "not_checkable"


def test_a_verified_one_changes_no_candidate() -> None:
    assert decode(export("ES384")).candidates == decode(store()).candidates


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_multibase_gives_back_what_it_wrote(data: bytes) -> None:
    assert multibase.decode(multibase.encode(data)) == data


@settings(deadline=None)
@given(
    st.text(max_size=80)
    | st.binary(max_size=80).map(lambda data: multibase.encode(multibase.RSA + data))
    | st.text(max_size=60).map(lambda x: f'{{"kty": "RSA", "n": "{x}", "e": "AQAB"}}')
    | st.text(max_size=60).map(
        lambda x: f"-----BEGIN PUBLIC KEY-----\n{x}\n-----END PUBLIC KEY-----"
    )
)
def test_no_text_breaks_the_reading_of_keys(text: str) -> None:
    found = public_keys.read(text)
    assert found is None or hasattr(found, "verify")
