"""Every field of a memory record, and what becomes of it in a PAM export: the one table of it.

The encoding, the loss report and docs/interchange.md all follow this table, and a test holds it to
the fields of a memory. A field with a `reason` is a loss where a record has it and it had no place.
"""

from typing import NamedTuple

MEMORY = "/memories/*"
RELATIONS = "/relations/*"
BODY = "body"
ID = "id"
# How a front matter key that doll does not know stands in the loss report's table.
OTHER = "*"


class Exported(NamedTuple):
    """One field of a record: where it goes, and why that is a loss where it is one.

    `becomes` is the JSON Pointer of the field in the export, `checked` (it decides whether the
    record is exported at all, or is no content), or empty: it goes nowhere.
    """

    field: str
    becomes: str
    reason: str = ""


_REVIEW = "a review here is none elsewhere"
_ORIGIN = "the export states doll as the platform; where doll has the text from has no field"
_LINK = "a link to a record that is not in the export"

FIELDS: tuple[Exported, ...] = (
    Exported(ID, f"{MEMORY}/id", "whoever imports it gives it an id of its own"),
    Exported(BODY, f"{MEMORY}/content"),
    Exported("schema", "checked"),
    Exported("title", f"{MEMORY}/summary", "PAM has no title; a record's own summary comes first"),
    Exported("summary", f"{MEMORY}/summary", "it is the content, since the record has no other"),
    Exported("created", f"{MEMORY}/temporal/created_at"),
    Exported("updated", f"{MEMORY}/temporal/updated_at"),
    Exported("tags", f"{MEMORY}/tags", "PAM allows only a-z, 0-9, _ and - in a tag"),
    Exported("aliases", "", "earlier ids have no field"),
    Exported("sensitivity", "", "a label has no field: take care who gets the export"),
    Exported("origin", "", _ORIGIN),
    Exported("origin_adapter", "", _ORIGIN),
    Exported("origin_source", "", _ORIGIN),
    Exported("origin_id", "", "the record has an id of its own now, which is exported"),
    Exported("origin_sha256", "", _ORIGIN),
    Exported("updates", "", "names a candidate of this vault"),
    Exported("claims", "", "what a source said is no statement of the owner's"),
    Exported("reviewed_by", "", _REVIEW),
    Exported("reviewed_at", "", _REVIEW),
    Exported("reviewed_sha256", "", _REVIEW),
    Exported("review", "", _REVIEW),
    Exported("review_reason", "", _REVIEW),
    Exported("kind", f"{MEMORY}/type"),
    Exported("status", f"{MEMORY}/status"),
    Exported("valid_from", f"{MEMORY}/temporal/valid_from"),
    Exported("valid_until", f"{MEMORY}/temporal/valid_until"),
    Exported("supersedes", RELATIONS, _LINK),
    Exported("contradicts", RELATIONS, _LINK),
    Exported("related", RELATIONS, _LINK),
    Exported("exportable", "checked"),
    Exported(OTHER, "", "a key that is no field of a memory"),
)

REASONS: dict[str, str] = {rule.field: rule.reason for rule in FIELDS}
"""Why each field is a loss; empty where it cannot be one."""

LINKS: dict[str, str] = {
    "supersedes": "supersedes",
    "contradicts": "contradicts",
    "related": "related_to",
}
"""The fields that link memories, and the types of PAM's relations for them."""
