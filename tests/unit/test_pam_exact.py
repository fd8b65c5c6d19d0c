"""Properties: a candidate reads back exactly, and puts the whole memory together again."""

import copy
import json

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.interchange.base import Candidate, Decoded, Document, Options
from doll.interchange.pam.adapter import PamAdapter
from doll.records import codec
from doll.records.model import Memory
from tests.pam_documents import Json, encoded, full_memory, memory, store

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
ODD = st.sampled_from(
    ["---\ntitle: x\n---\n", "\r\n", "\ufeff", "\x1b[31m", "\u2028", "\u202e", "\x85"]
)
CONTENTS = st.lists(TEXTS | ODD, min_size=1).map("".join).filter(bool)


def decode(document: Json) -> Decoded:
    return PamAdapter().decode(Document("export.json", encoded(document)), Options())


@settings(deadline=None)
@given(CONTENTS, TEXTS.filter(bool), TEXTS, st.dictionaries(TEXTS, TEXTS, max_size=3))
def test_what_is_not_parked_reads_back_exactly(
    content: str, source_id: str, summary: str, metadata: dict[str, str]
) -> None:
    open_names = {f"x{name}": text for name, text in metadata.items()}
    each = memory(content, id=source_id, summary=summary, metadata=open_names)
    decoded = decode(store(each))
    assert len(decoded.candidates) + len(decoded.parked) == 1
    for found in decoded.candidates:
        assert found.body == content
        parsed = codec.parse(codec.render(found.fields, content), "x.md", found.stem, "memory")
        assert (parsed.problems, parsed.body) == ((), content)
        assert parsed.record is not None
        assert msgspec.structs.replace(parsed.record.fields, schema=None) == found.fields


FULL = full_memory(metadata={"language": "en", "domain": "d", "a/b": [1, None], "~": {"x": 0.5}})
PATHS = [
    (name, part)
    for name, value in FULL.items()
    for part in (value if isinstance(value, dict) else [None])
    if (name, part) not in {("temporal", "created_at"), ("provenance", "platform")}
    and name not in {"id", "type", "content", "content_hash", "provenance", "temporal"} | {None}
]


@settings(deadline=None)
@given(st.sets(st.sampled_from(PATHS)), st.sampled_from(["fact", "instruction", "custom"]))
def test_nothing_that_is_said_vanishes(dropped: set[tuple[str, str | None]], kind: str) -> None:
    each = copy.deepcopy(FULL) | {"type": kind, "custom_type": "own" if kind == "custom" else None}
    for name, part in dropped:
        if name == "custom_type":
            continue
        if part is None:
            each[name] = [] if name == "tags" else None if name != "status" else "active"
        else:
            del each[name][part]
    document = store(each)
    found = decode(document).candidates[0]
    assert _rebuilt(found) == _without_absent(document["memories"][0])


def _rebuilt(found: Candidate) -> Json:
    """Put a memory together again from what the candidate keeps."""
    made = found.fields
    assert isinstance(made, Memory)
    parts: Json = {"id": found.source_id, "content": found.body, "tags": list(made.tags)}
    parts |= {"type": made.kind, "summary": made.summary, "access": {}}
    if not made.exportable:
        parts["access"]["exportable"] = False
    for name, moment in (("created_at", made.created), ("updated_at", made.updated)):
        text = moment.isoformat().replace("+00:00", "Z") if moment else None
        parts.setdefault("temporal", {})[name] = text
    for pointer, text in made.claims.items():
        names = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
        target = parts
        for name in names[:-1]:
            target = target.setdefault(name, {})
        target[names[-1]] = json.loads(text)
    return _without_absent(parts)


def _without_absent(each: Json) -> Json:
    kept: Json = {}
    for name, value in each.items():
        inner = (
            {k: v for k, v in value.items() if v is not None} if isinstance(value, dict) else value
        )
        if inner not in (None, [], {}):
            kept[name] = inner
    return kept
