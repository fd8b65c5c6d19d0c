"""The rules: each reads one type of record and says what it finds.

A rule takes the context and yields findings and asides; it changes nothing and knows no other
rule. A new rule is one more module and one more entry in `RULES`.
"""

from collections.abc import Callable, Iterator

from doll.preflight.context import Context
from doll.preflight.findings import Aside, Finding
from doll.preflight.rules import (
    capabilities,
    decisions,
    experience,
    permissions,
    policies,
    procedures,
    work_items,
)

Rule = Callable[[Context], Iterator[Finding | Aside]]

RULES: tuple[Rule, ...] = (
    policies.find,
    work_items.find,
    procedures.find,
    capabilities.find,
    permissions.find,
    decisions.find,
    experience.find,
)
