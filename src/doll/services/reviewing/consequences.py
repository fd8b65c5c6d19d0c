"""Would validate object to candidates once they are records? The same rules, asked beforehand.

Pure but for the look at secrets that were declared to be none. It does not judge a review itself.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from doll.errors import Problem, errors_in
from doll.services.checking.file_rules import look_at
from doll.services.checking.relations import relation_problems
from doll.services.opening import Vault
from doll.services.reading.referring import Known
from doll.vault.entries import Entry
from doll.vault.snapshot import Stamp

_NO_STAMP = Stamp(0, 0, 0, 0)


class Arrival(NamedTuple):
    """A record that is to be: its path, its bytes with the review, and the path to report."""

    path: str
    data: bytes
    reported: str


def objections(vault: Vault, known: Known, arrivals: Sequence[Arrival]) -> list[Problem]:
    """Return what these records would break, all of them together; nothing that is broken now.

    `known` are the records of the work tree; those at the paths of the arrivals do not count.
    """
    reported = {each.path: each.reported for each in arrivals}
    found, entries = [], []
    for path, data, _ in arrivals:
        record, problems = look_at(vault, path, data)
        found += errors_in(problems)
        entries.append(Entry(path, _NO_STAMP, "", record, problems))
    if not found:
        found = _between([each for each in known.entries if each.path not in reported], entries)
    own = [each for each in found if each.path in reported]
    # Both sides of a clash are named; the side of the candidate says enough.
    return [_told(each, reported.get(each.path, each.path)) for each in own or found]


def _between(before: Sequence[Entry], arrived: Iterable[Entry]) -> list[Problem]:
    """Return the errors between records that are there only with what arrived."""
    after = errors_in(relation_problems([*before, *arrived], None))
    known = {_substance(each) for each in relation_problems(before, None)} if after else set()
    return [each for each in after if _substance(each) not in known]


def _substance(problem: Problem) -> tuple[str, str, str]:
    return problem.path, problem.code, problem.message


def _told(problem: Problem, path: str) -> Problem:
    hint = f"{problem.hint}\nmend it in the candidate, commit that, and review it again"
    return problem._replace(path=path, hint=hint.lstrip("\n"))
