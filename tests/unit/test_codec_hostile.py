"""No bytes give a traceback, or cost much time or memory."""

import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doll.errors import CODES
from doll.records.codec import Parsed, parse
from doll.records.limits import MAX_FILE_BYTES, MAX_PROBLEMS
from doll.records.model import FOLDERS, TYPES, RecordType
from tests.guard import no_hang
from tests.hostile_bytes import anything

MIB = 1024 * 1024


def check(data: bytes, record_type: RecordType | None) -> Parsed:
    """Read any bytes; what holds of every result."""
    folder = FOLDERS[record_type] if record_type else "staging/pam/a"
    with no_hang():
        parsed = parse(data, f"{folder}/x.md", "x", record_type)
    assert (parsed.record is None) == any(p.severity == "error" for p in parsed.problems)
    assert len(parsed.problems) <= MAX_PROBLEMS + 1
    assert list(parsed.problems) == sorted(parsed.problems)
    lines = data.split(b"\n")
    for problem in parsed.problems:
        assert problem.code in CODES
        assert problem.message
        assert problem.hint
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
    if parsed.record is not None:
        assert data.endswith(parsed.body.encode())
        assert all(1 < line <= len(lines) for line in parsed.record.lines.values())
    return parsed


@given(anything, st.sampled_from([*TYPES, None]))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_bytes_are_read_or_named(data: bytes, record_type: RecordType | None) -> None:
    check(data, record_type)


@pytest.mark.soak
@given(anything, st.sampled_from([*TYPES, None]))
@settings(max_examples=50_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_bytes_are_read_or_named_in_the_large(
    data: bytes, record_type: RecordType | None
) -> None:
    check(data, record_type)


@pytest.mark.soak
@given(anything, anything, st.integers(1, MAX_FILE_BYTES))
@settings(max_examples=75, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_bytes_repeated_to_any_size(head: bytes, part: bytes, size: int) -> None:
    check(head + part * (size // max(len(part), 1)), "memory")
    check(b"---\ntitle: x\n---\n" + part * (size // max(len(part), 1)), "memory")


def front(block: str, body: str = "") -> bytes:
    return f"---\n{block}\n---\n{body}".encode()


def bomb() -> bytes:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 8)}]" for n in range(1, 60)]
    return front("\n".join(lines))


BOMBS: dict[str, Callable[[], bytes]] = {
    "alias bomb": bomb,
    "self reference": lambda: front("tags: &a [*a, *a]\nclaims: &b {x: *b}"),
    "merge keys": lambda: front("a: &a {b: c}\n" + "k: {<<: *a}\n" * 2000),
    "a block of 5 MB": lambda: front("title: " + "x" * 5_000_000),
    "a block of 4 MB": lambda: front("title: " + "x" * 4_000_000),
    "a block that is never closed": lambda: b"---\n" + b"title: x\n" * 400_000,
    "a fence of spaces": lambda: b"---" + b" " * 4_000_000 + b"x",
    "fences of spaces": lambda: b"---\n" + (b"---" + b" " * 1000 + b"x\n") * 4000,
    "100,000 brackets": lambda: front("title: " + "[" * 100_000),
    "100,000 braces": lambda: front("title: " + "{" * 100_000),
    "100,000 dashes": lambda: front("title:\n " + "- " * 100_000),
    "brackets": lambda: front("title: " + "[" * 65_000),
    "braces": lambda: front("title: " + "{" * 65_000),
    "mappings": lambda: front("title: " + "{a: " * 16_000),
    "dashes": lambda: front("title:\n " + "- " * 32_000),
    "keys": lambda: front("? " * 32_000),
    "colons": lambda: front(": " * 32_000),
    "brackets on lines": lambda: front("title:\n" + " [\n" * 20_000),
    "closed brackets": lambda: front("title: " + "[" * 32_000 + "]" * 32_000),
    "brackets in the body": lambda: front("title: x", "[" * 100_000),
    "stairs": lambda: front("\n".join(" " * n + "a:" for n in range(350))),
    "quotes": lambda: front("title: " + "'" * 65_000),
    "escapes": lambda: front('title: "' + "\\" * 65_000),
    "anchors": lambda: front("tags: [" + "&a b," * 13_000 + "]"),
    "tags": lambda: front("tags: [" + "!a b," * 13_000 + "]"),
    "aliases": lambda: front("tags: [" + "*a ," * 16_000 + "]"),
    "duplicates": lambda: front("a: b\n" * 13_000),
    "unknown keys": lambda: front("\n".join(f"k{n}:" for n in range(9000))),
    "long unknown keys": lambda: front("\n".join(f"valid_{'u' * 900}{n}:" for n in range(70))),
    "misspelt choices": lambda: front("status: " + "activ" * 13_000),
    "wrong items": lambda: front("tags: [" + "[]," * 21_000 + "]"),
    "wrong globs": lambda: front("effect: deny\npaths: [" + "'!'," * 16_000 + "]"),
    "control characters": lambda: front("title: " + "\x01" * 65_000),
    "spaces": lambda: front("title:" + " " * 65_000 + "x"),
    "comments": lambda: front("#" * 65_000),
    "headings that never end": lambda: front("kind: fact", "# a" + " #" * 2_000_000 + "b"),
    "headings of spaces": lambda: front("kind: fact", "# " + " " * 4_000_000 + "\n"),
    "empty headings": lambda: front("kind: fact", "# \n" * 1_300_000),
    "signs": lambda: front("kind: fact", "#" * 4_000_000),
    "code fences": lambda: front("kind: fact", "```\n" * 1_000_000),
    "ticks": lambda: front("kind: fact", "`" * 4_000_000 + "x`"),
    "conflicts begun": lambda: front("title: x", ">>>>>>> b\n" + "<<<<<<< a\n" * 400_000),
    "conflicts parted": lambda: front("title: x", ">>>>>>> b\n" + "<<<<<<< a\n=======\n" * 200_000),
    "conflicts": lambda: front("title: x", "<<<<<<< a\n=======\n>>>>>>> b\n" * 140_000),
    "lines": lambda: front("title: x", "\n" * 4_000_000),
    "almost fences": lambda: front("title: x", "---x\n" * 800_000),
    "no text at all": lambda: b"\xff" * 4_000_000,
    "a wrong byte at the end": lambda: front("title: x", "é" * 2_000_000) + b"\xff",
    "a NUL byte at the end": lambda: front("title: x", "\n" * 4_000_000 + "\0"),
    "long stretches of a title": lambda: front("title: " + "a, " * 20_000 + "\x01"),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", BOMBS)
def test_within_a_second_for_each_mib(name: str) -> None:
    data = BOMBS[name]()
    check(data, "policy" if b"effect" in data[:20] else "memory")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "name",
    [
        *("alias bomb", "self reference", "merge keys", "a block of 5 MB", "a block of 4 MB"),
        *("100,000 brackets", "100,000 dashes", "brackets", "mappings", "dashes", "anchors"),
        *("unknown keys", "wrong items", "control characters", "lines"),
    ],
)
def test_in_bounded_memory(name: str) -> None:
    """At most some copies of the text, at four bytes a character, and what 64 KiB of it can say."""
    data = BOMBS[name]()
    tracemalloc.start()
    try:
        parse(data, "confirmed/x.md", "x", "memory")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 12 * len(data) + 40 * MIB
