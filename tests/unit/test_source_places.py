"""Where several files of a source are kept, and which of them a pointer leads into."""

import hashlib
import json

from doll.interchange.base import Document
from doll.services.importing.sources import holding, places

STORE = Document("store", b"a", {"history/2026-11.jsonl": b"c", "SKILL.md": b"b"}, "engrams.yaml")


def test_the_paths_in_a_folder_are_kept() -> None:
    names = [name for name, _ in STORE.files]
    assert names == ["engrams.yaml", "SKILL.md", "history/2026-11.jsonl"]
    assert places(names, several=True) == [
        "source/engrams.yaml",
        "source/SKILL.md",
        "source/history/2026-11.jsonl",
    ]


def test_a_name_that_leads_elsewhere_stays_below_source() -> None:
    odd = places(["../../x", "a/../b", "/etc/passwd", "CON.yaml"], several=True)
    assert all(path.startswith("source/") for path in odd)
    assert not any(part in ("", ".", "..") for path in odd for part in path.split("/"))


def test_names_that_would_be_one_file_get_a_number() -> None:
    assert len({path.lower() for path in places(["A.md", "a.md", "a.md"], several=True)}) == 3


def test_a_pointer_leads_into_the_file_whose_name_it_begins_with() -> None:
    kept = places([name for name, _ in STORE.files], several=True)
    assert holding(STORE, "/engrams/3/statement", kept) == ("source/engrams.yaml",)
    assert holding(STORE, "/SKILL.md", kept) == ("source/SKILL.md",)
    assert holding(STORE, "/SKILL.md2", kept) == ("source/engrams.yaml",)
    inside = holding(STORE, "/history~12026-11.jsonl/lines/4", kept)
    assert inside == ("source/history/2026-11.jsonl",)
    assert holding(STORE, "/engrams/3", ()) == ()


def test_the_digest_is_that_of_the_bytes_or_of_the_list_of_files() -> None:
    assert Document("x", b"a").digest == hashlib.sha256(b"a").hexdigest()
    listed = [[name, hashlib.sha256(data).hexdigest()] for name, data in STORE.files]
    assert STORE.digest == hashlib.sha256(json.dumps(listed).encode()).hexdigest()
    assert STORE.digest != STORE._replace(companions={}).digest
