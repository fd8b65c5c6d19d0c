"""Times: RFC 3339 with an offset, as text and as aware datetimes in UTC.

Nothing here reads the clock: `now` comes from the cli as a value.
"""

from datetime import UTC, datetime, timedelta

from doll.errors import UsageError

HINT = "write a time with its offset, such as 2026-08-20T14:32:05Z or 2026-08-20T16:32:05+02:00"


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
        raise UsageError(f"--as-of: {text!r} is no time", hint=HINT) from error


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
