"""`doll.yaml`: what its settings mean, and everything that can be wrong with it."""

import pytest
from hypothesis import HealthCheck, given, settings

from doll.errors import CODES, errors_in
from doll.vault.settings import (
    ActionRule,
    Settings,
    frozen_settings,
    parse_settings,
    render_settings,
    thawed_settings,
)
from tests.hostile_bytes import anything

ID = "7c1f0a94d2b84e5e9b63a8f2c05d71e6"
HEAD = f"format: 1\nid: {ID}\nbranch: main\n"


def read(text: str) -> Settings:
    found, problems = parse_settings(text.encode())
    assert problems == ()
    assert found is not None
    return found


def test_a_new_file_reads_back() -> None:
    found, problems = parse_settings(render_settings(ID, "main"))
    assert problems == ()
    assert found == Settings(1, ID, "main", False, False, ())


def test_everything_set() -> None:
    found = read(
        f"{HEAD}authority:\n  signed: off\nreview: {{signed: off}}\nactions:\n"
        '  - project: atlas\n    paths: ["migrations/**", "*.sql"]\n    actions: [db.migrate]\n'
        "  - paths: docs/\n    actions: docs.write\n"
    )
    assert found == Settings(
        1,
        ID,
        "main",
        False,
        False,
        (
            ActionRule("atlas", ("migrations/**", "*.sql"), ("db.migrate",)),
            ActionRule(None, ("docs/",), ("docs.write",)),
        ),
    )


def test_signatures_that_are_required() -> None:
    text = f"{HEAD}authority:\n  signed: required\nreview: {{signed: required}}\n"
    assert parse_settings(text.encode()) == (Settings(1, ID, "main", True, True, ()), ())


@pytest.mark.parametrize(
    "text",
    [
        HEAD,
        HEAD.replace("\n", "\r\n"),
        f"{HEAD}authority:\nreview: {{}}\nactions:\n",
        f"{HEAD}authority: {{signed: off}}\nactions: []\n",
        f"format: '1'\nid: '{ID}'\nbranch: \"main\"\n",
        f"# comment\n{HEAD}",
    ],
)
def test_the_same_settings_written_otherwise(text: str) -> None:
    assert read(text) == Settings(1, ID, "main", False, False, ())


@pytest.mark.parametrize("branch", ["main", "feature/x", "v1.0", "ada/x-y_z", "日本", "a@b"])
def test_names_of_branches(branch: str) -> None:
    assert read(HEAD.replace("main", f"'{branch}'")).branch == branch


@pytest.mark.parametrize(
    ("text", "line", "column", "code", "hint"),
    [
        (HEAD.replace(ID, "ABC"), 2, 1, "settings.value", "32 lower-case hex digits"),
        (HEAD.replace(ID, f"{ID}0"), 2, 1, "settings.value", "32 lower-case hex digits"),
        (HEAD.replace(ID, f"[{ID}]"), 2, 1, "settings.value", "32 lower-case hex digits"),
        ("format: 1\nbranch: main\n", 1, 1, "settings.value", "doll init"),
        (HEAD.replace("format: 1\n", ""), 1, 1, "settings.value", "format: 1"),
        (HEAD.replace("format: 1", "format: 0"), 1, 1, "settings.value", "format: 1"),
        (HEAD.replace("format: 1", "format: 01"), 1, 1, "settings.value", "format: 1"),
        (HEAD.replace("format: 1", "format: -2"), 1, 1, "settings.value", "format: 1"),
        (HEAD.replace("format: 1", "format: 1.0"), 1, 1, "settings.value", "format: 1"),
        (HEAD.replace("format: 1", "format: ٢"), 1, 1, "settings.value", "format: 1"),
        (HEAD.replace("format: 1", "format: true"), 1, 1, "settings.value", "format: 1"),
        (HEAD.replace("format: 1", "format: [1]"), 1, 1, "settings.value", "format: 1"),
        (HEAD.replace("main", "''"), 3, 1, "settings.value", "branch"),
        (HEAD.replace("main", "a..b"), 3, 1, "settings.value", "branch"),
        (HEAD.replace("main", "-x"), 3, 1, "settings.value", "branch"),
        (HEAD.replace("main", "a b"), 3, 1, "settings.value", "branch"),
        (HEAD.replace("main", "x.lock"), 3, 1, "settings.value", "branch"),
        (HEAD.replace("main", "x/"), 3, 1, "settings.value", "branch"),
        (HEAD.replace("main", "'a^b'"), 3, 1, "settings.value", "branch"),
        (HEAD.replace("main", '"a\\nb"'), 3, 1, "settings.value", "branch"),
        (f"{HEAD}brunch: x\n", 4, 1, "settings.unknown", "did you mean `branch`?"),
        (f"{HEAD}zzz: x\n", 4, 1, "settings.unknown", "known are format"),
        (f"{HEAD}authority: required\n", 4, 1, "settings.value", "signed: off"),
        (f"{HEAD}authority:\n  signed: true\n", 5, 11, "settings.value", "write off"),
        (f"{HEAD}authority:\n  signed: [off]\n", 5, 11, "settings.value", "write off"),
        (f"{HEAD}review:\n  sign: off\n", 5, 9, "settings.unknown", "`signed`"),
        (f"{HEAD}actions: x\n", 4, 1, "settings.value", "- paths: [glob]"),
        (f"{HEAD}actions: {{a: b}}\n", 4, 1, "settings.value", "- paths: [glob]"),
        (f"{HEAD}actions:\n  - x\n", 5, 5, "settings.value", "paths: [glob]"),
        (f"{HEAD}actions:\n  - paths: [x]\n", 5, 5, "settings.value", "`actions:`"),
        (f"{HEAD}actions:\n  - actions: [x]\n", 5, 5, "settings.value", "`paths:`"),
        (f"{HEAD}actions:\n  - paths: []\n    actions: x\n", 5, 5, "settings.value", "`paths:`"),
        (
            f"{HEAD}actions:\n  - paths: [ok, '!no']\n    actions: x\n",
            *(5, 17, "settings.value", "gitignore"),
        ),
        (f"{HEAD}actions:\n  - paths: a\n    actions: Db\n", 6, 14, "settings.value", "dotted"),
        (
            f"{HEAD}actions:\n  - paths: a\n    actions:\n      - b\n      - [c]\n",
            *(8, 9, "settings.value", "dotted"),
        ),
        (
            f"{HEAD}actions:\n  - paths: a\n    actions: b\n    projects: c\n",
            *(7, 15, "settings.unknown", "`project`"),
        ),
        (
            f"{HEAD}actions:\n  - paths: a\n    actions: b\n    project: [c]\n",
            *(7, 14, "settings.value", "its id"),
        ),
        (
            f"{HEAD}actions:\n  - paths: a\n    actions: b\n    project: ''\n",
            *(7, 14, "settings.value", "its id"),
        ),
        (f"{HEAD}branch: other\n", 4, 1, "yaml.duplicate_key", "keep one"),
        (f"---\n{HEAD}", 1, 1, "yaml.many_documents", "remove the line"),
        (f"{HEAD}---\n", 4, 1, "yaml.many_documents", "remove the line"),
        (f"{HEAD}...\n", 4, 1, "yaml.many_documents", "remove the line"),
        (f"{HEAD}review: &a\n", 4, 9, "yaml.alias", "begins with `&`"),
        (f"{HEAD}actions: [\n", 5, 1, "yaml.syntax", ""),
        ("- a\n", 1, 1, "frontmatter.not_a_mapping", "lines, such as `format: 1`"),
        ("#" * 70_000, 1, 1, "frontmatter.too_large", "take comments or entries out"),
        ("#" * 5_000_000, 1, 1, "file.too_large", "take comments or entries out"),
        (f"{HEAD}\0", 4, 1, "file.nul", "NUL"),
        (f"<<<<<<< a\n{HEAD}=======\n>>>>>>> b\n", 1, 1, "file.conflict_marker", "keep one side"),
    ],
)
def test_faults(text: str, line: int, column: int, code: str, hint: str) -> None:
    found, problems = parse_settings(text.encode())
    assert found is None
    assert [(p.path, p.line, p.column, p.code) for p in problems] == [
        ("doll.yaml", line, column, code)
    ]
    assert problems[0].hint
    assert hint in problems[0].hint


def test_all_faults_at_once() -> None:
    text = "format: 1\nid: x\nbranch: &a main\nzzz: 1\nactions:\n  - paths: '!a'\n"
    assert [(p.line, p.column, p.code) for p in parse_settings(text.encode())[1]] == [
        (2, 1, "settings.value"),
        (3, 9, "yaml.alias"),
        (4, 1, "settings.unknown"),
        (6, 5, "settings.value"),
        (6, 12, "settings.value"),
    ]


@pytest.mark.parametrize("number", ["2", "10", "9" * 5000])
def test_a_newer_format_is_the_only_thing_said(number: str) -> None:
    found, problems = parse_settings(f"format: {number}\nfuture: x\n".encode())
    assert found is None
    assert [(p.line, p.code, p.hint) for p in problems] == [(1, "settings.newer", "update doll")]


def test_a_byte_order_mark_is_a_warning() -> None:
    found, problems = parse_settings(b"\xef\xbb\xbf" + HEAD.encode())
    assert found is not None
    assert [(p.code, p.severity) for p in problems] == [("file.bom", "warning")]
    wrong = parse_settings(b"\xef\xbb\xbfformat: 1\nid: x\nbranch: main\n")
    assert [(p.line, p.column) for p in wrong[1]] == [(1, 1), (2, 1)]


@pytest.mark.parametrize("data", [b"\xff\xfef\0", HEAD.encode("utf-16"), b"format: \xe9"])
def test_what_is_not_utf8(data: bytes) -> None:
    found, problems = parse_settings(data)
    assert found is None
    assert [p.code for p in problems] == ["file.not_utf8"]


@given(anything)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_bytes_are_read_or_named(data: bytes) -> None:
    for text in (data, HEAD.encode() + data):
        found, problems = parse_settings(text)
        assert (found is None) == bool(errors_in(problems))
        assert all(problem.code in CODES and problem.hint for problem in problems)
        assert list(problems) == sorted(problems)


def test_settings_go_through_the_cache_unchanged() -> None:
    found = read(f"{HEAD}actions:\n  - paths: a\n    actions: b\n")
    assert thawed_settings(frozen_settings(found)) == found
    assert thawed_settings(b"") is None
    assert thawed_settings(b"\xc1garbage") is None
    assert thawed_settings(frozen_settings(found)[:-2]) is None
