"""What a store says of itself, held against what it holds: integrity, counts, history, tensions.

A pack whose bytes are not those that its INTEGRITY was made for is refused; whatever else does not
fit is a warning, since the entries that are there can be read all the same.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from doll.errors import InvalidDocumentError, Problem
from doll.interchange.base import Document, Question
from doll.interchange.engram.fields import INTEGRITY, SKILL, TENSIONS
from doll.interchange.engram.store import Store
from doll.interchange.pointers import join
from doll.interchange.yaml_scalars import is_null
from doll.records.digest import sha256

_DIGEST = re.compile(r"sha256:([0-9a-f]{64})\s*")
_NAMED = 20
_SHORT = 200


def integrity(document: Document) -> str:
    """Return `equal`, or `none` where there is no INTEGRITY; InvalidDocumentError if wrong.

    It is the SHA-256 of the bytes of SKILL.md and then of engrams.yaml.
    """
    if INTEGRITY not in document.companions:
        return "none"
    said = _DIGEST.fullmatch(document.companions[INTEGRITY].decode("utf-8", "replace"))
    found = sha256(document.companions.get(SKILL, b"") + document.data)
    if said is not None and said[1] == found:
        return "equal"
    message = f"SKILL.md and {document.file} have the digest {found}, and INTEGRITY says another"
    if said is None:
        message = "INTEGRITY holds no `sha256:` and 64 hex digits"
    hint = (
        "get the pack from its source again; its engrams.yaml can be imported alone, as a file "
        "that nothing vouches for"
    )
    problem = Problem(INTEGRITY, 1, 1, "engram.integrity", message, hint=hint)
    raise InvalidDocumentError(f"{document.name}: {message}", hint=hint, problems=[problem])


def count_problems(store: Store) -> Iterator[Problem]:
    """Yield a warning where a pack says another number of engrams than it has."""
    metadata = (store.skill or {}).get("metadata")
    said = metadata.get("engram_count") if isinstance(metadata, dict) else None
    if isinstance(said, str) and not is_null(said) and said != str(len(store.entries)):
        engrams = "1 engram" if said == "1" else f"{said[:20]} engrams"
        message = f"the pack says that it has {engrams}, and it has {len(store.entries)}"
        yield Problem(SKILL, 0, 0, "engram.shortfall", message, "warning")


def history_problems(document: Document, store: Store) -> Iterator[Problem]:
    """Yield warnings on what the history tells of and the store does not hold."""
    for event in store.history:
        if not isinstance(event.value, dict):
            message = "this line of the history cannot be read, so more may be missing than is said"
            yield Problem(event.file, event.line, 1, "engram.history", message, "warning")
    missing = shortfall(store)
    if missing:
        named = ", ".join(missing[:_NAMED])
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        message = f"the history tells of {_shortfall_in_words(store, missing)}: {named}{more}"
        hint = "the file may be cut off, or they were moved or deleted at the source: compare both"
        yield Problem(document.file, 0, 0, "engram.shortfall", message, "warning", hint)


def history_fact(store: Store) -> str:
    """Return in words how the store stands to its history."""
    if not store.history:
        return "none, so nobody can tell whether entries are missing"
    return _shortfall_in_words(store, shortfall(store))


def _shortfall_in_words(store: Store, missing: list[str]) -> str:
    made = sum(_made(store).values())
    engrams = "1 engram" if made == 1 else f"{made} engrams"
    return f"{engrams} made, {len(missing)} of them not here"


def shortfall(store: Store) -> list[str]:
    """Return the ids that the history has made and the store has not, each as often as it lacks."""
    there = Counter(
        str(entry["id"]) for entry in store.entries if isinstance(entry, dict) and "id" in entry
    )
    return sorted((_made(store) - there).elements())


def _made(store: Store) -> Counter[str]:
    """Return how often the history made each id; a move to another scope may have renamed it."""
    made: Counter[str] = Counter()
    for event in store.history:
        value: Any = event.value
        if not isinstance(value, dict) or not isinstance(value.get("engram_id"), str):
            continue
        if value.get("event") == "engram_created":
            made[value["engram_id"]] += 1
        elif value.get("event") == "engram_rescoped" and isinstance(value.get("data"), dict):
            before, after = value["engram_id"], value["data"].get("new_id")
            if isinstance(after, str) and made[before]:
                made[before] -= 1
                made[after] += 1
    return +made


def questions(store: Store) -> Iterator[Question]:
    """Yield each tension as a question that is open here, whatever the source made of it."""
    for index, tension in enumerate(store.tensions.value if store.tensions else ()):
        pointer = join("", TENSIONS, index)
        if not isinstance(tension, dict):
            yield Question(pointer, "a tension that is no mapping, and cannot be read")
            continue
        sides = " or ".join(_side(tension, letter) for letter in "ab")
        said = {key: _short(tension[key]) for key in ("reason", "status") if _says(tension, key)}
        reason = f": {said['reason']}" if "reason" in said else ""
        status = f" (the source says: {said['status']})" if "status" in said else ""
        yield Question(pointer, f"{sides}{reason}{status}")


def _side(tension: dict[str, Any], letter: str) -> str:
    name, text = f"engram_{letter}", f"statement_{letter}"
    said = _short(tension[name]) if _says(tension, name) else "an engram that is not named"
    return f"{said} “{_short(tension[text])}”" if _says(tension, text) else said


def _says(tension: dict[str, Any], name: str) -> bool:
    return isinstance(tension.get(name), str) and not is_null(tension[name])


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"
