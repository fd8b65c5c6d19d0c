"""The tour: the main job from end to end, as commands in a temporary folder.

Every command is really run, by a shell, with a git identity of its own; nothing outside the
temporary folder is read or written but the package's own data.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from doll.errors import DollError
from doll.services.templates import example_vault, tour_document
from doll.vault import files, own_files

IMPORT = "chatgpt-2026-02"
QUESTION = "which languages do I speak"


class Step(NamedTuple):
    """One command of the tour, the exit codes that are right for it, and why it is run."""

    why: str
    folder: str
    command: str
    expected: tuple[int, ...] = (0,)


class Done(NamedTuple):
    """A step that was run: its exit code and everything that it printed."""

    step: Step
    code: int
    output: str


class TourError(DollError):
    """A command of the tour ended as it should not."""


_GIT_SETTINGS = b"""\
[user]
\tname = Tour
\temail = tour@example.org
[init]
\tdefaultBranch = main
[gc]
\tauto = 0
[core]
\tquotePath = false
"""
_IMPORTING = (
    Step(
        "An export of another assistant lands in staging: data, not authority.",
        "notes",
        f"doll import pam ../export.json --name {IMPORT}",
    ),
    Step(
        "It is reviewed as a diff: a small file per memory, and what did not map.",
        "notes",
        "git add staging && git diff --cached --stat",
    ),
    Step("", "notes", f'git commit -q -m "import {IMPORT}"'),
    Step("In a pipe the review is a list.", "notes", "doll review"),
)
_AFTERWARDS = (
    Step("", "notes", 'git commit -q -m "review: first memories"'),
    Step(
        "What was approved can be recalled; what was not, cannot.",
        "notes",
        f'doll recall "{QUESTION}"',
    ),
    Step(
        "A project and a rule: authority is what you commit.",
        "notes",
        'doll new project shop --title "Shop"',
    ),
    Step(
        "",
        "notes",
        'doll new policy no-online-index --title "No index online" --set effect=deny'
        " --set projects=shop --set actions=db.migrate.online",
    ),
    Step("", "notes", 'git add -A && git commit -q -m "shop: project and policy"'),
    Step(
        "A failure is logged, with what it touched and what shows it.",
        "notes",
        'doll log attempt "Online migration of orders locked the table" --project shop'
        " --outcome failed --action db.migrate --path 'migrations/**'"
        " --evidence commit:1f2e3d4 --commit",
    ),
    Step(
        "Preflight goes into the git hooks of the code.",
        "code",
        "doll hooks install --vault ../notes --project shop",
    ),
    Step(
        "The commit that would repeat the failure is warned about, and goes on.",
        "code",
        'git add migrations/0042.sql && git commit -m "add index"',
    ),
    Step(
        "What the policy denies is blocked (exit 1). Nothing is ever granted.",
        "code",
        "doll preflight --action db.migrate.online --json",
        expected=(1,),
    ),
)


def tour(folder: Path) -> Iterator[Done]:
    """Run the tour in an empty folder and yield each step as it is done.

    Raises TourError when a step ends otherwise than it should.
    """
    environment = _environment(folder)
    _prepare(folder, environment)
    for step in _IMPORTING:
        yield _run(folder, step, environment)
    yield _run(folder, _approval(folder, environment), environment)
    for step in _AFTERWARDS:
        yield _run(folder, step, environment)


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of the steps: the user's, without their git, with `doll` on PATH."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "DOLL_"))
    }
    programs = folder / ".programs"
    configuration = folder / ".gitconfig"
    own_files.put(configuration, _GIT_SETTINGS)
    launcher = f'#!/bin/sh\nexec "{sys.executable}" -m doll "$@"\n'
    own_files.put(programs / "doll", os.fsencode(launcher), mode=0o755)
    return kept | {
        "PATH": f"{programs}{os.pathsep}{kept.get('PATH', os.defpath)}",
        "HOME": str(folder),
        "GIT_CONFIG_GLOBAL": str(configuration),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PAGER": "cat",
        "GIT_CEILING_DIRECTORIES": str(folder),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }


def _prepare(folder: Path, environment: Mapping[str, str]) -> None:
    """Lay out a vault (the example), a repository with code, and a foreign export."""
    files.create_tree(folder, "notes", _files_below(example_vault()))
    own_files.put(folder / "export.json", tour_document())
    migration = b"create index on orders (customer);\n"
    own_files.put(folder / "code" / "migrations" / "0042.sql", migration)
    start = 'git init -q && git add -A && git commit -q -m "Start"'
    _run(folder, Step("", "notes", start), environment)
    _run(folder, Step("", "code", "git init -q"), environment)


def _files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    for place in sorted(folder.rglob("*")):
        if place.is_file():
            yield place.relative_to(folder).as_posix(), place.read_bytes()


def _approval(folder: Path, environment: Mapping[str, str]) -> Step:
    """Return the step that approves the memory about languages, by the digest of its bytes."""
    listed = _run(folder, Step("", "notes", "doll review list --digests"), environment).output
    for line in listed.splitlines():
        digest, _, path = line.partition("  ")
        if "speak" in Path(path).name:
            candidate = f"{IMPORT}/{Path(path).stem}"
            why = "One memory is approved: exactly the bytes with this digest."
            return Step(why, "notes", f"doll review approve {candidate} --digest {digest}")
    raise TourError("the review lists no memory about languages", hint=listed)


def _run(folder: Path, step: Step, environment: Mapping[str, str]) -> Done:
    done = subprocess.run(
        ["/bin/sh", "-c", step.command],
        cwd=folder / step.folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="backslashreplace",
        check=False,
    )
    if done.returncode not in step.expected:
        from doll.vcs.plumbing.process import how_it_ended

        how = how_it_ended(done.returncode)
        raise TourError(f"`{step.command}` {how}", hint=done.stdout)
    return Done(step, done.returncode, done.stdout)
