"""Every key of a row of a log, and what becomes of it: the one table of the mapping.

A row with a key that does not stand here is parked: it is never guessed.
"""

from doll.interchange.pointers import parts
from doll.interchange.rules import Rule, reasons

PROFILE = "projectmem-events/0.1.4-0.3.4"
ROW = "/lines/*"
SUMMARY = "summary.md"

_CAPTURE = "how the tool came to the row by itself: meaning not known"
_TYPE = "what the log calls it; a row stated as a decision decides nothing here"
_OUTCOME = "`failed` may be the tool's default; guessed rows and fixes are not verified"
_TIME = (
    "the text is not the one doll writes for this moment, or the time is not to be believed: "
    "it is unknown then"
)
_COMMIT = "HEAD before the change in rows of a person, the commit itself in captured ones; or gone"
_FILES = "not a plain relative path, or written otherwise as a pattern"

FIELDS: tuple[Rule, ...] = (
    Rule(f"{ROW}/id", "field origin_id"),
    Rule(f"{ROW}/type", "field kind", _TYPE),
    Rule(f"{ROW}/summary", "field summary"),
    Rule(f"{ROW}/timestamp", "field at", _TIME),
    Rule(f"{ROW}/outcome", "field outcome", _OUTCOME),
    Rule(f"{ROW}/files", "field paths", _FILES),
    Rule(f"{ROW}/issue_id", "claim", "a number of the log, not unique; it names no work item"),
    Rule(f"{ROW}/location", "claim", "free text: a file, a line, a URL, a component"),
    Rule(f"{ROW}/git_commit", "claim", _COMMIT),
    Rule(f"{ROW}/supersedes", "claim", "a proposed retirement; its target stays"),
    Rule(f"{ROW}/auto_captured", "claim", _CAPTURE),
    Rule(f"{ROW}/capture_source", "claim", _CAPTURE),
    Rule(f"{ROW}/capture_confidence", "claim", _CAPTURE),
    Rule(f"{ROW}/git_message", "claim", "what a commit said; kept as it was said"),
    Rule(f"{ROW}/command", "claim", "a command of the tool; nothing is run"),
    Rule(f"{ROW}/notes", "claim", "may name persons; kept as it was said"),
    Rule(f"/{SUMMARY}", "body", "a summary made by the tool: which events it rests on is lost"),
)

REASONS = reasons(FIELDS)
KEYS = frozenset(parts(rule.field)[2] for rule in FIELDS if rule.field.startswith(f"{ROW}/"))


def pattern(pointer: str) -> str:
    """Return the pattern in the table of a claim."""
    return f"{ROW}/{parts(pointer)[0]}"


def claim_reason(pointer: str) -> str:
    """Return why the value at a claim's pointer is no more than a claim."""
    return REASONS.get(pattern(pointer)) or "meaning not known"
