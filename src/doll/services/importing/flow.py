"""Importing: a foreign document becomes candidates in `staging/`, all of them or none.

Nothing foreign is believed here and nothing is confirmed. The whole source is scanned for secrets
before anything is written; the folder is built beside its place and renamed there.
"""

import shlex
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import GitError, InvalidDocumentError, UsageError
from doll.interchange import registry
from doll.interchange.base import Adapter, Document, Options
from doll.render.import_values import ImportReport, Place
from doll.render.text import visible
from doll.services.committing import require_committable
from doll.services.importing import bases, companions, outcome
from doll.services.importing import history as import_history
from doll.services.importing import names as import_names
from doll.services.importing import plan as import_plan
from doll.services.importing import report as import_report
from doll.services.importing import secret_scan as import_secrets
from doll.services.importing.ledger import REPORT, History
from doll.services.importing.outcome import Read
from doll.services.importing.plan import Progress
from doll.services.importing.shown import Shown
from doll.services.importing.where import dropped_stems
from doll.services.opening import Vault
from doll.services.reading import referring
from doll.services.recording.authorship import USER, Author, require_user
from doll.services.staged_texts import refuse_staged_text
from doll.services.trailers import FALSE_ALARM
from doll.services.writer import writing
from doll.vault import files
from doll.vcs import plumbing


class Wish(NamedTuple):
    """What the user asked for.

    `not_a_secret` are `DETECTOR:POINTER` texts as typed, and `project` is the name as typed of the
    project that experience is for, None for none. `as_of` is the moment of the import (aware).
    `source` is the key of a source that names none itself; `split` splits every text at headings.
    """

    name: str | None = None
    dry_run: bool = False
    commit: bool = False
    again: bool = False
    accept_bad_signature: bool = False
    not_a_secret: tuple[str, ...] = ()
    author: Author = USER
    project: str | None = None
    lossy: bool = False
    as_full: bool = False
    keep_source: bool = False
    as_of: datetime | None = None
    source: str = ""
    split: bool = False


def import_document(
    vault: Vault, adapter_name: str, document: Document, wish: Wish, progress: Progress
) -> ImportReport:
    """Import one document into `staging/<adapter>/<import>/` and report what became of it.

    `progress` is told a stage, how far it is, and how far it goes. Raises InvalidDocumentError for
    a document that breaks its format, UsageError for a name, a project or a declaration that cannot
    be used, ConflictError, BusyError; in each case nothing was written. GitError when the commit
    failed: the folder is written then, and the message says so.
    """
    if wish.not_a_secret:
        require_user(wish.author, "say that something is no secret", "leave the option out")
    if wish.commit and not wish.dry_run:
        require_committable(vault.repository)
    declared = import_secrets.parse_declared(wish.not_a_secret)
    if wish.name is not None:
        import_names.check(wish.name)
        if import_secrets.scan_file(wish.name, ""):
            raise UsageError("--name seems to hold a secret", hint="choose another name")
    options = _options(vault, wish)
    adapter = registry.adapter(adapter_name)
    read = _read(adapter, document, options, declared, progress, keep=wish.keep_source)
    if wish.dry_run:
        return _prepared(vault, read, wish, progress)[0]
    with writing(vault):
        report, contents = _prepared(vault, read, wish, progress)
        if not report.folder:
            return report
        refuse_staged_text(vault, [f"{report.folder}/{path}" for path, _ in contents])
        files.create_tree(vault.root, report.folder, _counted(contents, progress))
        return _committed(vault, report, [path for path, _ in contents]) if wish.commit else report


def _options(vault: Vault, wish: Wish) -> Options:
    """Return what the adapter is told; UsageError for a project that is none of the vault."""
    project = ""
    if wish.project is not None:
        known = referring.load(vault)
        named = [wish.project]
        project = referring.canonical(known, "experience", "project", named, "--project")[0].id
    return Options(
        accept_bad_signature=wish.accept_bad_signature,
        project=project,
        lossy=wish.lossy,
        as_of=wish.as_of,
        source=wish.source,
        split=wish.split,
    )


def _read(
    adapter: Adapter,
    document: Document,
    options: Options,
    declared: frozenset[Place],
    progress: Progress,
    *,
    keep: bool,
) -> Read:
    try:
        progress("reading", 0, 2)
        decoded = adapter.decode(document, options)
        progress("reading", 1, 2)
        hits = import_secrets.scan_texts(adapter.texts(document))
        progress("reading", 2, 2)
    except InvalidDocumentError as error:
        raise _masked(error) from None
    owners = import_secrets.Owners(decoded.candidates)
    inside, outside = import_secrets.by_index(hits, owners)
    scanned = companions.scan(adapter, document, decoded) if keep else None
    claimed = tuple(import_secrets.claim_notes(hits, document.name))
    return Read(document, decoded, inside, outside, declared, scanned, claimed)


def _masked(error: InvalidDocumentError) -> InvalidDocumentError:
    """Return the error without the secrets that it may quote."""
    from doll.secrets import mask

    problems = [
        p._replace(
            message=mask(p.message),
            hint=mask(p.hint),
            pointer=import_secrets.masked_pointer(p.pointer),
        )
        for p in error.problems
    ]
    # A hint that stands with its problem is not said again.
    own = "" if any(error.hint == problem.hint for problem in error.problems) else error.hint
    hint = "\n".join(filter(None, [own, "nothing was written"]))
    return InvalidDocumentError(mask(error.message), hint=hint, problems=problems)


def _prepared(
    vault: Vault, read: Read, wish: Wish, progress: Progress
) -> tuple[ImportReport, list[tuple[str, bytes]]]:
    """Return the report, and the files of the new folder; no folder when nothing is new."""
    decoded = read.decoded
    known = import_history.known(vault, plumbing.head(vault.repository))
    import_history.require_whole(known)
    shown = Shown(masking=bool(read.inside or read.outside))
    source = shown.text(decoded.source)
    base = bases.found(known, decoded, read.document, source)
    warned = bases.require(base, as_full=wish.as_full)
    history = History(known.ledgers, decoded.adapter, source, anywhere=decoded.anywhere)
    met = [
        line
        for each in decoded.candidates
        for line in history.staged(each.source_id, each.entry_digest)
    ]
    dropped = dropped_stems(vault, met)
    rules = import_plan.Rules(
        history, read.inside, read.declared, dropped if wish.again else frozenset()
    )
    plan = import_plan.make(decoded, rules, progress)
    hits = [*import_plan.all_places(plan), *outcome.places(read)]
    import_secrets.require_used(read.declared, hits)
    report = outcome.report(
        read, plan, dropped=0 if wish.again else len(dropped), dry_run=wish.dry_run
    )
    report = report._replace(
        facts={**report.facts, **base.facts}, problems=(*warned, *report.problems)
    )
    barred = import_report.barred(report)
    if not plan.written and all(history.told(line, decoded.source_digest) for line in barred):
        earlier = import_history.folders(vault, known, decoded, report.source)
        pending = _uncommitted(vault, earlier)
        problems = (*report.problems, *known.problems)
        return report._replace(problems=problems, earlier=earlier, pending=pending), []
    report = outcome.named(report, read, plan, wish.name, known.taken)
    contents = list(outcome.contents(report, read, plan))
    return report._replace(problems=(*report.problems, *known.problems)), contents


def _uncommitted(vault: Vault, folders: Sequence[str]) -> tuple[str, ...]:
    """Return those of `folders` that are there and whose ledger is not at HEAD."""
    there = [each for each in folders if "/" in each]
    ledgers = [vault.in_git(f"{each}/{REPORT}") for each in there]
    head = plumbing.head(vault.repository) if there else None
    known = (
        {item.path for item in plumbing.tree(vault.repository, head, ledgers)} if head else set()
    )
    return tuple(e for e, ledger in zip(there, ledgers, strict=True) if ledger not in known)


def _counted(
    contents: Sequence[tuple[str, bytes]], progress: Progress
) -> Iterable[tuple[str, bytes]]:
    for number, content in enumerate(contents):
        if number % 200 == 0:
            progress("writing", number, len(contents))
        yield content
    progress("writing", len(contents), len(contents))


def _committed(vault: Vault, report: ImportReport, names: Sequence[str]) -> ImportReport:
    """Commit just the new folder."""
    from doll.vcs import porcelain

    paths = [vault.in_git(f"{report.folder}/{name}") for name in names]
    try:
        commit = porcelain.commit(vault.repository, paths, _message(report))
    except GitError as error:
        raise GitError(
            f"{report.folder} is written, and could not be committed: {error.message}",
            hint=f"mend what git names, then: {_to_commit(vault, report)}",
        ) from error
    return report._replace(commit=commit)


def _to_commit(vault: Vault, report: ImportReport) -> str:
    git, folder = f"git -C {shlex.quote(str(vault.root))}", shlex.quote(report.folder)
    subject = shlex.quote(f"import {report.name}")
    return f"{git} add -- {folder} && {git} commit -m {subject} -- {folder}"


def _message(report: ImportReport) -> str:
    counts = report.counts._asdict().items()
    numbers = ", ".join(f"{number} {what}" for what, number in counts if number)
    lines = [f"import {report.name}", "", numbers, ""]
    lines += [f"{FALSE_ALARM}: {visible(str(each.place))}" for each in report.declared]
    return "\n".join(lines).rstrip() + "\n"
