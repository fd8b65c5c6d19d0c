"""Where git stands: branch, upstream, an operation that waits, locks, what a sync left."""

from collections.abc import Iterator

from doll.errors import Problem
from doll.services.accepted import accepted_commit
from doll.services.diagnosing.subject import Subject, setting
from doll.services.syncing.aiming import naming
from doll.services.waiting import away
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing.branches import remotes
from doll.vcs.plumbing.locks import age_in_words, locks
from doll.vcs.plumbing.refs import refs_below, unmerged, upstream

RESCUE = "refs/doll/rescue"
# A git that is at work holds a lock for less.
_AT_WORK = 60.0
_SHOWN = 10


def branch_and_upstream(subject: Subject) -> Iterator[Problem]:
    """Yield a HEAD that is not on the vault's branch, and a branch that follows none."""
    found = accepted_commit(subject.vault)
    branch, place = subject.vault.branch, ("HEAD", 0, 0)
    # What waits took HEAD away for a while, and brings it back: no switch, which git would refuse.
    if not found.on_branch and (branch is not None or away(subject.vault.repository) is None):
        where = f"the branch {branch}" if branch else "no branch (HEAD is detached)"
        message = f"on {where}, so what is committed here is not accepted"
        hint = f"{subject.git} switch {typed(found.branch)}"
        yield Problem(*place, "git.branch", message, "warning", hint)
    if branch is not None:
        yield from _upstream(subject, branch)


def _upstream(subject: Subject, branch: str) -> Iterator[Problem]:
    if upstream(subject.vault.repository, branch) is not None:
        return
    there = remotes(subject.vault.repository)
    if not there:
        message = "no remote: the vault is on this machine alone"
        hint = f"{subject.git} remote add origin URL    names another place for it"
        yield setting("git.upstream", message, hint, "note")
        return
    remote = "origin" if "origin" in there else there[0]
    message = f"the branch {branch} follows none of a remote, so nothing says where it belongs"
    # No push: a sync looks first at what it would publish.
    hint = f"{naming(subject.git, branch, remote)}    then doll sync"
    yield setting("git.upstream", message, hint)


def waiting(subject: Subject) -> Iterator[Problem]:
    """Yield an operation of git, or of a sync, that was not finished."""
    repository = subject.vault.repository
    found = away(repository)
    if found is None:
        return
    lines = found.at(repository).lines
    if paths := unmerged(repository):
        names = " ".join(map(typed, paths[:_SHOWN]))
        rest = len(paths) - _SHOWN
        more = f"; then the other {rest:,}, such as {typed(paths[-1])}" if rest > 0 else ""
        git = f"git -C {typed(str(repository.top))}"
        lines = f"{git} add -- {names}    when you kept what is right in them{more}\n{lines}"
    yield Problem(
        str(repository.git_dir), 0, 0, "git.underway", f"{found.what} waits", "warning", lines
    )


def held(subject: Subject) -> Iterator[Problem]:
    """Yield the locks of git with their age. None is removed: a git can be at work."""
    for lock in locks(subject.vault.repository):
        age = age_in_words(lock.age)
        if lock.age < _AT_WORK:
            message = f"git is at work here: its lock is {age} old"
            hint = "# wait for it to end, then look again"
            yield Problem(str(lock.place), 0, 0, "git.lock", message, "note", hint)
            continue
        message = f"git is at work here, or was killed: its lock is {age} old"
        hint = f"rm -- {typed(str(lock.place))}    if no git is running"
        yield Problem(str(lock.place), 0, 0, "git.lock", message, "warning", hint)


def rescued(subject: Subject) -> Iterator[Problem]:
    """Yield what a sync kept of a remote whose history was rewritten, or lost records."""
    repository, head = subject.vault.repository, subject.vault.head
    for name, oid in sorted(refs_below(repository, RESCUE).items()):
        dropping = f"{subject.git} update-ref -d {typed(name)} {oid}    when you need it no more"
        if plumbing.merge_base(repository, head, oid) == oid:
            message = "a sync kept this of a remote, and HEAD has all of it"
            yield Problem(name, 0, 0, "state.rescue", message, "note", dropping)
            continue
        message = "a sync kept what a remote had before its history was rewritten or lost records"
        hint = f"{subject.git} log --oneline HEAD..{typed(name)}    shows what only it has"
        yield Problem(name, 0, 0, "state.rescue", message, "warning", f"{hint}\n{dropping}")
