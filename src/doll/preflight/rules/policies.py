"""Policies: enabled, valid at the moment of the check, and about this request."""

from collections.abc import Iterator
from typing import cast

from doll.preflight.context import Context
from doll.preflight.findings import Aside, Finding, finding
from doll.preflight.matching import match
from doll.records.model import Policy

_CODES = {
    "deny": ("policy.denied", "a policy denies this"),
    "require_confirmation": ("policy.confirmation_required", "a policy wants this confirmed first"),
    "advise": ("policy.advice", "a policy has advice about this"),
}


def find(context: Context) -> Iterator[Finding | Aside]:
    """Yield what the policies say; a policy without projects, actions or paths is about all."""
    for record in context.authority.get("policy", ()):
        policy = cast("Policy", record.fields)
        if not _holds(policy, context):
            continue
        found = match(context, ("projects", policy.projects), policy.actions, policy.paths)
        if found:
            code, detail = _CODES[policy.effect]
            yield finding(code, record, found, "effect", detail, hook=context.request.hook)


def _holds(policy: Policy, context: Context) -> bool:
    begun = policy.valid_from is None or policy.valid_from <= context.as_of
    ended = policy.valid_until is not None and policy.valid_until <= context.as_of
    return policy.enabled and begun and not ended
