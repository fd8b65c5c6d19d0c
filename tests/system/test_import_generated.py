"""PAM exports generated over the published schema: never a crash, every entry accounted for."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doll.errors import InvalidDocumentError
from doll.interchange.base import Document
from doll.interchange.pam import schema
from doll.services.importing.flow import Wish, import_document
from doll.services.initializing import initialize
from doll.services.opening import Place, Vault, open_vault
from tests.benchmarks.interchange_figures import write_whole
from tests.pam_documents import EXPORT_DATE, Json, content_hash, sealed
from tests.schema_documents import values

PUBLISHED = schema.published()
STORES = values(PUBLISHED, PUBLISHED["$defs"], mistakes=False)
WRONG = values(PUBLISHED, PUBLISHED["$defs"], mistakes=True)
generated = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def unfolded(store: Json) -> Json:
    """Return a generated store as one that holds what its hashes say, and whose ids differ."""
    kept = list({each["id"]: each for each in store["memories"]}.values())
    store = store | {"memories": kept, "schema_version": "1.0"}
    # What the schema says in conditions, the strategy does not know.
    for each in kept:
        if each["type"] == "custom":
            each["custom_type"] = each.get("custom_type") or "own"
    if store.get("signature") is not None:
        store |= {"export_id": store.get("export_id") or "e", "export_date": EXPORT_DATE}
    if store.get("integrity") is not None and _canonical_here(kept):
        return sealed(store)
    for each in kept:
        each["content_hash"] = content_hash(each["content"])
    return {name: value for name, value in store.items() if name not in ("integrity", "signature")}


def _canonical_here(value: Any) -> bool:
    """Return whether Python writes the numbers of a value as RFC 8785 does."""
    return not any(isinstance(each, float) for each in _leaves(value))


def _leaves(value: Any) -> Iterator[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _leaves(each)
    if not isinstance(value, dict | list):
        yield value


def bring(vault: Vault, store: Json) -> Any:
    data = json.dumps(store, ensure_ascii=False).encode()
    wish = Wish(as_full=True, accept_bad_signature=True)
    return import_document(vault, "pam", Document("export.json", data), wish, lambda *_: None)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    root = tmp_path_factory.mktemp("generated") / "vault"
    initialize(root, None)
    return open_vault(Place(root, None, root))


@generated
@given(STORES)
def test_counts_add_up_and_the_same_again_changes_nothing(vault: Vault, store: Json) -> None:
    counted(vault, unfolded(store))


@pytest.mark.soak
@settings(generated, max_examples=400)
@given(STORES)
def test_counts_add_up_for_long(vault: Vault, store: Json) -> None:
    counted(vault, unfolded(store))


def counted(vault: Vault, store: Json) -> None:
    shutil.rmtree(vault.root / "staging" / "pam", ignore_errors=True)
    report = bring(vault, store)
    counts = report.counts
    assert sum(counts) == len(store["memories"])
    staged = {path.name for path in (vault.root / (report.folder or "x")).glob("*.md")}
    assert len(staged - {"_import.md"}) == counts.new + counts.changed
    before = sorted(vault.root.joinpath("staging").rglob("*"))
    again = bring(vault, store)
    assert again.folder == ""
    assert (again.counts.new, again.counts.changed) == (0, 0)
    assert (again.counts.parked, again.counts.refused) == (counts.parked, counts.refused)
    assert sum(again.counts) == len(store["memories"])
    assert sorted(vault.root.joinpath("staging").rglob("*")) == before


@settings(generated, max_examples=20)
@given(WRONG | st.recursive(st.none() | st.text(), st.lists, max_leaves=3))
def test_what_is_not_imported_is_refused_in_words(vault: Vault, store: Any) -> None:
    shutil.rmtree(vault.root / "staging" / "pam", ignore_errors=True)
    before = sorted(vault.root.joinpath("staging").rglob("*"))
    refused: list[InvalidDocumentError] = []
    try:
        bring(vault, store)
    except InvalidDocumentError as error:
        refused.append(error)
    for each in refused:
        assert each.problems
        assert "nothing was written" in each.hint
        assert sorted(vault.root.joinpath("staging").rglob("*")) == before


@pytest.mark.soak
def test_fifty_thousand_memories_are_accounted_for(vault: Vault, tmp_path: Path) -> None:
    shutil.rmtree(vault.root / "staging" / "pam", ignore_errors=True)
    write_whole(tmp_path / "export.json", 50_000)
    document = Document("export.json", (tmp_path / "export.json").read_bytes())
    told: dict[str, tuple[int, int]] = {}

    def progress(stage: str, done: int, total: int) -> None:
        told[stage] = (done, total)

    report = import_document(vault, "pam", document, Wish(), progress)
    assert report.counts.new == 50_000
    folder = vault.root / report.folder
    assert len(list(folder.glob("*.md"))) == 50_001
    assert (folder / "source" / "export.json").read_bytes() == document.data
    assert told["checking"] == (50_000, 50_000)
    assert told["writing"][0] == told["writing"][1] > 50_000
    assert {each.mark for each in report.staged} == {"superseded"}
    again = import_document(vault, "pam", document, Wish(), progress)
    assert (again.folder, again.counts.unchanged) == ("", 50_000)
