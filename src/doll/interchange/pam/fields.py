"""Every field of a PAM memory store, and what becomes of it: the one table of the mapping.

The mapping, the loss report and docs/interchange.md all follow this table, and a test holds it to
the published schema. A field with a `reason` is a loss wherever a document has it.
"""

from doll.interchange.claims import NO_FIELD
from doll.interchange.rules import Rule, reasons

MEMORY = "/memories/*"

_STATUS = "a status at the source is no status here; a review decides"
_VALIDITY = "a time of validity at the source is none here"
_GRANT = "access at the source grants nothing here"
_CONVERSATION = "conversations are not imported, so this refers to nothing"
_ORIGIN = "how the source came to it; kept as it was said"
_SIGNATURE = "checked where it can be; a signature proves the source, not the content"
_INSTRUCTION = "an imported instruction instructs nobody; the type is only a claim"
_EXACT = "the text is not the one doll writes for this moment, or doll cannot hold the moment"

FIELDS: tuple[Rule, ...] = (
    Rule("/schema", "checked"),
    Rule("/schema_version", "checked"),
    Rule("/spec_uri", "", "names the specification, which the report states as `format`"),
    Rule("/export_id", "report"),
    Rule("/exported_by", "report"),
    Rule("/export_date", "report"),
    Rule("/owner/id", "field origin_source"),
    Rule("/owner/did", "", "an identity at the source is none here"),
    Rule("/owner/created_at", "", NO_FIELD),
    Rule(f"{MEMORY}/id", "field origin_id"),
    Rule(f"{MEMORY}/type", "field kind", f"custom is no kind of doll's; {_INSTRUCTION}"),
    Rule(f"{MEMORY}/custom_type", "claim", "a type of the source's own: meaning not known"),
    Rule(f"{MEMORY}/status", "claim", _STATUS),
    Rule(f"{MEMORY}/content", "body"),
    Rule(f"{MEMORY}/content_hash", "claim", "checked; it is no id and proves no duplicate"),
    Rule(f"{MEMORY}/summary", "field summary", "a summary of white space only is none"),
    Rule(f"{MEMORY}/tags", "field tags"),
    Rule(f"{MEMORY}/confidence/initial", "claim", NO_FIELD),
    Rule(f"{MEMORY}/confidence/current", "claim", NO_FIELD),
    Rule(f"{MEMORY}/confidence/decay_model", "claim", NO_FIELD),
    Rule(f"{MEMORY}/confidence/last_reinforced", "claim", NO_FIELD),
    Rule(f"{MEMORY}/temporal/created_at", "field created", _EXACT),
    Rule(f"{MEMORY}/temporal/updated_at", "field updated", _EXACT),
    Rule(f"{MEMORY}/temporal/valid_from", "claim", _VALIDITY),
    Rule(f"{MEMORY}/temporal/valid_until", "claim", _VALIDITY),
    Rule(f"{MEMORY}/temporal/superseded_by", "claim", "a link at the source is only proposed"),
    Rule(f"{MEMORY}/provenance/platform", "claim", _ORIGIN),
    Rule(f"{MEMORY}/provenance/platform_user_id", "claim", _ORIGIN),
    Rule(f"{MEMORY}/provenance/conversation_ref", "claim", _CONVERSATION),
    Rule(f"{MEMORY}/provenance/message_ref", "claim", _CONVERSATION),
    Rule(f"{MEMORY}/provenance/extraction_method", "claim", _ORIGIN),
    Rule(f"{MEMORY}/provenance/extracted_at", "claim", _ORIGIN),
    Rule(f"{MEMORY}/provenance/extractor", "claim", _ORIGIN),
    Rule(f"{MEMORY}/access/visibility", "claim", _GRANT),
    Rule(f"{MEMORY}/access/exportable", "field exportable", f"true is the default; {_GRANT}"),
    Rule(f"{MEMORY}/access/shared_with", "claim", _GRANT),
    Rule(f"{MEMORY}/embedding_ref", "claim", "embeddings are not imported"),
    Rule(f"{MEMORY}/metadata/language", "claim", NO_FIELD),
    Rule(f"{MEMORY}/metadata/domain", "claim", NO_FIELD),
    Rule(f"{MEMORY}/metadata/*", "claim", NO_FIELD),
    Rule("/relations/*", "claim", "a relation at the source is only a proposed link"),
    Rule("/conversations_index/*", "", "conversations are not imported"),
    Rule("/integrity/canonicalization", "checked"),
    Rule("/integrity/checksum", "checked"),
    Rule("/integrity/total_memories", "checked"),
    Rule("/export_type", "checked"),
    Rule("/base_export_id", "report", "a full export has no base"),
    Rule("/since", "report", "a full export has no beginning"),
    Rule("/type_registry", "", "types of the source's own have no meaning here"),
    Rule("/signature", "report", _SIGNATURE),
)

REASONS = reasons(FIELDS)
"""Why each field is a loss, by its pointer pattern; empty where it cannot be one."""
