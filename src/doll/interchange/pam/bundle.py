"""The files beside a memory store: which conversation each is, and where the store points. Pure.

Nothing is made of them, and no reference is followed. One that leads out of the export says that
it is not to be trusted, so the export is refused; of a store alone it is only said.
Source: PAM specification v1.0, section 14.2.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from doll.errors import Problem
from doll.interchange.base import Companion, Document
from doll.interchange.json_places import placed
from doll.interchange.pointers import join
from doll.interchange.refusals import refused

EMBEDDINGS = "embeddings.json"

_ELSEWHERE = re.compile(r"/|[A-Za-z][A-Za-z0-9+.-]*:")
# A backslash parts folders on some systems, so where it leads depends on who follows it.
_NEVER = ("\0", "\\")


class Beside(NamedTuple):
    """The companion files by their names, and warnings about references."""

    files: tuple[Companion, ...]
    warnings: tuple[Problem, ...]


class _Reference(NamedTuple):
    at: int
    conversation: str
    ref: str


def examine(store: Mapping[str, Any], document: Document) -> Beside:
    """Return what lies beside a store whose shape is right.

    InvalidDocumentError with every reference that leads out of the folder or archive.
    """
    references = list(_references(store))
    outside = [each for each in references if leads_outside(each.ref)]
    problems = [_outside(each, len(outside), document) for each in outside]
    if document.main and problems:
        message = f"{document.file} names files outside its own folder"
        raise refused(message, placed(problems, document.data))
    del problems[1:]
    base = document.main.rpartition("/")[0]
    about: defaultdict[str, list[str]] = defaultdict(list)
    for each in references:
        path = "/".join(part for part in each.ref.split("/") if part not in ("", "."))
        about[f"{base}/{path}" if base else path].append(each.conversation)
    there = document.companions
    missing = [each for path, ids in about.items() if path not in there for each in ids]
    if document.main and missing:
        problems.append(_missing(len(missing), document))
    files = tuple(_companion(path, about.get(path, ())) for path in sorted(document.companions))
    return Beside(files, tuple(problems))


def leads_outside(ref: str) -> bool:
    """Return whether a reference to a file is none to one below the folder of the store."""
    never = any(sign in ref for sign in _NEVER)
    return never or bool(_ELSEWHERE.match(ref)) or ".." in ref.split("/")


def _references(store: Mapping[str, Any]) -> Iterator[_Reference]:
    for index, entry in enumerate(store.get("conversations_index", ())):
        storage = entry.get("storage")
        if storage is not None and storage["type"] == "file":
            yield _Reference(index, entry["id"], storage["ref"])


def _companion(path: str, about: Any) -> Companion:
    kind = "embeddings" if path.rpartition("/")[2] == EMBEDDINGS else "conversation"
    return Companion(path, kind, tuple(about))


def _outside(reference: _Reference, count: int, document: Document) -> Problem:
    where = join("/conversations_index", reference.at, "storage", "ref")
    hint = "conversations lie beside the store, such as conversations/conv-001.json"
    message = "this leads out of the export"
    problem = Problem(document.file, 0, 0, "pam.storage_ref", message, hint=hint, pointer=where)
    if document.main:
        return problem
    # A store alone is not the place that its references are seen from: they are only said.
    more = f", as do {count - 1:,} more" if count > 1 else ""
    message = f"{message}{more}; nothing is read from there"
    return problem._replace(message=message, severity="warning", hint="")


def _missing(count: int, document: Document) -> Problem:
    verb = "conversation is" if count == 1 else "conversations are"
    message = f"{count:,} {verb} not among the files that were read beside the store"
    where = "/conversations_index"
    return Problem(document.file, 0, 0, "pam.companion_missing", message, "warning", "", where)
