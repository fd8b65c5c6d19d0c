"""What a clone left out, and files that git was told not to look at."""

from collections.abc import Iterator

from doll.errors import Problem
from doll.render.text import count
from doll.services import unseen
from doll.services.diagnosing.subject import SETTINGS, Subject
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing import looking
from doll.vcs.plumbing.branches import remotes


def history(subject: Subject) -> Iterator[Problem]:
    """Yield that history or objects are not here."""
    repository = subject.vault.repository
    if plumbing.is_whole(repository):
        return
    if looking.is_shallow(repository):
        message = "this is a shallow clone: what came before is not here, so it is not verified"
        hint = subject.line("fetch --unshallow")
        yield Problem(SETTINGS, 0, 0, "history.shallow", message, "warning", hint)
    else:
        yield _partial(subject)


def _partial(subject: Subject) -> Problem:
    """Return the finding for a partial clone, which stays one when all its objects are fetched."""
    repository = subject.vault.repository
    there = remotes(repository)
    promised = (n for n in there if plumbing.config_flag(repository, f"remote.{n}.promisor"))
    remote = next(promised, "origin")
    key = f"remote.{remote}.partialclonefilter"
    is_filtered = plumbing.config(repository, key, local=True) is not None
    unfiltered = f"{subject.git} config --unset-all {typed(key)}"
    if looking.has_all_of(repository, subject.vault.head):
        message = "this is a partial clone, and every object of its history is here"
        nothing = "# nothing has to be done"
        hint = f"{unfiltered}    lets no fetch leave any out" if is_filtered else nothing
        return Problem(SETTINGS, 0, 0, "history.partial", message, "note", hint)
    message = "this is a partial clone: objects that reading needs are not here"
    hint = f"{subject.git} fetch --refetch --no-filter {typed(remote)}"
    hint += f" && {unfiltered}" if is_filtered else ""
    return Problem(SETTINGS, 0, 0, "history.partial", message, "warning", hint)


def unseen_files(subject: Subject) -> Iterator[Problem]:
    """Yield files that are not here, or whose changes git does not see, as it was told."""
    repository = subject.vault.repository
    areas = [subject.vault.in_git(area) for area in (*layout.AREAS, layout.MARKER)]
    found = looking.flagged(repository, areas)
    skipped, assumed = subject.inside(found.skipped), subject.inside(found.assumed)
    sparse = plumbing.config_flag(repository, "core.sparseCheckout")
    if skipped and sparse:
        message = f"a sparse checkout leaves out {count(len(skipped), 'file')}: nothing reads them"
        hint = subject.line("sparse-checkout disable")
        yield Problem(skipped[0], 0, 0, "git.sparse", message, "warning", hint)
    elif skipped:
        yield unseen.flagged(subject.git, skipped, "skip-worktree", "warning")
    if assumed:
        yield unseen.flagged(subject.git, assumed, "assume-unchanged", "warning")


def ignored(subject: Subject) -> Iterator[Problem]:
    """Yield records that git leaves out as ignored."""
    areas = [subject.vault.in_git(area) for area in layout.AREAS]
    found = looking.ignored_files(subject.vault.repository, areas)
    paths = [path for path in subject.inside(found) if layout.is_record(path)]
    if paths:
        yield unseen.ignored(subject.git, paths, "warning")
