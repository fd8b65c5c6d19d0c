"""Periods: the span of time that a text such as `2026-05` names. Pure; reads no clock.

A date is one in UTC, wherever the machine stands: the same question gets the same answer.
"""

import re
from datetime import MAXYEAR, UTC, datetime, timedelta
from typing import NamedTuple

from doll.errors import UsageError
from doll.records import times

HINT = "write 2026, 2026-05, 2026-05-20, or a time with its offset such as 2026-05-20T14:32:05Z"
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_DECEMBER = 12


class Period(NamedTuple):
    """A span of time in UTC: its first moment, and the first one after it (None: no end)."""

    begin: datetime
    end: datetime | None


def parse_period(text: str, option: str) -> Period:
    """Return the year, month, day or moment that `text` names, a moment as its microsecond.

    Raises UsageError, which names `option` and says what to write.
    """
    found = _DATE.fullmatch(text)
    try:
        if found is not None:
            return _named(*found.groups())
        moment = times.parse(text).astimezone(UTC)
        return Period(moment, _after(moment, timedelta(microseconds=1)))
    except ValueError as error:
        nearest = times.hint(f"{text}-01-01"[:10] if found else text)
        hint = HINT if nearest == times.HINT else nearest
        message = f"{option}: {text[:60]!r} is no date and no time"
        raise UsageError(message, hint=hint) from error


def _named(year: str, month: str | None, day: str | None) -> Period:
    begin = datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC)
    if day is not None:
        return Period(begin, _after(begin, timedelta(days=1)))
    last = month is None or begin.month == _DECEMBER
    if last and begin.year == MAXYEAR:
        return Period(begin, None)
    if last:
        return Period(begin, datetime(begin.year + 1, 1, 1, tzinfo=UTC))
    return Period(begin, datetime(begin.year, begin.month + 1, 1, tzinfo=UTC))


def _after(moment: datetime, span: timedelta) -> datetime | None:
    try:
        return moment + span
    except OverflowError:
        return None
