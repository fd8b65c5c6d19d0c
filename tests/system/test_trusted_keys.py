"""Whose signatures count: keys outside the vault, as git verifies them, whatever the cache says."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gitbox import git
from tests.signing import (
    ASKED,
    NEEDS_SSH,
    POLICY,
    Signer,
    asked,
    line_for,
    notes,
    sign_with,
    trust,
)

# The others run with `pytest -m soak`.
pytestmark = [NEEDS_SSH, pytest.mark.sampled(6)]


def test_an_author_is_not_looked_at(ada: Signer) -> None:
    ada.desk.git("config", "user.name", "Eve")
    (ada.desk.root / POLICY).unlink()
    options = (*sign_with(ada.key), "commit", "-qaS", "-m", "x", "--author", "Eve <eve@e.org>")
    ada.desk.git(*options)
    assert asked(ada.desk)["status"] == "clear"


@pytest.mark.parametrize(
    ("options", "why"), [('valid-before="20200101"', "its key is not trusted"), ("", "")]
)
def test_a_key_that_has_expired(ada: Signer, keys: Path, options: str, why: str) -> None:
    root = ada.desk.root
    file = root.parent / "home" / "signers"
    trust(root, file, line_for(keys / "ada"), line_for(keys / "eve", options))
    Signer(ada.desk, keys / "eve").signed((POLICY, None))
    report = asked(ada.desk)
    assert report["status"] == ("blocked" if why else "clear")
    assert (POLICY in notes(report)) == bool(why)
    assert why in notes(report).get(POLICY, "")


def test_a_key_that_is_not_in_the_file(ada: Signer, keys: Path) -> None:
    Signer(ada.desk, keys / "eve").signed((POLICY, None))
    report = asked(ada.desk)
    assert report["status"] == "blocked"
    assert "its key is not trusted" in notes(report)[POLICY]


def test_a_key_that_was_revoked(ada: Signer, keys: Path, tmp_path: Path) -> None:
    file = tmp_path / "home" / "signers"
    trust(ada.desk.root, file, line_for(keys / "ada"), line_for(keys / "eve"))
    Signer(ada.desk, keys / "eve").signed((POLICY, None))
    assert asked(ada.desk)["status"] == "clear"
    revoked = tmp_path / "home" / "revoked"
    revoked.write_bytes((keys / "eve.pub").read_bytes())
    ada.desk.git("config", "gpg.ssh.revocationFile", str(revoked))
    report = asked(ada.desk)
    assert report["status"] == "blocked"
    assert "its key was revoked" in notes(report)[POLICY]
    revoked.unlink()
    report = asked(ada.desk)
    assert "signature.trust" in {problem["code"] for problem in report["problems"]}


def test_a_signature_of_other_bytes(ada: Signer) -> None:
    commit = ada.signed((POLICY, None))
    text = ada.desk.git("cat-file", "commit", commit).replace("signed", "forged").encode() + b"\n"
    (ada.desk.root.parent / "forged").write_bytes(text)
    forged = ada.desk.git("hash-object", "-t", "commit", "-w", "../forged")
    ada.desk.git("reset", "-q", "--hard", forged)
    report = asked(ada.desk)
    assert report["status"] == "blocked"
    assert "its signature is bad" in notes(report)[POLICY]


def fault(ada: Signer) -> str:
    """Return what is said of trusted keys that cannot be used; the answer is never silence."""
    report = asked(ada.desk)
    # The signed denial is not known to be signed here: what is committed is evaluated.
    assert (report["status"], report["complete"]) == ("blocked", False)
    ada.plain((POLICY, None))
    report = asked(ada.desk)
    assert report["status"] == "not_checked"
    found = {problem["code"]: problem for problem in report["problems"]}
    assert "git config --global doll.allowedSigners" in found["signature.trust"]["hint"]
    return str(found["signature.trust"]["message"])


def test_no_file_of_trusted_keys(ada: Signer) -> None:
    ada.desk.git("config", "--unset", "doll.allowedSigners")
    assert fault(ada) == "no file says whose signatures are trusted"


def test_a_file_that_is_gone(ada: Signer, tmp_path: Path) -> None:
    (tmp_path / "home" / "signers").unlink()
    assert "signers cannot be read: No such file" in fault(ada)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("place", ["signers", ".doll/signers", ".git/signers", "authority/s"])
def test_a_file_with_the_vault(ada: Signer, place: str) -> None:
    ada.desk.put(place, line_for(ada.key))
    ada.desk.git("config", "doll.allowedSigners", str(ada.desk.root / place))
    assert "lies with the vault" in fault(ada)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("setting", ["doll.allowedSigners", "gpg.ssh.revocationFile"])
@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "large"])
def test_what_is_no_file_of_keys_is_not_read(
    ada: Signer, tmp_path: Path, setting: str, kind: str
) -> None:
    place = Path("/dev/zero") if kind == "device" else tmp_path / "odd"
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    elif kind == "large":
        with place.open("wb") as file:
            file.truncate(1 << 40)
    ada.desk.git("config", setting, str(place))
    assert f"{place} is no regular file of at most 1 MiB" in fault(ada)


def test_a_relative_file_and_a_link_into_the_vault(ada: Signer, tmp_path: Path) -> None:
    ada.desk.put("signers", line_for(ada.key))
    ada.desk.git("config", "doll.allowedSigners", "signers")
    assert "lies with the vault" in fault(ada)
    (tmp_path / "link").symlink_to(ada.desk.root / "signers")
    ada.desk.git("config", "doll.allowedSigners", str(tmp_path / "link"))
    assert asked(ada.desk)["status"] == "not_checked"


def test_a_file_in_another_work_tree_of_the_repository(ada: Signer) -> None:
    ada.desk.git("worktree", "add", "-q", "../linked")
    ada.desk.put("../linked/signers", line_for(ada.key))
    ada.desk.git("config", "doll.allowedSigners", str(ada.desk.root / "../linked/signers"))
    assert "lies with the vault" in fault(ada)


def test_gits_own_setting_is_enough(ada: Signer, tmp_path: Path) -> None:
    ada.desk.git("config", "--unset", "doll.allowedSigners")
    ada.desk.git("config", "gpg.ssh.allowedSignersFile", str(tmp_path / "home" / "signers"))
    ada.plain((POLICY, None))
    assert asked(ada.desk)["status"] == "blocked"


def test_an_unsigned_change_while_keys_are_not_known_is_found_later(
    ada: Signer, tmp_path: Path
) -> None:
    file = tmp_path / "home" / "signers"
    kept = file.read_bytes()
    file.unlink()
    ada.plain((POLICY, None))
    assert asked(ada.desk)["status"] == "not_checked"
    file.write_bytes(kept)
    assert asked(ada.desk)["status"] == "blocked"


def test_ssh_keygen_is_not_here(ada: Signer) -> None:
    ada.desk.git("config", "gpg.ssh.program", "/nowhere/ssh-keygen")
    report = asked(ada.desk)
    assert report["complete"] is False
    found = {problem["code"]: problem["message"] for problem in report["problems"]}
    assert "/nowhere/ssh-keygen" in found["signature.unchecked"]


@pytest.mark.parametrize("program", ["false", "true", "ls"])
def test_a_program_that_is_no_ssh_keygen(ada: Signer, program: str) -> None:
    ada.desk.git("config", "gpg.ssh.program", program)
    report = asked(ada.desk)
    assert report["complete"] is False
    assert notes(report) == {}
    (found,) = report["problems"]
    assert found["code"] == "signature.unchecked"
    assert found["message"] == f"signatures cannot be checked here: {program} gives no answer"
    assert "gpg.ssh.program" in ada.desk.type(found["hint"].partition("    ")[0])
    ada.desk.git("config", "--unset", "gpg.ssh.program")
    assert (asked(ada.desk)["status"], asked(ada.desk)["complete"]) == ("blocked", True)


def test_a_clone_with_the_cache_of_another(ada: Signer, tmp_path: Path) -> None:
    ada.signed((POLICY, None))
    assert asked(ada.desk)["status"] == "clear"
    git(tmp_path, "clone", "-q", "notes", "clone")
    clone = ada.desk.at("../clone")
    shutil.copytree(ada.desk.root / ".doll", clone.root / ".doll", dirs_exist_ok=True)
    assert clone.doll(*ASKED, "--json").json["status"] == "not_checked"
    trust(clone.root, tmp_path / "home" / "others", "")
    assert clone.doll(*ASKED, "--json").json["status"] == "not_checked"


def test_forged_answers_in_the_cache(ada: Signer) -> None:
    assert asked(ada.desk)["status"] == "blocked"
    cache = ada.desk.root / ".doll" / "cache"
    true = {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()}
    names = {path.relative_to(cache).as_posix() for path in true}
    assert {"signatures/ssh", "signed/asked", "signed/regime", "signed/authority"} <= names
    ada.plain((POLICY, None))
    for path, data in true.items():
        path.write_bytes(data.replace(b"N", b"G") + b"x")
    assert asked(ada.desk)["status"] == "blocked"


def test_a_history_that_is_cut_off(ada: Signer, tmp_path: Path) -> None:
    ada.plain(("a", "a"))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{ada.desk.root}", "clone")
    clone = ada.desk.at("../clone")
    clone.git("config", "doll.allowedSigners", str(tmp_path / "home" / "signers"))
    report = asked(clone)
    assert (report["status"], report["complete"]) == ("blocked", False)
    assert "history.shallow" in {problem["code"] for problem in report["problems"]}
    clone.git("fetch", "-q", "--unshallow")
    assert asked(clone)["problems"] == []


def test_a_cut_that_hides_nothing(ada: Signer, tmp_path: Path) -> None:
    """All of authority was signed again after the cut."""
    desk = ada.desk
    paths = ["doll.yaml", *desk.git("ls-files", "authority").splitlines()]
    ada.signed(*((path, desk.read(path) + "\n") for path in paths))
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{desk.root}", "clone")
    clone = desk.at("../clone")
    clone.git("config", "doll.allowedSigners", str(tmp_path / "home" / "signers"))
    report = asked(clone)
    assert (report["status"], report["problems"]) == ("blocked", [])


@pytest.fixture
def gpg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A keyring of GPG with a key of its own that signs without asking."""
    home = tmp_path / "gnupg"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(home))
    make = ("--batch", "--passphrase", "", "--quick-generate-key", "ada@example.org", "ed25519")
    subprocess.run(["gpg", *make], check=True, capture_output=True)
    yield home
    stop = ["gpgconf", "--homedir", str(home), "--kill", "all"]
    subprocess.run(stop, check=False, capture_output=True)


@pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")
def test_gpg_signs_too(
    ada: Signer, gpg: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada.desk.root / POLICY).unlink()
    ada.desk.git("commit", "-qa", "-Sada@example.org", "-m", "lift")
    assert asked(ada.desk)["status"] == "clear"
    monkeypatch.setenv("GNUPGHOME", str(tmp_path / "home"))
    report = asked(ada.desk)
    assert report["status"] == "blocked"
    assert "is not known here" in notes(report)[POLICY]


def test_a_list_of_revoked_keys_that_is_gone_is_not_taken_for_none(
    ada: Signer, tmp_path: Path
) -> None:
    assert asked(ada.desk)["complete"] is True
    ada.desk.git("config", "gpg.ssh.revocationFile", str(tmp_path / "gone"))
    report = asked(ada.desk)
    assert "of revoked keys" in report["problems"][0]["message"]


@pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")
def test_gpg_is_asked_anew_when_the_keyring_changes(ada: Signer, gpg: Path) -> None:
    (ada.desk.root / POLICY).unlink()
    ada.desk.git("commit", "-qa", "-Sada@example.org", "-m", "lift")
    assert asked(ada.desk)["status"] == "clear"
    # No gpg is started for what it said a moment ago.
    ada.desk.git("config", "gpg.program", shutil.which("false") or "false")
    assert asked(ada.desk)["status"] == "blocked"
    ada.desk.git("config", "--unset", "gpg.program")
    found = ada.desk.doll(*ASKED, "--json")
    assert found.json["status"] == "clear"
    (gpg / "pubring.kbx").write_bytes(b"")
    assert asked(ada.desk)["status"] == "blocked"
