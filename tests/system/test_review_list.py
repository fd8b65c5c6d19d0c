"""`doll review list`, `show` and `diff`: reading what waits in staging."""

import hashlib
import json
import subprocess

import pytest

from tests.foreign_desk import AWS, ForeignDesk, three
from tests.pam_documents import full_memory, memory, relation, sealed, store

pytestmark = pytest.mark.sampled(4)


def test_in_a_pipe_the_candidates_are_listed(desk: ForeignDesk) -> None:
    desk.bring(three(), "--name", "mine")
    before = desk.files()
    done = desk.ok("review")
    lines = done.out.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("not committed  mine/") for line in lines)
    assert "3 candidates to review, 0 rejected, 3 not committed yet" in done.err
    desk.git("add", "staging")
    desk.git("commit", "-qm", "import")
    assert desk.ok("review").out.splitlines()[0].startswith("open ")
    assert desk.ok("review", "list").out == desk.ok("review").out
    assert desk.files() == before


def test_the_list_as_json(desk: ForeignDesk) -> None:
    candidates = desk.committed(three(), "--name", "mine")
    listed = desk.review("list")
    assert listed["schema"] == "doll.review/1"
    assert [each["id"] for each in listed["candidates"]] == sorted(
        each["id"] for each in candidates
    )
    tea = next(each for each in listed["candidates"] if each["source_id"] == "mem-1")
    assert tea["committed"]
    assert tea["state"] == "open"
    assert tea["adapter"] == "pam"
    assert tea["name"] == "Tea, not coffee"
    assert json.loads(desk.ok("review", "--json").out) == listed


def test_digests_are_those_of_sha256sum(desk: ForeignDesk) -> None:
    candidates = desk.committed(three(), "--name", "mine")
    desk.review("reject", candidates[0]["id"], "--reason", "no", "--commit")
    lines = desk.ok("review", "list", "--digests").out.splitlines()
    assert len(lines) == 2
    for line in lines:
        digest, _, path = line.partition("  ")
        assert hashlib.sha256(desk.files()[path]).hexdigest() == digest
    check = subprocess.run(
        ["sha256sum", "--check", "--quiet"],
        cwd=desk.root,
        input="\n".join([*lines, ""]).encode(),
        capture_output=True,
        check=False,
    )
    assert check.returncode == 0, check.stderr


def test_an_unreadable_candidate_is_named_and_the_others_are_listed(desk: ForeignDesk) -> None:
    candidates = desk.committed(three(), "--name", "mine")
    desk.put(candidates[0]["path"], "---\ntitle: [\n---\n")
    done = desk.ok("review")
    assert len(done.out.splitlines()) == 2
    assert f"{candidates[0]['path']}:" in done.err
    err = desk.refused(5, "review", "show", candidates[0]["id"])
    assert "is no readable record" in err
    assert f"{candidates[0]['path']}:" in err


def test_an_empty_staging_is_no_error(desk: ForeignDesk) -> None:
    done = desk.ok("review")
    assert done.out == ""
    assert "0 candidates to review" in done.err


def test_a_candidate_is_shown_whole_with_its_source_and_claims(desk: ForeignDesk) -> None:
    document = store(
        full_memory(content="Prefers tea.\u202e\u200b\x1b[31m\n\nSecond line."),
        relations=[relation("mem-full", "mem-0")],
    )
    candidate = desk.committed(document, "--name", "mine")[0]
    out = desk.ok("review", "show", candidate["id"]).out
    assert candidate["sha256"] in out
    assert "origin     import: pam, 11111111-2222-4333-8444-555555555555, id mem-full" in out
    assert "import     staging/pam/mine/_import.md" in out
    assert "| Prefers tea.\\u{202e}\\u{200b}\\u{1b}[31m" in out
    assert "| Second line." in out
    front = desk.read(candidate["path"]).split("\n---\n")[0]
    kept, _, claims = front.partition("\nclaims:\n")
    for line in [*kept.splitlines(), "claims: (below)"]:
        assert f"| {line}\n" in out
    told = desk.review("show", candidate["id"])["claims"]
    assert len(told) == len(claims.splitlines())
    assert {
        "name": "confidence.current",
        "text": "0.5",
        "reason": "doll has no such field: meaning not known",
    } in told
    report = desk.read("staging/pam/mine/_import.md")
    for claim in told:
        line = f"{claim['name']} = {claim['text']}"
        if claim["reason"] == "doll has no such field: meaning not known":
            assert out.count(f"  source: {line} (meaning not known)\n") == 1
        else:
            assert out.count(f"    {claim['name']} = ") == 1
            assert f"  ({claim['reason']})\n" in out
        assert f"| {claim['reason']} |\n" in report
    assert "\u202e" not in out
    assert "\x1b" not in out


@pytest.mark.parametrize("form", ["id", "path", "stem", "upper"])
def test_a_candidate_is_found_by_id_path_or_stem(desk: ForeignDesk, form: str) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    name = {
        "id": candidate["id"],
        "path": candidate["path"],
        "stem": candidate["id"].partition("/")[2],
        "upper": candidate["id"].upper(),
    }[form]
    assert desk.review("show", name)["candidate"]["path"] == candidate["path"]


def test_a_name_that_means_none_or_several_is_refused(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    stem = candidate["id"].partition("/")[2]
    assert candidate["id"] in desk.refused(2, "review", "show", candidate["id"] + "x")
    desk.put(f"staging/pam/other/{stem}.md", desk.read(candidate["path"]))
    err = desk.refused(2, "review", "show", stem)
    assert "can mean 2 candidates" in err
    desk.ok("review", "show", f"other/{stem}")


def test_confirmed_records_are_no_candidates(desk: ForeignDesk) -> None:
    desk.put("confirmed/tea.md", "---\ntitle: Tea\n---\nPrefers tea to coffee.\n")
    desk.refused(2, "review", "show", "tea")
    desk.refused(2, "review", "show", "confirmed/tea.md")


def test_likely_duplicates_are_named(desk: ForeignDesk) -> None:
    desk.put("confirmed/tea.md", "---\ntitle: Tea\n---\nPrefers TEA, to coffee\n")
    desk.put("confirmed/boat.md", "---\ntitle: Boat\n---\nHas a boat.\n")
    candidate = desk.committed(three(), "--name", "mine")[0]
    shown = desk.review("show", candidate["id"])
    assert [each["id"] for each in shown["duplicates"]] == ["tea"]
    out = desk.ok("review", "show", candidate["id"]).out
    assert "tea  the same words  confirmed/tea.md" in out


def test_a_secret_that_came_later_is_covered_and_named(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    desk.put(candidate["path"], desk.read(candidate["path"]) + f"\nkey {AWS}\n")
    done = desk.ok("review", "show", candidate["id"])
    assert AWS not in done.out
    assert "[secret: aws-key]" in done.out
    assert "cannot be approved" in done.out


def test_a_candidate_about_a_secret_is_listed_by_its_id(desk: ForeignDesk) -> None:
    desk.put(
        "staging/proposals/sheet-1.md",
        "---\ntitle: Where the sheet lies\nsensitivity: secret\nschema: doll/memory/1\n---\n",
    )
    out = desk.ok("review").out
    assert "Where" not in out
    assert "proposals/sheet-1" in out


def test_diff_of_something_new_shows_every_line(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    lines = desk.review("diff", candidate["id"])["lines"]
    assert lines[:2] == ["--- /dev/null", f"+++ b/{candidate['path']}"]
    text = desk.read(candidate["path"])
    assert [line[1:] for line in lines[3:]] == text.split("\n")


@pytest.mark.parametrize("approved", [True, False])
def test_diff_compares_with_what_it_updates(desk: ForeignDesk, *, approved: bool) -> None:
    first = desk.committed(store(memory("Prefers tea.")), "--name", "one")[0]
    against = first["path"]
    if approved:
        against = desk.approve(first, "--commit")["moves"][0]["path"]
    second = desk.committed(sealed(store(memory("Prefers coffee.")) | {}), "--name", "two")[0]
    difference = desk.review("diff", second["id"])
    assert difference["against"] == against
    assert "-Prefers tea." in difference["lines"]
    assert "+Prefers coffee." in difference["lines"]
    out = desk.ok("review", "diff", second["id"]).out
    assert f"--- a/{against}" in out


def test_diff_says_when_the_earlier_version_is_gone(desk: ForeignDesk) -> None:
    first = desk.committed(store(memory("Prefers tea.")), "--name", "one")[0]
    second = desk.committed(store(memory("Prefers coffee.")), "--name", "two")[0]
    (desk.root / first["path"]).unlink()
    assert "is in no folder any more" in desk.ok("review", "diff", second["id"]).out


def test_the_vault_may_be_named_before_or_behind_the_subcommand(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    elsewhere = ForeignDesk(desk.root.parent, desk._capsys)
    expected = desk.ok("review", "list").out
    root = str(desk.root)
    assert elsewhere.ok("review", "--vault", root, "list").out == expected
    assert elsewhere.ok("review", "list", "--vault", root).out == expected
    assert elsewhere.ok("review", "--vault", root).out == expected
