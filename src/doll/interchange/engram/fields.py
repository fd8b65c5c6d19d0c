"""Every field of a store of engrams, and what becomes of it: the one table of the mapping.

A field of an engram that does not stand here makes the entry parked: it is never guessed.
"""

from doll.interchange.pointers import parts
from doll.interchange.rules import Rule, reasons

ENTRY = "/engrams/*"
EPISODES, TENSIONS, SKILL, INTEGRITY = "episodes.yaml", "tensions.yaml", "SKILL.md", "INTEGRITY"
EPISODE = f"/{EPISODES}/*"

_UNKNOWN = "doll has no such field: meaning not known"
_USE = "how often it was used there; use makes nothing truer"
_LABEL = "a label at the source; it grants nothing, and nothing is widened by it"
_LINK = "a link at the source is only proposed"
_ORIGIN = "how the source came to it; kept as it was said"
_EXACT = "the text is not the one doll writes for this moment, or doll cannot hold the moment"
_NO_TIME = f"{_EXACT}; a time that is not to be believed is unknown"
_ALWAYS = "nothing foreign is put before a model because the source wants it"
_VALIDITY = "a time of validity at the source is none here"

FIELDS: tuple[Rule, ...] = (
    Rule(f"{ENTRY}/id", "field origin_id"),
    Rule(f"{ENTRY}/version", "claim", "the shape of the entry at the source"),
    Rule(f"{ENTRY}/status", "claim", "a status at the source is no status here; a review decides"),
    Rule(f"{ENTRY}/consolidated", "claim", _UNKNOWN),
    Rule(f"{ENTRY}/type", "claim", "no type becomes a procedure, decision, policy or permission"),
    Rule(f"{ENTRY}/scope", "claim", _LABEL),
    Rule(f"{ENTRY}/visibility", "claim", _LABEL),
    Rule(f"{ENTRY}/statement", "body"),
    Rule(f"{ENTRY}/rationale", "body"),
    Rule(f"{ENTRY}/contraindications", "claim", "the text does not say when it does not hold"),
    Rule(f"{ENTRY}/summary", "field summary", "a summary of white space only is none"),
    Rule(f"{ENTRY}/tags", "field tags"),
    Rule(f"{ENTRY}/domain", "claim", _LABEL),
    Rule(f"{ENTRY}/source", "claim", _ORIGIN),
    Rule(f"{ENTRY}/source_patterns", "claim", _ORIGIN),
    Rule(f"{ENTRY}/sources", "claim", _ORIGIN),
    Rule(f"{ENTRY}/derivation_count", "claim", _ORIGIN),
    Rule(f"{ENTRY}/pack", "claim", _ORIGIN),
    Rule(f"{ENTRY}/abstract", "claim", _LINK),
    Rule(f"{ENTRY}/derived_from", "claim", _LINK),
    Rule(f"{ENTRY}/relations/*", "claim", _LINK),
    Rule(f"{ENTRY}/associations", "claim", _USE),
    Rule(f"{ENTRY}/knowledge_type/*", "claim", _UNKNOWN),
    Rule(f"{ENTRY}/knowledge_anchors", "claim", "a path at the source leads nowhere here"),
    Rule(f"{ENTRY}/dual_coding/*", "claim", _UNKNOWN),
    Rule(f"{ENTRY}/activation/*", "claim", _USE),
    Rule(f"{ENTRY}/usage/*", "claim", _USE),
    Rule(f"{ENTRY}/feedback_signals/*", "claim", _USE),
    Rule(f"{ENTRY}/write_count", "claim", _USE),
    Rule(f"{ENTRY}/reference_count", "claim", _USE),
    Rule(f"{ENTRY}/injection_count", "claim", _USE),
    Rule(f"{ENTRY}/recurrence_count", "claim", _USE),
    Rule(f"{ENTRY}/content_hash", "claim", "it leaves punctuation out, so it is no identity"),
    Rule(f"{ENTRY}/commitment", "claim", "`decided` and `locked` come from use, not from a review"),
    Rule(f"{ENTRY}/locked_at", "claim", "a lock at the source approves nothing here"),
    Rule(f"{ENTRY}/locked_reason", "claim", "a lock at the source approves nothing here"),
    Rule(f"{ENTRY}/polarity", "claim", "an imported instruction instructs nobody"),
    Rule(f"{ENTRY}/pinned", "claim", _ALWAYS),
    Rule(f"{ENTRY}/pinned_priority", "claim", _ALWAYS),
    Rule(f"{ENTRY}/temporal/*", "claim", _VALIDITY),
    Rule(f"{ENTRY}/created_at", "field created", _EXACT),
    Rule(f"{ENTRY}/updated_at", "field updated", _EXACT),
    Rule(f"{ENTRY}/provenance/*", "claim", _ORIGIN),
    Rule(f"{ENTRY}/attribution/*", "claim", _ORIGIN),
    Rule(f"{ENTRY}/claim_class", "claim", _UNKNOWN),
    Rule(f"{ENTRY}/entities", "claim", _UNKNOWN),
    Rule(f"{ENTRY}/episodic/*", "claim", _UNKNOWN),
    Rule(f"{ENTRY}/exchange/*", "claim", _UNKNOWN),
    Rule(f"{ENTRY}/insight/*", "claim", _UNKNOWN),
    Rule(f"{ENTRY}/structured_data/*", "claim", _UNKNOWN),
    Rule(f"{ENTRY}/measured_under/*", "claim", _UNKNOWN),
    Rule(f"{ENTRY}/engram_version", "claim", _ORIGIN),
    Rule(f"{ENTRY}/previous_version_ref/*", "claim", _ORIGIN),
    Rule(f"{ENTRY}/episode_ids", "claim", _LINK),
    Rule(f"{EPISODE}/id", "field origin_id"),
    Rule(f"{EPISODE}/summary", "field summary"),
    Rule(f"{EPISODE}/tags", "field tags"),
    Rule(f"{EPISODE}/timestamp", "field at", _NO_TIME),
    Rule(f"{EPISODE}/agent", "claim", _ORIGIN),
    Rule(f"{EPISODE}/channel", "claim", _ORIGIN),
    Rule(f"{EPISODE}/session_id", "claim", _ORIGIN),
    Rule(f"/{TENSIONS}/*", "report", "an open question here, whatever the source made of it"),
    Rule("/history/*", "checked", "compared with the entries; how they were used is not imported"),
    Rule(f"/{SKILL}", "report", "instructions of a pack instruct nobody; kept in the source only"),
    Rule(f"/{INTEGRITY}", "checked"),
)

REASONS = reasons(FIELDS)
_NEWER = frozenset(["created_at", "updated_at", "attribution", "claim_class"])
KNOWN = frozenset(parts(rule.field)[2] for rule in FIELDS if rule.field.startswith(f"{ENTRY}/"))
KNOWN_OF_EPISODES = frozenset(
    parts(rule.field)[2] for rule in FIELDS if rule.field.startswith(f"{EPISODE}/")
)
OLDER, NEWER = "engram-2/0.18", "engram-2/0.20"


def profile(entry: dict[str, object]) -> str:
    """Return the profile whose shape an entry has."""
    return OLDER if _NEWER.isdisjoint(entry) else NEWER


def pattern(prefix: str, pointer: str) -> str:
    """Return the pattern in the table of a claim of an entry or episode (`prefix`)."""
    field = f"{prefix}/{parts(pointer)[0]}"
    return field if field in REASONS else f"{field}/*"


def claim_reason(pointer: str) -> str:
    """Return why the value at a claim's pointer is no more than a claim."""
    for prefix in (ENTRY, EPISODE):
        if reason := REASONS.get(pattern(prefix, pointer)):
            return reason
    return _UNKNOWN
