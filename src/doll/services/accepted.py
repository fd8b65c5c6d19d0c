"""What is accepted: the accepted commit, and records and settings as they are there.

Only what is committed on the vault's branch counts; a feature branch cannot lift a block.
Source: design, section 1, "Accepted".
"""

import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from doll.errors import ConfigurationError, GitError, NoVaultError, Problem
from doll.records.digest import blob_id
from doll.records.limits import MAX_FILE_BYTES
from doll.services.opening import Vault
from doll.services.signing.asked import may_ask
from doll.vault import layout
from doll.vault.entries import Entry, parse_file
from doll.vault.snapshot import Stamp
from doll.vcs import plumbing

PINNED_BRANCH = "doll.branch"

_NO_STAMP = Stamp(0, 0, 0, 0)


class Accepted(NamedTuple):
    """The accepted commit, and the vault's branch that makes it so; `tip` is where that is now."""

    commit: str
    branch: str
    on_branch: bool
    tip: str = ""


def accepted_commit(vault: Vault) -> Accepted:
    """Return the accepted commit of the vault.

    HEAD when it is on the vault's branch, else the merge base of HEAD and that branch: as it is
    here, else at `origin` when last fetched, else at the other remotes. The branch is the one that
    `doll init` pinned in git's configuration, else the one that `doll.yaml` names in what is
    committed, and signed where that is required. Raises ConfigurationError when the branch does
    not exist, shares no history with HEAD, or is left open: by two branches that each name
    themselves, by two remotes that differ.
    NoVaultError when no `doll.yaml` is committed.
    """
    branch = plumbing.config(vault.repository, PINNED_BRANCH, local=True)
    branch = branch or _signed_branch(vault) or _named_branch(vault)
    if vault.branch == branch:
        return Accepted(vault.head, branch, on_branch=True)
    for name in (f"refs/heads/{branch}", f"refs/remotes/origin/{branch}"):
        tip = plumbing.resolve(vault.repository, name)
        base = plumbing.merge_base(vault.repository, vault.head, tip) if tip else None
        if tip and base:
            return Accepted(base, branch, on_branch=False, tip=tip)
    elsewhere = _base_at_remotes(vault, branch)
    if elsewhere is not None:
        return elsewhere
    raise _apart(vault, branch)


def _apart(vault: Vault, branch: str) -> ConfigurationError:
    """Return the error for a branch that is not there, or has nothing in common with HEAD."""
    from doll.vcs.plumbing.branches import remotes

    git, name = f"git -C {shlex.quote(str(vault.root))}", shlex.quote(branch)
    places = ["heads", *(f"remotes/{remote}" for remote in remotes(vault.repository))]
    if any(plumbing.resolve(vault.repository, f"refs/{place}/{branch}") for place in places):
        return ConfigurationError(
            f"the vault's branch {branch!r} shares no history with HEAD",
            hint=f"{git} switch {name}",
        )
    # Renamed or deleted: only the user knows which.
    current = vault.branch
    said = f"the vault's branch {branch!r} does not exist here"
    hint = f"{git} branch {name}    makes it anew from the commit that is checked out"
    if current:
        said += f"; {current!r} is checked out"
        pin = f"{git} config {PINNED_BRANCH} {shlex.quote(current)}"
        hint = f"{pin}    names it, if it was renamed\n{hint}"
    return ConfigurationError(said, hint=hint)


def _base_at_remotes(vault: Vault, branch: str) -> Accepted | None:
    """Return the merge base of HEAD and the branch at the remotes beside `origin`, if there is one.

    Where they disagree nobody says which of them is the vault's: one may be a feature branch's.
    """
    from doll.vcs.plumbing.branches import remotes

    bases = {}
    for remote in remotes(vault.repository):
        tip = plumbing.resolve(vault.repository, f"refs/remotes/{remote}/{branch}")
        base = plumbing.merge_base(vault.repository, vault.head, tip) if tip else None
        if base is not None:
            bases[remote] = Accepted(base, branch, on_branch=False, tip=tip or "")
    if len({each.commit for each in bases.values()}) > 1:
        git = f"git -C {shlex.quote(str(vault.root))} branch {shlex.quote(branch)} "
        raise ConfigurationError(
            f"the vault's branch {branch!r} is not here, and differs at {' and '.join(bases)}",
            hint="\n".join(git + shlex.quote(f"{remote}/{branch}") for remote in bases),
        )
    return next(iter(bases.values()), None)


def _signed_branch(vault: Vault) -> str | None:
    """Return the branch that the signed `doll.yaml` names, None where no signature is required."""
    if not may_ask(vault, vault.head):
        return None
    from doll.services.signing.grading import Grader
    from doll.services.signing.regime import regime

    asked = regime(vault, Grader(vault), vault.head)
    found = {_branch_in(vault, data) for oid in asked.markers if (data := marker_blob(vault, oid))}
    return next(iter(found)) if asked.authority and len(found) == 1 else None


def _named_branch(vault: Vault) -> str:
    """Return the vault's branch where nobody pinned it.

    A feature branch can write its own name into `doll.yaml`. So every branch that names itself
    there has a claim. Of several it is the one that was named where they part: the others came to
    their names later. Where that names none of them the user has to decide.
    """
    from doll.vcs.plumbing.branches import file_of_branches

    marker = vault.in_git(layout.MARKER)
    data, contents = file_of_branches(vault.repository, marker, vault.head)
    claims = {_branch_in(vault, data)} if data is not None else set()
    for branch, each in contents.items():
        claims |= {branch} & {_branch_in(vault, one) for one in each}
    named = sorted(name for name in claims if name is not None)
    pin = f"git -C {shlex.quote(str(vault.root))} config {PINNED_BRANCH} "
    if len(named) > 1 and (original := _named_before(vault, named)) in named:
        return original
    if len(named) == 1:
        return named[0]
    if named:
        raise ConfigurationError(
            f"the branches {' and '.join(named)} each say in {layout.MARKER} that they are the "
            "vault's branch",
            hint="\n".join(pin + shlex.quote(name) for name in named),
        )
    if data is None:
        raise not_committed(vault)
    raise ConfigurationError(
        f"{layout.MARKER} at HEAD of {vault.root} cannot be read, so the vault's branch is not "
        "known",
        hint=f"{pin}main    names it; doll validate says what is wrong",
        problems=vault.parse_settings(data)[1],
    )


def _named_before(vault: Vault, branches: Sequence[str]) -> str:
    """Return the branch that `doll.yaml` named in the last commit that all of them have, or ""."""
    from doll.vcs.plumbing.branches import common_ancestor

    marker = vault.in_git(layout.MARKER)
    base = common_ancestor(vault.repository, branches)
    data = settings_bytes(vault, plumbing.tree(vault.repository, base, [marker]))
    return (_branch_in(vault, data) if data is not None else None) or ""


def _branch_in(vault: Vault, data: bytes) -> str | None:
    settings = vault.parse_settings(data)[0]
    return settings.branch if settings else None


def not_committed(vault: Vault) -> NoVaultError:
    """Return the error for a vault whose `doll.yaml` is on disk and in no accepted commit."""
    git = f"git -C {shlex.quote(str(vault.root))}"
    return NoVaultError(
        f"{layout.MARKER} of {vault.root} is not committed on the vault's branch, so nothing in "
        "the vault is accepted",
        hint=f"{git} add -- {layout.MARKER} && "
        f'{git} commit -m "Start the vault" -- {layout.MARKER}',
    )


def settings_bytes(vault: Vault, items: Iterable[plumbing.TreeEntry]) -> bytes | None:
    """Return the bytes of `doll.yaml` among the files of a commit, None when it is not there.

    A file that is on disk with the same bytes is not read from git.
    """
    marker = vault.in_git(layout.MARKER)
    oid = next((item.oid for item in items if item.path == marker and _is_file(item)), None)
    return None if oid is None else marker_blob(vault, oid)


def marker_blob(vault: Vault, oid: str) -> bytes:
    """Return the bytes of a blob that a commit has as `doll.yaml`."""
    if vault.marker is not None and oid == blob_id(vault.marker, vault.repository.algorithm):
        return vault.marker
    return plumbing.blobs(vault.repository, [oid])[oid]


def entries_at(
    vault: Vault, commit: str, folders: Iterable[str], on_disk: Sequence[Entry] = ()
) -> tuple[Entry, ...]:
    """Return the record files of `folders` as they are in a commit, sorted by path.

    A file that is on disk with the same bytes is not read again: pass what was loaded there.
    """
    wanted = [vault.in_git(folder) for folder in folders]
    return entries_of(vault, plumbing.tree(vault.repository, commit, wanted), on_disk)


def entries_of(
    vault: Vault, items: Iterable[plumbing.TreeEntry], on_disk: Sequence[Entry] = ()
) -> tuple[Entry, ...]:
    """Return the record files among `items`, of a tree or of the index, as `entries_at` does."""
    tree = {}
    for item in items:
        path = vault.in_vault(item.path)
        if path is not None and (layout.is_record(path) or _hides_authority(path, item)):
            tree[path] = item
    known = {entry.path: entry for entry in on_disk if entry.oid}
    same = {path for path, item in tree.items() if _is_same(known.get(path), item)}
    missing = {path: item for path, item in tree.items() if path not in same}
    oids = [item.oid for item in missing.values() if _is_file(item)]
    blobs = plumbing.blobs(vault.repository, oids, MAX_FILE_BYTES)
    entries = [known[path] for path in same]
    entries += [_entry(path, item, blobs) for path, item in missing.items()]
    return tuple(sorted(entries, key=lambda entry: entry.path))


def _hides_authority(path: str, item: plumbing.TreeEntry) -> bool:
    """Return whether a link or a submodule stands where authority, or a folder of it, should be.

    Nobody can say which rules are behind it, so it counts as a record that cannot be read.
    """
    return path.partition("/")[0] == "authority" and not _is_file(item)


def _is_file(item: plumbing.TreeEntry) -> bool:
    return item.mode in ("100644", "100755")


def _is_same(entry: Entry | None, item: plumbing.TreeEntry) -> bool:
    return entry is not None and entry.oid == item.oid and _is_file(item)


def _entry(path: str, item: plumbing.TreeEntry, blobs: dict[str, bytes]) -> Entry:
    if not _is_file(item):
        message = "this is a symbolic link or a submodule, not a record"
        problem = Problem(path, 0, 0, "file.symlink", message, hint="put the file itself here")
        return Entry(path, _NO_STAMP, item.oid, None, (problem,))
    record, problems = parse_file(blobs[item.oid], path)
    return Entry(path, _NO_STAMP, item.oid, record, problems)


def unreadable_entry(vault: Vault, item: plumbing.TreeEntry, error: GitError) -> Entry:
    """Return the entry for a file of a commit whose bytes git cannot give."""
    path = vault.in_vault(item.path) or item.path
    problem = Problem(path, 0, 0, "file.unreadable", error.message, hint=error.hint)
    return Entry(path, _NO_STAMP, item.oid, None, (problem,))
