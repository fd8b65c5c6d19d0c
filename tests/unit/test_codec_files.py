"""What is wrong with a file as a whole: fences, encodings, conflict markers, its size."""

import pytest

from doll.records.codec import UnreadableError, values_of
from doll.records.limits import MAX_FILE_BYTES
from tests.reading import OK, found, only, read


@pytest.mark.parametrize(
    ("data", "line", "column", "code", "hint"),
    [
        ("", 1, 1, "frontmatter.missing", "begin the file with a line `---`"),
        ("# Note\n\ntext\n", 1, 1, "frontmatter.missing", "begin the file with a line `---`"),
        ("----\ntitle: x\n----\n", 1, 1, "frontmatter.missing", "a line `---`"),
        ("--- x\ntitle: x\n---\n", 1, 1, "frontmatter.missing", "a line `---`"),
        ("\n---\ntitle: x\n---\n", 1, 1, "frontmatter.missing", "empty lines before"),
        (" ---\ntitle: x\n---\n", 1, 1, "frontmatter.missing", "spaces or empty lines"),
        ("---\rtitle: x\r---\rbody\r", 1, 1, "frontmatter.missing", "LF or CRLF"),
        ("---\ntitle: x\n", 1, 1, "frontmatter.unclosed", "add a line `---`"),
        ("---", 1, 1, "frontmatter.missing", "a line `---`"),
        ("---\n", 1, 1, "frontmatter.unclosed", "add a line `---`"),
        ("---\ntitle: x\n ---\nbody", 1, 1, "frontmatter.unclosed", "add a line `---`"),
        ("---\ntitle: x\n----\nbody", 1, 1, "frontmatter.unclosed", "add a line `---`"),
        ("---\ntitle: x\n...\nbody\n", 3, 1, "frontmatter.unclosed", "`---` instead of `...`"),
        ("---\ntitle: a\0b\n---\n", 2, 9, "file.nul", "without NUL"),
        (OK + "body\0", 4, 5, "file.nul", "without NUL"),
        (OK.encode("utf-16"), 1, 1, "file.not_utf8", "save the file as UTF-8"),
        (OK.encode("utf-16-be"), 1, 1, "file.nul", "UTF-8"),
        (OK.encode("utf-32"), 1, 1, "file.not_utf8", "UTF-8"),
        ("---\ntitle: é\n---\n".encode("latin-1"), 2, 8, "file.not_utf8", "UTF-8"),
        ("---\ntitle: é".encode() + b"\xe9\n---\n", 2, 9, "file.not_utf8", "UTF-8"),
        (OK.encode() + b"caf\xe9", 4, 4, "file.not_utf8", "UTF-8"),
        (OK.encode() + b"\xed\xa0\x80", 4, 1, "file.not_utf8", "UTF-8"),
        ("---\n" + "x" * 70_000 + "\n---\n", 2, 1, "frontmatter.too_large", "second `---`"),
        (b"x" * (MAX_FILE_BYTES + 99), 1, 1, "file.too_large", "split it up"),
    ],
)
def test_faults_of_the_file(
    data: str | bytes, line: int, column: int, code: str, hint: str
) -> None:
    problem = only(read(data))
    assert (problem.line, problem.column, problem.code) == (line, column, code)
    assert hint in problem.hint


def test_of_a_file_that_is_too_large_no_size_is_said_that_was_not_measured() -> None:
    """A reader stops behind the limit, so what it has is no size of the file."""
    problem = only(read(b"x" * (MAX_FILE_BYTES + 1)))
    assert problem.message == "the file has more than 4,194,304 bytes, the most that are read"


CONFLICT = "<<<<<<< HEAD\n{0}\n=======\n{1}\n>>>>>>> topic\n"
DIFF3 = "<<<<<<< HEAD\n{0}\n||||||| base\n{0}\n=======\n{1}\n>>>>>>> topic\n"


class TestConflictMarkers:
    """git's markers make the part unreadable in which they stand."""

    @pytest.mark.parametrize("form", [CONFLICT, DIFF3])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_in_the_block(self, form: str, newline: str) -> None:
        text = f"---\nkind: fact\n{form.format('title: a', 'title: b')}status: odd\n---\nbody\n"
        parsed = read(text.replace("\n", newline))
        assert found(parsed) == [(3, 1, "file.conflict_marker")]
        assert "keep one side" in parsed.problems[0].hint

    @pytest.mark.parametrize("form", [CONFLICT, DIFF3])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_in_the_body_beside_what_else_is_wrong(self, form: str, newline: str) -> None:
        text = f"---\nstatus: odd\n---\nbody\n{form.format('a', 'b')}"
        parsed = read(text.replace("\n", newline))
        assert found(parsed) == [(2, 9, "field.value"), (5, 1, "file.conflict_marker")]

    def test_every_conflict_is_named(self) -> None:
        both = CONFLICT.format("a", "b")
        assert [line for line, _, _ in found(read(f"{OK}{both}text\n{both}"))] == [4, 10]

    def test_at_the_very_beginning(self) -> None:
        text = CONFLICT.format("---\ntitle: a\n---", "---\ntitle: b\n---")
        assert found(read(text)) == [(1, 1, "file.conflict_marker")]

    @pytest.mark.parametrize(
        "body",
        [
            "A heading\n=======\n\ntext\n",
            "    <<<<<<< HEAD\n    =======\n    >>>>>>> topic\n",
            "> <<<<<<< HEAD\n> =======\n> >>>>>>> topic\n",
            "<<<<<<< HEAD\ntext\n",
            ">>>>>>> topic\n=======\n<<<<<<< HEAD\n",
            "<<<<<<<< eight\n========\n>>>>>>>> eight\n",
        ],
    )
    def test_markdown_that_only_looks_alike_is_text(self, body: str) -> None:
        parsed = read(OK + body)
        assert parsed.problems == ()
        assert parsed.body == body


class TestByteOrderMark:
    """A mark is a warning: the record reads, and the place of everything else stays right."""

    def test_a_warning_beside_a_record(self) -> None:
        parsed = read("\ufeff" + OK)
        assert found(parsed) == [(1, 1, "file.bom")]
        assert parsed.record is not None
        assert parsed.record.lines == {"title": 2}

    @pytest.mark.parametrize(
        ("text", "rest"),
        [
            ("---\nstatus: odd\n---\n", (2, 9, "field.value")),
            ("---\ntitle: a: b\n---\n", (2, 9, "yaml.syntax")),
            ("---\ntitle: a\n", (1, 1, "frontmatter.unclosed")),
        ],
    )
    def test_a_warning_beside_errors(self, text: str, rest: tuple[int, int, str]) -> None:
        assert found(read("\ufeff" + text)) == sorted([(1, 1, "file.bom"), rest])


@pytest.mark.parametrize("data", [b"", b"---\ntitle: &a x\n---\n", OK.encode() + b"\0", b"\xff"])
def test_raw_values_of_what_is_not_readable_are_not_given(data: bytes) -> None:
    with pytest.raises(UnreadableError) as refused:
        values_of(data)
    assert refused.value.problems


def test_raw_values_are_given_with_warnings() -> None:
    assert values_of(b"\xef\xbb\xbf---\ntitle: no\nfoo: [1, ~]\n---\n") == {
        "title": "no",
        "foo": ["1", None],
    }
