"""The PAM adapter: the checks of a memory store in their order, then its candidates.

A document that breaks its format is refused whole, with all its problems. An entry that no record
can hold exactly is parked, and the others go on.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from doll.errors import InvalidDocumentError, Problem, Severity
from doll.interchange import fitting, strict_json
from doll.interchange.base import Base, Candidate, Decoded, Document, Options, Parked
from doll.interchange.json_places import placed
from doll.interchange.pam import bundle, envelope, mapping, signature
from doll.interchange.pam.checks import examine
from doll.interchange.pam.losses import INCREMENTAL, claim_reason, losses
from doll.interchange.pointers import encodable, join
from doll.interchange.refusals import refused
from doll.interchange.stems import identity, stems
from doll.records.digest import sha256
from doll.records.names import slug

Relations = Mapping[str, list[tuple[str, Any]]]


class PamAdapter:
    """Reads memory stores of Portable AI Memory 1.0, full and incremental ones."""

    name = mapping.ADAPTER
    version = "1"

    def decode(self, document: Document, options: Options) -> Decoded:
        """Return the candidates of a memory store, and what was lost, parked and checked.

        Raises InvalidDocumentError with every problem that was found when the document is no
        memory store, breaks the schema, or does not hold what its hashes say; also when its
        signature is wrong and `options` does not accept that. Whether the base of an incremental
        export is known is for the caller to say.
        """
        value, notes = strict_json.read(document.data, document.file)
        store = envelope.memory_store(value, document)
        examined = examine(store, document)
        beside = bundle.examine(store, document)
        signed = signature.status(store, examined.checksum)
        if signed == "wrong" and not options.accept_bad_signature:
            raise _wrong_signature(document)
        problems = [*examined.warnings, *beside.warnings, *_accepted(signed, document.file)]
        problems += _unattached(store, document.file)
        taken = _take(store, examined.digests)
        return Decoded(
            adapter=self.name,
            version=self.version,
            source=store["owner"]["id"],
            source_digest=sha256(document.data),
            facts=_facts(store, examined.checksum, signed),
            candidates=taken.candidates,
            parked=taken.parked,
            losses=losses(store, taken.candidates),
            problems=(*notes, *placed(problems, document.data)),
            export=store.get("export_id") or "",
            base=_base(store),
            companions=beside.files,
        )

    def claim_reason(self, pointer: str) -> str:
        """Return why a claim is no field."""
        return claim_reason(pointer)

    def texts(self, document: Document) -> Iterator[tuple[str, str]]:
        """Yield every text of the document with its pointer; the document must be valid JSON."""
        for pointer, leaf in strict_json.document_leaves(document.data, document.file):
            if isinstance(leaf, str):
                yield pointer, leaf


def _wrong_signature(document: Document) -> InvalidDocumentError:
    message = "the signature is not one of this export by this key"
    hint = "ask the source for a new export; --accept-bad-signature imports it all the same"
    problem = _signature_problem(document.file, message, "error", hint)
    return refused(f"{document.file}: {message}", placed([problem], document.data), hint=hint)


def _accepted(signed: signature.Status, name: str) -> list[Problem]:
    if signed != "wrong":
        return []
    message = "the signature is wrong, and was accepted all the same"
    return [_signature_problem(name, message, "warning", "")]


def _signature_problem(name: str, message: str, severity: Severity, hint: str) -> Problem:
    where = "/signature/value"
    return Problem(name, 0, 0, "pam.signature_wrong", message, severity, hint, where)


def _facts(store: Mapping[str, Any], checksum: str, signed: str) -> dict[str, str]:
    """Return what the document says of itself and what was checked."""
    names = ["export_id", "export_date", "exported_by"]
    if store.get("export_type") == INCREMENTAL:
        names += ["export_type", "base_export_id", "since"]
    stated = {name: store[name] for name in names if store.get(name) is not None}
    return {"format": envelope.MEDIA, **stated, "checksum": checksum, "signature": signed}


def _base(store: Mapping[str, Any]) -> Base | None:
    if store.get("export_type") != INCREMENTAL:
        return None
    return Base(store.get("base_export_id") or "")


class _Taken(NamedTuple):
    candidates: tuple[Candidate, ...]
    parked: tuple[Parked, ...]


def _take(store: Mapping[str, Any], digests: tuple[str | None, ...]) -> _Taken:
    """Map every memory, park the misfits, and name the rest.

    The memories of the store are gone afterwards: a large one would be held twice.
    """
    owner, relations = store["owner"]["id"], _relations(store)
    parked, fitting_ones, slugs, identities = [], [], [], []
    memories = store["memories"]
    for index, digest in enumerate(digests):
        memory, memories[index] = memories[index], None
        pointer, source_id = join("/memories", index), memory["id"]
        if digest is None:
            parked.append(_parked(pointer, source_id, fitting.no_digest(memory), ""))
            continue
        own = relations.get(source_id, [])
        fields, name = mapping.mapped(memory, owner, digest, own)
        if misfit := fitting.misfit(fields, memory["content"]):
            parked.append(_parked(pointer, source_id, misfit, digest))
            continue
        places = (pointer, *(place for place, _ in own))
        mark = mapping.mark(memory)
        fitting_ones.append((fields, memory["content"], source_id, digest, pointer, places, mark))
        slugs.append(slug(name))
        identities.append(identity(mapping.ADAPTER, owner, source_id, digest))
    candidates = tuple(
        Candidate(stem, "memory", *values)
        for stem, values in zip(stems(slugs, identities), fitting_ones, strict=True)
    )
    return _Taken(candidates, tuple(parked))


def _parked(pointer: str, source_id: str, misfit: fitting.Misfit, digest: str) -> Parked:
    return Parked(pointer, encodable(source_id), misfit.code, misfit.reason, digest)


def _relations(store: Mapping[str, Any]) -> Relations:
    """Return the relations by the memory that they start from, with their pointers."""
    found: defaultdict[str, list[tuple[str, Any]]] = defaultdict(list)
    for index, relation in enumerate(store.get("relations", ())):
        found[relation["from"]].append((join("/relations", index), relation))
    return found


def _unattached(store: Mapping[str, Any], name: str) -> list[Problem]:
    """Return one warning for the relations that start from no memory of the document."""
    known = {memory["id"] for memory in store["memories"]}
    lost = [i for i, each in enumerate(store.get("relations", ())) if each["from"] not in known]
    if not lost:
        return []
    many = f"{len(lost):,} relations start from no memory here, and are in no candidate"
    message = "a relation starts from no memory here, and is in no candidate"
    message = message if len(lost) == 1 else many
    pointer = join("/relations", lost[0])
    return [Problem(name, 0, 0, "pam.relation_unattached", message, "warning", "", pointer)]
