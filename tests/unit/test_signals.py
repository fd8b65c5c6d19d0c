"""Lines of the usage log: what is a signal, what is skipped, and what they add up to."""

import hashlib
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.vault.signals import Day, Feedback, Recall, Signal, Use, Verdict, add_up, decode, encode

TODAY = date(2026, 8, 20)
DAY = TODAY.toordinal()
UNTIL = "2026-08-20T12:00:00Z"
GOOD = b'{"at":"2026-08-20T10:00:00Z","ids":["a"],"kind":"recall"}'


def feedback(said: Verdict, at: str = "10:00:00", by: str = "user", *ids: str) -> bytes:
    return encode(Feedback(f"2026-08-20T{at}Z", ids or ("a",), said, by))


def use(*lines: bytes, name: str = "a") -> Use:
    return add_up([Day(TODAY, b"".join(lines))], UNTIL).by_id[name]


def test_a_line_is_sorted_and_ends_with_a_line_feed() -> None:
    assert feedback("helpful") == (
        b'{"at":"2026-08-20T10:00:00Z","by":"user","ids":["a"],"kind":"feedback","said":"helpful"}\n'
    )
    assert encode(Recall("2026-08-20T10:00:00Z", ("a",))) == GOOD + b"\n"


@pytest.mark.parametrize(
    "signal",
    [
        Recall("2026-08-20T00:00:00Z", ("a", "珈琲の淹れ方")),
        Feedback("2026-08-20T23:59:59Z", ("a",), "irrelevant", "model:m/1.0"),
    ],
)
def test_a_signal_reads_back(signal: Signal) -> None:
    assert decode(encode(signal).rstrip(b"\n"), "2026-08-20") == signal


@pytest.mark.parametrize(
    "line",
    [
        GOOD[:-1],
        b'{"x":' * 2000,
        GOOD[:-1] + b',"x":' + b"[" * 2000 + b"]" * 2000 + b"}",
        b"{}",
        b"[]",
        b"\xff\xfe",
        b"null",
        b"hello",
        GOOD + GOOD,
        GOOD.replace(b"recall", b"approved"),
        GOOD.replace(b'["a"]', b'"a"'),
        GOOD.replace(b'["a"]', b"[1]"),
        GOOD.replace(b"Z", b"+02:00"),
        GOOD.replace(b"2026-08-20T", b"2026-08-21T"),
        GOOD.replace(b"T10", b"T1"),
        feedback("helpful").replace(b"helpful", b"approved"),
        feedback("helpful").replace(b'"user"', b'"root"'),
        feedback("helpful").replace(b'"user"', b'"model:"'),
        feedback("helpful").replace(b'"user"', b'"user\\n"'),
        b'{"at":"2026-08-20T10:00:00Z","ids":["a"],"kind":"feedback","said":"helpful"}',
    ],
)
def test_what_is_no_signal_is_skipped_and_counted(line: bytes) -> None:
    found = add_up([Day(TODAY, line.rstrip(b"\n") + b"\n\n" + GOOD + b"\n")], UNTIL)
    assert (found.signals, found.skipped) == (1, 1)
    assert found.by_id == {"a": Use(recalled=(DAY,))}
    assert found.digest == hashlib.sha256(GOOD + b"\n").hexdigest()


def test_a_field_of_a_later_version_does_no_harm() -> None:
    assert decode(GOOD.replace(b"{", b'{"later":[1],'), "2026-08-20") is not None


def test_a_last_line_without_its_end_counts_where_it_is_whole() -> None:
    assert add_up([Day(TODAY, GOOD)], UNTIL).signals == 1
    assert add_up([Day(TODAY, GOOD[:-9])], UNTIL).skipped == 1


def test_what_is_later_than_the_moment_does_not_count() -> None:
    days = [Day(TODAY, GOOD + b"\n" + feedback("helpful", "12:00:01"))]
    found = add_up(days, UNTIL)
    assert (found.signals, found.skipped) == (1, 0)
    assert add_up(days, "2026-08-20T12:00:01Z").signals == 2


def test_a_thousand_recalls_of_a_day_are_one() -> None:
    assert use(*[encode(Recall("2026-08-20T10:00:00Z", ("a", "a")))] * 1000) == Use((DAY,))


def test_the_last_word_of_a_day_counts_for_the_user_and_for_models_apart() -> None:
    lines = [
        feedback("helpful", "10:00:00"),
        feedback("irrelevant", "09:00:00"),
        feedback("helpful", "08:00:00", "model:a"),
        feedback("contradicted", "08:00:00", "model:b"),
    ]
    assert use(*lines) == Use((), ((DAY, "helpful"),), ((DAY, "contradicted"),))


def test_ids_are_compared_folded() -> None:
    found = use(feedback("helpful", "10:00:00", "user", "Ärger"), name="ärger")
    assert found.user == ((DAY, "helpful"),)


moments = st.builds("2026-08-{:02}T10:0{}:00Z".format, st.integers(18, 20), st.integers(0, 3))
some_ids = st.lists(st.sampled_from(["a", "A", "b", "Ärger", "ärger"]), max_size=3).map(tuple)
verdicts = st.sampled_from(["helpful", "irrelevant", "contradicted"])
signals = st.builds(Recall, moments, some_ids) | st.builds(
    Feedback, moments, some_ids, verdicts, st.sampled_from(["user", "model:a", "model:b"])
)


@given(st.lists(signals, max_size=12), st.sets(st.sampled_from(["a", "b", "ärger"])))
def test_what_is_asked_for_adds_up_as_in_the_whole(found: list[Signal], names: set[str]) -> None:
    """Held against a plain sum, signal by signal."""
    days: dict[date, list[Signal]] = {}
    for signal in found:
        days.setdefault(date.fromisoformat(signal.at[:10]), []).append(signal)
    files = [Day(day, b"".join(map(encode, days[day]))) for day in sorted(days)]
    some = add_up(files, UNTIL, names)
    whole = add_up(files, UNTIL)
    assert some.by_id == {name: use for name, use in whole.by_id.items() if name in names}
    assert some[1:] == whole[1:]
    for name in ("a", "b", "ärger"):
        of_it = [s for s in found if name in {one.lower() for one in s.ids}]
        recalled = {s.at[:10] for s in of_it if isinstance(s, Recall)}
        last: dict[tuple[bool, str], tuple[str, int, Verdict]] = {}
        for place, s in enumerate(of_it):
            if isinstance(s, Feedback):
                key = s.by == "user", s.at[:10]
                last[key] = max(last.get(key, ("", 0, s.said)), (s.at, place, s.said))
        use = whole.by_id.get(name, Use())
        assert [date.fromordinal(day).isoformat() for day in use.recalled] == sorted(recalled)
        for is_user, said in ((True, use.user), (False, use.model)):
            expected = sorted((day, v[2]) for (u, day), v in last.items() if u == is_user)
            assert [(date.fromordinal(d).isoformat(), v) for d, v in said] == expected


@given(st.lists(st.binary(max_size=60) | st.sampled_from([GOOD, feedback("helpful")]), max_size=8))
def test_any_bytes_are_read(parts: list[bytes]) -> None:
    data = b"\n".join(parts)
    found = add_up([Day(TODAY, data)], UNTIL)
    lines = [line for line in data.split(b"\n") if line]
    assert found.signals + found.skipped == len(lines)
    assert found.by_id.keys() <= {"a"}
