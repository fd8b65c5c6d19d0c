"""Capabilities: what the registry itself says of the actions of a request."""

from collections.abc import Iterator
from typing import cast

from doll.preflight.asked import Asked, asked
from doll.preflight.context import Context
from doll.preflight.findings import Aside, Finding, finding
from doll.records.model import Capability


def find(context: Context) -> Iterator[Finding | Aside]:
    """Yield the capabilities that are excluded, or of high risk."""
    for one in asked(context):
        capability = cast("Capability", one.record.fields)
        if capability.release == "excluded":
            yield _said(one, "capability.excluded", "release", "this is excluded", context)
        elif capability.risk == "high" and "actions" in one.match.unknown:
            yield Aside("request.not_given", one.record.id, one.match.unknown)
        elif capability.risk == "high":
            yield _said(one, "capability.high_risk", "risk", "this is of high risk", context)


def _said(one: Asked, code: str, key: str, detail: str, context: Context) -> Finding | Aside:
    return finding(code, one.record, one.match, key, detail, hook=context.request.hook)
