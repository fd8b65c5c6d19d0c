"""`doll doctor`: what is wrong around doll that nobody would notice, with the line to type."""

import os
from pathlib import Path

import click

from doll.cli.clock import now
from doll.cli.hooks import guarded
from doll.cli.options import json_option, warn
from doll.render.document import to_json
from doll.render.problems import problem_lines, problem_values
from doll.render.text import count

EPILOG = """\b
Example:
  cd code && doll doctor
"""


@click.command(epilog=EPILOG)
@json_option
def command(as_json: bool) -> int:
    """Look for hooks here that are there and check nothing.

    Dead ones find no doll, shadowed ones are not run by git, stranded ones have lost their vault or
    project. Each comes with the line to type. Exit 1 when there is one; nothing is changed.
    """
    from doll.services.hooks.diagnosing import INSTALL, diagnose

    repository, kinds = guarded()
    found = diagnose(repository, kinds, Path.cwd(), os.environ.get("DOLL_VAULT"), now())
    if as_json:
        hooks = [{**hook._asdict(), "path": str(hook.path)} for hook in found.hooks]
        payload = {"hooks": hooks, "problems": problem_values(found.problems)}
        click.echo(to_json("doll.doctor/1", payload))
        return int(bool(found.problems))
    for line in problem_lines(found.problems):
        click.echo(line)
    if found.problems:
        warn(f"hooks: {count(len(found.problems), 'fault')}")
    elif found.is_absent:
        warn(f"hooks: nothing of doll is installed here: {INSTALL}    puts it in")
    else:
        there = [hook.kind for hook in found.hooks if hook.state != "absent"]
        warn(f"hooks: nothing is wrong with {', '.join(there)}")
    return int(bool(found.problems))
