"""Finds private key blocks: PEM, OpenSSH, PGP and PuTTY, on several lines or escaped in one.

Certificates and public keys are no secrets and are left alone.
"""

import re
from collections.abc import Iterator

from doll.secrets.hits import Span

# Patterns over lower-cased text, each beginning with a literal; the pre-filter uses them too.
GATES = (
    r"-----begin [a-z0-9 ]{0,40}private key(?: block)?-----",
    r"putty-user-key-file-[0-9]: ",
)

_BEGIN = re.compile("|".join(GATES))
_END = re.compile(
    r"-----end [a-z0-9 ]{0,40}private key(?: block)?-----|private-mac: [0-9a-f]{1,128}"
)
# What is in a block: base64 and headers, over plain and escaped line ends.
_BODY = re.compile(
    r"(?:[a-z0-9+/=]{16,100}(?:\r?\n|\\n|\\r\\n)?|\r?\n|\\n|[a-z-]{3,20}: [^\n\\]{1,80})*"
)
_MATERIAL = re.compile(r"[a-z0-9+/]{16}")


def find(lowered: str) -> Iterator[Span]:
    """Yield each block of the lower-cased text, from its first dash to its last.

    A block without an end is taken as far as it reads as one; one with an end and no key in it is
    an example.
    """
    begin = _BEGIN.search(lowered)
    closing = _END.search(lowered)
    while begin is not None:
        following = _BEGIN.search(lowered, begin.end())
        limit = following.start() if following else len(lowered)
        while closing is not None and closing.start() < begin.end():
            closing = _END.search(lowered, closing.end())
        if closing is None or closing.start() >= limit:
            body = _BODY.match(lowered, begin.end(), limit)
            yield Span(begin.start(), body.end() if body else begin.end(), "private-key")
        elif _MATERIAL.search(lowered, begin.end(), closing.start()):
            yield Span(begin.start(), closing.end(), "private-key")
        begin = following
