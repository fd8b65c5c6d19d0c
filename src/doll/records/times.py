"""Times: RFC 3339 with an offset, as text and as aware datetimes in UTC.

Nothing here reads the clock: `now` comes from the cli as a value.
"""

import re
from datetime import UTC, datetime, timedelta

from doll.errors import UsageError

HINT = "write a time with its offset, such as 2026-08-20T14:32:05Z or 2026-08-20T16:32:05+02:00"
_ALMOST = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[Tt ] ?(?P<clock>[0-9]{1,2}:[0-9]{2})(?P<seconds>:[0-9]{2}(?:\.[0-9]+)?)?"
    r" ?(?P<offset>[Zz]|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_FEBRUARY = 2
_LAST_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def parse(text: str) -> datetime:
    """Return the aware datetime that an RFC 3339 `text` names; ValueError for anything else.

    Source: RFC 3339, section 5.6 (`date-time`), with its lower-case `t` and `z`. Not accepted are
    leap seconds, and what lies outside the years 1 to 9999 in UTC.
    """
    import msgspec

    try:
        value = msgspec.convert(text, datetime)
        if value.tzinfo is None:
            raise ValueError(f"{text!r} has no offset; {HINT}")
        value.astimezone(UTC)
    except (msgspec.ValidationError, OverflowError) as error:
        raise ValueError(f"{text!r} is no time; {HINT}") from error
    # msgspec also takes a space and `+0200`.
    if text[10] == " " or not (text[-1] in "Zz" or text[-3] == ":"):
        raise ValueError(f"{text!r} is not written as RFC 3339 has it; {HINT}")
    return value


def parse_as_of(text: str) -> datetime:
    """Return the moment of an `--as-of` option, in UTC; UsageError says what to write instead."""
    try:
        return parse(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"--as-of: {text!r} is no time", hint=hint(text)) from error


def hint(text: str) -> str:
    """Return what to write instead of a text that is no time: the nearest one, where one is."""
    found = _ALMOST.fullmatch(text.strip())
    if found is None:
        return HINT
    impossible = _impossible(found["date"]) or _no_hour(found["clock"], found["seconds"])
    if impossible:
        return impossible
    offset = _offset(found["offset"])
    mended = f"{found['date']}T{(found['clock'] or '00:00').zfill(5)}{found['seconds'] or ':00'}"
    try:
        parse(mended + (offset or "Z"))
    except ValueError:
        return HINT
    if offset is not None:
        return f"write {mended}{offset}"
    return f"write {mended}Z, or your own offset for the Z, such as +02:00"


def _impossible(date: str) -> str | None:
    """Return in words that the calendar has no such date."""
    year, month, day = map(int, date.split("-"))
    if not 1 <= month <= 12:
        return f"there is no month {month}; write year-month-day"
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    last = 29 if is_leap and month == _FEBRUARY else _LAST_DAYS[month - 1]
    if 1 <= day <= last:
        return None
    in_that_year = f" {year}" if (month, day) == (_FEBRUARY, 29) else ""
    return f"there is no {day} {_MONTHS[month - 1]}{in_that_year}"


def _no_hour(clock: str | None, seconds: str | None) -> str | None:
    """Return in words that no clock shows such a time."""
    hour, minute = map(int, (clock or "0:0").split(":"))
    second = int(seconds[1:3]) if seconds else 0
    if (hour, minute, second) == (24, 0, 0):
        return "there is no hour 24; midnight is 00:00:00 of the next day"
    if hour > 23:
        return f"there is no hour {hour}; the last is 23"
    if minute > 59:
        return f"there is no minute {minute}; the last is 59"
    if second == 60:
        return "leap seconds are not read; write second 59"
    return f"there is no second {second}; the last is 59" if second > 60 else None


def _offset(text: str | None) -> str | None:
    """Return an offset as RFC 3339 has it."""
    if text is None or text in ("Z", "z", "UTC", "GMT"):
        return text and "Z"
    digits = text[1:].replace(":", "").ljust(4, "0")
    return f"{text[0]}{digits[:2]}:{digits[2:]}"


def render(moment: datetime) -> str:
    """Return `moment` as doll writes it: UTC, whole seconds, `Z`."""
    return moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat() + "Z"


def render_exact(moment: datetime) -> str:
    """Return `moment` in its own offset and precision, so that `parse` gives the same moment."""
    text = moment.isoformat()
    return f"{text[:-6]}Z" if text.endswith("+00:00") else text


def stamp(moment: datetime) -> str:
    """Return `moment` as it stands in an experience file name: `20260820T143205Z`."""
    basic = moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat()
    return f"{basic.replace('-', '').replace(':', '')}Z"


def next_full_minute(moment: datetime) -> datetime:
    """Return `moment` in UTC, rounded up to the next full minute (design, section 4)."""
    whole = moment.astimezone(UTC).replace(second=0, microsecond=0)
    return whole if whole == moment.astimezone(UTC) else whole + timedelta(minutes=1)
