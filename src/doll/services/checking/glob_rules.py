"""Patterns of paths that no path can ever match: a rule about them would stay silent for ever.

They read as text like any other, so they make no record unreadable. Pure.
"""

import re
from collections.abc import Iterable, Iterator

from doll.errors import Problem
from doll.records.model import Record
from doll.vault.layout import MARKER
from doll.vault.settings import ActionRule

CODE = "glob.never"
# Without any of these a pattern matches something, and need not be read.
_DOUBTFUL = re.compile(r"[\[\\]|//|\A[/ ]*\Z")
HINT = "`[` is closed by `]`, and nothing stands behind a last `\\`; write \\[ for the character"


def pattern_problems(record: Record) -> Iterator[Problem]:
    """Yield the patterns of a record that match nothing: errors in authority, else warnings."""
    at = (record.path, record.line("paths"), 1, CODE)
    for pattern in getattr(record.fields, "paths", ()):
        if matches_nothing(pattern):
            message = f"`paths`: no path can match {pattern}"
            error = Problem(*at, message, hint=HINT)
            is_rule = record.path.startswith("authority/")
            yield error if is_rule else error._replace(severity="warning")


def map_patterns(rules: Iterable[ActionRule]) -> Iterator[Problem]:
    """Yield the patterns in the map of `doll.yaml` that match nothing."""
    for pattern in dict.fromkeys(path for rule in rules for path in rule.paths):
        if matches_nothing(pattern):
            message = f"`actions`: no path can match {pattern}"
            yield Problem(MARKER, 0, 0, CODE, message, hint=HINT)


def matches_nothing(pattern: str) -> bool:
    """Return whether no path at all can match a pattern."""
    if not _DOUBTFUL.search(pattern):
        return False
    from doll.preflight.globs import regex

    return regex(pattern) is None
