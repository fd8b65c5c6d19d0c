"""Signals of use: the lines of `.doll/usage/`, and what they add up to for each id. Pure.

A line is data that anybody may have written: what is no signal is skipped and counted. Within a
day a record is recalled once at most, and has one word of the user and one of all models, the last
ones: so a loop counts for no more than one recall. Source: docs/vault-format.md, "Usage".
"""

import hashlib
from collections.abc import Container, Iterable
from datetime import date
from typing import Annotated, Literal, NamedTuple

import msgspec

from doll.records.names import fold

Verdict = Literal["helpful", "irrelevant", "contradicted"]
USER = "user"

# A moment as doll writes it. Its first ten characters are its day, and texts compare as moments do.
Moment = Annotated[
    str, msgspec.Meta(pattern=r"\A[0-9]{4}(-[0-9]{2}){2}T[0-2][0-9](:[0-5][0-9]){2}Z\Z")
]
_Giver = Annotated[str, msgspec.Meta(pattern=r"\A(user|model:[!-~]{1,100})\Z")]


class Recall(msgspec.Struct, frozen=True, tag_field="kind", tag="recall", gc=False):
    """A recall that showed records: their ids, and the moment."""

    at: Moment
    ids: tuple[str, ...]


class Feedback(msgspec.Struct, frozen=True, tag_field="kind", tag="feedback", gc=False):
    """What somebody said of records. `by` is `user` or `model:NAME`."""

    at: Moment
    ids: tuple[str, ...]
    said: Verdict
    by: _Giver


Signal = Recall | Feedback


class Day(NamedTuple):
    """The bytes of one file, whose name says the day (UTC) that its signals are of."""

    day: date
    data: bytes


class Use(NamedTuple):
    """What is known of one id: the days on which it was recalled, and what was said on which day.

    Days are ordinals of `date`, in order.
    """

    recalled: tuple[int, ...] = ()
    user: tuple[tuple[int, Verdict], ...] = ()
    model: tuple[tuple[int, Verdict], ...] = ()


class Uses(NamedTuple):
    """What signals add up to.

    `by_id` has folded ids. `signals` is the number of lines that count, `digest` the SHA-256 over
    these lines, each ended by a line feed; `skipped` is the number of lines that are no signal.
    """

    by_id: dict[str, Use]
    signals: int
    digest: str
    skipped: int


_encoder = msgspec.json.Encoder(order="sorted")
_decoder: msgspec.json.Decoder[Signal] = msgspec.json.Decoder(Signal)


def encode(signal: Signal) -> bytes:
    """Return a signal as one line, its line feed included."""
    return _encoder.encode(signal) + b"\n"


def decode(line: bytes, day: str) -> Signal | None:
    """Return the signal in a line of the file of `day` (`2026-08-20`), None where it is none."""
    try:
        signal = _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None  # what is nested too deep to be read is no signal either
    return signal if signal.at.startswith(day) else None


def add_up(days: Iterable[Day], until: str, names: Container[str] | None = None) -> Uses:
    """Return what the signals up to the moment `until` add up to.

    `days` are files in the order in which signals of the same moment count: the last one does.
    With `names`, folded ids, `by_id` has no others; all else that is said is of all signals.
    """
    sums, digest = _Sums(names), hashlib.sha256()
    signals = skipped = 0
    for day, data in days:
        text, counted = day.isoformat(), []
        for line in filter(None, data.split(b"\n")):
            signal = decode(line, text)
            if signal is None:
                skipped += 1
            elif signal.at <= until:
                counted.append(line)
                sums.add(signal)
        sums.end(day.toordinal())
        signals += len(counted)
        digest.update(b"".join(line + b"\n" for line in counted))
    return Uses(sums.by_id(), signals, digest.hexdigest(), skipped)


class _Sums:
    """Signals as they are added up: who was recalled on a day, and the last word of a day.

    Works on whole sets: a long log has many more lines than names.
    """

    def __init__(self, names: Container[str] | None) -> None:
        self._names = names
        self._seen: set[str] = set()
        self._folded: dict[str, str] = {}
        self._recalls: set[str] = set()
        self._words: list[Feedback] = []
        self._recalled: dict[str, set[int]] = {}
        self._said: dict[tuple[str, int, bool], tuple[str, Verdict]] = {}

    def add(self, signal: Signal) -> None:
        """Take a signal of the day into account."""
        if isinstance(signal, Recall):
            self._recalls.update(signal.ids)
        else:
            self._words.append(signal)

    def end(self, day: int) -> None:
        """Add up the signals since the last call, which are of this day."""
        self._learn(self._recalls)
        for each in self._recalls & self._folded.keys():
            self._recalled.setdefault(self._folded[each], set()).add(day)
        for word in self._words:
            self._learn(set(word.ids))
            for each in self._folded.keys() & word.ids:
                key = self._folded[each], day, word.by == USER
                if key not in self._said or self._said[key][0] <= word.at:
                    self._said[key] = word.at, word.said
        self._recalls.clear()
        self._words.clear()

    def by_id(self) -> dict[str, Use]:
        """Return the sums by folded id."""
        said: dict[tuple[str, bool], list[tuple[int, Verdict]]] = {}
        for (name, day, is_user), (_, verdict) in self._said.items():
            said.setdefault((name, is_user), []).append((day, verdict))
        return {
            name: Use(
                tuple(sorted(self._recalled.get(name, ()))),
                tuple(sorted(said.get((name, True), ()))),
                tuple(sorted(said.get((name, False), ()))),
            )
            for name in {*self._recalled, *(name for name, _ in said)}
        }

    def _learn(self, ids: set[str]) -> None:
        """Fold ids that were not seen before, and remember those that are asked for."""
        new = ids - self._seen
        self._seen |= new
        for each in new:
            name = fold(each)
            if self._names is None or name in self._names:
                self._folded[each] = name
