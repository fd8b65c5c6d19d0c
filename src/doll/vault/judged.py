"""Judgements: pairs of records of which a person said how they stand. Their files and their form.

One file for each pair, `.doll/judged/<16 hex digits of the two ids>.md`, tracked by git. Pure: it
knows names and bytes; `services` reads and writes the files.
Source: docs/vault-format.md, "Judgements".
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from doll.errors import Problem
from doll.records import fences, times
from doll.records.decoding import UnreadableError
from doll.records.digest import sha256
from doll.records.frontmatter import Value
from doll.records.names import fold, id_fault
from doll.vault.layout import JUDGED

SCHEMA = "doll/judgement/1"
DISTINCT = "distinct"

# A clock may be wrong by so much.
_FUTURE = timedelta(hours=24)
# What git writes of a person: a name and a mail address.
_PERSON = re.compile(r"(?!model:)[^<>\r\n]*[^<>\s] <[^<>\r\n]*>", re.IGNORECASE)
_DIGEST = re.compile(r"[0-9a-f]{64}")
_KEYS = ("schema", "ids", "texts", "verdict", "by", "at")
_HINT = "git restore -- {0}    or remove it: the pair is then told again"


class Judgement(NamedTuple):
    """What a person said of two records: they are `distinct`, and both stand.

    `ids` are in the order of their folded forms, `texts` the SHA-256 of the normal forms of the
    texts that were judged, in the same order.
    """

    ids: tuple[str, str]
    texts: tuple[str, str]
    verdict: str
    by: str
    at: datetime

    @property
    def path(self) -> str:
        """The path of its file in the vault."""
        return path_of(*self.ids)


def judgement(one: tuple[str, str], other: tuple[str, str], by: str, at: datetime) -> Judgement:
    """Return the judgement that two records, each an id and the digest of its text, are distinct.

    The order of the two does not matter.
    """
    first, second = sorted((one, other), key=lambda each: (fold(each[0]), each[0]))
    return Judgement((first[0], second[0]), (first[1], second[1]), DISTINCT, by, at)


def path_of(one: str, other: str) -> str:
    """Return the path of the file of a pair: the same in either order, letter case aside."""
    names = "\n".join(sorted((fold(one), fold(other))))
    return f"{JUDGED}/{sha256(names.encode())[:16]}.md"


def is_judgement(path: str) -> bool:
    """Return whether `path` is that of a file of a judgement."""
    folder, _, name = path.rpartition("/")
    return folder == JUDGED and name.endswith(".md") and name != "README.md" and name[0] not in "._"


def render(said: Judgement) -> bytes:
    """Return the bytes of a judgement's file."""
    from doll.records.handler import entry

    lines = [
        entry("schema", SCHEMA),
        entry("ids", said.ids),
        entry("texts", said.texts),
        entry("verdict", said.verdict),
        entry("by", said.by),
        entry("at", said.at),
    ]
    return "\n".join(["---", *lines, "---", ""]).encode()


def parse(
    data: bytes, path: str, now: datetime | None = None
) -> tuple[Judgement | None, tuple[Problem, ...]]:
    """Read the file of a judgement; None with one problem or more where it is none.

    With `now` a judgement that is dated more than a day after that is none.
    """
    from doll.records.codec import values_of

    try:
        values = values_of(data)
    except UnreadableError as error:
        return None, tuple(_problem(path, each.message, each.line) for each in error.problems)
    faults = _faults(values, path)
    if fences.body(data.decode()).strip():
        faults.append("text follows the front matter")
    made = _moment(values.get("at"))
    if now is not None and made is not None and made - now > _FUTURE:
        faults.append(f"`at` is in the future: {times.render(made)}")
    if faults:
        return None, tuple(_problem(path, fault) for fault in faults)
    ids, texts, at = _two(values["ids"]), _two(values["texts"]), _moment(values["at"])
    assert ids is not None
    assert texts is not None
    assert at is not None
    return Judgement(ids, texts, DISTINCT, str(values["by"]), at), ()


def _faults(values: Mapping[str, Value], path: str) -> list[str]:
    """Return what is wrong with the values of a judgement, in words."""
    faults = [f"`{key}` is missing" for key in _KEYS if key not in values]
    faults += [f"`{key}` is no key of a judgement" for key in values if key not in _KEYS]
    if faults:
        return faults
    if values["schema"] != SCHEMA:
        faults.append(f"`schema` is not {SCHEMA}")
    if values["verdict"] != DISTINCT:
        faults.append(f"`verdict` is not {DISTINCT}")
    ids, texts = _two(values["ids"]), _two(values["texts"])
    if ids is None or any(id_fault(each) for each in ids) or fold(ids[0]) == fold(ids[1]):
        faults.append("`ids` is not a list of two ids")
    elif path_of(*ids) != path:
        faults.append(f"the file of these two ids is {path_of(*ids)}")
    elif list(ids) != sorted(ids, key=lambda each: (fold(each), each)):
        faults.append("`ids` are not in their order")
    if texts is None or not all(_DIGEST.fullmatch(each) for each in texts):
        faults.append("`texts` is not a list of two SHA-256 digests")
    if not isinstance(values["by"], str) or not _PERSON.fullmatch(values["by"]):
        faults.append("`by` is no git identity of a person: Name <mail>")
    if _moment(values["at"]) is None:
        faults.append("`at` is not RFC 3339 with an offset")
    return faults


def _moment(value: Value) -> datetime | None:
    try:
        return times.parse(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _two(value: Value) -> tuple[str, str] | None:
    match value:
        case [str(first), str(second)]:
            return first, second
    return None


def _problem(path: str, message: str, line: int = 0) -> Problem:
    said = f"this judgement counts for nothing: {message}"
    return Problem(path, line, int(line > 0), "judgement.invalid", said, hint=_HINT.format(path))
