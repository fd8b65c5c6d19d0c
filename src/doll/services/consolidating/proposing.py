"""Proposing: a candidate in `staging/proposals/` for each finding. Nothing is merged or edited.

What a finding proposes has one name, so that it is proposed once; a rejected one does not come
back. Experience is append-only: for it there are hints alone.
"""

from collections.abc import Sequence

from doll.errors import GitError, errors_in
from doll.recall.similarity import text_digest
from doll.records import fences
from doll.records.model import Memory
from doll.render.duplicates_values import Finding, Proposal, Proposed
from doll.secrets import scan
from doll.services.committing import require_committable
from doll.services.consolidating.describing import words_of
from doll.services.consolidating.drafting import MOST, Draft, Source, draft
from doll.services.consolidating.finding import Raw
from doll.services.consolidating.gathering import text_of
from doll.services.opening import Vault
from doll.services.proposing.naming import standing
from doll.services.recording import writing
from doll.services.recording.writing import Manner
from doll.services.reviewing import candidates
from doll.services.staged_texts import Where, shows, staged_alone
from doll.services.writer import writing as writer_lock
from doll.vault import files
from doll.vault.entries import parse_file
from doll.vault.layout import record_id

_EXPERIENCE = "experience is append-only: doll correct ID … says which entry holds"
_TAKEN = "a proposal above is about it too: review that first, then propose again"
_CHANGED = "its records changed while they were compared"


def propose(vault: Vault, found: Sequence[tuple[Raw, Finding]], manner: Manner) -> Proposed:
    """Write a candidate for each finding about memories, unless it is there already.

    Raises BusyError, StorageError, ConflictError when a commit cannot be made: then nothing was
    written. GitError when the commit failed.
    """
    if manner.commit:
        require_committable(vault.repository)
    proposals: list[Proposal] = []
    hints: list[tuple[str, str]] = []
    taken: set[str] = set()
    with writer_lock(vault):
        approved = candidates.approved(vault)
        for raw, finding in found:
            if not isinstance(raw.pool.records[raw.group.leader].fields, Memory):
                hints.append((finding.leader.id, _EXPERIENCE))
                continue
            sources = _sources(vault, raw)
            if sources is None:
                hints.append((finding.leader.id, _CHANGED))
                continue
            if taken.intersection(finding.paths):
                hints.append((finding.leader.id, _TAKEN))
                continue
            made = _proposed(vault, finding, draft(finding, sources), approved)
            proposals.append(made)
            if made.state in ("written", "there already"):
                taken.update(finding.paths)
        trailers = writing.said_by(manner.author)
        done = Proposed(tuple(proposals), tuple(hints), "", trailers)
        waiting = set(to_commit(vault, done))
        subject = _subject([each for each in proposals if each.path in waiting])
        done = done._replace(subject=writing.bounded(subject))
        return _recorded(vault, done) if manner.commit else done


def _sources(vault: Vault, raw: Raw) -> list[Source] | None:
    """Return the records that a proposal is about, None when one is not what was compared."""
    numbers = [raw.group.leader, *(number for number, _ in raw.group.members)]
    found = []
    for number in numbers[: MOST[raw.kind]]:
        record = raw.pool.records[number]
        data = files.read_as(vault.root, record.path, record.digest)
        if data is None:
            return None
        body = fences.body(data.decode())
        compared = text_of(record, data)
        words = {} if raw.kind == "exact" else words_of(compared)
        found.append(Source(record, body, text_digest(compared), words))
    return found


def _proposed(
    vault: Vault, finding: Finding, made: Draft, approved: candidates.Approved
) -> Proposal:
    proposal = Proposal(finding.kind, record_id(made.path), made.path, "written", made.supersedes)
    there = standing(vault, made.path, approved)
    if there.state != "new":
        state = "rejected" if there.state == "rejected" else "there already"
        return proposal._replace(state=state, path=there.path)
    if reason := _refused(vault, made):
        return proposal._replace(state="refused", reason=reason)
    files.create(vault.root, made.path, made.data)
    return proposal


def _refused(vault: Vault, made: Draft) -> str:
    """Return why a candidate cannot be written, ""."""
    if hits := scan(made.data.decode()):
        return f"it would repeat what looks like a secret ({hits[0].detector}): write it by hand"
    record, problems = parse_file(made.data, made.path)
    if record is None:
        return f"it would not read back: {errors_in(problems)[0].message}"
    where = Where.of(vault)
    if staged_alone(where, [made.path]):
        return f"its place is staged with a text that no file has: {shows(where, made.path)}"
    return ""


def _subject(waiting: Sequence[Proposal]) -> str:
    if len(waiting) == 1:
        return f"propose: {waiting[0].id}"
    return f"propose: {len(waiting)} candidates from duplicates"


def to_commit(vault: Vault, done: Proposed) -> tuple[str, ...]:
    """Return the paths of the proposals that HEAD does not have."""
    open_ones = [p.path for p in done.proposals if p.state in ("written", "there already")]
    waiting = [path for path in open_ones if path.startswith("staging/")]
    head = candidates.at_head(vault, waiting) if waiting else {}
    return tuple(path for path in dict.fromkeys(waiting) if path not in head)


def _recorded(vault: Vault, done: Proposed) -> Proposed:
    """Commit just the proposals."""
    from doll.vcs import porcelain

    paths = to_commit(vault, done)
    if not paths:
        return done
    said: list[str] = []
    message = "\n".join([done.subject, "", *done.trailers]).rstrip()
    try:
        in_git = [vault.in_git(path) for path in paths]
        commit = porcelain.commit(vault.repository, in_git, message, tell=said.append)
    except GitError as error:
        raise GitError(
            f"the proposals are written and not committed: {error.message}",
            hint="mend what git names, then the same command again",
        ) from error
    return done._replace(commit=commit, said=tuple(said))
