"""Multibase text of public keys, base58btc only (`z…`). Pure.

Source: the multibase and multicodec tables; draft-msporny-base58.
"""

ED25519 = b"\xed\x01"
P256 = b"\x80\x24"
P384 = b"\x81\x24"
RSA = b"\x85\x24"

MAX_CHARACTERS = 2048

_DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}


def encode(data: bytes) -> str:
    """Return the multibase text of bytes."""
    number, digits = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        digits = _DIGITS[digit] + digits
    zeros = len(data) - len(data.lstrip(b"\0"))
    return f"z{_DIGITS[0] * zeros}{digits}"


def decode(text: str) -> bytes | None:
    """Return the bytes of multibase text; None for another form or a longer text."""
    if not text.startswith("z") or len(text) > MAX_CHARACTERS:
        return None
    number = 0
    for character in text[1:]:
        value = _VALUES.get(character)
        if value is None:
            return None
        number = number * 58 + value
    zeros = len(text) - 1 - len(text[1:].lstrip(_DIGITS[0]))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")
