"""Gating: gathers what preflight evaluates, from the accepted commit and the work tree.

Authority, settings and the path → action map are read at the accepted commit, before anything
else; experience also from the work tree, which can only add: what cannot be looked at there takes
no finding away and is said. Never reaches the recall index.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from doll.errors import ConfigurationError, DollError, GitError, NoVaultError, Problem
from doll.preflight import CAP, Entry, Inputs, Pending, Report, Request, evaluate
from doll.records.model import Record
from doll.records.names import fold
from doll.records.references import Names
from doll.services.accepted import (
    Accepted,
    accepted_commit,
    entries_of,
    not_committed,
    settings_bytes,
    unreadable_entry,
)
from doll.services.opening import Vault, emptied
from doll.services.pending import Difference, differences, record_oids, settings_difference
from doll.services.ranging import Span, is_own, pending_in
from doll.services.signing.effect import layers, settings_of, what_counts
from doll.vault import layout
from doll.vault.entries import Entries
from doll.vault.entries import Entry as FileEntry
from doll.vault.settings import Settings
from doll.vault.walking import is_linked
from doll.vcs import plumbing

_WHAT = {
    "new": "new in the work tree, not committed",
    "changed": "changed in the work tree; the committed text counts",
    "removed": "removed from the work tree; the committed text counts",
}
_WHAT_ELSEWHERE = {
    "new": "new here, and not on the branch {branch}",
    "changed": "changed here; the text on the branch {branch} counts",
    "removed": "removed here; the text on the branch {branch} counts",
}


class Ground(NamedTuple):
    """What the accepted commit has: its files of `authority/`, its settings.

    `problems` say what is wrong with `doll.yaml`, `settings` is None where it cannot be read.
    `committed` is what the commit has of authority and `doll.yaml`, signed as asked or not;
    `unsigned` what of it has no effect, `doubts` why that is not sure. `span` is the range of the
    vault's own commits that is judged, if any. `newer` are the files of authority that count at the
    tip of the vault's branch, where HEAD is off it and they are others: they only add. `oids` are
    the blob ids of the committed records of authority, by vault path.
    """

    accepted: Accepted
    authority: Sequence[plumbing.TreeEntry]
    committed: tuple[Sequence[plumbing.TreeEntry], bytes | None]
    oids: Mapping[str, str]
    settings: Settings | None
    problems: tuple[Problem, ...]
    span: Span | None = None
    unsigned: tuple[Pending, ...] = ()
    doubts: tuple[Problem, ...] = ()
    newer: Sequence[plumbing.TreeEntry] = ()


class Judged(NamedTuple):
    """A report, and what it was made from."""

    report: Report
    inputs: Inputs
    request: Request


def check(
    vault: Vault,
    request: Request,
    as_of: datetime,
    *,
    draft: bool = False,
    span: Span | None = None,
    cap: int = CAP,
) -> Judged:
    """Evaluate a request against a vault at a moment.

    `draft` evaluates the work tree instead of the accepted commit. `span` is the range of commits
    that the request is about.
    """
    ground = look(vault, span)
    return judge(vault, ground, ruling(vault, ground, draft=draft), request, as_of, cap=cap)


def judge(
    vault: Vault, ground: Ground, rules: Inputs, request: Request, as_of: datetime, cap: int = CAP
) -> Judged:
    """Evaluate a request by `rules`, what `ruling` gave, and what history and the work tree add.

    Where that ends early (git fails, a time limit), the rules decide alone, and the report is not
    complete.
    """
    try:
        inputs = _with_history(vault, ground, rules, request.project)
        return Judged(evaluate(inputs, request, as_of, cap=cap), inputs, request)
    except DollError as error:
        inputs = left_out(rules, error, "the vault's experience was")
        return Judged(evaluate(inputs, request, as_of, cap=cap), inputs, request)


def left_out(rules: Inputs, error: DollError, what: str) -> Inputs:
    """Return the rules with an obstacle: what (a subject and its verb) was not looked at."""
    said = _obstacle(error)._replace(message=f"{what} not looked at: {error.message}")
    return rules._replace(obstacles=[*rules.obstacles, said, *error.problems])


def look(vault: Vault, span: Span | None = None) -> Ground:
    """Return what is accepted in the vault: for a range of its own, before that range.

    Raises NoVaultError when `doll.yaml` is not, ConfigurationError when a newer doll wrote it.
    """
    own = span if span is not None and is_own(vault, span) else None
    accepted = Accepted(own.base, "", on_branch=False) if own else accepted_commit(vault)
    marker = vault.in_git(layout.MARKER)
    items = plumbing.tree(vault.repository, accepted.commit, [vault.in_git("authority"), marker])
    authority = [item for item in items if item.path != marker]
    committed = authority, settings_bytes(vault, items)
    counted = what_counts(vault, accepted.commit, *committed)
    if not counted.markers:
        raise not_committed(vault)
    settings, problems = settings_of(vault, counted.markers)
    if any(problem.code == "settings.newer" for problem in problems):
        raise ConfigurationError("the vault was written by a newer doll", problems=problems)
    rest = counted.unsigned, counted.problems
    oids = record_oids(vault, authority)
    ground = Ground(accepted, counted.authority, committed, oids, settings, problems, own, *rest)
    return ground if accepted.tip in ("", accepted.commit) else _with_tip(vault, ground)


def _with_tip(vault: Vault, ground: Ground) -> Ground:
    """Return the ground with what the vault's branch has accepted since HEAD left it.

    It is no part of the accepted commit, and yet nobody goes back to before a denial unsaid.
    """
    tip, marker = ground.accepted.tip, vault.in_git(layout.MARKER)
    try:
        items = plumbing.tree(vault.repository, tip, [vault.in_git("authority"), marker])
        authority = [item for item in items if item.path != marker]
        counted = what_counts(vault, tip, authority, settings_bytes(vault, items))
    except GitError as error:
        return ground._replace(doubts=(*ground.doubts, _obstacle(error)))
    settings, _ = settings_of(vault, counted.markers)
    if settings and ground.settings:
        actions = dict.fromkeys((*ground.settings.actions, *settings.actions))
        settings = msgspec.structs.replace(ground.settings, actions=tuple(actions))
    newer = counted.authority if set(counted.authority) != set(ground.authority) else ()
    doubts = tuple(dict.fromkeys((*ground.doubts, *counted.problems)))
    return ground._replace(settings=settings or ground.settings, doubts=doubts, newer=newer)


def ruling(vault: Vault, ground: Ground, *, draft: bool = False) -> Inputs:
    """Return what rules: accepted authority, settings and map; of the work tree with `draft`.

    Looks at no other file of the work tree than those whose bytes are accepted. NoVaultError for a
    draft that cannot be read.
    """
    settings, problems = ground.settings, ground.problems
    counted: list[Sequence[FileEntry]]
    if draft:
        on_disk = vault.load(["authority"])
        settings, problems = vault.parse_settings(vault.marker or b"")
        counted, problems = [on_disk.entries], (*problems, *on_disk.problems)
    else:
        sets = [*layers(ground.authority), *(layers(ground.newer) if ground.newer else ())]
        counted = [_accepted_authority(vault, ground, each) for each in sets]
    faults = [problem for problem in problems if problem.severity == "error"]
    return Inputs(
        authority=_records(counted[0]),
        others=[_records(entries) for entries in counted[1:]],
        action_map=settings.actions if settings else (),
        head=vault.head,
        commit=ground.accepted.commit,
        unreadable=[
            *dict.fromkeys(each for some in counted for each in _unreadable(some)),
            *faults,
        ],
        obstacles=ground.doubts,
        draft=draft,
    )


def _records(entries: Iterable[FileEntry]) -> list[Record]:
    return [entry.record for entry in entries if entry.record is not None]


def _accepted_authority(
    vault: Vault, ground: Ground, items: Sequence[plumbing.TreeEntry]
) -> Sequence[FileEntry]:
    """Return the accepted entries of authority; one that git cannot give is an unreadable one."""
    as_committed = items is ground.committed[0]
    oids = ground.oids if as_committed else record_oids(vault, items)
    same = vault.loader.same("authority", oids)
    try:
        return entries_of(vault, items, same)
    except GitError:
        return [entry for item in items for entry in _given(vault, item, same)]


def _given(
    vault: Vault, item: plumbing.TreeEntry, same: Sequence[FileEntry]
) -> Sequence[FileEntry]:
    try:
        return entries_of(vault, [item], same)
    except GitError as error:
        return [unreadable_entry(vault, item, error)]


def _with_history(vault: Vault, ground: Ground, rules: Inputs, project: str | None) -> Inputs:
    """Return the rules with experience, and with what the work tree has that is not accepted.

    A folder of the work tree that cannot be read is an obstacle; what is committed counts.
    """
    experience, unreadable, faults = _experience(vault, ground, project, rules.authority)
    pending: tuple[Pending, ...] = ()
    gone: NoVaultError | None = None
    try:
        pending = _pending(vault, ground, vault.load(["authority"]))
        gone = emptied(vault)
    except NoVaultError as error:
        gone = error
    faults += [gone] if gone else []
    return rules._replace(
        experience=experience,
        unreadable_experience=unreadable,
        obstacles=[*rules.obstacles, *map(_obstacle, faults)],
        pending=pending,
    )


def _unreadable(entries: Iterable[FileEntry]) -> list[Problem]:
    """Return the errors of the entries that cannot be read."""
    return [
        problem
        for entry in entries
        if entry.record is None
        for problem in entry.problems
        if problem.severity == "error"
    ]


def _pending(vault: Vault, ground: Ground, on_disk: Entries) -> tuple[Pending, ...]:
    if ground.span is not None:
        return *ground.unsigned, *pending_in(vault, ground.span)
    found = _but_absent(vault, differences(on_disk.entries, ground.oids))
    accepted = ground.accepted
    said = _WHAT if accepted.on_branch else _WHAT_ELSEWHERE
    pending = [*ground.unsigned]
    pending += [Pending(d.path, said[d.what].format(branch=accepted.branch)) for d in found]
    seen = {difference.path for difference in found}
    pending += [Pending(p.path, p.message) for p in on_disk.problems if p.path not in seen]
    if what := settings_difference(vault, ground.committed[1]):
        pending.append(Pending(layout.MARKER, said[what].format(branch=accepted.branch)))
    return tuple(pending)


def _but_absent(vault: Vault, found: Sequence[Difference]) -> Sequence[Difference]:
    """Return the differences without what git was told to leave out of the work tree."""
    removed = [difference.path for difference in found if difference.what == "removed"]
    if not removed:
        return found
    from doll.services.checking.absent import absent_by_choice

    absent = absent_by_choice(vault, removed)
    return [difference for difference in found if difference.path not in absent]


def _project_folders(
    vault: Vault, ground: Ground, project: str | None, authority: Iterable[Record]
) -> list[str]:
    """Return the folders of a project's experience: named by its id or an alias, in any case.

    Without a project, or with one that does not resolve, all experience is looked at; so it is
    where the work tree cannot say which folders there are.
    """
    projects = [record for record in authority if record.type == "project"]
    found = Names(projects).named(project) if project else ()
    if len(found) != 1:
        return ["experience"]
    folded = {fold(name) for name in (found[0].id, *found[0].fields.aliases)}
    if is_linked(vault.root, "experience"):  # nothing is looked for behind it, and it is named
        return ["experience"]
    # Committed ones too: a folder that is gone from disk is still history.
    commit = ground.accepted.commit
    names = set(plumbing.folders(vault.repository, commit, vault.in_git("experience")))
    try:
        names.update(place.name for place in (vault.root / "experience").iterdir())
    except FileNotFoundError:
        pass
    except OSError:
        return ["experience"]
    return sorted(f"experience/{name}" for name in names if fold(name) in folded)


def _experience(
    vault: Vault, ground: Ground, project: str | None, authority: Iterable[Record]
) -> tuple[list[Entry], list[Problem], list[NoVaultError]]:
    """Return the project's entries: as committed, and those of the work tree that differ.

    With them what cannot be read: of the files, and of the work tree's folders.
    """
    folders = _project_folders(vault, ground, project, authority)
    on_disk, faults = Entries((), ()), []
    try:
        on_disk = vault.load(folders)
    except NoVaultError as error:
        faults.append(error)
    # No other project's entries are listed: there may be very many of them.
    places = [vault.in_git(folder) for folder in folders]
    commit = ground.accepted.commit
    items = plumbing.tree(vault.repository, commit, places) if places else ()
    committed = entries_of(vault, items, on_disk.entries)
    oids = {(entry.path, entry.oid) for entry in committed}
    added = [entry for entry in on_disk.entries if (entry.path, entry.oid) not in oids]
    entries = [Entry(entry.record, committed=True) for entry in committed if entry.record]
    entries += [Entry(entry.record, committed=False) for entry in added if entry.record]
    return entries, [*on_disk.problems, *_unreadable([*committed, *added])], faults


def unchecked(error: DollError, request: Request, as_of: datetime) -> Report:
    """Return the report for a vault that cannot be used: not checked, with the reason.

    Nobody knows then what the request's ids name, so they stand as they were given.
    """
    inputs = Inputs(obstacles=(_obstacle(error), *error.problems))
    report = evaluate(inputs, request._replace(project=None, work_item=None), as_of)
    given = report.request._replace(project=request.project, work_item=request.work_item)
    return report._replace(request=given)


def _obstacle(error: DollError) -> Problem:
    return Problem("", 0, 0, "vault.unusable", error.message, hint=error.hint)
