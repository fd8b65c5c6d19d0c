"""Validate what is staged: what the next commit would make of the vault. Reads git alone.

A problem that HEAD has already does not count, so that a broken vault can be mended step by step;
`doll validate` shows it each time.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from doll.errors import Problem, errors_in
from doll.records.limits import MAX_FILE_BYTES
from doll.records.model import Record
from doll.services.accepted import entries_of, settings_bytes
from doll.services.checking import kept, review_rules, wholeness
from doll.services.checking.alike_names import changed_alike
from doll.services.checking.changed_files import look_at_changes, new_problems
from doll.services.checking.git_files import staged_problems
from doll.services.checking.kept import FILES
from doll.services.checking.merging import Merge
from doll.services.checking.moves import with_git_mv
from doll.services.checking.not_staged import with_the_rest
from doll.services.checking.relations import relation_problems
from doll.services.checking.secret_places import listed
from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.entries import Entry
from doll.vcs import plumbing
from doll.vcs.plumbing.underway import merge_heads


class Checked(NamedTuple):
    """What validate found: all problems, sorted, and how many record files were looked at.

    `configured` is False where the vault's `doll.yaml` cannot be used.
    """

    problems: tuple[Problem, ...]
    files: int
    configured: bool = True


class _Staged(NamedTuple):
    """A staged file of the vault: its path there, and the change of its repository's index."""

    path: str
    change: plumbing.Change


def validate_staged(
    vault: Vault,
    on_disk: Sequence[Entry] | None = None,
    *,
    merging: bool = False,
    warnings: bool = True,
) -> Checked:
    """Check what the next commit would make of the vault.

    `on_disk` are the record files of the work tree where they are loaded already; `merging` says
    that git is about to make a merge by itself. Without `warnings` those between records may be
    left out, and are not looked for. Raises ConfigurationError when a newer doll wrote
    the `doll.yaml` that the commit would have: nothing can be said then.
    """
    changes = plumbing.staged(vault.repository, vault.head)
    staged = [
        _Staged(path, change)
        for change in changes
        if (path := vault.in_vault(change.path)) is not None
    ]
    alike = list(changed_alike(vault, changes))
    if not staged:
        return Checked(tuple(alike), 0)
    merge = Merge(vault, merge_heads(vault.repository, starting=merging))
    relations = _relations(vault, staged, on_disk, warnings=warnings)
    problems = [
        *alike,
        *_files(vault, staged, merge),
        *relations,
        *staged_problems(vault, dict(staged)),
    ]
    if merge or any(change.status != "A" and layout.is_kept(path) for path, change in staged):
        problems += _experience(vault, [path for path, _ in staged], merge)
    present = sum(change.status != "D" for _, change in staged)
    problems = with_git_mv(listed(problems), {path for path, _ in staged})
    return Checked(tuple(sorted(set(problems))), present)


def _files(vault: Vault, staged: Sequence[_Staged], merge: Merge) -> list[Problem]:
    """Return the problems of the staged files one by one, and of reviews that begin with them."""
    looked = look_at_changes(vault, dict(staged))
    made_here = merge.not_brought(looked.records, dict(staged))
    return looked.problems + _reviews(vault, staged, made_here, looked.data)


def _reviews(
    vault: Vault, staged: Iterable[_Staged], records: Iterable[Record], data: Mapping[str, bytes]
) -> list[Problem]:
    before = {path: change.old_oid for path, change in staged if change.old_mode in FILES}
    gone = [path for path, change in staged if change.status == "D" and path in before]
    entering = review_rules.entering(vault, records, before, gone)
    return review_rules.review_problems(vault, entering, data.__getitem__)


def _relations(
    vault: Vault,
    staged: Iterable[_Staged],
    on_disk: Sequence[Entry] | None,
    *,
    warnings: bool,
) -> list[Problem]:
    """Return what the commit would newly break between records, and which folders it empties."""
    ours = (layout.MARKER, *layout.AREAS)
    if not any(path in ours or layout.area_of(path) for path, _ in staged):
        return []
    if on_disk is None:
        on_disk = vault.load(layout.LOCAL_AREAS).entries
    wanted = [vault.in_git(name) for name in (*layout.LOCAL_AREAS, layout.MARKER)]
    index = [item for item in plumbing.tracked(vault.repository, wanted) if item.stage == 0]
    head = plumbing.tree(vault.repository, vault.head, wanted)
    settings = wholeness.staged_settings(vault, index)
    entries = entries_of(vault, index, on_disk)
    after = relation_problems(entries, settings)
    if not warnings:
        after = errors_in(after)
    # Looking at a whole vault a second time is for the case that there is something to excuse.
    new = new_problems(after, _at_head(vault, head, on_disk)) if after else []
    new = with_the_rest(new, entries, on_disk)
    return [*new, *wholeness.emptied_areas(vault, head, index)]


def _at_head(
    vault: Vault, head: Sequence[plumbing.TreeEntry], on_disk: Sequence[Entry]
) -> list[Problem]:
    marker = settings_bytes(vault, head)
    settings = vault.parse_settings(marker)[0] if marker is not None else None
    return relation_problems(entries_of(vault, head, on_disk), settings)


def _experience(vault: Vault, staged: Sequence[str], merge: Merge) -> list[Problem]:
    folder = [vault.in_git("experience")]
    head = kept.versions(vault, plumbing.tree(vault.repository, vault.head, folder))
    index = kept.versions(vault, plumbing.tracked(vault.repository, folder))
    redacted = merge.redactions(head, index)
    changed = kept.changed_files(head, index)
    if list(staged) == changed and len(changed) == 1:
        from doll.services.checking.redacting import is_redaction

        path = changed[0]
        both = [head[path].oid, index[path].oid]
        blobs = plumbing.blobs(vault.repository, both, MAX_FILE_BYTES)
        if is_redaction(*(blobs[oid] for oid in both)):
            redacted.add(path)
    problems = kept.kept_problems(vault, head, index, frozenset(redacted))
    return [*problems, *merge.lost(head, index)]
