"""What the evaluator is given: values that services have read, and nothing that reads.

Which commit is accepted, what is signed and what is on disk is decided before these are made.
"""

from collections.abc import Sequence
from typing import NamedTuple

from doll.errors import Problem
from doll.preflight.request import ActionRule
from doll.records.model import Record


class Entry(NamedTuple):
    """One experience record; `committed`: these bytes are on the vault's branch.

    A record that is changed in the work tree is given twice: once as committed, once as it is now.
    """

    record: Record
    committed: bool


class Pending(NamedTuple):
    """A change of authority or settings that is not accepted: the path and what it is, in words.

    `code` is `authority.not_committed` or `authority.not_signed`.
    """

    path: str
    what: str
    code: str = "authority.not_committed"


class Inputs(NamedTuple):
    """Everything that the answer depends on, beside the request and `as_of`; in any order.

    - `authority`: the readable records under `authority/` at the accepted commit; with `draft`
      those of the work tree.
    - `others`: the same records where a path has other signed versions that no signed commit
      joined; each is judged, and the worst answer counts.
    - `experience`: entries of the vault; those of other projects may be left out.
    - `action_map`: the path → action map of `doll.yaml` at the accepted commit.
    - `head`, `commit`: the vault's HEAD and the accepted commit, None without one.
    - `unreadable`: what makes an accepted authority record or `doll.yaml` unreadable. Nobody knows
      whom such a record concerns, so in a hook it stops the commit.
    - `obstacles`: other reasons why the answer is not complete (no vault, another vault's id, a
      newer format). They stop no commit.
    - `unreadable_experience`: what makes experience files unreadable.
    - `pending`: changes that do not count, to be named.
    """

    authority: Sequence[Record] = ()
    experience: Sequence[Entry] = ()
    action_map: Sequence[ActionRule] = ()
    head: str | None = None
    commit: str | None = None
    unreadable: Sequence[Problem] = ()
    obstacles: Sequence[Problem] = ()
    unreadable_experience: Sequence[Problem] = ()
    pending: Sequence[Pending] = ()
    draft: bool = False
    others: Sequence[Sequence[Record]] = ()
