"""Judges whether the value beside a name such as `password` or `api_key` can be a secret.

Names alone would raise an alarm on every sentence about passwords, entropy alone on every digest.
So a value counts when its name says what it is *and* it does not read as words, a placeholder or
a reference. Pure text rules; this module knows no names and no positions.
"""

import re
from typing import Literal

# The shortest value that is judged at all, in characters.
SHORTEST = 6

# How the value is written. `quoted` and `env` (NAME=value) are deliberate, `plain` is what follows
# a colon, `prose` what follows "is".
Context = Literal["quoted", "env", "plain", "prose"]

_REFERENCE = re.compile(
    r"""\$[A-Za-z_]\w*\Z | \$?\{ | \$\( | <[^>]*>? | %[({\w]\w*[)}%]?\Z | \#\{ | \[ | \.\.\. | […]
      | !?(?:vault|secret|env|ref|op|arn|file|sops|ssm|gcp|keyring|env_var)[:/ .]
      | (?:os|process|self|this|cfg|config|settings|secrets|request|env|args|options|var|vars
          |local|module|data|params?|props|context|ctx|app|github|ENV)\.[A-Za-z_]
      | \d{4}-\d\d-\d\d | \d{8}T\d{4}
      | [xX*.\-_\#•0?]+\Z                            # blanked out
      | [^@\s]{1,64}@[\w-]{1,64}(?:\.[\w-]{2,20})+\Z   # an address""",
    re.VERBOSE,
)
_PATH = re.compile(r"(?:~|\.{1,2})?(?:/[\w.+-]{1,64}){1,20}/?\Z|[A-Za-z]:\\")
_PLACEHOLDER = re.compile(r"your|placeholder|change-?me|change_me|redacted|dummy")
_DOTTED_NAME = re.compile(r"[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){1,8}")
_EXPRESSION = re.compile(r"[(\[{]")
_PART = re.compile(r"[A-Za-z0-9]+")
_WORD = re.compile(
    r"""(?: [A-Z]?[a-z]{1,15} | [A-Z]{2,15}            # word, Word, WORD
          | (?:[a-z]{1,15})(?:[A-Z][a-z]{2,15}){1,5}   # camelCase
          | [A-Z]{1,6}[a-z]{0,15}[0-9]{0,5}            # PascalCase, SHA256Digest
            (?:[A-Z][a-z]{2,15}){1,6} ) [0-9]{0,3}     # each with a short number
      | [0-9]{1,4} | [a-z] | [A-Z]""",
    re.VERBOSE,
)
_TECHNICAL = re.compile(
    r"(?:aes|argon|base|bcrypt|ed|hs|http|ipv|keepassx?|md|oauth|p|pbkdf|pkcs|rs|rsa|secp|sha|tls"
    r"|utf|web|x)[0-9]{1,5}(?:id|k1|r1)?",
    re.IGNORECASE,
)
# Nothing unquoted is a secret without a digit, a symbol, or a capital after a small letter.
_PROMISING = re.compile(r"[0-9!@#$%^&*?~]|[a-z][A-Z]")
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[A-Za-z]")
_FOREIGN = re.compile(r"[^\x20-\u024f]")
_SYMBOL = re.compile(r"[!@#$%^&*?~]")
_WORDS = re.compile(r"[a-z]{3,12}(?: [a-z]{3,12}){3,23}\Z")
_SHORTEST_TOKEN: dict[Context, int] = {"quoted": 8, "env": 8, "plain": 10, "prose": 12}


def is_wordy(value: str) -> bool:
    """Say whether most of `value` reads as words, short numbers and names with a number."""
    parts = _PART.findall(value)
    plain = sum(len(part) for part in parts if _WORD.fullmatch(part))
    return 2 * plain >= sum(map(len, parts))


def is_reference(value: str) -> bool:
    """Say whether `value` names another place, stands for a value, or is blanked out."""
    return bool(
        _REFERENCE.match(value)
        or "://" in value
        or _PLACEHOLDER.search(value.lower())
        or ("/" in value and _PATH.match(value) and is_wordy(value))
    )


def is_secret(value: str, *, password: bool, context: Context) -> bool:
    """Say whether `value` can be the secret that its name announces.

    `password` for names that people choose values for (`password`, `pwd`); else the value is one
    that a machine made (`token`, `api_key`).
    """
    if len(value) < SHORTEST or not (context == "quoted" or _PROMISING.search(value)):
        return False
    if "\n" in value or _FOREIGN.search(value) or is_reference(value):
        return False
    if " " in value or "\t" in value:
        return context == "quoted" and password and bool(_WORDS.match(value))
    if context != "quoted" and not _is_bare(value):
        return False
    if password:
        return _is_password(value, context)
    return _is_token(value, context)


def _is_bare(value: str) -> bool:
    """Rule out what an unquoted value cannot be: an expression, or a dotted name."""
    if _EXPRESSION.search(value):
        return False
    return not ("." in value and _DOTTED_NAME.fullmatch(value))


def _is_password(value: str, context: Context) -> bool:
    if not _DIGIT.search(value):
        return _is_password_without_digits(value, context)
    if not _LETTER.search(value):
        return context == "quoted"
    if value.isalnum():
        return not _TECHNICAL.fullmatch(value)
    if context == "quoted" or not is_wordy(value):
        return True
    return bool(_SYMBOL.search(value)) or (context == "env" and "-" in value)


def _is_password_without_digits(value: str, context: Context) -> bool:
    if context != "quoted" or not _LETTER.search(value):
        return len(value) >= 8 and bool(_SYMBOL.search(value[1:-1])) and not is_wordy(value)
    if _SYMBOL.search(value):
        return len(value) >= 8
    return len(value) >= 12 and not (value.isalnum() and is_wordy(value))


def _is_token(value: str, context: Context) -> bool:
    if len(value) < _SHORTEST_TOKEN[context] or not _LETTER.search(value):
        return False
    if not _DIGIT.search(value) and (len(value) < 16 or value.islower() or value.isupper()):
        return False
    return not is_wordy(value)
