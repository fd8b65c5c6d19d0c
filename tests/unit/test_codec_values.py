"""What a readable record says: text stays text, and it has a name, lines and a digest."""

import hashlib

import pytest

from doll.records.model import Experience, Memory
from tests.reading import OK, block, read


class TestTextStaysText:
    """A plain scalar is the text that stands there, whatever it looks like."""

    @pytest.mark.parametrize(
        "text",
        [
            "1.10",
            "no",
            "off",
            "y",
            "0123",
            "0x1f",
            "1e5",
            "1_000",
            "12:30:45",
            "2026-01-01",
            "2026-01-01T10:00:00Z",
            "Null",
            "NULL",
            "True",
            "true",
            "false",
            ".inf",
            ".nan",
            "=",
            "<<",
            "+1",
            "a#b",
            "http://example.org/a?b=c#d",
        ],
    )
    def test_as_a_title_and_as_a_tag(self, text: str) -> None:
        parsed = block(f"title: {text}\ntags: {text}\naliases: [{text}, b]\nevidence: {text}")
        assert parsed.record is not None
        fields = parsed.record.fields
        assert isinstance(fields, Memory)
        assert fields.title == text
        assert fields.tags == (text,)
        assert fields.aliases == (text, "b")

    @pytest.mark.parametrize("empty", ["", "null", "~"])
    def test_an_empty_value_is_an_absent_one(self, empty: str) -> None:
        parsed = block(f"title: {empty}\ntags: {empty}\ncreated: {empty}\nexportable: {empty}")
        assert parsed.problems == ()
        assert parsed.record is not None
        assert parsed.record.fields == Memory()

    def test_a_quoted_null_is_text(self) -> None:
        parsed = block("title: 'null'\nsummary: \"\"\ntags: ['~']")
        assert parsed.record is not None
        assert parsed.record.fields == Memory(title="null", summary="", tags=("~",))

    @pytest.mark.parametrize(
        "value", ["one", "[one]", "\n  - one", "\n- one", "'one'", "|-\n  one"]
    )
    def test_one_text_is_a_list_of_one(self, value: str) -> None:
        parsed = block(f"tags: {value}")
        assert parsed.record is not None
        assert parsed.record.fields == Memory(tags=("one",))

    def test_a_flag_is_a_flag_only_where_one_is_wanted(self) -> None:
        parsed = block("exportable: false\ntitle: false\ntags: [true, false]\nclaims: {/a: true}")
        assert parsed.record is not None
        assert parsed.record.fields == Memory(
            exportable=False, title="false", tags=("true", "false"), claims={"/a": "true"}
        )

    @pytest.mark.parametrize("text", ["2026-01-01T10:00:00z", "2026-01-01t10:00:00Z"])
    def test_lower_case_times_are_rfc_3339_too(self, text: str) -> None:
        assert block(f"created: {text}").problems == ()


class TestNames:
    """A record without a title is named by its summary, its first heading, or its id."""

    @pytest.mark.parametrize(
        ("block_text", "body", "name"),
        [
            ("title: T\nsummary: S", "# H\n", "T"),
            ("summary: S", "# H\n", "S"),
            ("title: ' '\nsummary: >\n  folded\n  text\n", "", "folded text"),
            ("kind: fact", "text\n\n## H ##\n", "H"),
            ("kind: fact", "# C#\n", "C#"),
            ("kind: fact", "# \n#\n###\t\n# real\r\nx", "real"),
            ("kind: fact", "```sh\n# comment\n```\n# real\n", "real"),
            ("kind: fact", "~~~\n# comment\n```\n~~~\n# real\n", "real"),
            ("kind: fact", "````\n```\n# no\n````\n# real\n", "real"),
            ("kind: fact", "``` a`b\n# real\n", "real"),
            ("kind: fact", "```\n# never closed\n", "x"),
            ("kind: fact", "#hashtag\n    # code\n", "x"),
            ("kind: fact", "", "x"),
            ("kind: fact", "# 渋谷の焼き鳥屋\n", "渋谷の焼き鳥屋"),
        ],
    )
    def test_the_name(self, block_text: str, body: str, name: str) -> None:
        parsed = read(f"---\n{block_text}\n---\n{body}")
        assert parsed.record is not None
        assert parsed.record.name == name


def test_the_lines_of_keys_count_in_the_file() -> None:
    text = "---\n# comment\ntitle: |\n  two\n  lines\n\ntags:\n  - a\nkind: fact\n---\n"
    for data in (text, text.replace("\n", "\r\n"), "\ufeff" + text, text.replace("comm", "c\tm")):
        parsed = read(data)
        assert parsed.record is not None
        assert parsed.record.lines == {"title": 3, "tags": 7, "kind": 9}


def test_the_digest_is_that_of_the_bytes() -> None:
    parsed = read(OK)
    assert parsed.record is not None
    assert parsed.record.digest == hashlib.sha256(OK.encode()).hexdigest()


def test_an_experience_reads_whole() -> None:
    parsed = block(
        "project: atlas\nkind: attempt\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
        "summary: It locked\noutcome: failed\nactions: [db.migrate]\npaths: migrations/**",
        "experience",
    )
    assert parsed.record is not None
    fields = parsed.record.fields
    assert isinstance(fields, Experience)
    assert fields.paths == ("migrations/**",)
    assert fields.actions == ("db.migrate",)
