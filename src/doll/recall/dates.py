"""Dates that a question names, as spans of time: `in May 2023`, `last week of August`, `昨日`.

Pure; `as_of` is what `yesterday` is counted from. All dates are UTC, as the filters' are. A date
is a chain of levels, the year before the month before the days: a record of the same month is
nearer to a day than one of another month.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from doll.recall.datewords import EARLY_MID_LATE, MONTHS, RELATIVE, WEEKS, date_pattern, may_name

# A date without a year is one of any of these years.
_YEARS = range(1970, 2101)
_EPOCH = date(1970, 1, 1)
_DAY = 86_400_000_000


# Microseconds since 1970: the first of each span and the first after it, in order.
Spans = tuple[tuple[int, int], ...]


class Level(NamedTuple):
    """One level of a date, as it is said, and the spans of time that it is."""

    said: str
    spans: Spans


class Named(NamedTuple):
    """One date of a question: its levels from the widest to the narrowest, which is as it is said.

    A `narrow` one names a month or less: what was then is an answer, whatever its words.
    """

    levels: tuple[Level, ...]
    narrow: bool


def named(text: str, as_of: datetime) -> tuple[Named, ...]:
    """Return the dates that `text`, which must be in normal form, names, each once."""
    found: dict[tuple[Spans, ...], Named] = {}
    for match in date_pattern().finditer(text) if may_name(text) else ():
        one = _relative(match, as_of) if match["relative"] else _calendar(match)
        if one is not None:
            found.setdefault(tuple(level.spans for level in one.levels), one)
    return tuple(found.values())


def _calendar(match: re.Match[str]) -> Named | None:
    part = {name: value for name, value in match.groupdict().items() if value}
    year = next((int(part[key]) for key in part if key.startswith("year")), None)
    month = next((_month(part[key]) for key in part if key.startswith("month")), None)
    day = next((int(part[key]) for key in part if key.startswith("day")), None)
    if month not in (None, *range(1, 13)) or day not in (None, *range(1, 32)):
        return None
    years = _YEARS if year is None else (year,)
    spans = [tuple(_span(date(y, 1, 1), date(y, 12, 31)) for y in years)] if year else []
    if month is not None:
        spans.append(tuple(_days(y, month, 1, 31) for y in years))
    if month is not None and (days := _part_of_month(part, day)) is not None:
        in_it = (y for y in years if days[0] <= monthrange(y, month)[1])
        spans.append(tuple(_days(y, month, *days) for y in in_it))
    said = [*([str(year)] if year else []), f"{year or ''}-{month:02}" if month else ""]
    said[len(spans) - 1 :] = [match[0].strip()]
    return Named(tuple(map(Level, said, spans)), narrow=month is not None)


def _part_of_month(part: dict[str, str], day: int | None) -> tuple[int, int] | None:
    """Return the first and the last day; below zero counts from the end of the month."""
    if day is not None:
        return day, day
    if "week" in part:
        return WEEKS[part["week"].lower()]
    if "third" in part:
        return EARLY_MID_LATE[part["third"].lower().split()[0].rstrip("-")]
    return None


def _month(text: str) -> int:
    return int(text) if text.isdecimal() else MONTHS[text[:3].lower()]


def _days(year: int, month: int, first: int, last: int) -> tuple[int, int]:
    length = monthrange(year, month)[1]
    if first < 0:
        first, last = length + 1 + first, length
    return _span(date(year, month, min(first, length)), date(year, month, min(last, length)))


def _span(first: date, last: date) -> tuple[int, int]:
    return (first - _EPOCH).days * _DAY, ((last - _EPOCH).days + 1) * _DAY


def _relative(match: re.Match[str], as_of: datetime) -> Named | None:
    unit, back = RELATIVE[match["relative"].lower()]
    today = as_of.astimezone(UTC).date()
    try:
        levels = tuple(Level(match[0], (span,)) for span in _back(today, unit, back))
    except (ValueError, OverflowError):  # before the first year, or after the last
        return None
    return Named(levels, narrow=unit != "year")


def _back(today: date, unit: str, back: int) -> Iterator[tuple[int, int]]:
    if unit == "year":
        year = today.year - back
        yield _span(date(year, 1, 1), date(year, 12, 31))
    elif unit == "month":
        months = today.year * 12 + today.month - 1 - back
        yield _days(months // 12, months % 12 + 1, 1, 31)
    elif unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * back)
        yield _span(monday, monday + timedelta(days=6))
    else:
        day = today - timedelta(days=back)
        yield _span(day, day)
