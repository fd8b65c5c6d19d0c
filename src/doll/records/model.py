"""The nine record types: their fields, which are the one source of truth.

The parser's checks, the JSON Schemas of `doll schema`, and the field tables of the docs are all
made from the annotations below. Nothing here reads files or knows YAML.

Absent optional fields are `None`, absent lists are empty: the two mean the same everywhere.
Source: the field table of docs/vault-format.md.
"""

from datetime import datetime
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

RecordType = Literal[
    "memory",
    "experience",
    "project",
    "work-item",
    "decision",
    "procedure",
    "policy",
    "permission",
    "capability",
]

Sensitivity = Literal["public", "internal", "personal", "sensitive", "secret"]
Origin = Literal["user", "import", "model", "system"]
Assertion = Literal[
    "user_recorded",
    "user_confirmed",
    "deterministic_system",
    "imported_external",
    "model_proposed",
]
MemoryKind = Literal[
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
]
ExperienceKind = Literal["observation", "hypothesis", "attempt", "outcome", "resolution", "lesson"]

Text = Annotated[str, Meta(max_length=100_000)]
Time = Annotated[datetime, Meta(tz=True)]
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Reference = Annotated[str, Meta(min_length=1, max_length=300)]
# A dotted lower-case name.
ACTION = r"[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)*"
Action = Annotated[str, Meta(pattern=rf"\A{ACTION}\Z")]
# No `!`, and no part `.` or `..`: such a pattern never matches a path.
_GLOB = r"\A(?!(.*/)?\.\.?(/|\Z))[^!\s\x00-\x1f][^\x00-\x1f]*\Z"
Glob = Annotated[str, Meta(pattern=_GLOB, max_length=1000)]
ScopeEntry = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9_.-]*=.+\Z")]

Texts = tuple[Text, ...]
References = tuple[Reference, ...]
Actions = tuple[Action, ...]
Globs = tuple[Glob, ...]


class Common(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The fields that every record may have."""

    schema: Annotated[
        str | None, Meta(description="`doll/<type>/1`; may be absent where the folder says it")
    ] = None
    title: Annotated[
        Text | None, Meta(description="one line; absent: the summary, the first heading, or the id")
    ] = None
    summary: Annotated[Text | None, Meta(description="one or two sentences")] = None
    created: Annotated[Time | None, Meta(description="when the record was written")] = None
    updated: Annotated[Time | None, Meta(description="when it was last changed")] = None
    tags: Annotated[Texts, Meta(description="free words to find it by")] = ()
    aliases: Annotated[References, Meta(description="earlier ids that still name this record")] = ()
    sensitivity: Annotated[
        Sensitivity,
        Meta(description="who may see it; a `secret` record is never indexed, exported or shown"),
    ] = "personal"
    origin: Annotated[Origin, Meta(description="who the text is from; absent: the user")] = "user"
    origin_adapter: Annotated[Text | None, Meta(description="the adapter that read it")] = None
    origin_source: Annotated[Text | None, Meta(description="the foreign source")] = None
    origin_id: Annotated[Text | None, Meta(description="the foreign id, verbatim")] = None
    origin_sha256: Annotated[
        Digest | None, Meta(description="SHA-256 of the foreign entry's bytes")
    ] = None
    updates: Annotated[
        Reference | None, Meta(description="the earlier candidate's stem that this one replaces")
    ] = None
    claims: Annotated[
        dict[str, str],
        Meta(description="what the source said and doll does not take over: pointer, JSON text"),
    ] = msgspec.field(default_factory=dict)
    reviewed_by: Annotated[Text | None, Meta(description="git identity of the reviewer")] = None
    reviewed_at: Annotated[Time | None, Meta(description="when it was reviewed")] = None
    reviewed_sha256: Annotated[
        Digest | None, Meta(description="SHA-256 of exactly the bytes that were reviewed")
    ] = None
    review: Annotated[
        Literal["rejected"] | None, Meta(description="the review's outcome, while in staging")
    ] = None
    review_reason: Annotated[Text | None, Meta(description="why it was rejected")] = None


class Memory(Common, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What the user has confirmed."""

    kind: Annotated[MemoryKind | None, Meta(description="descriptive; confers nothing")] = None
    status: Annotated[
        Literal["active", "archived", "superseded", "retracted"],
        Meta(description="only an active memory is recalled"),
    ] = "active"
    valid_from: Annotated[Time | None, Meta(description="true from then on")] = None
    valid_until: Annotated[Time | None, Meta(description="true before then")] = None
    supersedes: Annotated[References, Meta(description="memories that this one replaces")] = ()
    contradicts: Annotated[References, Meta(description="memories that cannot hold as well")] = ()
    related: Annotated[References, Meta(description="memories to read with it")] = ()
    exportable: Annotated[
        bool, Meta(description="false: never exported, whatever is asked for")
    ] = True


class Experience(Common, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What was tried, what happened, what was learned: history, never authority."""

    project: Annotated[Reference, Meta(description="the project it belongs to")]
    kind: Annotated[ExperienceKind, Meta(description="what kind of entry this is")]
    assertion: Annotated[Assertion, Meta(description="who says so")]
    at: Annotated[Time, Meta(description="when it happened")]
    summary: Annotated[Text, Meta(description="one or two sentences", min_length=1)]
    work_item: Annotated[Reference | None, Meta(description="the work item it was for")] = None
    outcome: Annotated[
        Literal["worked", "failed", "partial", "unknown"] | None,
        Meta(description="how it went; `failed` is what preflight warns about"),
    ] = None
    actions: Annotated[Actions, Meta(description="dotted lower-case names of what was done")] = ()
    paths: Annotated[Globs, Meta(description="gitignore patterns of the files concerned")] = ()
    evidence: Annotated[Texts, Meta(description="what shows it: commit:…, file:…, a URL")] = ()
    sources: Annotated[References, Meta(description="records it rests on")] = ()
    resolves: Annotated[References, Meta(description="failures that this entry resolves")] = ()
    supersedes: Annotated[References, Meta(description="entries that this one corrects")] = ()
    redacted_at: Annotated[Time | None, Meta(description="when values were redacted")] = None
    redacted_by: Annotated[Text | None, Meta(description="git identity that redacted")] = None
    redacted_sha256: Annotated[
        Digest | None, Meta(description="SHA-256 of the file before the redaction")
    ] = None
    redacted_reason: Annotated[Text | None, Meta(description="why")] = None


class Project(Common, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A project as it stands now."""

    status: Annotated[
        Literal["active", "paused", "completed", "archived"], Meta(description="where it stands")
    ]
    objective: Annotated[Text | None, Meta(description="what it is for")] = None
    scope: Annotated[Texts, Meta(description="what belongs to it")] = ()
    exclusions: Annotated[Texts, Meta(description="what does not")] = ()
    success_criteria: Annotated[Texts, Meta(description="how one will know")] = ()


class WorkItem(Common, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One piece of work of a project."""

    project: Annotated[Reference, Meta(description="its project")]
    status: Annotated[
        Literal["proposed", "ready", "in_progress", "blocked", "completed", "cancelled"],
        Meta(description="where it stands"),
    ]
    kind: Annotated[Text | None, Meta(description="task, bug, spike … as you like")] = None
    priority: Annotated[Text | None, Meta(description="as you like; confers nothing")] = None
    depends_on: Annotated[References, Meta(description="work items to be completed first")] = ()
    blocked_by: Annotated[Texts, Meta(description="what stands in the way, in words")] = ()
    acceptance: Annotated[Texts, Meta(description="when it counts as done")] = ()
    verification: Annotated[Texts, Meta(description="how that is checked")] = ()
    paths: Annotated[Globs, Meta(description="gitignore patterns of the files concerned")] = ()


class Decision(Common, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A decision of a project."""

    project: Annotated[Reference, Meta(description="its project")]
    status: Annotated[
        Literal["proposed", "accepted", "superseded"], Meta(description="where it stands")
    ]
    decided_at: Annotated[Time | None, Meta(description="when it was taken")] = None
    paths: Annotated[Globs, Meta(description="gitignore patterns of the files concerned")] = ()
    actions: Annotated[Actions, Meta(description="actions that it is about")] = ()
    supersedes: Annotated[References, Meta(description="decisions that it replaces")] = ()
    alternatives: Annotated[Texts, Meta(description="what was not chosen")] = ()


class Procedure(Common, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """How something is done in a project."""

    project: Annotated[Reference, Meta(description="its project")]
    status: Annotated[Literal["draft", "approved", "retired"], Meta(description="where it stands")]
    required_for: Annotated[Actions, Meta(description="actions that need it approved")] = ()
    version: Annotated[Text | None, Meta(description="as you count them")] = None


class Policy(Common, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A rule of the user about actions or paths."""

    effect: Annotated[
        Literal["deny", "require_confirmation", "advise"], Meta(description="what it does")
    ]
    enabled: Annotated[bool, Meta(description="false: kept, without effect")] = True
    projects: Annotated[References, Meta(description="projects it holds for; absent: all")] = ()
    actions: Annotated[Actions, Meta(description="actions it is about; absent: any")] = ()
    paths: Annotated[Globs, Meta(description="gitignore patterns it is about; absent: any")] = ()
    valid_from: Annotated[Time | None, Meta(description="holds from then on")] = None
    valid_until: Annotated[Time | None, Meta(description="holds before then")] = None


class Permission(Common, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What the user grants or denies about a capability."""

    capability: Annotated[Reference, Meta(description="the capability it is about")]
    mode: Annotated[Literal["deny", "ask", "allow_once", "allow"], Meta(description="what it says")]
    scope: Annotated[tuple[ScopeEntry, ...], Meta(description="`key=value`; absent: any")] = ()
    projects: Annotated[References, Meta(description="projects it holds for; absent: all")] = ()
    valid_until: Annotated[Time | None, Meta(description="holds before then")] = None


class Capability(Common, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Something that can be done, by its dotted name."""

    risk: Annotated[Literal["low", "medium", "high"], Meta(description="how much can go wrong")]
    release: Annotated[Literal["available", "excluded"], Meta(description="may it be used at all")]
    version: Annotated[Text | None, Meta(description="as you count them")] = None
    scope_kind: Annotated[Text | None, Meta(description="what a scope of it names")] = None


Fields = (
    Memory
    | Experience
    | Project
    | WorkItem
    | Decision
    | Procedure
    | Policy
    | Permission
    | Capability
)

STRUCTS: dict[RecordType, type[Fields]] = {
    "memory": Memory,
    "experience": Experience,
    "project": Project,
    "work-item": WorkItem,
    "decision": Decision,
    "procedure": Procedure,
    "policy": Policy,
    "permission": Permission,
    "capability": Capability,
}

FOLDERS: dict[RecordType, str] = {
    "memory": "confirmed",
    "experience": "experience",
    "project": "authority/projects",
    "work-item": "authority/work-items",
    "decision": "authority/decisions",
    "procedure": "authority/procedures",
    "policy": "authority/policies",
    "permission": "authority/permissions",
    "capability": "authority/capabilities",
}

TYPES: tuple[RecordType, ...] = get_args(RecordType)


def with_article(record_type: str) -> str:
    """Return a record type as a sentence has it: `a memory`, `an experience`."""
    return f"{'an' if record_type[0] in 'aeiou' else 'a'} {record_type}"


class Record(msgspec.Struct, frozen=True, gc=False):
    """One readable record: what its file says, and where.

    `id` is the file name without `.md` (a candidate's is `<import>/<stem>`). `path` is relative to
    the vault. `digest` is the SHA-256 (64 hex digits) of the file's bytes. `name` is the line to
    show for it: title, else summary, else first heading, else id. `lines` gives the line of each
    front matter key, counted from 1 in the file.
    """

    id: str
    path: str
    type: RecordType
    digest: str
    name: str
    fields: Fields
    lines: dict[str, int]

    def line(self, key: str) -> int:
        """Return the line where the front matter says `key`, else 1."""
        return self.lines.get(key, 1)
