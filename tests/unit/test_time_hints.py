"""What to write instead of a text that is no time: the nearest time, or why there is none."""

import pytest

from doll.errors import UsageError
from doll.records import times


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-02-30T10:00:00Z", "there is no 30 February"),
        ("2026-02-29T10:00:00Z", "there is no 29 February 2026"),
        ("2100-02-29", "there is no 29 February 2100"),
        ("2026-04-31", "there is no 31 April"),
        ("2026-13-01", "there is no month 13; write year-month-day"),
        ("2026-01-01T24:00:00Z", "there is no hour 24; midnight is 00:00:00 of the next day"),
        ("2026-01-01 24:00", "there is no hour 24; midnight is 00:00:00 of the next day"),
        ("2026-01-01T24:00:01Z", "there is no hour 24; the last is 23"),
        ("2026-01-01T23:60:00Z", "there is no minute 60; the last is 59"),
        ("2026-01-01T23:59:60Z", "leap seconds are not read; write second 59"),
        ("2026-01-01T23:59:61Z", "there is no second 61; the last is 59"),
        ("2026-01-01T10:00:00+0200", "write 2026-01-01T10:00:00+02:00"),
        ("2026-01-01T10:00:00-05", "write 2026-01-01T10:00:00-05:00"),
        ("2026-01-01T10:00Z", "write 2026-01-01T10:00:00Z"),
        ("2026-01-01 9:05:00.25 UTC", "write 2026-01-01T09:05:00.25Z"),
        ("2026-01-01T25:00:00Z", "there is no hour 25; the last is 23"),
        ("2026-01-01T10:00:00+99:00", times.HINT),
        ("0000-01-01", times.HINT),
        ("yesterday", times.HINT),
        ("", times.HINT),
    ],
)
def test_the_hint(text: str, said: str) -> None:
    assert times.hint(text) == said


@pytest.mark.parametrize("text", ["2026-01-01", "2026-01-01T00:00", "2026-01-01T00:00:00"])
def test_a_time_without_an_offset_is_offered_in_utc_and_asks_for_it(text: str) -> None:
    assert times.hint(text) == (
        "write 2026-01-01T00:00:00Z, or your own offset for the Z, such as +02:00"
    )


@pytest.mark.parametrize("text", ["2028-02-29", "2000-02-29", "2026-12-31T23:59+01"])
def test_what_is_offered_is_a_time(text: str) -> None:
    offered = times.hint(text).split()[1].rstrip(",")
    assert times.parse(offered).tzinfo is not None


def test_as_of_says_it_too() -> None:
    with pytest.raises(UsageError) as raised:
        times.parse_as_of("2026-02-30")
    assert raised.value.hint == "there is no 30 February"
