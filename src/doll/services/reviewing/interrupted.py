"""Approvals that were interrupted: the record is written, and the candidate is still there.

Only what this very approval would have written is taken for its work: anybody can write a file
that says that it was reviewed. Reads only.
"""

import shlex
from collections.abc import Iterator, Sequence

from doll.errors import ConflictError, Problem
from doll.records.digest import sha256
from doll.records.model import Record
from doll.services.opening import Vault
from doll.services.reviewing import candidates
from doll.services.reviewing.marking import Signature, mark
from doll.vault import files
from doll.vault.entries import Entry, parse_file
from doll.vcs import plumbing


def half_done(
    vault: Vault, signature: Signature, record: Record, data: bytes, path: str
) -> bytes | Problem:
    """Return the bytes of the record at `path`, where the same reviewer wrote it from `data`.

    Else why it is not taken for that. `record` is the candidate, `data` its bytes; the file at
    `path` says that their digest was reviewed.
    """
    try:
        there = files.read(vault.root, path)
    except OSError as error:
        return candidates.fault(record.path, f"{path} cannot be read: {error.strerror}")
    copy = parse_file(there, path)[0]
    if copy is not None and _is_own(signature, copy, data, there):
        return there
    taken = shlex.quote(record.path)
    if candidates.at_head(vault, [path]):
        hint = f"to take the candidate away: git rm -- {taken}"
        return candidates.fault(record.path, f"it is approved already, as {path}", hint)
    by = copy.fields.reviewed_by if copy else "somebody"
    message = f"{path} says that {by} reviewed it, and is not what your approval would write"
    hint = f"read that file; if you do not want it: rm {shlex.quote(path)}    then approve again"
    return candidates.fault(record.path, message, hint)


def taken_away(
    vault: Vault, entries: Sequence[Entry], wants: Sequence[tuple[str, str]]
) -> list[tuple[str, bytes]]:
    """Return the candidates that an approval of several took away before it was interrupted.

    `wants` are what was typed and the digest that was reviewed, `entries` what is in staging. Each
    is a path and its bytes at HEAD. None where nothing that is wanted waits any more.
    """
    paths = [entry.path for entry in entries]
    missing = [each for each in wants if not candidates.meant(paths, each[0])]
    if not missing or len(missing) == len(wants):
        return []
    return list(_taken_away(vault, missing))


def _taken_away(vault: Vault, missing: Sequence[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
    head, others = candidates.at_head(vault), candidates.approved(vault).paths
    for word, digest in missing:
        place = others.get(candidates.stem_meant(word))
        if place is None or candidates.at_head(vault, [place]):
            continue
        for path in candidates.meant(list(head), word):
            data = plumbing.blobs(vault.repository, [head[path].oid])[head[path].oid]
            if sha256(data) == digest:
                yield path, data


def _is_own(signature: Signature, copy: Record, data: bytes, there: bytes) -> bool:
    made = copy.fields.reviewed_at
    if made is None or made > signature.moment:
        return False
    try:
        return there == mark(data, Signature(signature.identity, made))
    except ConflictError:
        return False
