"""Hypothesis strategies for bytes that are nearly records, and for records with damage."""

from hypothesis import strategies as st

from doll.records.codec import render
from tests.record_strategies import HOSTILE, bodies, fields

_TOKENS = (
    *("---\n", "...\n", "\n", "\r\n", "\r", " ", "  ", "\t", ": ", ":", "- ", "-", "? ", ", "),
    *("[", "]", "{", "}", "[[", "]]", "'", '"', "\\", "|", ">", "|+\n", ">-\n", "#", " # c\n"),
    *("&a ", "*a", "!!str ", "!x ", "<<: ", "%YAML 1.1\n", "%TAG ! x\n", "\ufeff", "\0", "\x85"),
    *("\u2028", "\ud7ff", "\U0010ffff", "title", "tags", "status", "claims", "schema", "created"),
    *("doll/memory/1", "active", "true", "null", "~", "2026-01-01T00:00:00Z", "<<<<<<< a\n"),
    *("=======\n", ">>>>>>> b\n", "title: x\n", "tags: [a]\n", "tags:\n  - a\n", "# h\n", "```\n"),
)
near_yaml = st.lists(st.sampled_from(_TOKENS) | st.sampled_from(HOSTILE), max_size=40).map("".join)
near_records = st.builds("---\n{}\n---\n{}".format, near_yaml, near_yaml).map(str.encode)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A record as doll writes it, with some of its bytes cut out, doubled or replaced."""
    data = render(draw(fields()), draw(bodies))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 12)))
        put = draw(
            st.binary(max_size=4)
            | st.sampled_from(_TOKENS).map(str.encode)
            | st.just(data[start:end] * 2)
        )
        data = data[:start] + put + data[end:]
    return data


anything = st.binary(max_size=300) | near_yaml.map(str.encode) | near_records | damaged()
