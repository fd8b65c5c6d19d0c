"""What notes hold, and what becomes of it: the one table of the mapping."""

from doll.interchange.pointers import parts
from doll.interchange.rules import Rule, reasons

NOTE = "/notes/*"
PROPERTIES = f"{NOTE}/properties"
LINKS = f"{NOTE}/links"
COMMENTS = f"{NOTE}/comments"
FILES = "/files/*"

TITLE, SUMMARY, DESCRIPTION = "title", "summary", "description"
TAGS, EXPORTABLE = "tags", "exportable"
CREATED, DATE, UPDATED = "created", "date", "updated"

_TIME = "no RFC 3339 time and no day, or not the text that doll writes for it"
_LINE = "not one short line of text"
_STATED = "a standing at the source is none here; a review decides"
_LIKE = "a field of the same name at the source sets none here"
_UNKNOWN = "doll has no such field: meaning not known"

FIELDS: tuple[Rule, ...] = (
    Rule(f"{NOTE}/path", "field origin_id"),
    Rule(f"{NOTE}/text", "body"),
    Rule(f"{NOTE}/headings", "field title"),
    Rule(f"{NOTE}/tags", "field tags"),
    Rule(LINKS, "body", "a link is text; it names no record, and nothing is embedded"),
    Rule(f"{PROPERTIES}/{TITLE}", "field title", _LINE),
    Rule(f"{PROPERTIES}/{SUMMARY}", "field summary", _LINE),
    Rule(f"{PROPERTIES}/{DESCRIPTION}", "field summary", f"{_LINE}, or `{SUMMARY}` stands there"),
    Rule(f"{PROPERTIES}/{TAGS}", "field tags", "not a list of plain tags"),
    Rule(f"{PROPERTIES}/{CREATED}", "field created", _TIME),
    Rule(f"{PROPERTIES}/{DATE}", "field created", f"{_TIME}, or `{CREATED}` stands there"),
    Rule(f"{PROPERTIES}/{UPDATED}", "field updated", _TIME),
    Rule(f"{PROPERTIES}/{EXPORTABLE}", "field exportable", "only `false` counts"),
    Rule(f"{PROPERTIES}/aliases", "claim", "a name at the source names no record here"),
    Rule(f"{PROPERTIES}/id", "claim", "a foreign id is none here"),
    Rule(f"{PROPERTIES}/status", "claim", _STATED),
    Rule(f"{PROPERTIES}/kind", "claim", _LIKE),
    Rule(f"{PROPERTIES}/type", "claim", "no type becomes a procedure, decision or policy"),
    Rule(f"{PROPERTIES}/sensitivity", "claim", "a label at the source; set yours after the review"),
    Rule(f"{PROPERTIES}/confidence", "claim", _UNKNOWN),
    Rule(f"{PROPERTIES}/supersedes", "claim", "a link at the source is only proposed"),
    Rule(f"{PROPERTIES}/related", "claim", "a link at the source is only proposed"),
    Rule(f"{PROPERTIES}/*", "claim", _UNKNOWN),
    Rule(COMMENTS, "", "a comment among properties is in no candidate"),
    Rule(f"{NOTE}/times", "", "the times of a file say when it was copied, and are not read"),
    Rule(FILES, "", "no note; it is named, and not imported"),
)

REASONS = reasons(FIELDS)
_NAMED = frozenset(rule.field for rule in FIELDS if rule.field.startswith(f"{PROPERTIES}/"))


def pattern(pointer: str) -> str:
    """Return the pattern in the table of a claim, which is a property of a note."""
    field = f"{PROPERTIES}/{parts(pointer)[0]}"
    return field if field in _NAMED else f"{PROPERTIES}/*"


def claim_reason(pointer: str) -> str:
    """Return why the value at a claim's pointer is no more than a claim."""
    return REASONS[pattern(pointer)]
