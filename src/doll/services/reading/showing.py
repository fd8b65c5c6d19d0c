"""One record with what surrounds it: its bytes, whether HEAD has them, references both ways.

Reads only. It gives the text as it is; what may be printed of it is decided by who prints.
"""

from typing import Literal, NamedTuple

from doll.records.model import Record
from doll.records.references import references
from doll.services.opening import Vault
from doll.services.reading import finding, referring
from doll.services.reading.referring import Known
from doll.vcs import plumbing

State = Literal["committed", "changed", "new"]


class Link(NamedTuple):
    """A reference: the field that makes it, the id at its other end, and that record's path.

    `path` is "" where the reference names no record, or more than one.
    """

    field: str
    id: str
    path: str


class Shown(NamedTuple):
    """A record as it is on disk.

    `state` compares its bytes with HEAD: the same, other ones, or none there. `refers_to` is in
    the order of the fields, `referred_by` sorted by the path of the other record.
    """

    record: Record
    text: str
    body: str
    state: State
    refers_to: tuple[Link, ...]
    referred_by: tuple[Link, ...]


def show(vault: Vault, name: str) -> Shown:
    """Return the record that `name` means.

    Raises UsageError (none, or more than one), InvalidDocumentError (it cannot be read).
    """
    known = referring.load(vault)
    entry = finding.find(vault, known, name)
    data, record, body = finding.read(vault, entry)
    return Shown(
        record,
        data.decode(),
        body,
        _state(vault, record.path, data),
        tuple(_from(known, record)),
        tuple(_to(known, record)),
    )


def _state(vault: Vault, path: str, data: bytes) -> State:
    from doll.records.digest import blob_id

    at_head = plumbing.tree(vault.repository, vault.head, [vault.in_git(path)])
    if not at_head:
        return "new"
    same = at_head[0].oid == blob_id(data, vault.repository.algorithm)
    return "committed" if same else "changed"


def _from(known: Known, record: Record) -> list[Link]:
    links = []
    for reference in references(record):
        found = known.named(reference.name)
        target = found[0] if len(found) == 1 else None
        name, path = (target.id, target.path) if target else (reference.name, "")
        links.append(Link(reference.field, name, path))
    return links


def _to(known: Known, record: Record) -> list[Link]:
    if record.path.startswith("staging/"):
        return []
    links = [
        Link(reference.field, other.id, other.path)
        for other in known.records
        for reference in references(other)
        if record.path in [found.path for found in known.named(reference.name)]
    ]
    return sorted(links, key=lambda link: (link.path, link.field))
