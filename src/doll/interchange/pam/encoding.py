"""One memory record as a memory of a PAM store, and what of it had no place.

Pure. What doll does not know is not stated: no confidence, no access, no embedding.
Source: the table in `doll.interchange.pam.export_fields`; PAM specification v1.0.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from doll.interchange.pam.export_fields import BODY, FIELDS, ID, LINKS
from doll.records import times
from doll.records.model import Memory
from doll.records.names import fold
from doll.records.references import plain

PLATFORM = "doll"
CUSTOM_TYPE = "doll_memory"

_TAG = re.compile(r"[a-z0-9][a-z0-9_-]*")
_JOINTS = re.compile(r"[\s/]+")
_NAMES = frozenset(Memory.__struct_fields__)
# Links are looked at when it is known what else is exported.
_MAY_BE_LOST = tuple(
    rule.field for rule in FIELDS if rule.reason and rule.field in _NAMES - LINKS.keys()
)
_TIMES = ("updated", "valid_from", "valid_until")
_TIME_NAMES = {"updated": "updated_at"}


class Exportable(NamedTuple):
    """A record that is exported.

    `keys` are the keys of its front matter. `since` is when it came into confirmed memory, for a
    record that does not say when it was written.
    """

    id: str
    fields: Memory
    body: str
    keys: tuple[str, ...] = ()
    since: datetime | None = None


class Lost(NamedTuple):
    """A field that had no place; `detail` says more where there is more to say."""

    field: str
    detail: str = ""


class Encoded(NamedTuple):
    """A memory of the store, as JSON values, and what had no place in it."""

    memory: dict[str, Any]
    lost: tuple[Lost, ...]


def content_of(record: Exportable) -> tuple[str, str]:
    """Return the content and the field that it is: the body, else the title, else the summary.

    "" for a record that says nothing.
    """
    said = record.fields
    texts = ((BODY, record.body), ("title", said.title), ("summary", said.summary))
    return next(((text, name) for name, text in texts if text and text.strip()), ("", BODY))


def encode(record: Exportable, export_date: datetime) -> Encoded:
    """Return a record that has content as a memory.

    `export_date` is its time of creation where nothing else is known.
    """
    from portable_ai_memory.core.integrity import compute_content_hash

    said = record.fields
    content, source = content_of(record)
    tags, unfit = _tags(said.tags)
    memory = {
        "id": record.id,
        "type": said.kind or "custom",
        "custom_type": None if said.kind else CUSTOM_TYPE,
        "status": "active",
        "content": content,
        "content_hash": compute_content_hash(content),
        "summary": _summary(said, source),
        "tags": tags,
        "temporal": _temporal(record, export_date),
        "provenance": {"platform": PLATFORM},
        "embedding_ref": None,
    }
    return Encoded(memory, tuple(_lost(record, source, unfit)))


def _summary(said: Memory, source: str) -> str | None:
    """Return the summary, else the title, that is not the content; white space alone is none."""
    texts = (("summary", said.summary), ("title", said.title))
    return next((text for name, text in texts if name != source and text and text.strip()), None)


def _temporal(record: Exportable, export_date: datetime) -> dict[str, str]:
    created = record.fields.created or record.since or export_date
    found = {"created_at": times.render_exact(created)}
    for name in _TIMES:
        moment: datetime | None = getattr(record.fields, name)
        if moment is not None:
            found[_TIME_NAMES.get(name, name)] = times.render_exact(moment)
    return found


def _tags(tags: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the tags in the format's form, each once, and what that did to those it changed."""
    kept, unfit = dict[str, None](), []
    for tag in tags:
        form = _JOINTS.sub("-", tag.strip().removeprefix("#").lower())
        if not _TAG.fullmatch(form):
            unfit.append(f"{tag} is left out")
            continue
        kept[form] = None
        if form != tag:
            unfit.append(f"{tag} became {form}")
    return list(kept), unfit


def _lost(record: Exportable, source: str, unfit: Sequence[str]) -> Iterator[Lost]:
    """Yield what a record has and the format has no place for, in the order of the table."""
    said = msgspec.to_builtins(record.fields)  # what is not the default
    yield _whole(ID)
    for name in _MAY_BE_LOST:
        if name == "tags":
            yield from (Lost(name, each) for each in unfit)
        elif name in said and (name != "summary" or name == source):
            yield _whole(name)
    yield from (_whole(key) for key in sorted(record.keys) if key not in _NAMES)


@functools.lru_cache(1000)
def _whole(field: str) -> Lost:
    """Return the loss of a whole field; there are few of them, in very many records."""
    return Lost(field)


def relations(
    records: Sequence[Exportable], memories: Mapping[str, Mapping[str, Any]]
) -> tuple[list[dict[str, str]], dict[str, tuple[Lost, ...]]]:
    """Return the links between records as relations, and by id those that lead out of the export.

    What these name is not said: it may be a record that nobody is to know of.

    `memories` are the encoded records by id. A link has no time of its own: it gets the time at
    which the memory that it starts from was last changed.
    """
    targets = _targets(records)
    found, lost = dict[str, dict[str, str]](), dict[str, tuple[Lost, ...]]()
    for record in records:
        for field, kind in LINKS.items():
            for name in getattr(record.fields, field):
                ids = targets.get(fold(plain(name)), set())
                if len(ids) != 1 or record.id in ids:
                    known = lost.get(record.id, ())
                    lost[record.id] = known if _whole(field) in known else (*known, _whole(field))
                    continue
                (other,) = ids
                each = _relation(record.id, other, kind, memories[record.id]["temporal"])
                found[each["id"]] = each
    return [found[name] for name in sorted(found)], lost


def _relation(start: str, end: str, kind: str, temporal: Mapping[str, str]) -> dict[str, str]:
    moment = temporal.get("updated_at", temporal["created_at"])
    name = f"{start} {kind} {end}"
    return {"id": name, "from": start, "to": end, "type": kind, "created_at": moment}


def _targets(records: Sequence[Exportable]) -> dict[str, set[str]]:
    """Return the ids that each folded id and alias means."""
    found: dict[str, set[str]] = {}
    for record in records:
        for name in (record.id, *record.fields.aliases):
            found.setdefault(fold(name), set()).add(record.id)
    return found
