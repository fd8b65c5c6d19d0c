"""Shell completion of ids, from the names of files alone: nothing is read, nothing is said.

A completion runs at each Tab. It opens no record and no index, calls git only to find the vault,
and has no candidates where anything fails: a message would stand in the middle of a typed line.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from doll.errors import DollError

Completion = Callable[[click.Context, click.Parameter, str], list[str]]


def ids_in(*folders: str) -> Completion:
    """Return a completion with the ids of the records in these folders of the vault."""

    def complete(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:  # noqa: ARG001
        return _ids(context, folders, typed)

    return complete


def _any_id(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:  # noqa: ARG001
    """Complete the id of any record; of candidates once their import is being typed."""
    from doll.vault.layout import LOCAL_AREAS

    found = _ids(context, LOCAL_AREAS, typed)
    return found or _ids(context, ["staging"], typed)


def _import_name(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:  # noqa: ARG001
    """Complete the name of an import that lies in staging."""
    from doll.cli.options import place_of
    from doll.records.names import fold
    from doll.render.text import visible
    from doll.services.locating import find
    from doll.vault.walking import is_linked

    wanted = fold(typed)
    try:
        root, _ = find(place_of(_vault(context)))
        found = () if is_linked(root, "staging") else (root / "staging").glob("*/*/_import.md")
        names = sorted(each.parent.name for each in found)
    except (DollError, OSError, ValueError):
        return []
    return [name for name in names if fold(name).startswith(wanted) and visible(name) == name]


any_id: Completion = _any_id
import_name: Completion = _import_name
candidate: Completion = ids_in("staging")
editable: Completion = ids_in("confirmed", "authority")
entry: Completion = ids_in("experience")
project: Completion = ids_in("authority/projects")
recalled: Completion = ids_in("confirmed", "experience")
work_item: Completion = ids_in("authority/work-items")


def _ids(context: click.Context, folders: Sequence[str], typed: str) -> list[str]:
    """Return the ids that begin with what was typed, in the order of their paths."""
    from doll.cli.options import place_of
    from doll.records.names import fold
    from doll.render.text import visible
    from doll.services.locating import find
    from doll.vault.layout import record_id
    from doll.vault.snapshot import snapshot

    wanted = fold(typed)
    try:
        root, _ = find(place_of(_vault(context)))
        names = [record_id(found.path) for found in snapshot(root, folders).files]
    except (DollError, OSError, ValueError):
        return []
    # A name with a line break would be two completions, and others hide what they are.
    return [name for name in names if fold(name).startswith(wanted) and visible(name) == name]


def _vault(context: click.Context) -> Path | None:
    """Return what `--vault` says in front of the word that is completed, of the group too."""
    each: click.Context | None = context
    while each is not None:
        found = each.params.get("vault")
        if found:
            return Path(found)
        each = each.parent
    return None
