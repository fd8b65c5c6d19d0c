"""Rejecting: a candidate is turned down. It stays in staging, marked, and does not come back."""

import shlex

from doll.errors import ConflictError, GitError
from doll.records.splice import splice
from doll.render.review_values import Rejected
from doll.services.committing import require_committable
from doll.services.opening import Vault
from doll.services.recording.authorship import Author, require_user
from doll.services.recording.wording import one_line
from doll.services.reviewing import candidates
from doll.services.staged_texts import refuse_staged_text
from doll.services.writer import writing
from doll.vault import files
from doll.vcs import plumbing


def reject(
    vault: Vault,
    name: str,
    reason: str,
    author: Author,
    *,
    commit: bool = False,
    digest: str | None = None,
) -> Rejected:
    """Mark a candidate as rejected, with the reason, and stage that where git tracks it.

    `digest` holds it to the bytes that were shown. Raises UsageError (no such candidate, an empty
    reason), ConflictError (a model at work, rejected already, changed, a secret in the reason),
    BusyError; then nothing was changed.
    """
    require_user(author, "reject a candidate", "tell the user: doll review    shows what waits")
    text = one_line(reason, "--reason", "say it in one line")
    _refuse_secret(text)
    if commit:
        require_committable(vault.repository)
    with writing(vault):
        entry = candidates.find(vault, vault.load(["staging"]).entries, name)
        found = candidates.read(vault, entry.path)
        record = found.record
        if record.fields.review == "rejected":
            raise ConflictError(
                f"{record.id} is rejected already; nothing was changed",
                hint=f"doll review show {shlex.quote(record.id)}",
            )
        if digest and (wrong := candidates.digest_fault(record.path, found.data, digest)):
            raise ConflictError(f"{record.path}: {wrong.message}", hint=wrong.hint)
        refuse_staged_text(vault, [record.path])
        data = splice(found.data, {"review": "rejected"})
        data = splice(data, {"review_reason": text})
        files.replace(vault.root, record.path, data, record.digest)
        return _recorded(vault, Rejected(record.id, record.path, text, staged=False), commit=commit)


def _refuse_secret(reason: str) -> None:
    from doll.secrets import scan

    if hits := scan(reason):
        raise ConflictError(
            f"--reason looks like it holds a secret ({hits[0].detector}); nothing was changed",
            hint="say it without the secret",
        )


def _recorded(vault: Vault, done: Rejected, *, commit: bool) -> Rejected:
    """Stage the change of a tracked file; commit just that file where that is wanted."""
    from doll.vcs import porcelain

    path, subject = vault.in_git(done.path), f"review: reject {done.id}"
    try:
        if commit:
            made = porcelain.commit(vault.repository, [path], subject)
            return done._replace(staged=True, commit=made)
        if plumbing.tracked(vault.repository, [path]):
            porcelain.stage(vault.repository, [path])
            return done._replace(staged=True)
    except GitError as error:
        git, file = f"git -C {shlex.quote(str(vault.root))}", shlex.quote(done.path)
        line = f"{git} add -- {file} && {git} commit -m {shlex.quote(subject)} -- {file}"
        raise GitError(
            f"the rejection is written, and git failed: {error.message}",
            hint=f"mend what git names, then: {line}",
        ) from error
    return done
