"""What a projectmem log becomes: kinds, outcomes, claims, and a summary without its log."""

from pathlib import Path

import pytest

from doll.errors import InvalidDocumentError, UsageError
from doll.interchange.base import Document, Options
from doll.interchange.experience import UNKNOWN
from doll.interchange.projectmem.adapter import ProjectmemAdapter
from doll.records.model import Experience
from tests.projectmem_documents import decode, event, log, one

SUMMARY = Document("shop", b"# shop\n\n- [OPEN] #1 Rounding\n", {}, "summary.md")


@pytest.mark.parametrize(
    ("kind", "outcome", "becomes", "went"),
    [
        ("issue", None, "observation", None),
        ("hypothesis", None, "hypothesis", None),
        ("attempt", "worked", "attempt", "worked"),
        ("attempt", "partial", "attempt", "partial"),
        ("attempt", "failed", "attempt", "failed"),
        ("attempt", None, "attempt", None),
        ("fix", None, "resolution", "unknown"),
        ("fix", "worked", "resolution", "unknown"),
        ("decision", None, "observation", None),
        ("note", None, "observation", None),
        ("note", "failed", "observation", None),
    ],
)
def test_each_type_has_its_kind(kind: str, outcome: str | None, becomes: str, went: str) -> None:
    candidate, fields = one(event(type=kind, outcome=outcome or "ABSENT"))
    assert (fields.kind, fields.outcome) == (becomes, went)
    assert (fields.project, fields.assertion) == ("shop", "imported_external")
    assert fields.claims["/type"] == f'"{kind}"'
    assert candidate.stem.startswith(f"20260820T143205Z-{becomes}-round-each-line-")
    kept = outcome is not None and (kind != "attempt" or outcome == "failed")
    assert ("/outcome" in fields.claims) is kept


def test_a_decision_is_stated_and_decides_nothing() -> None:
    _, fields = one(event(type="decision"))
    assert fields.tags == ("stated-as-a-decision",)


def test_a_name_has_ten_base32_characters_of_its_digest() -> None:
    stems = [one(event(f"Same words{'.' * n}"))[0].stem for n in range(3)]
    tokens = [stem.rpartition("-")[2] for stem in stems]
    assert len(set(tokens)) == 3
    assert all(len(token) == 10 and token.isalnum() and token.islower() for token in tokens)
    elsewhere = decode(log(event("Same words")), project="other").candidates[0]
    assert elsewhere.stem != stems[0]
    assert elsewhere.entry_digest == one(event("Same words"))[0].entry_digest


def test_the_real_log_by_kind(foreign: Path) -> None:
    data = (foreign / "projectmem" / "events.jsonl").read_bytes()
    found = decode(Document("events.jsonl", data))
    kinds = [each.fields.kind for each in found.candidates if isinstance(each.fields, Experience)]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "observation": 19,
        "attempt": 6,
        "resolution": 1,
    }
    assert found.facts["failed attempts"].startswith("4;")


@pytest.mark.parametrize("data", [b"hello\nworld\n", b"\x89PNG\r\n", b"[1]\n", b"\0" * 50])
def test_a_file_of_something_else_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidDocumentError) as caught:
        decode(Document("x", data))
    assert caught.value.problems[0].code == "projectmem.not_a_log"


def test_an_empty_log_holds_nothing() -> None:
    found = decode(Document("events.jsonl", b"\n"))
    assert (found.candidates, found.parked, found.facts["rows"]) == ((), (), "0")


def test_a_project_must_be_named() -> None:
    with pytest.raises(UsageError, match="project"):
        ProjectmemAdapter().decode(log(event()), Options())


def test_the_summary_alone_is_text_and_only_if_asked_for() -> None:
    with pytest.raises(InvalidDocumentError) as caught:
        decode(SUMMARY)
    assert "--lossy" in caught.value.hint
    found = decode(SUMMARY, lossy=True)
    (candidate,) = found.candidates
    fields = candidate.fields
    assert isinstance(fields, Experience)
    assert candidate.body == SUMMARY.data.decode()
    assert (fields.kind, fields.outcome, fields.at) == ("observation", None, UNKNOWN)
    assert fields.tags == ("lossy-summary", "time-unknown")
    assert [problem.code for problem in found.problems] == ["projectmem.lossy"]
    assert [loss.field for loss in found.losses] == ["/summary.md"]


def test_a_summary_that_says_nothing_is_parked() -> None:
    found = decode(SUMMARY._replace(data=b" \n"), lossy=True)
    assert (found.candidates, len(found.parked)) == ((), 1)


def test_every_text_is_scanned() -> None:
    source = log(event("A text", notes="a note"), b"{torn line")
    texts = list(ProjectmemAdapter().texts(source))
    assert ("/lines/1/summary", "A text") in texts
    assert ("/lines/1/notes", "a note") in texts
    assert ("/lines/2", "{torn line") in texts
