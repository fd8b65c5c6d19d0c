"""May these candidates be approved? Every reason why not, as problems.

Reads only. The bytes on disk must be those that were reviewed, those at HEAD and those in git's
index; nothing in them may stand higher than a review can lift it, and the records that they become
must fit into the vault.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from doll.errors import ConflictError, Problem
from doll.records.digest import blob_id
from doll.records.model import Experience, Record
from doll.records.names import fold, id_fault
from doll.services.checking.review_rules import REVIEW_FIELDS
from doll.services.checking.secret_places import secret_places
from doll.services.committing import first
from doll.services.opening import Vault
from doll.services.reading import referring
from doll.services.reading.referring import Known
from doll.services.reviewing import candidates, consequences, interrupted
from doll.services.reviewing.candidates import fault
from doll.services.reviewing.consequences import Arrival
from doll.services.reviewing.marking import Signature, mark
from doll.vault import files, layout
from doll.vault.entries import parse_file
from doll.vault.typed import typed
from doll.vcs import plumbing

_ABOVE = ("user_recorded", "user_confirmed")


class Ready(NamedTuple):
    """A candidate that may be approved.

    `path` is where its record goes, `marked` the bytes of that; `finished`: it is there already,
    since an approval was interrupted.
    """

    record: Record
    data: bytes
    digest: str
    path: str
    marked: bytes
    finished: bool


class _Around(NamedTuple):
    """What the candidates are held against, and the review that they would carry."""

    signature: Signature
    known: Known
    head: Mapping[str, plumbing.TreeEntry]
    staged: Mapping[str, plumbing.TreeEntry]
    approved: candidates.Approved


def check(
    vault: Vault, wants: Sequence[tuple[str, str]], signature: Signature
) -> tuple[tuple[Ready, ...], tuple[Problem, ...]]:
    """Return the candidates that may be approved, and every fault of the others.

    `wants` are paths in staging with the digest of the bytes that were reviewed.
    """
    around = _around(vault, [path for path, _ in wants], signature)
    ready: list[Ready] = []
    faults: list[Problem] = []
    for path, digest in wants:
        found = _check(vault, around, path, digest)
        if isinstance(found, Ready):
            ready.append(found)
        else:
            faults += found
    faults += _taken_twice(ready)
    if not faults:
        arrivals = [Arrival(each.path, each.marked, each.record.path) for each in ready]
        faults += consequences.objections(vault, around.known, arrivals)
    return tuple(ready), tuple(faults)


def content_faults(vault: Vault, record: Record, data: bytes) -> Iterator[Problem]:
    """Yield what forbids to approve a record of just this content, wherever it goes."""
    fields = record.fields
    if record.type not in ("memory", "experience"):
        message = f"a candidate never becomes a {record.type}: only the user writes authority"
        hint = f"write your own: doll new {record.type} ID"
        yield fault(record.path, message, hint, record.line("schema"))
    if fields.review == "rejected":
        message = "it is rejected"
        hint = "to think again: take the lines review and review_reason out, and commit the file"
        yield fault(record.path, message, hint, record.line("review"))
    if there := [name for name in REVIEW_FIELDS if getattr(fields, name) is not None]:
        message = "it carries the fields of a review before there was one"
        hint = f"take out of it: {', '.join(there)}; commit it, and review it again"
        yield fault(record.path, message, hint, record.line(there[0]))
    if isinstance(fields, Experience) and fields.origin != "user" and fields.assertion in _ABOVE:
        message = f"origin {fields.origin} cannot carry the assertion {fields.assertion}"
        hint = "write imported_external, model_proposed or deterministic_system"
        yield fault(record.path, message, hint, record.line("assertion"))
    yield from secret_places(vault, record.path, data.decode())


def project_fault(known: Known, record: Record) -> Problem | None:
    """Return what is wrong with the project of a candidate for experience, or None."""
    fields = record.fields
    if not isinstance(fields, Experience):
        return None
    if len(_projects(known, fields)) == 1 and id_fault(fields.project) is None:
        return None
    message = f"its project {fields.project} is no project of this vault"
    return fault(record.path, message, "doll new project ID", record.line("project"))


def _around(vault: Vault, paths: Sequence[str], signature: Signature) -> _Around:
    tracked = plumbing.tracked(vault.repository, [vault.in_git(path) for path in paths])
    index = {
        path: item
        for item in tracked
        if item.stage == 0 and (path := vault.in_vault(item.path)) is not None
    }
    head, approved = candidates.at_head(vault, paths), candidates.approved(vault)
    return _Around(signature, referring.load(vault), head, index, approved)


def _check(vault: Vault, around: _Around, path: str, digest: str) -> Ready | list[Problem]:
    try:
        data = files.read(vault.root, path)
    except OSError as error:
        return [fault(path, f"it cannot be read: {error.strerror}")]
    if wrong := candidates.digest_fault(path, data, digest):
        return [wrong]
    if uncommitted := _uncommitted(vault, around, path, data):
        return [uncommitted]
    record, problems = parse_file(data, path)
    if record is None:
        return [problem for problem in problems if problem.severity == "error"]
    faults = list(content_faults(vault, record, data))
    return faults or _ready(vault, around, record, data)


def _ready(vault: Vault, around: _Around, record: Record, data: bytes) -> Ready | list[Problem]:
    """Return a candidate whose content is right, or what stands in its way."""
    target = _target(around.known, record)
    if around.approved.half(vault, record) == target:
        there = interrupted.half_done(vault, around.signature, record, data, target)
        if isinstance(there, Problem):
            return [there]
        return Ready(record, data, record.digest, target, there, finished=True)
    if faults := list(_place_faults(around.known, record)):
        return faults
    try:
        marked = mark(data, around.signature)
    except ConflictError as error:
        return [fault(record.path, error.message, error.hint)]
    return Ready(record, data, record.digest, target, marked, finished=False)


def _uncommitted(vault: Vault, around: _Around, path: str, data: bytes) -> Problem | None:
    oid = blob_id(data, vault.repository.algorithm)
    at_head = around.head.get(path)
    if at_head is None:
        name = typed(path)
        hint = f'git add -- {name} && git commit -m "import" -- {name}    then approve it'
        hint = first(vault.repository) + hint
        return fault(path, "it is not committed, and what is reviewed are the bytes at HEAD", hint)
    if not candidates.is_committed(at_head, oid):
        hint = f"git diff HEAD -- {typed(path)}    then commit it, or git restore it, and review it"
        hint += " again"
        return fault(path, "its bytes on disk are not those at HEAD", hint)
    staged = around.staged.get(path)
    if staged is None or staged.oid != oid:
        hint = f"git restore --staged -- {typed(path)}"
        return fault(path, "git's index has something else staged for it", hint)
    return None


def _place_faults(known: Known, record: Record) -> Iterator[Problem]:
    stem = candidates.stem_of(record)
    if wrong := id_fault(stem):
        hint = "git mv it to a valid name in its folder, and commit that"
        yield fault(record.path, f"its name is no valid id: {wrong}", hint)
    if holder := known.holder(stem):
        hint = f"compare both: doll review diff {record.id}; then rename one of them, or reject it"
        yield fault(record.path, f"the id {stem} is taken by {holder}", hint)
    if wrong_project := project_fault(known, record):
        yield wrong_project


def _projects(known: Known, fields: Experience) -> list[Record]:
    return [each for each in known.named(fields.project) if each.type == "project"]


def _target(known: Known, record: Record) -> str:
    """Return where the record goes; a project's entries share one folder, however it is named."""
    fields, project = record.fields, None
    if isinstance(fields, Experience):
        found = _projects(known, fields)
        project = found[0].id if len(found) == 1 else fields.project
    return layout.path_of(record.type, candidates.stem_of(record), project)


def _taken_twice(ready: Sequence[Ready]) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for each in ready:
        stem = fold(candidates.stem_of(each.record))
        if seen.get(stem) == each.record.path:
            yield fault(each.record.path, "it stands in the list twice", "take one of the two out")
        elif stem in seen:
            message = f"it would get the same id as {seen[stem]}, which is in the list too"
            yield fault(each.record.path, message, "take one of the two lines out")
        seen.setdefault(stem, each.record.path)
