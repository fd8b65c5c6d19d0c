"""Clones that history was left out of, perhaps after it was looked at: no cache hides that."""

import shutil
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git
from tests.signing import NEEDS_SSH, Signer, asked

pytestmark = pytest.mark.sampled(4)

RECORD = "confirmed/a.md"


def cloned(desk: Desk, *options: str) -> Desk:
    """Return the person in a clone of the vault."""
    where = f"file://{desk.root}"
    git(desk.root, "config", "uploadpack.allowFilter", "true")
    git(desk.root.parent, "clone", "-q", *options, where, "clone")
    return desk.at("../clone")


def lived(desk: Desk) -> Desk:
    """Give the vault a record that came, changed and went, and return it."""
    for text in ("one", "two"):
        desk.put(RECORD, f"---\ntitle: {text}\n---\n")
        desk.git("add", "-A")
        desk.git("commit", "-qm", text)
    desk.git("rm", "-q", RECORD)
    desk.git("commit", "-qm", "gone")
    return desk


def test_what_was_verified_before_it_was_cut_off_is_not_passed(desk: Desk) -> None:
    clone = cloned(lived(desk))
    assert clone.ok("verify").err == "4 commits verified: 0 errors\n"
    clone.git("fetch", "-q", "--depth", "1")
    warm = clone.doll("verify", "--json")
    shutil.rmtree(clone.root / ".doll/cache")
    assert clone.doll("verify", "--json") == warm
    assert warm.code == 3
    assert [gap["code"] for gap in warm.json["gaps"]] == ["history.shallow"]
    clone.git("fetch", "-q", "--unshallow")
    assert clone.ok("verify").err == "4 commits verified: 0 errors\n"


def test_nor_is_what_became_a_partial_clone(desk: Desk, tmp_path: Path) -> None:
    clone = cloned(lived(desk))
    clone.ok("verify")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{desk.root}", "partial")
    for name in ("objects", "config"):
        (clone.root / ".git" / name).rename(tmp_path / name)
        (tmp_path / "partial" / ".git" / name).rename(clone.root / ".git" / name)
    assert clone.doll("verify", "--json") == clone.doll("verify", "--json", "--full")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "options",
    [("--filter=blob:none",), ("--filter=tree:0",), ("--filter=tree:0", "--no-checkout")],
    ids=" ".join,
)
def test_whatever_was_left_out_is_a_gap(
    desk: Desk, tmp_path: Path, options: tuple[str, ...]
) -> None:
    clone = cloned(lived(desk), *options)
    (desk.root / ".git").rename(tmp_path / "gone")
    for command in (("verify",), ("verify", "--vault", str(clone.root))):
        said = clone.doll(*command, "--json")
        assert (said.code, {gap["code"] for gap in said.json["gaps"]}) == (3, {"history.partial"})
        err = clone.doll(*command).err
        assert "were left out of this partial clone" in err
        assert "git fetch --refetch --no-filter" in err
        assert "exit 128" not in err


def test_a_clone_without_files_has_no_record(desk: Desk) -> None:
    """Its trees are there, so what is wanting is known before any history is looked at."""
    clone = cloned(lived(desk), "--filter=blob:none", "--no-checkout")
    assert "has no record on disk, and HEAD has 2" in clone.refused(3, "verify")


@NEEDS_SSH
def test_what_signatures_say_is_not_kept_over_a_cut(ada: Signer) -> None:
    ada.signed(("authority/policies/no.md", None), subject="lift")
    clone = cloned(ada.desk)
    clone.git("config", "doll.allowedSigners", ada.desk.git("config", "doll.allowedSigners"))
    assert asked(clone)["status"] == "clear"
    ada.plain(subject="unsigned")
    clone.git("pull", "-q")
    assert asked(clone)["status"] == "clear"
    clone.git("fetch", "-q", "--depth", "1")
    report = asked(clone)
    assert report["status"] == "not_checked"
    assert "history.shallow" in {problem["code"] for problem in report["problems"]}
    clone.git("fetch", "-q", "--unshallow")
    assert asked(clone)["status"] == "clear"


@NEEDS_SSH
def test_nor_that_a_vault_never_asked_for_them(desk: Desk) -> None:
    clone = cloned(lived(desk))
    clone.git("config", "doll.allowedSigners", "/nowhere")
    assert asked(clone)["status"] == "clear"
    clone.git("fetch", "-q", "--depth", "1")
    report = asked(clone)
    assert report["status"] == "not_checked"
    assert "history.shallow" in {problem["code"] for problem in report["problems"]}
