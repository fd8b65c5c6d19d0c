"""What cannot be read is remembered as that: told each time, parsed when it changes."""

import time
from typing import Any
from unittest import mock

import pytest

from doll.reconcile import manifest
from doll.reconcile.refreshing import clean, refresh
from doll.records.codec import parse
from tests.desk import Desk
from tests.recall_vault import content, memory, site

RACY_NS = 20_000_000


@pytest.fixture(autouse=True)
def _settle_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doll.vault.snapshot.RACY_NS", RACY_NS)


def _parsed(desk: Desk) -> list[str]:
    """Return the paths that a refresh parses, and hold it to what a clean one finds."""
    with mock.patch("doll.reconcile.reading.parse", wraps=parse) as parsing:
        fresh = refresh(site(desk.root))
    paths = [call.args[1] for call in parsing.call_args_list]
    assert content(fresh) == content(clean(site(desk.root)))
    return sorted(paths)


def _settle() -> None:
    time.sleep(2 * RACY_NS / 1e9)


def test_a_broken_record_is_parsed_once(desk: Desk) -> None:
    broken = desk.root / "confirmed" / "broken.md"
    desk.put("confirmed/broken.md", "---\na: [\n---\n")
    desk.put("confirmed/whole.md", memory("Zebra"))
    _settle()
    assert _parsed(desk) == ["confirmed/broken.md", "confirmed/whole.md"]
    assert _parsed(desk) == []
    assert [one.path for one in refresh(site(desk.root)).unreadable] == ["confirmed/broken.md"]
    broken.write_text(memory("Zebra, mended"))
    assert _parsed(desk) == ["confirmed/broken.md"]
    assert refresh(site(desk.root)).unreadable == ()
    broken.unlink()
    assert _parsed(desk) == []


@pytest.mark.parametrize("part", ["engine", "tokens", "document"])
def test_another_version_makes_the_index_anew(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    desk.put("confirmed/whole.md", memory("Zebra"))
    _settle()
    assert _parsed(desk) == ["confirmed/whole.md"]
    assert _parsed(desk) == []
    versioned: Any = getattr(manifest, part)
    monkeypatch.setattr(versioned, "VERSION", "another")
    assert _parsed(desk) == ["confirmed/whole.md"]
    assert _parsed(desk) == []


def test_another_form_makes_the_index_anew(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.put("confirmed/whole.md", memory("Zebra"))
    _settle()
    _parsed(desk)
    monkeypatch.setattr(manifest, "FORMAT", 10_000)
    assert _parsed(desk) == ["confirmed/whole.md"]


def test_index_counts_files_as_recall_does(desk: Desk) -> None:
    desk.put("confirmed/two.md", "---\nstatus: gone\nkind: none\n---\n")
    desk.put("confirmed/one.md", "---\nstatus: gone\n---\n")
    said = "2 files could not be searched"
    assert said in desk.ok("recall", "zebra").out
    for options in ((), ("--rebuild",), ("--check",)):
        assert said in desk.ok("index", *options).out
    paths = [each["path"] for each in desk.ok("index", "--json").json["unreadable"]]
    assert paths == ["confirmed/one.md", "confirmed/two.md"]
