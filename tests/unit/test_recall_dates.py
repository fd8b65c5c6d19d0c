"""Dates that a question names: what is one, which spans it means, and what is none."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.recall.dates import named

NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)  # a Thursday


def _spans(text: str) -> list[str]:
    """Return the narrowest level of each date as `first..last`, the first year of many alone."""
    found = []
    for one in named(text, NOW):
        begin, end = one.levels[-1].spans[0]
        days = [datetime.fromtimestamp(m / 1e6, UTC).date() for m in (begin, end - 1)]
        found.append("..".join(map(str, dict.fromkeys(days))))
    return found


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("what happened on 2023-05-08", ["2023-05-08"]),
        ("notes of 2023-05", ["2023-05-01..2023-05-31"]),
        ("notes of 2023/5/8", ["2023-05-08"]),
        ("dinner on May 3, 2023?", ["2023-05-03"]),
        ("dinner on 3 May, 2023?", ["2023-05-03"]),
        ("dinner on the 3rd of May 2023", ["2023-05-03"]),
        ("on Sept. 9th, 2023", ["2023-09-09"]),
        ("in May 2023", ["2023-05-01..2023-05-31"]),
        ("in may 2023", ["2023-05-01..2023-05-31"]),
        ("last week of August 2023", ["2023-08-25..2023-08-31"]),
        ("the first week of February 2024", ["2024-02-01..2024-02-07"]),
        ("last week of February 2024", ["2024-02-23..2024-02-29"]),
        ("early June 2023", ["2023-06-01..2023-06-10"]),
        ("in mid-June 2023", ["2023-06-11..2023-06-20"]),
        ("the end of June 2023", ["2023-06-21..2023-06-30"]),
        ("in 2023", ["2023-01-01..2023-12-31"]),
        ("between May 3, 2023 and May 10, 2023", ["2023-05-03", "2023-05-10"]),
        ("2023年5月8日吃了什么", ["2023-05-08"]),
        ("2023年5月の旅行", ["2023-05-01..2023-05-31"]),
        ("2023년 5월 8일", ["2023-05-08"]),
        ("what did I do yesterday", ["2026-08-19"]),
        ("what did I do last week", ["2026-08-10..2026-08-16"]),
        ("what did I do last month", ["2026-07-01..2026-07-31"]),
        ("what did I do last year", ["2025-01-01..2025-12-31"]),
        ("昨日の会議", ["2026-08-19"]),
        ("去年的旅行", ["2025-01-01..2025-12-31"]),
        ("in August", ["1970-08-01..1970-08-31"]),
        ("8月", ["1970-08-01..1970-08-31"]),
    ],
)
def test_what_is_a_date(text: str, spans: list[str]) -> None:
    assert _spans(text) == spans


@pytest.mark.parametrize(
    "text",
    [
        "may I march in",
        "this may be it, by march or may",
        "port 2023:8080 and v2023.1",
        "error-2023-x",
        "3/4 of 12",
        "the Decision of Mars",
        "2023-13-40",
        "2023-00-08 0月1日 2023-05-00",
        "lastyear",
        "on 99 May 12345",
        "",
    ],
)
def test_what_is_none(text: str) -> None:
    assert _spans(text) == []


def test_a_day_is_within_its_month_and_its_year() -> None:
    (one,) = named("on May 3, 2023", NOW)
    assert len(one.levels) == 3
    for wide, narrow in zip(one.levels, one.levels[1:], strict=False):
        assert wide.spans[0][0] <= narrow.spans[0][0] < narrow.spans[0][1] <= wide.spans[0][1]
    assert [level.said for level in one.levels] == ["2023", "2023-05", "May 3, 2023"]
    assert one.narrow
    assert not named("in 2023", NOW)[0].narrow


def test_a_month_without_a_year_is_of_any_year() -> None:
    (one,) = named("in August", NOW)
    spans = one.levels[0].spans
    assert len(spans) > 100
    assert list(spans) == sorted(spans)


def test_the_same_date_said_twice_counts_once() -> None:
    assert len(named("on May 3, 2023, I mean 2023-05-03", NOW)) == 1


@given(st.text() | st.from_regex(r"[0-9]{1,4}[-/. 年]?[0-9]{0,3}[-/ 月]?(May|of)?[0-9]{0,4}日?"))
def test_any_text_is_read(text: str) -> None:
    for one in named(text, NOW):
        assert one.levels
        for level in one.levels:
            assert level.said
            assert all(begin < end for begin, end in level.spans)


@pytest.mark.parametrize(
    "moment", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)]
)
@pytest.mark.parametrize("text", ["yesterday", "last week", "this week", "last month", "last year"])
def test_any_moment_can_be_asked_from(moment: datetime, text: str) -> None:
    named(text, moment)
