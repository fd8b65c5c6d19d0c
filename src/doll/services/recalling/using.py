"""Recall and the usage log: what it adds to scores, and the recalls that are added to it.

A recall is logged only where git's configuration asks for it (`doll.logRecalls`): the ids that were
shown and the moment, never the query. Nothing of this fails a recall or changes a record.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import DollError, GitError
from doll.recall.ranking import Algorithm, Ranking
from doll.recall.rows import Row
from doll.reconcile.shelf import Notice
from doll.records import times
from doll.render.recall_values import Answer, UsageRead
from doll.services.opening import Vault
from doll.vault.layout import USAGE
from doll.vcs import plumbing

SETTING = "doll.logRecalls"
_HINT = f"{USAGE} orders answers and does nothing else; the answer is complete"


class Weighed(NamedTuple):
    """A ranking with what use adds to it, which usage was read (None: none), what to say of it."""

    ranking: Ranking
    usage: UsageRead | None = None
    notices: tuple[Notice, ...] = ()


def weighed(
    vault: Vault, algorithm: Algorithm, ranking: Ranking, rows: Sequence[Row], as_of: datetime
) -> Weighed:
    """Return the ranking of the rows that may be shown, with use where the algorithm knows it."""
    if algorithm.name != "activation":
        return Weighed(ranking)
    from doll.recall.activation import HORIZON, names_of, reinforced
    from doll.services import usage

    names = {name for row in rows for name in names_of(row)}
    uses, faults = usage.known(vault, as_of, HORIZON, names)
    read = UsageRead(uses.signals, uses.digest, uses.skipped)
    told = tuple(Notice(f"some use is left out: {fault}", _HINT) for fault in faults)
    return Weighed(reinforced(ranking, rows, uses.by_id, as_of), read, told)


def remember(vault: Vault, answer: Answer, now: datetime) -> tuple[Notice, ...]:
    """Log which records an answer showed, where that is asked for; return why it could not be."""
    ids = tuple(hit.id for hit in answer.hits if not hit.path.startswith("staging/"))
    if not ids:
        return ()
    try:
        if not plumbing.config_flag(vault.repository, SETTING):
            return ()
    except GitError:
        said = f"git config {SETTING} is neither true nor false, so this recall was not logged"
        import shlex

        place = shlex.quote(str(vault.root))
        return (Notice(said, f"git -C {place} config {SETTING} true    logs them; false does not"),)
    from doll.services import usage
    from doll.vault.signals import Recall
    from doll.vault.usage import MAX_FILE

    try:
        usage.add(vault, Recall(times.render(now), ids), limit=MAX_FILE // 2)
    except DollError as error:
        return (Notice(f"this recall was not logged: {error.message}", error.hint),)
    return ()
