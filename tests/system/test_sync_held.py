"""What a sync holds back: what has an error, and what breaks something without it."""

import json
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git
from tests.ordinary import ordinary
from tests.sync_desk import Two, head, log, memory, synced, values

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

RELATED = "---\nschema: doll/memory/1\ntitle: {0}\nrelated: [{1}]\n---\n\nWords.\n"
SECRET = "aws_secret_access_key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzEXAMPLEK'"


def held(desk: Desk) -> dict[str, str]:
    """Sync with something held back; return the codes by path. The rest is with the remote."""
    found = values(desk, code=1)
    assert found["synced"] is True
    return {each["path"]: each["code"] for each in found["held"]}


def committed(desk: Desk) -> list[str]:
    """Return the paths that the last commit changes."""
    return desk.git("show", "--format=", "--name-only", "HEAD").splitlines()


def test_an_entry_that_is_committed_stays_as_it_is(two: Two) -> None:
    changed, gone = log(two.one, "Changed"), log(two.one, "Gone")
    synced(two.one)
    two.one.put(changed, two.one.read(changed).replace("Changed", "Nice"))
    (two.one.root / gone).unlink()
    memory(two.one, "tea")
    assert held(two.one) == {changed: "experience.changed", gone: "experience.removed"}
    assert committed(two.one) == ["confirmed/tea.md"]


def test_an_entry_whose_rights_changed(two: Two) -> None:
    path = log(two.one, "Changed")
    synced(two.one)
    (two.one.root / path).chmod(0o755)
    assert held(two.one) == {path: "experience.changed"}


def test_an_entry_that_was_moved(two: Two) -> None:
    path = log(two.one, "Moved")
    synced(two.one)
    new = path.replace("attempt", "attempted")
    (two.one.root / path).rename(two.one.root / new)
    assert held(two.one) == {path: "experience.removed", new: "sync.needs"}


@pytest.mark.parametrize("added", [False, True])
def test_a_name_that_is_no_id(two: Two, added: bool) -> None:
    """Also one that git does not know yet is given another name by the line that is printed."""
    two.one.put("confirmed/Bad Name!.md", RELATED.format("Bad", ""))
    if added:
        two.one.git("add", "-A")
    result = two.one.doll("sync")
    assert result.code == 1
    line = next(each.strip() for each in result.out.splitlines() if " mv " in f" {each}")
    assert line.startswith("git mv" if added else "mv -n")
    two.one.type(line)
    synced(two.one)
    assert list((two.one.root / "confirmed").iterdir()) != []


def test_a_redaction_needs_a_commit_of_its_own(two: Two) -> None:
    path = log(two.one, "Too much")
    synced(two.one)
    two.one.ok("redact", Path(path).stem, "--field", "summary", "--reason", "too much")
    result = two.one.doll("sync")
    assert result.code == 1
    line = next(each for each in result.out.splitlines() if "Doll-Redacts" in each)
    two.one.type(line.partition("    if")[0].strip())
    synced(two.one)
    assert two.one.doll("verify").code == 0


def test_what_names_what_is_held_back_is_held_back(two: Two) -> None:
    two.one.put("confirmed/broken.md", "---\ntags: {x\n---\n")
    two.one.put("confirmed/needs.md", RELATED.format("Needs", "broken"))
    two.one.put("confirmed/needs-that.md", RELATED.format("Needs that", "needs"))
    memory(two.one, "tea")
    assert held(two.one) == {
        "confirmed/broken.md": "yaml.syntax",
        "confirmed/needs.md": "reference.unresolved",
        "confirmed/needs-that.md": "reference.unresolved",
    }
    assert committed(two.one) == ["confirmed/tea.md"]


def test_a_record_that_others_name_does_not_go(two: Two) -> None:
    memory(two.one, "tea")
    gone = memory(two.one, "mate")
    two.one.put("confirmed/needs.md", RELATED.format("Needs", "tea"))
    synced(two.one)
    (two.one.root / gone).unlink()
    (two.one.root / "confirmed/tea.md").unlink()
    assert held(two.one) == {"confirmed/tea.md": "sync.needs"}
    assert committed(two.one) == [gone]
    # With what names it gone, too, it goes.
    (two.one.root / "confirmed/needs.md").unlink()
    synced(two.one)


def test_experience_of_a_project_that_is_not_committed(two: Two) -> None:
    two.one.put("authority/projects/new.md", two.one.read("authority/projects/atlas.md"))
    path = two.one.ok("log", "attempt", "Tried", "--project", "new").path
    assert held(two.one) == {path: "reference.unresolved"}
    two.one.git("add", "authority")
    two.one.git("commit", "-qm", "new")
    synced(two.one)


def test_two_records_with_one_name(two: Two) -> None:
    memory(two.one, "tea")
    synced(two.one)
    two.one.put("confirmed/deep/Tea.md", two.one.read("confirmed/tea.md"))
    memory(two.one, "mate")
    assert held(two.one) == {"confirmed/deep/Tea.md": "id.duplicate"}
    assert committed(two.one) == ["confirmed/mate.md"]


def test_a_secret_does_not_enter_the_repository(two: Two) -> None:
    path = memory(two.one, "tea", SECRET)
    objects = two.one.git("count-objects")
    assert held(two.one) == {path: "secret.found"}
    assert two.one.git("count-objects") == objects
    oid = two.one.git("hash-object", path)
    git(two.one.root, "cat-file", "-e", oid, code=1)


def test_a_link_is_no_record(two: Two) -> None:
    (two.one.root / "confirmed").mkdir(exist_ok=True)
    (two.one.root / "confirmed/link.md").symlink_to("/etc/hostname")
    assert held(two.one) == {"confirmed/link.md": "file.symlink"}


def test_a_repository_within_the_vault(two: Two) -> None:
    inner = two.one.root / "confirmed/inner"
    inner.mkdir(parents=True)
    git(inner, "init", "-q")
    git(inner, "commit", "-q", "--allow-empty", "-m", "x")
    memory(two.one, "tea")
    assert held(two.one) == {"confirmed/inner": "file.symlink"}
    assert committed(two.one) == ["confirmed/tea.md"]
    plain(two.one.doll("sync").out, two)
    assert git(two.one.root.parent / "inner.git.away", "log", "--format=%s") == "x"
    synced(two.one)


def plain(said: str, two: Two) -> None:
    """Type the line that makes plain files of a repository within the vault."""
    line = next(each for each in said.splitlines() if "make it plain files: " in each)
    two.one.type(line.partition("make it plain files: ")[2])


@pytest.mark.parametrize("at_head", [False, True])
def test_a_repository_within_the_vault_that_git_knows(two: Two, at_head: bool) -> None:
    """`validate` finds it too, before and after it is committed, and the line mends it."""
    inner = two.one.root / "confirmed/inner"
    inner.mkdir(parents=True)
    git(inner, "init", "-q")
    git(inner, "commit", "-q", "--allow-empty", "-m", "x")
    memory(two.one, "inner/mate")
    two.one.git("add", "confirmed")
    if at_head:
        two.one.git("commit", "-qm", "inner")
    for result in (two.one.doll("validate"), two.one.doll("sync")):
        assert result.code == 1
        assert "confirmed/inner: error: " in result.out
        assert "git repository of its own" in result.out
    # The line of what is not pushed for that is the same.
    assert (".git.away && " in result.err) is at_head
    assert ("confirmed/inner" in two.one.doll("validate", "--staged").out) is not at_head
    plain(result.out, two)
    assert two.one.git("ls-tree", "HEAD", "confirmed/inner")[:6] == ("040000" if at_head else "")
    two.one.ok("validate")
    assert (inner / "mate.md").is_file()


def test_a_file_that_cannot_be_read(two: Two) -> None:
    user = ordinary(two.one.root)
    path = memory(two.one, "tea")
    (two.one.root / path).chmod(0)
    found = json.loads(user.doll("sync", "--dry-run", "--json").stdout)["held"]
    assert [(each["path"], each["code"]) for each in found] == [(path, "file.unreadable")]


def test_a_folder_in_place_of_a_file(two: Two) -> None:
    path = memory(two.one, "tea")
    synced(two.one)
    (two.one.root / path).unlink()
    two.one.put("confirmed/tea.md/two.md", "---\ntitle: Two\n---\n\nx\n")
    memory(two.one, "mate")
    assert held(two.one) == {path: "sync.needs", "confirmed/tea.md/two.md": "sync.needs"}
    assert committed(two.one) == ["confirmed/mate.md"]
    two.one.put("authority/readme.txt", "Staged.\n")
    two.one.git("add", "authority")
    line = next(each for each in two.one.doll("sync").out.splitlines() if "add --all" in each)
    two.one.type(line.replace(" commit ", " commit -qm folder "))
    assert two.one.git("diff", "--cached", "--name-only") == "authority/readme.txt"
    synced(two.one)


def test_a_file_in_place_of_a_folder(two: Two) -> None:
    two.one.put("confirmed/tea.md/two.md", "---\ntitle: Two\n---\n\nx\n")
    synced(two.one)
    (two.one.root / "confirmed/tea.md/two.md").unlink()
    (two.one.root / "confirmed/tea.md").rmdir()
    memory(two.one, "tea")
    synced(two.one)
    assert two.one.git("status", "--porcelain") == ""


def test_a_broken_file_that_head_has_can_be_mended(two: Two) -> None:
    two.one.put("confirmed/broken.md", "---\ntags: {x\n---\n")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "broken")
    memory(two.one, "broken")
    synced(two.one)


def test_nothing_is_committed_where_all_is_held_back(two: Two) -> None:
    before = head(two.one)
    two.one.put("confirmed/broken.md", "---\ntags: {x\n---\n")
    held(two.one)
    assert head(two.one) == before


def test_files_that_are_no_records_are_called_so(two: Two) -> None:
    memory(two.one, "tea")
    two.one.put("confirmed/note.txt", "Words.\n")
    two.one.put("staging/blob.bin", "Words.\n")
    assert ": sync: 1 memory, 2 other files\n" in synced(two.one).out
    two.one.put("confirmed/note.txt", "Other words.\n")
    assert ": sync: 1 other file\n" in synced(two.one).out
