"""Procedures: one that an action of the request requires must be approved.

A procedure that names no action is required for none: here an absent field does not mean "any".
"""

from collections.abc import Iterator
from typing import cast

from doll.preflight.context import Context
from doll.preflight.findings import Aside, Finding, finding
from doll.preflight.matching import match
from doll.records.model import Procedure


def find(context: Context) -> Iterator[Finding | Aside]:
    """Yield the procedures of the project that are required here and are draft or retired."""
    for record in context.authority.get("procedure", ()):
        procedure = cast("Procedure", record.fields)
        if procedure.status == "approved" or not procedure.required_for:
            continue
        found = match(context, ("project", (procedure.project,)), procedure.required_for)
        if found:
            yield finding(
                "procedure.required_not_approved",
                record,
                found._replace(
                    matched=tuple(
                        m._replace(field="required_for") if m.field == "actions" else m
                        for m in found.matched
                    )
                ),
                "required_for",
                f"the procedure required for this is {_IN_WORDS[procedure.status]}",
                hook=context.request.hook,
            )


_IN_WORDS = {"draft": "a draft", "retired": "retired", "approved": "approved"}
