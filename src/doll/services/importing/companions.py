"""Files beside a source's main file that are listed by digest, and kept only where the user asks.

Nothing is made of them. What is kept was read and scanned whole: a file that cannot be read as its
format, or that seems to hold a secret, is not kept.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from doll.errors import InvalidDocumentError
from doll.interchange.base import Adapter, Companion, Decoded, Document
from doll.interchange.pointers import join
from doll.records.digest import sha256
from doll.render.import_values import Beside, Place
from doll.services.importing import secret_scan
from doll.services.importing.shown import Shown


class Scanned(NamedTuple):
    """What was found in the companions that the user wants to keep, by their names.

    `faults` says why a file could not be scanned.
    """

    hits: Mapping[str, tuple[Place, ...]]
    faults: Mapping[str, str]


NONE = Scanned({}, {})


def scan(adapter: Adapter, document: Document, decoded: Decoded) -> Scanned:
    """Look for secrets in every companion; one file is held in memory at a time."""
    hits, faults = {}, {}
    for each in decoded.companions:
        data = document.companions[each.path]
        try:
            found = secret_scan.scan_texts(_texts(adapter, each.path, data))
        except InvalidDocumentError as error:
            faults[each.path] = error.problems[0].message if error.problems else error.message
        else:
            hits[each.path] = tuple(hit.place for hit in found)
    return Scanned(hits, faults)


def _texts(adapter: Adapter, path: str, data: bytes) -> Iterator[tuple[str, str]]:
    below = join("", path)
    yield below, path
    for pointer, text in adapter.texts(Document(path, data)):
        yield f"{below}{pointer}", text


def kept(document: Document, decoded: Decoded, beside: tuple[Beside, ...]) -> Document:
    """Return the document with those files only that the import may keep."""
    apart = {each.path for each in decoded.companions}
    wanted = {
        each.path for each, listed in zip(decoded.companions, beside, strict=True) if listed.wanted
    }
    files = {
        path: data
        for path, data in document.companions.items()
        if path not in apart or path in wanted
    }
    return document._replace(companions=files)


def listed(
    document: Document, decoded: Decoded, scanned: Scanned | None, declared: frozenset[Place]
) -> tuple[Beside, ...]:
    """Return the companions for the report; `scanned` is None where none of them is wanted."""
    return tuple(
        _listed(each, document.companions[each.path], scanned, declared)
        for each in decoded.companions
    )


def _listed(
    companion: Companion, data: bytes, scanned: Scanned | None, declared: frozenset[Place]
) -> Beside:
    shown = Shown(masking=True)
    path = companion.path
    found = () if scanned is None else scanned.hits.get(path, ())
    secrets = tuple(place for place in found if place not in declared)
    fault = "" if scanned is None else shown.text(scanned.faults.get(path, ""))
    return Beside(
        path=shown.text(path),
        kind=companion.kind,
        about=tuple(map(shown.text, companion.about)),
        size=len(data),
        digest=sha256(data),
        wanted=scanned is not None and not fault and not secrets,
        fault=fault,
        secrets=secrets,
    )
