"""The names that announce a secret, such as `password` or `api_key`, and what stands after them.

Matched on lower-cased text. Nothing here looks at values.
"""

import functools
import re

# Each pattern begins with a literal character, so that a search can skip by first letter.
PASSWORD_NAMES = (
    r"passwor[dt]s?",
    r"passwd",
    r"passphrase",
    r"passcode",
    r"pass(?<![a-z]pass)(?![a-z])",
    r"pwd",
    r"pw(?<![a-z]pw)(?![a-z])",
    r"kennwort",
    r"contrase[ñn]a",
    r"mot de passe",
    r"senha",
    r"wachtwoord",
    r"пароль",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "暗証番号",
    "비밀번호",
)
KEY_NAMES = (
    r"access[ _-]?key",
    r"account[ _-]?key",
    r"api[ _-]?key",
    r"auth[ _-]?key",
    r"client[ _-]?key",
    r"encryption[ _-]?key",
    r"master[ _-]?key",
    r"private[ _-]?key",
    r"service[ _-]?key",
    r"signing[ _-]?key",
    r"storage[ _-]?key",
)
TOKEN_NAMES = (
    r"secret(?:[ _-]?access)?(?:[ _-]?key)?",
    r"token",
    r"credentials?",
    r"authorization",
    "密钥",
    "令牌",
    "トークン",
)
_SUFFIX = (
    r"(?:[ _-]?(?:value|prod|production|dev|test|staging|live|default|base|base64|hex|string|plain"
    r"|[0-9]{1,2}))?"
)
_OPERATOR = (
    r"(?:\\?[\"'`]|[*_\])]){0,3}[ \t]{0,4}"
    r"(=>|[:=：＝]{1,3}|\||(?:is|was|are|to|ist|war|est|es|é)(?=[ \t:])|是|为|為|は|は、)"
)
AFTER_NAME = _SUFFIX + _OPERATOR

OPTION = r"--(?<![\w-]--)(?:[a-z0-9]{1,20}-){0,3}(password|passwd|pass|token|secret|api-key)[ \t=]"
_NAME = f"({'|'.join(PASSWORD_NAMES + KEY_NAMES + TOKEN_NAMES)})"
# Names that end in `token` and carry a position or a counter-measure, not a credential.
_HARMLESS = ("page", "next", "csrf", "xsrf", "sync", "continuation", "stop", "eos", "bos", "pad")


@functools.cache
def named() -> re.Pattern[str]:
    """Return the pattern for a name (group 1) with its operator (group 2)."""
    return re.compile(_NAME + AFTER_NAME)


@functools.cache
def option() -> re.Pattern[str]:
    """Return the pattern for an option of a command with its name (group 1)."""
    return re.compile(OPTION)


@functools.cache
def _whole() -> re.Pattern[str]:
    return re.compile(_NAME + _SUFFIX)


def lower(text: str) -> str:
    """Return `text` in lower case with every character at its place (U+0130 alone would grow)."""
    return text.replace("\u0130", "i").lower()


@functools.cache
def is_password(name: str) -> bool:
    """Say whether people choose the values of `name`; else machines make them."""
    return re.fullmatch("|".join(PASSWORD_NAMES), name) is not None


def is_harmless(lowered: str, match: re.Match[str]) -> bool:
    """Say whether the name that `match` found is the end of a longer one that names no secret."""
    if match.group(1) != "token":
        return False
    return lowered[max(0, match.start() - 16) : match.start()].rstrip(" _-").endswith(_HARMLESS)


def kind_of_key(key: str) -> str | None:
    """Return the name that a document's `key` ends with, or None where it announces no secret."""
    lowered = lower(key)
    for match in _whole().finditer(lowered):
        if match.end() == len(lowered) and not is_harmless(lowered, match):
            return match.group(1)
    return None
