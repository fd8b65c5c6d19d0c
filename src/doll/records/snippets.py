"""What a message may say of a text that stands in a file: all of it, or only how long it is.

Part of a secret is not recognised as one when the message is shown, so nothing is ever cut.
"""

LONGEST = 60


def snippet(text: str) -> str:
    """Return a text as a message quotes it."""
    return text if len(text) <= LONGEST else f"a text of {len(text):,} characters"


def key_name(key: str) -> str:
    """Return a key in backticks, or how long it is."""
    return f"`{key}`" if len(key) <= LONGEST else f"a key of {len(key):,} characters"
