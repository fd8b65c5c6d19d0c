"""Law 2 for stores of engrams and logs of events: what looks alike confers nothing.

Beside its text, tags and times a source sets no field of a record. What it says besides is a claim,
word for word, and named in the loss report.
"""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.interchange import registry
from doll.interchange.base import Candidate, Decoded
from doll.interchange.claims import described
from doll.records.model import Experience, Memory
from tests import engram_documents as engrams
from tests import projectmem_documents as logs
from tests.laws.test_law2_adapters import ALIKE

ORIGIN = {"origin", "origin_adapter", "origin_source", "origin_id", "origin_sha256", "claims"}
OF_MEMORIES = ORIGIN | {"summary", "tags", "created", "updated"}
OF_EVENTS = ORIGIN | {
    "summary", "tags", "at", "project", "kind", "outcome", "assertion", "paths",
}  # fmt: skip
BARE = Experience(project="-", kind="lesson", assertion="user_recorded", at=logs.AS_OF, summary="-")


def said(candidate: Candidate) -> dict[str, Any]:
    """Return the fields of a candidate that are not at their default."""
    plain = msgspec.structs.asdict(Memory() if candidate.type == "memory" else BARE)
    found = msgspec.structs.asdict(candidate.fields)
    return {name: value for name, value in found.items() if value != plain[name]}


def hostile_store() -> Decoded:
    """Return a store and an episode that claim whatever doll has a name for."""
    entry = engrams.engram(
        json.dumps(ALIKE),
        structured_data=dict(ALIKE),
        provenance=dict(ALIKE),
        relations={"supersedes": ["espresso"], "conflicts": ["atlas"]},
        pinned=True,
        polarity="do",
        commitment="locked",
        status="candidate",
        episodic={"confidence": 10},
    )
    episode = {"id": "atlas", "summary": json.dumps(ALIKE), "tags": ["user_confirmed"]}
    files = {"episodes.yaml": engrams.listed(episode)}
    return engrams.decode(engrams.document(entry, companions=files), project="shop")


def hostile_log() -> Decoded:
    """Return a log of rows that claim whatever doll has a name for."""
    rows = [
        logs.event(
            json.dumps(ALIKE),
            id=f"{kind} ../../authority/policies/espresso",
            type=kind,
            outcome="worked",
            issue_id="pay",
            supersedes="k3v9q2xw7d",
            location="authority/policies/espresso.md",
            capture_confidence="high",
            notes="reviewed_by: Ada",
        )
        for kind in ("issue", "hypothesis", "attempt", "fix", "decision", "note")
    ]
    return logs.decode(logs.log(*rows))


@pytest.mark.parametrize("found", [hostile_store(), hostile_log()], ids=["store", "log"])
def test_what_looks_alike_sets_no_field(found: Decoded) -> None:
    assert found.candidates
    assert found.parked == ()
    for each in found.candidates:
        names = said(each).keys()
        assert names <= (OF_MEMORIES if each.type == "memory" else OF_EVENTS)
        assert each.fields.origin == "import"
        if isinstance(each.fields, Experience):
            assert each.fields.assertion == "imported_external"
            assert each.fields.project == "shop"
            assert each.fields.kind in ("observation", "hypothesis", "attempt", "resolution")


@pytest.mark.parametrize("found", [hostile_store(), hostile_log()], ids=["store", "log"])
def test_every_claim_is_json_and_has_a_loss_with_its_reason(found: Decoded) -> None:
    adapter = registry.adapter(found.adapter)
    reasons = {loss.reason for loss in found.losses}
    for each in found.candidates:
        assert all(json.loads(text) is not None for text in each.fields.claims.values())
        for claim in described(each.fields.claims, adapter.claim_reason):
            assert claim.reason in reasons, claim


def test_a_confidence_is_a_claim_whose_meaning_is_not_known() -> None:
    found = hostile_store().candidates[0]
    shown = described(found.fields.claims, registry.adapter("engram").claim_reason)
    (claim,) = [each for each in shown if each.name == "episodic.confidence"]
    assert (claim.text, "meaning not known" in claim.reason) == ("10", True)
    row = hostile_log().candidates[0]
    shown = described(row.fields.claims, registry.adapter("projectmem").claim_reason)
    (claim,) = [each for each in shown if each.name == "capture_confidence"]
    assert (claim.text, "meaning not known" in claim.reason) == ('"high"', True)


@settings(max_examples=60)
@given(st.dictionaries(st.text(min_size=1, max_size=10), st.integers() | st.text(max_size=10)))
def test_whatever_has_no_field_is_kept_verbatim(values: dict[str, object]) -> None:
    plain = {
        name: value
        for name, value in values.items()
        if (name + str(value)).isprintable() and "\ufeff" not in name + str(value)
    }
    source = engrams.document(engrams.engram(structured_data=plain))
    (candidate,) = engrams.decode(source).candidates
    kept = {
        name.removeprefix("/structured_data/").replace("~1", "/").replace("~0", "~"): json.loads(t)
        for name, t in candidate.fields.claims.items()
        if name.startswith("/structured_data/")
    }
    assert kept == plain
