"""`doll preflight --range A..B`: what commits change, judged by what was accepted before them."""

from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk, Result
from tests.gitbox import git, make

pytestmark = pytest.mark.sampled(4)

AS_OF = "2026-09-01T08:00:00Z"
DENY = "---\neffect: deny\nactions: db.drop\n---\n"
MAP = "actions:\n  - {paths: 'drops/**', actions: [db.drop]}\n"


@pytest.fixture
def ruled(desk: Desk) -> Desk:
    """A vault with a denial, and a map from paths to its action."""
    desk.put("authority/policies/no-drops.md", DENY)
    desk.put("doll.yaml", desk.read("doll.yaml") + MAP)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "rules")
    return desk


@pytest.fixture
def code(tmp_path: Path, ruled: Desk) -> Path:
    """A code repository with one commit on `main`, and a branch `topic` on top of it."""
    top = make(tmp_path / "code")
    git(top, "config", "doll.vault", str(ruled.root))
    git(top, "switch", "-qc", "topic")
    return top


def commit(top: Path, path: str, text: str | None, message: str = "change") -> None:
    place = top / path
    if text is None:
        place.unlink()
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    git(top, "add", "-A")
    git(top, "commit", "-qm", message)


def ask(desk: Desk, cwd: Path, text: str, *more: str, code: int | None = 0) -> Any:
    arguments = ("preflight", "--json", "--as-of", AS_OF, "--range", text, *more)
    return run(desk, cwd, *arguments, code=code).json


def run(desk: Desk, cwd: Path, *arguments: str, code: int | None = 0) -> Result:
    result = desk.at(str(cwd)).doll(*arguments)
    assert code is None or result.code == code, result.out + result.err
    return result


def test_a_range_of_another_repository_is_judged_by_the_vault(ruled: Desk, code: Path) -> None:
    commit(code, "src/a.py", "x")
    found = ask(ruled, code, "main..topic", "--project", "atlas")
    assert (found["status"], found["request"]["paths"]) == ("clear", ["src/a.py"])
    commit(code, "drops/1.sql", "x")
    found = ask(ruled, code, "main..topic", "--project", "atlas", code=1)
    assert (found["status"], found["request"]["actions"]) == ("blocked", ["db.drop"])
    assert found["request"]["range"] == "..".join(
        git(code, "rev-parse", name).strip() for name in ("main", "topic")
    )
    assert found["accepted_commit"] == ruled.git("rev-parse", "HEAD").strip()


def test_a_rename_counts_with_both_paths(ruled: Desk, code: Path) -> None:
    git(code, "switch", "-q", "main")
    commit(code, "drops/1.sql", "the same text\n" * 20)
    git(code, "switch", "-qC", "topic")
    git(code, "mv", "drops/1.sql", "kept.sql")
    git(code, "commit", "-qm", "move")
    found = ask(ruled, code, "main..", "--project", "atlas", code=1)
    assert found["request"]["paths"] == ["drops/1.sql", "kept.sql"]
    assert found["status"] == "blocked"


def test_what_main_did_meanwhile_is_not_the_ranges(ruled: Desk, code: Path) -> None:
    commit(code, "src/a.py", "x")
    git(code, "switch", "-q", "main")
    commit(code, "drops/1.sql", "x")
    found = ask(ruled, code, "main..topic", "--project", "atlas")
    assert found["request"]["paths"] == ["src/a.py"]
    git(code, "switch", "-q", "topic")
    git(code, "merge", "-q", "--no-edit", "main")
    assert ask(ruled, code, "main..", "--project", "atlas")["request"]["paths"] == ["src/a.py"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("edit", "changed by"),
        ("remove", "removed by"),
        ("add", "added by"),
        ("map", "changed by"),
    ],
)
def test_rules_that_a_range_of_the_vault_changes_are_named_and_do_not_count(
    ruled: Desk, change: str, said: str
) -> None:
    base = ruled.git("rev-parse", "HEAD").strip()
    path, text = {
        "edit": ("authority/policies/no-drops.md", DENY.replace("deny", "advise")),
        "remove": ("authority/policies/no-drops.md", None),
        "add": ("authority/policies/never.md", "---\neffect: deny\n---\n"),
        "map": ("doll.yaml", ruled.read("doll.yaml").replace("drops/**", "nothing/**")),
    }[change]
    commit(ruled.root, path, text)
    short = ruled.git("rev-parse", "HEAD").strip()[:12]
    commit(ruled.root, "drops/1.sql", "x")
    found = ask(ruled, ruled.root, f"{base}..HEAD", "--action", "db.drop", code=1)
    assert (found["status"], found["accepted_commit"]) == ("blocked", base)
    assert found["request"]["actions"] == ["db.drop"]
    assert [(n["code"], n["path"], n["message"]) for n in found["notes"]] == [
        ("authority.not_committed", path, f"{said} {short}; push that commit first")
    ]
    after = ask(ruled, ruled.root, "HEAD..HEAD", "--action", "db.drop", code=None)
    assert (after["status"] == "blocked") is (change in ("add", "map"))


def test_a_change_that_the_range_takes_back_is_named_all_the_same(ruled: Desk) -> None:
    path = "authority/policies/no-drops.md"
    base = ruled.git("rev-parse", "HEAD").strip()
    commit(ruled.root, path, None)
    commit(ruled.root, path, DENY)
    (note,) = ask(ruled, ruled.root, f"{base}..")["notes"]
    assert note["message"].startswith("added by ")


def test_a_merge_names_only_what_it_changes_itself(ruled: Desk) -> None:
    base = ruled.git("rev-parse", "HEAD").strip()
    ruled.git("switch", "-qc", "side")
    commit(ruled.root, "confirmed/a.md", "---\ntitle: a\n---\n")
    ruled.git("switch", "-q", "-")
    commit(ruled.root, "confirmed/b.md", "---\ntitle: b\n---\n")
    ruled.git("merge", "-q", "--no-commit", "--no-ff", "side")
    commit(ruled.root, "authority/policies/no-drops.md", None, "merge, and one thing more")
    short = ruled.git("rev-parse", "HEAD").strip()[:12]
    (note,) = ask(ruled, ruled.root, f"{base}..")["notes"]
    assert note["message"] == f"removed by {short}; push that commit first"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("main", "is not A..B"),
        ("main...topic", "is not A..B"),
        ("main..topic..main", "is not A..B"),
        ("..", "is not A..B"),
        ("^main..topic", "'^main' names no commit here"),
        ("main..^HEAD", "'^HEAD' names no commit here"),
        ("nothing..topic", "names no commit here"),
        ("main..no such", "names no commit here"),
        ("--output=x..main", "names no commit here"),
    ],
)
def test_what_is_no_range(ruled: Desk, code: Path, text: str, said: str) -> None:
    result = run(ruled, code, "preflight", "--range", text, code=2)
    assert said in result.err
    assert "\n  " in result.err  # what to type
    assert sorted(place.name for place in code.iterdir()) == [".git", "README"]


def test_a_range_needs_a_repository_and_stands_alone(ruled: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    arguments = ("preflight", "--range", "a..b", "--vault", str(ruled.root))
    assert "in no git repository" in run(ruled, outside, *arguments, code=2).err
    both = run(ruled, ruled.root, "preflight", "--staged", "--range", "a..b", code=2)
    assert "two questions" in both.err


def test_histories_that_share_nothing(ruled: Desk, code: Path) -> None:
    git(code, "switch", "-q", "--orphan", "other")
    commit(code, "x", "x")
    assert "share no history" in run(ruled, code, "preflight", "--range", "main..other", code=2).err


def test_a_shallow_clone_says_so(ruled: Desk, code: Path, tmp_path: Path) -> None:
    commit(code, "src/a.py", "x")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{code}", "shallow")
    shallow = tmp_path / "shallow"
    said = run(ruled, shallow, "preflight", "--range", "HEAD~1..HEAD", code=2).err
    assert "the clone is shallow" in said
