"""What the task recalls: memories, and failures; also those that are not current in the work tree.

Whether they are accepted, and current by what is accepted, is decided by who asked.
"""

from datetime import datetime
from typing import NamedTuple

from doll.reconcile.sharing import Progress
from doll.reconcile.shelf import Notice
from doll.render.recall_values import Answer
from doll.services.opening import Vault
from doll.services.packing.asked import MOST, Asked
from doll.services.reading.referring import Known
from doll.services.recalling.filtering import Filters
from doll.services.recalling.searching import Recalled, recall


class Searched(NamedTuple):
    """The answers about memories and about failures, and what is to be said of the index."""

    memories: Answer
    failures: Answer
    notices: tuple[Notice, ...]


def search(
    vault: Vault, asked: Asked, project: str | None, as_of: datetime, progress: Progress | None
) -> Searched:
    """Search for the words of the task alone; of failures only in the project, if one is given.

    `project` is its id. Raises UsageError for an overlong task, NoVaultError for a folder that
    cannot be read.
    """

    def answer(wanted: Filters) -> Recalled:
        return recall(
            *(vault, asked.task, as_of),
            limit=MOST,
            filters=wanted,
            widen=False,
            progress=progress,
        )

    memories = answer(Filters(types=("memory",), everything=True))
    wanted = Filters(
        types=("experience",),
        projects=_known(vault, project),
        outcomes=("failed",),
        everything=True,
    )
    failures = answer(wanted)
    # Of the index both say the same.
    notices = tuple(dict.fromkeys((*memories.notices, *failures.notices)))
    return Searched(memories.answer, failures.answer, notices)


def _known(vault: Vault, project: str | None) -> tuple[str, ...]:
    """Return the project where the work tree has it too; else entries of all are looked through."""
    if project is None:
        return ()
    found = Known(vault.load(["authority/projects"]).entries).named(project)
    return (project,) if len(found) == 1 and found[0].type == "project" else ()
