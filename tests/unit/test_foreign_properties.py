"""Whatever a store or a log holds: every entry is accounted for, and every candidate is exact."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from doll.errors import InvalidDocumentError
from doll.interchange.base import Decoded, Document
from doll.records import codec
from doll.records.names import id_fault
from tests import engram_documents as engrams
from tests import projectmem_documents as logs

TEXTS = st.text(max_size=40) | st.sampled_from(
    ["---\n", "# x\n", "../../x", "\x1b[31m", "\u202e", "{{x}}", "NO", "1.10", "", "a\r\nb", "\0"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ENGRAM_KEYS = sorted([*engrams.engram(), "rationale", "summary", "created_at", "pinned", "colour"])
ROW_KEYS = sorted([*logs.event(), "outcome", "files", "notes", "supersedes", "colour"])


def _some(keys: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(keys), VALUES, max_size=3)


def _exact(found: Decoded) -> None:
    assert len({each.stem for each in found.candidates}) == len(found.candidates)
    for each in found.candidates:
        assert id_fault(each.stem) is None
        parsed = codec.parse(codec.render(each.fields, each.body), "x.md", each.stem, each.type)
        assert parsed.record is not None
        assert parsed.body == each.body
        assert parsed.record.fields.claims == each.fields.claims
        assert each.fields.origin == "import"
        assert (each.fields.updates, each.fields.reviewed_sha256) == (None, None)
    assert all(each.reason for each in found.parked)


@settings(max_examples=40)
@given(st.lists(_some(ENGRAM_KEYS) | VALUES, max_size=5), st.lists(VALUES, max_size=3))
def test_every_engram_is_accounted_for(changes: list[Any], episodes: list[Any]) -> None:
    entries = [{**engrams.engram(), **e} if isinstance(e, dict) else e for e in changes]
    source = engrams.document(*entries, companions={"episodes.yaml": engrams.listed(*episodes)})
    try:
        found = engrams.decode(source, project="shop")
    except InvalidDocumentError as error:  # a control character or half a pair of surrogates
        assert {problem.code for problem in error.problems} <= {"yaml.syntax", "yaml.key"}  # noqa: PT017
        return
    assert engrams.accounted(found) == len(entries) + len(episodes)
    _exact(found)


@settings(max_examples=60)
@given(st.lists(_some(ROW_KEYS) | VALUES, max_size=6))
def test_every_row_is_accounted_for(changes: list[Any]) -> None:
    rows = [{**logs.event(), **each} if isinstance(each, dict) else each for each in changes]
    found = logs.decode(logs.log(logs.event("One"), *rows))
    assert logs.accounted(found) == len(rows) + 1
    _exact(found)


@settings(max_examples=40)
@given(st.binary(max_size=200))
def test_every_line_of_any_bytes_is_accounted_for(data: bytes) -> None:
    document = Document("events.jsonl", b"{}\n" + data)
    lines = sum(1 for each in document.data.split(b"\n") if each.removesuffix(b"\r").strip())
    assert logs.accounted(logs.decode(document)) == lines
