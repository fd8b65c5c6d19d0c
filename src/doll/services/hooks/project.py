"""Which project a repository can be tied to: one that is accepted in the vault."""

import shlex
from difflib import get_close_matches

from doll.errors import ConflictError, UsageError
from doll.records.model import Record
from doll.records.names import id_fault
from doll.records.references import Names
from doll.services.accepted import accepted_commit, entries_at
from doll.services.opening import Vault

_FOLDERS = ("authority/projects",)


def known_project(vault: Vault, project: str) -> str:
    """Return the id of the project that `project` (an id or an alias) names.

    ConflictError for one that is not committed on the vault's branch yet, since preflight would
    not know it; UsageError for one that does not exist.
    """
    on_disk = vault.load(_FOLDERS)
    accepted = entries_at(vault, accepted_commit(vault).commit, _FOLDERS, on_disk.entries)
    committed = [entry.record for entry in accepted if entry.record is not None]
    found = _projects(committed, project)
    if len(found) == 1:
        return found[0].id
    if found:
        paths = ", ".join(record.path for record in found)
        raise ConflictError(f"--project: {project!r} names more than one record: {paths}")
    pending = _projects(on_disk.records, project)
    if pending:
        raise ConflictError(
            f"--project: {pending[0].path} is not committed on the vault's branch, so preflight "
            "does not know it yet",
            hint=f"git -C {shlex.quote(str(vault.root))} add "
            f"{shlex.quote(pending[0].path)}    and commit it",
        )
    place = f"--vault {shlex.quote(str(vault.root))}"
    listing = f"doll list --type project {place}    shows what there is"
    if why := id_fault(project):
        raise UsageError(f"--project: {project!r} is no id: {why}", hint=listing)
    near = get_close_matches(project, [record.id for record in committed], 1)
    meant = f"; did you mean {near[0]}?" if near else ""
    raise UsageError(
        f"--project: the vault has no project {project!r}{meant}",
        hint=f"{listing}\ndoll new project {shlex.quote(project)} --title … {place}    makes one",
    )


def _projects(records: list[Record], project: str) -> list[Record]:
    return [record for record in Names(records).named(project) if record.type == "project"]
