"""`doll hooks run pre-receive`: what a server says to who pushes; git marks its lines `remote:`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from doll.cli.options import warn
from doll.errors import DollError

if TYPE_CHECKING:
    from doll.services.receiving.receiving import Refusal

_LISTED = 20


def run_pre_receive() -> int:
    """Judge the push that standard input names; 0 takes it, 1 refuses all of it."""
    from doll.render.problems import covered, problem_lines
    from doll.render.text import visible, visible_lines
    from doll.services.receiving.receiving import receive
    from doll.services.receiving.server import server
    from doll.services.receiving.updates import parse_updates

    strict = True
    try:
        where = server(Path.cwd())
        strict = where.strict
        said = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
        refusals = receive(where, parse_updates(said))
    except DollError as error:
        warn(f"doll: NOT CHECKED: {visible(covered(error.message))}")
        warn(*problem_lines(error.problems))
        warn(*(f"    {line}" for line in visible_lines(covered(error.hint)) if line))
        if strict:
            warn("doll: nothing is taken unchecked, but for: git config doll.strict false    there")
        return int(strict)
    for refusal in refusals:
        warn(*_lines(refusal))
    if refusals:
        warn(
            "doll: nothing was taken; mend the commits in your clone, where this says more:",
            f"    doll validate; doll verify --range origin/{visible(where.branch)}..HEAD",
        )
    return int(bool(refusals))


def _lines(refusal: "Refusal") -> Iterator[str]:
    """Yield why a ref is not taken: each place in one line, without the hints of a work tree."""
    from doll.render.problems import shown
    from doll.render.text import visible

    yield f"doll: {visible(refusal.ref)} is not taken:"
    for fault in refusal.faults[:_LISTED]:
        problem = shown(fault.problem)
        place = visible(problem.path) + (f":{problem.line}" if problem.line else "")
        yield f"  {place}{': ' if place else ''}{visible(problem.message)} [{problem.code}]"
    if len(refusal.faults) > _LISTED:
        yield f"  +{len(refusal.faults) - _LISTED:,} more"
