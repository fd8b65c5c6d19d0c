"""Symbolic links in the vault are named, and nothing is committed through them."""

from pathlib import Path

import pytest

from tests.sync_desk import Two, head, log, memory, synced, values


def test_a_link_to_a_folder(two: Two, tmp_path: Path) -> None:
    (two.one.root / "confirmed").mkdir(exist_ok=True)
    (two.one.root / "confirmed/dir").symlink_to(tmp_path)
    tea = memory(two.one, "tea")
    found = values(two.one, code=1)
    assert [(p["path"], p["code"]) for p in found["held"]] == [("confirmed/dir", "file.symlink")]
    assert found["synced"] is True
    assert two.one.git("show", "--format=", "--name-only", "HEAD") == tea


@pytest.mark.sampled(6)
@pytest.mark.parametrize("area", ["confirmed", "experience", "staging", "authority"])
@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_a_folder_of_the_vault_that_is_a_link(
    two: Two, area: str, options: tuple[str, ...]
) -> None:
    memory(two.one, "tea")
    log(two.one, "Tried")
    synced(two.one)
    place = two.one.root / area
    place.mkdir(exist_ok=True)
    place.rename(two.one.root / "moved")
    place.symlink_to("moved")
    err = two.one.refused(5, "sync", *options)
    assert f"{area} is a symbolic link" in err
    line = next(each for each in err.splitlines() if "takes the link away" in each)
    two.one.type(line.strip().partition("    ")[0])
    (two.one.root / "moved").rename(place)
    synced(two.one)


def test_a_folder_below_that_became_a_link(two: Two) -> None:
    path = memory(two.one, "deep/tea")
    synced(two.one)
    before = head(two.one)
    (two.one.root / "confirmed/deep").rename(two.one.root / "moved")
    (two.one.root / "confirmed/deep").symlink_to("../moved")
    found = values(two.one, code=1)
    assert [(p["path"], p["code"]) for p in found["held"]] == [("confirmed/deep", "file.symlink")]
    assert head(two.one) == before
    for line in found["held"][0]["hint"].splitlines():
        two.one.type(line.partition("    ")[0])
    synced(two.one)
    assert "Words." in two.one.read(path)
