"""Whether a vault ever asked for signatures: the one question that those that never did pay for.

A `doll.yaml` in the history that asks is enough to look on; whether it is signed is for `regime`.
"""

from collections.abc import Iterable

import msgspec

from doll.errors import GitError
from doll.records.limits import MAX_FILE_BYTES
from doll.services.opening import Vault
from doll.vault.layout import MARKER
from doll.vcs import plumbing

SIGNERS = "doll.allowedSigners"
_NAME = "signed/asked"
_TIPS = 8


class _Asked(msgspec.Struct, frozen=True, array_like=True):
    """Commits in whose history a `doll.yaml` asks for signatures, and others where none does."""

    never: tuple[str, ...] = ()
    once: tuple[str, ...] = ()


def may_ask(vault: Vault, commit: str) -> bool:
    """Return whether a `doll.yaml` in the history of a commit may ask for signatures.

    One look into the cache where that is known. Where history is left out, which the cache must not
    hide, a clone that names trusted keys for itself may. GitError when git fails.
    """
    is_whole = plumbing.is_whole(vault.repository)
    known = _known(vault) if is_whole else _Asked()
    if commit in known.never or commit in known.once:
        return commit in known.once
    asks, is_here = _look(vault, _new(vault, commit, known.never))
    if not (is_whole and is_here):
        return asks or plumbing.config(vault.repository, SIGNERS) is not None
    tips = (commit, *(known.once if asks else known.never))[:_TIPS]
    kept = _Asked(known.never, tips) if asks else _Asked(tips, known.once)
    vault.cache.store(_NAME, msgspec.msgpack.encode(kept))
    return asks


def _known(vault: Vault) -> _Asked:
    data = vault.cache.load(_NAME)
    try:
        return msgspec.msgpack.decode(data, type=_Asked) if data is not None else _Asked()
    except msgspec.DecodeError:
        return _Asked()


def _new(vault: Vault, commit: str, known: tuple[str, ...]) -> Iterable[str]:
    """Return the blobs of `doll.yaml` in the history of a commit, less that of `known` ones."""
    from doll.vcs.plumbing.history import versions

    path = vault.in_git(MARKER)
    try:
        return versions(vault.repository, (commit,), known, path)
    except GitError:
        if not known:
            raise
        # A commit that was looked at may be gone since.
        return versions(vault.repository, (commit,), (), path)


def _look(vault: Vault, oids: Iterable[str]) -> tuple[bool, bool]:
    """Return whether one of the versions asks, and whether all of them are here."""
    from doll.vcs.plumbing.contents import Contents

    with Contents(vault.repository, MAX_FILE_BYTES) as contents:
        asks = any(_asks(vault, data) for data in contents.read(oids).values())
    return asks, not contents.missing


def _asks(vault: Vault, data: bytes) -> bool:
    # Reading YAML takes longer than all else; an escape may hide the word.
    if b"required" not in data and b"\\" not in data:
        return False
    settings = vault.parse_settings(data)[0]
    return settings is not None and (settings.authority_signed or settings.review_signed)
