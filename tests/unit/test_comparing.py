"""The unified diff of a review, in bounded time."""

from hypothesis import given
from hypothesis import strategies as st

from doll.services.reviewing.comparing import unified
from tests.guard import no_hang


def _patched(before: str, lines: list[str]) -> list[str]:
    """Return what the added and kept lines of one hunk say, for texts short enough to be whole."""
    return [line[1:] for line in lines[3:] if line[0] in " +"]


def test_a_change_is_shown_with_its_surroundings() -> None:
    assert list(unified("a\nb\nc\n", "a\nB\nc\n", "old", "new")) == [
        "--- a/old",
        "+++ b/new",
        "@@ -1,4 +1,4 @@",
        " a",
        "-b",
        "+B",
        " c",
        " ",
    ]


def test_against_nothing_every_line_is_new() -> None:
    lines = list(unified("", "a\nb", "", "new"))
    assert lines[:2] == ["--- /dev/null", "+++ b/new"]
    assert lines[3:] == ["+a", "+b"]


def test_equal_texts_differ_in_nothing() -> None:
    assert list(unified("a\n" * 3000, "a\n" * 3000, "x", "y")) == []
    assert list(unified("a", "a", "x", "y")) == []


@given(st.lists(st.sampled_from("abc"), max_size=4), st.lists(st.sampled_from("abc"), max_size=4))
def test_a_short_diff_gives_the_new_text(old: list[str], new: list[str]) -> None:
    before, after = "\n".join(old), "\n".join(new)
    lines = list(unified(before, after, "x", "y"))
    if before != after and before:
        assert _patched(before, lines) == after.split("\n")


def test_long_texts_take_no_long_time() -> None:
    old = "\n".join(f"{i % 7}" for i in range(100_000))
    new = "\n".join(f"{i % 5}" for i in range(100_000))
    with no_hang():
        lines = list(unified(old, new, "x", "y"))
    assert sum(line.startswith("-") for line in lines) > 90_000
