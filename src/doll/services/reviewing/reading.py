"""Reviewing, the reading part: list candidates, show one, compare it with what it updates.

Changes nothing. Approving and rejecting have modules of their own.
"""

from collections.abc import Sequence

from doll.errors import ConflictError, errors_in
from doll.interchange import registry
from doll.interchange.base import Remark
from doll.interchange.claims import Claim, described, unknown
from doll.records.handler import FrontMatter
from doll.records.model import Record
from doll.render.review_values import Candidate, Difference, Listing, Shown
from doll.secrets import mask
from doll.services.checking.secret_places import secret_places
from doll.services.opening import Vault
from doll.services.reading import referring
from doll.services.reviewing import candidates
from doll.services.reviewing.candidates import Read
from doll.services.reviewing.comparing import unified
from doll.services.reviewing.duplicates import Memories
from doll.vault import files
from doll.vault.entries import Entry
from doll.vault.snapshot import snapshot


def listing(vault: Vault) -> Listing:
    """Return every candidate, sorted by path, and the problems of those that cannot be read."""
    loaded = vault.load(["staging"])
    head = candidates.at_head(vault)
    others = candidates.approved(vault)
    found = [
        candidates.candidate(
            vault,
            entry.record,
            others,
            committed=candidates.is_committed(head.get(entry.path), entry.oid),
        )
        for entry in loaded.entries
        if entry.record is not None
    ]
    unreadable = [problem for e in loaded.entries if e.record is None for problem in e.problems]
    return Listing(tuple(found), tuple(sorted([*errors_in(unreadable), *loaded.problems])))


def confirmed(vault: Vault) -> Memories:
    """Return the texts of confirmed memory, to find likely duplicates in."""
    handler, known = FrontMatter(), Memories()
    for found in snapshot(vault.root, ["confirmed"]).files:
        try:
            text = files.read(vault.root, found.path).decode()
            _, _, body = handler.bounds(text)
        except (OSError, ValueError):
            continue
        known.add(found.path.rpartition("/")[2].removesuffix(".md"), found.path, text[body:])
    return known


def show(vault: Vault, name: str, known: Memories | None = None) -> Shown:
    """Return a candidate with all that a reviewer needs.

    `known` saves reading confirmed memory again. Raises UsageError (none, or more than one),
    ConflictError (it cannot be read).
    """
    entry = candidates.find(vault, vault.load(["staging"]).entries, name)
    found = candidates.read(vault, entry.path)
    text = found.data.decode()
    secrets = secret_places(vault, entry.path, text)
    return Shown(
        candidate=_candidate(vault, found),
        text=mask(text) if secrets else text,
        body=found.body,
        claims=_claims(found.record),
        duplicates=(known or confirmed(vault)).like(found.body),
        secrets=secrets,
        report=candidates.report_path(vault, entry.path),
        remarks=_remarks(found.record),
    )


def diff(vault: Vault, name: str) -> Difference:
    """Return how a candidate differs from the record that it updates, or from nothing.

    Raises what `show` raises.
    """
    entries = vault.load(["staging"]).entries
    found = candidates.read(vault, candidates.find(vault, entries, name).path)
    against, note = _updated(vault, found.record, entries)
    before = _text(vault, against) if against else ""
    return Difference(
        candidate=_candidate(vault, found),
        against=against,
        note=note,
        lines=tuple(map(mask, unified(before, found.data.decode(), against, found.record.path))),
    )


def _candidate(vault: Vault, found: Read) -> Candidate:
    others = candidates.approved(vault)
    return candidates.candidate(vault, found.record, others, committed=found.committed)


def _claims(record: Record) -> tuple[Claim, ...]:
    """Return what the source said, with the reasons that the import's report gave."""
    name = record.fields.origin_adapter
    reason = registry.adapter(name).claim_reason if name in registry.ADAPTERS else unknown
    return tuple(
        Claim(mask(each.name), mask(each.text), each.reason)
        for each in described(record.fields.claims, reason)
    )


def _remarks(record: Record) -> tuple[Remark, ...]:
    """Return what the source said and a reviewer should not have to look for."""
    remarks = registry.REMARKS.get(record.fields.origin_adapter or "")
    found = remarks(record.fields.claims) if remarks else ()
    return tuple(Remark(each.name, mask(each.text)) for each in found)


def _updated(vault: Vault, record: Record, entries: Sequence[Entry]) -> tuple[str, str]:
    """Return the path of the record that a candidate updates, and what is to be said of it."""
    stem = record.fields.updates
    if not stem:
        return "", "it updates nothing that was here before"
    named = referring.load(vault).named(stem)
    if len(named) == 1:
        return named[0].path, ""
    for entry in entries:
        if entry.path.rpartition("/")[2] == f"{stem}.md" and entry.path != record.path:
            return entry.path, "the earlier version is a candidate itself"
    return "", f"the earlier version, {stem}, is in no folder any more"


def _text(vault: Vault, path: str) -> str:
    try:
        return files.read(vault.root, path).decode()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConflictError(f"{path} cannot be read: {why}") from error
