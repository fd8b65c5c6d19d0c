"""The spans of time that a date or a time names, and what is said of texts that name none."""

from datetime import UTC, datetime, timedelta

import pytest

from doll.errors import UsageError
from doll.records.periods import HINT, Period, parse_period


def _day(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2026", Period(_day(2026), _day(2027))),
        ("2026-05", Period(_day(2026, 5), _day(2026, 6))),
        ("2026-12", Period(_day(2026, 12), _day(2027))),
        ("2024-02-29", Period(_day(2024, 2, 29), _day(2024, 3, 1))),
        ("9999", Period(_day(9999), None)),
        ("9999-12", Period(_day(9999, 12), None)),
        ("9999-12-31", Period(_day(9999, 12, 31), None)),
        ("0001", Period(_day(1), _day(2))),
    ],
)
def test_dates(text: str, period: Period) -> None:
    assert parse_period(text, "--since") == period


def test_a_moment_is_a_span_too() -> None:
    begin, end = parse_period("2026-05-20T01:00:00+02:00", "--since")
    assert begin == datetime(2026, 5, 19, 23, tzinfo=UTC)
    assert end == begin + timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", HINT),
        ("yesterday", HINT),
        ("20260520", HINT),
        ("0000", HINT),
        ("２０２６", HINT),
        ("2026-13", "there is no month 13; write year-month-day"),
        ("2026-02-30", "there is no 30 February"),
        (
            "2026-05-20T14:00",
            "write 2026-05-20T14:00:00Z, or your own offset for the Z, such as +02:00",
        ),
    ],
)
def test_what_is_none(text: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_period(text, "--until")
    assert caught.value.message.startswith("--until: ")
    assert caught.value.hint == hint
