"""Plants secrets of every kind in JSON, YAML and Markdown, and looks whether they are found.

Every secret is made from parts, so that no text in this repository looks like one.
"""

import base64
import json
from collections.abc import Callable, Iterator
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple

import pytest

from doll.secrets import DETECTORS, mask, scan, scan_document

ALNUM = ascii_letters + digits
URLSAFE = ALNUM + "-_"
UPPER = ascii_uppercase + digits
HEX = digits + "abcdef"


def _prefixed(*parts: str, alphabet: str = ALNUM, size: int) -> Callable[[Random], str]:
    """Return a maker of the joined parts followed by `size` random characters."""
    return lambda random: "".join([*parts, *random.choices(alphabet, k=size)])


def _pick(random: Random, alphabet: str, size: int) -> str:
    return "".join(random.choices(alphabet, k=size))


def _block(*label: str) -> Callable[[Random], str]:
    def make(random: Random) -> str:
        body = "\n".join(_pick(random, ALNUM + "+/", 64) for _ in range(5))
        name = " ".join(label)
        return f"-----BEGIN {name}-----\n{body}\n-----END {name}-----"

    return make


def _jwt(random: Random) -> str:
    def part(value: dict[str, str]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    header, claims = part({"alg": "HS256"}), part({"sub": _pick(random, digits, 10)})
    return f"{header}.{claims}.{_pick(random, URLSAFE, 43)}"


def _password(random: Random) -> str:
    word = _pick(random, ascii_lowercase, 5)
    return word + _pick(random, digits, 3) + random.choice("!#%?") + _pick(random, ascii_letters, 4)


def _named(template: str, make: Callable[[Random], str]) -> Callable[[Random], str]:
    return lambda random: template.replace("VALUE", make(random))


def _basic(random: Random) -> str:
    login = f"admin:{_password(random)}".encode()
    return "Authorization: Basic " + base64.b64encode(login).decode()


class Kind(NamedTuple):
    """One kind of secret: the detector that names it, and how one is made."""

    detector: str
    make: Callable[[Random], str]


KINDS: dict[str, Kind] = {
    "PEM": Kind("private-key", _block("RSA", "PRIVATE", "KEY")),
    "OpenSSH": Kind("private-key", _block("OPENSSH", "PRIVATE", "KEY")),
    "PGP": Kind("private-key", _block("PGP", "PRIVATE", "KEY", "BLOCK")),
    "Anthropic": Kind("anthropic-key", _prefixed("sk-", "ant-api03-", alphabet=URLSAFE, size=95)),
    "OpenAI": Kind("openai-key", _prefixed("sk-", size=48)),
    "OpenAI project": Kind("openai-key", _prefixed("sk-", "proj-", alphabet=URLSAFE, size=120)),
    "OpenAI service": Kind("openai-key", _prefixed("sk-", "svcacct-", alphabet=URLSAFE, size=96)),
    "OpenRouter": Kind("model-service-key", _prefixed("sk-", "or-v1-", alphabet=HEX, size=64)),
    "Groq": Kind("model-service-key", _prefixed("gs", "k_", size=52)),
    "Hugging Face": Kind("huggingface-token", _prefixed("hf", "_", size=34)),
    "GitHub": Kind("github-token", _prefixed("gh", "p_", size=36)),
    "GitHub app": Kind("github-token", _prefixed("gh", "s_", size=36)),
    "GitHub fine": Kind("github-token", _prefixed("github", "_pat_", size=82)),
    "GitLab": Kind("gitlab-token", _prefixed("gl", "pat-", alphabet=URLSAFE, size=20)),
    "GitLab routable": Kind("gitlab-token", _prefixed("gl", "pat-", alphabet=URLSAFE, size=90)),
    "GitLab trigger": Kind("gitlab-token", _prefixed("gl", "ptt-", alphabet=HEX, size=40)),
    "AWS id": Kind("aws-key", _prefixed("AK", "IA", alphabet=UPPER, size=16)),
    "AWS session id": Kind("aws-key", _prefixed("AS", "IA", alphabet=UPPER, size=16)),
    "AWS secret": Kind(
        "secret-assignment",
        _named("aws_secret_access_key = VALUE", _prefixed(alphabet=ALNUM + "+/", size=40)),
    ),
    "Azure storage": Kind(
        "azure-key",
        _named(
            "DefaultEndpointsProtocol=https;AccountName=backup;AccountKey=VALUE==;",
            _prefixed(alphabet=ALNUM + "+/", size=86),
        ),
    ),
    "Google": Kind("google-key", _prefixed("AI", "za", alphabet=URLSAFE, size=35)),
    "Google OAuth": Kind("google-key", _prefixed("GOC", "SPX-", alphabet=URLSAFE, size=28)),
    "Slack": Kind("slack-token", _prefixed("xo", "xb-123456789012-1234567890123-", size=24)),
    "Slack app": Kind("slack-token", _prefixed("xa", "pp-1-A012345-1234567890-", size=64)),
    "Slack webhook": Kind(
        "slack-token",
        _prefixed("https://hooks.slack.com", "/services/T01ABCDEF/B01ABCDEF/", size=24),
    ),
    "Stripe": Kind("stripe-key", _prefixed("sk", "_live_", size=24)),
    "Stripe restricted": Kind("stripe-key", _prefixed("rk", "_live_", size=99)),
    "npm": Kind("npm-token", _prefixed("np", "m_", size=36)),
    "PyPI": Kind("pypi-token", _prefixed("pyp", "i-AgEIcHlwaS5vcmc", alphabet=URLSAFE, size=150)),
    "SendGrid": Kind(
        "sendgrid-key",
        lambda random: f"SG{'.'}{_pick(random, URLSAFE, 22)}.{_pick(random, URLSAFE, 43)}",
    ),
    "Twilio": Kind("twilio-key", _prefixed("S", "K", alphabet=HEX, size=32)),
    "Telegram": Kind("telegram-token", _prefixed("110201543", ":AA", alphabet=URLSAFE, size=33)),
    "Discord": Kind(
        "discord-token",
        lambda random: (
            f"M{_pick(random, ALNUM, 23)}.G{_pick(random, ALNUM, 5)}." + _pick(random, URLSAFE, 38)
        ),
    ),
    "DigitalOcean": Kind("digitalocean-token", _prefixed("dop", "_v1_", alphabet=HEX, size=64)),
    "Databricks": Kind("databricks-token", _prefixed("da", "pi", alphabet=HEX, size=32)),
    "Artifactory": Kind("artifactory-token", _prefixed("AK", "Cp", size=69)),
    "Mailchimp": Kind("mailchimp-key", lambda random: _pick(random, HEX, 32) + "-us" + "12"),
    "Square": Kind("square-secret", _prefixed("sq0", "csp-", alphabet=URLSAFE, size=43)),
    "Vault": Kind("service-token", _prefixed("hv", "s.", alphabet=URLSAFE, size=90)),
    "Shopify": Kind("service-token", _prefixed("shp", "at_", alphabet=HEX, size=32)),
    "JWT": Kind("jwt", _jwt),
    "URL": Kind(
        "url-password", _named("postgres://backup:VALUE@db.example.org/x", _prefixed(size=14))
    ),
    "Basic header": Kind("authorization-header", _basic),
    "Bearer header": Kind(
        "authorization-header", _named("Authorization: Bearer VALUE", _prefixed(size=40))
    ),
    "API key": Kind("secret-assignment", _named("api_key: VALUE", _prefixed(size=32))),
    "client secret": Kind("secret-assignment", _named("CLIENT_SECRET=VALUE", _prefixed(size=24))),
    "password": Kind("password-assignment", _named('db_password = "VALUE"', _password)),
    "password, bare": Kind("password-assignment", _named("password: VALUE", _password)),
    "password, CJK": Kind("password-assignment", _named("ルーターのパスワード：VALUE", _password)),
    "password, said": Kind("secret-in-text", _named("the wifi password is VALUE", _password)),
}


def _json(value: str) -> str:
    memory = {"id": "mem-1", "type": "fact", "content": f"For the deploy:\n{value}\nThat is all."}
    return json.dumps({"memories": [memory]}, indent=2, ensure_ascii=False)


def _front_matter(value: str) -> str:
    if "\n" in value:
        block = "".join(f"  {line}\n" for line in value.splitlines())
        return f"---\ntitle: deploy\nsummary: |\n{block}tags: [ops]\n---\nBody.\n"
    return f"---\ntitle: deploy\nsummary: {value}\ntags: [ops]\n---\nBody.\n"


def _markdown(value: str) -> str:
    return f"# Deploy\n\nKeep this for later, then rest.\n\n- `{value}` (since May)\n"


FORMS = {"json": _json, "yaml": _front_matter, "markdown": _markdown}


def planted(each: int) -> Iterator[tuple[str, str, str]]:
    """Yield (label, secret, text) for `each` secrets of every kind in every form."""
    for label, kind in KINDS.items():
        random = Random(label)
        for at in range(each):
            secret = kind.make(random)
            for form, write in FORMS.items():
                yield f"{label} {at} in {form}", secret, write(secret)


def test_secrets_of_every_kind_are_found_in_every_form() -> None:
    cases = list(planted(each=5))
    missed = [label for label, _, text in cases if not scan(text)]
    assert len(cases) == 5 * len(KINDS) * len(FORMS) >= 700
    assert len(missed) * 50 < len(cases), missed


@pytest.mark.parametrize("label", KINDS)
def test_each_kind_is_named_by_its_detector(label: str) -> None:
    secret = KINDS[label].make(Random(7))
    for write in FORMS.values():
        assert [hit.detector for hit in scan(write(secret))] == [KINDS[label].detector]


def test_there_is_a_sample_for_every_detector() -> None:
    assert {kind.detector for kind in KINDS.values()} == set(DETECTORS)


def test_a_masked_text_holds_nothing_that_is_found() -> None:
    for label, secret, text in planted(each=2):
        masked = mask(text)
        assert masked != text, label
        assert scan(masked) == (), label
        assert mask(masked) == masked, label
        assert secret not in masked, label
        for line in text.splitlines():
            assert line == masked or len(line) < 200 or line not in masked, label


def test_the_whole_token_is_covered_beyond_the_shortest_form() -> None:
    token = "rk" + "_live_" + _pick(Random(1), ALNUM, 99)
    assert mask(f"use {token} here") == "use [secret: stripe-key] here"


def test_a_parsed_document_gives_pointers() -> None:
    for label, secret, text in planted(each=1):
        if not label.endswith("json"):
            continue
        hits = scan_document(json.loads(text))
        assert [hit.pointer for hit in hits] == ["/memories/0/content"], label
        assert secret not in repr(hits)
        assert {hit.line for hit in hits} == {2}, label
