"""The judgements of a vault: which pairs a person has found distinct, and whether that holds.

A judgement holds for the two texts that were judged. Its ids may be old names of the records. Reads
only; a damaged file counts for nothing and is named.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from doll.errors import Problem
from doll.records import times
from doll.records.model import Record
from doll.records.references import Names
from doll.vault import files, judged
from doll.vault.judged import Judgement
from doll.vault.layout import JUDGED


class Read(NamedTuple):
    """The judgements of a vault, by their paths, and the problems of files that are none."""

    judgements: tuple[Judgement, ...]
    problems: tuple[Problem, ...]


def paths(root: Path) -> list[str]:
    """Return the paths of the files of judgements, sorted."""
    try:
        names = os.listdir(root / JUDGED)  # noqa: PTH208 - unlike Path's, it makes no paths
    except OSError:
        return []
    found = (f"{JUDGED}/{name}" for name in names)
    return sorted(path for path in found if judged.is_judgement(path))


def read_all(root: Path) -> Read:
    """Read every judgement; what cannot be read is a problem."""
    found: list[Judgement] = []
    problems = [*_linked(root)]
    for path in () if problems else paths(root):
        try:
            data = files.read(root, path)
        except OSError as error:
            message = f"the file cannot be read: {error.strerror}"
            problems.append(Problem(path, 0, 0, "file.unreadable", message))
            continue
        said, faults = judged.parse(data, path)
        problems += faults
        if said is not None:
            found.append(said)
    return Read(tuple(found), tuple(problems))


def _linked(root: Path) -> Iterator[Problem]:
    """Yield the problem of a folder that is a symbolic link: nothing is read through it."""
    for folder in (JUDGED.partition("/")[0], JUDGED):
        if os.path.islink(root / folder) and os.path.lexists(root / JUDGED):  # noqa: PTH114
            message = "this is a symbolic link; judgements are not read through links"
            yield Problem(folder, 0, 0, "file.symlink", message, hint="put the folder itself here")


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
            for _, judged in found:
                if all(now.get(path) == text for path, text in judged.items()):
                    one, other = judged
                    yield one, other

    def now(self, one: str, one_text: str, other: str, other_text: str) -> str:
        """Return when two records, each a path and the digest of its text, were found distinct.

        "" where they were not, or in other texts.
        """
        texts = {one: one_text, other: other_text}
        found = self._of.get(frozenset(texts), ())
        return _last(said for said, judged in found if judged == texts)

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
