"""What the remote makes of the vault's folders: nothing that is none is taken over."""

import shutil
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git
from tests.sync_desk import Two, head, log, make_shared, memory, synced

pytestmark = pytest.mark.sampled(4)

NEEDED = "has to be a folder"
HELD = "a vault holds none"


def lines(err: str) -> list[str]:
    """Return the lines to type that a refusal shows."""
    found = (line.strip().partition("    ")[0] for line in err.splitlines())
    return [line for line in found if line.startswith("git -C")]


def bring(desk: Desk, path: str, what: str, *, push: bool = True) -> None:
    """Commit something else than files at a path, and push it as somebody without doll does."""
    place = desk.root / path
    if place.is_dir():
        shutil.rmtree(place)
    desk.git("rm", "-rqf", "--ignore-unmatch", "--", path)
    place.parent.mkdir(parents=True, exist_ok=True)
    if what == "link":
        place.symlink_to("/nowhere")
    if what == "file":
        place.write_text("No folder.\n", encoding="utf-8")
    if what == "repository":
        desk.git("update-index", "--add", "--cacheinfo", f"160000,{head(desk)},{path}")
    else:
        desk.git("add", "-f", "--", path)
    desk.git("commit", "-qm", "theirs")
    if push:
        desk.git("push", "-q", "origin", "HEAD:main")


def refused(desk: Desk, *said: str) -> list[str]:
    """Sync into the stop, twice, with nothing taken over; return the lines that it shows."""
    desk.doll("sync")  # commits what is here
    mine, index, before = head(desk), desk.git("ls-files", "-s"), desk.files()
    result = desk.doll("sync")
    assert result.code == 5, result
    assert [each for each in ("is not taken over", *said) if each not in result.err] == []
    assert (head(desk), desk.git("ls-files", "-s"), desk.files()) == (mine, index, before)
    return lines(result.err)


CASES = [
    ("confirmed", "link", NEEDED),
    ("experience", "link", NEEDED),
    ("staging", "file", NEEDED),
    ("authority", "repository", NEEDED),
    (".doll", "link", NEEDED),
    (".doll/cache", "link", NEEDED),
    (".doll/schemas", "file", NEEDED),
    ("authority/projects", "file", NEEDED),
    ("confirmed/tea.md", "link", HELD),
    ("confirmed/sub", "repository", HELD),
    ("experience/atlas", "link", HELD),
    (".doll/judged/x", "link", HELD),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("mine", [False, True])
@pytest.mark.parametrize(("path", "what", "said"), CASES)
def test_it_is_refused_and_mended_at_the_remote(
    two: Two, path: str, what: str, said: str, mine: bool
) -> None:
    entry = log(two.one, "Tried")
    memory(two.one, "tea", "Common.")
    synced(two.one)
    two.other.git("pull", "-q")
    # What the remote had and this side never saw comes back too.
    memory(two.other, "oolong", "Theirs.")
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "oolong")
    bring(two.other, path, what)
    if mine:
        memory(two.one, "mate", "Mine.")
        two.one.put("doll.yaml", f"{two.one.read('doll.yaml')}# Edited\n")
    shown, *typed = refused(two.one, f"{path} is a", said)
    assert "theirs" in two.one.type(shown)
    for line in typed:
        two.one.type(line)
    assert two.one.git("worktree", "list").count("\n") == 0
    synced(two.one)
    had = git(two.hub, "ls-tree", "-r", "main")
    assert "120000" not in had
    assert "160000" not in had
    assert "Common." in two.one.read("confirmed/tea.md")
    assert "Theirs." in two.one.read("confirmed/oolong.md")
    assert (two.one.root / entry).is_file()
    assert (two.one.root / "authority/projects/atlas.md").is_file()
    assert head(two.one) == two.tip
    assert not mine or "# Edited" in two.one.read("doll.yaml")


def test_a_folder_that_goes_and_takes_most_records_along(two: Two) -> None:
    for number in range(25):
        memory(two.one, f"tea-{number}")
    synced(two.one)
    two.other.git("pull", "-q")
    bring(two.other, "confirmed", "link")
    for options in ((), ("--allow-mass-delete",)):
        assert "confirmed is a symbolic link there" in two.one.refused(5, "sync", *options)
    for line in refused(two.one, NEEDED):
        two.one.type(line)
    assert "no file changed here" in synced(two.one).out


def test_the_folder_that_the_vault_lies_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = make_shared(tmp_path, capsys)
    git(tmp_path, "clone", "-q", "hub.git", "other")
    bring(Desk(tmp_path / "other", capsys), "notes", "link")
    _, *typed = refused(desk, "notes is a symbolic link there", NEEDED)
    for line in typed:
        desk.type(line)
    assert "no file changed here" in synced(desk).out


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("path", "what"), [case[:2] for case in CASES[4:]])
def test_nor_is_it_pushed(two: Two, path: str, what: str) -> None:
    memory(two.one, "tea", "Common.")
    two.one.put(".doll/schemas/x.json", "{}\n")
    two.one.git("add", "-f", ".doll/schemas/x.json")
    two.one.git("commit", "-qm", "schema", "--", ".doll/schemas/x.json")
    synced(two.one)
    had = two.tip
    two.one.put("notes.txt", "Staged.\n")
    bring(two.one, path, what, push=False)
    two.one.git("add", "notes.txt")
    result = two.one.doll("sync")
    assert result.code == 1, result
    assert f"not pushed: {path} is a" in result.err
    assert two.tip == had
    for line in lines(result.err):
        two.one.type(line)
    synced(two.one)
    assert "120000" not in git(two.hub, "ls-tree", "-r", "main")
    assert "160000" not in git(two.hub, "ls-tree", "-r", "main")
    assert git(two.hub, "diff", "--name-only", had, "main") == ""
    assert two.one.git("diff", "--cached", "--name-only") == "notes.txt"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("disk", ["as it is", "gone", "made anew"])
@pytest.mark.parametrize("what", ["link", "file"])
def test_one_that_a_pull_took_over(two: Two, what: str, disk: str) -> None:
    memory(two.one, "tea", "Common.")
    synced(two.one)
    two.other.git("pull", "-q")
    bring(two.other, "confirmed", what)
    two.one.git("pull", "-q")
    if disk != "as it is":
        (two.one.root / "confirmed").unlink()
    if disk == "made anew":
        memory(two.one, "tea", "Mine.")
    two.one.put("authority/readme.txt", "Staged.\n")
    two.one.git("add", "authority")
    err = two.one.refused(5, "sync")
    assert "at HEAD, and has to be a folder; nothing was changed" in err
    for line in lines(err):
        two.one.type(line)
    synced(two.one)
    assert ("Mine." if disk == "made anew" else "Common.") in two.one.read("confirmed/tea.md")
    assert two.one.git("diff", "--cached", "--name-only") == "authority/readme.txt"
