"""Rejecting: a candidate is turned down. It stays in staging, marked, and does not come back."""

import shlex

from doll.errors import ConflictError, GitError
from doll.records.splice import splice
from doll.render.review_values import Rejected
from doll.services.identity import require_identity
from doll.services.opening import Vault
from doll.services.recording.authorship import Author, require_user
from doll.services.recording.wording import one_line
from doll.services.reviewing import candidates
from doll.vault import files
from doll.vault.lock import writing
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
    require_user(author, "reject a candidate", "tell the user: doll review shows what waits")
    text = one_line(reason, "--reason")
    _refuse_secret(text)
    if commit:
        require_identity(vault.repository)
    with writing(vault.state):
        entry = candidates.find(vault.load(["staging"]).entries, name)
        found = candidates.read(vault, entry.path)
        record = found.record
        if record.fields.review == "rejected":
            raise ConflictError(
                f"{record.id} is rejected already; nothing was changed",
                hint=f"doll review show {shlex.quote(record.id)}",
            )
        if digest and (wrong := candidates.digest_fault(record.path, found.data, digest)):
            raise ConflictError(f"{record.path}: {wrong.message}", hint=wrong.hint)
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

    path = vault.in_git(done.path)
    try:
        if commit:
            made = porcelain.commit(vault.repository, [path], f"review: reject {done.id}")
            return done._replace(staged=True, commit=made)
        if plumbing.tracked(vault.repository, [path]):
            porcelain.stage(vault.repository, [path])
            return done._replace(staged=True)
    except GitError as error:
        raise GitError(
            f"the rejection is written, and git failed: {error.message}",
            hint=f"git add -- {shlex.quote(done.path)}    then git commit",
        ) from error
    return done
