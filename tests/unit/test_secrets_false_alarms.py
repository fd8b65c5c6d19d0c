"""Prose, digests, ids, URLs and paths that are no secrets: hardly one may raise an alarm."""

import base64
import hashlib
import json
import uuid
from collections.abc import Callable
from random import Random
from string import ascii_uppercase, digits

import pytest

from doll.secrets import scan, scan_document

SENTENCES = (
    "The password policy was discussed on Monday and nobody objected.",
    "My password manager keeps a secret for every account, which is a relief.",
    "The secret to good bread is patience: twelve hours of cold proof.",
    "Each request needs a token; tokens expire after 30 minutes.",
    "Password: required, at least 12 characters, one digit.",
    "The password is required to be 12 to 64 characters long.",
    "The password is stored in 1Password and the token is in the keychain.",
    "Passwords are hashed with argon2id, never with md5 or sha1.",
    "The secret is SHA-256 hashed before it is compared.",
    "The API key is rotated every 90 days by the platform team.",
    "An access key: use the one from the vault, see docs/keys.md.",
    "The token is base64-encoded and the key is 256-bit.",
    "Basic understanding of TCP4 and HTTP2 is assumed.",
    "Bearer of good news: the Slovakian branch shipped v2.4.1.",
    "She was asked to desk-check the task-based risk-analysis in ask-me-anything.",
    "Login fails with 401 when token=null or api_key=undefined.",
    "Set PASSWORD=$DB_PASSWORD and token: ${CI_JOB_TOKEN} in the pipeline.",
    "Use password: <your-password> and api_key: YOUR_API_KEY_HERE in the template.",
    "An example is sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxx, with the body blanked out.",
    "The URL has the form https://user:password@host/path in the manual.",
    "client_secret = settings.CLIENT_SECRET_V2, token = get_token(user1)",
    "secretName: web-tls-2, secretKeyRef: my-app-credentials, token_type: bearer",
    "max_tokens: 4096, token_count=1536, next_token=CAUQAA2xZ9b1c2d3",
    "password: changeme is what the manual says; pass: 12, fail: 0.",
    "The private key is kept on the YubiKey 5C; the public key: see authorized_keys.",
    "Files that begin with BEGIN PRIVATE KEY are refused by the hook.",
    "my secret santa is Bob, and the secret ingredient: cardamom.",
    "sensitivity: secret",
    "パスワードの方針を月曜日に話し合った。トークンは三十分で切れる。",
    "密码策略已经讨论过了。密码：至少八位，必须包含数字。",
    "비밀번호 정책은 월요일에 논의했습니다.",
    "Das Passwort ist geheim, der Schlüssel liegt unter der Matte.",
    "Le mot de passe est demandé à chaque connexion.",
    "La contraseña es obligatoria.",
    "I prefer espresso: 18 g in, 36 g out, 27 seconds, 93 °C.",
    "On 2026-08-20T14:32:05Z the migration of orders locked the table for 12 minutes.",
)


def _hex(random: Random, size: int) -> str:
    return "".join(random.choices(digits + "abcdef", k=size))


def _ulid(random: Random) -> str:
    return "01" + "".join(random.choices("0123456789ABCDEFGHJKMNPQRSTVWXYZ", k=24))


def _base64(random: Random, size: int) -> str:
    return base64.b64encode(random.randbytes(size)).decode()


IDS: tuple[Callable[[Random], str], ...] = (
    lambda r: f"sha256:{_hex(r, 64)}",
    lambda r: f"digest: {_hex(r, 64)}",
    lambda r: _hex(r, 64).upper(),
    lambda r: f"commit {_hex(r, 40)}",
    lambda r: f"{_hex(r, 7)}..{_hex(r, 7)}",
    lambda r: f"index {_hex(r, 7)}..{_hex(r, 7)} 100644",
    lambda r: f"1692541234:{_hex(r, 40)}",
    lambda r: f"integrity sha512-{_base64(r, 64)}",
    lambda r: f"content_hash: {_base64(r, 32)}",
    lambda r: base64.urlsafe_b64encode(r.randbytes(48)).decode(),
    lambda r: str(uuid.UUID(int=r.getrandbits(128))),
    lambda r: f"id: {uuid.UUID(int=r.getrandbits(128)).hex}",
    _ulid,
    lambda r: f"mem-{_hex(r, 12)}",
    lambda r: f"20260820T143205Z-attempt-online-orders-{_hex(r, 10)}.md",
    lambda r: f"https://example.org/a/{_hex(r, 12)}?q=token&page=2&ref={_hex(r, 8)}#part-3",
    lambda r: f"https://example.org:8443/users/@ada/{_ulid(r)}",
    lambda r: f"git@github.com:example/repo-{_hex(r, 6)}.git",
    lambda r: f"ssh://git@host.example:2222/srv/{_hex(r, 6)}.git",
    lambda r: f"registry.example.org/team/app@sha256:{_hex(r, 64)}",
    lambda r: f"/usr/lib/x86_64-linux-gnu/{_hex(r, 8)}/libsecret-1.so.0.0.0",
    lambda r: f"C:\\Users\\ada\\AppData\\Local\\Temp\\{_hex(r, 8)}.tmp",
    lambda r: f"~/.config/app/tokens/{_hex(r, 8)}.json",
    lambda r: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{_base64(r, 32)} ada@example.org",
    lambda r: f"-----BEGIN CERTIFICATE-----\n{_base64(r, 48)}\n-----END CERTIFICATE-----",
    lambda r: f"z6Mk{''.join(r.choices(ascii_uppercase + digits, k=44))}",
    lambda r: f"data:image/png;base64,{_base64(r, 96)}",
    lambda r: f"arn:aws:iam::{r.randrange(10**11, 10**12)}:role/deploy-{_hex(r, 4)}",
    lambda r: f"+49 30 {r.randrange(10**6, 10**7)}, IBAN DE{r.randrange(10**19, 10**20)}",
)


def corpus(words: int) -> str:
    """Return at least `words` words of notes without a secret; the same on every run."""
    random = Random(20260820)
    lines: list[str] = []
    count = 0
    while count < words:
        line = " ".join([*random.sample(SENTENCES, k=4), random.choice(IDS)(random)])
        lines.append(f"{line}\n" if random.random() < 0.3 else line)
        count += len(line.split())
    return "\n".join(lines)


def test_ten_thousand_words_raise_at_most_five_alarms() -> None:
    text = corpus(10_000)
    assert len(text.split()) >= 10_000
    alarms = [(hit.detector, text.splitlines()[hit.line - 1]) for hit in scan(text)]
    assert len(alarms) <= 5, alarms


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_about_secrets_is_none(sentence: str) -> None:
    assert scan(sentence) == ()
    assert scan_document({"memories": [{"content": sentence}]}) == ()


def test_ids_raise_no_alarm_on_their_own() -> None:
    random = Random(3)
    for make in IDS:
        for _ in range(200):
            value = make(random)
            assert scan(value) == (), value


def test_digests_of_all_lengths_raise_no_alarm() -> None:
    for name in sorted(hashlib.algorithms_guaranteed - {"shake_128", "shake_256"}):
        for at in range(200):
            digest = hashlib.new(name, str(at).encode())
            assert scan(f"{name}: {digest.hexdigest()}") == ()
            assert scan(f"{name}-{base64.b64encode(digest.digest()).decode()}") == ()


def test_real_prose_about_programming_raises_at_most_one_alarm() -> None:
    topics = pytest.importorskip("pydoc_data.topics").topics
    text = "\n".join(topics[name] for name in sorted(topics))
    assert len(text.split()) > 50_000
    assert len(scan(text)) <= 1


def test_front_matter_of_records_raises_no_alarm() -> None:
    random = Random(5)
    record = "\n".join(
        [
            "---",
            "schema: doll/memory/1",
            "sensitivity: secret",
            "origin: import",
            f"origin_sha256: {_hex(random, 64)}",
            f"reviewed_sha256: {_hex(random, 64)}",
            "claims:",
            f"  /content_hash: '\"sha256:{_hex(random, 64)}\"'",
            f"  /embedding_ref: '\"{uuid.UUID(int=random.getrandbits(128))}\"'",
            f"  /signature/value: '\"{_base64(random, 64)}\"'",
            "---",
            "Where the spare key lies is a secret.",
        ]
    )
    assert scan(record) == ()
    assert (
        scan(json.dumps({"signature": _base64(random, 64), "public_key": _hex(random, 64)})) == ()
    )
