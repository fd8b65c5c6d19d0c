"""Has an entry the shape of an engram, or of an episode? Where not, why: it is then parked."""

import re
from typing import Any

from doll.interchange.engram.fields import KNOWN, KNOWN_OF_EPISODES
from doll.interchange.fitting import Misfit
from doll.interchange.yaml_scalars import is_null

_ID = re.compile(r"(?:ENG|ABS|META)-[A-Za-z0-9-]{1,200}")
_STATUS = frozenset(["active", "dormant", "retired", "candidate"])
_TYPES = frozenset(["behavioral", "terminological", "procedural", "architectural"])
_TEXTS = ("summary", "rationale", "created_at", "updated_at")
_REQUIRED = ("id", "status", "type", "scope", "statement")


def engram_fault(entry: Any) -> Misfit | None:
    """Return why an entry of `engrams` is none that is known, or None."""
    if not isinstance(entry, dict):
        return Misfit("engram.value", "the entry is no mapping")
    if unknown := sorted(entry.keys() - KNOWN):
        return _unknown(unknown)
    for name in _REQUIRED:
        if is_null(entry.get(name)) or not str(entry[name]).strip():
            return Misfit("engram.missing", f"the entry has no {name}")
        if not isinstance(entry[name], str):
            return Misfit("engram.value", f"{name} is no text")
    if not _ID.fullmatch(entry["id"]):
        return Misfit("engram.value", "id does not begin with ENG-, ABS- or META-, or is no id")
    if entry["status"] not in _STATUS:
        return Misfit("engram.value", "status is none of active, dormant, retired, candidate")
    if entry["type"] not in _TYPES:
        return Misfit("engram.value", f"type is none of {', '.join(sorted(_TYPES))}")
    return _value_fault(entry, _TEXTS)


def episode_fault(entry: Any) -> Misfit | None:
    """Return why an entry of `episodes.yaml` is none that is known, or None."""
    if not isinstance(entry, dict):
        return Misfit("engram.value", "the episode is no mapping")
    if unknown := sorted(entry.keys() - KNOWN_OF_EPISODES):
        return _unknown(unknown)
    summary = entry.get("summary")
    if is_null(summary) or not str(summary).strip():
        return Misfit("engram.missing", "the episode has no summary")
    return _value_fault(entry, ("summary", "id", "timestamp"))


def _unknown(names: list[str]) -> Misfit:
    listed = ", ".join(f"`{name[:60]}`" for name in names[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    word = "field" if len(names) == 1 else "fields"
    return Misfit("engram.unknown_field", f"no profile knows its {word} {listed}{more}")


def _value_fault(entry: dict[str, Any], texts: tuple[str, ...]) -> Misfit | None:
    for name in texts:
        if not isinstance(entry.get(name, ""), str):
            return Misfit("engram.value", f"{name} is no text")
    tags = entry.get("tags", [])
    if not is_null(tags) and not (
        isinstance(tags, list) and all(isinstance(tag, str) for tag in tags)
    ):
        return Misfit("engram.value", "tags is no list of texts")
    return None
