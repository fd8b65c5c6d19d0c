"""What a sync plans and what it did, as values."""

import re
from datetime import datetime
from typing import NamedTuple

from doll.errors import DollError, Problem
from doll.services.pending import Difference
from doll.vault.typed import typed

# The login in a URL: a branch may follow a plain one, and git says none of it either.
_LOGIN = re.compile(r"(?<=://)[^/\s]*@")


def without_login(remote: str) -> str:
    """Return a remote's name or URL as people may read it: without user and password."""
    return _LOGIN.sub("", remote)


class Wish(NamedTuple):
    """How to sync: at which moment, in UTC; whether git may ask at a terminal; what is allowed.

    `go_on`: only to finish a merge that waits, and go on from there.
    """

    now: datetime
    attended: bool = False
    allow_mass_delete: bool = False
    go_on: bool = False


class Target(NamedTuple):
    """The branch of a remote that the branch here follows.

    `ref` is its full name there, `tracking` the ref here that git moves at a fetch ("" for none),
    `incoming` the ref that a sync fetches into, `seen` where the last sync left the remote, `meant`
    a history that the remote has and that the user said is as it should be. Below `dropped` stands
    what was taken out of the remote's histories, whichever branch it was.
    """

    remote: str
    ref: str
    tracking: str
    incoming: str
    seen: str
    meant: str
    dropped: str

    @property
    def name(self) -> str:
        """What people call it: `origin/main`."""
        return f"{self.shown}/{self.branch}"

    @property
    def shown(self) -> str:
        """The remote as people may read it."""
        return without_login(self.remote)

    @property
    def branch(self) -> str:
        """The short name of the branch there."""
        return self.ref.removeprefix("refs/heads/")

    @property
    def fetched(self) -> str:
        """The ref that a sync fetches into, as a word of a line: the remote chose its name."""
        return typed(self.incoming)


class Aim(NamedTuple):
    """Where to: `target`, or None with `why` in words and the line to type in `hint`.

    `is_alone`: there is no remote at all.
    """

    target: Target | None
    why: str = ""
    hint: str = ""
    is_alone: bool = False


class Chosen(NamedTuple):
    """A file that a sync commits; `what` is as in `Difference`.

    `blob` and `mode` are those that were judged, "" for a file that goes.
    """

    path: str
    what: str
    blob: str
    mode: str


class Stop(NamedTuple):
    """Why a sync ended before it was through: an exit code, what happened, what to type."""

    exit_code: int
    message: str
    hint: str = ""
    problems: tuple[Problem, ...] = ()
    paths: tuple[str, ...] = ()

    @classmethod
    def of(cls, error: DollError) -> "Stop":
        """Return the stop for an operation that could not be done."""
        return cls(error.exit_code, error.message, error.hint, error.problems)


class Plan(NamedTuple):
    """What a sync is about to do.

    `commit` are the files to commit, `held` why others are held back, `theirs` what only the user
    commits: authority, settings, the vault's git files. `aside` are files that are no records and
    would stay in append-only folders for ever. All sorted by path, relative to the vault.

    `merge` is the commit that a merge that waits takes over, "" for none. `refused` is why what is
    committed already would not be pushed, as far as is known without asking the remote.
    """

    aim: Aim
    commit: tuple[Chosen, ...] = ()
    held: tuple[Problem, ...] = ()
    theirs: tuple[Difference, ...] = ()
    aside: tuple[str, ...] = ()
    merge: str = ""
    refused: Stop | None = None


class Brought(NamedTuple):
    """What came from the remote: how many commits, how, and which files of the vault they change.

    `how` is `fast-forward` or `merge`; `commit` is HEAD afterwards. `problems` are errors that came
    along and stop nothing. `besides` is what was committed with the merge, or on it, by a hook or
    by hand.
    """

    how: str
    commit: str
    commits: int
    files: tuple[Difference, ...]
    problems: tuple[Problem, ...] = ()
    besides: tuple[Difference, ...] = ()


class Report(NamedTuple):
    """What a sync did, stage by stage; None and 0 for what it did not come to.

    `commit` is what it committed, `besides` what came along with that by a hook or by hand, `said`
    the words of hooks. `head` is HEAD at the end. `synced`: the remote has it. `indexed` is how
    many records are searchable.
    """

    plan: Plan
    commit: str | None = None
    subject: str = ""
    besides: tuple[Difference, ...] = ()
    said: tuple[str, ...] = ()
    brought: tuple[Brought, ...] = ()
    pushed: int = 0
    synced: bool = False
    head: str = ""
    indexed: int | None = None
    notices: tuple[tuple[str, str], ...] = ()
    stop: Stop | None = None

    @property
    def exit_code(self) -> int:
        """The exit code that says it all."""
        if self.stop is not None:
            return self.stop.exit_code
        if self.plan.aim.target is None and not self.plan.aim.is_alone:
            return 1
        return 1 if any(problem.severity == "error" for problem in self.plan.held) else 0
