"""`doll export pam --sign`: the signature is right, and no message shows a byte of the key."""

import base64
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from doll.interchange.pam import signature
from tests.desk import Desk, make_vault
from tests.exports import checked, exported, remember, run
from tests.foreign_desk import ForeignDesk
from tests.pam_documents import KEY, Json, canonical, multibase
from tests.signing import NEEDS_SSH, make_key

pytestmark = pytest.mark.sampled(4)

EXPORT = ("export", "pam", "--owner", "ada", "--all")
PKCS8, OPENSSH = PrivateFormat.PKCS8, PrivateFormat.OpenSSH


@pytest.fixture
def stocked(desk: Desk) -> Desk:
    """A vault with a memory."""
    remember(desk, tea="title: Tea")
    return desk


def written(
    folder: Path, form: PrivateFormat = PKCS8, encryption: KeySerializationEncryption | None = None
) -> Path:
    """Write the key of the tests to a file of its owner alone."""
    data = KEY.private_bytes(Encoding.PEM, form, encryption or NoEncryption())
    return put(folder, data)


def put(folder: Path, data: bytes, mode: int = 0o600) -> Path:
    """Write a key file."""
    place = folder / "key.pem"
    place.write_bytes(data)
    place.chmod(mode)
    return place


def payload(document: Json) -> bytes:
    """Return what a signature covers, by other code than the product's."""
    return canonical(
        {
            "checksum": document["integrity"]["checksum"],
            "export_id": document["export_id"],
            "export_date": document["export_date"],
            "owner_id": document["owner"]["id"],
        }
    )


def signed_by(document: Json) -> bytes:
    """Return the bytes of a signature."""
    text = document["signature"]["value"]
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@pytest.mark.parametrize("form", [PKCS8, OPENSSH])
def test_the_signature_is_right(stocked: Desk, tmp_path: Path, form: PrivateFormat) -> None:
    document = checked(exported(stocked, "--all", "--sign", str(written(tmp_path, form))))
    block = document["signature"]
    assert block["algorithm"] == "Ed25519"
    assert block["public_key"] == multibase(KEY)
    assert block["signed_at"] == document["export_date"]
    KEY.public_key().verify(signed_by(document), payload(document))
    with pytest.raises(InvalidSignature):
        KEY.public_key().verify(signed_by(document), payload(document) + b" ")
    assert signature.status(document, "verified") == "verified"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_agrees(stocked: Desk, tmp_path: Path) -> None:
    document = exported(stocked, "--all", "--sign", str(written(tmp_path)))
    public = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for name, data in (
        ("public.pem", public), ("payload", payload(document)), ("value", signed_by(document)),
    ):  # fmt: skip
        (tmp_path / name).write_bytes(data)
    command = "pkeyutl -verify -pubin -inkey public.pem -rawin -in payload -sigfile value"
    done = subprocess.run(
        ["openssl", *command.split()], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_same_records_and_key_give_the_same_bytes(stocked: Desk, tmp_path: Path) -> None:
    key = str(written(tmp_path))
    first = run(stocked, "--all", "--sign", key)
    assert first.out == run(stocked, "--all", "--sign", key).out
    assert f"signed with {multibase(KEY)}" in first.err


def test_an_import_verifies_it(
    stocked: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = run(stocked, "--all", "--sign", str(written(tmp_path))).out.encode()
    other = ForeignDesk(make_vault(tmp_path / "other" / "notes"), capsys)
    facts = other.bring(document).json["facts"]
    assert facts["checksum"] == facts["signature"] == "verified"


@NEEDS_SSH
def test_a_key_of_ssh_keygen(stocked: Desk, tmp_path: Path) -> None:
    key = make_key(tmp_path / "ssh", "id_ed25519")
    assert "signature" in exported(stocked, "--all", "--sign", str(key))
    said = stocked.refused(4, *EXPORT, "--sign", f"{key}.pub")
    assert "can be read or changed by others" in said
    os.chmod(f"{key}.pub", 0o600)  # noqa: PTH101
    assert "this is the public half" in stocked.refused(4, *EXPORT, "--sign", f"{key}.pub")


def test_a_key_under_a_passphrase(stocked: Desk, tmp_path: Path) -> None:
    place = written(tmp_path, PKCS8, BestAvailableEncryption(b"open"))
    said = stocked.refused(4, *EXPORT, "--sign", str(place))
    assert "is protected by a passphrase" in said


@NEEDS_SSH
def test_a_key_of_ssh_keygen_under_a_passphrase(stocked: Desk, tmp_path: Path) -> None:
    place = make_key(tmp_path / "ssh", "id_ed25519")
    command = ("ssh-keygen", "-q", "-p", "-N", "opened", "-f", str(place))
    subprocess.run(command, check=True, capture_output=True)
    said = stocked.refused(4, *EXPORT, "--sign", str(place))
    assert "is protected by a passphrase" in said


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o620, 0o666, 0o601])
def test_a_key_that_others_can_read(stocked: Desk, tmp_path: Path, mode: int) -> None:
    place = written(tmp_path)
    place.chmod(mode)
    said = stocked.refused(4, *EXPORT, "--sign", str(place))
    assert f"chmod 600 {place}" in said
    stocked.type(f"chmod 600 {place}")
    exported(stocked, "--all", "--sign", str(place))


@pytest.mark.parametrize("damage", [b"", b"\x00\xff", b"-----BEGIN PRIVATE KEY-----\nMC4=\n"])
def test_a_file_that_holds_no_key(stocked: Desk, tmp_path: Path, damage: bytes) -> None:
    said = stocked.refused(4, *EXPORT, "--sign", str(put(tmp_path, damage)))
    assert "holds no private key" in said


def test_no_message_shows_a_byte_of_a_damaged_key(stocked: Desk, tmp_path: Path) -> None:
    data = KEY.private_bytes(Encoding.PEM, OPENSSH, NoEncryption())
    lines = data.splitlines(keepends=True)
    said = stocked.refused(4, *EXPORT, "--sign", str(put(tmp_path, b"".join(lines[:-2]))))
    assert lines[1].decode().strip() not in said


def test_a_key_of_another_kind(stocked: Desk, tmp_path: Path) -> None:
    key = generate_private_key(SECP256R1())
    data = key.private_bytes(Encoding.PEM, PKCS8, NoEncryption())
    said = stocked.refused(4, *EXPORT, "--sign", str(put(tmp_path, data)))
    assert "another kind than Ed25519" in said


def test_a_key_that_is_not_there(stocked: Desk, tmp_path: Path) -> None:
    stocked.refused(2, *EXPORT, "--sign", str(tmp_path / "none"))
    stocked.refused(4, *EXPORT, "--sign", str(tmp_path))
