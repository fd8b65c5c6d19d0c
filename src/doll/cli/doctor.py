"""`doll doctor`: what is wrong around doll that nobody would notice, with the line to type."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli.clock import now
from doll.cli.hooks import guarded
from doll.cli.options import json_option, place, vault_option, warn
from doll.errors import GitError
from doll.render.document import to_json
from doll.render.leading import marked
from doll.render.problems import problem_lines, problem_values
from doll.render.text import count
from doll.services.hooks.block import LOCAL

if TYPE_CHECKING:
    from doll.services.diagnosing.flow import Area, Checkup
    from doll.vcs import plumbing

# So long git is waited for, in seconds, until the rest is told without it.
LIMIT = 60.0

EPILOG = """\b
Example:
  cd notes && doll doctor
  cd code && doll doctor --vault ../notes
"""


@click.command(epilog=EPILOG)
@vault_option
@json_option
def command(vault: Path | None, as_json: bool) -> int:
    """Look over the vault and what is around it, for faults that nobody notices.

    The vault, settings of git that bite, names that clash, clocks that jumped, the index and the
    cache, what killed or interrupted commands left, and the hooks of this repository. Each finding
    comes with the line to type. Exit 1 when there is an error or a warning; nothing is changed.
    """
    from doll.services.diagnosing.flow import check_up

    here, kinds = _here()
    found = check_up(place(vault), here, kinds, now(), time.monotonic() + LIMIT)
    found = found._replace(areas=tuple(map(_marked, found.areas)))
    if as_json:
        click.echo(to_json("doll.doctor/1", _payload(found)))
        return int(found.to_mend)
    for line in problem_lines(found.problems):
        click.echo(line)
    if found.root is None:
        warn("vault: it does not open" if found.obstacle else "vault: none is named here")
    for area in found.areas if found.root else [a for a in found.areas if a.name != "vault"]:
        warn(f"{area.name}: {_said(found, area)}")
    return int(found.to_mend)


def _here() -> "tuple[plumbing.Repository | None, tuple[str, ...]]":
    """Return the repository of the working folder and the kinds of its hooks, if it is in one.

    Why git finds none is said by who looks for the vault.
    """
    try:
        return guarded()
    except GitError:
        return None, LOCAL


def _marked(area: "Area") -> "Area":
    """Return an area in whose hints each line that is not to type as it stands begins with `#`."""
    return area._replace(problems=tuple(p._replace(hint=marked(p.hint)) for p in area.problems))


def _payload(found: "Checkup") -> dict[str, object]:
    hooks = found.hooks.hooks if found.hooks else ()
    return {
        "vault": str(found.root) if found.root else None,
        "areas": [area.name for area in found.areas],
        "hooks": [{**hook._asdict(), "path": str(hook.path)} for hook in hooks],
        "problems": [
            {**value, "area": area.name}
            for area in found.areas
            for value in problem_values(area.problems)
        ],
    }


def _said(found: "Checkup", area: "Area") -> str:
    """Return the one line on an area."""
    kinds = [problem.severity for problem in area.problems]
    if kinds:
        words = {"error": "error", "warning": "warning", "note": "note"}
        told = [count(kinds.count(kind), words[kind]) for kind in words if kind in kinds]
        return ", ".join(told)
    if area.name == "hooks" and found.hooks is not None:
        if found.hooks.is_absent:
            return "nothing of doll is installed here: doll hooks install    puts it in"
        there = [hook.kind for hook in found.hooks.hooks if hook.state != "absent"]
        return f"nothing is wrong with {', '.join(there)}"
    return "nothing is wrong"
