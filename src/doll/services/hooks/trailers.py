"""What the message of a commit asks of preflight: `Doll-Action:` and `Doll-Work-Item:`.

Pure, but for git, which reads the trailers. What cannot be understood is said, never guessed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from doll.errors import Problem
from doll.preflight.request import MESSAGE, is_action, is_pattern
from doll.services.trailers import ACTION, KNOWN, WORK_ITEM
from doll.vcs import plumbing
from doll.vcs.plumbing.messages import trailers_in

_START = "Doll-"
_LINE = re.compile(rb"^doll-.*$", re.MULTILINE | re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z0-9-]+")
_SHOWN = 40
_SCISSORS = re.compile(rb"^\S+ -{24} >8 -{24}\s*$", re.MULTILINE)


class Wanted(NamedTuple):
    """What a message adds to a request, and what is wrong with how it says so.

    `trailers` are key and value of all of doll's, each key as doll spells it.
    """

    actions: tuple[str, ...] = ()
    work_item: str | None = None
    faults: tuple[Problem, ...] = ()
    trailers: tuple[tuple[str, str], ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether the message asks nothing at all of preflight."""
        return not (self.actions or self.work_item or self.faults)


def wanted(repository: plumbing.Repository, message: bytes) -> Wanted:
    """Return what the trailers of a message ask; GitError when git cannot read them."""
    pairs = [
        (_spelled(key), value)
        for key, value in trailers_in(repository, message)
        if key.lower().startswith(_START.lower())
    ]
    actions = [value for key, value in pairs if key == ACTION]
    items = list(dict.fromkeys(value for key, value in pairs if key == WORK_ITEM))
    good = [value for value in actions if is_action(value) or is_pattern(value)]
    faults = [*_unknown(pairs), *_bad_actions(actions), *_bad_items(items)]
    faults += _outside(message, pairs)
    item = items[0] if len(items) == 1 and items[0] else None
    return Wanted(tuple(dict.fromkeys(good)), item, tuple(faults), tuple(pairs))


def _spelled(key: str) -> str:
    """Return a key as it is known: git takes keys in any case for the same."""
    return next((known for known in KNOWN if known.lower() == key.lower()), key)


def _unknown(pairs: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    for key in dict.fromkeys(key for key, _ in pairs if key not in KNOWN):
        # What all of them begin with makes none of them near.
        names = {known[len(_START) :].lower(): known for known in KNOWN}
        near = get_close_matches(key[len(_START) :].lower(), names, 1)
        meant = f"; did you mean {names[near[0]]}?" if near else ""
        yield _fault(f"doll knows no trailer {key}{meant}", f"{ACTION}: db.migrate    names one")


def _bad_actions(actions: Iterable[str]) -> Iterator[Problem]:
    for value in dict.fromkeys(actions):
        if not (is_action(value) or is_pattern(value)):
            said = f"{ACTION}: {value!a} is no action" if value else f"{ACTION}: names nothing"
            yield _fault(said, "an action is a dotted lower-case name, such as db.migrate")


def _bad_items(items: Sequence[str]) -> Iterator[Problem]:
    if len(items) > 1:
        yield _fault(f"{WORK_ITEM}: stands there with {len(items)} values", "a commit is for one")
    elif items == [""]:
        yield _fault(f"{WORK_ITEM}: names nothing", "`doll list --type work-item` shows them")


def _outside(message: bytes, pairs: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Yield the lines that begin like a trailer of doll's and are none for git."""
    said = _SCISSORS.split(message, maxsplit=1)[0]
    left = list(pairs)
    lines = []
    # Trailers stand last: of two lines that are the same the last one is the trailer.
    for found in reversed([*_LINE.finditer(said)]):
        text = found.group().decode("utf-8", "replace").strip()
        word, colon, value = (part.strip() for part in text.partition(":"))
        key = _spelled(word)
        # The value of a trailer may go on in the next line.
        pair = next((each for each in left if each[0] == key and each[1].startswith(value)), None)
        if colon and pair is not None:
            left.remove(pair)
        else:
            lines.append((said.count(b"\n", 0, found.start()) + 1, text, bool(colon)))
    for number, text, colon in reversed(lines):
        yield _no_trailer(number, text, colon=colon)


def _no_trailer(number: int, text: str, *, colon: bool) -> Problem:
    word = _spelled(text.partition(":")[0].strip())
    if colon and _TOKEN.fullmatch(word):
        told = f"line {number}, `{word}: …`, is no trailer: it stands outside the last paragraph"
        return _fault(told, "put it into the last paragraph, alone with other trailers")
    from doll.secrets import mask

    text = mask(text)  # before it is cut: half of a secret would not be known for one
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    told = f"line {number}, `{shown}`, begins like a trailer of doll's and is none"
    return _fault(told, f"{ACTION}: db.migrate    names an action; else begin the line otherwise")


def _fault(message: str, hint: str) -> Problem:
    return Problem(MESSAGE, 0, 0, "request.value", message, hint=hint)
