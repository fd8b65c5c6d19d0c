"""May these candidates be approved? Every reason why not, as problems.

Reads only. The bytes on disk must be those that were reviewed, those at HEAD and those in git's
index; nothing in them may stand higher than a review can lift it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from doll.errors import ConflictError, Problem
from doll.records.digest import blob_id
from doll.records.model import Experience, Record
from doll.records.names import fold, id_fault
from doll.services.checking.review_rules import before_review
from doll.services.checking.secret_places import secret_places
from doll.services.opening import Vault
from doll.services.reading import referring
from doll.services.reading.referring import Known
from doll.services.reviewing import candidates
from doll.vault import files, layout
from doll.vault.entries import parse_file
from doll.vcs import plumbing

_ABOVE = ("user_recorded", "user_confirmed")


class Ready(NamedTuple):
    """A candidate that may be approved.

    `path` is where its record goes; `finished`: the reviewed record is there already, since an
    approval was interrupted.
    """

    record: Record
    data: bytes
    digest: str
    path: str
    finished: bool


class _Around(NamedTuple):
    """What the candidates are held against."""

    known: Known
    head: Mapping[str, plumbing.TreeEntry]
    staged: Mapping[str, plumbing.TreeEntry]
    approved: candidates.Approved


def check(
    vault: Vault, wants: Sequence[tuple[str, str]]
) -> tuple[tuple[Ready, ...], tuple[Problem, ...]]:
    """Return the candidates that may be approved, and every fault of the others.

    `wants` are paths in staging with the digest of the bytes that were reviewed.
    """
    around = _around(vault, [path for path, _ in wants])
    ready: list[Ready] = []
    faults: list[Problem] = []
    for path, digest in wants:
        found = _check(vault, around, path, digest)
        if isinstance(found, Ready):
            ready.append(found)
        else:
            faults += found
    return tuple(ready), (*faults, *_taken_twice(ready))


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
    if fields.reviewed_by is not None:
        message = "it carries the fields of a review before there was one"
        hint = "take its lines reviewed_by, reviewed_at and reviewed_sha256 out, and commit it"
        yield fault(record.path, message, hint, record.line("reviewed_by"))
    if isinstance(fields, Experience) and fields.origin != "user" and fields.assertion in _ABOVE:
        message = f"origin {fields.origin} cannot carry the assertion {fields.assertion}"
        hint = "write imported_external, model_proposed or deterministic_system"
        yield fault(record.path, message, hint, record.line("assertion"))
    yield from secret_places(vault, record.path, data.decode())


def fault(path: str, message: str, hint: str = "", line: int = 0) -> Problem:
    """Return one reason why a candidate is not approved."""
    return Problem(path, line, int(line > 0), "review.candidate", message, hint=hint)


def project_fault(known: Known, record: Record) -> Problem | None:
    """Return what is wrong with the project of a candidate for experience, or None."""
    fields = record.fields
    if not isinstance(fields, Experience):
        return None
    projects = [each for each in known.named(fields.project) if each.type == "project"]
    if len(projects) == 1 and id_fault(fields.project) is None:
        return None
    message = f"its project {fields.project} is no project of this vault"
    return fault(record.path, message, "doll new project ID", record.line("project"))


def _around(vault: Vault, paths: Sequence[str]) -> _Around:
    tracked = plumbing.tracked(vault.repository, [vault.in_git(path) for path in paths])
    index = {
        path: item
        for item in tracked
        if item.stage == 0 and (path := vault.in_vault(item.path)) is not None
    }
    return _Around(
        referring.load(vault), candidates.at_head(vault, paths), index, candidates.approved(vault)
    )


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
    half = around.approved.half(vault, record)
    if not faults and half and _is_copy(vault, half, data):
        return Ready(record, data, digest, half, finished=True)
    faults += _place_faults(around.known, record)
    if faults:
        return faults
    return Ready(record, data, digest, _target(record), finished=False)


def _uncommitted(vault: Vault, around: _Around, path: str, data: bytes) -> Problem | None:
    oid = blob_id(data, vault.repository.algorithm)
    at_head = around.head.get(path)
    if at_head is None:
        hint = f'git add -- {path} && git commit -m "import"    then approve it'
        return fault(path, "it is not committed, and what is reviewed are the bytes at HEAD", hint)
    if not candidates.is_committed(at_head, oid):
        hint = f"git diff HEAD -- {path}    then commit it, or git restore it, and review it again"
        return fault(path, "its bytes on disk are not those at HEAD", hint)
    staged = around.staged.get(path)
    if staged is None or staged.oid != oid:
        hint = f"git restore --staged -- {path}"
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


def _target(record: Record) -> str:
    fields = record.fields
    project = fields.project if isinstance(fields, Experience) else None
    return layout.path_of(record.type, candidates.stem_of(record), project)


def _is_copy(vault: Vault, path: str, data: bytes) -> bool:
    """Return whether the record at `path` is the candidate's bytes with a review added."""
    try:
        return before_review(files.read(vault.root, path)) == data
    except (OSError, ConflictError):
        return False


def _taken_twice(ready: Sequence[Ready]) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for each in ready:
        stem = fold(candidates.stem_of(each.record))
        if stem in seen:
            message = f"it would get the same id as {seen[stem]}, which is in the list too"
            yield fault(each.record.path, message, "take one of the two lines out")
        seen.setdefault(stem, each.record.path)
