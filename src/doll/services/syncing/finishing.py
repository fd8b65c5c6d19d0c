"""A merge that stopped: going on with it when its conflicts are settled, or back to before it.

Only a merge that a sync began: one of what was fetched from the remote.
"""

import shlex
from collections.abc import Sequence

from doll.errors import ConflictError, errors_in
from doll.services.opening import Vault
from doll.services.syncing import both_sides
from doll.services.syncing.integrating import conflict
from doll.services.syncing.values import Aim
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs import plumbing, porcelain
from doll.vcs.plumbing import Change
from doll.vcs.plumbing.history import changes
from doll.vcs.plumbing.refs import commits_of, unmerged
from doll.vcs.plumbing.underway import merge_heads, underway

_SHOWN = 3
_MARKS = (b"<<<<<<< ", b">>>>>>> ")


def require_nothing_underway(vault: Vault, aim: Aim) -> bool:
    """Return whether a merge that a sync began waits, all settled; False when nothing waits.

    ConflictError where git is in the middle of anything else.
    """
    waiting = underway(vault.repository)
    if waiting is None:
        return False
    if waiting.name != "merge" or not _is_ours(vault, aim):
        raise ConflictError(
            f"`git {waiting.name}` is not finished, and doll sync did not begin it; nothing was "
            "changed",
            hint=f"{waiting.finish}    or, to drop it: {waiting.drop}\nthen doll sync",
        )
    if paths := unmerged(vault.repository):
        stop = conflict(vault, paths)
        raise ConflictError(
            f"a merge of the remote's commits waits; not settled yet: {', '.join(stop.paths)}",
            hint=stop.hint,
        )
    return True


def finish(vault: Vault) -> str:
    """Commit the merge that waits, all settled; return what git and its hooks said.

    ConflictError as `require_settled`; GitError when a hook refuses.
    """
    require_settled(vault)
    return porcelain.finish_merge(vault.repository)


def require_settled(vault: Vault) -> None:
    """Raise ConflictError where the merge that waits cannot be committed.

    A file still has marks of a conflict, or holds a secret, or rules are staged that belong to no
    side of the merge.
    """
    theirs = merge_heads(vault.repository)[0]
    base = plumbing.merge_base(vault.repository, vault.head, theirs)
    staged = plumbing.staged(vault.repository, vault.head)
    incoming = {change.path: change for change in changes(vault.repository, base, theirs, "")}
    ours = {change.path for change in changes(vault.repository, base, vault.head, "")}
    foreign = [
        change.path
        for change in staged
        if (path := vault.in_vault(change.path)) is not None
        and both_sides.rules(path)
        and not (change.path in incoming and change.path in ours)
        and not (change.path in incoming and incoming[change.path].oid == change.oid)
    ]
    git = f"git -C {shlex.quote(str(vault.repository.top))}"
    if foreign:
        paths = " ".join(map(typed, foreign))
        raise ConflictError(
            f"{', '.join(foreign)}: staged, and no part of the merge; only you accept that",
            hint=f"{git} restore --staged -- {paths}\ndoll sync --continue",
        )
    settled = [c for c in staged if c.path not in incoming or incoming[c.path].oid != c.oid]
    # Not at the top: a sync that has nothing to do needs none of it.
    from doll.services.syncing import leaking

    if problems := leaking.secrets_of_merge(vault, settled):
        raise ConflictError(
            "what looks like a secret is in what was settled, and it would stay in the history",
            hint=f"mend the files, then {git} add -- FILE …\ndoll sync --continue",
            problems=tuple(problems),
        )
    _require_settings(vault, settled)
    made_here = [c for c in staged if c.path in ours and c.mode.startswith("100")]
    blobs = plumbing.blobs(vault.repository, [change.oid for change in made_here])
    marked = [change.path for change in made_here if _is_marked(blobs[change.oid])]
    if marked:
        paths = " ".join(map(typed, marked))
        raise ConflictError(
            f"{', '.join(marked)}: the marks of the conflict are still in it",
            hint=f"keep what is right, then {git} add -- {paths}\ndoll sync --continue",
        )


def _require_settings(vault: Vault, settled: Sequence[Change]) -> None:
    """Raise ConflictError where `doll.yaml` was settled into what cannot be read."""
    for change in settled:
        if vault.in_vault(change.path) == layout.MARKER and change.mode.startswith("100"):
            data = plumbing.blobs(vault.repository, [change.oid])[change.oid]
            if problems := errors_in(vault.parse_settings(data)[1]):
                path = typed(change.path)
                raise ConflictError(
                    f"{layout.MARKER} has problems as it was settled",
                    hint=f"mend it, then git -C {typed(str(vault.repository.top))} add -- {path}\n"
                    "doll sync --continue",
                    problems=problems,
                )


def abort(vault: Vault, aim: Aim) -> None:
    """Go back to before the merge that a sync began.

    ConflictError where there is none, or where more is staged than the merge: git would drop that.
    """
    waiting = underway(vault.repository)
    if waiting is None:
        raise ConflictError("no merge waits, so there is nothing to go back from")
    if waiting.name != "merge" or not _is_ours(vault, aim):
        raise ConflictError(
            f"`git {waiting.name}` is not finished, and doll sync did not begin it; nothing was "
            "changed",
            hint=f"{waiting.drop}    drops it",
        )
    _require_merge_alone(vault)
    porcelain.abort_merge(vault.repository)


def _require_merge_alone(vault: Vault) -> None:
    """Raise ConflictError where a path is staged that the remote did not change."""
    theirs = merge_heads(vault.repository)[0]
    base = plumbing.merge_base(vault.repository, vault.head, theirs)
    merged = {change.path for change in changes(vault.repository, base, theirs, "")}
    staged = [change.path for change in plumbing.staged(vault.repository, vault.head)]
    # Where one side has a folder and the other a file, git calls the file NAME~BRANCH.
    own = [path for path in staged if not merged & {path, path.rpartition("~")[0]}]
    if own:
        more = f" and {len(own) - _SHOWN:,} more" if len(own) > _SHOWN else ""
        raise ConflictError(
            f"{', '.join(own[:_SHOWN])}{more}: staged, and no part of the merge, so going back "
            "would drop it; nothing was changed",
            hint=f"git -C {typed(str(vault.repository.top))} restore --staged -- "
            f"{' '.join(map(typed, own))}    leaves it in the work tree\ndoll sync --abort",
        )


def _is_ours(vault: Vault, aim: Aim) -> bool:
    if aim.target is None:
        return False
    incoming = commits_of(vault.repository, (aim.target.incoming,))
    return set(merge_heads(vault.repository)) == set(incoming.values())


def _is_marked(data: bytes) -> bool:
    """Return whether a text holds both marks of a conflict at the beginning of lines."""
    text = b"\n" + data
    return all(b"\n" + mark in text for mark in _MARKS)
