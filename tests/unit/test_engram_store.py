"""What a store or pack of engrams becomes: counts, bodies, claims, episodes, tensions."""

from pathlib import Path
from typing import Any

import pytest

from doll.errors import InvalidDocumentError
from doll.interchange.base import Options
from doll.interchange.engram.adapter import EngramAdapter
from doll.interchange.experience import UNKNOWN
from doll.records.model import Experience
from tests.engram_documents import (
    accounted,
    bodies,
    changed,
    decode,
    document,
    engram,
    history,
    listed,
    memory,
    pack,
    raw,
    real,
)

EPISODE = {"id": "EP-1", "summary": "Deployed 1.2.3", "timestamp": "2026-08-20T10:00:00Z"}


@pytest.mark.parametrize(
    ("name", "entries", "meta", "retired"),
    [("store-cli", 11, 0, 2), ("store-full", 9, 1, 2), ("pack-demo", 3, 0, 0)],
)
def test_the_real_stores_are_accounted_for(
    foreign: Path, name: str, entries: int, meta: int, retired: int
) -> None:
    found = decode(real(foreign, name))
    aside = [each.kind for each in found.set_aside]
    assert aside.count("retired") == retired
    assert len(found.candidates) + retired == entries
    assert found.parked == ()
    assert sum(each.source_id.startswith("META-") for each in found.candidates) == meta
    assert found.facts["entries"].startswith(str(entries))


def test_the_real_pack_has_its_integrity(foreign: Path) -> None:
    source = real(foreign, "pack-demo")
    assert decode(source).facts["integrity"] == "equal"
    other = dict(source.companions, **{"SKILL.md": source.companions["SKILL.md"] + b"\n"})
    with pytest.raises(InvalidDocumentError) as caught:
        decode(source._replace(companions=other))
    assert caught.value.problems[0].code == "engram.integrity"


@pytest.mark.parametrize("said", [b"sha256:00", b"", b"md5:1", b"sha256:" + b"0" * 64])
def test_a_pack_with_another_integrity_is_refused(said: bytes) -> None:
    source = pack(engram())
    with pytest.raises(InvalidDocumentError, match="INTEGRITY"):
        decode(source._replace(companions={**source.companions, "INTEGRITY": said}))


def test_a_pack_without_integrity_says_so_and_a_wrong_count_is_named() -> None:
    skill = b"---\nname: demo\nmetadata:\n  engram_count: 3\n---\n"
    found = decode(document(engram(), companions={"SKILL.md": skill}))
    assert found.facts["integrity"] == "none"
    assert found.source == "pack:unknown/demo"
    assert [problem.code for problem in found.problems] == ["engram.shortfall"]


def test_the_rationale_is_a_section_under_the_statement() -> None:
    found = decode(document(engram("Tea.\n", rationale="Sleep."), engram("Milk.", rationale=" ")))
    assert bodies(found) == ["Tea.\n\n\n## Rationale\n\nSleep.", "Milk."]
    assert found.candidates[1].fields.claims["/rationale"] == '" "'


def test_what_has_no_field_is_a_claim_with_its_json() -> None:
    fields: dict[str, Any] = {
        "relations": {"supersedes": ["ENG-9"], "superseded_by": []},
        "structured_data": {"deep": {"a": [1, None, "x"]}, "none": None, "empty": []},
        "provenance": None,
        "contraindications": ["never on a Friday"],
    }
    claims = memory(document(engram(**fields))).claims
    assert claims["/relations/supersedes"] == '["ENG-9"]'
    assert claims["/structured_data/deep"] == '{"a": [1, null, "x"]}'
    assert claims["/structured_data/empty"] == "[]"
    assert claims["/contraindications"] == '["never on a Friday"]'
    assert claims["/activation/retrieval_strength"] == "0.7"
    absent = {"/relations/superseded_by", "/structured_data/none", "/provenance", "/associations"}
    assert not absent & claims.keys()


def test_numbers_stay_as_the_source_wrote_them() -> None:
    base = "engrams:\n  - {id: ENG-1, status: active, type: behavioral, scope: g, statement: x, "
    claims = memory(raw(base + "activation: {a: 0.950, b: 1e3, c: 0o17, d: .5, e: 007}}\n")).claims
    texts = {name.rpartition("/")[2]: text for name, text in claims.items() if "activ" in name}
    assert texts == {"a": "0.950", "b": "1e3", "c": '"0o17"', "d": '".5"', "e": '"007"'}


def test_an_edge_that_supersedes_hides_nothing() -> None:
    newer = engram("New.", id="ENG-2", relations={"supersedes": ["ENG-2026-0820-001"]})
    found = decode(document(engram("Old."), newer))
    assert bodies(found) == ["Old.", "New."]
    assert all(memory(document(each)).supersedes == () for each in (newer, engram()))


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "ABSENT"},
        {"id": "X-1"},
        {"id": 3},
        {"id": "ENG-../../x"},
        {"status": "approved"},
        {"type": "policy"},
        {"scope": "ABSENT"},
        {"statement": ""},
        {"statement": None},
        {"statement": ["a"]},
        {"tags": "one"},
        {"tags": [["a"]]},
        {"rationale": {"a": 1}},
        {"statement": "a\0b"},
        {"structured_data": {"x": "y" * 70_000}},
    ],
)
def test_an_entry_of_another_shape_is_parked(changes: dict[str, Any]) -> None:
    found = decode(document(engram("Tea.", id="ENG-2"), changed(**changes)))
    assert bodies(found) == ["Tea."]
    assert [each.pointer for each in found.parked] == ["/engrams/1"]
    assert found.parked[0].reason


@pytest.mark.parametrize("entry", [None, "text", 3, [], [1]])
def test_an_entry_that_is_no_mapping_is_parked(entry: object) -> None:
    found = decode(document(entry, engram()))
    assert [each.pointer for each in found.parked] == ["/engrams/0"]
    assert accounted(found) == 2


@pytest.mark.parametrize(
    "text", ["[]", "engrams: 3", "engrams:", "a: 1", "engrams: []\nmore: 1", "x", "", "- a"]
)
def test_a_file_of_another_shape_is_refused(text: str) -> None:
    with pytest.raises(InvalidDocumentError) as caught:
        decode(raw(text))
    assert caught.value.problems[0].code == "engram.not_a_store"


def test_a_digest_is_that_of_the_value_not_of_its_spelling() -> None:
    head = "engrams:\n  - {id: ENG-1, status: active, type: behavioral, scope: g, statement: "
    spellings = ["'Tea'}", '"Tea"}', "Tea}", "Tea, tags: []}"]
    digests = [decode(raw(head + each)).candidates[0].entry_digest for each in spellings]
    assert digests[0] == digests[1] == digests[2] != digests[3]


def test_tensions_are_open_questions_whatever_became_of_them() -> None:
    tension = {
        "engram_a": "ENG-1",
        "statement_a": "Tea",
        "engram_b": "ENG-2",
        "reason": "both at once",
        "status": "resolved",
        "resolved_by": "ENG-2",
    }
    found = decode(document(engram(), companions={"tensions.yaml": listed(tension, "odd")}))
    said = "ENG-1 “Tea” or ENG-2: both at once (the source says: resolved)"
    assert found.questions[0].text == said
    assert len(found.questions) == 2
    assert "/resolved_by" not in found.candidates[0].fields.claims


def test_tensions_of_the_real_store(foreign: Path) -> None:
    assert len(decode(real(foreign, "store-full")).questions) == 2


def test_episodes_wait_for_a_project() -> None:
    source = document(engram(), companions={"episodes.yaml": listed(EPISODE)})
    aside = decode(source).set_aside
    assert [(each.kind, each.pointer) for each in aside] == [("episode", "/episodes.yaml/0")]
    found = decode(source, project="shop")
    assert found.set_aside == ()
    candidate = found.candidates[1]
    fields = candidate.fields
    assert isinstance(fields, Experience)
    assert (fields.project, fields.kind, fields.assertion) == (
        "shop",
        "observation",
        "imported_external",
    )
    assert (fields.summary, candidate.body, fields.outcome) == ("Deployed 1.2.3", "", None)
    assert candidate.stem.startswith("20260820T100000Z-observation-deployed-1-2-3-")


@pytest.mark.parametrize("time", ["yesterday", "2026-08-20", "2026-08-20T10:00:00", None])
def test_an_episode_of_unknown_time_says_so(time: str | None) -> None:
    files = {"episodes.yaml": listed({**EPISODE, "timestamp": time, "tags": ["a"]})}
    candidate = decode(document(companions=files), project="shop").candidates[0]
    fields = candidate.fields
    assert isinstance(fields, Experience)
    assert candidate.stem.startswith("unknown-observation-")
    assert (fields.at, fields.tags) == (UNKNOWN, ("a", "time-unknown"))
    assert ("/timestamp" in fields.claims) is (time is not None)


@pytest.mark.parametrize("episode", [3, {"summary": " "}, {**EPISODE, "more": 1}, {"id": "x"}])
def test_an_episode_of_another_shape_is_parked(episode: object) -> None:
    files = {"episodes.yaml": listed(episode)}
    found = decode(document(companions=files), project="shop")
    assert [each.pointer for each in found.parked] == ["/episodes.yaml/0"]


def test_a_line_of_the_history_that_cannot_be_read_is_named() -> None:
    files = {"history/a.jsonl": history("ENG-2026-0820-001") + b'{"event": "engr\n\n[1]\n'}
    problems = decode(document(engram(), companions=files)).problems
    assert [(each.code, each.path, each.line) for each in problems] == [
        ("engram.history", "history/a.jsonl", 2),
        ("engram.history", "history/a.jsonl", 4),
    ]


def test_an_engram_that_got_another_id_is_not_missing() -> None:
    moved = b'{"event": "engram_rescoped", "engram_id": "ENG-1", "data": {"new_id": "ENG-7"}}\n'
    files = {"history/a.jsonl": history("ENG-1") + moved}
    assert decode(document(engram(id="ENG-7"), companions=files)).problems == ()


def test_every_text_of_every_file_is_scanned() -> None:
    files = {
        "SKILL.md": b"skill words",
        "episodes.yaml": b"# a comment\n- summary: an episode\n",
        "history/a.jsonl": b'{"event": "an event"}\n{torn\n',
        "tensions.yaml": b"- {reason: a tension}\n",
    }
    source = document(engram("A statement."), companions=files)
    texts = dict(EngramAdapter().texts(source._replace(data=source.data + b"  # last # words\n")))
    assert texts["/engrams/0/statement"] == "A statement."
    assert texts["/SKILL.md"] == "skill words"
    assert texts["/episodes.yaml/lines/1"] == "# a comment"
    assert texts["/episodes.yaml/0/summary"] == "an episode"
    assert texts["/history~1a.jsonl/lines/1/event"] == "an event"
    assert texts["/history~1a.jsonl/lines/2"] == "{torn"
    assert texts["/tensions.yaml/0/reason"] == "a tension"
    assert texts["/lines/3"] == "# last # words"


def test_the_name_of_a_project_is_no_part_of_a_memory() -> None:
    first = EngramAdapter().decode(document(engram()), Options())
    other = EngramAdapter().decode(document(engram()), Options(project="shop"))
    assert first.candidates == other.candidates
