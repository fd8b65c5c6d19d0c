"""What a store says of itself and what was checked, in words, for the report of an import."""

from collections import Counter
from typing import Any

from doll.interchange.base import Document, Options
from doll.interchange.engram import checks
from doll.interchange.engram.fields import NEWER, OLDER, SKILL, profile
from doll.interchange.engram.store import Store
from doll.interchange.yaml_scalars import is_null

_TIMES = (
    ("sources", "sources.stored_at", "of each write"),
    ("temporal", "temporal.learned_at", "what the text was extracted from"),
    ("activation", "activation.last_accessed", "the day of the export, where it was never used"),
)


def facts(document: Document, store: Store, integrity: str, options: Options) -> dict[str, str]:
    """Return the facts of a document; `integrity` is what became of that check."""
    entries = [entry for entry in store.entries if isinstance(entry, dict)]
    found = {
        "format": _profiles(entries),
        "kind": _kind(document, store),
        "entries": _entries(store.entries, entries),
        "history": checks.history_fact(store),
    }
    if _kind(document, store).startswith("pack"):
        found["integrity"] = integrity
        del found["history"]
    if unknown := _times(entries):
        found["time of making"] = unknown
    if store.episodes is not None:
        where = f"for the project {options.project}" if options.project else "not imported"
        found["episodes"] = f"{len(store.episodes.value)}, {where}"
    if store.tensions is not None:
        found["tensions"] = f"{len(store.tensions.value)}, each an open question here"
    return found


def _profiles(entries: list[dict[str, Any]]) -> str:
    counts = Counter(map(profile, entries))
    named = [f"{name} ({counts[name]})" for name in (OLDER, NEWER) if counts[name]]
    return " and ".join(named) or OLDER


def _kind(document: Document, store: Store) -> str:
    if SKILL in document.companions or "INTEGRITY" in document.companions:
        skill = store.skill or {}
        said = [str(skill[key]) for key in ("name", "version", "creator") if _says(skill, key)]
        return " ".join(["pack", *said])
    return "store" if document.main else "file alone; history and the rest beside it are not read"


def _says(skill: dict[str, Any], key: str) -> bool:
    return isinstance(skill.get(key), str) and not is_null(skill[key])


def _entries(every: list[Any], entries: list[dict[str, Any]]) -> str:
    retired = sum(1 for entry in entries if entry.get("status") == "retired")
    meta = sum(1 for entry in entries if str(entry.get("id", "")).startswith("META-"))
    parts = [f"{meta} META"] if meta else []
    parts += [f"{retired} retired"] if retired else []
    return f"{len(every)}, of which {' and '.join(parts)}" if parts else str(len(every))


def _times(entries: list[dict[str, Any]]) -> str:
    """Say for how many entries nobody wrote when they were made, and what may stand for it."""
    without = [entry for entry in entries if is_null(entry.get("created_at"))]
    if not without:
        return ""
    named = [
        f"{field} ({sum(1 for entry in without if entry.get(key))}; {what})"
        for key, field, what in _TIMES
        if any(entry.get(key) for entry in without)
    ]
    tail = f"; claims that may tell: {', '.join(named)}" if named else ""
    many = "1 entry" if len(without) == 1 else f"{len(without)} entries"
    return f"unknown for {many}{tail}"
