"""Writing one new record: checked, screened for secrets, created, and perhaps committed.

Shared by `new`, `log`, `correct` and `confirm`. A file is written when all of it holds, or not at
all; it never replaces one. It decides nothing about what a record says.
"""

import secrets as randomness
import shlex
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import ConflictError, GitError, UsageError
from doll.records.codec import parse, values_of
from doll.records.model import Record
from doll.records.names import BASE32, TOKEN_LENGTH
from doll.render.text import visible
from doll.services.checking.declarations import declare
from doll.services.checking.glob_rules import pattern_problems
from doll.services.committing import require_committable
from doll.services.opening import Vault
from doll.services.reading.referring import Known
from doll.services.recording import screening
from doll.services.recording.authorship import Author
from doll.services.recording.screening import Place
from doll.services.staged_texts import refuse_staged_text
from doll.services.trailers import BY
from doll.services.uncommitted import Along, along
from doll.vault import files, layout

_SUBJECT = 72


def random_token() -> str:
    """Return the ten random base32 characters that end the name of an experience entry."""
    return "".join(randomness.choice(BASE32) for _ in range(TOKEN_LENGTH))


class Manner(NamedTuple):
    """How a record is written: by whom, when, what is allowed, and whether it is committed.

    `now` is aware. `not_a_secret` are the `DETECTOR:FIELD` texts as they were typed.
    """

    author: Author
    now: datetime
    not_a_secret: tuple[str, ...] = ()
    commit: bool = False
    token: Callable[[], str] = random_token


class Draft(NamedTuple):
    """A record that is to be written: where, its bytes, and what the commit is called."""

    path: str
    data: bytes
    subject: str
    notes: tuple[str, ...] = ()


class Written(NamedTuple):
    """A record that was written.

    `commit` is the id of its commit, None when it was not committed; `subject` and `trailers` are
    the commit's message. `notes` say what a person should know; `said` is what hooks printed.
    `along` are the paths of records that it names and that HEAD does not have: a commit of it needs
    them too. `state` is "written", or for a proposal that was made before "there already",
    "approved" or "rejected": then nothing was written. `pending`: it is not committed.
    """

    record: Record
    body: str
    commit: str | None
    subject: str
    trailers: tuple[str, ...]
    notes: tuple[str, ...]
    said: tuple[str, ...] = ()
    along: tuple[str, ...] = ()
    state: str = "written"
    pending: bool = True


def prepare(vault: Vault, manner: Manner) -> tuple[Place, ...]:
    """Check what does not depend on the text, so that nothing is begun in vain.

    Returns the allowances. Raises UsageError, and ConflictError when git knows no identity.
    """
    allowed = screening.allowed_places(manner.not_a_secret, manner.author)
    if manner.commit:
        require_committable(vault.repository)
    return allowed


def write(
    vault: Vault, known: Known, draft: Draft, manner: Manner, allowed: Sequence[Place]
) -> Written:
    """Write the record and return what it became; the caller holds the writer lock.

    Raises UsageError (it would not read back without a problem), ConflictError (a secret, an id
    that is taken, a text that only git's index has), GitError (written, but git refused the
    commit).
    """
    record, body = _read_back(draft)
    if draft.path.startswith(f"{layout.PROPOSALS}/"):
        from doll.services.proposing.again import made_before

        if (before := made_before(vault, draft, manner)) is not None:
            return before
    name = record.id
    if not draft.path.startswith("staging/") and (holder := known.holder(name)):
        raise ConflictError(
            f"the id {name} is taken by {holder}; nothing was written",
            hint=f"choose another id, or see what is there: doll show '{name}'",
        )
    texts = {"id": name, **values_of(draft.data), "body": body}
    screening.screen(texts, allowed, manner.author, whole=draft.data.decode())
    beside = Along()
    if not draft.path.startswith("staging/"):
        beside = along(vault, known, record, commit=manner.commit)
    refuse_staged_text(vault, [draft.path])
    declare(vault, draft.data, allowed)
    files.create(vault.root, draft.path, draft.data)
    lines = (*screening.trailers(allowed), *said_by(manner.author))
    subject = bounded(draft.subject)
    written = Written(
        record, body, None, subject, lines, (*draft.notes, *beside.notes), along=beside.paths
    )
    return committed(vault, written) if manner.commit else written


def said_by(author: Author) -> tuple[str, ...]:
    """Return the trailer of a commit that says which model wrote; none for the user."""
    return (f"{BY}: {author.model}",) if author.model is not None else ()


def below(text: str) -> str:
    """Return a typed body as it stands below the front matter: an empty line before it."""
    if not text:
        return ""
    return f"\n{text}" if text.endswith("\n") else f"\n{text}\n"


def to_commit(written: Written, where: str = "") -> str:
    """Return the line to type that commits the record; `where` is a `-C FOLDER ` for git, or ""."""
    path = " ".join(map(shlex.quote, (written.record.path, *written.along)))
    parts = [f"git {where}commit -m {shlex.quote(written.subject)}"]
    parts += [f"--trailer {shlex.quote(trailer)}" for trailer in written.trailers]
    return f"git {where}add -- {path} && {' '.join(parts)} -- {path}"


def _read_back(draft: Draft) -> tuple[Record, str]:
    path = draft.path
    parsed = parse(draft.data, path, layout.record_id(path), layout.expected_type(path))
    patterns = pattern_problems(parsed.record) if parsed.record else ()
    if problems := (*parsed.problems, *patterns):
        raise UsageError("the record would have problems; nothing was written", problems=problems)
    assert parsed.record is not None
    return parsed.record, parsed.body


def committed(vault: Vault, written: Written) -> Written:
    """Commit just the file of a record; GitError, with the line to type, when git refuses."""
    from doll.vcs import porcelain

    said: list[str] = []
    path = written.record.path
    message = "\n".join([written.subject, "", *written.trailers]).rstrip()
    try:
        commit = porcelain.commit(vault.repository, [vault.in_git(path)], message, tell=said.append)
    except GitError as error:
        where = f"-C {shlex.quote(str(vault.root))} "
        raise GitError(
            f"{path} is written and not committed: {error.message}",
            hint=f"mend what git names, then: {to_commit(written, where)}",
        ) from error
    return written._replace(commit=commit, said=tuple(said), pending=False)


def bounded(subject: str) -> str:
    """Return a commit's subject as one visible line of a length that git's lists show whole."""
    line = visible(subject)
    return line if len(line) <= _SUBJECT else line[: _SUBJECT - 1].rstrip() + "…"
