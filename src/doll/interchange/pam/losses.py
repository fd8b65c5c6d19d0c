"""The loss report: every field that did not become a field of a record, how often, and why."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from doll.interchange.base import Candidate, Loss
from doll.interchange.pam.fields import FIELDS, MEMORY, REASONS

INCREMENTAL = "incremental"

_MAX_NAMES = 50
_OTHER = f"{MEMORY}/metadata/*"
_RELATIONS = "/relations/*"


def losses(store: Mapping[str, Any], candidates: Iterable[Candidate]) -> tuple[Loss, ...]:
    """Return the losses in the order of the mapping table.

    Of the open names in `metadata` the 50 most frequent are named, the others counted together.
    """
    counts = _of_candidates(candidates)
    counts.update(_of_document(store))
    named = [
        Loss(rule.field, counts.pop(rule.field), rule.reason)
        for rule in FIELDS
        if rule.field in counts
    ]
    open_names = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    named += [Loss(field, count, REASONS[_OTHER]) for field, count in open_names[:_MAX_NAMES]]
    rest = open_names[_MAX_NAMES:]
    if rest:
        reason = f"{len(rest):,} further names; {REASONS[_OTHER]}"
        named.append(Loss(_OTHER, sum(count for _, count in rest), reason))
    return tuple(named)


def claim_reason(pointer: str) -> str:
    """Return why the value at a claim's pointer is no more than a claim, as the losses say it."""
    return REASONS.get(_pattern(pointer)) or REASONS[_OTHER]


def _of_candidates(candidates: Iterable[Candidate]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for candidate in candidates:
        counts.update({_pattern(pointer) for pointer in candidate.fields.claims})
    return counts


def _pattern(pointer: str) -> str:
    return _RELATIONS if pointer.startswith("/relations/") else f"{MEMORY}{pointer}"


def _of_document(store: Mapping[str, Any]) -> dict[str, int]:
    """Count what the document holds beside its memories and that goes nowhere."""
    counts = {f"/owner/{name}": 1 for name in store["owner"] if name != "id"}
    names = ["spec_uri", "type_registry", "signature"]
    if store.get("export_type") != INCREMENTAL:
        names += ["base_export_id", "since"]
    for name in names:
        if store.get(name) is not None:
            counts[f"/{name}"] = 1
    if store.get("conversations_index"):
        counts["/conversations_index/*"] = len(store["conversations_index"])
    return {field: count for field, count in counts.items() if _is_there(store, field)}


def _is_there(store: Mapping[str, Any], field: str) -> bool:
    return not field.startswith("/owner/") or store["owner"][field[len("/owner/") :]] is not None
