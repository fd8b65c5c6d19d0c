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
    files), `effect` what it does to the status, `advice` what a person does about it. A `reserved`
    code is known and no rule gives it yet.
    """

    name: str
    source: str
    effect: Effect
    meaning: str
    advice: str
    reserved: bool = False


_FAILURES = {
    "user_recorded": "The user recorded a failure of this kind of change.",
    "user_confirmed": "The user confirmed a failure of this kind of change.",
    "deterministic_system": "A program with a fixed outcome (a test, a build) recorded one.",
    "imported_external": "A failure that was imported from another tool.",
    "model_proposed": "A failure that a model recorded.",
}

_AFTER = "Read what happened, and do it another way; when you know better, correct or resolve it."

_CODES = (
    Code(
        "policy.denied",
        "policy",
        "blocked",
        "A policy of yours denies this.",
        "Do it another way. Where the policy is wrong, change it and commit that.",
    ),
    Code(
        "policy.confirmation_required",
        "policy",
        "confirmation_required",
        "A policy of yours wants a person to confirm this first.",
        "Ask the person who decides; whoever performs the action waits for the answer.",
    ),
    Code(
        "policy.advice",
        "policy",
        "warning",
        "A policy of yours has advice about this.",
        "Read the policy, and follow it or not.",
    ),
    Code(
        "work_item.blocked",
        "work-item",
        "blocked",
        "The work item's status is `blocked`.",
        "Remove what blocks it, then `doll work unblock`; or work on another one.",
    ),
    Code(
        "work_item.dependency_incomplete",
        "work-item",
        "blocked",
        "A work item that this one depends on is not completed; a cancelled one is not either.",
        "Complete the other work item first; or take it out of `depends_on` and commit that.",
    ),
    Code(
        "procedure.required_not_approved",
        "procedure",
        "blocked",
        "A procedure is required for this action and its status is not `approved`.",
        "Approve the procedure and commit that, or take the action out of `required_for`.",
    ),
    Code(
        "permission.denied",
        "permission",
        "blocked",
        "A permission says `deny`.",
        "Do without it. Where the permission is wrong, change it and commit that.",
    ),
    Code(
        "permission.missing",
        "permission",
        "blocked",
        "The action's capability is registered and no permission exists for it.",
        "Decide what is permitted: write a permission for the capability and commit it.",
    ),
    Code(
        "permission.expired",
        "permission",
        "blocked",
        "The permission that would allow this has expired.",
        "Where it is still meant, move `valid_until` and commit that.",
    ),
    Code(
        "permission.ask",
        "permission",
        "confirmation_required",
        "A permission says `ask`, or which permission decides is not known, or none is about this.",
        "Ask the person who decides, or say the part of the request that is not given.",
    ),
    Code(
        "permission.allow_once",
        "permission",
        "confirmation_required",
        "A permission allows this once, and doll cannot know whether that has been used.",
        "Ask the person who decides whether the one time has been used.",
    ),
    Code(
        "capability.high_risk",
        "capability",
        "confirmation_required",
        "The action's capability is of high risk.",
        "Have a person confirm it first.",
    ),
    Code(
        "capability.excluded",
        "capability",
        "blocked",
        "The action's capability is not released for use.",
        "Do without it. Where it may be used again, set `release: available` and commit that.",
    ),
    Code(
        "decision.applies",
        "decision",
        "warning",
        "An accepted decision is about this.",
        "Read the decision, and go on where this agrees with it.",
    ),
    *(
        Code(f"experience.prior_failure.{assertion}", "experience", "warning", meaning, _AFTER)
        for assertion, meaning in _FAILURES.items()
    ),
    Code(
        "experience.in_the_future",
        "experience",
        "warning",
        "Entries are dated more than 24 hours after the moment of the check; they still take part.",
        "Mind the dates: correct the entries, or the clock of the machine that wrote them.",
    ),
    Code(
        "experience.unreadable",
        "experience",
        "warning",
        "An entry cannot be read.",
        "`doll validate` says what is wrong with the file; what cannot be read cannot warn.",
    ),
    Code(
        "authority.not_committed",
        "",
        "note",
        "A pending change of authority or settings, which has no effect in either direction.",
        "Commit it for it to count.",
    ),
    Code(
        "authority.not_signed",
        "",
        "note",
        "A change that is not signed as the vault asks, which has no effect in either direction.",
        "Sign it for it to count.",
    ),
    Code(
        "request.not_given",
        "",
        "note",
        "Records that could match a part of the request that is not given, and deny nothing.",
        "Say more of the request, and ask again.",
    ),
    Code(
        "request.unknown_action",
        "",
        "note",
        "No capability, rule, entry or path → action map knows an action that was given.",
        "Mind the spelling; register the action as a capability or in the path → action map.",
    ),
    Code(
        "request.without_target",
        "",
        "note",
        "In a hook: failures, decisions or advice that name neither action nor path.",
        "Ask `doll preflight` to see them.",
    ),
)

CODES: dict[str, Code] = {code.name: code for code in _CODES}
ASSERTIONS: tuple[Assertion, ...] = get_args(Assertion)


def failure_code(assertion: Assertion) -> str:
    """Return the code of a prior failure that rests on `assertion`."""
    return f"experience.prior_failure.{assertion}"
