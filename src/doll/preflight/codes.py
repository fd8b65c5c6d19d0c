"""The registry of what preflight can say: every code, where it comes from, what it does.

Owns the rule set's name and version and the effect of each code; docs/preflight.md is held to it
by a test. A code keeps its meaning for ever; raise the version when any answer changes.
"""

from typing import Literal, NamedTuple, get_args

from doll.records.model import Assertion

RULESET = "doll"
RULESET_VERSION = 1

Effect = Literal["blocked", "confirmation_required", "warning", "note"]
Status = Literal["blocked", "not_checked", "confirmation_required", "warning", "clear"]

# The order of statuses: the first that holds is the report's.
STATUSES: tuple[Status, ...] = get_args(Status)
EFFECTS: tuple[Effect, ...] = get_args(Effect)


class Code(NamedTuple):
    """One thing that preflight can say.

    `source` is the type of record that it comes from ("" for what comes from the request or the
    files), `effect` what it does to the status. A `reserved` code is known and no rule gives it
    yet.
    """

    name: str
    source: str
    effect: Effect
    meaning: str
    reserved: bool = False


_FAILURES = {
    "user_recorded": "The user recorded a failure of this kind of change.",
    "user_confirmed": "The user confirmed a failure of this kind of change.",
    "deterministic_system": "A program with a fixed outcome (a test, a build) recorded one.",
    "imported_external": "A failure that was imported from another tool.",
    "model_proposed": "A failure that a model recorded.",
}

_CODES = (
    Code("policy.denied", "policy", "blocked", "A policy of yours denies this."),
    Code(
        "policy.confirmation_required",
        "policy",
        "confirmation_required",
        "A policy of yours wants a person to confirm this first.",
    ),
    Code("policy.advice", "policy", "warning", "A policy of yours has advice about this."),
    Code("work_item.blocked", "work-item", "blocked", "The work item's status is `blocked`."),
    Code(
        "work_item.dependency_incomplete",
        "work-item",
        "blocked",
        "A work item that this one depends on is not completed; a cancelled one is not either.",
    ),
    Code(
        "procedure.required_not_approved",
        "procedure",
        "blocked",
        "A procedure is required for this action and its status is not `approved`.",
    ),
    Code("permission.denied", "permission", "blocked", "A permission says `deny`."),
    Code(
        "permission.missing",
        "permission",
        "blocked",
        "The action's capability is registered and no permission exists for it.",
    ),
    Code(
        "permission.expired",
        "permission",
        "blocked",
        "The permission that would allow this has expired.",
    ),
    Code(
        "permission.ask",
        "permission",
        "confirmation_required",
        "A permission says `ask`, or which permission decides is not known, or none is about this.",
    ),
    Code(
        "permission.allow_once",
        "permission",
        "confirmation_required",
        "A permission allows this once, and doll cannot know whether that has been used.",
    ),
    Code(
        "capability.high_risk",
        "capability",
        "confirmation_required",
        "The action's capability is of high risk.",
    ),
    Code(
        "capability.excluded",
        "capability",
        "blocked",
        "The action's capability is not released for use.",
    ),
    Code("decision.applies", "decision", "warning", "An accepted decision is about this."),
    *(
        Code(f"experience.prior_failure.{assertion}", "experience", "warning", meaning)
        for assertion, meaning in _FAILURES.items()
    ),
    Code(
        "experience.in_the_future",
        "experience",
        "warning",
        "Entries are dated more than 24 hours after the moment of the check; they still take part.",
    ),
    Code("experience.unreadable", "experience", "warning", "An entry cannot be read."),
    Code(
        "authority.not_committed",
        "",
        "note",
        "A pending change of authority or settings, which has no effect in either direction.",
    ),
    Code(
        "authority.not_signed",
        "",
        "note",
        "A change that is not signed as the vault asks, which has no effect in either direction.",
        reserved=True,
    ),
    Code(
        "request.not_given",
        "",
        "note",
        "Records that could match a part of the request that is not given, and deny nothing.",
    ),
    Code(
        "request.unknown_action",
        "",
        "note",
        "No capability, rule, entry or path → action map knows an action that was given.",
    ),
    Code(
        "request.without_target",
        "",
        "note",
        "In a hook: failures, decisions or advice that name neither action nor path.",
    ),
)

CODES: dict[str, Code] = {code.name: code for code in _CODES}
ASSERTIONS: tuple[Assertion, ...] = get_args(Assertion)


def failure_code(assertion: Assertion) -> str:
    """Return the code of a prior failure that rests on `assertion`."""
    return f"experience.prior_failure.{assertion}"
