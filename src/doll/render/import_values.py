"""What an import reports: the values that its views show, filled by `doll.services`.

They hold no secret: whatever a hit lies in is masked before it comes here.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from doll.errors import Problem
from doll.interchange.base import Loss, Parked, Question, SetAside


class Counts(NamedTuple):
    """How many entries of the source were what."""

    new: int
    changed: int
    unchanged: int
    parked: int
    refused: int


class Staged(NamedTuple):
    """A candidate that the import wrote, or would write.

    `id` is `<import>/<stem>`, `digest` is SHA-256 (64 hex digits) of the file, `entry_digest` that
    of the foreign entry. `updates` is the stem of the earlier candidate, "" for a new entry.
    `mark` is a word where the source says that the entry no longer holds.
    """

    id: str
    path: str
    digest: str
    source_id: str
    entry_digest: str
    updates: str
    mark: str = ""

    @property
    def state(self) -> Literal["new", "changed"]:
        """Whether the source is known to have had an earlier version of the entry."""
        return "changed" if self.updates else "new"

    @property
    def stem(self) -> str:
        """The name of its file without `.md`."""
        return self.id.partition("/")[2]


class Place(NamedTuple):
    """Where a detector objected: its name and the JSON Pointer, never the value."""

    detector: str
    pointer: str

    def __str__(self) -> str:
        """The form in which a false alarm is declared."""
        return f"{self.detector}:{self.pointer}"


class Refused(NamedTuple):
    """An entry that was not taken over, since it seems to hold a secret."""

    pointer: str
    source_id: str
    entry_digest: str
    places: tuple[Place, ...]


class Declared(NamedTuple):
    """A false alarm that the user declared, and the files (in the import) that it concerns."""

    place: Place
    files: tuple[str, ...]


class SourceFile(NamedTuple):
    """One of several files that a source has: its path in the import, bytes, and SHA-256."""

    path: str
    size: int
    digest: str


class Beside(NamedTuple):
    """A file beside the main one that is listed and not imported, in bytes and SHA-256.

    `about` are the ids at the source of what it holds. `wanted`: the user wants it kept, and
    nothing is against it; `kept` is its path in the import then, "" where it is not kept after all.
    `fault` and `secrets` say what is against it.
    """

    path: str
    kind: str
    about: tuple[str, ...]
    size: int
    digest: str
    wanted: bool
    fault: str = ""
    secrets: tuple[Place, ...] = ()
    kept: str = ""


class ImportReport(NamedTuple):
    """What an import did, or with `dry_run` would do.

    `name` and `folder` are "" when nothing was to be written. `name_note` says why the name is
    not the wanted one. `source_kept`: the exact bytes of the source are part of the import, the
    main file at `source_path`; `source_files` lists them all where the source is a folder.
    `set_aside` are entries that are not imported and stand in no count, `beside` the files that
    are not.
    `export` is the id that the source gave to the export, "" for none.
    `outside` are hits that lie in no refused entry. `dropped` counts the unchanged entries whose
    candidates are in no folder any more. `earlier` are the imports that this source came with
    before, where nothing is new: a folder, or the bare name of one that is gone; `pending` are
    those folders among them that are not committed. `commit` is the commit that was made, "" for
    none.
    """

    adapter: str
    version: str
    source: str
    source_name: str
    source_bytes: int
    source_digest: str
    source_kept: bool
    source_path: str
    name: str
    folder: str
    name_note: str
    facts: Mapping[str, str]
    counts: Counts
    staged: tuple[Staged, ...]
    parked: tuple[Parked, ...]
    refused: tuple[Refused, ...]
    outside: tuple[Place, ...]
    declared: tuple[Declared, ...]
    losses: tuple[Loss, ...]
    problems: tuple[Problem, ...]
    dropped: int
    dry_run: bool
    earlier: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    commit: str = ""
    source_files: tuple[SourceFile, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    questions: tuple[Question, ...] = ()
    export: str = ""
    beside: tuple[Beside, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether no entry was parked or refused."""
        return not self.parked and not self.refused
