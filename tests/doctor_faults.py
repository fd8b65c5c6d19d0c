"""Faults that doctor is to find in a vault: how each comes about, and how many lines mend it."""

import os
import shutil
from collections.abc import Callable
from typing import NamedTuple

from tests.desk import Desk
from tests.gitbox import git

MEMORY = "---\ntitle: Espresso\n---\nNo sugar.\n"


def with_remote(desk: Desk) -> Desk:
    """Commit a memory in a vault, and give it a remote that has it all."""
    desk.put("confirmed/espresso.md", MEMORY)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "espresso")
    git(desk.root.parent, "init", "-q", "--bare", "-b", "main", "remote.git")
    desk.git("remote", "add", "origin", "../remote.git")
    desk.git("push", "-qu", "origin", "main")
    return desk


class Fault(NamedTuple):
    """A fault: how it comes about, what doctor calls it, how many of its lines mend it."""

    plant: Callable[[Desk], object]
    code: str
    lines: int = 1


def _git(*arguments: str) -> Callable[[Desk], str]:
    return lambda desk: desk.git(*arguments)


def lose_lines(desk: Desk) -> None:
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


def lock(name: str, hours: float) -> Callable[[Desk], None]:
    def plant(desk: Desk) -> None:
        desk.put(f".git/{name}", "")
        moment = (desk.root / ".git/HEAD").stat().st_mtime - hours * 3_600
        os.utime(desk.root / ".git" / name, (moment, moment))

    return plant


def merge_that_waits(desk: Desk) -> None:
    desk.git("switch", "-qc", "other")
    desk.put("confirmed/espresso.md", MEMORY + "Other.\n")
    desk.git("commit", "-qam", "other")
    desk.git("switch", "-q", "main")
    desk.put("confirmed/espresso.md", MEMORY + "Ours.\n")
    desk.git("commit", "-qam", "ours")
    git(desk.root, "merge", "-q", "other", code=1)


def _edited(desk: Desk) -> None:
    desk.put(f".git/doll/edits/{'0' * 64}-aabbccdd/espresso.md", "half a thought\n")


def _rescue(desk: Desk) -> None:
    other = desk.git("commit-tree", "-m", "other", "HEAD^{tree}")
    desk.git("update-ref", "refs/doll/rescue/20260820T143205Z", other)


def _most_missing(desk: Desk) -> None:
    for number in range(30):
        desk.put(f"confirmed/tea-{number}.md", MEMORY)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "teas")
    for number in range(25):
        (desk.root / f"confirmed/tea-{number}.md").unlink()


def _empty(desk: Desk) -> None:
    for folder in ("confirmed", "authority"):
        shutil.rmtree(desk.root / folder)


FAULTS: dict[str, Fault] = {
    "line endings": Fault(_git("config", "core.autocrlf", "true"), "git.line_endings"),
    "rebase": Fault(_git("config", "pull.rebase", "true"), "git.rebase"),
    "rebase of the branch": Fault(_git("config", "branch.main.rebase", "merges"), "git.rebase"),
    "case": Fault(_git("config", "core.ignoreCase", "true"), "git.case"),
    "hooks path": Fault(_git("config", "core.hooksPath", "nowhere"), "git.hooks_path"),
    "attributes": Fault(lose_lines, "vault.git_lines"),
    "skipped": Fault(
        _git("update-index", "--skip-worktree", "confirmed/espresso.md"), "git.skipped"
    ),
    "assumed": Fault(
        _git("update-index", "--assume-unchanged", "confirmed/espresso.md"), "git.assumed"
    ),
    "sparse": Fault(_git("sparse-checkout", "set", "--cone", "authority"), "git.sparse"),
    "ignored": Fault(_ignored, "git.ignored"),
    "branch": Fault(_git("switch", "-qc", "elsewhere", "--track"), "git.branch"),
    "detached": Fault(_git("switch", "-q", "--detach"), "git.branch"),
    "upstream": Fault(_git("branch", "-q", "--unset-upstream"), "git.upstream"),
    "merge": Fault(merge_that_waits, "git.underway", 3),
    "index lock": Fault(lock("index.lock", 3), "git.lock"),
    "lock of a ref": Fault(lock("refs/heads/main.lock", 50), "git.lock"),
    "clash": Fault(_clash, "path.clash"),
    "future": Fault(lambda desk: _touch(desk, 3), "clock.future_file"),
    "marker": Fault(lambda desk: (desk.root / "doll.yaml").unlink(), "vault.unusable"),
    "emptied": Fault(_empty, "vault.unusable"),
    "text": Fault(_edited, "state.edit", 3),
    "rescue": Fault(_rescue, "state.rescue", 2),
    "missing": Fault(_most_missing, "vault.missing"),
    "tracked": Fault(_git("add", "-f", ".doll/cache"), "vault.tracked"),
}
