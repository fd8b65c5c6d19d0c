"""`doll verify` judges a review in the commit where the record enters."""

import pytest

from doll.records.digest import sha256
from tests.desk import Desk
from tests.system.test_verify import commit, problems

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

STAGED = "staging/proposals/espresso.md"
HOME = "confirmed/espresso.md"
TEXT = "---\nschema: doll/memory/1\ntitle: Espresso\norigin: model\n---\n\nNo sugar.\n"
LINES = "reviewed_by: Ada <ada@example.org>\nreviewed_at: 2026-09-01T08:00:00Z\n"


def reviewed(text: str, digest_of: str | None = None) -> str:
    """Return a candidate as `doll review approve` writes it."""
    digest = sha256((digest_of or text).encode())
    head, _, body = text.partition("\n---\n")
    return f"{head}\n{LINES}reviewed_sha256: {digest}\n---\n{body}"


@pytest.fixture
def staged(desk: Desk) -> Desk:
    """A vault with a candidate on its branch."""
    desk.put(STAGED, TEXT)
    commit(desk, "propose")
    return desk


def move(desk: Desk, text: str, home: str = HOME) -> str:
    """Commit the move of the candidate."""
    (desk.root / STAGED).unlink(missing_ok=True)
    desk.put(home, text)
    return commit(desk, "approve")


def test_what_doll_approves_passes(staged: Desk) -> None:
    digest = sha256(TEXT.encode())
    staged.ok("review", "approve", STAGED, "--digest", digest, "--commit")
    assert problems(staged, code=0) == []


def test_a_kept_candidate_is_staged_still(staged: Desk) -> None:
    staged.put(HOME, reviewed(TEXT))
    commit(staged, "approve")
    assert problems(staged, code=0) == []


def test_other_text_and_no_candidate_and_no_review(staged: Desk) -> None:
    start = staged.git("rev-parse", "HEAD")
    other = TEXT.replace("No", "Two")
    by = move(staged, reviewed(other, TEXT))
    assert problems(staged) == [("review.digest", HOME, by)]
    assert "its text is not the one that was reviewed" in staged.doll("verify").out
    staged.git("reset", "-q", "--hard", start)
    by = move(staged, reviewed(other))
    assert problems(staged) == [("review.digest", HOME, by)]
    assert "no parent has the reviewed bytes under staging/" in staged.doll("verify").out
    staged.git("reset", "-q", "--hard", start)
    by = move(staged, TEXT)
    assert problems(staged) == [("review.missing", HOME, by)]
    assert f"{HOME}:4:1: error" in staged.doll("verify").out


def test_a_candidate_of_the_same_commit_was_not_staged(desk: Desk) -> None:
    desk.put(STAGED, TEXT)
    desk.put(HOME, reviewed(TEXT))
    by = commit(desk, "at once")
    assert problems(desk) == [("review.digest", HOME, by)]


def test_afterwards_it_is_edited_moved_and_renamed_freely(staged: Desk) -> None:
    move(staged, reviewed(TEXT))
    text = reviewed(TEXT).replace("No sugar", "One sugar")
    staged.put(HOME, text)
    commit(staged, "edit")
    (staged.root / "confirmed/drinks").mkdir()
    staged.git("mv", HOME, "confirmed/drinks/espresso.md")
    staged.put("confirmed/drinks/espresso.md", text.replace("One", "Two"))
    commit(staged, "move")
    staged.git("mv", "confirmed/drinks/espresso.md", "confirmed/coffee.md")
    staged.put("confirmed/coffee.md", text.replace("title", "aliases: [espresso]\ntitle"))
    commit(staged, "rename")
    assert problems(staged, code=0) == []


@pytest.mark.parametrize("kind", ["staged", "in the work tree", "edited"])
def test_a_rename_that_history_would_not_know_is_said_before_it_is_history(
    staged: Desk, kind: str
) -> None:
    move(staged, reviewed(TEXT))
    if kind == "in the work tree":
        (staged.root / HOME).rename(staged.root / "confirmed/a b.md")
        arguments = ["validate"]
    else:
        staged.git("mv", HOME, "confirmed/a b.md")
        arguments = ["validate", "--staged"]
    if kind == "edited":
        staged.put("confirmed/a b.md", staged.read("confirmed/a b.md") + "More.\n")
        staged.git("add", "-A")
    result = staged.doll(*arguments)
    assert result.code == 1
    place, back, again = result.out.splitlines()[:3]
    assert place.startswith("confirmed/a b.md:7:1: error: this was confirmed/espresso.md, and no")
    assert place.endswith("[review.digest]")
    assert again.strip() == "doll mv -- espresso 'a b'"
    staged.type(back)
    staged.ok("validate")
    staged.type(again)
    assert staged.read("confirmed/a b.md").count("aliases: [espresso]") == 1
    staged.git("add", "-A")
    assert staged.ok("validate", "--staged").out == ""
    commit(staged, "rename")
    assert problems(staged, code=0) == []


def test_validate_and_verify_agree_on_renames(staged: Desk) -> None:
    move(staged, reviewed(TEXT))
    start = staged.git("rev-parse", "HEAD")
    named = reviewed(TEXT).replace("origin:", "aliases: [espresso]\norigin:")
    for path, text, code in (
        ("confirmed/coffee/espresso.md", reviewed(TEXT), 0),
        ("confirmed/coffee.md", named, 0),
        ("confirmed/coffee.md", reviewed(TEXT), 1),
        ("confirmed/coffee.md", named.replace("[espresso]", "[tea]"), 1),
    ):
        staged.git("rm", "-q", HOME)
        staged.put(path, text)
        staged.git("add", "-A")
        assert staged.doll("validate", "--staged").code == code
        by = commit(staged, "rename")
        assert problems(staged, code=code) == [("review.digest", path, by)] * code
        staged.git("reset", "-q", "--hard", start)


def stripped(text: str) -> str:
    """Return a text without the lines of its review."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("reviewed_"))


def test_an_edit_that_takes_the_review_out_is_named(staged: Desk) -> None:
    move(staged, reviewed(TEXT))
    staged.put(HOME, stripped(reviewed(TEXT)).replace("No sugar", "Two sugars"))
    by = commit(staged, "strip")
    assert problems(staged) == [("review.missing", HOME, by)]
    assert f"commit {by[:12]} leaves this record (origin model)" in staged.doll("verify").out
    staged.put(HOME, stripped(reviewed(TEXT)))
    commit(staged, "edit again")
    assert problems(staged) == [("review.missing", HOME, by)]


def test_a_rename_that_takes_the_review_out_is_named(staged: Desk) -> None:
    move(staged, reviewed(TEXT))
    staged.git("mv", HOME, "confirmed/coffee.md")
    text = stripped(reviewed(TEXT)).replace("title", "aliases: [espresso]\ntitle")
    staged.put("confirmed/coffee.md", text)
    by = commit(staged, "rename")
    assert problems(staged) == [("review.missing", "confirmed/coffee.md", by)]


def test_what_was_the_users_does_not_become_anothers_without_a_review(desk: Desk) -> None:
    desk.put(HOME, TEXT.replace("origin: model\n", ""))
    commit(desk, "mine")
    desk.put(HOME, TEXT)
    by = commit(desk, "a model's")
    assert problems(desk) == [("review.missing", HOME, by)]
    desk.put(HOME, TEXT.replace("origin: model\n", ""))
    commit(desk, "mine again")
    assert problems(desk) == [("review.missing", HOME, by)]


def test_a_merge_that_takes_the_review_out_is_named_and_one_that_follows_is_not(
    staged: Desk,
) -> None:
    move(staged, reviewed(TEXT))
    staged.git("switch", "-qc", "side")
    staged.put(HOME, stripped(reviewed(TEXT)))
    by = commit(staged, "strip")
    staged.git("switch", "-q", "main")
    staged.put("confirmed/user.md", "---\ntitle: mine\n---\n")
    main = commit(staged, "main")
    staged.git("merge", "-q", "--no-edit", "side")
    assert problems(staged) == [("review.missing", HOME, by)]
    staged.git("reset", "-q", "--hard", main)
    staged.git("switch", "-qC", "side", "HEAD~1")
    staged.put("confirmed/side.md", "---\ntitle: side\n---\n")
    commit(staged, "side")
    staged.git("switch", "-q", "main")
    staged.git("merge", "-q", "--no-edit", "side")
    staged.put(HOME, stripped(reviewed(TEXT)))
    staged.git("add", "-A")
    staged.git("commit", "-q", "--amend", "--no-edit")
    assert problems(staged) == [("review.missing", HOME, staged.git("rev-parse", "HEAD"))]


def test_a_name_alone_is_no_move(staged: Desk) -> None:
    move(staged, reviewed(TEXT))
    text = TEXT.replace("title", "aliases: [espresso]\ntitle")
    staged.put("confirmed/coffee.md", text)
    by = commit(staged, "claim")
    assert problems(staged) == [("review.missing", "confirmed/coffee.md", by)]


def test_what_was_edited_may_go_and_come_back(staged: Desk) -> None:
    move(staged, reviewed(TEXT))
    staged.put(HOME, reviewed(TEXT).replace("No sugar", "One sugar"))
    commit(staged, "edit")
    staged.git("rm", "-q", HOME)
    gone = commit(staged, "remove")
    staged.git("revert", "--no-edit", gone)
    assert problems(staged, code=0) == []
    assert problems(staged, "--range", f"{gone}..HEAD", code=0) == []


def test_what_never_was_reviewed_is_named_once_where_it_entered(staged: Desk) -> None:
    by = move(staged, TEXT)
    staged.git("rm", "-q", HOME)
    gone = commit(staged, "remove")
    staged.git("revert", "--no-edit", gone)
    assert problems(staged) == [("review.missing", HOME, by)]


def test_a_merge_brings_in_nothing_of_its_own(staged: Desk) -> None:
    staged.git("switch", "-qc", "side")
    move(staged, reviewed(TEXT))
    staged.git("switch", "-q", "main")
    staged.put("confirmed/user.md", "---\ntitle: mine\n---\n")
    commit(staged, "main")
    staged.git("merge", "-q", "--no-edit", "side")
    assert problems(staged, code=0) == []
    staged.put("confirmed/evil.md", TEXT)
    staged.git("add", "-A")
    staged.git("commit", "-q", "--amend", "--no-edit")
    by = staged.git("rev-parse", "HEAD")
    assert problems(staged) == [("review.missing", "confirmed/evil.md", by)]


@pytest.mark.parametrize(
    "origin",
    ['"origin": model', '"orig\\x69n": model', "origin:   model", "origin: 'model'"],
)
def test_however_the_origin_is_written(desk: Desk, origin: str) -> None:
    desk.put(HOME, f"---\ntitle: Espresso\n{origin}\n---\n\nNo sugar.\n")
    by = commit(desk, "write")
    assert problems(desk) == [("review.missing", HOME, by)]


ENTRY = (
    "---\nproject: atlas\nkind: attempt\nassertion: {0}\nat: 2026-08-20T14:32:05Z\n"
    "summary: Locked\norigin: {1}\n---\n"
)
PLACE = "experience/atlas/20260820T143205Z-attempt-locked-k3v9q2xw7d.md"


def test_an_imported_entry_needs_a_review_and_a_models_does_not(desk: Desk) -> None:
    desk.put(PLACE, ENTRY.format("model_proposed", "model"))
    commit(desk, "model")
    assert problems(desk, code=0) == []
    other = PLACE.replace("k3v9", "aaaa")
    text = ENTRY.format("imported_external", "import")
    desk.put(other, text)
    by = commit(desk, "import")
    assert problems(desk) == [("review.missing", other, by)]
    desk.git("reset", "-q", "--hard", "HEAD~1")
    desk.put("staging/pam/x/entry.md", text)
    commit(desk, "stage")
    desk.git("rm", "-q", "staging/pam/x/entry.md")
    desk.put(other, reviewed(text))
    commit(desk, "approve")
    assert problems(desk, code=0) == []


def test_a_file_in_place_of_a_link_enters(desk: Desk) -> None:
    place = desk.root / HOME
    place.parent.mkdir()
    place.symlink_to("elsewhere")
    commit(desk, "link")
    place.unlink()
    desk.put(HOME, TEXT)
    by = commit(desk, "file")
    assert problems(desk) == [("review.missing", HOME, by)]


@pytest.mark.parametrize("broken", [TEXT + "\x00", TEXT.replace("title", "a: b: c\ntitle")])
def test_what_enters_unreadable_and_is_mended_later(desk: Desk, broken: str) -> None:
    desk.put(HOME, broken)
    by = commit(desk, "broken")
    desk.put(HOME, TEXT)
    commit(desk, "mended")
    assert problems(desk) == [("review.missing", HOME, by)]


def test_a_field_that_this_version_does_not_take_hides_no_review(staged: Desk) -> None:
    text = TEXT.replace("title", "kind: of another version\ntitle")
    staged.put(STAGED, text)
    commit(staged, "propose")
    move(staged, reviewed(text))
    assert problems(staged, code=0) == []
    staged.put("confirmed/other.md", text)
    by = commit(staged, "unreviewed")
    assert problems(staged) == [("review.missing", "confirmed/other.md", by)]
