"""What is no part of a merge that waits: neither committed with it nor dropped with it."""

import pytest

from tests.sync_desk import MEMORY, Two, head, log, memory, synced

pytestmark = pytest.mark.sampled(4)

LONG = "".join(f"Line {number}.\n" for number in range(20))


def waiting(two: Two) -> None:
    """Sync into a merge that waits: `tea` is a conflict, git mixed `mate`, `new` is theirs."""
    for name in ("tea", "mate", "old"):
        memory(two.one, name, LONG)
    two.one.put("code.py", "x = 1\n")
    two.one.git("add", "code.py")
    two.one.git("commit", "-qm", "code", "--", "code.py")
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", "Theirs.")
    memory(two.other, "mate", LONG.replace("Line 1.", "Theirs."))
    memory(two.other, "new", "Theirs.")
    (two.other.root / "confirmed/old.md").unlink()
    synced(two.other)
    memory(two.one, "tea", "Mine.")
    memory(two.one, "mate", LONG.replace("Line 18.", "Mine."))
    assert two.one.doll("sync").code == 5
    assert "Mine." in two.one.read("confirmed/mate.md")
    assert "Theirs." in two.one.read("confirmed/mate.md")


def settle(two: Two) -> None:
    """Settle the conflict."""
    memory(two.one, "tea", "Both.")
    two.one.git("add", "confirmed/tea.md")


def lines(err: str) -> list[str]:
    """Return the lines of git that a refusal shows."""
    found = (line.strip().partition("    ")[0] for line in err.splitlines())
    return [line for line in found if line.startswith("git -C")]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("noted", [True, False])
@pytest.mark.parametrize("staged", [True, False])
@pytest.mark.parametrize("name", ["mate", "new"])
def test_going_back_drops_no_text(two: Two, name: str, staged: bool, noted: bool) -> None:
    waiting(two)
    mine = head(two.one)
    if not noted:
        (two.one.root / ".git/doll/merged").unlink()
    path = memory(two.one, name, "Written meanwhile.")
    if staged:
        two.one.git("add", "-A")
    err = two.one.refused(5, "sync", "--abort")
    # Without the note it is not known that nobody but git changed `mate`.
    word = "changed" if noted and not staged else "staged"
    assert f"{word}, and no part of the merge" in err
    assert path in err.splitlines()[0]
    for line in lines(err):
        two.one.type(line)
    two.one.ok("sync", "--abort")
    assert head(two.one) == mine
    assert "Written meanwhile." in two.one.read(path)
    assert "Mine." in two.one.read("confirmed/tea.md")
    assert (two.one.root / "confirmed/old.md").exists()


@pytest.mark.sampled(8)
@pytest.mark.parametrize("settled", [True, False])
def test_going_back_where_nothing_else_was_done(two: Two, settled: bool) -> None:
    waiting(two)
    mine = head(two.one)
    if settled:
        settle(two)
    two.one.put("code.py", "x = 2\n")
    two.one.ok("sync", "--abort")
    assert head(two.one) == mine
    assert two.one.git("status", "--porcelain") == "M code.py"
    assert not (two.one.root / ".git/doll/merged").exists()


def stage(two: Two, what: str) -> str:
    """Stage something that is no part of the merge; return its path."""
    path = {"code": "code.py", "rules": ".gitignore", "mixed": "confirmed/mate.md"}.get(what, "")
    if what == "experience":
        entry = next((two.one.root / "experience").rglob("*.md"))
        two.one.git("rm", "-qf", "--", str(entry))
        return entry.relative_to(two.one.root).as_posix()
    path = path or {"gone": "confirmed/old.md", "new": "confirmed/new.md"}.get(what, "")
    path = path or "confirmed/broken.md"
    bad = "---\ntags: {x\n---\n"
    two.one.put(path, bad if what == "broken" else MEMORY.format("Same", "Written meanwhile."))
    two.one.git("add", "--", path)
    return path


KINDS = ("code", "rules", "broken", "experience", "new", "gone")


# Who changed what git can mix is not known without the note.
@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("what", "noted"), [("mixed", True), *((kind, on) for kind in KINDS for on in (True, False))]
)
def test_going_on_commits_nothing_else(two: Two, what: str, noted: bool) -> None:
    if what == "experience":
        log(two.one, "One")
    waiting(two)
    if not noted:
        (two.one.root / ".git/doll/merged").unlink()
    settle(two)
    path = stage(two, what)
    mine = head(two.one)
    for options in ((), ("--continue",), ("--dry-run",)):
        err = two.one.refused(5, "sync", *options)
        assert f"{path}: staged, and no part of the merge; nothing was committed" in err
    assert head(two.one) == mine
    for line in lines(err):
        two.one.type(line)
    result = two.one.doll("sync", "--continue")
    assert result.code == (1 if what in ("broken", "experience") else 0), result
    merge = two.one.git("log", "--merges", "-1", "--format=%H")
    assert path not in two.one.git("diff", "--name-only", mine, merge).split() or what in (
        "mixed",
        "new",
        "gone",
    )
    assert "Written meanwhile." not in two.one.git("show", "-m", merge)


def test_what_the_remote_changed_is_not_taken_out(two: Two) -> None:
    waiting(two)
    settle(two)
    two.one.git("restore", "--staged", "--worktree", "confirmed/mate.md")
    two.one.git("rm", "-qf", "confirmed/new.md")
    two.one.put("code.py", "x = 2\n")
    two.one.git("add", "code.py")
    err = two.one.refused(5, "sync", "--continue")
    assert "code.py: staged, and no part of the merge; confirmed/mate.md" in err
    assert "confirmed/mate.md, confirmed/new.md: the merge changes it, and that was taken" in err
    for line in lines(err):
        two.one.type(line)
    two.one.git("restore", ".")
    synced(two.one, "--continue")
    assert "Theirs." in two.one.read("confirmed/mate.md")
    assert "Theirs." in two.one.read("confirmed/new.md")


@pytest.mark.sampled(8)
@pytest.mark.parametrize("size", [3, 12])
def test_marks_of_any_size_are_no_settlement(two: Two, size: int) -> None:
    two.one.put("confirmed/.gitattributes", f"*.md conflict-marker-size={size}\n")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "attributes")
    waiting(two)
    assert f"\n{'<' * size} HEAD\n" in two.one.read("confirmed/tea.md")
    two.one.git("add", "confirmed/tea.md")
    err = two.one.refused(5, "sync", "--continue")
    assert "confirmed/tea.md: the marks of the conflict are still in it" in err
    settle(two)
    synced(two.one, "--continue")


@pytest.mark.sampled(8)
@pytest.mark.parametrize("how", ["gone", "otherwise", "yours"])
def test_experience_is_settled_as_the_remote_has_it(two: Two, how: str) -> None:
    path = log(two.one, "Met ada at the bank")
    synced(two.one)
    synced(two.other)
    entry = path.rpartition("/")[2].removesuffix(".md")
    for desk, reason in ((two.other, "legal"), (two.one, "privacy")):
        desk.ok("redact", entry, "--field", "summary", "--reason", reason, "--commit")
        code = desk.doll("sync").code
    assert code == 5
    theirs, yours = two.other.read(path), two.one.git("show", f":2:{path}")
    if how == "gone":
        two.one.git("rm", "-qf", path)
    else:
        two.one.put(path, f"{yours}\n" if how == "yours" else theirs.replace("attempt", "lesson"))
        two.one.git("add", path)
    err = two.one.refused(5, "sync", "--continue")
    assert f"{path}: an entry of experience that the remote has is kept as it is" in err
    for line in lines(err):
        two.one.type(line)
    synced(two.one, "--continue")
    assert two.one.read(path) == theirs


@pytest.mark.sampled(8)
@pytest.mark.parametrize("number", [1, 30])
@pytest.mark.parametrize("merged", [True, False])
def test_experience_that_a_merge_dropped_is_put_back(two: Two, merged: bool, number: int) -> None:
    paths = [f"experience/atlas/entry-{each}.txt" for each in range(number)]
    for path in paths:
        two.one.put(path, "Kept.\n")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "entries")
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea")
    synced(two.other)
    if merged:
        memory(two.one, "mate")
        two.one.git("add", "-A")
        two.one.git("commit", "-qm", "mate")
        two.one.git("fetch", "-q")
        two.one.git("merge", "-q", "--no-commit", "--no-ff", "origin/main")
    two.one.git("rm", "-q", "-r", "experience/atlas")
    two.one.git("commit", "-qm", "dropped")
    result = two.one.doll("sync")
    assert result.code == 1, result
    assert f"take away or change {number} of the entries of experience" in result.err
    log, *others = lines(result.err)
    assert "dropped" in two.one.type(log)
    for line in others:
        two.one.type(line)
    synced(two.one)
    assert all(two.one.read(path) == "Kept.\n" for path in paths)


def test_what_was_settled_here_did_not_come_from_the_remote(two: Two) -> None:
    waiting(two)
    two.one.put(
        "confirmed/tea.md", "---\nschema: doll/memory/1\ntitle: Tea\nrelated: [gone]\n---\n"
    )
    two.one.git("add", "confirmed/tea.md")
    result = two.one.doll("sync", "--continue")
    assert result.code == 1
    assert "errors that neither side had" in result.err
    assert "came from the remote" not in result.err
