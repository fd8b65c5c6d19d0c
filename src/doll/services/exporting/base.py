"""The earlier export that an incremental one starts from: read strictly, and only one of doll's."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from doll.errors import InvalidDocumentError, Problem, UsageError
from doll.interchange import strict_json
from doll.interchange.base import Document
from doll.interchange.json_places import placed
from doll.interchange.pam.checks import examine
from doll.interchange.pam.envelope import SCHEMA, VERSION
from doll.interchange.pam.exported_store import Base, memory_digests
from doll.records.names import fold
from doll.render.export_values import Gone
from doll.services.exporting.standing import Memories

_FULL = "give a full export that doll made"


def read_base(document: Document, owner: str) -> Base:
    """Return what an earlier export held.

    Raises InvalidDocumentError when it is no full export of doll's or does not hold what its
    hashes say, UsageError when it is another owner's.
    """
    value, _ = strict_json.read(document.data, document.name)
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        _refuse(document, "", "pam.not_a_store", "this is no PAM memory store", _FULL)
    if value.get("schema_version") != VERSION:
        _refuse(document, "", "pam.version", f"this is no PAM {VERSION} memory store", _FULL)
    if value.get("export_type") == "incremental":
        said = "this export is itself incremental, and so does not hold everything"
        _refuse(document, "/export_type", "pam.incremental", said, "give the full one")
    examined = examine(value, document)
    stated = [value.get(name) for name in ("export_id", "export_date")]
    if not (value.get("exported_by") or "").startswith("doll/") or not all(stated):
        _refuse(document, "", "pam.not_a_store", "this export was not made by doll", _FULL)
    if value["owner"]["id"] != owner:
        raise UsageError(
            f"{document.name} is an export of another owner",
            hint="--owner has to be the one that it was made with",
        )
    digests = zip(value["memories"], examined.digests, strict=True)
    known = {memory["id"]: str(digest) for memory, digest in digests}
    links = links_of(value.get("relations", ()))
    return Base(value["export_id"], value["export_date"], known, links)


def _refuse(document: Document, pointer: str, code: str, message: str, hint: str) -> NoReturn:
    problem = Problem(document.name, 0, 0, code, message, hint=hint, pointer=pointer)
    places = placed([problem], document.data)
    raise InvalidDocumentError(f"{document.name} is no base for an export", problems=places)


def links_of(relations: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[tuple[str, str]]]:
    """Return the relations by the memory that they start from: their types and ends."""
    found: dict[str, frozenset[tuple[str, str]]] = {}
    for each in relations:
        link = (each["type"], each["to"])
        found[each["from"]] = found.get(each["from"], frozenset()) | {link}
    return found


class Difference:
    """How the memories of an export, with their relations, stand to those of its base, by id."""

    def __init__(
        self,
        base: Base,
        memories: Sequence[Mapping[str, Any]],
        relations: Iterable[Mapping[str, Any]],
    ) -> None:
        digests, links = memory_digests(memories), links_of(relations)
        before = base.memories
        self.new = frozenset(name for name in digests if name not in before)
        self.changed = frozenset(
            name
            for name in digests.keys() - self.new
            if before[name] != digests[name] or base.links.get(name) != links.get(name)
        )
        self.missing = tuple(sorted(name for name in before if name not in digests))


def gone(missing: Sequence[str], found: Memories, barred: Mapping[str, str]) -> tuple[Gone, ...]:
    """Return why memories of the base are not in the export: `barred` says it by path."""
    paths = {entry.record.id: path for path, entry in found.entries.items() if entry.record}
    aliases = {
        fold(alias)
        for entry in found.entries.values()
        if entry.record is not None
        for alias in entry.record.fields.aliases
    }

    def why(name: str) -> str:
        if name in paths:
            return barred.get(paths[name], "not_asked_for")
        return "renamed" if fold(name) in aliases else "gone"

    return tuple(Gone(name, why(name)) for name in missing)
