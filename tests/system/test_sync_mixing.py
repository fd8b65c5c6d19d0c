"""Where git is told to settle conflicts by itself, a sync stops before it does."""

import pytest

from tests.sync_desk import Two, head, memory, synced

pytestmark = pytest.mark.sampled(4)


@pytest.mark.parametrize("how", ["attribute", "driver", "default"])
def test_a_file_that_git_would_mix_stops_the_sync(two: Two, how: str) -> None:
    memory(two.one, "tea", "Common.")
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", "Theirs.")
    synced(two.other)
    path = memory(two.one, "tea", "Mine.")
    attributes = two.one.root / ".git/info/attributes"
    attributes.parent.mkdir(exist_ok=True)
    if how == "default":
        two.one.git("config", "merge.default", "union")
    else:
        name = "union" if how == "attribute" else "mine"
        attributes.write_text(f"*.md merge={name}\n", encoding="utf-8")
        two.one.git("config", "merge.mine.driver", "true")
    theirs = two.tip
    result = two.one.doll("sync")
    assert result.code == 5
    assert f"{path} was changed here and at the remote, and git would mix both" in result.err
    assert two.one.git("status", "--porcelain") == ""
    assert "Theirs." not in two.one.read(path)
    mine = head(two.one)
    assert two.one.doll("sync").code == 5
    assert head(two.one) == mine
    assert two.tip == theirs
    # What the user settles by hand goes along.
    line = next(each for each in result.err.splitlines() if "mixes them" in each)
    two.one.type(line.strip().partition("    ")[0])
    memory(two.one, "tea", "Both.")
    two.one.git("add", path)
    line = next(each for each in result.err.splitlines() if " commit --no-edit" in each)
    two.one.type(f"cd / && {line.strip().partition('    ')[0]}")
    synced(two.one)


def test_what_only_one_side_changed_is_merged(two: Two) -> None:
    memory(two.other, "tea")
    synced(two.other)
    memory(two.one, "mate")
    two.one.git("config", "merge.default", "union")
    assert "merged 1 commit" in synced(two.one).out
