"""Nothing is pushed that brings errors which the remote has not, whoever committed them."""

from tests.gitbox import git
from tests.sync_desk import Two, memory, synced, values

BROKEN = "---\ntags: {x\n---\n"


def by_hand(two: Two, path: str, text: str) -> None:
    two.one.put(path, text)
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "by hand")


def test_errors_that_were_committed_by_hand_are_not_pushed(two: Two) -> None:
    had = two.tip
    by_hand(two, "confirmed/broken.md", BROKEN)
    found = values(two.one, code=1)
    assert [each["path"] for each in found["stop"]["problems"]] == ["confirmed/broken.md"]
    assert two.tip == had
    # Nor with a commit of doll's own, nor merged with what the remote has.
    memory(two.one, "tea")
    assert "has errors that the remote has not" in two.one.doll("sync").err
    memory(two.other, "mate")
    synced(two.other)
    theirs = two.tip
    for _ in range(2):
        result = two.one.doll("sync")
        assert result.code == 1
        assert "has errors that the remote has not" in result.err
        assert "confirmed/broken.md:2:" in result.err
        assert two.tip == theirs
    memory(two.one, "broken")
    synced(two.one)
    synced(two.other)


def test_a_reference_that_leads_nowhere(two: Two) -> None:
    had = two.tip
    text = "---\nschema: doll/memory/1\ntitle: Needs\nrelated: [nowhere]\n---\n\nWords.\n"
    by_hand(two, "confirmed/needs.md", text)
    found = values(two.one, code=1)
    assert [each["code"] for each in found["stop"]["problems"]] == ["reference.unresolved"]
    assert two.tip == had


def test_errors_that_the_remote_has_stop_nothing(two: Two) -> None:
    by_hand(two, "confirmed/broken.md", BROKEN)
    two.one.git("push", "-q")
    synced(two.one)
    memory(two.one, "tea")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "fine")
    synced(two.one)
    assert git(two.hub, "show", "main:confirmed/tea.md")


def test_a_remote_that_has_nothing_yet(two: Two) -> None:
    git(two.hub, "branch", "-m", "main", "away")
    two.one.git("update-ref", "-d", "refs/remotes/origin/main")
    two.one.git("fetch", "-q")
    synced(two.one)
    git(two.hub, "branch", "-D", "main")
    for ref in ("refs/remotes/origin/main", "refs/doll/seen/origin/main"):
        two.one.git("update-ref", "-d", ref)
    by_hand(two, "confirmed/broken.md", BROKEN)
    assert "has errors that the remote has not" in two.one.doll("sync").err
