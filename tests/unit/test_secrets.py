"""What a hit says and hides, places, names, and that foreign text and settings change nothing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from doll.secrets import DETECTORS, Hit, mask, mask_first, scan, scan_document
from doll.secrets.formats import FORMATS
from doll.secrets.plugins import PLUGINS
from doll.secrets.values import is_secret

SECRET = "hunter2" * 2
DOCS = Path(__file__).resolve().parents[2] / "docs" / "secrets.md"


def names(text: str) -> list[str]:
    return [hit.detector for hit in scan(text)]


def test_a_hit_says_where_and_never_what() -> None:
    (hit,) = scan(f"one\ntwo\n  password: {SECRET}\n")
    assert hit == Hit("password-assignment", line=3, column=13, start=20, end=34)
    assert SECRET not in repr(hit) + str(hit) + json.dumps(hit)
    assert "hunter" not in repr(hit)


def test_a_hit_cannot_be_changed() -> None:
    (hit,) = scan(f"password: {SECRET}")
    with pytest.raises(AttributeError):
        hit.line = 2  # type: ignore[misc]


def test_hits_are_sorted_by_place() -> None:
    text = f"token: {'a1B2' * 5}\npassword: {SECRET}\nhttps://backup:{SECRET}@example.org/\n"
    assert [(hit.line, hit.column) for hit in scan(text)] == [(1, 8), (2, 11), (3, 9)]


def test_one_place_gives_one_hit_named_by_the_most_telling_detector() -> None:
    key = "sk-" + "ant-api03-" + "Ab3_" * 20
    assert names(f'ANTHROPIC_API_KEY="{key}"') == ["anthropic-key"]
    assert names(f"https://oauth:gl{'pat'}-{'x1Y2' * 6}@gitlab.example/x.git") == ["gitlab-token"]


@pytest.mark.parametrize(
    "comment",
    [
        "# pragma: allowlist secret",
        "// pragma: whitelist secret",
        "<!-- pragma: allowlist secret -->",
        "# noqa: secrets # gitleaks:allow",
    ],
)
def test_comments_that_allow_a_secret_are_text(comment: str) -> None:
    for secret in (f"password: {SECRET}", "gh" + "p_" + "a1B2" * 9, "SK" + "a1" * 16):
        assert names(f"{secret} {comment}") == names(secret) != []
    assert names(f"# pragma: allowlist nextline secret\npassword: {SECRET}") != []


def test_settings_of_detect_secrets_take_no_part() -> None:
    from detect_secrets.settings import default_settings, get_settings, transient_settings

    text = "key " + "gh" + "p_" + "a1B2" * 9
    before = get_settings().json()
    for settings in (default_settings(), transient_settings({"plugins_used": []})):
        with settings:
            inside = get_settings().json()
            assert names(text) == ["github-token"]
            assert get_settings().json() == inside
    assert get_settings().json() == before


def _loaded(code: str) -> set[str]:
    program = f"import sys, doll.secrets as s\n{code}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_library_is_loaded_only_for_texts_that_need_it() -> None:
    plain = _loaded("s.scan('a note'); s.mask('the password is hunter2hunter2')")
    assert not {"detect_secrets", "requests", "socket", "yaml", "git"} & plain
    assert "detect_secrets.plugins.github_token" in _loaded("s.scan('gh' + 'p_' + 'a1B2' * 9)")


def test_line_ends_of_all_kinds() -> None:
    assert [hit.line for hit in scan(f"a\r\nb\r\npassword: {SECRET}\r\n")] == [3]
    assert [hit.line for hit in scan(f"a\u2028b\x0bpassword: {SECRET}")] == [1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"password = '{SECRET}'", "password-assignment"),
        (f"**Password:** {SECRET}", "password-assignment"),
        (f"| password | {SECRET} |", "password-assignment"),
        (f"DB_PASS={SECRET}", "password-assignment"),
        (f'"db-password" => "{SECRET}",', "password-assignment"),
        (f"mysql --password {SECRET} -h db", "password-assignment"),
        (f"curl --api-key={SECRET}", "secret-assignment"),
        (f"Passwort: {SECRET}", "password-assignment"),
        (f"密码：{SECRET}。", "password-assignment"),
        ('passphrase: "correct horse battery staple"', "password-assignment"),
        ("password: 'correct-horse-battery-staple'", "password-assignment"),
        ('{"password": "12345678"}', "password-assignment"),
        ("PASSWORD=Tr0ub4dor&3", "password-assignment"),
        ("our wifi password is Tr0ub4dor&3!", "secret-in-text"),
        (f"パスワードは{SECRET}です", "secret-in-text"),
        (f"GET /cb?access_token={'a1B2' * 5}&state=1", "secret-assignment"),
        (f"SharedAccessKey={'a1B2' * 10}abc=", "secret-assignment"),
        (f"secret_key_base: {'0a1b' * 16}", "secret-assignment"),
        (f"x-api-key: {'0a1b' * 8}", "secret-assignment"),
        (f"amqp://guest:{SECRET}@mq:5672/%2f", "url-password"),
        (f"redis://:{SECRET}@cache:6379/0", "url-password"),
        (f'Header: "bearer {"a1B2" * 8}"', "authorization-header"),
        ("-----BEGIN " + "RSA PRIVATE KEY-----", "private-key"),
        ("PuTTY-User-Key-" + "File-2: ssh-rsa\nComment: me\n", "private-key"),
        ("say \\n" + "hf" + "_" + "aBcD" * 9, "huggingface-token"),
        ("?key=%3D" + "hf" + "_" + "aBcD" * 9, "huggingface-token"),
    ],
)
def test_ways_to_write_a_secret(text: str, expected: str) -> None:
    assert names(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        'password = "policy was discussed"',
        'password = "{{ vault_password1 }}"',
        "password = os.environ['DB_PASSWORD_1']",
        "password: !vault db/password1",
        "password: op://vault/item1/field1",
        "password: ********1",
        '"password": "ada1@example.org"',
        '"PWD": "/home/ada/work1/project"',
        "token = self.token_2",
        "token: 2026-01-05",
        "csrf_token: a1b2c3d4e5f6a7b8",
        "private_key: Ed25519PrivateKeyTypes",
        "-----BEGIN " + "PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN " + "PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n",
        "https://user:pass@example.org/",
        "https://user:${PASSWORD}@example.org/",
        "gh" + "p_" + "x" * 36,
    ],
)
def test_what_only_looks_like_one(text: str) -> None:
    assert scan(text) == ()


def test_values_are_judged_by_how_they_are_written() -> None:
    assert is_secret("letmein!", password=True, context="quoted")
    assert not is_secret("letmein", password=True, context="quoted")
    assert not is_secret("required", password=True, context="quoted")
    assert is_secret("hunter2", password=True, context="plain")
    assert not is_secret("sha256", password=True, context="plain")
    assert not is_secret("db-prod-2", password=False, context="plain")
    assert is_secret("0a1b2c3d", password=False, context="quoted")
    assert not is_secret("0a1b2c3d", password=False, context="prose")


def test_masking_keeps_everything_else() -> None:
    assert mask("nothing here") == "nothing here"
    assert mask(f'{{"password": "{SECRET}"}}') == '{"password": "[secret: password-assignment]"}'
    assert mask(f"a https://ada:{SECRET}@h/x b") == "a https://[secret: url-password]@h/x b"


def test_a_document_is_scanned_by_pointer() -> None:
    document = {
        "memories": [
            {"content": "fine", "tags": ["a", f"line\npassword: {SECRET}"]},
            {"credentials": {"x/api_key": "0a1b2c3d" * 4, "user": "ada"}, "token": [SECRET]},
        ],
        "password": 12345678,
        "note": None,
    }
    assert [(hit.detector, hit.pointer, hit.line) for hit in scan_document(document)] == [
        ("password-assignment", "/memories/0/tags/1", 2),
        ("secret-assignment", "/memories/1/credentials/x~1api_key", 1),
        ("secret-assignment", "/memories/1/token/0", 1),
    ]


def test_a_secret_in_a_name_is_not_told_by_its_pointer() -> None:
    name = f"password: {SECRET}"
    (hit,) = scan_document({name: True})
    assert hit.pointer == "/password: [secret: password-assignment]"
    assert SECRET not in repr(hit)


def test_every_name_is_in_the_list_of_detectors_once() -> None:
    used = {row.detector for row in FORMATS} | {plugin.detector for plugin in PLUGINS}
    assert len(set(DETECTORS)) == len(DETECTORS)
    assert used < set(DETECTORS)
    assert not any(scan(f"[secret: {name}]") for name in DETECTORS)


def test_the_page_documents_every_detector_in_order() -> None:
    page = DOCS.read_text("utf-8").partition("## What is found")[2].partition("\n## ")[0]
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert tuple(row.split("`")[1] for row in rows) == DETECTORS


def test_the_first_part_of_a_long_text_is_covered_as_the_whole_is() -> None:
    key = "ghp_" + "a8Kd02LmQ5xPz7RtY3wVb6NcJ4hG1fSe9uTi"
    for filler in (50, 90, 95, 98, 120, 170, 180, 195, 210):
        text = "x " * (filler // 2) + key + " y" * 300
        assert mask_first(text, 100) == mask(text)[:100]
    assert mask_first("x " * 40, 100) == "x " * 40
    # Nearly all of what is looked at is covered: less is shown, and nothing of the last one.
    many = f"{key}\n" * 100
    assert mask(many).startswith(mask_first(many, 100))
