"""`doll doctor` on the vault and its git: each fault is found, and its line to type mends it."""

import json
import shutil
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.doctor_faults import FAULTS, MEMORY, lose_lines, with_remote
from tests.examined import commands, findings, noted, of_code, wanting
from tests.gitbox import git
from tests.ordinary import ordinary

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)


@pytest.fixture
def vault(desk: Desk) -> Desk:
    """A vault with a committed memory and a remote that has it all."""
    return with_remote(desk)


def test_a_sound_vault_has_no_finding(vault: Desk) -> None:
    assert noted(vault) == ["index.behind"]
    vault.ok("recall", "espresso")
    vault.ok("status")
    assert findings(vault) == []
    said = vault.ok("doctor")
    assert said.out == ""
    assert said.err.splitlines() == [
        *(f"{area}: nothing is wrong" for area in ("vault", "git", "names", "clock", "index")),
        "state: nothing is wrong",
        "hooks: nothing of doll is installed here: doll hooks install    puts it in",
    ]


def test_what_it_says_where_there_is_no_vault(vault: Desk, tmp_path: Path) -> None:
    outside = vault.at("..")
    assert outside.doll("doctor").code == 3
    assert wanting(outside, "--vault", "notes") == []
    assert wanting(outside.under(DOLL_VAULT="notes")) == []
    git(tmp_path, "init", "-q", "code")
    code = vault.at("../code")
    assert findings(code) == []
    assert "vault: none is named here" in code.ok("doctor").err
    code.git("config", "doll.vault", "../nowhere")
    assert wanting(code) == ["vault.unusable"]
    code.type(f"git config doll.vault {vault.root}")
    assert wanting(code) == []
    assert code.doll("doctor", "--json").json["vault"] == str(vault.root)


# Faults that do not touch each other are planted together.
TOGETHER = (
    ("line endings", "rebase", "case", "hooks path", "ignored", "future", "text", "rescue"),
    ("clash", "attributes", "rebase of the branch", "assumed"),
    ("skipped", "upstream", "tracked"),
    ("index lock", "lock of a ref"),
    *(
        (name,)
        for name in ("sparse", "branch", "detached", "merge", "marker", "emptied", "missing")
    ),
)


@pytest.mark.parametrize("names", TOGETHER, ids=lambda names: names[0])
def test_each_fault_is_found_and_its_line_mends_it(vault: Desk, names: tuple[str, ...]) -> None:
    vault.ok("recall", "espresso")
    for name in names:
        FAULTS[name].plant(vault)
    lines_of = {FAULTS[name].code: FAULTS[name].lines for name in names}
    found = [problem for problem in findings(vault) if problem["code"] in lines_of]
    assert len(found) == len(names)
    for problem in found:
        lines = commands(problem)
        assert len(lines) >= lines_of[problem["code"]]
        # Of two, the first one shows or goes on, and the last one settles it.
        vault.type(lines[lines_of[problem["code"]] - 1])
    assert lines_of.keys().isdisjoint(wanting(vault))


def test_every_fault_is_planted() -> None:
    assert sorted(name for names in TOGETHER for name in names) == sorted(FAULTS)


def test_line_endings_where_records_are_kept_and_where_not(vault: Desk) -> None:
    vault.git("config", "core.autocrlf", "input")
    assert "git.line_endings" in noted(vault)
    lose_lines(vault)
    assert of_code(vault, "git.line_endings")["severity"] == "error"


def test_a_filter_over_records(vault: Desk) -> None:
    vault.put(".gitattributes", vault.read(".gitattributes") + "*.md filter=secret ident\n")
    found = [problem for problem in findings(vault) if problem["code"] == "git.attributes"]
    assert ["filter=secret" in problem["message"] for problem in found] == [True, False]
    for problem in found:
        vault.type(commands(problem)[0])
    assert "git.attributes" not in wanting(vault)


def test_nobody_is_named(vault: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for who in ("AUTHOR", "COMMITTER"):
        for what in ("NAME", "EMAIL"):
            monkeypatch.delenv(f"GIT_{who}_{what}")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    vault.git("config", "user.useConfigOnly", "true")
    problem = of_code(vault, "git.identity")
    assert problem["severity"] == "error"
    for line in commands(problem):
        vault.type(line)
    assert "git.identity" not in wanting(vault)


def test_no_remote_is_to_know(desk: Desk) -> None:
    assert "git.upstream" in noted(desk)
    assert wanting(desk) == []


def test_a_vault_in_a_folder_of_a_code_repository(vault: Desk, tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    shutil.move(vault.root, tmp_path / "code/notes")
    shutil.move(tmp_path / "code/notes/.git", tmp_path / "code/.git")
    code = vault.at(str(tmp_path / "code"))
    code.git("add", "-A")
    code.git("commit", "-qm", "moved")
    code.git("push", "-q")
    inside = code.at("notes")
    for name in ("clash", "attributes", "future"):
        FAULTS[name].plant(inside)
    inside.git("update-index", "--assume-unchanged", "doll.yaml")
    code.put(".git/info/exclude", "tea-*\n")
    inside.put("confirmed/tea-two.md", MEMORY)
    # Asked from above, the lines are typed there.
    found = [p for p in findings(code, "--vault", "notes") if p["severity"] != "note"]
    codes = {problem["code"] for problem in found}
    planted = {"path.clash", "vault.git_lines", "clock.future_file", "git.assumed", "git.ignored"}
    assert planted <= codes
    for problem in found:
        if problem["code"] in planted:
            code.type(commands(problem)[0])
    assert planted.isdisjoint(wanting(code, "--vault", "notes"))


def test_records_that_cannot_be_read_are_counted(vault: Desk) -> None:
    for number in range(3):
        vault.put(f"confirmed/broken-{number}.md", "---\ntitle: [\n---\n")
    (problem,) = (p for p in findings(vault) if p["area"] == "vault")
    assert problem["path"] == "confirmed/broken-0.md"
    assert "2 more cannot be read" in problem["message"]
    assert problem["hint"] == "doll validate"


def test_settings_that_are_broken_hide_nothing_else(vault: Desk) -> None:
    vault.put("doll.yaml", "format: 1\nbranch: [\n")
    vault.git("config", "pull.rebase", "true")
    found = wanting(vault)
    assert found[0].startswith(("yaml.", "settings."))
    assert "git.rebase" in found


@pytest.mark.parametrize(
    "data", [b"", b"x\n", b"DIRC", b"DIRC\0\0\0\x09\0\0\0\0" + b"x" * 20, None]
)
def test_an_index_of_git_that_is_damaged_is_one_finding(vault: Desk, data: bytes | None) -> None:
    vault.ok("recall", "espresso")
    vault.git("config", "pull.rebase", "true")
    index = vault.root / ".git/index"
    index.unlink()
    if data is None:
        index.mkdir()
    else:
        index.write_bytes(data)
    assert sorted(wanting(vault)) == ["git.failed", "git.rebase"]
    assert vault.doll("validate").code == 7
    vault.type(commands(of_code(vault, "git.failed"))[0])
    assert wanting(vault) == ["git.rebase"]


def test_an_index_of_git_that_may_not_be_read(vault: Desk, tmp_path: Path) -> None:
    user = ordinary(tmp_path)
    (vault.root / ".git/index").chmod(0)
    said = user.doll("doctor", "--vault", "notes").stdout
    assert said.count("[git.failed]") == 1
    line = said.partition("    ")[2].partition("    ")[0]
    assert user.run("sh", "-c", line).returncode == 0
    assert "git.failed" not in user.doll("doctor", "--vault", "notes").stdout


def test_a_work_tree_that_is_elsewhere(vault: Desk, tmp_path: Path) -> None:
    vault.git("config", "core.worktree", str(tmp_path / "gone"))
    assert "and that is no folder" in vault.refused(7, "list")
    vault.type(commands(of_code(vault, "git.failed"))[0])
    assert wanting(vault) == []


def test_folders_that_may_not_be_written(vault: Desk, tmp_path: Path) -> None:
    user = ordinary(tmp_path)
    (vault.root / "confirmed").chmod(0o555)
    try:
        document = json.loads(user.doll("doctor", "--json", "--vault", "notes").stdout)
    finally:
        (vault.root / "confirmed").chmod(0o755)
    assert "vault.read_only" in [problem["code"] for problem in document["problems"]]
