"""Taking over what the remote has: a fast-forward, else a merge commit; never a rebase.

Stops at a conflict with the merge in progress; settles nothing by itself. The caller holds the
writer lock, and has looked at what the remote has.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from doll.errors import GitError
from doll.services.identity import require_identity
from doll.services.opening import Vault
from doll.services.pending import Difference
from doll.services.syncing import both_sides, cut_short, made, room
from doll.services.syncing.differing import as_differences
from doll.services.syncing.incoming import refusal
from doll.services.syncing.values import Stop, Target
from doll.services.syncing.wording import git, listed, words
from doll.vcs import porcelain
from doll.vcs.plumbing import Change
from doll.vcs.plumbing.history import changes
from doll.vcs.plumbing.refs import unmerged
from doll.vcs.plumbing.underway import merge_heads

FAST_FORWARD, MERGE = "fast-forward", "merge"

_CONFLICT, _GIT = 5, 7
_SHORT = 12


class Integrated(NamedTuple):
    """How it went: `how` is one of the two words above, "" where `stop` says why not.

    `files` is what git made of HEAD.
    """

    how: str
    said: str = ""
    stop: Stop | None = None
    files: made.Made = made.NOTHING


def integrate(vault: Vault, target: Target, tip: str, base: str) -> Integrated:
    """Bring HEAD to where it has `tip` in its history.

    `base` is the merge base of both, and not `tip`. ConflictError, with nothing changed, where
    files that are not committed are in the way, or nobody is named for a merge commit.
    """
    incoming = changes(vault.repository, base, tip, "")
    ours = changes(vault.repository, base, vault.head, "") if base != vault.head else ()
    if stop := refusal(vault, target, base, ours, incoming):
        return Integrated("", stop=stop)
    room.require_free(vault, ours, incoming)
    if base == vault.head:
        cut_short.note(vault, tip)
        done = Integrated(FAST_FORWARD, porcelain.fast_forward(vault.repository, vault.branch, tip))
    else:
        done = _merge(vault, target, tip, ours, incoming)
    # Where git was killed instead, the note stays for the next sync.
    cut_short.forget(vault)
    return done._replace(files=made.taken_over(ours, incoming))


def _merge(
    vault: Vault, target: Target, tip: str, ours: Sequence[Change], incoming: Sequence[Change]
) -> Integrated:
    """Make a merge commit of HEAD and `tip`, or stop with the merge in progress."""
    require_identity(vault.repository)
    room.require_nothing_staged(vault)
    ruling = both_sides.ruling(vault, ours, incoming)
    if mixed := both_sides.mixed(vault, ours, incoming):
        return Integrated("", stop=_mixed(vault, target, mixed))
    message = f"sync: merge {target.name}"
    cut_short.note(vault, tip)
    if ruling:
        ran = both_sides.merge(vault, tip, message, ruling)
    else:
        ran = porcelain.merge(vault.repository, vault.branch, tip, message)
    if ran.code == 0 and not ruling:
        return Integrated(MERGE, ran.words)
    if paths := unmerged(vault.repository):
        settled = [path for path in ruling if path not in paths]
        if not settled:
            made.note(vault, tip)
            return Integrated("", stop=conflict(vault, paths))
    elif not merge_heads(vault.repository):
        raise GitError(f"`git merge` failed: {ran.words or 'it said nothing'}")
    elif not ruling:
        # Left waiting, it would be committed by `git commit`, which runs other hooks.
        porcelain.abort_merge(vault.repository)
        return Integrated("", stop=_refused(ran.words))
    porcelain.abort_merge(vault.repository)
    return Integrated("", stop=_mixed(vault, target, ruling))


def brought(
    vault: Vault, before: str, after: str, files: made.Made
) -> tuple[tuple[Difference, ...], tuple[Difference, ...]]:
    """Return what a merge brought to the vault, and what else is committed since; authority first.

    Both are between two commits, `files` is what the merge made of the first. What else there is
    may lie outside the vault.
    """
    now = changes(vault.repository, before, after, "")
    besides = made.otherwise(files, now)
    others = {change.path for change in besides}
    came = [c for c in now if c.path not in others and vault.in_vault(c.path) is not None]
    return as_differences(vault, came), as_differences(vault, besides)


def theirs_alone(
    vault: Vault, files: Iterable[Difference], theirs: str, after: str
) -> tuple[Difference, ...]:
    """Return which of the files of the vault are at `after` just as at `theirs`."""
    found = changes(vault.repository, theirs, after, vault.prefix.rstrip("/"))
    settled = {vault.in_vault(change.path) for change in found}
    return tuple(each for each in files if each.path not in settled)


def conflict(vault: Vault, paths: tuple[str, ...]) -> Stop:
    """Return the stop for a merge in progress with these unsettled paths of the repository."""
    lead, one = git(vault), words(paths[:1])
    here = words(paths) if len(paths) <= 3 else "FILE …"
    return Stop(
        _CONFLICT,
        f"{len(paths):,} {'file was' if len(paths) == 1 else 'files were'} changed here and at the "
        "remote; the merge waits for you",
        f"{lead} show :2:{one}    is yours, and :3:{one} theirs, where that side has it\n"
        "keep in each file what is right, then:\n"
        f"{lead} add -- {here}    or git rm, for a file that has to go\n"
        "doll sync --continue\n"
        "doll sync --abort    goes back to where you were before the merge",
        paths=tuple(vault.in_vault(path) or path for path in paths),
    )


def _refused(words: str) -> Stop:
    said = words or "it said nothing"
    return Stop(
        _GIT,
        "git or a hook refused the merge, so it was taken back, and nothing was taken over: "
        f"{said}",
        "doll sync    when that is mended",
    )


def _mixed(vault: Vault, target: Target, paths: tuple[str, ...]) -> Stop:
    """Return the stop for rules that a setting of git would have mixed from both sides."""
    return Stop(
        _CONFLICT,
        f"{listed(paths)} {'was' if len(paths) == 1 else 'were'} changed here and at the "
        "remote, and git would mix both; nothing was taken over",
        f"{git(vault)} merge --no-commit {target.fetched}    mixes them\n"
        "look at the files, and git add what you change in them, then:\n"
        f"{git(vault)} commit --no-edit    then doll sync",
        paths=paths,
    )
