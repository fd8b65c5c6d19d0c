"""Which records an export is asked for: by name, all, by tag, by a query.

What is named must be exportable, or the export is refused whole; of what the others bring, the rest
is left out and counted.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import ConflictError, Problem, UsageError
from doll.recall.rows import tag_key
from doll.reconcile.sharing import Progress as Indexing
from doll.records.model import Record, with_article
from doll.render.export_values import REASONS, Reason
from doll.render.text import visible
from doll.services.exporting.standing import Memories
from doll.services.opening import Vault
from doll.services.reading.finding import find
from doll.services.reading.referring import Known
from doll.vault import layout
from doll.vault.typed import typed

# More than any vault has.
_ALL = 1_000_000_000
# What is only linked to an answer was not asked for.
_BY_WORDS = "lexical/1"
_QUOTED = 60

_REFUSALS: dict[Reason, tuple[str, str]] = {
    "unreadable": ("export.unreadable", "doll validate    says what is wrong"),
    "secret_found": ("secret.found", "remove it from the record, and commit that"),
    "empty": ("export.empty", "write what is remembered below its front matter"),
    "ambiguous_id": ("export.ambiguous_id", "doll validate    says which one, and how to mend it"),
    "not_committed": (
        "export.not_committed",
        "git diff HEAD -- {path}    shows what is not committed; commit it on the branch",
    ),
    "not_signed": ("export.not_signed", "doll validate    says how it is signed"),
    "not_reviewed": ("export.not_reviewed", "doll validate    says how it is reviewed"),
    "archived": ("export.archived", "write status: active, and commit that, if it holds again"),
    "superseded": ("export.superseded", "export what supersedes it"),
    "retracted": ("export.retracted", "write a new memory, if it holds after all"),
    "secret": ("export.secret", ""),
    "not_exportable": ("export.not_exportable", ""),
}


class Asked(NamedTuple):
    """What the user asked for: ids, or everything, or what has a tag and answers a query."""

    ids: tuple[str, ...] = ()
    everything: bool = False
    tags: tuple[str, ...] = ()
    query: str | None = None

    def words(self) -> str:
        """Return what was asked for in words."""
        if self.everything:
            return "all memories"
        if self.ids:
            return "memories by name"
        parts = [f"tag {tag}" for tag in self.tags]
        said = [f"with {' or '.join(parts)}"] if parts else []
        if self.query is not None:
            short = self.query if len(self.query) <= _QUOTED else f"{self.query[: _QUOTED - 1]}…"
            said.append(f"that answer {short!r}")
        return f"memories {' '.join(said)}"


def check(asked: Asked) -> None:
    """Raise UsageError unless exactly one way of asking is used; a tag and a query are one."""
    ways = [bool(asked.ids), asked.everything, bool(asked.tags or asked.query is not None)]
    if not any(ways):
        raise UsageError(
            "nothing says which memories to export",
            hint="--all, or ids, or --tag, or --query",
        )
    if sum(ways) > 1:
        raise UsageError(
            "ids, --all, and --tag or --query are three ways to say which memories to export",
            hint="keep one of them",
        )


def chosen(
    vault: Vault, asked: Asked, found: Memories, as_of: datetime, indexing: Indexing | None
) -> list[str]:
    """Return the paths of the memories that are asked for, exportable or not, sorted.

    Raises UsageError for a name of no record and a query that cannot be searched for,
    ConflictError for records by name of which one may not be exported.
    """
    if asked.ids:
        return sorted(_named(vault, asked.ids, found))
    paths: Iterable[str] = found.entries
    if asked.tags:
        wanted = frozenset(map(tag_key, asked.tags))
        paths = [path for path in paths if wanted.intersection(_tags(found.record(path)))]
    if asked.query is not None:
        answering = _answering(vault, asked.query, as_of, indexing)
        paths = [path for path in paths if path in answering]
    return sorted(paths)


def _tags(record: Record | None) -> Iterator[str]:
    return map(tag_key, record.fields.tags if record else ())


def _answering(
    vault: Vault, query: str, as_of: datetime, indexing: Indexing | None
) -> frozenset[str]:
    """Return the paths of all memories that have words of the query, current or not."""
    from doll.services.recalling.filtering import Filters
    from doll.services.recalling.searching import recall

    wanted = Filters(types=("memory",), everything=True)
    answer = recall(
        *(vault, query, as_of),
        limit=_ALL,
        name=_BY_WORDS,
        filters=wanted,
        widen=False,
        progress=indexing,
    ).answer
    return frozenset(hit.path for hit in answer.hits)


def _named(vault: Vault, names: Sequence[str], found: Memories) -> set[str]:
    known = Known(vault.load(layout.LOCAL_AREAS).entries)
    paths, problems = dict[str, None](), []
    for name in names:
        entry = find(vault, known, name)
        if entry.path not in found.entries:
            problems.append(_no_memory(entry.path, entry.record))
        elif reason := found.barred.get(entry.path):
            problems.append(refusal(entry.path, reason))
        paths[entry.path] = None
    if problems:
        raise refused(problems)
    return set(paths)


def refused(problems: Sequence[Problem]) -> ConflictError:
    """Return the refusal of an export for records that were named and may not be exported."""
    several = len(problems) > 1
    what = f"{len(problems):,} of the records" if several else "one of the records"
    return ConflictError(f"{what} may not be exported; nothing was written", problems=problems)


def refusal(path: str, reason: Reason) -> Problem:
    """Return why one memory that was named is not exported, and what to type."""
    code, hint = _REFUSALS[reason]
    message = f"{visible(layout.record_id(path))} {REASONS[reason]}"
    return Problem(path, 0, 0, code, message, hint=hint.replace("{path}", typed(path)))


def _no_memory(path: str, record: Record | None) -> Problem:
    if path.startswith("staging/"):
        message = "this is a candidate that nobody has reviewed"
        return Problem(path, 0, 0, "export.not_confirmed", message, hint="doll review")
    kind = with_article(record.type) if record else "no memory"
    message = f"this is {kind}; a PAM store holds confirmed memories only"
    return Problem(path, 0, 0, "export.not_confirmed", message)
