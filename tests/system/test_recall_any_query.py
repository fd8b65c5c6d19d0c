"""Any text is a query: an answer or wrong usage, never a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from doll.errors import UsageError
from doll.render.document import to_json
from doll.render.recall_document import SCHEMA, answer_values
from doll.render.recall_text import answer_lines
from doll.services.opening import Vault
from doll.services.recalling.filtering import Filters
from doll.services.recalling.searching import MAX_QUERY, recall
from tests.desk import Desk, make_vault
from tests.gitbox import git, put
from tests.recall_vault import NOW, memory, opened

pytestmark = pytest.mark.sampled(4)

WORDS = ("espresso", "expresso", "service", "日本語", "คำ", "totalCost", "C++", "café", "it's")
SIGNS = (
    "\u0301",
    "\u200d",
    "\ud800",
    "\x00",
    "\u202e",
    "🏳️\u200d🌈",
    "*",
    '"',
    "(",
    "..",
    "--",
    "\n",
)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    root = make_vault(tmp_path_factory.mktemp("any") / "notes")
    put(root, "confirmed/espresso.md", memory("Espresso", "A double. microservicecatalog C++"))
    put(root, "confirmed/words.md", memory("日本語 คำไทย", "totalCost of the café, מִלָּה عَرَبِيّ"))
    put(root, "staging/pam/x/y.md", memory("Espresso machine"))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "notes")
    return opened(root)


def _mixed() -> st.SearchStrategy[str]:
    characters = st.characters(codec=None)  # surrogates, too
    pieces = st.one_of(st.sampled_from(WORDS + SIGNS), st.text(characters, max_size=12))
    return st.lists(pieces, max_size=8).map(" ".join) | st.text(characters, max_size=200)


@given(text=_mixed(), staging=st.booleans(), everything=st.booleans())
@example(text="\u0301\u0301", staging=True, everything=True)
@example(text="\ud800espresso\udfff", staging=False, everything=False)
@example(text="x" * MAX_QUERY, staging=False, everything=False)
@example(text="é" * MAX_QUERY, staging=False, everything=False)
@example(text="咖啡" * (MAX_QUERY // 2), staging=False, everything=False)
@example(text="expresso " * (MAX_QUERY // 9), staging=False, everything=False)
@example(text="a." * (MAX_QUERY // 2), staging=False, everything=False)
@example(text="ﷺ" * MAX_QUERY, staging=False, everything=False)
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_any_text(vault: Vault, text: str, staging: bool, everything: bool) -> None:
    filters = Filters(staging=staging, everything=everything)
    try:
        answer = recall(vault, text, NOW, filters=filters).answer
    except UsageError:
        assert not text.strip() or len(text) > MAX_QUERY
        return
    document = json.loads(to_json(SCHEMA, answer_values(answer, explain=True)))
    assert document["matches"] == len(document["hits"])
    scores = [hit["score"] for hit in document["hits"]]
    assert scores == sorted(scores, reverse=True)
    assert [hit["partial"] for hit in document["hits"]] == sorted(
        hit["partial"] for hit in document["hits"]
    )
    assert not (document["corrected"] and document["partial"])
    for line in answer_lines(answer, explain=True):
        assert line.encode("utf-8", "surrogateescape")
        assert "\n" not in line


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "query",
    [
        b"\xff\xfeespresso",
        "\u0301".encode(),
        "🏳️‍🌈 👩🏽‍🚒".encode(),
        "\u202eשלום\u202c عَرَبِيّ".encode(),
        b"!?.,;:'\"()[]{}<>|\\/@#$%^&*~`",
        b"x" * 20_000,
        "é".encode() * 20_001,
        "\U0010ffff\ue000".encode(),
        b"\x1b[31m",
        b"--",
        b"-",
    ],
)
@pytest.mark.parametrize("options", [(), ("--json",), ("--explain", "--all")])
def test_any_bytes_of_a_command_line(
    vault: Vault, query: bytes, options: tuple[str, ...], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "doll", "recall", *options, "--", query],
        cwd=vault.root,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == (2 if len(query.decode("utf-8", "replace")) > MAX_QUERY else 0)
    assert b"Traceback" not in done.stderr
    assert b"\x1b" not in done.stdout
    assert list(tmp_path.iterdir()) == []
    if options == ("--json",):
        assert json.loads(done.stdout)["schema"] in ("doll.recall/1", "doll.error/1")


def test_words_that_look_like_options_stand_behind_two_dashes(desk: Desk) -> None:
    desk.put("confirmed/json.md", memory("What --json prints"))
    assert desk.ok("recall", "--", "--json").out.startswith("1. What --json prints\n")
    assert desk.ok("recall", "--json", "--", "--json").json["query"] == "--json"
    assert "No such option" in desk.refused(2, "recall", "--jsn")
