"""`--commit` where git cannot commit, or commits what nobody would see: consistent, and said."""

from collections.abc import Callable

import pytest

from tests.foreign_desk import ForeignDesk, three
from tests.gitbox import hook
from tests.pam_documents import Json

pytestmark = pytest.mark.sampled(4)

LOG = ("log", "lesson", "Cats eat seedlings", "--project", "garden")


@pytest.fixture
def candidates(desk: ForeignDesk) -> list[Json]:
    desk.put("notes.txt", "one\n")
    desk.git("add", "notes.txt")
    desk.git("commit", "-qm", "notes")
    return desk.committed(three(), "--name", "mine")


def _commands(desk: ForeignDesk, candidates: list[Json]) -> dict[str, tuple[str, ...]]:
    place = desk.export(three() | {"owner": {"id": "somebody-else"}})
    one, two = candidates[:2]
    return {
        "log": (*LOG, "--commit"),
        "new": ("new", "memory", "--title", "Tea", "--commit"),
        "import": ("import", "pam", str(place), "--commit"),
        "approve": ("review", "approve", one["id"], "--digest", one["sha256"], "--commit"),
        "reject": ("review", "reject", two["id"], "--reason", "no", "--commit"),
    }


def _diverged(desk: ForeignDesk) -> None:
    desk.git("switch", "-qc", "side")
    desk.put("notes.txt", "side\n")
    desk.git("commit", "-qam", "side")
    desk.git("switch", "-q", "main")
    desk.put("notes.txt", "main\n")
    desk.git("commit", "-qam", "main")


def _in_a_merge(desk: ForeignDesk) -> None:
    _diverged(desk)
    desk.type("git merge side", 1)


def _in_a_rebase(desk: ForeignDesk) -> None:
    _diverged(desk)
    desk.type("git rebase side", 1)


def _in_a_cherry_pick(desk: ForeignDesk) -> None:
    _diverged(desk)
    desk.type("git cherry-pick side", 1)


def _in_a_revert(desk: ForeignDesk) -> None:
    _diverged(desk)
    desk.put("notes.txt", "more\n")
    desk.git("commit", "-qam", "more")
    desk.type("git revert --no-edit HEAD~1", 1)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("begin", "name"),
    [
        (_in_a_merge, "merge"),
        (_in_a_rebase, "rebase"),
        (_in_a_cherry_pick, "cherry-pick"),
        (_in_a_revert, "revert"),
    ],
)
def test_nothing_is_committed_in_the_middle_of_something(
    desk: ForeignDesk,
    candidates: list[Json],
    begin: Callable[[ForeignDesk], None],
    name: str,
) -> None:
    begin(desk)
    before = desk.status()
    for command in _commands(desk, candidates).values():
        err = desk.refused(5, *command)
        assert f"`git {name}` is not finished" in err
        assert f"git {name} --continue" in err
    assert desk.status() == before
    desk.git(name, "--abort")
    for command in _commands(desk, candidates).values():
        desk.ok(*command)


def test_a_vault_is_not_begun_in_the_middle_of_a_merge(
    desk: ForeignDesk, candidates: list[Json], capsys: pytest.CaptureFixture[str]
) -> None:
    code = ForeignDesk(desk.root.parent / "code", capsys)
    code.root.mkdir()
    code.git("init", "-q", "-b", "main")
    code.put("notes.txt", "one\n")
    code.git("add", "-A")
    code.git("commit", "-qm", "one")
    _in_a_merge(code)
    assert "`git merge` is not finished" in code.refused(5, "init", "notes")


def test_what_is_printed_in_a_merge_can_be_typed(desk: ForeignDesk, candidates: list[Json]) -> None:
    _in_a_merge(desk)
    desk.git("checkout", "-q", "--ours", "notes.txt")
    desk.git("add", "notes.txt")
    steps = desk.ok(*LOG, "--json").json["next"]
    assert steps[0] == "git merge --continue"
    one = candidates[0]
    err = desk.ok("review", "approve", one["id"], "--digest", one["sha256"]).err
    assert "it goes along when you finish: git merge --continue" in err
    for step in steps:
        desk.type(f"GIT_EDITOR=true {step}" if "--continue" in step else step)
    assert desk.status() == []
    desk.ok("validate")


def test_every_line_that_commits_says_what_comes_first(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    _in_a_merge(desk)
    # From elsewhere, so that the lines have to say where.
    at, finish = desk.at(".."), f"git -C {desk.root} merge --continue"
    path = candidates[0]["path"]
    before = desk.read(path)
    desk.put(path, before + "Edit.\n")
    said = at.refused(5, "imports", "drop", "mine", DOLL_VAULT=str(desk.root))
    assert f"{finish}    finishes `git merge` first; then\n" in said
    desk.put(path, before)
    for name in ("tea", "twin"):
        desk.put(f"confirmed/{name}.md", f"---\ntitle: {name}\n---\nGreen.\n")
    at.put("cups.md", "# Cups\n\nThe cups are in the left cupboard.\n")
    commands: tuple[tuple[str, ...], ...] = (
        ("edit", "tea"),
        ("mv", "tea", "chai"),
        ("duplicates", "judge", "chai", "twin", "--distinct"),
        ("import", "markdown", "cups.md"),
    )
    for command in commands:
        done = at.ok(*command, EDITOR="sed -i s/Green/Black/", DOLL_VAULT=str(desk.root))
        assert "first finish what git is in the middle of: `git merge`" in done.err
        assert f" {finish}\n" in done.err
    dropped = at.ok("imports", "drop", "mine", DOLL_VAULT=str(desk.root)).err
    assert f"goes along when you finish: {finish}\n" in dropped
    # The undo brings back what was dropped, and keeps what was edited since.
    desk.put(path, "mine\n")
    at.type(dropped.partition("to undo it: ")[2])
    assert desk.read(path) == "mine\n"
    assert all((desk.root / each["path"]).is_file() for each in candidates)


def test_a_commit_on_no_branch_is_said(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.git("switch", "-q", "--detach")
    for command in _commands(desk, candidates).values():
        assert "HEAD is on no branch" in desk.ok(*command).err
    assert "HEAD is on no branch" in desk.ok(*LOG, "--commit", "--json").err
    desk.git("switch", "-qc", "kept")
    assert "on no branch" not in desk.ok(*LOG, "--commit").err


def _refusing(desk: ForeignDesk) -> None:
    hook(desk.root, "#!/bin/sh\necho not today >&2\nexit 1\n")


def _locked(desk: ForeignDesk) -> None:
    desk.put(".git/index.lock", "")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("fail", [_refusing, _locked])
@pytest.mark.parametrize("by_hand", [False, True])
def test_an_approval_that_git_refuses_leaves_what_was(
    desk: ForeignDesk,
    candidates: list[Json],
    fail: Callable[[ForeignDesk], None],
    by_hand: bool,
) -> None:
    one = candidates[0]
    command = ["review", "approve", "--commit"]
    if by_hand:
        desk.put("confirmed/README.md", "# confirmed\n")
        desk.git("add", "-A")
        desk.git("commit", "-qm", "a folder")
        desk.git("mv", one["path"], "confirmed/tea.md")
        command += ["--staged"]
    else:
        command += [one["id"], "--digest", one["sha256"]]
    desk.put("own.txt", "mine\n")
    desk.git("add", "own.txt")
    before, head = desk.status(), desk.head()
    fail(desk)
    err = desk.refused(7, *command)
    assert "nothing was changed" in err
    (desk.root / ".git/index.lock").unlink(missing_ok=True)
    assert (desk.status(), desk.head()) == (before, head)
    (desk.root / ".git/hooks/pre-commit").unlink(missing_ok=True)
    desk.ok(*command)
    assert desk.status() == ["A  own.txt"]
    desk.ok("validate")


@pytest.mark.parametrize("what", ["log", "import", "reject"])
def test_the_line_after_a_refused_commit_makes_it(
    desk: ForeignDesk, candidates: list[Json], what: str
) -> None:
    desk.put("own.txt", "mine\n")
    desk.git("add", "own.txt")
    _refusing(desk)
    done = desk.doll(*_commands(desk, candidates)[what])
    assert done.code == 7
    (desk.root / ".git/hooks/pre-commit").unlink()
    line = next(each for each in done.err.splitlines() if "mend what git names, then: " in each)
    desk.type(line.partition("then: ")[2])
    assert desk.status() == ["A  own.txt"]


def test_a_name_with_a_quote_can_be_committed_by_the_line(desk: ForeignDesk) -> None:
    _refusing(desk)
    place = desk.export(three())
    done = desk.doll("import", "pam", str(place), "--commit", "--name", "Ada's notes")
    assert done.code == 7
    (desk.root / ".git/hooks/pre-commit").unlink()
    desk.type(next(e for e in done.err.splitlines() if "then: " in e).partition("then: ")[2])
    assert desk.status() == []
    assert desk.git("log", "-1", "--format=%s") == "import Ada's notes"


def test_an_import_that_was_not_committed_can_be_when_it_comes_again(desk: ForeignDesk) -> None:
    place = desk.export(three())
    desk.ok("import", "pam", str(place), "--name", "mine")
    for option in ((), ("--commit",)):
        err = desk.ok("import", "pam", str(place), *option).err
        assert "it is not committed yet" in err
    desk.type(next(each for each in err.splitlines() if "git add" in each))
    assert desk.status() == []
    assert "not committed" not in desk.ok("import", "pam", str(place)).err
