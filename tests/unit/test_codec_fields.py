"""Values that do not fit their fields, all at once; unknown fields; the type of a record."""

import pytest

from doll.records.codec import parse
from doll.records.limits import MAX_PROBLEMS
from tests.reading import OK, block, found, only


@pytest.mark.parametrize(
    ("text", "line", "column", "code", "hint"),
    [
        ("tags: [[a, b], c]", 2, 8, "field.shape", "one `- text` a line"),
        ("related: [[espresso-order]]", 2, 11, "field.shape", '`[[links]]` in "quotes"'),
        ("related:\n  - [[espresso-order]]", 3, 5, "field.shape", '`[[links]]` in "quotes"'),
        ("tags: [a, ~]", 2, 11, "field.shape", "one `- text` a line"),
        ("tags: {a: b}", 2, 7, "field.shape", "one `- text` a line"),
        ("tags: [{a: b}]", 2, 8, "field.shape", "one `- text` a line"),
        ("title: [a]", 2, 8, "field.shape", "write title: a"),
        ("title: [a, b]", 2, 8, "field.shape", 'in "quotes"'),
        ("title: [true]", 2, 8, "field.shape", 'in "quotes"'),
        ("title: ['a: b']", 2, 8, "field.shape", 'write title: "a: b"'),
        ("title: {a: b}", 2, 8, "field.shape", 'in "quotes"'),
        ("title:\n  - a", 3, 3, "field.shape", "write title: a"),
        ("claims: [a]", 2, 9, "field.shape", "json text"),
        ("claims: a", 2, 9, "field.shape", "json text"),
        ("claims:\n  /a: [b]", 3, 7, "field.shape", "json text"),
        ("claims:\n  /a:", 3, 6, "field.shape", "json text"),
        ("exportable: no", 2, 13, "field.shape", "true or false"),
        ('exportable: "true"', 2, 13, "field.shape", "true or false"),
        ("exportable: [true]", 2, 13, "field.shape", "true or false"),
        ("status: Active", 2, 9, "field.value", "write active"),
        ("status: archive", 2, 9, "field.value", "write archived"),
        ("status: [active]", 2, 9, "field.shape", "write status: active"),
        ("status: [activ]", 2, 9, "field.shape", "write one value"),
        ("status: true", 2, 9, "field.value", "write one of: active, archived, superseded"),
        ("status: inactive", 2, 9, "field.value", "write one of: active, archived, superseded"),
        ("status: ''", 2, 9, "field.value", "write one of: active, archived, superseded"),
        ("created: 2026-01-01", 2, 10, "field.time", "write 2026-01-01T00:00:00Z, or"),
        ("created: 2026-01-01T10:00:00", 2, 10, "field.time", "write 2026-01-01T10:00:00Z, or"),
        ("created: 2026-01-01 10:00:00Z", 2, 10, "field.time", "write 2026-01-01T10:00:00Z"),
        ("created: 2026-01-01T10:00:00+0200", 2, 10, "field.time", "10:00:00+02:00"),
        ("created: 2026-02-30T10:00:00Z", 2, 10, "field.time", "there is no 30 February"),
        ("created: 2026-01-01T23:59:60Z", 2, 10, "field.time", "leap seconds are not read"),
        ("created: 0001-01-01T00:00:00+14:00", 2, 10, "field.time", "with its offset"),
        ("created: 9999-12-31T23:59:59-14:00", 2, 10, "field.time", "with its offset"),
        ("created: yesterday", 2, 10, "field.time", "with its offset"),
        ("created: true", 2, 10, "field.shape", "with its offset"),
        ("created: [2026-01-01T10:00:00Z]", 2, 10, "field.shape", "write created: 2026-01-01T1"),
        ("origin_sha256: ABC", 2, 16, "field.value", "64 lower-case hex digits"),
        ("supersedes: ['']", 2, 14, "field.value", "id of a record"),
        ("aliases: ''", 2, 10, "field.value", "id of a record"),
        ("schema: doll/recipe/1", 2, 9, "schema.unknown", "doll/memory/1"),
        ("schema: doll/memory/2", 2, 9, "schema.unknown", "doll/memory/1"),
        ("schema: doll/policy/1", 2, 9, "schema.wrong_folder", "doll/memory/1"),
        ("reviewed_by: Ada", 2, 14, "field.needs", "doll review approve"),
        (
            "valid_from: 2026-02-01T00:00:00Z\nvalid_until: 2026-01-01T00:00:00Z",
            3,
            14,
            "field.value",
            "swap them",
        ),
    ],
)
def test_faults_of_the_fields(text: str, line: int, column: int, code: str, hint: str) -> None:
    problem = only(block(text))
    assert (problem.line, problem.column, problem.code) == (line, column, code)
    assert hint in problem.hint


class TestAllAtOnce:
    """Every problem of a file is listed at once."""

    def test_of_the_yaml_and_of_the_fields(self) -> None:
        parsed = block(
            "title: &a x\n"
            "summary: *a\n"
            "status: odd\n"
            "tags: [one, [two]]\n"
            "created: 2026-01-01\n"
            "kind: fact\n"
            "kind: goal\n"
            "valid_untill: x\n"
            "reviewed_by: Ada"
        )
        assert found(parsed) == [
            (2, 8, "yaml.alias"),
            (3, 10, "yaml.alias"),
            (4, 9, "field.value"),
            (5, 13, "field.shape"),
            (6, 10, "field.time"),
            (8, 1, "yaml.duplicate_key"),
            (9, 1, "field.unknown"),
            (10, 14, "field.needs"),
        ]
        assert parsed.body == "body\n"

    def test_of_a_required_field(self) -> None:
        parsed = block("project:\nkind: attempt\nat: noon\nsummary: ''", "experience")
        assert found(parsed) == [
            (1, 1, "field.missing"),
            (2, 1, "field.missing"),
            (4, 5, "field.time"),
            (5, 10, "field.value"),
        ]
        assert parsed.problems[0].message.startswith("`assertion` is missing")
        assert parsed.problems[1].message.startswith("`project` is missing")

    def test_an_alias_is_not_reported_as_a_missing_field_too(self) -> None:
        parsed = block("effect: *x", "policy")
        assert found(parsed) == [(2, 9, "yaml.alias")]

    def test_with_a_type_that_is_not_known(self) -> None:
        parsed = block("schema: doll/recipe/1\nstatus: odd")
        assert found(parsed) == [(2, 9, "schema.unknown"), (3, 9, "field.value")]

    def test_characters_of_the_block(self) -> None:
        parsed = block("title: a\x07b\x07\nsummary: \u2028")
        assert [(line, column) for line, column, _ in found(parsed)] == [(2, 9), (2, 11), (3, 10)]

    def test_of_very_many_the_errors_come_first_and_the_rest_is_counted(self) -> None:
        unknown = "\n".join(f"k{number}: x" for number in range(500))
        parsed = block(f"{unknown}\nstatus: odd")
        assert parsed.record is None
        assert len(parsed.problems) == MAX_PROBLEMS + 1
        assert [p.line for p in parsed.problems if p.code == "field.value"] == [502]
        more = next(p for p in parsed.problems if p.code == "file.many_problems")
        assert more.severity == "warning"
        assert more.message == "+401 more problems are not listed"
        assert more.line == 502

    def test_errors_that_are_only_counted_are_errors(self) -> None:
        parsed = block("tags: [" + "[], " * 500 + "]")
        more = next(p for p in parsed.problems if p.code == "file.many_problems")
        assert more.severity == "error"


class TestUnknownFields:
    """Kept and warned about; in `authority/` a misspelt field must not lift a limit."""

    def test_a_warning_with_the_near_word(self) -> None:
        parsed = block("title: x\nvalid_untill: 2026\nfoo:\n  bar: [1]\n'': empty")
        assert found(parsed) == [
            (3, 1, "field.unknown"),
            (4, 1, "field.unknown"),
            (6, 1, "field.unknown"),
        ]
        assert {problem.severity for problem in parsed.problems} == {"warning"}
        assert parsed.problems[0].hint == "did you mean `valid_until`?"
        assert parsed.record is not None

    def test_an_error_in_authority(self) -> None:
        parsed = block("effect: deny\nvalid_untill: 2026-01-01T00:00:00Z\nfoo: x", "policy")
        assert found(parsed) == [(3, 1, "field.unknown"), (4, 1, "field.unknown")]
        assert {problem.severity for problem in parsed.problems} == {"error"}
        assert parsed.problems[0].hint == "did you mean `valid_until`?"
        assert "body" in parsed.problems[1].hint


class TestSchema:
    """The type is what the folder says, or `schema` where the folder says nothing."""

    def test_absent_where_the_folder_says_nothing(self) -> None:
        parsed = parse(OK.encode(), "staging/pam/a/x.md", "a/x", None)
        assert found(parsed) == [(1, 1, "schema.missing")]
        assert "schema: doll/memory/1" in parsed.problems[0].hint

    def test_named_where_the_folder_says_nothing(self) -> None:
        data = b"---\nschema: doll/policy/1\neffect: deny\n---\n"
        parsed = parse(data, "staging/pam/a/x.md", "a/x", None)
        assert parsed.record is not None
        assert parsed.record.type == "policy"

    @pytest.mark.parametrize("name", ["doll/recipe/1", f"doll/memory/{'9' * 5000}", "x", "[x]"])
    def test_unknown_where_the_folder_says_nothing(self, name: str) -> None:
        data = f"---\nschema: {name}\n---\n".encode()
        parsed = parse(data, "staging/pam/a/x.md", "a/x", None)
        assert found(parsed) == [(2, 9, "schema.unknown")]
