"""The published schema as msgspec types: a fast yes for entries that are plainly right.

What these types accept, the published schema accepts (a property test holds them to it); what
they refuse is looked at again by the schema itself, which has the last word and the messages.
Patterns end in `\\Z` because the `$` of Python would let a line feed pass.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

DATE_TIME = (
    r"\A(?:[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    r"|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
    r"|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
    r"[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?"
    r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])\Z"
)
"""RFC 3339 `date-time` with days that the calendar has. Leap seconds are allowed at any minute."""

NonEmpty = Annotated[str, Meta(min_length=1)]
Time = Annotated[str, Meta(pattern=DATE_TIME)]
Digest = Annotated[str, Meta(pattern=r"\Asha256:[a-f0-9]{64}\Z")]
Tag = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9_-]*\Z")]
Platform = Annotated[str, Meta(pattern=r"\A[a-z0-9_-]{2,32}\Z")]
System = Annotated[str, Meta(pattern=r"\A[a-zA-Z0-9_-]+/[0-9]+\.[0-9]+\.[0-9]+\Z")]
Did = Annotated[str, Meta(pattern=r"\Adid:[a-z0-9]+:.+\Z")]
Language = Annotated[str, Meta(pattern=r"\A[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?\Z")]
Count = Annotated[int, Meta(ge=0)]


class _Closed(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """An object that has no other properties than these."""


def _refuse_no_share(value: object) -> None:
    """Raise ValueError unless `value` is absent or a number from 0 to 1.

    Not an annotation, because msgspec takes no subclass of float, and numbers that keep their
    text are one.
    """
    if value is UNSET or ((isinstance(value, float) or type(value) is int) and 0 <= value <= 1):
        return
    raise ValueError("not a number from 0 to 1")


class _Confidence(_Closed):
    initial: Any = UNSET
    current: Any = UNSET
    decay_model: Literal["time_linear", "time_exponential", "none"] | None = None
    last_reinforced: Time | None = None

    def __post_init__(self) -> None:
        _refuse_no_share(self.initial)
        _refuse_no_share(self.current)


class _Temporal(_Closed):
    created_at: Time
    updated_at: Time | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    superseded_by: str | None = None


class _Provenance(_Closed):
    platform: Platform
    platform_user_id: str | None = None
    conversation_ref: str | None = None
    message_ref: str | None = None
    extraction_method: (
        Literal[
            "llm_inference", "explicit_user_input", "api_export", "browser_extraction", "manual"
        ]
        | None
    ) = None
    extracted_at: Time | None = None
    extractor: System | None = None


class _Grant(_Closed):
    entity: NonEmpty
    permissions: Annotated[tuple[Literal["read", "write", "delete"], ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        _refuse_repeated(self.permissions)


class _Access(_Closed):
    visibility: Literal["private", "shared", "public"] | UnsetType = UNSET
    exportable: bool | UnsetType = UNSET
    shared_with: tuple[_Grant, ...] = ()


class _Metadata(msgspec.Struct, gc=False):
    language: Language | None = None
    domain: str | None = None


class MemoryShape(_Closed):
    """`MemoryObject` of the published schema."""

    id: NonEmpty
    type: Literal[
        "fact",
        "preference",
        "skill",
        "context",
        "relationship",
        "goal",
        "instruction",
        "identity",
        "environment",
        "project",
        "custom",
    ]
    content: NonEmpty
    content_hash: Digest
    temporal: _Temporal
    provenance: _Provenance
    custom_type: NonEmpty | None = None
    status: Literal["active", "superseded", "deprecated", "retracted", "archived"] | UnsetType = (
        UNSET
    )
    summary: str | None = None
    tags: tuple[Tag, ...] = ()
    confidence: _Confidence | UnsetType = UNSET
    access: _Access | UnsetType = UNSET
    embedding_ref: str | None = None
    metadata: _Metadata | UnsetType = UNSET

    def __post_init__(self) -> None:
        _refuse_repeated(self.tags)
        if (self.type == "custom") != (self.custom_type is not None):
            raise ValueError("custom_type goes with the type custom")


class RelationShape(_Closed):
    """`RelationObject` of the published schema."""

    id: NonEmpty
    to: NonEmpty
    type: Literal["supports", "contradicts", "extends", "supersedes", "related_to", "derived_from"]
    created_at: Time
    from_: NonEmpty = field(name="from")
    confidence: Any = None

    def __post_init__(self) -> None:
        if self.confidence is not None:
            _refuse_no_share(self.confidence)


class _Period(_Closed):
    created_at: Time
    updated_at: Time | None = None


class _Storage(_Closed):
    type: Literal["file", "database", "object_storage", "vector_db", "uri"]
    ref: NonEmpty
    format: str | None = None


class ConversationShape(_Closed):
    """`ConversationIndexEntry` of the published schema."""

    id: NonEmpty
    platform: Platform
    temporal: _Period
    title: str | None = None
    message_count: Count | None = None
    tags: tuple[Tag, ...] = ()
    derived_memories: tuple[NonEmpty, ...] = ()
    storage: _Storage | UnsetType = UNSET


class _Owner(_Closed):
    id: NonEmpty
    did: Did | None = None
    created_at: Time | UnsetType = UNSET


class _Integrity(_Closed):
    checksum: Digest
    total_memories: Count
    canonicalization: Literal["RFC8785"] | UnsetType = UNSET


class _Signature(_Closed):
    algorithm: Literal["Ed25519", "ES256", "ES384", "RS256", "RS384", "RS512"]
    public_key: NonEmpty
    value: NonEmpty
    signed_at: Time
    key_id: str | None = None


class StoreShape(_Closed):
    """The root of the published schema; entries of its three lists are checked one by one."""

    schema: Literal["portable-ai-memory"]
    schema_version: Literal["1.0"]
    owner: _Owner
    memories: list[Any]
    spec_uri: str | None = None
    export_id: str | None = None
    exported_by: System | None = None
    export_date: Time | UnsetType = UNSET
    relations: list[Any] = field(default_factory=list)
    conversations_index: list[Any] = field(default_factory=list)
    integrity: _Integrity | UnsetType = UNSET
    export_type: Literal["full", "incremental"] | UnsetType = UNSET
    base_export_id: str | None = None
    since: Time | None = None
    type_registry: str | None = None
    signature: _Signature | None = None

    def __post_init__(self) -> None:
        if self.signature is not None and (self.export_id is None or self.export_date is UNSET):
            raise ValueError("a signature needs export_id and export_date")


def _refuse_repeated(values: tuple[str, ...]) -> None:
    if len(set(values)) != len(values):
        raise ValueError("a value stands twice")


def accepts(shape: type[msgspec.Struct], value: object) -> bool:
    """Return whether `value` is plainly of this shape; False means: ask the schema."""
    try:
        msgspec.convert(value, shape)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return False
    return True
