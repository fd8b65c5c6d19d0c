"""`doll propose`: what a model sends becomes one candidate, whole and below the user."""

import json
import re
from pathlib import Path

import pytest

from doll.records.limits import MAX_BLOCK_BYTES
from doll.services.proposing.reading import MAX_BYTES
from tests.desk import Desk
from tests.gitbox import git

pytestmark = pytest.mark.sampled(4)

BY = ("--by", "model:claude")
NOTE = "---\ntitle: Espresso, no sugar\ntags: [coffee] # said twice\n---\n\nBlack.\n  \n"
ENTRY = """---
project: atlas
kind: lesson
outcome: failed
at: 2026-08-20T14:32:05Z
summary: The migration locked the table
paths: [migrations/**]
---
As the log says.
"""
KEY = "AKIA" + "Q3EGRZ5LKLMNOPQT"


def propose(desk: Desk, text: str | bytes, *arguments: str, kind: str = "memory") -> str:
    """Send a proposal, hold it to exit 0, and return its path."""
    data = text if isinstance(text, bytes) else text.encode()
    return desk.ok("propose", kind, *BY, *arguments, stdin=data).path


def problems(desk: Desk, text: str | bytes, kind: str = "memory") -> dict[str, dict[str, object]]:
    """Send a proposal that is refused with nothing written; return its problems by code."""
    data = text if isinstance(text, bytes) else text.encode()
    before = desk.files()
    result = desk.doll("propose", kind, *BY, "--json", stdin=data)
    assert result.code == 4, result.err
    assert desk.files() == before
    document = result.json
    assert document["schema"] == "doll.error/1"
    assert all(each["hint"] for each in document["problems"])
    return {each["code"]: each for each in document["problems"]}


def test_the_text_is_kept_and_doll_adds_what_it_is(desk: Desk) -> None:
    path = propose(desk, NOTE)
    assert re.fullmatch(r"staging/proposals/espresso-no-sugar-[0-9a-f]{8}\.md", path)
    text = desk.read(path)
    assert text.startswith("---\nschema: doll/memory/1\n" + NOTE[4 : NOTE.index("---\n\n")])
    assert text.endswith("---\n\nBlack.\n  \n")
    assert "\norigin: model\norigin_source: model:claude\ncreated: 20" in text
    assert desk.doll("validate").code == 0


def test_line_endings_and_other_bytes_stay(desk: Desk) -> None:
    path = propose(desk, NOTE.replace("\n", "\r\n").replace("Black", "日本\u202e"))
    data = (desk.root / path).read_bytes()
    assert data.count(b"\r\n") == data.count(b"\n")
    assert data.endswith("\r\n\r\n日本\u202e.\r\n  \r\n".encode())


def test_json_says_the_same(desk: Desk) -> None:
    path = propose(desk, NOTE)
    said = {"title": "Espresso, no sugar", "tags": ["coffee"], "body": "Black."}
    again = desk.ok("propose", "memory", *BY, "--json", stdin=json.dumps(said).encode())
    assert again.json["record"]["path"] == path
    assert again.json["state"] == "there already"


def test_the_whole_way_to_confirmed(desk: Desk) -> None:
    path = propose(desk, NOTE, "--commit")
    assert "Doll-By: model:claude" in desk.git("log", "-1", "--format=%B")
    candidate = desk.ok("review", "show", path, "--json").json["candidate"]
    desk.ok("review", "approve", candidate["id"], "--digest", candidate["sha256"], "--commit")
    stem = Path(path).stem
    text = desk.read(f"confirmed/{stem}.md")
    assert "origin: model\n" in text
    assert "reviewed_by: " in text
    assert desk.doll("validate").code == 0
    assert desk.doll("verify").code == 0
    again = desk.ok("propose", "memory", *BY, "--json", stdin=NOTE.encode()).json
    assert (again["state"], again["record"]["path"]) == ("approved", f"confirmed/{stem}.md")
    assert not (desk.root / path).exists()


def test_a_rejected_proposal_does_not_come_back(desk: Desk) -> None:
    path = propose(desk, NOTE, "--commit")
    desk.ok("review", "reject", path, "--reason", "not any more", "--commit")
    before = desk.files()
    result = desk.ok("propose", "memory", *BY, "--commit", stdin=NOTE.encode())
    assert "rejected it: not any more" in result.err
    assert desk.files() == before


def test_again_with_commit_commits_what_waits(desk: Desk) -> None:
    path = propose(desk, NOTE)
    result = desk.ok("propose", "memory", *BY, "--commit", stdin=NOTE.encode())
    assert result.path == path
    assert desk.git("status", "--porcelain") == ""
    head = desk.git("rev-parse", "HEAD")
    result = desk.ok("propose", "memory", *BY, "--commit", stdin=NOTE.encode())
    assert "nothing was written" in result.err
    assert desk.git("rev-parse", "HEAD") == head


def test_another_model_or_another_word_is_another_proposal(desk: Desk) -> None:
    paths = {
        propose(desk, NOTE),
        propose(desk, NOTE.replace("Black", "White")),
        desk.ok("propose", "memory", "--by", "model:other", stdin=NOTE.encode()).path,
    }
    assert len(paths) == 3


def test_experience_waits_for_review_and_warns_once_it_is_approved(desk: Desk) -> None:
    path = propose(desk, ENTRY, "--commit", kind="experience")
    name = Path(path).stem
    assert name.startswith("20260820T143205Z-lesson-the-migration-locked-the-table-")
    assert "assertion: model_proposed\n" in desk.read(path)
    check = ("preflight", "--project", "atlas", "--path", "migrations/1.sql", "--json")
    assert desk.doll(*check).json["findings"] == []
    candidate = desk.ok("review", "show", path, "--json").json["candidate"]
    desk.ok("review", "approve", candidate["id"], "--digest", candidate["sha256"], "--commit")
    assert (desk.root / f"experience/atlas/{name}.md").is_file()
    codes = [each["code"] for each in desk.doll(*check).json["findings"]]
    assert codes == ["experience.prior_failure.model_proposed"]
    again = desk.ok("propose", "experience", *BY, "--json", stdin=ENTRY.encode()).json
    assert again["state"] == "approved"


def test_all_problems_come_at_once_with_their_places(desk: Desk) -> None:
    text = "---\ntitle: X\nstatus: approved\ntagz: [a]\norigin: user\nvalid_from: soon\n---\n"
    found = problems(desk, text)
    assert {code: each["line"] for code, each in found.items()} == {
        "field.value": 3,
        "field.unknown": 4,
        "proposal.field": 5,
        "field.time": 6,
    }
    assert "tags" in str(found["field.unknown"]["hint"])
    document = {"title": 3, "tags": ["a", 4], "tagz": "a", "origin": "user", "kind": ["x", "y"]}
    found = problems(desk, json.dumps(document, indent=1))
    places = {code: (each["pointer"], each["line"]) for code, each in found.items()}
    assert places["field.unknown"] == ("/tagz", 7)
    assert places["proposal.field"] == ("/origin", 8)
    assert places["field.shape"][0] in ("/title", "/tags/1", "/kind")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "proposal.empty"),
        (" \n", "proposal.empty"),
        ("no front matter", "frontmatter.missing"),
        ("---\ntitle: X\n", "frontmatter.unclosed"),
        ("---\ntitle: X\ntitle: Y\n---\n", "yaml.duplicate_key"),
        ("---\ntitle: &a X\n---\n", "yaml.alias"),
        ("---\ntags: [a]\n---\n \n", "proposal.empty"),
        ("---\nschema: doll/policy/1\ntitle: X\n---\n", "schema.wrong_folder"),
        ("---\ntitle: X\n---\na\0b", "file.nul"),
        (b"---\ntitle: \xff\n---\n", "file.not_utf8"),
        ('{"title": ', "json.truncated"),
        ('{"title": "X", "title": "Y"}', "json.duplicate_key"),
        ('{"title": NaN}', "json.constant"),
        ('{"title": "X"} {}', "json.trailing"),
        ('{"title": "\\ud800"}', "text.surrogate"),
        ('{"title": "X", "body": 3}', "field.shape"),
        ('{"title": {"a": "b"}}', "field.shape"),
        ('{"body": "a\\u0000b"}', "file.nul"),
        ('{"a":' * 80 + "1" + "}" * 80, "json.too_deep"),
        (b"\xef\xbb\xbf---\ntitle: X\n---\n", "file.bom"),
        ("---\ntitle: C #1 thing\n---\n", "yaml.comment"),
        ("---\ntitle: X\ntags: a, b\n---\n", "field.comma"),
        ('{"title": "X", "tags": "a, b"}', "field.comma"),
        ("---\ntitle: X\n---\n" + "a" * MAX_BYTES, "proposal.too_large"),
        (f"---\nsummary: {'a' * (MAX_BLOCK_BYTES - 500)}\n---\n", "frontmatter.too_large"),
    ],
)
def test_what_is_no_proposal(desk: Desk, text: str | bytes, code: str) -> None:
    assert code in problems(desk, text)


@pytest.mark.parametrize("text", ["[]", '"x"', "1", "null", "[{}]", b'\xef\xbb\xbf["x"]'])
def test_json_that_is_no_object(desk: Desk, text: str | bytes) -> None:
    found = problems(desk, text)
    assert [each["message"] for each in found.values()] == ["this is no JSON object"]


@pytest.mark.parametrize("value", ["true", "false", "1.5", "1.0", "1", "1e400"])
@pytest.mark.parametrize(
    ("field", "pointer"),
    [("title", "/title"), ("tags", "/tags/0"), ("kind", "/kind"), ("valid_from", "/valid_from")],
)
def test_json_without_quotes_is_no_text(desk: Desk, field: str, pointer: str, value: str) -> None:
    sent = f"[{value}]" if pointer.endswith("/0") else value
    found = problems(desk, f'{{"summary": "X", "{field}": {sent}}}')
    kind = "true or false" if value in ("true", "false") else "a number"
    said = found["field.shape"]
    assert (said["pointer"], said["hint"]) == (pointer, "write it in quotes")
    assert said["message"] == f"`{field}` wants text, and this is {kind}"


def test_a_flag_is_no_number(desk: Desk) -> None:
    found = problems(desk, '{"title": "X", "exportable": 1}')
    assert found["field.shape"]["hint"] == "write true or false, without quotes"
    propose(desk, '{"title": "X", "exportable": false}')


def test_what_doll_fills_in_is_never_missing(desk: Desk) -> None:
    text = ENTRY.replace("kind: lesson", "kind: lesson\nkind: lesson")
    assert list(problems(desk, text, "experience")) == ["yaml.duplicate_key"]


def test_links_are_proposed_and_have_to_lead_somewhere(desk: Desk) -> None:
    desk.put("confirmed/tea.md", "---\ntitle: Tea\n---\nGreen.\n")
    git(desk.root, "add", "-A")
    git(desk.root, "commit", "-qm", "tea")
    path = propose(desk, "---\ntitle: Coffee\nsupersedes: [tea]\n---\n", "--commit")
    assert "supersedes: [tea]" in desk.read(path)
    again = desk.ok("propose", "memory", "--by", "model:other", stdin=b"---\ntitle: Coffee\n---\n")
    assert "stands as it is" not in again.err
    hits = desk.ok("recall", "green", "--json").json["hits"]
    assert [(each["id"], each["marks"]) for each in hits] == [("tea", [])]
    found = problems(desk, "---\ntitle: Coffee\nsupersedes: [te]\n---\n")
    assert found["reference.unresolved"]["line"] == 3
    found = problems(desk, ENTRY.replace("atlas", "nowhere"), "experience")
    assert found["reference.unresolved"]["line"] == 2
    found = problems(desk, ENTRY.replace("migrations/**", "'a['"), "experience")
    assert found["glob.never"]["line"] == 7


def test_links_of_a_model_are_told_for_what_they_are(desk: Desk) -> None:
    desk.put("confirmed/tea.md", "---\ntitle: Tea\n---\nGreen.\n")
    mine = desk.ok("log", "attempt", "It failed", "--project=atlas", "--outcome=failed").path
    sent = ENTRY.replace("---\nAs", f"supersedes: [{Path(mine).stem}]\n---\nAs").encode()
    said = desk.ok("propose", "experience", *BY, stdin=sent).err
    assert "once approved: recorded as model_proposed" in said
    assert "is user_recorded, more than model_proposed: it still stands" in said
    sent = b"---\ntitle: Coffee\nsupersedes: [tea]\n---\n"
    assert "tea stands as it is" in desk.ok("propose", "memory", *BY, stdin=sent).err


def test_who_proposes_must_be_said(desk: Desk) -> None:
    assert "--by model:NAME" in desk.refused(2, "propose", "memory", stdin=NOTE.encode())
    desk.refused(2, "propose", "memory", "--by", "user", stdin=NOTE.encode())
    desk.ok("propose", "memory", stdin=NOTE.encode(), DOLL_BY="model:claude")


@pytest.mark.parametrize("where", ["title: {}", "title: X # {}", "tags: [{}]"])
def test_a_secret_is_refused_wherever_it_stands(desk: Desk, where: str) -> None:
    for text in (
        f"---\nsummary: y\n{where.format(KEY)}\n---\n",
        f"---\ntitle: X\n---\n{where.format(KEY)}\n",
    ):
        said = desk.refused(5, "propose", "memory", *BY, stdin=text.encode())
        assert "aws-key" in said
        assert KEY not in said
        assert "--not-a-secret" not in said


def test_a_secret_record_is_named_by_nothing_that_it_says(desk: Desk) -> None:
    text = "---\ntitle: Where the spare key lies\nsensitivity: secret\n---\nUnder the mat.\n"
    result = desk.ok("propose", "memory", *BY, "--commit", stdin=text.encode())
    assert result.path.startswith("staging/proposals/secret-")
    assert "spare" not in result.err + desk.git("log", "-1", "--format=%B")


def test_a_text_without_a_name_has_that_of_its_first_words(desk: Desk) -> None:
    assert "/black-only-" in propose(desk, json.dumps({"body": "Black only.\nNo milk."}))
    assert "/record-" in propose(desk, json.dumps({"body": "…"}))
