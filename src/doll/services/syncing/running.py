"""One sync at work: commit, fetch, integrate, judge, push, refresh the index; and its report.

The writer lock is held while a commit or a merge is made, never over the network.
"""

import copy
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from doll.errors import BusyError, ConflictError, DollError, GitError, Problem
from doll.services.identity import require_identity
from doll.services.opening import Vault, read_marker
from doll.services.syncing import aiming, cut_short, fetching, finishing, integrating, standing
from doll.services.syncing.planning import planned, require_whole
from doll.services.syncing.values import Aim, Brought, Plan, Report, Stop, Target, Wish
from doll.services.syncing.verdicts import committed_badly, merged_badly
from doll.services.writer import writing
from doll.vcs import plumbing, porcelain
from doll.vcs.plumbing.refs import count_commits
from doll.vcs.plumbing.underway import merge_heads

if TYPE_CHECKING:
    from doll.services.syncing.judging import Judged
    from doll.services.syncing.made import Made

# How often what the remote got meanwhile is taken over before a sync gives up.
_TRIES = 3

Tell = Callable[[str], None]


class Own(NamedTuple):
    """A commit of this sync's own, all judged before it was made, and the one before it.

    `is_reworded`: a hook changed its message.
    """

    before: str
    commit: str
    is_reworded: bool


class Run:
    """One sync at work; `report` grows with it."""

    def __init__(self, vault: Vault, wish: Wish, tell: Tell) -> None:
        self.vault = vault
        self.wish = wish
        self.tell = tell
        self.report = Report(Plan(Aim(None)), head=vault.head)
        self.is_judged = False
        self.refused = ""
        self.own: Own | None = None
        # A commit that more than this sync made, without errors, and the one before it.
        self.sound: tuple[str, str] | None = None

    def begin(self) -> None:
        """Finish a merge that waits, and commit what changed.

        Raises DollErrors while nothing is committed; then they are a stop in the report.
        """
        before = self.vault.head
        try:
            self._begin()
        except DollError as error:
            if self.vault.head == before:
                raise
            self.stop(Stop.of(error))

    def _begin(self) -> None:
        aim = aiming.aim(self.vault)
        self.report = self.report._replace(plan=Plan(aim))
        with writing(self.vault):
            cut_short.put_back(self.vault)
            ours, is_waiting = self.vault.head, finishing.require_nothing_underway(self.vault)
            if is_waiting:
                theirs, merged = self._finish(), self.vault.head
            elif self.wish.go_on:
                raise ConflictError("no merge waits, so there is nothing to go on with")
            require_whole(self.vault)
            plan = planned(self.vault, aim, self.wish)
            self.report = self.report._replace(plan=plan)
            if plan.commit:
                require_identity(self.vault.repository)
                self._commit()
        if is_waiting:
            self._judge(ours, theirs, merged)

    def exchange(self) -> None:
        """Take over what the remote has, and push; a stop goes into the report."""
        target = self.report.plan.aim.target
        if target is None or self.report.stop is not None:
            return
        pushed_on: str | None = None
        for attempt in range(_TRIES):
            self.tell(f"fetching {target.name}")
            found = fetching.fetch(self.vault, target, self.wish)
            if attempt and found.tip == pushed_on:
                raise GitError(self.refused)
            pushed_on = found.tip
            stop = found.stop or self._integrate(target, found)
            if stop is not None:
                self.stop(stop)
                return
            if found.tip == self.vault.head or self._push(target, found.tip):
                stop = standing.conclude(self.vault, target)
                self.report = self.report._replace(synced=stop is None, stop=stop)
                return
            if self.report.stop is not None:
                return
        message = f"{target.name} moved on {_TRIES} times while this was pushed; nothing is lost"
        self.stop(Stop(BusyError.exit_code, message, "doll sync"))

    def refresh(self) -> None:
        """Bring the index up to date; where that fails, the next read does it."""
        from doll.services.recalling.indexing import bring_up_to_date

        try:
            found = bring_up_to_date(self.vault)
        except DollError as error:
            notice = (f"the index was not refreshed: {error.message}", error.hint)
            self.report = self.report._replace(notices=(notice,))
            return
        notices = tuple((message, hint) for message, hint in found.notices)
        self.report = self.report._replace(indexed=found.records, notices=notices)

    def stop(self, stop: Stop) -> None:
        """Have the report say why it ended."""
        self.report = self.report._replace(stop=stop)

    def _commit(self) -> None:
        from doll.services.syncing import committing

        made = committing.commit(self.vault, self.report.plan.commit)
        self.report = self.report._replace(
            commit=made.commit,
            subject=made.subject,
            besides=made.besides,
            said=made.said,
            head=made.commit,
        )
        before = self.vault.head
        self.vault = copy.copy(self.vault)
        self.vault.head = made.commit
        if made.is_own:
            self.own = Own(before, made.commit, made.is_reworded)
        elif came := _judged(self.vault, before, made.commit).came:
            self.stop(self._secret(came, before) or committed_badly(self.vault, before, made, came))
        else:
            self.sound = (before, made.commit)

    def _finish(self) -> str:
        theirs, ours = merge_heads(self.vault.repository)[0], self.vault.head
        said, files = finishing.finish(self.vault)
        self.vault = moved(self.vault)
        self.report = self.report._replace(said=(said,) if said else (), head=self.vault.head)
        self._note(integrating.MERGE, ours, theirs, files)
        return theirs

    def _integrate(self, target: Target, found: fetching.Fetched) -> Stop | None:
        """Take over what the remote has that is not here; return why it went no further."""
        tip, base = found.tip, found.base
        if tip is None or base is None or base == tip:
            return None
        self.tell(f"taking over {target.name}")
        ours = self.vault.head
        with writing(self.vault):
            if stop := standing.moved(self.vault):
                return stop
            done = integrating.integrate(self.vault, target, tip, base)
        if done.said:
            self.report = self.report._replace(said=(*self.report.said, done.said))
        if done.stop is not None:
            return done.stop
        before, self.vault = self.vault, moved(self.vault)
        if self.vault.branch != before.branch:
            return standing.elsewhere(before)
        self._note(done.how, ours, tip, done.files)
        return self._judge(ours, tip, self.vault.head)

    def _note(self, how: str, ours: str, theirs: str, made: "Made") -> None:
        """Have the report say what came, before anything is made of it."""
        files, besides = integrating.brought(self.vault, ours, self.vault.head, made)
        commits = count_commits(self.vault.repository, theirs, ours)
        brought = Brought(how, self.vault.head, commits, files, besides=besides)
        self.report = self.report._replace(
            brought=(*self.report.brought, brought), head=self.vault.head
        )

    def _judge(self, ours: str, theirs: str, merged: str) -> Stop | None:
        """Note the errors that came, and return the stop for those that a push would bring."""
        self.is_judged = True
        judged = _judged(self.vault, ours, theirs)
        *before, last = self.report.brought
        last = last._replace(problems=judged.came)
        self.report = self.report._replace(brought=(*before, last))
        if judged.new or judged.own:
            secret = self._secret((*judged.new, *judged.own), theirs)
            whole = integrating.theirs_alone(self.vault, last.files, theirs, merged)
            self.stop(secret or merged_badly(judged.new, judged.own, whole))
        return self.report.stop

    def _secret(self, problems: Iterable[Problem], tip: str) -> Stop | None:
        """Return the stop for secrets among the problems, since mending is not enough for them."""
        from doll.services.checking.secret_places import CODE
        from doll.services.syncing import leaking

        target = self.report.plan.aim.target
        is_any = any(problem.code == CODE for problem in problems)
        return leaking.refusal(self.vault, target, tip) if is_any and target else None

    def _push(self, target: Target, tip: str | None) -> bool:
        """Push HEAD; False where the remote has moved on, or a stop is in the report."""
        repository = self.vault.repository
        if stop := self._refusal(target, tip) or standing.moved(self.vault):
            self.stop(stop)
            return False
        commits = count_commits(repository, self.vault.head, tip)
        self.tell(f"pushing to {target.name}")
        pushed = porcelain.push(
            repository, target.remote, self.vault.head, target.ref, attended=self.wish.attended
        )
        self.refused = pushed.words
        if pushed.moved:
            self.report = self.report._replace(pushed=commits)
        return pushed.done and self._arrived(target, tip)

    def _arrived(self, target: Target, tip: str | None) -> bool:
        """Return whether what is fetched from the remote, `tip` before the push, is HEAD now."""
        from doll.services.syncing import elsewhere

        now = elsewhere.tip(self.vault, target, self.wish)
        if now != self.vault.head and now == tip:
            self.stop(elsewhere.not_there(self.vault, target, tip))
        return now == self.vault.head

    def _refusal(self, target: Target, tip: str | None) -> Stop | None:
        """Return why HEAD is not pushed to a remote that has `tip`.

        What was judged before is not judged again: this sync's own commit, and a merge.
        """
        if self.own is not None and self.own[:2] == (tip, self.vault.head):
            if not self.own.is_reworded:
                return None
            from doll.services.syncing import leaking

            return leaking.refusal(self.vault, target, tip)
        from doll.services.syncing import pushing

        is_judged = self.is_judged or self.sound == (tip, self.vault.head)
        return pushing.refusal(self.vault, target, tip, is_judged=is_judged)


def moved(vault: Vault) -> Vault:
    """Return the vault as it is where HEAD is now."""
    repository = vault.repository._replace(found_at=None)
    position = plumbing.position(repository)
    assert position is not None, "a vault has a commit"
    try:
        marker = read_marker(vault.root)
    except DollError:
        marker = None
    return Vault(vault.root, vault.source, marker, repository, position)


def _judged(vault: Vault, ours: str, theirs: str) -> "Judged":
    from doll.services.syncing.judging import judge

    return judge(vault, ours, theirs)
