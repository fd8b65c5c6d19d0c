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


@given(st.lists(st.binary(max_size=60) | st.sampled_from([GOOD, feedback("helpful")]), max_size=8))
def test_any_bytes_are_read(parts: list[bytes]) -> None:
    data = b"\n".join(parts)
    found = add_up([Day(TODAY, data)], UNTIL)
    lines = [line for line in data.split(b"\n") if line]
    assert found.signals + found.skipped == len(lines)
    assert found.by_id.keys() <= {"a"}
