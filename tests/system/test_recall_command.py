"""`doll recall` and `doll index` as typed: what is found, left out, said and never raised."""

import json
import os
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.recall_vault import entry, memory

pytestmark = pytest.mark.sampled(4)

LEFT_OUT = {
    "archived": {"status": "archived"},
    "superseded": {"status": "superseded"},
    "retracted": {"status": "retracted"},
    "expired": {"valid_until": "2026-01-01T00:00:00Z"},
    "not_yet_valid": {"valid_from": "2099-01-01T00:00:00Z"},
    "not_reviewed": {"origin": "import"},
}
AT = ("--as-of", "2026-08-20T12:00:00Z")


@pytest.fixture
def notes(desk: Desk) -> Desk:
    desk.put("confirmed/espresso-order.md", memory("Espresso order", "A double, no sugar."))
    desk.put("confirmed/languages.md", memory("What I speak", "Spanish and some Japanese, 日本語."))
    desk.put("confirmed/build/node_modules/tools.md", memory("Tools", "GIT_DIR, CLAUDE.md, C++"))
    desk.put(
        "experience/atlas/20260801T000000Z-attempt-x-aaaaaaaaaa.md",
        entry("Online migration locked the table", outcome="failed", actions="db.migrate"),
    )
    desk.git("add", "-A")
    desk.git("commit", "-qm", "notes")
    return desk


def test_a_question_is_answered(notes: Desk) -> None:
    result = notes.ok("recall", "which languages do I speak")
    assert result.out.splitlines()[:2] == [
        "1. What I speak",
        "   confirmed/languages.md (memory)",
    ]
    assert "speak in title" in result.out
    assert result.err == ""


def test_words_may_come_as_several_arguments(notes: Desk) -> None:
    assert "espresso-order.md" in notes.ok("recall", "my", "espresso").out


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("日本", "languages"),
        ("本", "languages"),
        ("git_dir", "tools"),
        ("CLAUDE.md", "tools"),
        ("claude", "tools"),
        ("C++", "tools"),
        ("db.migrate", "20260801T000000Z-attempt-x-aaaaaaaaaa"),
        ("migrations", "20260801T000000Z-attempt-x-aaaaaaaaaa"),
        ("espresso-order", "espresso-order"),
        ("ＥＳＰＲＥＳＳＯ", "espresso-order"),
    ],
)
def test_identifiers_and_scripts(notes: Desk, query: str, found: str) -> None:
    hits = notes.ok("recall", query, "--json").json["hits"]
    assert hits[0]["id"] == found


def test_the_document(notes: Desk) -> None:
    document = notes.ok("recall", "the espresso", "--json", "--explain", *AT).json
    assert document["schema"] == "doll.recall/1"
    assert document["algorithm"] == {
        "name": "associative",
        "version": 1,
        "k1": 0.9,
        "b": 0.4,
        "scale": 1000,
        "seeds": 20,
        "part": 0.5,
        "fan": 5,
        "crowd": 100,
    }
    assert document["indexed"] == 4
    assert document["as_of"] == "2026-08-20T12:00:00Z"
    assert document["terms"] == ["espresso"]
    assert document["dropped"] == ["the"]
    assert len(document["index_digest"]) == 64
    hit = document["hits"][0]
    assert hit["path"] == "confirmed/espresso-order.md"
    assert hit["snippet"] == "A double, no sugar."
    assert hit["why"] == "espresso in title, id"
    part = hit["explain"]["parts"][0]
    assert part["fields"] == [
        {"field": "title", "occurrences": 1, "weight": 3.0},
        {"field": "id", "occurrences": 1, "weight": 1.0},
    ]
    assert round(part["points"]) == hit["score"]


@pytest.mark.parametrize("reason", LEFT_OUT)
def test_what_is_not_current_is_left_out(notes: Desk, reason: str) -> None:
    notes.put("confirmed/other.md", memory("Zebra", **LEFT_OUT[reason]))
    notes.put("confirmed/zebra.md", memory("Zebra and more words"))
    document = notes.ok("recall", "zebra", "--json", *AT).json
    assert [hit["id"] for hit in document["hits"]] == ["zebra"]
    assert document["left_out"] == {reason: 1}
    assert "left out: 1 " in notes.ok("recall", "zebra", *AT).out


def test_as_of_decides_validity(notes: Desk) -> None:
    notes.put("confirmed/zebra.md", memory("Zebra", valid_until="2026-01-01T00:00:00Z"))
    assert "zebra.md" not in notes.ok("recall", "zebra").out
    assert "zebra.md" in notes.ok("recall", "zebra", "--as-of", "2025-12-31T23:59:59Z").out
    assert "yesterday" in notes.refused(2, "recall", "zebra", "--as-of", "yesterday")


def test_what_another_record_replaces_is_left_out(notes: Desk) -> None:
    notes.put("confirmed/zebra.md", memory("Zebra"))
    notes.put("confirmed/zebra-2.md", memory("Zebra, corrected", supersedes="zebra"))
    assert [h["id"] for h in notes.ok("recall", "zebra", "--json").json["hits"]] == ["zebra-2"]


def test_secret_records_are_in_no_index(notes: Desk) -> None:
    notes.put("confirmed/sheet.md", memory("Xylophone", "quokka", sensitivity="secret"))
    document = notes.ok("recall", "xylophone quokka sheet", "--json").json
    assert document["hits"] == []
    assert document["matches"] == 0
    assert document["left_out"] == {}
    assert document["indexed"] == 4
    for place in (notes.root / ".doll" / "cache").rglob("*"):
        assert not place.is_file() or b"xylophon" not in place.read_bytes().lower()


def test_staging_and_authority_are_not_searched(notes: Desk) -> None:
    notes.put("staging/pam/x/zebra.md", memory("Zebra", origin="import"))
    notes.put("confirmed/_draft.md", memory("Zebra"))
    notes.put("confirmed/.hidden/zebra.md", memory("Zebra"))
    assert notes.ok("recall", "zebra garden", "--json").json["matches"] == 0


def test_secrets_are_masked(notes: Desk) -> None:
    key = "AKIA" + "Z3X7QK9LMWPR4TYB"
    notes.put("confirmed/zebra.md", memory(f"Zebra {key}", f"the zebra has {key} here"))
    result = notes.ok("recall", "zebra", "--explain")
    assert key not in result.out
    assert key not in notes.ok("recall", "zebra", "--json").out
    assert "[secret: " in result.out


def test_a_snippet_that_is_cut_beside_a_secret_shows_none_of_it(notes: Desk) -> None:
    key = "ghp_" + "a8Kd02LmQ5xPz7RtY3wVb6NcJ4hG1fSe9uTi"
    for lead in range(0, 60, 7):
        body = f"{'word ' * 60}{'x' * lead} zebra {key} stripes {'tail ' * 60}"
        notes.put("confirmed/zebra.md", memory("Animals", body))
        for query in ("zebra", "stripes"):
            hit = notes.ok("recall", query, "--json").json["hits"][0]
            assert query in hit["snippet"]
            assert key[4:8] not in hit["snippet"]
            assert "[secret" in hit["snippet"]


def test_secrets_are_not_in_the_index_and_match_nothing(notes: Desk) -> None:
    key = "AKIA" + "Z3X7QK9LMWPR4TYB"
    notes.put("confirmed/zebra.md", memory("Zebra", f"the zebra has {key} here", tags=f"[{key}]"))
    assert notes.ok("recall", "zebra", "--json").json["matches"] == 1
    assert notes.ok("recall", key, "--json").json["hits"] == []
    kept = list((notes.root / ".doll" / "cache" / "recall").iterdir())
    assert kept
    for place in kept:
        assert key.lower().encode() not in place.read_bytes().lower()


def test_text_from_records_is_escaped(notes: Desk) -> None:
    notes.put("confirmed/zebra.md", memory("Zebra \u202e", "zebra \u200b\x1b[31m\n# forged\n"))
    out = notes.ok("recall", "zebra").out
    assert "Zebra \\u{202e}" in out
    assert "\\u{1b}[31m" in out
    assert "\x1b" not in out
    assert all(not line.startswith("#") for line in out.splitlines())


def test_unreadable_records_are_counted_every_time(notes: Desk) -> None:
    notes.put("confirmed/broken.md", "---\ntitle: [\n---\n")
    notes.put("confirmed/CON.md", memory("Reserved"))
    (notes.root / "confirmed" / "link.md").symlink_to("espresso-order.md")
    for _ in range(2):
        out = notes.ok("recall", "nothing like it").out
        assert "3 files could not be searched: doll validate" in out
        assert "confirmed/broken.md:3: " in out or "confirmed/broken.md:2: " in out
    document = notes.ok("recall", "espresso", "--json").json
    assert [p["path"] for p in document["unreadable"]] == [
        "confirmed/CON.md",
        "confirmed/broken.md",
        "confirmed/link.md",
    ]
    notes.put("confirmed/broken.md", memory("Broken no more"))
    assert notes.ok("recall", "broken", "--json").json["hits"][0]["id"] == "broken"


def test_a_record_that_breaks_is_named_not_forgotten(notes: Desk) -> None:
    notes.ok("recall", "espresso")
    notes.put("confirmed/espresso-order.md", "---\ntitle: Espresso\n")
    out = notes.ok("recall", "espresso").out
    assert "no current record matches" in out
    assert "1 file could not be searched" in out
    assert "frontmatter.unclosed" in out


@pytest.mark.parametrize("query", ["", " ", "\t\n"])
def test_an_empty_query_is_wrong_usage(notes: Desk, query: str) -> None:
    assert "the query is empty" in notes.refused(2, "recall", query)
    assert json.loads(notes.doll("recall", query, "--json").out)["exit"] == 2


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "query",
    ["*", "(", '"unbalanced', "foo AND", "don't", "a/b", "pre-edit", "[[x]]", "~", "a OR (b",
     "x" * 10_000, "word " * 2_000, "\u202e\u200b", "東京 (咖啡", "x^2 title:y", "\\", "''"],
)  # fmt: skip
def test_any_query_is_answered(notes: Desk, query: str) -> None:
    assert notes.ok("recall", "--", query).out
    assert notes.ok("recall", "--json", "--", query).json["query"] == query


def test_undecodable_and_overlong_queries(notes: Desk) -> None:
    assert notes.ok("recall", "espresso \udcff").out.startswith("1. Espresso order")
    assert "at most 20,000" in notes.refused(2, "recall", "x" * 20_001)


def test_the_limit_says_how_many_more(notes: Desk) -> None:
    for n in range(12):
        notes.put(f"confirmed/zebra-{n:02}.md", memory("Zebra"))
    out = notes.ok("recall", "zebra").out
    assert "10. Zebra" in out
    assert "+2 more: --limit 12" in out
    assert notes.ok("recall", "zebra", "--limit", "12").out.count(". Zebra") == 12
    assert notes.doll("recall", "zebra", "--limit", "0").code == 2
    assert "'abc' is not a valid number" in notes.refused(2, "recall", "zebra", "--limit", "abc")


def test_equal_scores_are_ordered_by_id(notes: Desk) -> None:
    for name in ("b", "a", "c"):
        notes.put(f"confirmed/zebra-{name}.md", memory("Zebra"))
    hits = notes.ok("recall", "zebra", "--json").json["hits"]
    assert [hit["id"] for hit in hits] == ["zebra-a", "zebra-b", "zebra-c"]
    assert len({hit["score"] for hit in hits}) == 1


def test_reading_commands_write_only_the_cache(notes: Desk) -> None:
    before = notes.files()
    notes.ok("recall", "espresso")
    notes.ok("index")
    notes.ok("index", "--check")
    notes.ok("index", "--rebuild")
    assert notes.files() == before
    inside = {place.name for place in (notes.root / ".git" / "doll").iterdir()}
    assert inside <= {"key", "index.lock", "lock", "lock.holder"}


def test_a_second_run_writes_nothing(notes: Desk) -> None:
    for folder, _, names in os.walk(notes.root / "confirmed"):
        for name in names:
            os.utime(Path(folder, name), (1_700_000_000, 1_700_000_000))
    notes.ok("recall", "espresso")
    notes.ok("recall", "quokka")  # lists the words, once
    cache = notes.root / ".doll" / "cache"
    before = {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in cache.rglob("*") if p.is_file()}
    notes.ok("recall", "zebra")
    after = {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in cache.rglob("*") if p.is_file()}
    assert before
    assert after == before or _all_racy(notes.root)


def _all_racy(root: Path) -> bool:
    """Return whether the files' change times are too near to now to be believed yet."""
    import time

    newest = max(p.stat().st_ctime_ns for p in (root / "confirmed").rglob("*.md"))
    return time.time_ns() - newest < 4_000_000_000


def test_index_reports(notes: Desk) -> None:
    notes.put("confirmed/broken.md", "---\n")
    assert notes.ok("index").out.startswith("4 records searchable\n1 file could not be searched")
    assert "0 differences from a clean index" in notes.ok("index", "--check").out
    document = notes.ok("index", "--rebuild", "--json").json
    assert document["schema"] == "doll.index/1"
    assert document["records"] == 4
    assert document["differences"] is None
    assert "do not go together" in notes.refused(2, "index", "--rebuild", "--check")


def test_no_records_is_said(desk: Desk) -> None:
    assert "hold no readable record" in desk.ok("recall", "anything").out


def test_a_summary_that_is_the_title_is_not_said_twice(notes: Desk) -> None:
    log = ("log", "lesson", "Quokkas are asleep at noon", "--project", "atlas")
    notes.ok(*log, "--action", "quokka.wake")
    out = notes.ok("recall", "quokkas").out
    assert out.count("Quokkas are asleep at noon") == 1
    hit = notes.ok("recall", "quokkas", "--json").json["hits"][0]
    assert (hit["name"], hit["snippet"]) == ("Quokkas are asleep at noon", "")
    notes.ok(*log, "--body", "They are marsupials.")
    hits = notes.ok("recall", "quokkas", "--json").json["hits"]
    assert sorted(hit["snippet"] for hit in hits) == ["", "They are marsupials."]


def test_fields_are_named_as_a_person_would(notes: Desk) -> None:
    notes.ok("log", "lesson", "Asleep", "--project", "atlas", "--action", "quokka.wake")
    out = notes.ok("recall", "quokka.wake", "--explain").out
    assert "in project, work item, actions or paths\n" in out
    assert "project, work item, actions or paths 1 x 1" in out
    assert "about" not in out


def test_nothing_found_is_an_answer(notes: Desk) -> None:
    result = notes.ok("recall", "quokka")
    assert "no current record matches" in result.out
    assert notes.ok("recall", "quokka", "--json").json["hits"] == []
