"""`doll doctor` on the vault and its git: each fault is found, and its line to type mends it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from doll.vault import heartbeat
from tests.desk import Desk
from tests.examined import commands, findings, noted, of_code, wanting
from tests.gitbox import git
from tests.ordinary import ordinary

MEMORY = "---\ntitle: Espresso\n---\nNo sugar.\n"


@pytest.fixture
def vault(desk: Desk) -> Desk:
    """A vault with a committed memory and a remote that has it all."""
    desk.put("confirmed/espresso.md", MEMORY)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "espresso")
    git(desk.root.parent, "init", "-q", "--bare", "-b", "main", "remote.git")
    desk.git("remote", "add", "origin", "../remote.git")
    desk.git("push", "-qu", "origin", "main")
    return desk


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


class Fault(NamedTuple):
    """A fault: how it comes about, what doctor calls it, how many of its lines mend it."""

    plant: Callable[[Desk], object]
    code: str
    lines: int = 1


def _git(*arguments: str) -> Callable[[Desk], str]:
    return lambda desk: desk.git(*arguments)


def _lose_lines(desk: Desk) -> None:
    desk.put(".gitattributes", "* text=auto\n")


def _filter(desk: Desk) -> None:
    desk.put(".git/info/attributes", "*.md filter=lfs\n")
    desk.put(".gitattributes", desk.read(".gitattributes"))


def _ignored(desk: Desk) -> None:
    desk.put(".git/info/exclude", "confirmed/*-draft.md\n")
    desk.put("confirmed/tea-draft.md", MEMORY)


def _clash(desk: Desk) -> None:
    desk.put("confirmed/Espresso.md", MEMORY.replace("Espresso", "Other"))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "clash")
    desk.git("push", "-q")


def _touch(desk: Desk, days: float) -> None:
    place = desk.root / "confirmed/espresso.md"
    moment = place.stat().st_mtime + days * 86_400
    os.utime(place, (moment, moment))


def _lock(name: str, hours: float) -> Callable[[Desk], None]:
    def plant(desk: Desk) -> None:
        desk.put(f".git/{name}", "")
        moment = (desk.root / ".git/HEAD").stat().st_mtime - hours * 3_600
        os.utime(desk.root / ".git" / name, (moment, moment))

    return plant


def _merge(desk: Desk) -> None:
    desk.git("switch", "-qc", "other")
    desk.put("confirmed/espresso.md", MEMORY + "Other.\n")
    desk.git("commit", "-qam", "other")
    desk.git("switch", "-q", "main")
    desk.put("confirmed/espresso.md", MEMORY + "Ours.\n")
    desk.git("commit", "-qam", "ours")
    git(desk.root, "merge", "-q", "other", code=1)


def _edited(desk: Desk) -> None:
    desk.put(f".git/doll/edits/{'0' * 64}-aabbccdd/espresso.md", "half a thought\n")


def _empty(desk: Desk) -> None:
    for folder in ("confirmed", "authority"):
        shutil.rmtree(desk.root / folder)


FAULTS: dict[str, Fault] = {
    "line endings": Fault(_git("config", "core.autocrlf", "true"), "git.line_endings"),
    "rebase": Fault(_git("config", "pull.rebase", "true"), "git.rebase"),
    "rebase of the branch": Fault(_git("config", "branch.main.rebase", "merges"), "git.rebase"),
    "case": Fault(_git("config", "core.ignoreCase", "true"), "git.case"),
    "hooks path": Fault(_git("config", "core.hooksPath", "nowhere"), "git.hooks_path"),
    "attributes": Fault(_lose_lines, "vault.git_lines"),
    "skipped": Fault(
        _git("update-index", "--skip-worktree", "confirmed/espresso.md"), "git.skipped"
    ),
    "assumed": Fault(
        _git("update-index", "--assume-unchanged", "confirmed/espresso.md"), "git.assumed"
    ),
    "sparse": Fault(_git("sparse-checkout", "set", "--cone", "authority"), "git.sparse"),
    "ignored": Fault(_ignored, "git.ignored", 2),
    "branch": Fault(_git("switch", "-qc", "elsewhere", "--track"), "git.branch"),
    "detached": Fault(_git("switch", "-q", "--detach"), "git.branch"),
    "upstream": Fault(_git("branch", "-q", "--unset-upstream"), "git.upstream"),
    "merge": Fault(_merge, "git.underway", 2),
    "index lock": Fault(_lock("index.lock", 3), "git.lock"),
    "lock of a ref": Fault(_lock("refs/heads/main.lock", 50), "git.lock"),
    "clash": Fault(_clash, "path.clash"),
    "future": Fault(lambda desk: _touch(desk, 3), "clock.future_file"),
    "marker": Fault(lambda desk: (desk.root / "doll.yaml").unlink(), "vault.unusable"),
    "emptied": Fault(_empty, "vault.unusable"),
    "text": Fault(_edited, "state.edit", 2),
    "rescue": Fault(
        _git("update-ref", "refs/doll/rescue/20260820T143205Z", "HEAD"), "state.rescue", 2
    ),
    "tracked": Fault(_git("add", "-f", ".doll/cache"), "vault.tracked"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found_and_its_line_mends_it(vault: Desk, name: str) -> None:
    fault = FAULTS[name]
    vault.ok("recall", "espresso")
    fault.plant(vault)
    problem = next(p for p in findings(vault) if p["code"] == fault.code)
    lines = commands(problem)
    assert len(lines) >= fault.lines
    # Of two, the first one shows or goes on, and the last one settles it.
    vault.type(lines[fault.lines - 1])
    assert fault.code not in wanting(vault)


def test_line_endings_where_records_are_kept_and_where_not(vault: Desk) -> None:
    vault.git("config", "core.autocrlf", "input")
    assert "git.line_endings" in noted(vault)
    _lose_lines(vault)
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


def test_shallow_and_partial_clones(vault: Desk, tmp_path: Path) -> None:
    place = f"file://{tmp_path}/remote.git"
    git(tmp_path / "remote.git", "config", "uploadpack.allowFilter", "true")
    for option, code in (
        ("--depth=1", "history.shallow"),
        ("--filter=blob:none", "history.partial"),
    ):
        git(tmp_path, "clone", "-q", option, place, "clone")
        clone = vault.at("../clone")
        assert wanting(clone) == [code]
        if code == "history.shallow":
            clone.type(commands(of_code(clone, code))[0])
            assert wanting(clone) == []
        shutil.rmtree(clone.root)


def test_a_young_lock_is_a_git_at_work(vault: Desk) -> None:
    vault.put(".git/index.lock", "")
    problem = of_code(vault, "git.lock")
    assert problem["severity"] == "note"
    assert "rm" not in problem["hint"]
    _lock("index.lock", 3)(vault)
    assert "its lock is 3 hours old" in of_code(vault, "git.lock")["message"]
    assert (vault.root / ".git/index.lock").exists()


def test_no_remote_is_to_know(desk: Desk) -> None:
    assert "git.upstream" in noted(desk)
    assert wanting(desk) == []


def test_an_unfinished_sync(vault: Desk) -> None:
    _merge(vault)
    vault.git("update-ref", "refs/doll/incoming/origin/main", "other")
    problem = of_code(vault, "git.underway")
    assert commands(problem) == ["doll sync --continue", "doll sync --abort"]


def test_leftovers_of_a_killed_doll(vault: Desk) -> None:
    vault.put(f"confirmed/.doll-new-99-{'a' * 12}", "half")
    problem = of_code(vault, "state.leftover")
    assert problem["severity"] == "note"
    vault.type(commands(problem)[0])
    assert "state.leftover" not in noted(vault)


def test_a_watcher_that_was_killed_or_stopped(vault: Desk) -> None:
    arguments = [sys.executable, "-m", "doll", "watch", "--json"]
    watcher = subprocess.Popen(arguments, cwd=vault.root, stdout=subprocess.PIPE)
    try:
        assert watcher.stdout is not None
        assert watcher.stdout.readline()
        assert "state.watch" not in [problem["code"] for problem in _watched(vault)]
        watcher.kill()
        watcher.wait()
        assert "ended without a word" in of_code(vault, "state.watch")["message"]
        vault.type(commands(of_code(vault, "state.watch"))[1])
        assert "state.watch" not in wanting(vault)
    finally:
        watcher.kill()
        watcher.wait()


def _watched(vault: Desk) -> list[dict[str, Any]]:
    """Return the findings while somebody watches, who may write at any moment."""
    found: list[dict[str, Any]] = vault.doll("doctor", "--json").json["problems"]
    return found


def test_a_watcher_that_was_stopped(vault: Desk) -> None:
    beat = {"process": 99, "mode": "inotify", "interval": 5.0, "beat_ns": 1, "looked_ns": 1}
    vault.put(".git/doll/watch.json", json.dumps(beat))
    with heartbeat.alone(vault.root / ".git/doll"):
        problem = of_code(vault, "state.watch")
    assert "lives and sees nothing" in problem["message"]
    assert commands(problem)[0] == "kill -CONT 99"


def test_clocks_that_jumped(vault: Desk) -> None:
    name = "20900101T000000Z-lesson-ahead-k3v9q2xw7d"
    vault.put(
        f"experience/atlas/{name}.md",
        "---\nproject: atlas\nkind: lesson\nassertion: user_recorded\nat: 2090-01-01T00:00:00Z\n"
        "summary: Ahead\n---\n",
    )
    vault.git("add", "-A")
    git(vault.root, "commit", "-qm", "ahead", GIT_COMMITTER_DATE="2090-01-01T00:00:00Z")
    assert wanting(vault) == ["clock.future_commit", "clock.future_entry"]
    assert f"doll correct {name} " in of_code(vault, "clock.future_entry")["hint"]
    vault.put("confirmed/later.md", MEMORY)
    vault.git("add", "-A")
    git(vault.root, "commit", "-qm", "back", GIT_COMMITTER_DATE="2026-08-20T14:32:05Z")
    assert "clock.backwards" in noted(vault)


def test_folders_that_differ_in_case_are_one_finding(vault: Desk) -> None:
    for folder in ("Notes", "notes"):
        for number in range(3):
            vault.put(f"confirmed/{folder}/{folder}-{number}.md", MEMORY)
    (problem,) = (p for p in findings(vault) if p["code"] == "path.clash")
    assert problem["path"] == "confirmed/Notes"
    vault.type(commands(problem)[0])
    # Their files are still records of one id, which validate says.
    assert "path.clash" not in wanting(vault)


def test_letters_that_are_composed_in_two_ways(vault: Desk) -> None:
    vault.put("confirmed/caf\u00e9.md", MEMORY)
    vault.put("confirmed/cafe\u0301.md", MEMORY)
    problem = of_code(vault, "path.clash")
    vault.type(commands(problem)[0])
    assert "path.clash" not in wanting(vault)


def test_experience_that_clashes_keeps_its_names(vault: Desk) -> None:
    for folder in ("Atlas", "atlas"):
        vault.put(f"experience/{folder}/a.md", MEMORY)
    assert "keeps its names" in of_code(vault, "path.clash")["hint"]


def test_an_index_that_is_foreign_or_behind(vault: Desk) -> None:
    vault.ok("recall", "espresso")
    vault.put("confirmed/tea.md", MEMORY)
    assert "behind by 1 file" in of_code(vault, "index.behind")["message"]
    vault.type(commands(of_code(vault, "index.behind"))[0])
    assert noted(vault) == []
    place = vault.root / ".doll/cache/recall/index"
    place.write_bytes(place.read_bytes()[:-9])
    problem = of_code(vault, "index.unusable")
    vault.type(commands(problem)[0])
    assert "index.unusable" not in wanting(vault)


def test_a_cache_that_is_a_link(vault: Desk, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    shutil.rmtree(vault.root / ".doll", ignore_errors=True)
    (vault.root / ".doll").mkdir()
    (vault.root / ".doll/cache").symlink_to(tmp_path / "elsewhere")
    assert "cache.unused" in wanting(vault)


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


def test_an_index_of_git_that_is_damaged_hides_nothing_else(vault: Desk) -> None:
    vault.git("config", "pull.rebase", "true")
    (vault.root / ".git/index").write_bytes(b"DIRC")
    found = wanting(vault)
    assert "git.failed" in found
    assert "git.rebase" in found


def test_folders_that_may_not_be_written(vault: Desk, tmp_path: Path) -> None:
    user = ordinary(tmp_path)
    (vault.root / "confirmed").chmod(0o555)
    try:
        document = json.loads(user.doll("doctor", "--json", "--vault", "notes").stdout)
    finally:
        (vault.root / "confirmed").chmod(0o755)
    assert "vault.read_only" in [problem["code"] for problem in document["problems"]]
