"""A remote whose `doll.yaml` would leave the vault without settings is not taken over."""

import pytest

from tests.desk import Desk
from tests.sync_desk import Two, head, memory, synced

GONE = "takes doll.yaml away"
BAD = "brings a doll.yaml that cannot be used here"


def lines(err: str) -> list[str]:
    """Return the lines to type that stand in a refusal, without what explains them."""
    found = (line.strip().partition("    ")[0] for line in err.splitlines())
    return [line for line in found if line.startswith("git -C")]


def push(desk: Desk) -> None:
    """Commit all and push it, as somebody without doll does."""
    desk.git("add", "-A")
    desk.git("commit", "-qm", "theirs")
    desk.git("push", "-q")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("mine", ["nothing", "another file", "the same file"])
@pytest.mark.parametrize("how", ["gone", "newer", "broken", "link"])
def test_the_rest_is_taken_over_with_the_settings_that_were_here(
    two: Two, how: str, mine: str
) -> None:
    memory(two.other, "tea", "Theirs.")
    settings = two.other.root / "doll.yaml"
    text = settings.read_text(encoding="utf-8")
    if how in ("gone", "link"):
        settings.unlink()
    if how == "link":
        settings.symlink_to("confirmed/tea.md")
    if how == "newer":
        settings.write_text(text.replace("format: 1", "format: 99"), encoding="utf-8")
    if how == "broken":
        settings.write_text(text + "nothing: [\n", encoding="utf-8")
    push(two.other)
    if mine == "another file":
        memory(two.one, "mate")
    if mine == "the same file":
        two.one.put("doll.yaml", f"{text}# Mine\n")
        two.one.git("commit", "-qam", "mine")
    kept = two.one.read("doll.yaml")
    for _ in range(2):
        result = two.one.doll("sync")
        assert result.code == 5, result
        said = {"gone": GONE, "link": "that is no file"}.get(how, BAD)
        assert said in result.err
        assert "nothing was taken over" in result.err
        assert not (two.one.root / "confirmed/tea.md").exists()
        assert two.one.git("status", "--porcelain") == ""
    log, *typed = lines(result.err)
    assert "theirs" in two.one.type(log)
    two.one.put("doll.yaml", f"{kept}# Not committed\n")
    for line in typed:
        two.one.type(line)
    synced(two.one)
    assert two.one.read("doll.yaml") == f"{kept}# Not committed\n"
    assert two.one.git("show", "HEAD:doll.yaml") == kept.strip()
    assert "Theirs." in two.one.read("confirmed/tea.md")
    assert head(two.one) == two.tip


def test_settings_that_can_be_read_are_taken_over(two: Two) -> None:
    text = two.other.read("doll.yaml")
    two.other.put("doll.yaml", f"{text}# Theirs\n")
    push(two.other)
    assert "doll.yaml" in synced(two.one).out
    assert "# Theirs" in two.one.read("doll.yaml")


def test_settings_that_a_commit_took_away_are_found_in_history(two: Two) -> None:
    text = two.one.read("doll.yaml")
    two.one.put("doll.yaml", f"{text}# Last\n")
    two.one.git("commit", "-qam", "last")
    two.one.git("rm", "-q", "doll.yaml")
    two.one.git("commit", "-qm", "gone")
    memory(two.one, "tea")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "later")
    err = two.one.refused(3, "list")
    assert "doll.yaml is gone, and a commit took it away" in err
    # In a merge git commits no single file.
    merging = two.one.root / ".git/MERGE_HEAD"
    merging.write_text(f"{head(two.one)}\n")
    assert "merge --continue    finishes `git merge` first; then\n" in two.one.refused(3, "list")
    merging.unlink()
    assert "switch" not in err
    for line in lines(err):
        two.one.type(line)
    assert two.one.read("doll.yaml") == f"{text}# Last\n"
    two.one.ok("list")
