"""How commits are signed, asked of git once: answers about SSH signatures are kept in the cache.

An SSH signature, the file of trusted keys and the commit decide for ever; GPG's answer changes
with time and keyring, and is asked each time. The answers do not depend on the cache.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import msgspec

from doll.services.opening import Vault
from doll.services.signing.trust import Trust, trust
from doll.vcs.plumbing.signatures import SSH, UNCHECKED, grades, kinds

_NAME = "signatures"
# So few that git answers within a moment, and that what was asked is kept when time runs out.
_AT_ONCE = 16
_UNSIGNED = "N"


class _Shelf(msgspec.Struct, frozen=True, array_like=True):
    digest: str
    grades: dict[str, str]


class Grader:
    """Says how commits of a vault's repository are signed.

    `lasting` tells whether all answers so far hold for ever; `unchecked` are the kinds of the
    signatures that were asked about and cannot be checked here.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._fresh: dict[str, str] = {}
        self.lasting = True
        self.unchecked: set[str] = set()

    @cached_property
    def trust(self) -> Trust:
        """Whose signatures count."""
        return trust(self._vault)

    def of(self, commits: Iterable[str]) -> dict[str, str]:
        """Return the grade of each commit, a key of `GRADES`.

        GitError when git fails, also for a commit that is not here.
        """
        wanted = list(dict.fromkeys(commits))
        new = [oid for oid in wanted if oid not in self._kept and oid not in self._fresh]
        if new:
            self._ask(kinds(self._vault.repository, new))
        return {oid: self._kept.get(oid) or self._fresh[oid] for oid in wanted}

    def unsigned(self, commits: Iterable[str]) -> dict[str, str]:
        """Return the grade of those among `commits` that carry no signature; verifies none."""
        found = kinds(self._vault.repository, commits)
        return {oid: _UNSIGNED for oid, kind in found.items() if not kind}

    @cached_property
    def _kept(self) -> dict[str, str]:
        """The answers that hold for ever, from the cache where it has any."""
        data = self._vault.cache.load(_NAME)
        try:
            shelf = msgspec.msgpack.decode(data, type=_Shelf) if data is not None else None
        except msgspec.DecodeError:
            shelf = None
        return shelf.grades if shelf and shelf.digest == self.trust.digest else {}

    def _ask(self, signed: Mapping[str, str]) -> None:
        """Ask git about commits, given the kinds of their signatures."""
        blind = {kind for kind in self.trust.missing if kind}
        blind |= {SSH} if self.trust.signers is None else set()
        unchecked = {oid for oid, kind in signed.items() if kind in blind}
        self.unchecked |= {signed[oid] for oid in unchecked}
        self._fresh.update(dict.fromkeys(unchecked, UNCHECKED))
        self._kept.update({oid: _UNSIGNED for oid, kind in signed.items() if not kind})
        ssh = [oid for oid, kind in signed.items() if kind == SSH and oid not in unchecked]
        others = [oid for oid, kind in signed.items() if kind not in ("", SSH)]
        others = [oid for oid in others if oid not in unchecked]
        self.lasting = self.lasting and not unchecked and not others
        self._verify(others, self._fresh)
        if ssh:
            try:
                self._verify(ssh, self._kept)
            finally:
                shelf = _Shelf(self.trust.digest, self._kept)
                self._vault.cache.store(_NAME, msgspec.msgpack.encode(shelf))

    def _verify(self, commits: Sequence[str], found: dict[str, str]) -> None:
        """Verify signatures, several at a time, and put the grades into `found`."""
        from concurrent.futures import ThreadPoolExecutor, as_completed

        some = [commits[at : at + _AT_ONCE] for at in range(0, len(commits), _AT_ONCE)]
        pool = ThreadPoolExecutor(max_workers=max(min(len(some), os.cpu_count() or 1), 1))
        try:
            asked = [pool.submit(self._grades, each) for each in some]
            for done in as_completed(asked):
                found.update(done.result())
        finally:
            pool.shutdown(cancel_futures=True)

    def _grades(self, commits: Sequence[str]) -> dict[str, str]:
        return grades(self._vault.repository, commits, self.trust.signers)
