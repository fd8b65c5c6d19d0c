"""What is asked: the request, and the actions that changed paths mean.

Pure values. Resolving the ids in a request is `doll.preflight.context`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from doll.errors import Problem
from doll.preflight.paths import PathIndex
from doll.records.model import ACTION

# The place that problems of the request itself are reported at; no file has this name.
REQUEST = "<request>"
# And that of what the message of a commit asks.
MESSAGE = "<commit message>"

_ACTION = re.compile(ACTION)
_PATTERN = re.compile(r"[a-z0-9_.*-]*\*[a-z0-9_.*-]*")
_SCOPE = re.compile(r"([a-z0-9][a-z0-9_.-]*)=.+")


class Request(NamedTuple):
    """What somebody is about to do.

    `project` and `work_item` are ids or aliases of records. `actions` are dotted lower-case names,
    or patterns with `*` over the registered capabilities. `paths` are files from the top of the
    work tree with `/` between their parts, `scope` entries `key=value`, each key once. None means
    *not given*, so not known; an empty tuple means that there are none.
    `hook`: a git hook asks, which always gives its paths and actions. `range` are the commits that
    it is about, by full ids, to be shown.
    """

    project: str | None = None
    actions: tuple[str, ...] | None = None
    paths: tuple[str, ...] | None = None
    work_item: str | None = None
    scope: tuple[str, ...] | None = None
    hook: bool = False
    range: str | None = None


class ActionRule(Protocol):
    """One entry of the path → action map of `doll.yaml`; `project` None counts for all."""

    @property
    def project(self) -> str | None:
        """The project's id or alias."""
        ...

    @property
    def paths(self) -> tuple[str, ...]:
        """Gitignore patterns."""
        ...

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions that a change of such a path means."""
        ...


def derive_actions(
    rules: Sequence[ActionRule], project: str | None, paths: Iterable[str] | PathIndex
) -> tuple[str, ...]:
    """Return the actions that a change of `paths` in `project` means, sorted, each once.

    An entry that names a project counts for that id only, and not at all without one.
    """
    index = paths if isinstance(paths, PathIndex) else PathIndex(paths)
    return tuple(
        sorted(
            {
                action
                for rule in rules
                if rule.project is None or rule.project == project
                if index.first_of(rule.paths)
                for action in rule.actions
            }
        )
    )


def faults(request: Request) -> Iterator[Problem]:
    """Yield what in a request could never match anything, so that it is not silently ignored."""
    for action in sorted(set(request.actions or ())):
        if not is_action(action) and not is_pattern(action):
            message = f"{action!a} is no action"
            yield _fault(message, "an action is a dotted lower-case name, such as db.migrate")
    for path in sorted(set(request.paths or ())):
        parts = path.split("/")
        if ".." in parts or path.startswith("/"):
            message = f"{path!a} leads out of the work tree"
            yield _fault(message, "name a file of this repository, such as migrations/0042.sql")
        elif not path or any(part in ("", ".") for part in parts):
            message = f"{path!a} names no file from the top of the work tree"
            yield _fault(message, "write it with its folders, such as migrations/0042.sql")

    yield from _scope_faults(request.scope or ())


def _scope_faults(scope: Sequence[str]) -> Iterator[Problem]:
    keys = set()
    for entry in sorted(set(scope)):
        found = _SCOPE.fullmatch(entry)
        if found is None:
            yield _fault(f"{entry!a} is no scope", "a scope is key=value, such as env=production")
        elif found[1] in keys:
            message = f"the scope has two values for {found[1]}"
            yield _fault(message, "ask about one at a time")
        else:
            keys.add(found[1])


def is_action(action: str) -> bool:
    """Return whether a text is an action: a dotted lower-case name."""
    return _ACTION.fullmatch(action) is not None


def is_pattern(action: str) -> bool:
    """Return whether an action of a request is a pattern over the registered capabilities."""
    return _PATTERN.fullmatch(action) is not None


def _fault(message: str, hint: str) -> Problem:
    return Problem(REQUEST, 0, 0, "request.value", message, hint=hint)
