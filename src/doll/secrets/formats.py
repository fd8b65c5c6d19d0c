"""The key formats that doll knows by itself: those that detect-secrets 1.5 misses or cannot bound.

Each row says which detector it belongs to, a literal that must stand in the text, and a pattern.
A pattern begins with its literal (a fast search) and takes time linear in the text: runs without a
limit are never followed by something that may fail. Formats follow the vendors' documentation and
the public rule sets of secret scanners; kinds that `doll.secrets.plugins` covers are not repeated.
"""

import functools
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from doll.secrets import service_keys
from doll.secrets.checks import has_basic_credentials, is_mixed, is_no_example, is_real_login
from doll.secrets.hits import Span

_DIGIT = r"(?=[A-Za-z_-]{0,60}[0-9])"
# What may hold `-` and `_` can be small words; a key of twenty characters hardly ever is.
_NO_WORDS = r"(?=[a-z_-]{0,60}[0-9A-Z])"
_HEX = "[0-9a-f]"
_ALNUM = "[A-Za-z0-9]"
_URLSAFE = "[A-Za-z0-9_-]"


class Format(NamedTuple):
    """One key format: `pattern` matches the secret, or its group `value` does.

    `literal` is part of every match. `gate` is a pattern over lower-cased text for the pre-filter,
    beginning with a literal character. `accept` has the last word on a match, and `before` is how
    many characters of the secret stand before it.
    """

    detector: str
    literal: str
    pattern: str
    gate: str
    accept: Callable[[str], bool] | None = None
    before: int = 0


def _begins(prefix: str, body: str) -> str:
    """Return a pattern for `prefix` and `body` where no letter or digit stands before.

    What may: the last letter of an escape, as in `\\nhf_…` (JSON) and `%3Dhf_…` (URLs).
    """
    literal = re.escape(prefix)
    before = rf"(?<![A-Za-z0-9]{literal})|(?<=\\[nrt]{literal})|(?<=%[0-9A-Fa-f]{{2}}{literal})"
    return rf"{literal}(?:{before}){body}"


def _key(detector: str, prefix: str, body: str) -> Format:
    gate = _begins(prefix.lower(), "") if len(prefix) < 4 else re.escape(prefix.lower())
    gate = service_keys.LONGER_GATES.get(prefix, gate)
    if body.startswith(_URLSAFE):
        body = _NO_WORDS + body
    return Format(detector, prefix, _begins(prefix, body), gate)


_KEYS: tuple[tuple[str, str, str], ...] = (
    ("anthropic-key", "sk-ant-", rf"{_DIGIT}{_URLSAFE}{{20,}}"),
    ("openai-key", "sk-proj-", rf"{_DIGIT}{_URLSAFE}{{20,}}"),
    ("openai-key", "sk-svcacct-", rf"{_DIGIT}{_URLSAFE}{{20,}}"),
    ("openai-key", "sk-admin-", rf"{_DIGIT}{_URLSAFE}{{20,}}"),
    ("openai-key", "sk-None-", rf"{_DIGIT}{_URLSAFE}{{20,}}"),
    ("openai-key", "sk-", rf"(?=[A-Za-z]{{0,60}}[0-9]){_ALNUM}{{20,}}"),
    ("model-service-key", "sk-or-v1-", rf"{_HEX}{{32,}}"),
    ("model-service-key", "gsk_", rf"{_ALNUM}{{40,}}"),
    ("model-service-key", "xai-", rf"{_ALNUM}{{60,}}"),
    ("model-service-key", "pplx-", rf"{_ALNUM}{{40,}}"),
    ("model-service-key", "r8_", rf"{_ALNUM}{{37,}}"),
    ("model-service-key", "nvapi-", rf"{_URLSAFE}{{60,}}"),
    ("model-service-key", "lsv2_", rf"(?:pt|sk)_{_HEX}{{32}}_{_HEX}{{10}}"),
    ("huggingface-token", "hf_", rf"{_ALNUM}{{30,}}"),
    ("huggingface-token", "api_org_", rf"{_ALNUM}{{30,}}"),
    ("github-token", "github_pat_", r"[A-Za-z0-9_]{36,}"),
    ("gitlab-token", "glpat-", rf"{_URLSAFE}{{20,}}(?:\.[0-9a-z.]{{2,12}})?"),
    ("gitlab-token", "glrt-", rf"{_URLSAFE}{{20,}}(?:\.[0-9a-z.]{{2,12}})?"),
    ("gitlab-token", "glffct-", rf"{_URLSAFE}{{20,}}"),
    ("gitlab-token", "glwt-", rf"{_URLSAFE}{{20,}}"),
    ("gitlab-token", "_gitlab_session=", rf"{_HEX}{{32}}"),
    ("aws-key", "AKIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("aws-key", "ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("aws-key", "ABIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("aws-key", "ACCA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("aws-key", "A3T", r"[A-Z0-9]{17}(?![A-Za-z0-9])"),
    ("aws-key", "ABSK", r"[A-Za-z0-9+/]{100,}={0,2}"),
    ("aws-key", "FwoGZXIvYXdz", r"[A-Za-z0-9+/]{50,}={0,2}"),
    ("aws-key", "IQoJb3JpZ2lu", r"[A-Za-z0-9+/]{50,}={0,2}"),
    ("google-key", "AIza", rf"{_URLSAFE}{{35,}}"),
    ("google-key", "GOCSPX-", rf"{_URLSAFE}{{20,}}"),
    ("google-key", "ya29.", rf"{_URLSAFE}{{30,}}"),
    ("google-key", "1//0", rf"{_URLSAFE}{{40,}}"),
    ("slack-token", "xapp-", r"[0-9]-[A-Za-z0-9-]{20,}"),
    ("slack-token", "xoxe.xox", r"[bp]-[A-Za-z0-9-]{20,}"),
    *[("slack-token", f"xox{kind}-", rf"{_DIGIT}[A-Za-z0-9-]{{16,}}") for kind in "abcdeoprs"],
    ("slack-token", "hooks.slack.com/", r"(?:workflows|triggers)/[A-Za-z0-9+/_-]{24,}"),
    ("stripe-key", "sk_test_", rf"{_ALNUM}{{16,}}"),
    ("stripe-key", "rk_test_", rf"{_ALNUM}{{16,}}"),
    ("stripe-key", "sk_prod_", rf"{_ALNUM}{{16,}}"),
    ("stripe-key", "whsec_", r"[A-Za-z0-9+/]{24,}={0,2}"),
    ("npm-token", "npm_", rf"{_ALNUM}{{36,}}"),
    ("pypi-token", "pypi-AgE", rf"{_URLSAFE}{{40,}}"),
    ("discord-token", "discord.com/api/webhooks/", rf"[0-9]{{15,20}}/{_URLSAFE}{{40,}}"),
    ("discord-token", "discordapp.com/api/webhooks/", rf"[0-9]{{15,20}}/{_URLSAFE}{{40,}}"),
    ("digitalocean-token", "dop_v1_", rf"{_HEX}{{32,}}"),
    ("digitalocean-token", "doo_v1_", rf"{_HEX}{{32,}}"),
    ("digitalocean-token", "dor_v1_", rf"{_HEX}{{32,}}"),
    ("databricks-token", "dapi", rf"{_HEX}{{32}}(?:-[0-9])?(?![A-Za-z0-9])"),
    ("azure-key", "sig=", r"(?=[A-Za-z%+/]{0,60}[0-9])[A-Za-z0-9%+/]{43,}={0,2}"),
    ("artifactory-token", "AKC", r"(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{16,}"),
    ("artifactory-token", "cmVmd", r"[A-Za-z0-9]{59}(?![A-Za-z0-9+/=])"),
    ("service-token", "hvs.", rf"{_URLSAFE}{{24,}}"),
    ("service-token", "hvb.", rf"{_URLSAFE}{{24,}}"),
    ("service-token", "ATATT3", r"[A-Za-z0-9_=-]{60,}"),
    *[("service-token", f"shp{kind}_", r"[0-9a-fA-F]{32}") for kind in ("at", "ca", "pa", "ss")],
    ("service-token", "lin_api_", rf"{_ALNUM}{{32,}}"),
    ("service-token", "ntn_", rf"{_ALNUM}{{40,}}"),
    ("service-token", "figd_", rf"{_URLSAFE}{{32,}}"),
    ("service-token", "PMAK-", rf"{_HEX}{{24}}-{_HEX}{{34}}"),
    ("service-token", "NRAK-", r"[A-Z0-9]{27}"),
    ("service-token", "glsa_", rf"{_ALNUM}{{32}}_[0-9a-fA-F]{{8}}"),
    ("service-token", "glc_", r"[A-Za-z0-9+/]{32,}={0,2}"),
    ("service-token", "sntrys_", r"[A-Za-z0-9+/=_]{40,}"),
    ("service-token", "sntryu_", rf"{_HEX}{{40,}}"),
    ("service-token", "dp.pt.", rf"{_ALNUM}{{40,}}"),
    ("service-token", "fo1_", rf"{_URLSAFE}{{43}}"),
    ("service-token", "fm2_", r"[A-Za-z0-9+/]{80,}={0,2}"),
    ("service-token", "sbp_", rf"{_HEX}{{40}}"),
    ("service-token", "sb_secret_", rf"{_URLSAFE}{{20,}}"),
    ("service-token", "pscale_", r"(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{32,}"),
    ("service-token", "dckr_pat_", rf"{_URLSAFE}{{20,}}"),
    ("service-token", "rubygems_", rf"{_HEX}{{48}}"),
    ("service-token", "pul-", rf"{_HEX}{{40}}"),
    ("service-token", "ops_eyJ", r"[A-Za-z0-9+/_-]{100,}={0,2}"),
    ("service-token", "tskey-", rf"{_DIGIT}{_URLSAFE}{{20,}}"),
    ("service-token", "HRKU-", rf"{_URLSAFE}{{36,}}"),
    ("service-token", "xkeysib-", rf"{_HEX}{{64}}-{_ALNUM}{{16}}"),
    ("service-token", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
    ("service-token", "sq0atp-", rf"{_URLSAFE}{{22,}}"),
)

_SPECIAL: tuple[Format, ...] = (
    Format(
        "service-token",
        ".atlasv1.",
        r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}",
        r"\.atlasv1\.",
    ),
    Format(
        "azure-key",
        "Q~",
        r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,}",
        r"q~[\w~.-]{31}",
    ),
    Format(
        "telegram-token",
        ":",
        r"(?<![0-9])[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])",
        r":[a-z0-9_-]{35}(?![a-z0-9_-])",
        is_mixed,
    ),
    Format(
        # Only a start that no token character precedes is tried, else "eyJeyJ…" would be
        # quadratic.
        "jwt",
        "eyJ",
        r"eyJ(?:(?<![A-Za-z0-9_-]eyJ)|(?<=\\[nrt]eyJ))[A-Za-z0-9_-]{8,}\."
        r"[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
        r"eyj[a-z0-9_-]{8}",
    ),
    Format(
        "url-password",
        "://",
        r"://(?P<value>[^\s/?#:@\"'<>\\]{0,128}:[^\s/?#@\"'<>\\]{1,256})@(?=[\w\[.-])",
        r"://[^\s/?#:@]{0,128}:[^\s/?#@]{1,256}@",
        is_real_login,
    ),
    Format(
        "authorization-header",
        "earer ",
        r"earer (?<=[Bb]earer )(?=[A-Za-z._~+/-]{0,60}[0-9])(?P<value>[A-Za-z0-9._~+/-]{20,}=*)",
        r"bearer [a-z0-9._~+/-]{20}",
        is_mixed,
    ),
    Format(
        "authorization-header",
        "curl ",
        r"curl [^\n]{0,200}?[ \t](?:-u|--user)[ =]?[\"']?"
        r"(?P<value>[^\s:\"'$<{]{1,64}:[^\s\"'$<{]{3,128})",
        r"curl ",
        is_real_login,
    ),
    Format(
        "password-assignment",
        "machine ",
        r"machine \S{1,128}\s{1,8}login \S{1,128}\s{1,8}password (?P<value>\S{4,256})",
        r"machine \S{1,128}\s{1,8}login ",
        is_no_example,
    ),
    Format(
        "password-assignment",
        "sshpass -p",
        r"sshpass -p ?[\"']?(?P<value>[^\s\"'$<{]{4,128})",
        r"sshpass -p",
        is_no_example,
    ),
    Format(
        "authorization-header",
        "asic ",
        r"asic (?<=[Bb]asic )(?P<value>[A-Za-z0-9+/]{8,}={0,2})",
        r"basic [a-z0-9+/]{8}",
        has_basic_credentials,
    ),
)


def _azure(code: str, before: int, after: str) -> Format:
    """Return the format of a key that has a code after `before` characters without a meaning."""
    literal = re.escape(code)
    pattern = rf"{literal}(?<=[A-Za-z0-9+/_-]{{{before}}}{literal}){after}"
    return Format("azure-key", code, pattern, re.escape(code.lower()), before=before)


FORMATS: tuple[Format, ...] = (
    *(_key(*row) for row in (*_KEYS, *service_keys.ROWS)),
    *(_azure(*row) for row in service_keys.AZURE),
    *_SPECIAL,
)


def find(text: str) -> Iterator[Span]:
    """Yield every secret of a known format, by format and place."""
    for entry in FORMATS:
        if entry.literal not in text:
            continue
        pattern = _compiled(entry.pattern)
        group = "value" if "value" in pattern.groupindex else 0
        for match in pattern.finditer(text):
            if entry.accept is None or entry.accept(match.group(group)):
                yield Span(match.start(group) - entry.before, match.end(group), entry.detector)


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # On first use, not on import: most runs of doll need none of them.
    return re.compile(pattern)
