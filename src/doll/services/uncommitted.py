"""What a commit of single records would leave out that they need: what they name, old names.

A reference that resolves in the work tree alone would resolve to nothing at HEAD, and whoever
reads HEAD, such as preflight, could not answer. Asked before anything is written; commits nothing.
"""

import os
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from doll.errors import ConflictError
from doll.records.codec import parse
from doll.records.model import Record
from doll.records.names import fold
from doll.records.references import plain, references
from doll.services.opening import Vault
from doll.services.reading.referring import Known
from doll.vault.layout import record_id
from doll.vcs import plumbing

_SHOWN = 3


class Left(NamedTuple):
    """A record that is in the work tree and not at HEAD under the name that is used.

    `former` is its path at HEAD where it was renamed since, else "".
    """

    record: Record
    at_head: bool
    former: str = ""


def former_paths(vault: Vault, path: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return where HEAD has a record that lies at `path` now, by the names that it had there.

    Those are paths which are gone from the work tree: their renames are not committed.
    """
    folder = path.rpartition("/")[0]
    homes = [f"{folder}/{name}.md" for name in dict.fromkeys(names)]
    gone = [home for home in homes if home != path and not _is_another(vault, home, path)]
    if not gone:
        return ()
    tree = plumbing.tree(vault.repository, vault.head, [vault.in_git(home) for home in gone])
    return tuple(home for item in tree if (home := vault.in_vault(item.path)) is not None)


def _is_another(vault: Vault, home: str, path: str) -> bool:
    """Return whether another file lies at `home`: where case does not count, it can be `path`."""
    place = vault.root / home
    return os.path.lexists(place) and not (place.exists() and place.samefile(vault.root / path))


def left_out(vault: Vault, known: Known, records: Iterable[Record]) -> list[Left]:
    """Return what these records name, and what that names, as far as HEAD does not have it.

    git is asked only where something is named.
    """
    seen = {record.path for record in records}
    found: list[Left] = []
    front: Sequence[Record] = list(records)
    while front:
        named = [
            (reference.name, target)
            for record in front
            for reference in references(record)
            for target in known.named(reference.name)
            if target.path not in seen
        ]
        news = _not_at_head(vault, known, named)
        seen |= {each.record.path for each in news}
        found += news
        front = [each.record for each in news]
    return found


def refuse_left_out(vault: Vault, known: Known, records: Sequence[Record]) -> None:
    """Raise ConflictError where `records` name what HEAD does not have, with what commits it."""
    if found := left_out(vault, known, records):
        one = len(found) == 1
        ids = [each.record.id for each in found]
        more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
        raise ConflictError(
            f"{', '.join(ids[:_SHOWN])}{more} {'is' if one else 'are'} not committed yet, and "
            f"{records[0].id} names {'it' if one else 'them'}; nothing was written",
            hint="\n".join([*commit_lines(vault, found), "then this again"]),
        )


def refuse_open_renames(vault: Vault, records: Iterable[Record]) -> None:
    """Raise ConflictError where HEAD still has one of `records` under the name it had before."""
    for record in records:
        if former := former_paths(vault, record.path, record.fields.aliases):
            raise ConflictError(
                f"the rename of {record_id(former[0])} to {record.id} is not committed yet; "
                "nothing was changed",
                hint=f"{_rename(former[0], record)}\nthen this again",
            )


class Along(NamedTuple):
    """What a commit of a record needs besides: paths that go with it, and notes on it."""

    notes: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


def along(vault: Vault, known: Known, record: Record, *, commit: bool) -> Along:
    """Return what a commit of `record` by itself would leave out.

    ConflictError, with the lines that commit that first, where it is to be committed now.
    """
    if commit:
        refuse_open_renames(vault, [record])
        refuse_left_out(vault, known, [record])
        return Along()
    found = left_out(vault, known, [record])
    former = former_paths(vault, record.path, record.fields.aliases)
    renames = [_rename(former[0], record)] if former else []
    renames += [_rename(each.former, each.record) for each in found if each.former]
    with_it = [each.record.path for each in found if not each.former]
    notes = [f"a rename is not committed yet; first type: {line}" for line in renames]
    if with_it:
        listed = ", ".join(with_it)
        notes.append(f"it names what is not committed yet and has to go with it: {listed}")
    return Along(tuple(notes), tuple(with_it))


def commit_lines(vault: Vault, found: Sequence[Left]) -> list[str]:
    """Return the lines to type that commit these records."""
    renames = [_rename(each.former, each.record) for each in found if each.former]
    rest = [each for each in found if not each.former]
    if not rest:
        return renames
    paths = " ".join(shlex.quote(each.record.path) for each in rest)
    git = f"git -C {shlex.quote(str(vault.root))}"
    subject = shlex.quote(_subject(rest))
    return [*renames, f"{git} add -- {paths} && {git} commit -m {subject} -- {paths}"]


def _subject(found: Sequence[Left]) -> str:
    if len(found) > 1:
        return f"new: {len(found)} records"
    record = found[0].record
    return f"edit: {record.id}" if found[0].at_head else f"new: {record.type} {record.id}"


def _rename(former: str, record: Record) -> str:
    return f"doll mv {shlex.quote(record_id(former))} {shlex.quote(record.id)} --commit"


def _not_at_head(vault: Vault, known: Known, named: Sequence[tuple[str, Record]]) -> list[Left]:
    """Return the records that HEAD does not have under the name that is used, each once."""
    if not named:
        return []
    paths = {target.path: vault.in_git(target.path) for _, target in named}
    tree = plumbing.tree(vault.repository, vault.head, list(paths.values()))
    head = {item.path: item.oid for item in tree}
    here = {entry.path: entry.oid for entry in known.entries}
    changed = {
        path: head[place]
        for path, place in paths.items()
        if place in head and head[place] != here.get(path)
    }
    blobs = plumbing.blobs(vault.repository, list(changed.values()))
    found: dict[str, Left] = {}
    for name, target in named:
        if paths[target.path] not in head:
            former = former_paths(vault, target.path, target.fields.aliases)
            found[target.path] = Left(target, at_head=False, former=former[0] if former else "")
        elif target.path in changed and not _has(blobs[changed[target.path]], target, name):
            found[target.path] = Left(target, at_head=True)
    return list(found.values())


def _has(data: bytes, record: Record, name: str) -> bool:
    """Return whether a record as it was can be read, and has the name."""
    before = parse(data, record.path, record.id, record.type).record
    if before is None:
        return False
    return fold(plain(name)) in {fold(before.id), *map(fold, before.fields.aliases)}
