"""`doll verify`: whether the vault's history kept what it had to keep."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli.options import json_option, place, vault_option, warn
from doll.cli.progress import counting
from doll.errors import GitError
from doll.render.document import to_json
from doll.render.problems import problem_lines, problem_values
from doll.render.text import count

if TYPE_CHECKING:
    from doll.services.locating import Place
    from doll.services.verifying.verifying import Verified

NOT_WHOLE = 3
_LISTED = 100

EPILOG = """\b
Examples:
  doll verify
  doll verify --range main..HEAD    just the commits of a branch, as in CI
"""


@click.command(epilog=EPILOG)
@vault_option
@click.option("--range", "only", metavar="A..B", help="Just the commits that B has and A has not.")
@click.option("--full", is_flag=True, help="Look at every commit again, without the cache.")
@json_option
def command(vault: Path | None, only: str | None, full: bool, as_json: bool) -> int:
    """Check every commit against each of its parents.

    Experience is kept, save redactions, and what is not the user's own entered by a review. Exit 1
    when a commit breaks that, 3 when the history is not all here.
    """
    found, base = _found(place(vault), only, full)
    if as_json:
        click.echo(to_json("doll.verify/1", {**_payload(found), "base": base}))
    else:
        _show(found)
    if found.faults:
        return 1
    return 0 if found.complete else NOT_WHOLE


def _found(where: "Place", only: str | None, full: bool) -> "tuple[Verified, str | None]":
    """Return what was found, and the base of the range."""
    from doll.services.opening import open_accepted, require_records
    from doll.services.verifying.gaps import unopened
    from doll.services.verifying.verifying import Verified, parse_range, verify

    try:
        opened = open_accepted(where)
    except GitError as error:
        return Verified("", 0, 0, (), (unopened(where, error),)), None
    require_records(opened)
    chosen = parse_range(opened, only) if only is not None else None
    with counting("commits") as tell:
        return verify(opened, chosen, full=full, tell=tell), chosen and chosen.base


def _payload(found: "Verified") -> dict[str, object]:
    values = problem_values(fault.problem for fault in found.faults)
    commits = [fault.commit for fault in found.faults]
    return {
        "tip": found.tip,
        "commits": found.commits,
        "complete": found.complete,
        "errors": len(values),
        "gaps": problem_values(found.gaps),
        "problems": [
            {**value, "commit": commit} for value, commit in zip(values, commits, strict=True)
        ],
    }


def _show(found: "Verified") -> None:
    for line in problem_lines(fault.problem for fault in found.faults[:_LISTED]):
        click.echo(line)
    if len(found.faults) > _LISTED:
        click.echo(f"+{len(found.faults) - _LISTED:,} more; --json lists all")
    for problem in found.gaps:
        hint = [f"    {line}" for line in problem.hint.splitlines()]
        warn(f"doll: NOT VERIFIED: {problem.message} [{problem.code}]", *hint)
    now = f" ({found.now:,} of them now)" if found.now != found.commits else ""
    warn(f"{count(found.commits, 'commit')} verified{now}: {count(len(found.faults), 'error')}")
