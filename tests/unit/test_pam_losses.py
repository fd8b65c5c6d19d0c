"""Relations, the loss report, and claims as lines: what is lost is named, counted and explained."""

import json

from doll.interchange.base import Decoded, Document, Options
from doll.interchange.claims import described
from doll.interchange.pam.adapter import PamAdapter
from doll.records.model import Memory
from tests.pam_documents import OWNER, Json, encoded, full_memory, memory, relation, store


def decode(document: Json) -> Decoded:
    return PamAdapter().decode(Document("export.json", encoded(document)), Options())


class TestRelations:
    """A relation is a claim of the memory that it starts from, and nothing more."""

    def test_it_is_kept_whole_with_its_pointer(self) -> None:
        edges = [
            relation("b", "a"),
            relation("a", "b", "related_to", confidence=0.5),
            relation("a", "x"),
        ]
        decoded = decode(store(memory(id="a"), memory(id="b"), relations=edges))
        first, second = decoded.candidates
        assert first.places == ("/memories/0", "/relations/1", "/relations/2")
        assert second.places == ("/memories/1", "/relations/0")
        assert json.loads(first.fields.claims["/relations/1"]) == edges[1]
        assert json.loads(second.fields.claims["/relations/0"]) == edges[0]
        counts = {loss.field: loss.count for loss in decoded.losses}
        assert counts["/relations/*"] == 2
        assert isinstance(second.fields, Memory)
        assert second.fields.supersedes == ()

    def test_one_that_starts_nowhere_is_a_warning(self) -> None:
        edges = [relation("mem-1", "x"), relation("gone", "mem-1"), relation("gone", "x")]
        decoded = decode(store(memory(), relations=edges))
        (problem,) = decoded.problems
        assert (problem.code, problem.severity) == ("pam.relation_unattached", "warning")
        assert problem.pointer == "/relations/1"
        assert problem.line > 1
        assert problem.message.startswith("2 relations")


class TestLosses:
    """Every field without a place is named, with a count and a reason."""

    def test_document_fields(self) -> None:
        document = store(
            spec_uri="https://portable-ai-memory.org/spec/v1.0",
            owner={"id": OWNER, "did": "did:web:example.org", "created_at": "2024-06-01T10:00:00Z"},
            conversations_index=[
                {
                    "id": str(n),
                    "platform": "chatgpt",
                    "temporal": {"created_at": "2024-06-01T10:00:00Z"},
                    "storage": {"type": "file", "ref": "../../x"},
                }
                for n in range(3)
            ],
            base_export_id="export-0",
            since="2024-06-01T10:00:00Z",
            type_registry="https://portable-ai-memory.org/types/",
        )
        counts = {loss.field: loss.count for loss in decode(document).losses}
        assert counts == {
            "/spec_uri": 1,
            "/owner/did": 1,
            "/owner/created_at": 1,
            "/memories/*/content_hash": 1,
            "/memories/*/provenance/platform": 1,
            "/conversations_index/*": 3,
            "/base_export_id": 1,
            "/since": 1,
            "/type_registry": 1,
        }

    def test_null_document_fields_are_no_loss(self) -> None:
        document = store(spec_uri=None, since=None, type_registry=None, signature=None)
        document["owner"]["did"] = None
        assert {loss.field for loss in decode(document).losses} == {
            "/memories/*/content_hash",
            "/memories/*/provenance/platform",
        }

    def test_counts_are_counts_of_memories(self) -> None:
        some = [memory(id=str(n), status="active") for n in range(3)]
        decoded = decode(store(*some, memory(id="x", metadata={"a/b": 1, "c": 2})))
        counts = {loss.field: loss.count for loss in decoded.losses}
        assert counts["/memories/*/status"] == 3
        assert counts["/memories/*/metadata/a~1b"] == 1
        assert all(loss.reason for loss in decoded.losses)

    def test_open_names_are_bounded(self) -> None:
        made = [memory(id=str(n), metadata={f"k{n:03}": 1, "all": n}) for n in range(80)]
        losses = [loss for loss in decode(store(*made)).losses if "/metadata/" in loss.field]
        assert len(losses) == 51
        assert (losses[0].field, losses[0].count) == ("/memories/*/metadata/all", 80)
        assert (losses[-1].field, losses[-1].count) == ("/memories/*/metadata/*", 31)
        assert losses[-1].reason.startswith("31 further names")


def test_a_claim_has_the_reason_of_its_loss() -> None:
    edges = [relation("mem-full", "mem-1"), relation("mem-full", "mem-1", "related_to", id="r2")]
    document = store(full_memory(metadata={"a.b": 1}), relations=edges)
    decoded = decode(document)
    claims = described(decoded.candidates[0].fields.claims, PamAdapter().claim_reason)
    reasons = {each.name: each.reason for each in claims}
    assert reasons["confidence.current"] == "doll has no such field: meaning not known"
    assert reasons["status"] == "a status at the source is no status here; a review decides"
    assert reasons["metadata.a\\.b"] == "doll has no such field: meaning not known"
    assert reasons["relations.0"] == "a relation at the source is only a proposed link"
    assert set(reasons.values()) <= {loss.reason for loss in decoded.losses}
    texts = {each.name: each.text for each in claims}
    assert texts["confidence.current"] == "0.5"
    assert texts["relations.0"].startswith("{")
