"""`doll review` on a terminal: one candidate at a time, shown whole, then one question.

An answer is a letter and Enter. What was typed before the question stood there is thrown away, so
that a held key approves nothing unseen; the digest that is approved is that of the text shown.
"""

import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from doll.cli.review_told import git_here, next_steps
from doll.errors import ConflictError, DollError
from doll.render import review_text
from doll.render.problems import covered, hinted, problem_lines
from doll.render.text import count, visible, visible_lines
from doll.services.committing import first
from doll.services.reviewing import reading as reviewing
from doll.services.reviewing.approving import Reviewer, Want, approve
from doll.services.reviewing.rejecting import reject

if TYPE_CHECKING:
    from doll.render.review_values import Candidate, Shown
    from doll.services.opening import Vault
    from doll.services.reviewing.duplicates import Memories

_QUESTION = "approve this one [a,r,d,s,q,?]? "
_LETTERS = (
    "a - approve it: it becomes a record, and both sides of the move are staged",
    "r - reject it, with a reason: it stays in staging, marked",
    "d - show how it differs from what it updates",
    "s - skip it: it waits for another time",
    "q - quit: what was done stays done, and the rest waits",
    "? - show this help",
)


class _Tally:
    """What the session has done so far."""

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting
        self.approved = self.rejected = self.skipped = 0
        self.staged = False
        self.paths = list[str]()

    def __str__(self) -> str:
        left = self.waiting - self.approved - self.rejected
        done = f"{self.approved} approved, {self.rejected} rejected, {self.skipped} skipped"
        return f"{done}; {count(left, 'candidate')} left to review"


def session(vault: "Vault", reviewer: Callable[[], Reviewer]) -> None:
    """Go through the open candidates; whatever was done before a quit stays done."""
    listing = reviewing.listing(vault)
    _echo(*problem_lines(listing.problems))
    waiting = [each for each in listing.candidates if each.state != "rejected"]
    if not waiting:
        _echo(f"nothing to review: {review_text.tally(listing)}")
        return
    tally, memories = _Tally(len(waiting)), reviewing.confirmed(vault)
    try:
        for number, candidate in enumerate(waiting, 1):
            _echo("", f"--- {number} of {len(waiting)} ---")
            if not _review(vault, candidate, memories, reviewer, tally):
                break
    except EOFError:
        _echo("")
    finally:
        _echo("", str(tally))
        if tally.approved or tally.rejected:
            subject = f"review: {count(tally.approved + tally.rejected, 'candidate')}"
            _echo(*next_steps(vault, subject, "", tally.paths, staged=tally.staged))


def _review(
    vault: "Vault",
    candidate: "Candidate",
    memories: "Memories",
    reviewer: Callable[[], Reviewer],
    tally: _Tally,
) -> bool:
    """Show one candidate and do what is answered; False to end the session."""
    try:
        shown = reviewing.show(vault, candidate.path, memories)
    except DollError as error:
        _failed(error)
        tally.skipped += 1
        return True
    _echo(*review_text.show_lines(shown), "")
    while True:
        answer = _ask(_QUESTION).strip().lower()
        if answer in ("q", "quit"):
            return False
        if answer in ("s", "skip"):
            tally.skipped += 1
            return True
        try:
            if answer in ("d", "diff", "difference"):
                _echo(*review_text.diff_lines(reviewing.diff(vault, candidate.path)))
            elif answer in ("a", "approve"):
                _approve(vault, shown, memories, reviewer(), tally)
                return True
            elif answer in ("r", "reject"):
                if _reject(vault, shown, reviewer(), tally):
                    return True
            else:
                _echo("answer with one of the letters, then Enter:", *_LETTERS)
        except DollError as error:
            _failed(error)
            shown = _anew(vault, shown, memories)


def _anew(vault: "Vault", shown: "Shown", memories: "Memories") -> "Shown":
    """Return what a candidate says now, shown again where that is not what was shown before."""
    try:
        now = reviewing.show(vault, shown.candidate.path, memories)
    except DollError:
        return shown  # it is gone or cannot be read, which was said
    if now.candidate.digest != shown.candidate.digest:
        _echo("", "it has changed since it was shown; this is what it says now:", "")
        _echo(*review_text.show_lines(now), "")
    return now


def _approve(
    vault: "Vault", shown: "Shown", memories: "Memories", reviewer: Reviewer, tally: _Tally
) -> None:
    candidate = shown.candidate
    # It may have been committed meanwhile; what is approved is the digest of what was shown.
    if not (candidate.committed or reviewing.show(vault, candidate.path).candidate.committed):
        raise ConflictError(
            "it is not committed, and what is reviewed are the bytes at HEAD",
            hint=f"{_to_commit(vault, candidate.path)}    in another terminal; then answer again",
        )
    done = approve(vault, [Want(candidate.path, candidate.digest)], reviewer)
    _echo(*review_text.approved_lines(done))
    tally.approved += 1
    tally.staged = True
    for move in done.moves:
        tally.paths += [move.source, move.path]
        if candidate.type == "memory":
            memories.add(move.record, move.path, shown.body)


def _reject(vault: "Vault", shown: "Shown", reviewer: Reviewer, tally: _Tally) -> bool:
    reason = _ask("why (empty: not rejected): ").strip()
    if not reason:
        return False
    candidate = shown.candidate
    done = reject(vault, candidate.path, reason, reviewer.author, digest=candidate.digest)
    _echo(review_text.rejected_line(done))
    tally.rejected += 1
    tally.staged = tally.staged or done.staged
    # A commit of an untracked file fails.
    tally.paths += [done.path] if done.staged else []
    return True


def _to_commit(vault: "Vault", path: str) -> str:
    """Return the line that commits a candidate as it is."""
    git, file = git_here(vault), shlex.quote(path)
    return f'{first(vault.repository)}{git} add -- {file} && {git} commit -m "import" -- {file}'


def _ask(question: str) -> str:
    """Return what is typed behind a question; EOFError, which ends the session, at the end."""
    sys.stdout.flush()
    with suppress(ImportError, OSError):
        import termios

        with suppress(termios.error):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    return input(question)


def _failed(error: DollError) -> None:
    _echo(*(f"doll: {line}" for line in visible_lines(covered(error.message))))
    _echo(*problem_lines(error.problems))
    _echo(*(f"  {visible(line)}" for line in hinted(error.hint).splitlines()))


def _echo(*lines: str) -> None:
    for line in lines:
        click.echo(line)
