"""The names of candidates: from their text and their identity, never from a foreign id.

Source: docs/vault-format.md, "Ids"; a stem is the file name of a candidate without `.md`.
"""

import json
from collections import defaultdict
from collections.abc import Sequence

from doll.records.digest import sha256
from doll.records.names import fold

SHORTEST = 8


def identity(adapter: str, source: str, source_id: str, entry_digest: str) -> str:
    """Return SHA-256 (64 hex digits) of what makes an entry this entry.

    The four texts stand in a JSON array, so no two different quadruples have the same bytes.
    """
    return sha256(json.dumps([adapter, source, source_id, entry_digest]).encode())


def stems(slugs: Sequence[str], identities: Sequence[str]) -> tuple[str, ...]:
    """Return one stem for each slug: the slug, `-`, and 8 hex digits of its identity.

    Stems that would fold alike take more digits, all of them, until they differ: the result does
    not depend on the order. Two equal identities are an error of the caller (ValueError).
    """
    if len(set(identities)) != len(identities):
        raise ValueError("two entries have the same identity")
    lengths = [SHORTEST] * len(slugs)
    while True:
        names = [
            f"{slug}-{key[:n]}" for slug, key, n in zip(slugs, identities, lengths, strict=True)
        ]
        groups: defaultdict[str, list[int]] = defaultdict(list)
        for index, name in enumerate(names):
            groups[fold(name)].append(index)
        alike = [index for group in groups.values() if len(group) > 1 for index in group]
        if not alike:
            return tuple(names)
        for index in alike:
            lengths[index] += 1
