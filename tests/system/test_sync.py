"""`doll sync` when all goes well: commit, take over, merge, push, and what is said of it."""

import pytest

from tests.desk import Desk
from tests.gitbox import git, hook
from tests.sync_desk import POLICY, Two, head, log, memory, synced, values

pytestmark = pytest.mark.sampled(4)


def test_what_changed_is_committed_with_its_ids_and_pushed(two: Two) -> None:
    entry = log(two.one, "Tried the new mill")
    memory(two.one, "tea")
    said = synced(two.one)
    assert two.tip == head(two.one)
    message = two.one.git("log", "-1", "--format=%B")
    assert message.splitlines()[0] == "sync: 1 memory, 1 experience entry"
    assert "- new: tea" in message
    assert f"- new: {entry.rpartition('/')[2].removesuffix('.md')}" in message
    assert "pushed 1 commit to origin/main" in said.out
    assert said.out.endswith(f"synced: origin/main is at {two.tip[:12]}\n")


def test_changes_and_removals_go_along(two: Two) -> None:
    path, gone = memory(two.one, "tea"), memory(two.one, "mate")
    synced(two.one)
    synced(two.other)
    memory(two.one, "tea", "Other words.")
    (two.one.root / gone).unlink()
    lines = two.one.git("log", "-1", "--format=%b", synced(two.one).out.split()[2].rstrip(":"))
    assert lines.splitlines() == ["- removed: mate", "- changed: tea"]
    synced(two.other)
    assert two.other.read(path).endswith("Other words.\n")
    assert not (two.other.root / gone).exists()


def test_nothing_to_do(two: Two) -> None:
    before = head(two.one)
    assert synced(two.one).out == f"synced: origin/main is at {before[:12]}\n"
    assert head(two.one) == before


def test_machines_that_only_log_never_conflict(two: Two) -> None:
    paths = []
    for number in range(3):
        paths += [log(two.one, f"One {number}"), log(two.other, f"Other {number}")]
        synced(two.one)
        synced(two.other)
    synced(two.one)
    assert head(two.one) == head(two.other) == two.tip
    assert all((desk.root / path).is_file() for desk in (two.one, two.other) for path in paths)
    assert two.one.doll("verify").code == 0


def test_a_merge_keeps_both_histories(two: Two) -> None:
    log(two.one, "One")
    log(two.other, "Other")
    synced(two.one)
    theirs = two.tip
    assert "merged 1 commit of origin/main: 1 file of the vault changed" in synced(two.other).out
    parents = two.other.git("log", "-1", "--format=%P").split()
    assert parents[1] == theirs
    assert two.other.git("log", "-1", "--format=%s") == "sync: merge origin/main"


def test_a_setting_to_rebase_is_not_heeded(two: Two) -> None:
    two.other.git("config", "pull.rebase", "true")
    two.other.git("config", "merge.ff", "only")
    log(two.one, "One")
    log(two.other, "Other")
    synced(two.one)
    two.other.git("commit", "-q", "--allow-empty", "-m", "mine")
    mine = head(two.other)
    synced(two.other)
    assert two.other.git("merge-base", "--is-ancestor", mine, "HEAD") == ""


def test_a_file_with_an_error_stays_and_the_rest_goes_on(two: Two) -> None:
    two.one.put("confirmed/broken.md", "---\ntags: {x\n---\n")
    memory(two.one, "tea")
    result = two.one.doll("sync")
    assert result.code == 1
    assert "held back: 1 file stays uncommitted until mended" in result.out
    assert "confirmed/broken.md:2:7: error: " in result.out
    assert f"synced: origin/main is at {head(two.one)[:12]}" in result.out
    assert two.one.git("status", "--porcelain") == "?? confirmed/broken.md"
    # It is said each time, until it is mended.
    assert "confirmed/broken.md" in two.one.doll("sync").out
    memory(two.one, "broken")
    synced(two.one)


def test_authority_and_settings_are_listed_and_left(two: Two) -> None:
    two.one.put("authority/policies/drop.md", POLICY.format("Drop", "deny"))
    two.one.put("doll.yaml", two.one.read("doll.yaml") + "# mine\n")
    two.one.put(".gitattributes", two.one.read(".gitattributes") + "*.png binary\n")
    two.one.git("add", "authority")
    memory(two.one, "tea")
    out = synced(two.one).out
    assert "yours to commit, since that is how you accept it (3):" in out
    assert "  new     authority/policies/drop.md" in out
    assert "  changed doll.yaml" in out
    assert "  changed .gitattributes" in out
    assert two.one.git("show", "--format=", "--name-only", "HEAD") == "confirmed/tea.md"
    assert two.one.git("diff", "--cached", "--name-only") == "authority/policies/drop.md"
    # Also where they are many, the line names nothing that is not listed.
    for number in range(4):
        two.one.put(f".doll/schemas/s{number}.json", "{}\n")
    two.one.put(".doll/mine/x", "Mine.\n")
    line = next(each for each in synced(two.one).out.splitlines() if " commit -- " in each)
    two.one.type(line.strip().replace(" commit ", " commit -qm mine "))
    assert two.one.git("status", "--porcelain") == "?? .doll/mine/"


def test_the_line_that_commits_authority_can_be_typed(two: Two) -> None:
    two.one.put("authority/policies/drop.md", POLICY.format("Drop", "deny"))
    line = synced(two.one).out.splitlines()[2].strip()
    two.one.type(line.replace(" commit ", " commit -qm mine "))
    synced(two.one)
    assert "authority/policies/drop.md" in git(two.hub, "ls-tree", "-r", "--name-only", "main")


def test_authority_that_comes_is_said_first(two: Two) -> None:
    memory(two.other, "mate")
    two.one.put("authority/policies/drop.md", POLICY.format("Drop", "deny"))
    two.one.git("add", "authority")
    two.one.git("commit", "-qm", "drop")
    synced(two.one)
    lines = synced(two.other).out.splitlines()
    assert lines[0] == "authority that came from the remote and counts now (1):"
    assert lines[1] == "  new     authority/policies/drop.md"
    assert lines[2].startswith("committed as ")


def test_a_dry_run_changes_nothing(two: Two) -> None:
    memory(two.one, "tea")
    two.one.put("confirmed/broken.md", "---\ntags: {x\n---\n")
    before = two.one.git("for-each-ref"), two.one.files()
    objects = two.one.git("count-objects")
    result = two.one.doll("sync", "--dry-run")
    assert result.code == 1
    assert result.out.startswith("would commit 1 file:\n  new     confirmed/tea.md\nheld back: ")
    assert result.out.endswith(
        "would then fetch origin/main, merge it where it has moved, and push to it\n"
    )
    assert (two.one.git("for-each-ref"), two.one.files()) == before
    assert two.one.git("count-objects") == objects
    planned = values(two.one, "--dry-run", code=1)
    assert planned["dry_run"] is True
    assert planned["files"] == [{"path": "confirmed/tea.md", "what": "new"}]
    assert [each["path"] for each in planned["held"]] == ["confirmed/broken.md"]


def test_the_document(two: Two) -> None:
    memory(two.one, "tea")
    memory(two.other, "mate")
    found = values(two.one)
    assert found["schema"] == "doll.sync/1"
    assert (found["synced"], found["pushed"], found["exit"]) == (True, 1, 0)
    assert found["commit"] == found["head"] == two.tip
    assert found["searchable"] == 1
    found = values(two.other)
    (brought,) = found["brought"]
    assert brought["how"] == "merge"
    assert brought["files"] == [{"path": "confirmed/tea.md", "what": "new"}]
    assert found["head"] == two.tip


def test_what_came_can_be_recalled_at_once(two: Two) -> None:
    memory(two.one, "tea", "Oolong from the mountain.")
    synced(two.one)
    assert values(two.other)["searchable"] == 1
    assert "tea" in two.other.ok("recall", "oolong").out


def test_what_is_staged_besides_stays_staged(two: Two) -> None:
    two.one.put("code.py", "x = 1\n")
    two.one.git("add", "code.py")
    memory(two.one, "tea")
    synced(two.one)
    assert two.one.git("status", "--porcelain") == "A  code.py"


def test_a_file_is_committed_whole(two: Two) -> None:
    path = memory(two.one, "tea", "First.")
    two.one.git("add", path)
    memory(two.one, "tea", "Second.")
    # The first text is in the index alone, so a sync waits until it is given up.
    assert two.one.doll("sync").code == 1
    assert "First." in two.one.git("show", f":{path}")
    two.one.git("add", path)
    memory(two.one, "mate")
    synced(two.one)
    assert "Second." in two.one.git("show", f"HEAD:{path}")
    assert two.one.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", ["tea.md~", ".tea.md.swp", "4913", "#tea.md#", ".#tea.md"])
def test_what_editors_leave_is_not_committed(two: Two, name: str) -> None:
    for folder in ("confirmed", "experience/atlas", "staging/proposals"):
        two.one.put(f"{folder}/{name}", "x")
    assert synced(two.one).out.count("\n") == 1
    assert two.one.git("log", "-1", "--format=%s") == "start"


def test_what_is_no_record_does_not_enter_what_is_kept_for_ever(two: Two) -> None:
    two.one.put("experience/atlas/notes.txt", "x")
    two.one.put("confirmed/photo.png", "\0x")
    out = synced(two.one).out
    assert "no records, so not committed (1)" in out
    assert "  experience/atlas/notes.txt" in out
    assert two.one.git("show", "--format=", "--name-only", "HEAD") == "confirmed/photo.png"
    two.one.git("add", "experience/atlas/notes.txt")
    synced(two.one)
    assert two.one.git("status", "--porcelain") == ""


def test_hooks_run_and_are_heard(two: Two) -> None:
    hook(two.one.root, "#!/bin/sh\necho from the hook >&2\n")
    memory(two.one, "tea")
    assert "from the hook" in two.one.ok("sync").err
    hook(two.one.root, "#!/bin/sh\necho no >&2\nexit 1\n")
    memory(two.one, "mate")
    result = two.one.doll("sync")
    assert result.code == 7
    assert "no" in result.err
    assert two.one.git("status", "--porcelain") == "?? confirmed/mate.md"


def test_the_vaults_own_hook_has_nothing_against_it(two: Two) -> None:
    for desk in (two.one, two.other):
        desk.ok("hooks", "install", "--vault", ".")
    log(two.one, "One")
    log(two.other, "Other")
    synced(two.one)
    synced(two.other)
    synced(two.one)
    assert head(two.one) == head(two.other)


def test_the_options_that_exclude_each_other(desk: Desk) -> None:
    err = desk.refused(2, "sync", "--continue", "--abort")
    assert "do not go together" in err
