"""The judgements of a vault: which pairs a person has found distinct, and whether that holds.

A judgement holds for the two texts that were judged. Its ids may be old names of the records. Reads
only; a damaged file counts for nothing and is named. So does, as long as it is not committed, what
stands in the work tree alone: anybody may have written it.
"""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConfigurationError, NoVaultError, Problem
from doll.records import times
from doll.records.digest import blob_id
from doll.records.model import Record
from doll.records.references import Names
from doll.services.accepted import accepted_commit
from doll.services.opening import Vault
from doll.vault import files, judged
from doll.vault.judged import Judgement
from doll.vault.layout import JUDGED
from doll.vcs import plumbing


class Read(NamedTuple):
    """The judgements of a vault, by their paths, and the problems of files that are none.

    `data` are the bytes of the judgements, in their order.
    """

    judgements: tuple[Judgement, ...]
    problems: tuple[Problem, ...]
    data: tuple[bytes, ...] = ()


def paths(root: Path) -> list[str]:
    """Return the paths of the files of judgements, sorted."""
    try:
        names = os.listdir(root / JUDGED)  # noqa: PTH208 - unlike Path's, it makes no paths
    except OSError:
        return []
    found = (f"{JUDGED}/{name}" for name in names)
    return sorted(path for path in found if judged.is_judgement(path))


def read_all(root: Path, now: datetime | None = None) -> Read:
    """Read every judgement; what cannot be read, or is dated after `now`, is a problem."""
    found: list[Judgement] = []
    kept: list[bytes] = []
    problems = [*folder_problems(root)]
    for path in () if problems else paths(root):
        try:
            data = files.read(root, path)
        except OSError as error:
            message = f"the file cannot be read: {error.strerror}"
            problems.append(Problem(path, 0, 0, "file.unreadable", message))
            continue
        said, faults = judged.parse(data, path, now)
        problems += faults
        if said is not None:
            found.append(said)
            kept.append(data)
    return Read(tuple(found), tuple(problems), tuple(kept))


def accepted(vault: Vault, read: Read) -> tuple[Judgement, ...]:
    """Return the judgements that count: those that the accepted commit has in the same bytes.

    GitError where git cannot say.
    """
    if not read.judgements:
        return ()
    try:
        commit = accepted_commit(vault).commit
    except (ConfigurationError, NoVaultError):
        return ()
    found = plumbing.tree(vault.repository, commit, [vault.in_git(JUDGED)])
    oids = {vault.in_vault(item.path): item.oid for item in found}
    algorithm = vault.repository.algorithm
    both: Sequence[tuple[Judgement, bytes]] = tuple(zip(read.judgements, read.data, strict=True))
    return tuple(said for said, data in both if oids.get(said.path) == blob_id(data, algorithm))


def folder_problems(root: Path) -> Iterator[Problem]:
    """Yield the problem of a folder that is a link, through which nothing is read, or none."""
    try:
        is_folder = stat.S_ISDIR(os.lstat(root / JUDGED).st_mode)
    except OSError:
        is_folder = True
    if not is_folder and not os.path.islink(root / JUDGED):  # noqa: PTH114
        message = "this is a file; judgements lie in a folder of this name"
        yield Problem(JUDGED, 0, 0, "file.unreadable", message, hint="move it elsewhere")
    for folder in (JUDGED.partition("/")[0], JUDGED):
        if os.path.islink(root / folder) and os.path.lexists(root / JUDGED):  # noqa: PTH114
            message = "this is a symbolic link; judgements are not read through links"
            hint = f"rm -- {folder}    takes the link away; then put the folder itself here"
            yield Problem(folder, 0, 0, "file.symlink", message, hint=hint)


class Settled:
    """What judgements say of pairs of records, by the paths of these."""

    def __init__(self, judgements: Iterable[Judgement], names: Names) -> None:
        self._of: dict[frozenset[str], list[tuple[Judgement, dict[str, str]]]] = {}
        for said in judgements:
            if (pair := resolved(said, names)) is not None:
                texts = dict(zip((record.path for record in pair), said.texts, strict=True))
                self._of.setdefault(frozenset(texts), []).append((said, texts))

    def __len__(self) -> int:
        return len(self._of)

    def pairs(self, texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Yield the pairs of paths that are distinct, given the digest of each path's text now."""
        now = dict(texts) if self._of else {}
        for found in self._of.values():
            for _, then in found:
                if all(now.get(path) == text for path, text in then.items()):
                    one, other = then
                    yield one, other

    def now(self, one: str, one_text: str, other: str, other_text: str) -> str:
        """Return when two records, each a path and the digest of its text, were found distinct.

        "" where they were not, or in other texts.
        """
        texts = {one: one_text, other: other_text}
        found = self._of.get(frozenset(texts), ())
        return _last(said for said, then in found if then == texts)

    def before(self, one: str, other: str) -> str:
        """Return when two records were last judged, "" for never."""
        return _last(said for said, _ in self._of.get(frozenset((one, other)), ()))


def _last(judgements: Iterable[Judgement]) -> str:
    return max((times.render(said.at) for said in judgements), default="")


def resolved(said: Judgement, names: Names) -> tuple[Record, Record] | None:
    """Return the two records that a judgement names, None unless each is one, and another one."""
    first, second = (names.named(each) for each in said.ids)
    if len(first) != 1 or len(second) != 1 or first[0].path == second[0].path:
        return None
    return first[0], second[0]
