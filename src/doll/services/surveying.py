"""Status: what the vault holds, what waits for review, what is not committed, what is broken."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from doll.errors import DollError, Problem
from doll.services.accepted import Accepted, accepted_commit, settings_bytes
from doll.services.checking.absent import absent_by_choice
from doll.services.opening import Vault
from doll.services.pending import (
    Difference,
    between,
    differences,
    record_oids,
    settings_difference,
)
from doll.services.signing.effect import Unsigned, what_does_not_count
from doll.services.waiting import Waiting, find
from doll.vault import layout, leftovers
from doll.vault.entries import Entry
from doll.vcs import plumbing


class Survey(NamedTuple):
    """The state of a vault.

    `counts` are readable records by type outside staging, `waiting` and `rejected` candidates.
    `uncommitted` differs from HEAD; those under `authority/` are not accepted. `unaccepted` are the
    changes of authority and settings that HEAD has and the accepted commit has not, `unsigned` what
    the accepted commit has and does not count for want of a signature. `accepted` is
    None where no commit is, and `obstacle` says why. `on` is the branch that HEAD is on, None for
    none. `cache_fault` is "" when the cache is in use. `leftovers` are the temporary files and
    folders of a doll that was killed. `absent` are records of HEAD that git was told to leave out
    of the work tree. `underway` is what git is in the middle of.
    """

    counts: dict[str, int]
    waiting: int
    rejected: int
    uncommitted: tuple[Difference, ...]
    unaccepted: tuple[Difference, ...]
    unreadable: tuple[Problem, ...]
    unsigned: Unsigned
    accepted: Accepted | None
    obstacle: str
    on: str | None
    cache_fault: str
    leftovers: tuple[str, ...]
    absent: tuple[str, ...]
    underway: Waiting | None


def survey(vault: Vault) -> Survey:
    """Look at the whole vault, through the parse cache."""
    entries, problems = vault.load()
    areas = [vault.in_git(area) for area in layout.AREAS]
    wanted = [*areas, vault.in_git(layout.MARKER)]
    items = plumbing.tree(vault.repository, vault.head, wanted)
    staging = [entry for entry in entries if entry.path.startswith("staging/")]
    local = [entry for entry in entries if not entry.path.startswith("staging/")]
    accepted, obstacle = _accepted(vault)
    uncommitted = list(_uncommitted(vault, entries, items))
    absent = absent_by_choice(vault, [d.path for d in uncommitted if d.what == "removed"])
    return Survey(
        counts=dict(Counter(entry.record.type for entry in local if entry.record)),
        waiting=sum(not _is_rejected(entry) for entry in staging),
        rejected=sum(_is_rejected(entry) for entry in staging),
        uncommitted=tuple(d for d in uncommitted if d.path not in absent),
        unaccepted=tuple(_unaccepted(vault, accepted, items)),
        unreadable=(*problems, *_first_errors(entries)),
        unsigned=what_does_not_count(vault, accepted.commit) if accepted else Unsigned(),
        accepted=accepted,
        obstacle=obstacle,
        on=vault.branch,
        cache_fault=vault.cache.fault,
        absent=tuple(sorted(absent)),
        underway=find(vault.repository),
        leftovers=tuple(leftovers.find(vault.root)),
    )


def _uncommitted(
    vault: Vault, entries: Sequence[Entry], items: Sequence[plumbing.TreeEntry]
) -> Iterator[Difference]:
    yield from differences(entries, record_oids(vault, items))
    if what := settings_difference(vault, settings_bytes(vault, items)):
        yield Difference(layout.MARKER, what)


def _unaccepted(
    vault: Vault, accepted: Accepted | None, head: Sequence[plumbing.TreeEntry]
) -> Iterator[Difference]:
    """Yield how HEAD differs in authority and settings from what is accepted, sorted by path."""
    if accepted is None or accepted.commit == vault.head:
        return
    wanted = [vault.in_git("authority"), vault.in_git(layout.MARKER)]
    before = _ruling(vault, plumbing.tree(vault.repository, accepted.commit, wanted))
    now = _ruling(vault, head)
    yield from between(before, now)


def _ruling(vault: Vault, items: Sequence[plumbing.TreeEntry]) -> dict[str, str]:
    """Return the blobs of the records of authority and of `doll.yaml` among files, by path."""
    records = record_oids(vault, items)
    ruling = {path: oid for path, oid in records.items() if path.startswith("authority/")}
    marker = next((i.oid for i in items if i.path == vault.in_git(layout.MARKER)), None)
    return ruling if marker is None else {**ruling, layout.MARKER: marker}


def _is_rejected(entry: Entry) -> bool:
    return entry.record is not None and entry.record.fields.review == "rejected"


def _first_errors(entries: tuple[Entry, ...]) -> list[Problem]:
    """Return the first error of each file that cannot be read; `validate` shows all of them."""
    return [
        next(problem for problem in entry.problems if problem.severity == "error")
        for entry in entries
        if entry.record is None
    ]


def _accepted(vault: Vault) -> tuple[Accepted | None, str]:
    try:
        return accepted_commit(vault), ""
    except DollError as error:
        return None, error.message
