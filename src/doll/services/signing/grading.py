"""How commits are signed, asked of git once, and kept in the cache.

An SSH signature, the file of trusted keys and the commit decide for ever. GPG's answer changes with
time and keyring: it is kept for an hour while the keyring is as it was.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import msgspec

from doll.services.opening import Vault
from doll.services.signing.trust import Trust, trust
from doll.vcs.plumbing.signatures import MUTE, SSH, UNCHECKED, grades, kinds

_SSH_NAME, _GPG_NAME = "signatures/ssh", "signatures/gpg"
# So few that git answers within a moment, and that what was asked is kept when time runs out.
_AT_ONCE = 16
_UNSIGNED = "N"

Kept = TypeVar("Kept")


class _Shelf(msgspec.Struct, frozen=True, array_like=True):
    digest: str
    data: bytes


class Grader:
    """Says how commits of a vault's repository are signed.

    `unchecked` are the kinds of the signatures that were asked about and cannot be checked here;
    `late`: there was no time to check some; `mute` are the kinds whose program gives no answer.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._fresh: dict[str, str] = {}
        self._briefly = False
        self.unchecked: set[str] = set()
        self.late = False
        self.mute: set[str] = set()

    @cached_property
    def trust(self) -> Trust:
        """Whose signatures count."""
        return trust(self._vault)

    def of(self, commits: Iterable[str]) -> dict[str, str]:
        """Return the grade of each commit, a key of `GRADES`.

        GitError when git fails, also for a commit that is not here.
        """
        wanted = list(dict.fromkeys(commits))
        known = (self._kept, self._brief, self._fresh)
        new = [oid for oid in wanted if not any(oid in some for some in known)]
        if new:
            self._ask(kinds(self._vault.repository, new))
        self._briefly = self._briefly or any(oid in self._brief for oid in wanted)
        return {oid: next(some[oid] for some in known if oid in some) for oid in wanted}

    def load(self, name: str, kind: type[Kept]) -> Kept | None:
        """Return what was stored under `name` by answers that still hold, None for nothing."""
        data = self._vault.cache.load(name)
        try:
            shelf = msgspec.msgpack.decode(data, type=_Shelf) if data is not None else None
            held = (self.trust.digest, self.trust.moment)
            if shelf is None or shelf.digest not in held:
                return None
            found = msgspec.msgpack.decode(shelf.data, type=kind)
        except msgspec.DecodeError:
            return None
        self._briefly = self._briefly or shelf.digest == self.trust.moment
        return found

    def store(self, name: str, value: object) -> None:
        """Keep what the answers so far led to, for as long as they hold; not what is not sure."""
        if not self.unchecked:
            self._put(name, value, self.trust.moment if self._briefly else self.trust.digest)

    def _put(self, name: str, value: object, digest: str) -> None:
        shelf = _Shelf(digest, msgspec.msgpack.encode(value))
        self._vault.cache.store(name, msgspec.msgpack.encode(shelf))

    def unsigned(self, commits: Iterable[str]) -> dict[str, str]:
        """Return the grade of those among `commits` that carry no signature; verifies none."""
        found = kinds(self._vault.repository, commits)
        return {oid: _UNSIGNED for oid, kind in found.items() if not kind}

    @cached_property
    def _kept(self) -> dict[str, str]:
        """The answers that hold for ever, from the cache where it has any."""
        return self.load(_SSH_NAME, dict[str, str]) or {}

    @cached_property
    def _brief(self) -> dict[str, str]:
        """The answers that hold for a while."""
        before = self._briefly
        found = self.load(_GPG_NAME, dict[str, str]) or {}
        self._briefly = before
        return found

    def _ask(self, signed: Mapping[str, str]) -> None:
        """Ask git about commits, given the kinds of their signatures."""
        blind = set(self.trust.missing)
        blind |= {SSH} if self.trust.signers is None else set()
        unchecked = {oid for oid, kind in signed.items() if kind in blind}
        self.unchecked |= {signed[oid] for oid in unchecked}
        self._fresh.update(dict.fromkeys(unchecked, UNCHECKED))
        self._kept.update({oid: _UNSIGNED for oid, kind in signed.items() if not kind})
        rest = {oid: kind for oid, kind in signed.items() if kind and oid not in unchecked}
        ssh = [oid for oid, kind in rest.items() if kind == SSH]
        others = [oid for oid, kind in rest.items() if kind != SSH]
        try:
            mute = self._verify(ssh, self._kept, SSH) | self._verify(others, self._brief, "")
            self.mute |= {rest[oid] for oid in mute}
            unchecked = {oid for oid in rest if oid in self._fresh}
            self.unchecked |= {rest[oid] for oid in unchecked}
            self.late = self.late or bool(unchecked - mute)
        finally:
            # What was asked is kept also when time runs out.
            if ssh:
                self._put(_SSH_NAME, self._kept, self.trust.digest)
            if others:
                self._put(_GPG_NAME, self._brief, self.trust.moment)

    def _verify(self, commits: Sequence[str], found: dict[str, str], kind: str) -> set[str]:
        """Verify signatures, several at a time, and put the grades into `found`.

        `kind` is theirs, "" for others than SSH. Returns those about which there is no answer.
        """
        from concurrent.futures import ThreadPoolExecutor, as_completed

        some = [commits[at : at + _AT_ONCE] for at in range(0, len(commits), _AT_ONCE)]
        pool = ThreadPoolExecutor(max_workers=max(min(len(some), os.cpu_count() or 1), 1))
        try:
            repository, signers = self._vault.repository, self.trust.signers
            asked = [pool.submit(grades, repository, each, signers, kind) for each in some]
            mute = set[str]()
            for done in as_completed(asked):
                for oid, grade in done.result().items():
                    # What there was no time for, and no answer, is asked again the next time.
                    if grade in (UNCHECKED, MUTE):
                        self._fresh[oid] = UNCHECKED
                        mute |= {oid} if grade == MUTE else set()
                    else:
                        found[oid] = grade
            return mute
        finally:
            pool.shutdown(cancel_futures=True)
