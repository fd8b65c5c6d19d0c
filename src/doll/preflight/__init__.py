"""Preflight: a deterministic read model over accepted authority and experience.

`evaluate(inputs, request, as_of)` is a pure function of values. This package reads no file, clock,
environment, git or index; `doll.services.gating` gathers what it is given. It grants nothing.
"""

from doll.preflight.codes import CODES, RULESET, RULESET_VERSION, Code, Effect, Status
from doll.preflight.context import Obstacle
from doll.preflight.evaluate import CAP, evaluate
from doll.preflight.findings import Finding, Settled
from doll.preflight.inputs import Entry, Inputs, Pending
from doll.preflight.matching import OPTIONS, Matched
from doll.preflight.payload import SCHEMA, report_payload
from doll.preflight.report import Note, Report, stops_commit
from doll.preflight.request import ActionRule, Request, derive_actions

__all__ = [
    "CAP",
    "CODES",
    "OPTIONS",
    "RULESET",
    "RULESET_VERSION",
    "SCHEMA",
    "ActionRule",
    "Code",
    "Effect",
    "Entry",
    "Finding",
    "Inputs",
    "Matched",
    "Note",
    "Obstacle",
    "Pending",
    "Report",
    "Request",
    "Settled",
    "Status",
    "derive_actions",
    "evaluate",
    "report_payload",
    "stops_commit",
]
