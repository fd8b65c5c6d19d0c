"""What an export reports: the values that its views show, filled by `doll.services`.

They hold no secret: whatever a hit lies in is not exported, and texts are masked by the views.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from doll.errors import Problem
from doll.interchange.base import Loss
from doll.interchange.pam.encoding import Lost

Reason = Literal[
    "unreadable",
    "secret_found",
    "empty",
    "ambiguous_id",
    "not_committed",
    "not_signed",
    "not_reviewed",
    "archived",
    "superseded",
    "retracted",
    "secret",
    "not_exportable",
]

REASONS: dict[Reason, str] = {
    "unreadable": "cannot be read",
    "secret_found": "seems to hold a secret",
    "empty": "holds no text",
    "ambiguous_id": "shares its id with another record",
    "not_committed": "is not as committed on the vault's branch",
    "not_signed": "is not signed, as this vault asks",
    "not_reviewed": "comes from elsewhere and has no review",
    "archived": "is archived",
    "superseded": "is superseded",
    "retracted": "is retracted",
    "secret": "is labelled secret",
    "not_exportable": "says exportable: false",
}
"""Why a memory of `confirmed/` is not exported, in the order in which it is said."""

# What somebody has to mend; the others are as they should be.
FAULTS: tuple[Reason, ...] = ("unreadable", "secret_found", "empty", "ambiguous_id")


class LeftOut(NamedTuple):
    """Records that were asked for and are not exported. `ids` are theirs; a title is never said."""

    reason: Reason
    number: int
    ids: tuple[str, ...]


class Gone(NamedTuple):
    """A memory of the base that is not in the vault's export any more.

    `why` is a reason, `gone` (no such record), `renamed`, or `not_asked_for`.
    """

    id: str
    why: str


class Counts(NamedTuple):
    """How many memories the export has; of an incremental one also what the base has of them."""

    exported: int
    new: int
    changed: int
    unchanged: int


class Elsewhere(NamedTuple):
    """How many accepted records no PAM export can hold, whatever is asked for."""

    experience: int
    authority: int


class ExportReport(NamedTuple):
    """What an export holds, and what it does not.

    `asked` says in words which records were asked for; `whole` that these are all. `commit` is the
    accepted commit. `losses` are counted by field, `lost` lists them by id. `path` and
    `loss_path` are "" where nothing was written; `digest` is SHA-256 of the `size` bytes.
    `problems` are about files that were left out.
    """

    owner: str
    asked: str
    whole: bool
    commit: str
    export_id: str
    export_date: str
    checksum: str
    public_key: str
    base: str
    counts: Counts
    relations: int
    left_out: tuple[LeftOut, ...]
    gone: tuple[Gone, ...]
    elsewhere: Elsewhere
    losses: tuple[Loss, ...]
    lost: Mapping[str, tuple[Lost, ...]]
    problems: tuple[Problem, ...]
    digest: str
    size: int
    path: str = ""
    loss_path: str = ""

    @property
    def is_partial(self) -> bool:
        """Whether the export lacks anything of the vault, be it a field."""
        missing = self.left_out or self.losses or any(self.elsewhere)
        return bool(missing or self.base or not self.whole)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was left out that somebody has to mend."""
        return not any(each.reason in FAULTS for each in self.left_out)
