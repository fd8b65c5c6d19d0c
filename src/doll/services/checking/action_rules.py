"""Rules about actions: the path → action map's projects, and actions that nothing knows. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from doll.errors import Problem
from doll.records.model import Record
from doll.records.references import Names, name_problem
from doll.vault.layout import MARKER
from doll.vault.settings import ActionRule

_FIELDS = (("policy", "actions"), ("procedure", "required_for"), ("decision", "actions"))


def map_problems(rules: Iterable[ActionRule], names: Names) -> Iterator[Problem]:
    """Yield the projects in the map of `doll.yaml` that name no project, or more than one."""
    for project in dict.fromkeys(rule.project for rule in rules if rule.project is not None):
        problem = name_problem(project, ("project",), names, (MARKER, 0, 0), "`actions`: ")
        if problem is not None:
            yield problem


def unknown_actions(rules: Iterable[ActionRule], records: Sequence[Record]) -> Iterator[Problem]:
    """Yield a warning for each rule of the user on an action that no capability or map entry knows.

    A capability knows the actions at, below and above its id. A map entry knows what it gives and
    what stands above that: a rule on anything below would stay silent in a hook.
    """
    capabilities = {record.id for record in records if record.type == "capability"}
    mapped = {action for rule in rules for action in rule.actions}
    known = {above for action in capabilities | mapped for above in _upwards(action)}
    for record in records:
        for field in (field for kind, field in _FIELDS if kind == record.type):
            for action in getattr(record.fields, field):
                if action not in known and capabilities.isdisjoint(_upwards(action)):
                    yield _unknown(record, field, action)


def _upwards(action: str) -> list[str]:
    """Return `db.migrate.online`, `db.migrate` and `db`."""
    parts = action.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]


def _unknown(record: Record, field: str, action: str) -> Problem:
    message = f"`{field}`: no capability and no entry of `actions` in {MARKER} knows {action}"
    hint = (
        f"if the name is right, say which files mean it, under `actions` in {MARKER}, or:\n"
        f"doll new capability {action} --set risk=low --set release=available"
    )
    at = (record.path, record.line(field), 1)
    return Problem(*at, "action.unknown", message, "warning", hint)
