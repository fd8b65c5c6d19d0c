"""`pragma: allowlist secret`: the comment by which the author of a text says that it holds none.

This module only says whether the comment stands there. Whose text it is, and whether it counts
there, is for others: foreign text cannot vouch for itself.
Source: the allow-list comments of detect-secrets, which other scanners read as well.
"""

import re

from doll.secrets.hits import Hit

_PRAGMA = re.compile(r"(?:#|//|--|;|%|/\*|<!--|')[ \t]*pragma: ?(?:allow|white)list[ -]secret\b")


def is_vouched(text: str, hit: Hit) -> bool:
    """Say whether a line of the hit in `text`, or the end of the last one, has the comment."""
    first = text.rfind("\n", 0, hit.start) + 1
    last = text.find("\n", hit.end)
    return _PRAGMA.search(text[first : last if last >= 0 else len(text)]) is not None
