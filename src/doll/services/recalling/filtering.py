"""What a recall is narrowed to, as typed, and what that means in rows."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from doll.errors import UsageError
from doll.recall.filters import Wanted
from doll.recall.rows import microseconds, tag_key
from doll.records.fields import fields_of
from doll.records.model import RecordType
from doll.records.names import fold
from doll.records.periods import Period, parse_period
from doll.services.opening import Vault

SEARCHED: tuple[RecordType, ...] = ("memory", "experience")


class Filters(NamedTuple):
    """What is wanted, in the words of the command line; nothing means all that is current.

    Any of a filter's values will do, and all filters have to. `since` and `until` are a year, a
    month, a day or a time, both inclusive. `staging`: candidates, too. `everything`: what is not
    current, too.
    """

    types: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    staging: bool = False
    everything: bool = False


NO_FILTERS = Filters()


def choices(field: str, types: Iterable[RecordType] = SEARCHED) -> tuple[str, ...]:
    """Return the values that a field can have in records of these types, each once."""
    found = [fields_of(t)[field].choices for t in types if field in fields_of(t)]
    return tuple(dict.fromkeys(value for some in found for value in some))


def wanted_of(vault: Vault, filters: Filters) -> Wanted:
    """Return what the filters want of a row.

    Raises UsageError for a project that is none, an empty tag, a text that is no time, a value that
    is none of its field, and filters that no record can pass.
    """
    for option, field, values in (
        ("--kind", "kind", filters.kinds),
        ("--outcome", "outcome", filters.outcomes),
    ):
        _check(option, field, values, filters.types)
    if filters.projects and "experience" not in (filters.types or SEARCHED):
        raise UsageError("--project: a memory names no project", hint="leave out --type memory")
    _check_together(filters)
    since, until = _times(filters)
    return Wanted(
        types=frozenset(filters.types),
        projects=_projects(vault, filters.projects),
        tags=_tags(filters.tags),
        kinds=frozenset(filters.kinds),
        outcomes=frozenset(filters.outcomes),
        since=microseconds(since.begin if since else None),
        before=microseconds(until.end if until else None),
    )


def _check(option: str, field: str, values: Sequence[str], types: Sequence[str]) -> None:
    wanted = [each for each in SEARCHED if each in types] or SEARCHED
    possible = choices(field, wanted)
    for value in values:
        if value in possible:
            continue
        if not possible:
            message = f"{option}: a {wanted[0]} has no {field}"
            raise UsageError(message, hint=f"leave out --type {wanted[0]}")
        what = " or ".join(wanted)
        message = f"{option}: no {what} is ever {value[:60]!r}"
        raise UsageError(message, hint=f"one of {', '.join(possible)}")


def _check_together(filters: Filters) -> None:
    """Refuse kinds of memories alone beside a filter that only experience can pass."""
    alone = [
        option
        for option, values in (("--project", filters.projects), ("--outcome", filters.outcomes))
        if values
    ]
    possible = choices("kind", ("experience",))
    if alone and filters.kinds and not set(filters.kinds) & set(possible):
        named = " or ".join(map(repr, filters.kinds))
        message = f"--kind: no experience is ever {named}, and {alone[0]} is about experience alone"
        raise UsageError(
            message, hint=f"leave out {' and '.join(alone)}, or one of {', '.join(possible)}"
        )


def _tags(words: Sequence[str]) -> frozenset[str]:
    """Return the tags as rows have them."""
    if not words:
        return frozenset()
    from doll.services.recording.wording import readable

    found = frozenset(tag_key(readable(word, "--tag")) for word in words)
    if "" in found:
        raise UsageError("--tag: it is empty", hint="name a tag, such as --tag coffee")
    return found


def _projects(vault: Vault, names: Sequence[str]) -> frozenset[str]:
    """Return every name, folded, under which entries can name these projects."""
    if not names:
        return frozenset()
    from doll.services.reading.referring import Known

    known = Known(vault.load(["authority/projects"]).entries)
    found = [known.one(name, ("project",), "--project") for name in names]
    return frozenset(fold(name) for each in found for name in (each.id, *each.fields.aliases))


def _times(filters: Filters) -> tuple[Period | None, Period | None]:
    since = parse_period(filters.since, "--since") if filters.since is not None else None
    until = parse_period(filters.until, "--until") if filters.until is not None else None
    if since and until and until.end is not None and until.end <= since.begin:
        message = f"nothing is both since {filters.since} and until {filters.until}"
        raise UsageError(message, hint="swap --since and --until")
    return since, until
