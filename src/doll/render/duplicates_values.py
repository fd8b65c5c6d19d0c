"""What `doll duplicates` reports, as values: pairs and groups of records to be looked at."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, NamedTuple, get_args

from doll.errors import Problem

Kind = Literal["contradiction", "exact", "extending", "near", "overlap"]
# The order in which findings come; a pair is told under the first that holds.
KINDS: tuple[Kind, ...] = get_args(Kind)


class Side(NamedTuple):
    """One record of a pair: its facts are what tells its weight, in the order they are shown."""

    id: str
    path: str
    name: str
    digest: str
    facts: Mapping[str, str]


class Member(NamedTuple):
    """A record beside the leader of its finding, and how the two compare.

    `likeness` is in permille; of an `extending` one, how much of the leader it has. `shared` and
    `both` are numbers of different words; `added` are words that only this record has, `lacking`
    those that only the leader has, as they stand in the texts. `judged` is when a person found them
    distinct in these texts, `judged_before` in texts that have changed since, "" for never.
    """

    side: Side
    likeness: int
    shared: int
    both: int
    added: tuple[str, ...]
    lacking: tuple[str, ...]
    added_more: int
    lacking_more: int
    judged_before: str = ""
    judged: str = ""


class Finding(NamedTuple):
    """Records that may say the same, or what cannot hold together.

    `members` are those that are described, `paths` the leader and all others, `more` how many were
    found and not kept. `why` says what makes them one finding.
    """

    kind: Kind
    leader: Side
    members: tuple[Member, ...]
    paths: tuple[str, ...]
    more: int
    why: str


class Duplicates(NamedTuple):
    """The findings that are shown, and what they were found among.

    `counts` are all findings by kind, `hidden` how many of the kinds asked for are not shown.
    `compared` is the number of records, `left_out` those that were not compared, by reason;
    `judged` is how many judgements hold, `not_committed` how many do not count for that.
    `cut` texts share rare words with more others than were
    looked at, `changed` records changed meanwhile.
    """

    as_of: datetime
    findings: tuple[Finding, ...]
    counts: Mapping[Kind, int]
    hidden: int
    compared: int
    left_out: Mapping[str, int]
    judged: int
    cut: int
    changed: int
    unreadable: tuple[Problem, ...]
    not_committed: int = 0


class Verdict(NamedTuple):
    """A judgement as it is listed.

    `state` is `holds`, `not committed`, `text changed` or `record gone`.
    """

    ids: tuple[str, str]
    path: str
    verdict: str
    by: str
    at: str
    state: str


class Judged(NamedTuple):
    """What `judge` did: the file of the judgement, whether it changed, and its commit ("": none).

    `undone` says that it was taken back; `pending` are paths that HEAD has otherwise.
    """

    ids: tuple[str, str]
    path: str
    changed: bool
    undone: bool
    pending: tuple[str, ...]
    subject: str
    commit: str = ""
    said: tuple[str, ...] = ()


class Proposal(NamedTuple):
    """A candidate for a finding.

    `state` is `written`, `there already`, `rejected`, or `refused`, and then `reason` says why.
    """

    kind: Kind
    id: str
    path: str
    state: str
    supersedes: tuple[str, ...]
    reason: str = ""


class Proposed(NamedTuple):
    """All proposals of a run; `hints` are findings for which there is none, with the reason."""

    proposals: tuple[Proposal, ...]
    hints: tuple[tuple[str, str], ...]
    subject: str
    trailers: tuple[str, ...] = ()
    commit: str = ""
    said: tuple[str, ...] = ()
