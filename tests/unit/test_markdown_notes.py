"""One note as a memory candidate: its properties, tags, times, links, and what it is known by."""

import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.interchange.base import Document, Passed
from doll.interchange.markdown.adapter import MarkdownAdapter
from doll.interchange.markdown.tags import MOST
from doll.records import codec
from tests.markdown_documents import decode, notes, one


def propertied(*lines: str, body: str = "Text.\n") -> str:
    return "\n".join(["---", *lines, "---", body])


def claims(*lines: str) -> dict[str, str]:
    return one(propertied(*lines))[1].claims


def test_a_note_keeps_its_text_byte_for_byte() -> None:
    text = "\r\n# Title\r\n\ttab \u2028 trailing  \n\n\n---\nno newline at the end"
    candidate, fields = one(text)
    assert (candidate.body, fields.title, fields.claims) == (text, "note", {})


def test_the_title_is_the_property_else_the_file_s_name() -> None:
    assert one(propertied("title: 'Espresso, no sugar'"))[1].title == "Espresso, no sugar"
    assert one("x", "My  own\nnote.md")[1].title == "My own note"
    for wrong in ("title: [a, b]", "title: ' '", "title: |\n  two\n  lines", "title: null"):
        assert one(propertied(wrong))[1].title == "note"
    assert claims("title: [a, b]") == {"/title": '["a", "b"]'}


def test_a_summary_is_the_property_else_the_description() -> None:
    assert one(propertied("summary: s", "description: d"))[1].summary == "s"
    assert claims("summary: s", "description: d") == {"/description": '"d"'}
    assert one(propertied("summary:", "description: d"))[1].summary == "d"


@pytest.mark.parametrize(
    ("line", "tags", "claim"),
    [
        ("tags: [coffee, project/shop]", ("coffee", "project/shop"), None),
        ("tags:\n  - coffee\n  - project/shop", ("coffee", "project/shop"), None),
        ("tags: coffee", ("coffee",), '"coffee"'),
        ("tags: coffee, tea", ("coffee", "tea"), '"coffee, tea"'),
        ("tags: ['#coffee']", ("coffee",), '["#coffee"]'),
        ("tags: [1.10, yes]", ("1.10", "yes"), None),
        ("tags: [coffee, {a: b}, null]", ("coffee",), '["coffee", {"a": "b"}, null]'),
        ("tags:", (), None),
    ],
)
def test_tags(line: str, tags: tuple[str, ...], claim: str | None) -> None:
    fields = one(propertied(line))[1]
    assert fields.tags == tags
    assert fields.claims.get("/tags") == claim


def test_tags_in_the_text_are_found_and_stay_there() -> None:
    body = (
        "#coffee and #project/shop, #2026 #y2026 a#no [x](#no) `#no` #日本\n\n```\n#no\n```\n# no\n"
    )
    candidate, fields = one(propertied("tags: [coffee]", body=body))
    assert fields.tags == ("coffee", "project/shop", "y2026", "日本")
    assert candidate.body == body


def test_more_tags_than_a_record_wants_stay_in_the_text_alone() -> None:
    body = " ".join(f"#t{number}" for number in range(5000))
    assert len(one(body)[1].tags) == MOST


@pytest.mark.parametrize(
    ("said", "moment", "is_claim"),
    [
        ("2026-08-20T14:32:05Z", datetime(2026, 8, 20, 14, 32, 5, tzinfo=UTC), False),
        ("2026-08-20", datetime(2026, 8, 20, tzinfo=UTC), True),
        ("2026-08-20t14:32:05z", datetime(2026, 8, 20, 14, 32, 5, tzinfo=UTC), True),
        ("2026-08-20T14:32", None, True),
        ("2026-08-20 14:32:05Z", None, True),
        ("20.08.2026", None, True),
        ("2026-02-30", None, True),
        ("yesterday", None, True),
        ("1755700325", None, True),
        ("'{{date}}'", None, True),
    ],
)
def test_times_are_believed_where_they_are_times_or_days(
    said: str, moment: datetime | None, is_claim: bool
) -> None:
    for name in ("created", "updated", "date"):
        fields = one(propertied(f"{name}: {said}"))[1]
        assert (fields.updated if name == "updated" else fields.created) == moment
        assert (f"/{name}" in fields.claims) == is_claim


def test_of_two_days_of_making_one_counts_and_the_other_is_a_claim() -> None:
    fields = one(propertied("date: 2026-01-01T00:00:00Z", "created: 2025-01-01T00:00:00Z"))[1]
    assert fields.created == datetime(2025, 1, 1, tzinfo=UTC)
    assert fields.claims == {"/date": '"2026-01-01T00:00:00Z"'}


def test_a_comment_among_properties_is_a_loss() -> None:
    found = decode(Document("note.md", propertied("# mine", "x: 1  # too").encode()))
    (loss,) = [each for each in found.losses if each.field == "/notes/*/comments"]
    assert loss.count == 1


def test_unknown_properties_are_claims_word_for_word() -> None:
    lines = ("rank: 1.10", "done: no", "at: 12:30:45", "up: [[Other]]", "deep: {a: [1, null]}")
    assert claims(*lines, "empty:", "none: []") == {
        "/rank": "1.10",
        "/done": '"no"',
        "/at": '"12:30:45"',
        "/up": '[["Other"]]',
        "/deep": '{"a": [1, null]}',
    }


def test_exportable_tightens_and_never_loosens() -> None:
    assert one(propertied("exportable: false"))[1].exportable is False
    assert claims("exportable: false") == {}
    for said in ("true", "'false'", "no", "[false]"):
        fields = one(propertied(f"exportable: {said}"))[1]
        assert fields.exportable is True
        assert "/exportable" in fields.claims


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["title: a: b"], "yaml.syntax"),
        (["a: 1", "a: 2"], "yaml.duplicate_key"),
        (["a: &x [1]", "b: *x"], "yaml.alias"),
        (["a: !!python/object:os.system x"], "yaml.tag"),
        (["a: {{date}}"], "yaml.key"),
        (["a: " + "[" * 100], "yaml.too_deep"),
        (["a: " + "x" * 70_000], "frontmatter.too_large"),
        (["\ta: 1"], "yaml.syntax"),
    ],
)
def test_properties_that_cannot_be_read_stay_in_the_text(lines: list[str], code: str) -> None:
    text = propertied(*lines)
    found = decode(Document("note.md", text.encode()))
    (candidate,) = found.candidates
    assert (candidate.body, candidate.fields.claims) == (text, {})
    (problem,) = found.problems
    assert (problem.code, problem.severity, problem.path) == (code, "warning", "note.md")


def test_a_fault_is_told_at_its_line_in_the_file() -> None:
    found = decode(Document("note.md", propertied("a: 1", "b: c: d").encode()))
    assert found.problems[0].line == 3


@pytest.mark.parametrize(
    "text", ["---\nprose\n---\nmore\n", "---\nnever closed\n", "---\n- a\n---\n"]
)
def test_a_line_across_the_page_begins_no_properties(text: str) -> None:
    found = decode(Document("note.md", text.encode()))
    assert (found.candidates[0].body, found.problems) == (text, ())


def test_line_endings_of_other_systems_are_read_and_kept() -> None:
    candidate, fields = one("---\r\ntitle: Tea\r\ntags:\r\n  - a\r\n---\r\ntext\r\n")
    assert (fields.title, fields.tags, candidate.body) == ("Tea", ("a",), "text\r\n")


def test_links_are_text_and_counted() -> None:
    body = "[[Espresso]] ![[pic.png]] [up](../../etc/passwd) [[../x|y]]"
    found = decode(Document("note.md", body.encode()))
    (candidate,) = found.candidates
    assert candidate.body == body
    assert [loss.count for loss in found.losses if loss.field == "/notes/*/links"] == [1]


def test_a_byte_order_mark_is_skipped_and_said() -> None:
    found = decode(Document("note.md", b"\xef\xbb\xbf---\nx: 1\n---\nText"))
    assert found.candidates[0].body == "Text"
    assert [each.code for each in found.problems] == ["file.bom"]


def test_each_file_is_accounted_for() -> None:
    passed = (Passed("pic.png", "attachment", "no Markdown"), Passed(".obsidian", "hidden", "dot"))
    files: dict[str, str | bytes] = {
        "a.md": "one",
        "b.md": "",
        "c.md": " \n",
        "d.md": "---\n---\n",
        "e.md": "nul\0",
        "f.md": "---\nx: 1\n---\n",
    }
    found = decode(notes(files, *passed))
    assert [each.source_id for each in found.candidates] == ["a.md", "f.md"]
    assert [(each.source_id, each.code) for each in found.parked] == [("e.md", "file.nul")]
    aside = {each.source_id: each.kind for each in found.set_aside}
    assert aside == {
        "pic.png": "attachment", ".obsidian": "hidden", "b.md": "empty", "c.md": "empty",
        "d.md": "empty",
    }  # fmt: skip
    assert found.facts["format"] == "an Obsidian vault"


def test_an_entry_is_known_by_key_path_and_bytes() -> None:
    first = decode(notes({"a/x.md": "one", "b.md": "two"}), source="mine")
    again = decode(notes({"b.md": "two", "c.md": "three"}, name="other"), source="mine")
    by_id = {each.source_id: each for each in first.candidates}
    assert by_id["b.md"] == again.candidates[0]
    assert first.source == again.source == "mine"
    other = decode(notes({"b.md": "two"}), source="theirs").candidates[0]
    assert other.stem != by_id["b.md"].stem


def test_a_name_is_the_same_composed_and_decomposed() -> None:
    composed = unicodedata.normalize("NFC", "Café.md")
    ids = {one("x", unicodedata.normalize(form, composed))[0].source_id for form in ("NFC", "NFD")}
    assert ids == {composed}


def test_notes_with_one_text_stay_two() -> None:
    found = decode(notes({"a.md": "same", "b.md": "same", "sub/a.md": "same"}))
    assert len({each.stem for each in found.candidates}) == 3


def test_many_faults_are_told_by_number() -> None:
    found = decode(notes({f"{number:03}.md": "---\na: b: c\n---\n" for number in range(100)}))
    assert len(found.problems) == 21
    assert "+80 more" in found.problems[-1].message


@given(st.text(max_size=200), st.text(max_size=40))
def test_whatever_stands_in_a_note_is_kept_or_parked(body: str, value: str) -> None:
    text = f"---\nx: {value}\n---\n{body}"
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return
    document = Document("note.md", data)
    found = decode(document)
    assert len(found.candidates) + len(found.parked) + len(found.set_aside) == 1
    for each in found.candidates:
        assert text.endswith(each.body)
        parsed = codec.parse(codec.render(each.fields, each.body), "", each.stem, "memory")
        assert parsed.body == each.body
    assert list(MarkdownAdapter().texts(document))
