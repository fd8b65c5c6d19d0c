"""What a hook, or a commit by hand, adds to a merge is told apart from what the remote brought."""

import pytest

from tests.gitbox import hook
from tests.sync_desk import POLICY, Two, head, memory, synced, values

pytestmark = pytest.mark.sampled(4)

BROKEN = "---\ntags: {x\n---\n"
SECRET = (
    "---\ntitle: Keys\n---\naws_secret_access_key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzEXAMPLEK'\n"
)
RULE, CAME = "authority/policies/no.md", "authority/policies/theirs.md"
# Only once, and not in what it starts itself.
ONCE = "#!/bin/sh\nset -e\nunset $(git rev-parse --local-env-vars | grep -v INDEX)\n"


def settled(two: Two) -> None:
    """Sync into a conflict of `tea` that is settled then; the remote brings a policy too."""
    memory(two.one, "tea")
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", "Theirs.")
    two.other.put(CAME, POLICY.format("Theirs", "deny"))
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "theirs")
    synced(two.other)
    memory(two.one, "tea", "Mine.")
    assert two.one.doll("sync").code == 5
    memory(two.one, "tea", "Both.")
    two.one.git("add", "confirmed/tea.md")


def stage(two: Two, path: str, text: str, name: str = "pre-commit", then: str = "") -> None:
    """Have a hook write and stage a file, and then do more."""
    two.one.put(".git/added", text)
    lines = f"mkdir -p $(dirname {path})\ncp .git/added {path}\ngit add -f -- {path}\n{then}\n"
    hook(two.one.root, f"{ONCE}test -e {path} && exit 0\n{lines}", name)


def test_what_a_hook_adds_as_a_merge_is_finished(two: Two) -> None:
    settled(two)
    again = f"echo >>{CAME}\ngit add {CAME}"
    stage(two, RULE, POLICY.format("No", "deny"), then=again)
    result = synced(two.one, "--continue")
    assert "came from the remote" not in result.out
    besides = f"committed besides, by a hook or by hand (2):\n  new     {RULE}\n  new     {CAME}\n"
    assert f"origin/main: 1 file of the vault changed\n{besides}" in result.out
    assert two.one.git("status", "--porcelain") == ""
    assert synced(two.one).out.count("besides") == 0


@pytest.mark.sampled(4)
@pytest.mark.parametrize("text", [BROKEN, SECRET])
def test_it_is_judged(two: Two, text: str) -> None:
    settled(two)
    stage(two, "confirmed/added.md", text)
    had = two.tip
    for options in (("--continue",), ()):
        result = two.one.doll("sync", *options)
        assert result.code == 1, result
        assert "confirmed/added.md" in result.err
        assert "came from the remote" not in result.err
    assert two.tip == had


@pytest.mark.parametrize("mine", [False, True])
def test_what_a_hook_commits_on_a_merge(two: Two, mine: bool) -> None:
    two.other.put(CAME, POLICY.format("Theirs", "deny"))
    memory(two.other, "oolong")
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "theirs")
    synced(two.other)
    if mine:
        memory(two.one, "mate")
    undone = "git rm -q confirmed/oolong.md\n" if not mine else ""
    stage(two, RULE, POLICY.format("No", "deny"), "post-merge", f"{undone}git commit -qm more")
    found = values(two.one)
    (brought,) = found["brought"]
    assert [each["path"] for each in brought["files"]] == [CAME, "confirmed/oolong.md"][: 1 + mine]
    gone = [] if mine else [{"path": "confirmed/oolong.md", "what": "removed"}]
    assert brought["besides"] == [{"path": RULE, "what": "new"}, *gone]
    assert (found["besides"], found["synced"]) == ([], True)
    assert two.tip == head(two.one)


def test_what_both_sides_changed_is_nobodys(two: Two) -> None:
    text = "".join(f"Line {number}.\n" for number in range(20))
    memory(two.one, "tea", text)
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", text.replace("Line 1.", "Theirs."))
    synced(two.other)
    memory(two.one, "tea", text.replace("Line 18.", "Mine."))
    (brought,) = values(two.one)["brought"]
    assert brought["besides"] == []
    assert [each["path"] for each in brought["files"]] == ["confirmed/tea.md"]
