"""What a hook, or a commit by hand, adds to a sync's commit is named, judged and in the index."""

from collections.abc import Callable
from typing import Any

import pytest

from doll.vcs.porcelain import running
from tests.desk import Result
from tests.gitbox import git, hook
from tests.sync_desk import MEMORY, POLICY, Two, head, memory, synced, values

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

BROKEN = "---\ntags: {x\n---\n"
SECRET = "aws_secret_access_key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzEXAMPLEK'"
# Only once, and not in what it starts itself.
ONCE = "#!/bin/sh\nset -e\nunset $(git rev-parse --local-env-vars | grep -v INDEX)\n"


def stage(two: Two, path: str, text: str, name: str = "pre-commit", then: str = "") -> None:
    """Have a hook write and stage a file, and then do more."""
    two.one.put(f".git/{path.rpartition('/')[2]}", text)
    source = f".git/{path.rpartition('/')[2]}"
    lines = f"mkdir -p $(dirname {path})\ncp {source} {path}\ngit add -f -- {path}\n{then}\n"
    hook(two.one.root, f"{ONCE}test -e {path} && exit 0\n{lines}", name)


def not_pushed(two: Two) -> Result:
    """Sync, and hold it to a remote that got nothing."""
    had = two.tip
    result = two.one.doll("sync")
    assert result.code == 1, result
    assert two.tip == had
    assert "synced: origin" not in result.out
    return result


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["pre-commit", "post-commit"])
def test_a_broken_record(two: Two, name: str) -> None:
    then = "git commit -qm more --no-verify" if name == "post-commit" else ""
    stage(two, "confirmed/broken.md", BROKEN, name, then)
    memory(two.one, "tea")
    result = not_pushed(two)
    assert (
        "committed besides, by a hook or by hand (1):\n  new     confirmed/broken.md" in result.out
    )
    assert "confirmed/broken.md:2:7: error: " in result.err
    # So it is the next time.
    assert "confirmed/broken.md:2:7: error: " in not_pushed(two).err
    line = next(line for line in result.err.splitlines() if "reset --soft" in line)
    two.one.type(line.strip().partition("    ")[0])
    two.one.git("rm", "-qf", "confirmed/broken.md")
    (two.one.root / ".git/hooks" / name).unlink()
    synced(two.one)
    assert git(two.hub, "ls-tree", "--name-only", "main", "confirmed/").splitlines()[-1:] == [
        "confirmed/tea.md"
    ]


def test_a_secret(two: Two) -> None:
    stage(two, "confirmed/keys.md", MEMORY.format("Keys", SECRET))
    memory(two.one, "tea")
    for _ in range(2):
        result = not_pushed(two)
        assert (
            "not pushed: commits that the remote has not hold what looks like a secret"
            in result.err
        )
        assert "wJalrXUtnFEMI" not in result.err
    line = next(line for line in result.err.splitlines() if " reset -q " in line)
    two.one.type(line.partition("    takes")[0].strip())
    (two.one.root / "confirmed/keys.md").unlink()
    (two.one.root / ".git/hooks/pre-commit").unlink()
    synced(two.one)
    assert "wJalrXUtnFEMI" not in git(two.hub, "log", "-p", "main")


def test_authority_and_settings_are_named_first(two: Two) -> None:
    stage(two, "authority/policies/no.md", POLICY.format("No", "deny"))
    memory(two.one, "tea")
    two.one.git("config", "core.commentChar", ";")
    script = (two.one.root / ".git/hooks/pre-commit").read_text()
    more = (
        "cp confirmed/tea.md confirmed/also.md\necho >>doll.yaml\ngit add -- confirmed doll.yaml\n"
    )
    hook(two.one.root, script + more)
    result = synced(two.one)
    place = result.out.index("committed besides")
    named = [line.split()[1] for line in result.out[place:].splitlines()[1:4]]
    assert named == ["authority/policies/no.md", "doll.yaml", "confirmed/also.md"]
    assert two.one.git("status", "--porcelain") == ""


def test_an_entry_of_experience_that_a_hook_takes_out(two: Two) -> None:
    path = two.one.ok("log", "attempt", "Tried", "--project", "atlas").path
    synced(two.one)
    hook(two.one.root, f"{ONCE}git rm -q --cached -- {path}\n")
    memory(two.one, "tea")
    result = not_pushed(two)
    assert f"  removed {path}" in result.out
    assert "experience" in result.err
    assert (two.one.root / path).is_file()


def test_a_vault_without_a_remote_names_the_errors(two: Two) -> None:
    two.one.git("remote", "remove", "origin")
    stage(two, "confirmed/broken.md", BROKEN)
    memory(two.one, "tea")
    result = two.one.doll("sync")
    assert result.code == 1
    assert "confirmed/broken.md:2:7: error: " in result.err


def before_commit(patch: pytest.MonkeyPatch, do: Callable[[], object]) -> None:
    """Have something happen between a sync's look at the files and its commit."""
    real, done = running.execute, list[bool]()

    def execute(folder: Any, arguments: Any, **options: Any) -> running.Ran:
        if arguments[0] == "commit" and not done:
            done.append(True)
            do()
        return real(folder, arguments, **options)

    patch.setattr(running, "execute", execute)


def test_a_commit_by_hand_in_between(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    def by_hand() -> None:
        two.one.put("confirmed/broken.md", BROKEN)
        two.one.git("add", "confirmed/broken.md")
        two.one.git("commit", "-qm", "by hand", "--", "confirmed/broken.md")

    memory(two.one, "tea")
    before_commit(monkeypatch, by_hand)
    assert "confirmed/broken.md:2:7: error: " in not_pushed(two).err


def test_a_commit_by_hand_that_is_right_goes_along(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    def by_hand() -> None:
        memory(two.one, "mate")
        two.one.git("add", "confirmed/mate.md")
        two.one.git("commit", "-qm", "by hand", "--", "confirmed/mate.md")

    memory(two.one, "tea")
    before_commit(monkeypatch, by_hand)
    found = values(two.one)
    assert found["besides"] == [{"path": "confirmed/mate.md", "what": "new"}]
    assert (found["synced"], found["pushed"]) == (True, 2)
    assert two.tip == head(two.one)


FORMATTER = f"""{ONCE}
for path in $(git diff --cached --name-only --diff-filter=d -- confirmed); do
    sed -i 's/Words/Verses/' $path
    git add -- $path
done
"""


def test_a_formatter_leaves_a_clean_index(two: Two) -> None:
    synced(two.one)
    synced(two.other)
    hook(two.one.root, FORMATTER)
    path = memory(two.one, "tea")
    # What is staged otherwise is the user's, and stays.
    two.one.put("notes.txt", "Mine.\n")
    two.one.git("add", "notes.txt")
    result = synced(two.one)
    assert "besides" not in result.out
    assert "Verses." in git(two.hub, "show", f"main:{path}")
    assert two.one.git("status", "--porcelain") == "A  notes.txt"
    two.one.git("rm", "-qf", "notes.txt")
    memory(two.other, "mate")
    memory(two.one, "oolong")
    synced(two.other)
    assert "merged 2 commits" in synced(two.one).out
    assert two.one.git("status", "--porcelain") == ""


def test_what_the_user_staged_of_a_file_that_a_hook_commits_stays(two: Two) -> None:
    two.one.put("notes.txt", "One.\n")
    two.one.git("add", "notes.txt")
    two.one.git("commit", "-qm", "notes")
    two.one.put("notes.txt", "Two.\n")
    two.one.git("add", "notes.txt")
    hook(
        two.one.root,
        f"{ONCE}id=$(echo Three. | git hash-object -w --stdin)\n"
        "git update-index --cacheinfo 100644,$id,notes.txt\n",
    )
    memory(two.one, "tea")
    synced(two.one)
    assert two.one.git("show", "HEAD:notes.txt") == "Three."
    assert two.one.git("show", ":notes.txt") == "Two."


def test_a_message_that_a_hook_gives_a_secret(two: Two) -> None:
    hook(two.one.root, f'#!/bin/sh\necho "{SECRET}" >>"$1"\n', "commit-msg")
    memory(two.one, "tea")
    result = not_pushed(two)
    assert "its message looks like it holds a secret" in result.err
    assert "wJalrXUtnFEMI" not in result.err
    hook(two.one.root, '#!/bin/sh\necho "Reviewed-by: Ada" >>"$1"\n', "commit-msg")
    line = next(line for line in result.err.splitlines() if " reset -q " in line)
    two.one.type(line.partition("    takes")[0].strip())
    synced(two.one)
    assert "wJalrXUtnFEMI" not in git(two.hub, "log", "main")


def test_a_hook_that_commits_while_it_is_pushed(two: Two) -> None:
    commit = "git commit -q --allow-empty -m more"
    hook(two.one.root, f"{ONCE}test -e .git/done || {{ touch .git/done; {commit}; }}", "pre-push")
    memory(two.one, "tea")
    result = two.one.doll("sync")
    assert result.code == 1
    assert "pushed 1 commit to origin/main" in result.out
    assert "HEAD has moved on meanwhile\n  doll sync\n" in result.err
    assert values(two.one)["pushed"] == 1
    assert two.tip == head(two.one)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("word", ["commit", "fetch", "merge", "push"])
def test_another_branch_meanwhile(two: Two, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    """Whenever it is, nothing of it goes to `main`, and `synced` is not said."""
    memory(two.other, "mate")
    memory(two.one, "tea")
    synced(two.other)
    had = two.tip
    real, done = running.execute, list[bool]()

    def execute(folder: Any, arguments: Any, **options: Any) -> running.Ran:
        if word in arguments and not done:
            done.append(True)
            if word != "push":
                two.one.git("switch", "-qc", "topic")
            ran = real(folder, arguments, **options)
            if word == "push":
                two.one.git("switch", "-qc", "topic")
            return ran
        return real(folder, arguments, **options)

    monkeypatch.setattr(running, "execute", execute)
    result = two.one.doll("sync")
    assert done
    assert result.code == 5, result
    assert "HEAD was on main when this began, and is elsewhere now" in result.err
    assert "synced: origin" not in result.out
    assert word == "push" or two.tip == had
