"""The last word on matches whose shape alone is not enough. Pure functions of the matched text."""

import base64
import binascii
import re

_LOWER = re.compile(r"[a-z]")
_UPPER = re.compile(r"[A-Z]")
_DIGIT = re.compile(r"[0-9]")
_BLANKED = re.compile(r"x{8}|X{8}|\*{4}|\.{4}|0{16}")
_TEMPLATE = re.compile(r"[$%{<\[].*|[*x.•]+|…", re.IGNORECASE)
_USERS = frozenset({"user", "username", "usr", "name", "login", "u", "me", "id"})
_WORDS = frozenset({"pass", "password", "passwd", "pwd", "pw", "p", "secret", "token"})


def is_blanked(value: str) -> bool:
    """Say whether `value` is a pattern for a key with its body blanked out, as manuals show it."""
    return _BLANKED.search(value) is not None


def is_mixed(value: str) -> bool:
    """Say whether lower case, upper case and digits all occur: no digest, no id, no words."""
    return bool(_LOWER.search(value) and _UPPER.search(value) and _DIGIT.search(value))


def is_real_login(value: str) -> bool:
    """Say whether the `user:password` of a URL is more than the example of a manual."""
    user, _, password = value.partition(":")
    if len(password) < 3 or _TEMPLATE.fullmatch(password):
        return False
    return not (user.lower() in _USERS and password.lower() in _WORDS)


def is_no_example(value: str) -> bool:
    """Say whether a password of a command line is more than a manual's word for one."""
    return not (_TEMPLATE.fullmatch(value) or value.lower() in _WORDS)


def has_basic_credentials(value: str) -> bool:
    """Say whether `value` is the base64 of `user:password` (RFC 7617)."""
    try:
        decoded = base64.b64decode(value[:1024] + "=" * (-len(value[:1024]) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded and decoded.isascii() and decoded.decode("ascii").isprintable()
