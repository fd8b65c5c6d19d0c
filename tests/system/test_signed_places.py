"""Signatures wherever the vault lies: in a folder of a code repository, under SHA-256 ids."""

from pathlib import Path

import pytest

from tests.desk import PROJECT, Desk
from tests.gitbox import git, put
from tests.signing import ASKED, DENY, NEEDS_SSH, POLICY, SIGNED, Signer, line_for, trust

pytestmark = NEEDS_SSH


def make(root: Path, folder: str, *options: str) -> None:
    put(root, f"{folder}doll.yaml", f"format: 1\nid: {'0f' * 16}\nbranch: main\n{SIGNED}")
    put(root, f"{folder}authority/projects/atlas.md", PROJECT.format("Atlas"))
    put(root, f"{folder}{POLICY}", DENY)
    put(root, ".gitignore", ".doll/\n")
    put(root, "code.py", "")
    git(root, "init", "-q", "-b", "main", *options)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("folder", ["", "notes/", "a b/ünö [x]/"])
@pytest.mark.parametrize("ids", ["sha1", "sha256"])
def test_a_denial_is_not_lifted(
    tmp_path: Path, keys: Path, capsys: pytest.CaptureFixture[str], folder: str, ids: str
) -> None:
    root = tmp_path / "code"
    make(root, folder, f"--object-format={ids}")
    trust(root, tmp_path / "home" / "signers", line_for(keys / "ada"))
    ada = Signer(Desk(root, capsys), keys / "ada")
    ada.signed()
    desk = Desk(root / folder, capsys)
    assert desk.doll(*ASKED, "--json").json["status"] == "blocked"
    settings = desk.read("doll.yaml").replace("required", "off")
    ada.plain((f"{folder}{POLICY}", None), (f"{folder}doll.yaml", settings))
    report = desk.doll(*ASKED, "--json").json
    assert (report["status"], report["problems"]) == ("blocked", [])
    assert [note["path"] for note in report["notes"]] == [POLICY, "doll.yaml"]
    ada.signed((f"{folder}{POLICY}", DENY), subject="put back")
    ada.signed((f"{folder}{POLICY}", None))
    assert desk.doll(*ASKED, "--json").json["status"] == "clear"


@pytest.mark.parametrize("inside", ["signers", "notes/signers"])
def test_a_file_anywhere_in_the_code_repository_is_refused(
    tmp_path: Path, keys: Path, capsys: pytest.CaptureFixture[str], inside: str
) -> None:
    root = tmp_path / "code"
    make(root, "notes/")
    trust(root, root / inside, line_for(keys / "ada"))
    Signer(Desk(root, capsys), keys / "ada").signed()
    report = Desk(root / "notes", capsys).doll(*ASKED, "--json").json
    assert "lies with the vault" in report["problems"][0]["message"]
