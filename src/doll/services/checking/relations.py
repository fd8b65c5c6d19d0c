"""Everything that is wrong between the records of a vault and its settings. Pure."""

from collections.abc import Sequence

from doll.errors import Problem
from doll.records.references import Names
from doll.services.checking import action_rules, record_rules
from doll.vault.entries import Entry
from doll.vault.settings import Settings


def relation_problems(entries: Sequence[Entry], settings: Settings | None) -> list[Problem]:
    """Return the problems of names, references, circles and actions.

    `settings` is None where `doll.yaml` cannot be read: then nothing is said about actions.
    """
    records = record_rules.local(entry.record for entry in entries if entry.record)
    unreadable = [entry.path for entry in entries if entry.record is None]
    names = Names(records)
    problems = [
        *record_rules.name_problems(records, names, unreadable),
        *record_rules.reference_problems(records, names),
        *record_rules.cycle_problems(records, names),
    ]
    if settings is not None:
        problems += action_rules.map_problems(settings.actions, names)
        problems += action_rules.unknown_actions(settings.actions, records)
    return problems
