"""A signed vault is found from inside, whatever an unsigned commit made of its `doll.yaml`."""

import shutil

import pytest

from doll.vcs import plumbing
from tests.gitbox import found
from tests.signing import ASKED, NEEDS_SSH, Signer

pytestmark = NEEDS_SSH


@pytest.mark.sampled(6)
@pytest.mark.parametrize("way", ["deletes", "renames", "makes it a folder"])
@pytest.mark.parametrize("folder", [".", "authority/policies"])
def test_an_unsigned_commit_hides_no_vault(ada: Signer, way: str, folder: str) -> None:
    text = ada.desk.read("doll.yaml")
    ada.plain(("doll.yaml", None))
    if way == "renames":
        ada.plain(("doll.yml", text))
    elif way == "makes it a folder":
        ada.plain(("doll.yaml/doll.yaml", text))
    result = ada.desk.at(folder).doll(*ASKED)
    assert result.code == 1
    assert "a policy denies this" in result.out
    assert "doll init" not in result.out + result.err


def test_nor_does_one_in_a_clone(ada: Signer) -> None:
    """Nothing of doll's own is there yet, but its folders are."""
    ada.plain(("doll.yaml", None))
    ada.desk.git("clone", "-q", ".", "../clone")
    clone = ada.desk.at("../clone")
    clone.git("config", "doll.allowedSigners", ada.desk.git("config", "doll.allowedSigners"))
    shutil.rmtree(found(clone.root).git_dir / "doll", ignore_errors=True)
    assert plumbing.config(found(clone.root), "doll.branch", local=True) is None
    result = clone.doll(*ASKED)
    assert (result.code, "a policy denies this" in result.out) == (1, True), result.out


def test_what_is_signed_may_end_a_vault(ada: Signer) -> None:
    ada.signed(("doll.yaml", None))
    assert ada.desk.doll(*ASKED).code == 3
