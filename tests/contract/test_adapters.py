"""What every adapter keeps: one class for the protocol, run over all that are registered."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doll.errors import CODES, InvalidDocumentError, Problem, UsageError
from doll.interchange.base import Adapter, Decoded, Document, Options, Passed
from doll.interchange.registry import ADAPTERS, adapter
from doll.records import codec
from doll.records.model import STRUCTS
from doll.records.names import id_fault
from tests import engram_documents, markdown_documents, projectmem_documents
from tests.pam_documents import encoded, full_memory, memory, relation, store

SAMPLES: dict[str, Document] = {
    "projectmem": projectmem_documents.log(
        projectmem_documents.event("Redis lock", type="attempt", outcome="failed", files=["a.py"]),
        projectmem_documents.event("Line\r\n---\n# two", id="../../x", timestamp="yesterday"),
        projectmem_documents.event("Another text", id="../../x", supersedes="../../x"),
        projectmem_documents.event("From tomorrow", unknown=1),
    ),
    "engram": engram_documents.document(
        engram_documents.engram(rationale="Rollback is one switch."),
        engram_documents.engram("NO", id="ENG-../x", summary="yes"),
        engram_documents.engram("Speaks 中文\r\n---\n", id="ABS-1", pinned=True),
        companions={
            "episodes.yaml": engram_documents.listed({"id": "EP-1", "summary": "Deployed 1.2.3"}),
            "history/2026-08.jsonl": engram_documents.history("ENG-2026-0820-009"),
        },
    ),
    "markdown": markdown_documents.notes(
        {
            "CLAUDE.md": "\ufeffIntro\n# Build\nmake [[x]]\n# ../../x\r\n---\n",
            "a/note.md": "---\ntags: a, b\nstatus: approved\nrank: 1.10\n---\n---\n# two #tag\n",
            "nul.md": "a\0b",
            "odd.md": "---\na: b: c\n---\nSpeaks 中文",
        },
        Passed("pic.png", "attachment", "no Markdown"),
    ),
    "pam": Document(
        "export.json",
        encoded(
            store(
                full_memory(),
                memory("Speaks 中文\r\n---\n", id="../../x", type="instruction"),
                memory("a\0b", id="nul"),
                relations=[relation("mem-full", "nul"), relation("gone", "nul")],
            )
        ),
    ),
}
quiet = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(params=sorted(ADAPTERS))
def sample(request: pytest.FixtureRequest) -> tuple[Adapter, Document]:
    """Each adapter with a document of its format that has candidates, parked entries and losses."""
    return adapter(request.param), SAMPLES[request.param]


def decoded(sample: tuple[Adapter, Document]) -> Decoded:
    return sample[0].decode(sample[1], Options(project="shop"))


class TestAdapter:
    """The protocol `doll.interchange.base.Adapter`."""

    def test_it_is_known_by_its_own_name(self, sample: tuple[Adapter, Document]) -> None:
        found = decoded(sample)
        assert ADAPTERS[sample[0].name]().name == sample[0].name == found.adapter
        assert sample[0].version == found.version
        assert found.source_digest == sample[1].digest

    def test_the_sample_has_everything(self, sample: tuple[Adapter, Document]) -> None:
        found = decoded(sample)
        assert found.candidates
        assert found.parked
        assert found.losses
        assert found.problems

    def test_the_same_bytes_give_the_same_result(self, sample: tuple[Adapter, Document]) -> None:
        assert decoded(sample) == decoded(sample)

    def test_candidates_are_marked_and_below_the_user(
        self, sample: tuple[Adapter, Document]
    ) -> None:
        found = decoded(sample)
        for each in found.candidates:
            assert each.type in ("memory", "experience")
            assert isinstance(each.fields, STRUCTS[each.type])
            made = each.fields
            assert (made.origin, made.origin_adapter) == ("import", found.adapter)
            assert (made.origin_source, made.origin_id or "") == (found.source, each.source_id)
            assert made.origin_sha256 == each.entry_digest
            assert (made.reviewed_by, made.reviewed_at, made.reviewed_sha256) == (None, None, None)
            assert made.aliases == ()
            assert made.updates is None

    def test_names_are_valid_distinct_and_no_foreign_ids(
        self, sample: tuple[Adapter, Document]
    ) -> None:
        found = decoded(sample)
        stems = [each.stem for each in found.candidates]
        assert len(set(stems)) == len(stems)
        for each in found.candidates:
            assert id_fault(each.stem) is None
            assert not each.source_id or each.source_id not in each.stem

    def test_every_candidate_reads_back_exactly(self, sample: tuple[Adapter, Document]) -> None:
        for each in decoded(sample).candidates:
            parsed = codec.parse(codec.render(each.fields, each.body), "x.md", each.stem, each.type)
            assert parsed.problems == ()
            assert parsed.body == each.body

    def test_places_begin_with_the_entry_s_own(self, sample: tuple[Adapter, Document]) -> None:
        for each in decoded(sample).candidates:
            assert each.places[0] == each.pointer

    def test_codes_are_registered_and_reasons_are_sentences(
        self, sample: tuple[Adapter, Document]
    ) -> None:
        found = decoded(sample)
        assert {each.code for each in found.parked} <= CODES.keys()
        assert {problem.code for problem in found.problems} <= CODES.keys()
        assert all(problem.severity != "error" for problem in found.problems)
        assert all(each.reason for each in found.parked)
        assert all(each.reason for each in found.losses)
        assert all(loss.count > 0 for loss in found.losses)

    def test_texts_are_all_texts_with_their_places(self, sample: tuple[Adapter, Document]) -> None:
        texts = list(sample[0].texts(sample[1]))
        for each in decoded(sample).candidates:
            own = {text for pointer, text in texts if pointer.startswith(each.pointer)}
            assert each.source_id in own | {""}
            body, summary = each.body, each.fields.summary or ""
            assert any(text and (body or summary).startswith(text) for text in own)
            for claim in each.fields.claims.values():
                value = json.loads(claim)
                assert not isinstance(value, str) or value in {text for _, text in texts}

    @quiet
    @given(st.binary(max_size=200))
    def test_no_bytes_give_a_traceback(self, sample: tuple[Adapter, Document], data: bytes) -> None:
        said: object = ()
        try:  # a log is read line by line, and one without a line is a log
            said = sample[0].decode(Document("x", data), Options(project="shop")).candidates
        except InvalidDocumentError as error:
            said = () if error.problems else "nothing"
        # Any text is a note.
        assert said == () or sample[0].name == "markdown"

    @quiet
    @given(st.data())
    def test_no_damage_gives_a_traceback(
        self, sample: tuple[Adapter, Document], data: st.DataObject
    ) -> None:
        raw = sample[1].data
        at = data.draw(st.integers(0, len(raw)))
        length = data.draw(st.integers(0, 40))
        damaged = raw[:at] + data.draw(st.binary(max_size=8)) + raw[at + length :]
        try:
            sample[0].decode(Document("x", damaged), Options(project="shop"))
            problems: tuple[Problem, ...] = ()
        except InvalidDocumentError as error:
            problems = error.problems
        assert {problem.code for problem in problems} <= CODES.keys()


def test_a_name_without_an_adapter_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="'pma'") as caught:
        adapter("pma")
    assert "pam" in caught.value.hint


def test_the_list_of_adapters_loads_none() -> None:
    program = (
        "import sys, doll.interchange.registry as r; r.ADAPTERS['pam']; "
        "print([m for m in sys.modules if m.startswith(tuple(f'doll.interchange.{n}' for n in "
        "r.ADAPTERS)) or m in "
        "('yaml', 'jsonschema', 'cryptography', 'portable_ai_memory', 'rfc8785', 'pydantic')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"


def test_the_result_does_not_depend_on_the_process() -> None:
    program = (
        "import hashlib; from doll.interchange.registry import adapter; "
        "from doll.interchange.base import Options; "
        "from tests.contract.test_adapters import SAMPLES; "
        "found = [adapter(n).decode(d, Options(project='shop')) for n, d in SAMPLES.items()]; "
        "print(hashlib.sha256(repr(found).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(__file__).resolve().parents[2],
            env={"PYTHONHASHSEED": hash_seed, "TZ": zone, "LC_ALL": "C"},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed, zone in (("0", "UTC"), ("1", "Asia/Kathmandu"))
    }
    assert len(digests) == 1
