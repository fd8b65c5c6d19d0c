"""What becomes of the fields of a memory: exactly kept, as a field, a claim or a named loss."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from doll.interchange.base import Candidate, Decoded, Document, Options
from doll.interchange.pam.adapter import PamAdapter
from doll.records import codec
from doll.records.model import Memory
from doll.records.names import id_fault
from tests.pam_documents import OWNER, Json, encoded, full_memory, memory, store


def decode(document: Json) -> Decoded:
    return PamAdapter().decode(Document("export.json", encoded(document)), Options())


def candidate(each: Json, **changes: Any) -> Candidate:
    (found,) = decode(store(each, **changes)).candidates
    return found


def fields(each: Json, **changes: Any) -> Memory:
    found = candidate(each, **changes).fields
    assert isinstance(found, Memory)
    return found


def read_back(found: Candidate) -> tuple[Memory, str]:
    """Write a candidate as a record file and return what the codec reads from it."""
    parsed = codec.parse(codec.render(found.fields, found.body), "x.md", found.stem, "memory")
    assert parsed.problems == ()
    assert parsed.record is not None
    made = parsed.record.fields
    assert isinstance(made, Memory)
    values = {name: getattr(made, name) for name in Memory.__struct_fields__ if name != "schema"}
    return Memory(**values), parsed.body


def test_a_plain_memory() -> None:
    found = candidate(memory())
    assert (found.type, found.body, found.source_id) == (
        "memory",
        "Prefers tea to coffee.",
        "mem-1",
    )
    assert found.pointer == "/memories/0"
    assert found.places == ("/memories/0",)
    assert found.stem.startswith("prefers-tea-to-coffee-")
    made = fields(memory())
    assert (made.origin, made.origin_adapter, made.origin_source) == ("import", "pam", OWNER)
    assert (made.origin_id, made.origin_sha256) == ("mem-1", found.entry_digest)
    assert made.title is None
    assert made.created == datetime(2025, 3, 4, 8, 12, tzinfo=UTC)
    assert made.claims.keys() == {"/content_hash", "/provenance/platform"}


def test_a_full_memory_goes_where_the_table_says() -> None:
    made = fields(full_memory())
    assert (made.kind, made.summary, made.tags) == (
        "preference",
        "Tea, not coffee",
        ("drinks", "tea"),
    )
    assert made.updated == datetime(2026, 1, 18, 19, 40, tzinfo=timezone(timedelta(hours=2)))
    assert made.exportable is False
    assert "/access/exportable" not in made.claims
    assert {
        key: json.loads(text) for key, text in made.claims.items() if key != "/content_hash"
    } == {
        "/status": "superseded",
        "/confidence/initial": 0.75,
        "/confidence/current": 0.5,
        "/confidence/decay_model": "time_linear",
        "/confidence/last_reinforced": "2026-01-18T19:40:00Z",
        "/temporal/valid_from": "2025-01-01T00:00:00Z",
        "/temporal/valid_until": "2027-01-01T00:00:00Z",
        "/temporal/superseded_by": "mem-1",
        "/provenance/platform": "chatgpt",
        "/provenance/platform_user_id": "user-7",
        "/provenance/conversation_ref": "conv-1",
        "/provenance/message_ref": "msg-3",
        "/provenance/extraction_method": "llm_inference",
        "/provenance/extracted_at": "2025-03-04T08:12:30Z",
        "/provenance/extractor": "exporter/1.2.0",
        "/access/visibility": "shared",
        "/access/shared_with": [{"entity": "agent-1", "permissions": ["read"]}],
        "/embedding_ref": "emb-1",
        "/metadata/language": "en",
        "/metadata/domain": "personal",
        "/metadata/room": {"floor": 2},
    }


def test_nothing_foreign_becomes_local_state() -> None:
    made = fields(full_memory(status="retracted"))
    untouched = Memory()
    for name in ("status", "valid_from", "valid_until", "supersedes", "contradicts", "related"):
        assert getattr(made, name) == getattr(untouched, name)
    for name in ("aliases", "sensitivity", "reviewed_by", "reviewed_at", "review", "updates"):
        assert getattr(made, name) == getattr(untouched, name)


@pytest.mark.parametrize("kind", ["fact", "skill", "goal", "identity", "environment", "project"])
def test_a_type_becomes_the_kind(kind: str) -> None:
    made = fields(memory(type=kind))
    assert made.kind == kind
    assert "/type" not in made.claims


def test_an_instruction_stays_a_claim() -> None:
    decoded = decode(store(memory("Always answer in French.", type="instruction")))
    made = decoded.candidates[0].fields
    assert isinstance(made, Memory)
    assert made.kind is None
    assert made.claims["/type"] == '"instruction"'
    (loss,) = [loss for loss in decoded.losses if loss.field == "/memories/*/type"]
    assert "instructs nobody" in loss.reason


def test_a_custom_type_stays_a_claim() -> None:
    made = fields(memory(type="custom", custom_type="doll_memory"))
    assert made.kind is None
    assert (made.claims["/type"], made.claims["/custom_type"]) == ('"custom"', '"doll_memory"')


def test_exportable_true_confers_nothing_and_is_named() -> None:
    each = memory(access={"exportable": True, "visibility": "public"})
    assert fields(each).exportable is True
    assert fields(each).claims["/access/exportable"] == "true"
    assert fields(memory()).exportable is True


def test_numbers_and_escapes_are_kept_as_the_source_wrote_them() -> None:
    each = memory(metadata={"n": 0, "text": '\u202e"\\\n'}, confidence={"current": 0})
    data = encoded(store(each, integrity=None) | {"relations": []}).decode()
    document = data.replace('"n": 0', '"n": 1.50').replace('"current": 0', '"current": 0.90')
    document = document.replace('  "integrity": null,\n', "")
    decoded = PamAdapter().decode(Document("export.json", document.encode()), Options())
    claims = decoded.candidates[0].fields.claims
    assert (claims["/metadata/n"], claims["/confidence/current"]) == ("1.50", "0.90")
    assert json.loads(claims["/metadata/text"]) == '\u202e"\\\n'


class TestTimes:
    """The moment is kept as a field; where its text would not survive, the text as well."""

    @pytest.mark.parametrize(
        "text",
        [
            "2025-03-04T08:12:00Z",
            "1923-09-01T11:58:32Z",
            "0001-01-01T00:00:00Z",
            "2025-03-04T08:12:00+05:45",
            "2025-03-04T08:12:00.123456-23:59",
        ],
    )
    def test_what_doll_writes_alike_is_only_a_field(self, text: str) -> None:
        made = fields(memory(temporal={"created_at": text, "updated_at": text}))
        assert made.created == made.updated == datetime.fromisoformat(text)
        assert not {"/temporal/created_at", "/temporal/updated_at"} & made.claims.keys()

    @pytest.mark.parametrize(
        "text",
        [
            "2025-03-04T08:12:00.123Z",
            "2025-03-04t08:12:00z",
            "2025-03-04T08:12:00+00:00",
            "2025-03-04T08:12:00-00:00",
            "2025-03-04T08:12:00.123456789Z",
        ],
    )
    def test_other_texts_are_a_field_and_a_claim(self, text: str) -> None:
        decoded = decode(store(memory(temporal={"created_at": text})))
        made = decoded.candidates[0].fields
        assert made.created is not None
        assert abs(made.created - datetime(2025, 3, 4, 8, 12, tzinfo=UTC)) < timedelta(seconds=1)
        assert made.claims["/temporal/created_at"] == json.dumps(text)
        assert "/memories/*/temporal/created_at" in {loss.field for loss in decoded.losses}

    @pytest.mark.parametrize("text", ["0000-02-29T00:00:00Z", "2016-12-31T23:59:60Z"])
    def test_moments_that_python_has_not_are_only_a_claim(self, text: str) -> None:
        made = fields(memory(temporal={"created_at": text}))
        assert made.created is None
        assert made.claims["/temporal/created_at"] == json.dumps(text)

    @pytest.mark.parametrize(
        "text",
        ["9999-12-31T23:59:59.9999999Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"],
    )
    def test_the_edges_of_the_calendar_give_no_traceback(self, text: str) -> None:
        made = fields(memory(temporal={"created_at": text}))
        assert made.created is not None or "/temporal/created_at" in made.claims
        codec.render(made, "")


class TestAbsent:
    """Null is absent; empty defaults are absent; in metadata only null is."""

    def test_nulls_and_empty_defaults_make_no_claim(self) -> None:
        each = memory(
            custom_type=None,
            summary=None,
            tags=[],
            confidence={"decay_model": None},
            access={"shared_with": []},
            embedding_ref=None,
            metadata={"language": None, "mine": None},
        )
        made = fields(each)
        assert made.claims == fields(memory()).claims
        assert (made.summary, made.tags, made.exportable) == (None, (), True)

    def test_empty_values_of_metadata_are_somebody_s_own(self) -> None:
        made = fields(
            memory(metadata={"list": [], "object": {}, "text": "", "no": False, "zero": 0})
        )
        found = {key: text for key, text in made.claims.items() if key.startswith("/metadata/")}
        assert found == {
            "/metadata/list": "[]",
            "/metadata/no": "false",
            "/metadata/object": "{}",
            "/metadata/text": '""',
            "/metadata/zero": "0",
        }

    def test_zero_confidence_is_said(self) -> None:
        assert fields(memory(confidence={"current": 0})).claims["/confidence/current"] == "0"

    @pytest.mark.parametrize("summary", ["", " \n"])
    def test_a_blank_summary_is_a_claim(self, summary: str) -> None:
        made = fields(memory(summary=summary))
        assert made.summary is None
        assert json.loads(made.claims["/summary"]) == summary


class TestNames:
    """A stem comes from the text; a foreign id is never part of a name."""

    @pytest.mark.parametrize(
        "source_id", ["../../etc/passwd", "a/b", "con", "x" * 300, "🫖", "..", "a\0b", "-rf", " "]
    )
    def test_hostile_ids_stay_in_the_front_matter(self, source_id: str) -> None:
        found = candidate(memory(id=source_id))
        assert found.source_id == source_id
        assert found.fields.origin_id == source_id
        assert found.stem[:-8] == "prefers-tea-to-coffee-"
        assert read_back(found)[0].origin_id == source_id

    def test_the_summary_names_it(self) -> None:
        assert candidate(memory(summary="Tea drinker")).stem.startswith("tea-drinker-")

    @pytest.mark.parametrize("content", ["🫖🫖", "---\n---\n", "\n\n", "…"])
    def test_text_without_letters_still_has_a_name(self, content: str) -> None:
        assert id_fault(candidate(memory(content)).stem) is None

    def test_it_does_not_depend_on_the_other_memories(self) -> None:
        alone = candidate(memory()).stem
        many = decode(store(memory("Other.", id="mem-0"), memory(), memory("Last.", id="mem-9")))
        assert many.candidates[1].stem == alone

    def test_it_changes_with_the_entry_and_with_the_source(self) -> None:
        names = {
            candidate(memory()).stem,
            candidate(memory(id="mem-2")).stem,
            candidate(memory(status="active")).stem,
            candidate(memory(), owner={"id": "somebody-else"}).stem,
        }
        assert len(names) == 4
