"""What use and feedback add to scores in `activation/1`. Pure; the signals come as values.

A record that was recalled or called helpful gains, one that was called irrelevant or contradicted
loses, at most `MOST` of its own score. Signals fade by whole days. What gains goes at most `REACH`
of the way to the best match, so that match stays first, used or not; only the user's own word
against it can take its place. So scores depend on what the answer may show, not on the vault alone.
The shape of the decay is that of engrams (PLUR): e^(-0.05 d).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import exp
from typing import Literal, NamedTuple

from doll.recall.query import Query
from doll.recall.ranking import Addition, Algorithm, Corpus, Ranking
from doll.recall.rows import Row
from doll.records.names import fold
from doll.vault.signals import Use, Verdict

DECAY, HORIZON = 0.05, 180
# Thousandths of a score, and of the way to the best match.
MOST, REACH = 200, 900
# What a fresh signal is worth, in thousandths of what can be gained. Neither all recalls nor all
# models together outweigh one fresh word of the user.
RECALLED, RECALLED_MOST = 25, 150
USER: Mapping[Verdict, int] = {"helpful": 250, "irrelevant": -500, "contradicted": -750}
MODEL: Mapping[Verdict, int] = {"helpful": 100, "irrelevant": -150, "contradicted": -200}
MODEL_MOST = 200
_FULL = 1000
_MILLION = 1_000_000
_FADED = tuple(int(_MILLION * exp(-DECAY * days) + 0.5) for days in range(HORIZON + 1))

CONSTANTS: Mapping[str, float | int] = {
    "decay": DECAY,
    "horizon_days": HORIZON,
    "most": MOST / _FULL,
    "reach": REACH / _FULL,
    "recalled": RECALLED / _FULL,
    "recalled_most": RECALLED_MOST / _FULL,
    "model_most": MODEL_MOST / _FULL,
    **{f"user_{verdict}": worth / _FULL for verdict, worth in USER.items()},
    **{f"model_{verdict}": worth / _FULL for verdict, worth in MODEL.items()},
}


class Activation:
    """Another algorithm's scores, to which use and feedback are added once it is known what shows.

    `rank` gives the scores without them; `reinforced` adds them.
    """

    name, version = "activation", 1

    def __init__(self, base: Algorithm) -> None:
        self._base = base
        self.constants: Mapping[str, float | int] = {**base.constants, **CONSTANTS}

    def rank(self, corpus: Corpus, query: Query, as_of: datetime) -> Ranking:
        """Score the documents that match, without use and feedback."""
        return self._base.rank(corpus, query, as_of)


class Pull(NamedTuple):
    """What use and feedback are worth to one record, in thousandths of what can be gained."""

    recalled: int = 0
    user: int = 0
    model: int = 0

    @property
    def whole(self) -> int:
        """All of it together, from -1000 to 1000."""
        return _within(sum(self), _FULL)


_Key = tuple[int, str, str]


def reinforced(
    ranking: Ranking, shown: Sequence[Row], uses: Mapping[str, Use], as_of: datetime
) -> Ranking:
    """Return a ranking in which the records of `shown` have what use and feedback add.

    `shown` are all that the answer may show, `uses` are by folded id. Other scores stay.
    """
    used = {row.serial: use_of(row, uses) for row in shown} if uses else {}
    today = as_of.astimezone(UTC).toordinal()
    pulls = {serial: pull(use, today) for serial, use in used.items() if use != Use()}
    best = min((_key(ranking, row) for row in shown if not _blamed(pulls, row)), default=None)
    scores, additions = dict(ranking.scores), dict(ranking.additions)
    for row in shown:
        each = pulls.get(row.serial)
        if each is not None and any(each):
            key = _key(ranking, row)
            said = tuple(_additions(used[row.serial], each, key, best))
            scores[row.serial] += sum(one.points for one in said)
            additions[row.serial] = (*additions.get(row.serial, ()), *said)
    return ranking._replace(scores=scores, additions=additions)


def names_of(row: Row) -> Iterable[str]:
    """Return the folded names under which signals stand for a record: none for a candidate."""
    return () if row.is_candidate else dict.fromkeys((fold(row.id), *row.aliases))


def use_of(row: Row, uses: Mapping[str, Use]) -> Use:
    """Return what is known of a record under its names."""
    found = [uses[name] for name in names_of(row) if name in uses]
    if len(found) < 2:
        return found[0] if found else Use()
    days = sorted({day for use in found for day in use.recalled})
    user = sorted({said for use in found for said in use.user})
    model = sorted({said for use in found for said in use.model})
    return Use(tuple(days), tuple(user), tuple(model))


def pull(use: Use, today: int) -> Pull:
    """Return what use is worth on the day `today`, an ordinal; later days count for nothing."""
    recalled = sum(_faded(RECALLED, today - day) for day in use.recalled)
    user = sum(_faded(USER[said], today - day) for day, said in use.user)
    model = sum(_faded(MODEL[said], today - day) for day, said in use.model)
    return Pull(
        min(recalled // _MILLION, RECALLED_MOST),
        _within(_toward_zero(user, _MILLION), _FULL),
        _within(_toward_zero(model, _MILLION), MODEL_MOST),
    )


def _additions(use: Use, each: Pull, key: _Key, best: _Key | None) -> Iterator[Addition]:
    """Yield what a record gets and why; the points together are what its score changes by."""
    score, given = -key[0], 0
    most = score * MOST // _FULL
    parts: tuple[tuple[Literal["use", "feedback"], str, int], ...] = (
        ("use", _times(len(use.recalled)), each.recalled),
        ("feedback", f"you ({_counted(use.user)})", each.user),
        ("feedback", f"models ({_counted(use.model)})", each.model),
    )
    total = 0
    for kind, said, worth in parts:
        if worth:
            # Differences of running totals: their sum is exact.
            given += worth
            points = _toward_zero(most * given, _FULL) - total
            total += points
            yield Addition(kind, said, points)
    room = _room(most, each.whole, key, best)
    allowed = _toward_zero(room * each.whole, _FULL)
    if allowed != total:
        why = "the best match stays first" if room < most else "a fifth of the score at most"
        yield Addition("use", why, allowed - total)


def _room(most: int, worth: int, key: _Key, best: _Key | None) -> int:
    """Return the most points that a record can gain or lose; `most` is a share of its score."""
    if worth < 0:
        return 0 if key == best else most
    if best is None or key <= best:
        return most
    return min(most, (key[0] - best[0]) * REACH // _FULL)


def _blamed(pulls: Mapping[int, Pull], row: Row) -> bool:
    return row.serial in pulls and pulls[row.serial].user < 0


def _key(ranking: Ranking, row: Row) -> _Key:
    """Return the key of the order of answers: best score, then id, then path."""
    return -ranking.scores[row.serial], row.id, row.path


def _faded(worth: int, days: int) -> int:
    """Return what a signal is worth after whole days, in millionths of a thousandth."""
    return worth * _FADED[days] if 0 <= days <= HORIZON else 0


def _counted(said: Iterable[tuple[int, Verdict]]) -> str:
    """Return `helpful 2, irrelevant 1`."""
    counts = Counter(verdict for _, verdict in said)
    return ", ".join(f"{verdict} {counts[verdict]}" for verdict in USER if counts[verdict])


def _times(days: int) -> str:
    return f"recalled on {days:,} {'day' if days == 1 else 'days'}"


def _toward_zero(value: int, by: int) -> int:
    return value // by if value >= 0 else -(-value // by)


def _within(value: int, most: int) -> int:
    return max(-most, min(most, value))
