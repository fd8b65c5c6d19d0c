"""The imports of a vault: which there are, what became of their candidates, their reports.

Reads only. What an import brought is told by its ledger; where each candidate is by now, by the
folders on disk.
"""

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from doll.errors import ConflictError, UsageError
from doll.records.model import Record
from doll.records.names import fold, id_fault
from doll.render.imports_values import ImportEntry, Imports, Shown, Tally
from doll.render.text import count
from doll.services.importing import history
from doll.services.importing import ledger as import_ledger
from doll.services.importing.ledger import REPORT, Ledger, Line
from doll.services.opening import Vault
from doll.vault import files, layout
from doll.vcs import plumbing

_AREAS = ("confirmed", "experience")
_LEDGER = "\n## Ledger\n"


class Places(NamedTuple):
    """Where candidates are: of each folder in staging the stems, and whether they are rejected.

    `ids` are the folded ids of approved records, `origins` what they say of where they are from.
    """

    staged: Mapping[str, Mapping[str, bool]]
    ids: frozenset[str]
    origins: frozenset[tuple[str | None, str | None]]

    def state(self, folder: str, line: Line) -> str:
        """Return where the candidate of a ledger's line is: a field of `Tally`."""
        stem = fold(line.stem)
        here = self.staged.get(folder, {})
        if stem in here:
            return "rejected" if here[stem] else "staged"
        if stem in self.ids or (line.source_id, line.digest) in self.origins:
            return "approved"
        return "dropped"


def list_imports(vault: Vault) -> Imports:
    """Return all imports that the vault has or had, by name.

    A ledger that cannot be read is a problem, an error where no older form of it is known.
    """
    known = history.known(vault, plumbing.head(vault.repository))
    where = places(vault)
    entries = [entry_of(vault, each, where) for each in _newest(vault, known.ledgers)]
    return Imports(tuple(sorted(entries, key=_order)), known.problems)


def find(vault: Vault, name: str) -> tuple[ImportEntry, Ledger]:
    """Return the import that `name` means: its name, its folder, or `<adapter>/<name>`.

    UsageError when there is none or more than one, ConflictError when ledgers are lost.
    """
    known = history.known(vault, plumbing.head(vault.repository))
    ledgers = _newest(vault, known.ledgers)
    wanted = fold(name.removeprefix("./").removeprefix("staging/").rstrip("/"))
    found = [e for e in ledgers if wanted in (fold(e.name), fold(f"{e.adapter}/{e.name}"))]
    if len(found) == 1:
        return entry_of(vault, found[0], places(vault)), found[0]
    if found:
        names = "\n".join(f"{each.adapter}/{each.name}" for each in found)
        raise UsageError(f"{name!r} can mean {len(found)} imports", hint=f"write one of:\n{names}")
    history.require_whole(known)
    from difflib import get_close_matches

    near = get_close_matches(name[:200], [each.name for each in ledgers], 3, 0.5)
    meant = f"did you mean {' or '.join(map(shlex.quote, near))}?" if near else ""
    hint = meant or "doll imports    lists them"
    raise UsageError(f"there is no import {name[:120]!r}", hint=hint)


def show(vault: Vault, name: str) -> Shown:
    """Return one import with its loss report; raises what `find` does."""
    from doll.secrets import mask

    entry, ledger = find(vault, name)
    if not entry.folder:
        git, folder = (
            f"git -C {shlex.quote(str(vault.root))}",
            f"staging/{entry.adapter}/{entry.name}",
        )
        raise ConflictError(
            f"the folder of import {entry.name} is gone, and its report with it",
            hint=f"what removed it: {git} log --diff-filter=D -- {shlex.quote(folder)}",
        )
    path = f"{entry.folder}/{REPORT}"
    try:
        text = files.read(vault.root, path, history.MAX_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise ConflictError(f"{path} cannot be read: {why}") from error
    return Shown(entry, mask(_report(text, ledger)))


def places(vault: Vault) -> Places:
    """Return where the candidates of all imports are."""
    staged: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for entry in vault.load(["staging"]).entries:
        folder = "/".join(entry.path.split("/")[:3])
        stem = fold(layout.record_id(entry.path).rpartition("/")[2])
        staged[folder][stem] = entry.record is not None and is_rejected(entry.record)
    approved = vault.load(_AREAS)
    ids = frozenset(fold(layout.record_id(entry.path)) for entry in approved.entries)
    fields = [record.fields for record in approved.records]
    return Places(staged, ids, frozenset((f.origin_id, f.origin_sha256) for f in fields))


def is_rejected(record: Record) -> bool:
    """Return whether a candidate was rejected: it stays in staging, marked."""
    return record.fields.review == "rejected"


def entry_of(vault: Vault, ledger: Ledger, where: Places) -> ImportEntry:
    """Return what there is to say of an import."""
    folder = f"staging/{ledger.adapter}/{ledger.name}"
    counts = Counter(where.state(folder, e) for e in ledger.lines if e.state == "staged")
    changed = sum(1 for each in ledger.lines if each.state == "staged" and each.updates)
    states = Counter(each.state for each in ledger.lines)
    numbers = Tally(
        new=states["staged"] - changed,
        changed=changed,
        staged=counts["staged"],
        approved=counts["approved"],
        rejected=counts["rejected"],
        dropped=counts["dropped"],
        parked=states["parked"],
        refused=states["refused"],
    )
    return ImportEntry(
        ledger.name,
        ledger.adapter,
        ledger.source,
        ledger.source_digest,
        folder if _is_there(vault, ledger) else "",
        numbers,
    )


def _is_there(vault: Vault, ledger: Ledger) -> bool:
    """Return whether an import has its folder; a ledger may say any name, links lead anywhere."""
    if id_fault(ledger.name) or id_fault(ledger.adapter):
        return False
    above = vault.root / "staging" / ledger.adapter
    place = above / ledger.name
    return place.is_dir() and not place.is_symlink() and not above.is_symlink()


def _newest(vault: Vault, ledgers: Iterable[Ledger]) -> list[Ledger]:
    """Return one ledger for each import: the one on disk, else the one that knows most."""
    groups: defaultdict[tuple[str, str], list[Ledger]] = defaultdict(list)
    for each in ledgers:
        groups[each.adapter, each.name].append(each)
    return [_one(vault, group) for _, group in sorted(groups.items())]


def _one(vault: Vault, group: Sequence[Ledger]) -> Ledger:
    if len(group) > 1:
        path = f"staging/{group[0].adapter}/{group[0].name}/{REPORT}"
        try:
            return import_ledger.read(files.read(vault.root, path, history.MAX_BYTES))
        except (import_ledger.LedgerError, OSError):
            pass
    return max(group, key=lambda each: (len(each.lines), each))


def _order(entry: ImportEntry) -> tuple[str, str]:
    return fold(entry.name), entry.adapter


def _report(text: str, ledger: Ledger) -> str:
    """Return the report without front matter and ledger."""
    from doll.records import fences

    text = text.replace("\r\n", "\n")
    body = fences.body(text) if fences.is_opened(text) else text
    head, mark, _ = body.rpartition(_LEDGER)
    return (
        f"{head}\n(and a ledger of {count(len(ledger.lines), 'entry', 'entries')})\n"
        if mark
        else body
    )
