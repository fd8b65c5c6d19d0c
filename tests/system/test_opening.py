"""Which vault is opened, and what is said of one that cannot be: exit 3, with the line to type."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.footprint import OWN, contents
from tests.gitbox import git, make, put
from tests.ordinary import Ordinary, ordinary

pytestmark = pytest.mark.sampled(4)

ID = "0f" * 16
NOBODY = 65534
READS = (
    ["status"],
    ["validate"],
    ["list"],
    ["recall", "espresso"],
    ["where"],
    ["validate", "--staged"],
)


@pytest.fixture
def box(started: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A folder with the vaults `a`, `b`, `c` and `d`, whose ids say which they are."""
    for name in "abcd":
        shutil.copytree(started, tmp_path / name)
        marker = tmp_path / name / "doll.yaml"
        marker.write_text(marker.read_text().replace(ID, name * 32))
    return Desk(tmp_path, capsys)


def opened(desk: Desk, *arguments: str) -> tuple[str, str]:
    """Return the name of the vault that is opened, and how it was found."""
    where = desk.ok("where", "--json", *arguments).json
    assert where["id"] == where["root"][-1] * 32
    return where["root"][-1], where["source"]


def test_the_first_of_option_environment_configuration_and_folders(box: Desk) -> None:
    desk = box.at("d/authority/projects")
    assert opened(desk) == ("d", "a parent folder")
    assert opened(box.at("d")) == ("d", "this folder")
    git(desk.root, "config", "doll.vault", "../c")
    assert opened(desk) == ("c", "git config doll.vault")
    desk = desk.under(DOLL_VAULT=str(box.root / "b"))
    assert opened(desk) == ("b", "DOLL_VAULT")
    assert opened(desk, "--vault", "../../../a") == ("a", "--vault")
    assert opened(desk.under(DOLL_VAULT=""))[0] == "c"
    assert opened(box.under(DOLL_VAULT="b")) == ("b", "DOLL_VAULT")


def test_the_users_configuration_counts_outside_a_repository_too(box: Desk) -> None:
    put(box.root, "config", f'[doll]\n\tvault = "{box.root}/a"\n')
    desk = box.under(GIT_CONFIG_GLOBAL=str(box.root / "config"))
    assert opened(desk) == ("a", "git config doll.vault")
    assert opened(desk.at("b")) == ("a", "git config doll.vault")
    put(box.root, "config", "[doll]\n\tvault = ~/a\n")
    assert opened(desk.under(HOME=str(box.root)))[0] == "a"


def test_a_vault_by_a_link_and_below_another_repository(box: Desk) -> None:
    (box.root / "link").symlink_to("a")
    assert opened(box, "--vault", "link")[0] == "a"
    make(box.root / "b/code")
    assert opened(box.at("b/code")) == ("b", "a parent folder")


def refused(desk: Desk, *arguments: str, reads: tuple[list[str], ...] = READS) -> str:
    """Hold every reading command to exit 3 and one message, `preflight` to one document."""
    before = contents(desk.root)
    said = {desk.refused(3, *read, *arguments) for read in reads}
    assert len(said) == 1
    message = said.pop()
    report = desk.doll("preflight", "--action", "a.b", "--json", *arguments)
    assert report.code == 3
    assert (report.json["status"], report.json["complete"]) == ("not_checked", False)
    assert message.startswith(f"doll: {report.json['problems'][0]['message']}\n")
    text = desk.doll("preflight", "--action", "a.b", *arguments)
    assert (text.code, text.err) == (3, "")
    assert text.out.startswith("NOT CHECKED: ")
    assert contents(desk.root) == before
    return message


def test_none_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(Desk(tmp_path, capsys))
    assert "no vault here" in said
    assert "doll init notes" in said


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("name", "why"), [("nowhere", "is no folder"), ("x y", "has no doll.yaml")]
)
def test_a_name_that_leads_to_none(box: Desk, name: str, why: str) -> None:
    make(box.root / "x y")
    for desk, arguments, source in (
        (box, ("--vault", name), "--vault"),
        (box.under(DOLL_VAULT=name), (), "DOLL_VAULT"),
    ):
        said = refused(desk, *arguments, reads=(["status"],))
        assert f"{source} names {box.root / name}, which {why}" in said
        made = said.splitlines()[-1].partition("make one: doll init ")[2]
        assert box.type(f"printf %s {made}") == str(box.root / name)
    git(box.root / "a", "config", "doll.vault", f"../{name}")
    assert "git config doll.vault names" in refused(box.at("a"), reads=(["status"],))
    assert opened(box.at("a"), "--vault", ".")[0] == "a"


def test_without_a_commit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "it's"
    put(root, "doll.yaml", f"format: 1\nid: {ID}\nbranch: main\n")
    put(root, "confirmed/x.md", "---\ntitle: X\n---\n")
    git(root, "init", "-q", "-b", "main")
    desk = Desk(root, capsys)
    said = refused(desk)
    assert "has no commit yet" in said
    desk.type(said.splitlines()[-1])
    assert desk.ok("list").out


def test_without_git(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "no tes"
    put(root, "doll.yaml", f"format: 1\nid: {ID}\nbranch: trunk\n")
    put(root, "confirmed/x.md", "---\ntitle: X\n---\n")
    desk = Desk(root, capsys)
    said = refused(desk)
    assert "is in no git repository" in said
    for line in said.splitlines()[1:]:
        desk.type(line)
    assert desk.ok("list").out
    assert desk.ok("status", "--json").json["branch"] == "trunk"


def test_in_a_bare_repository_and_in_a_git_folder(box: Desk) -> None:
    git(box.root, "init", "-q", "--bare", "bare")
    assert "bare repository" in box.at("bare").refused(7, "status")
    assert opened(box.at("bare"), "--vault", "../a")[0] == "a"
    box.at("a/.git").refused(7, "status")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("staged", [False, True])
def test_all_records_gone_against_head(desk: Desk, staged: bool) -> None:
    before = contents(desk.root, (*OWN, ".git"))
    git(desk.root, "rm", "-rq", *([] if staged else ["--cached"]), "authority")
    if not staged:
        git(desk.root, "reset", "-q")
        shutil.rmtree(desk.root / "authority")
    said = desk.refused(3, "status")
    assert "has no record on disk, and HEAD has 2" in said
    report = desk.doll("preflight", "--project", "atlas", "--json")
    assert (report.code, report.json["status"]) == (3, "not_checked")
    desk.type(said.splitlines()[1].strip().partition("    ")[0])
    assert contents(desk.root, (*OWN, ".git")) == before
    desk.ok("validate")


def test_all_records_gone_leave_a_block_a_block(desk: Desk) -> None:
    desk.put("authority/policies/never.md", "---\neffect: deny\nactions: db.migrate\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "never")
    shutil.rmtree(desk.root / "authority")
    report = desk.doll("preflight", "--action", "db.migrate", "--json")
    assert (report.code, report.json["status"], report.json["complete"]) == (1, "blocked", False)
    assert "no record on disk" in report.json["problems"][0]["message"]


def test_a_vault_that_never_had_a_record_is_no_fault(desk: Desk) -> None:
    desk.git("rm", "-rq", "authority")
    desk.git("commit", "-qm", "empty")
    assert "holds no records yet" in desk.ok("status").out


def test_a_doll_yaml_that_is_gone_or_a_link(desk: Desk) -> None:
    text = desk.read("doll.yaml")
    (desk.root / "doll.yaml").unlink()
    said = desk.refused(3, "status")
    assert f"{desk.root / 'doll.yaml'} is gone, and HEAD has it" in said
    desk.type(said.splitlines()[1])
    assert desk.read("doll.yaml") == text
    desk.git("rm", "-q", "doll.yaml")
    desk.type(desk.at("authority").refused(3, "list").splitlines()[1])
    assert desk.read("doll.yaml") == text
    (desk.root / "doll.yaml").rename(desk.root / "moved.yaml")
    (desk.root / "doll.yaml").symlink_to("moved.yaml")
    assert "is a symbolic link" in desk.refused(3, "status")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"format: 2\nid: {ID}\nbranch: main\nnew: thing\n", "update doll"),
        (f"format: 1\nid: {ID}\n", "`branch` is missing"),
        ("format: 1\nid: x\nbranch: main\nbranch: main\n", "doll.yaml:4:1"),
        ("", "`format` is missing"),
        ("\udcff", "UTF-8"),
    ],
)
def test_settings_that_cannot_be_read(desk: Desk, text: str, said: str) -> None:
    (desk.root / "doll.yaml").write_bytes(text.encode("utf-8", "surrogateescape"))
    for read in READS[:-1]:
        told = desk.doll(*read)
        assert (told.code, said in told.out + told.err) == (3, True)
    desk.ok("validate", "--staged")  # what is staged is read from git alone
    desk.ok("preflight", "--project", "atlas")  # what is not committed has no say
    desk.git("add", "-A")
    desk.git("commit", "-qm", "settings")
    report = desk.doll("preflight", "--project", "atlas", "--json")
    assert (report.code, report.json["status"]) == (3, "not_checked")
    assert said.partition(":")[0] in str(report.json["problems"])


def test_a_broken_pin(desk: Desk) -> None:
    desk.git("config", "doll.branch", "nowhere")
    said = desk.doll("preflight", "--project", "atlas", "--json")
    assert (said.code, said.json["status"]) == (3, "not_checked")
    assert "'nowhere' does not exist here" in said.json["problems"][0]["message"]
    assert "no accepted commit" in desk.ok("status").out


@pytest.fixture
def nobody(desk: Desk, tmp_path: Path) -> Ordinary:
    """Somebody whom permissions stop, beside the vault `notes`."""
    return ordinary(tmp_path)


LOCKED = ("notes", "notes/doll.yaml", "notes/authority", "notes/authority/projects")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", LOCKED)
def test_what_an_ordinary_user_may_not_read(nobody: Ordinary, path: str) -> None:
    place = nobody.folder / path
    mode = place.stat().st_mode
    place.chmod(0)
    for read in ("status", "list", "validate"):
        found = nobody.doll(read, "--vault", "notes")
        assert (found.returncode, found.stdout) == (3, ""), found.stderr
        assert "Permission denied" in found.stderr
    report = nobody.doll("preflight", "--vault", "notes", "--project", "atlas", "--json")
    if path == "notes/doll.yaml":
        assert (report.returncode, json.loads(report.stdout)["status"]) == (0, "clear")
    else:
        assert (report.returncode, json.loads(report.stdout)["status"]) == (3, "not_checked")
    place.chmod(mode)
    assert nobody.doll("status", "--vault", "notes").returncode == 0


def test_a_file_that_an_ordinary_user_may_not_read(nobody: Ordinary) -> None:
    (nobody.folder / "notes/authority/projects/garden.md").chmod(0)
    listed = nobody.doll("list", "--vault", "notes")
    assert listed.returncode == 0
    assert "atlas" in listed.stdout
    assert "garden.md: error: the file cannot be read: Permission denied" in listed.stderr
    checked = nobody.doll("validate", "--vault", "notes")
    assert checked.returncode == 1
    assert "garden.md: error: the file cannot be read" in checked.stdout
    report = nobody.doll("preflight", "--vault", "notes", "--project", "garden", "--json")
    assert json.loads(report.stdout)["status"] == "clear"  # HEAD has it


def test_a_folder_that_is_not_the_users(nobody: Ordinary) -> None:
    (nobody.folder / "closed").mkdir(mode=0o555)
    refused = nobody.doll("init", "closed/notes")
    assert refused.returncode == 5
    assert "nothing can be made in" in refused.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to another user")
def test_a_vault_of_another_user(desk: Desk) -> None:
    os.chown(desk.root, NOBODY, -1)
    os.chown(desk.root / ".git", NOBODY, -1)
    said = desk.refused(7, "status")
    assert "dubious ownership" in said
    assert "safe.directory" in said
