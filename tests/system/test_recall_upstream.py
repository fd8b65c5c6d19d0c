"""A published set of recall cases, as a vault: what must come first, and what never comes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk

CASES = "recall/upstream-recall-cases.json"
SUBSTRING = "lexical-substring-fallback"


@pytest.fixture
def cases(desk: Desk, foreign: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((foreign / CASES).read_text())
    for memory in found["memories"]:
        lines = [f"title: {memory['subject']}"]
        lines += [f"sensitivity: {memory['sensitivity']}"] if "sensitivity" in memory else []
        lines += ["status: archived"] if memory.get("archived") else []
        if "source_reference" in memory:
            lines += [f"origin_source: {memory['source_reference']}"]
        text = "\n".join(["---", *lines, "---", memory["content"], ""])
        # Named by number: an id is searched, and the labels of the set say what it looks for.
        number = found["memories"].index(memory)
        desk.put(f"confirmed/n{number}.md", text)
        memory["id"] = f"n{number}"
    return found


@pytest.mark.parametrize("algorithm", ["lexical/1", "associative/1", "activation/1"])
def test_every_case(desk: Desk, cases: dict[str, Any], algorithm: str) -> None:
    ids = {memory["label"]: memory["id"] for memory in cases["memories"]}
    kinds = set()
    for case in cases["cases"]:
        document = desk.ok("recall", case["query"], "--json", "--algorithm", algorithm).json
        found = [hit["id"] for hit in document["hits"]]
        kinds.add(case["classification"])
        if case["classification"] == "exclusion":
            assert found == [], case["case_id"]
        elif case["case_id"] == SUBSTRING:
            assert ids[case["expected_label"]] in found[:3]
        elif case["classification"] == "lexical":
            assert found[0] == ids[case["expected_label"]], case["case_id"]
    assert kinds == {"lexical", "exclusion", "semantic_opportunity"}
