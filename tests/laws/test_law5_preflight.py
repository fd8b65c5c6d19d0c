"""Law 5: preflight is a deterministic read model of what is accepted.

The same vault, request and moment give the same bytes, whatever the order of a directory, the
process, the zone, the locale, the folder or the cache. What is not committed on the vault's branch
has no effect in either direction, and is named. What cannot be read is never clear.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk
from tests.gitbox import git, put

AS_OF = ("--as-of", "2026-09-20T12:00:00Z")
REQUESTS = (
    ("--project", "atlas", "--action", "db.migrate", "--path", "migrations/1.sql"),
    ("--project", "atlas", "--action", "db.migrate.online"),
    ("--project", "garden", "--path", "firmware/releases/2.bin", "--path", "x"),
    ("--work-item", "atlas-partition-orders"),
    ("--draft", "--project", "atlas"),
    (),
)


def asked(desk: Desk, *more: str) -> list[str]:
    return [desk.doll("preflight", "--json", *AS_OF, *request, *more).out for request in REQUESTS]


@pytest.fixture
def lively(example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """The example vault with changes of every kind, so that there is an order to get wrong."""
    shutil.copytree(example, tmp_path / "notes")
    desk = Desk(tmp_path / "notes", capsys)
    for number in range(12):
        name = f"20260820T14{number:02}00Z-attempt-locked-k3v9q2xw{number:02}"
        text = (
            "---\nproject: atlas\nkind: attempt\nassertion: model_proposed\norigin: model\n"
            "at: 2026-08-20T14:32:05Z\nsummary: Again\noutcome: failed\nactions: db.migrate\n"
            "evidence: [b, a]\n---\n"
        )
        desk.put(f"experience/atlas/{name}.md", text if number % 4 else text.replace("at:", "at"))
        desk.put(f"authority/policies/p{number}.md", "---\neffect: advise\n---\n")
    desk.git("add", "experience")
    desk.put("authority/policies/no-online-migrations.md", "---\nbroken\n")
    (desk.root / "authority/decisions/atlas-one-database.md").unlink()
    return desk


@contextmanager
def shuffled(seed: int) -> Iterator[None]:
    """Have every folder listed in an order of its own."""
    scan, listing, chance = os.scandir, os.listdir, random.Random(seed)

    class Scanned:
        def __init__(self, path: Any = ".") -> None:
            with scan(path) as found:
                self._found = list(found)
            chance.shuffle(self._found)

        def __enter__(self) -> Iterator[Any]:
            return iter(self._found)

        def __exit__(self, *_: object) -> None:
            pass

        def __iter__(self) -> Iterator[Any]:
            return iter(self._found)

        def __next__(self) -> Any:
            if not self._found:
                raise StopIteration
            return self._found.pop()

        def close(self) -> None:
            pass

    def listed(path: Any = ".") -> list[Any]:
        names = listing(path)
        chance.shuffle(names)
        return names

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "scandir", Scanned)
        patch.setattr(os, "listdir", listed)
        yield


def test_the_order_of_directories_and_the_cache(lively: Desk) -> None:
    cache = lively.root / ".doll/cache"
    expected = asked(lively)
    statuses = [line for text in expected for line in text.splitlines() if '  "status"' in line]
    assert len(set(statuses)) >= 4
    assert cache.is_dir()
    assert asked(lively) == expected
    for seed in range(2):
        shutil.rmtree(cache)
        with shuffled(seed):
            assert asked(lively) == expected
    for place in cache.rglob("*"):
        if place.is_file():
            place.write_bytes(b"garbage")
    assert asked(lively) == expected


def test_the_order_in_which_the_files_were_made(lively: Desk) -> None:
    expected = asked(lively)
    other = lively.root.with_name("other place")
    places = [place for place in lively.root.rglob("*") if place.is_file()]
    random.Random(5).shuffle(places)
    for place in places:
        target = other / place.relative_to(lively.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(place, target)
    assert asked(lively.at("../other place")) == expected


DOLL = (sys.executable, "-m", "doll")
PROCESSES = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8"},
    {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LC_ALL": "tr_TR", "COLUMNS": "20"},
)


@pytest.mark.parametrize("number", range(len(PROCESSES)))
def test_the_process_the_zone_the_locale_and_the_folder(lively: Desk, number: int) -> None:
    request = REQUESTS[0]
    expected = lively.doll("preflight", "--json", *AS_OF, *request).out
    for folder in ("confirmed", ".."):
        done = subprocess.run(
            [*DOLL, "preflight", "--json", *AS_OF, *request, "--vault", str(lively.root)],
            cwd=lively.root / folder,
            env=os.environ | PROCESSES[number],
            capture_output=True,
            check=False,
        )
        assert done.stdout.decode() == expected, done.stderr


def commit(desk: Desk, message: str = "more") -> None:
    desk.git("add", "-A")
    desk.git("commit", "-qm", message)


DENY = "---\neffect: deny\nactions: db.migrate\n---\n"
POLICY = "authority/policies/no.md"
MAP = "actions:\n  - paths: migrations/**\n    actions: [db.migrate]\n"
BY_ACTION = ("--action", "db.migrate")
BY_PATH = ("--path", "migrations/1.sql")


@pytest.fixture
def ruled(desk: Desk) -> Desk:
    """A vault that denies an action, and a map that gives it."""
    desk.put(POLICY, DENY)
    desk.put("doll.yaml", desk.read("doll.yaml") + MAP)
    commit(desk, "rule")
    return desk


def report(desk: Desk, *request: str, code: int) -> Any:
    result = desk.doll("preflight", "--json", *AS_OF, *request)
    assert result.code == code, result.out
    assert result.json["authorizes"] is False
    return result.json


def answer(desk: Desk, *request: str, code: int = 1) -> dict[str, Any]:
    """Return what the report says, without what is pending and which commit it was."""
    found = report(desk, *request, code=code)
    return {key: found[key] for key in ("status", "findings", "problems", "complete", "request")}


def _link(place: Path) -> None:
    place.unlink()
    place.symlink_to("/dev/null")


def _edit(place: Path, old: str, new: str) -> None:
    assert old in place.read_text()
    place.write_text(place.read_text().replace(old, new))


Change = Callable[[Path], object]
CHANGES: dict[str, tuple[str, Change]] = {
    "a policy disabled": (POLICY, lambda place: place.write_text(DENY.replace("deny", "advise"))),
    "a policy broken": (POLICY, lambda place: place.write_text("---\neffect: [deny\n")),
    "a policy emptied": (POLICY, lambda place: place.write_bytes(b"")),
    "a policy deleted": (POLICY, Path.unlink),
    "a policy renamed": (POLICY, lambda place: place.rename(place.with_name("_no.md"))),
    "a policy linked": (POLICY, _link),
    "settings without the map": ("doll.yaml", lambda place: _edit(place, MAP, "")),
    "settings of another branch": ("doll.yaml", lambda place: _edit(place, "main", "feature")),
    "settings broken": ("doll.yaml", lambda place: place.write_text("format: [")),
    "settings of a newer doll": ("doll.yaml", lambda place: _edit(place, "at: 1", "at: 2")),
    "settings deleted": ("doll.yaml", Path.unlink),
    "settings linked": ("doll.yaml", _link),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_in_the_work_tree_changes_nothing_and_is_named(ruled: Desk, name: str) -> None:
    before = answer(ruled, *BY_ACTION), answer(ruled, *BY_PATH)
    assert before[0]["status"] == "blocked"
    path, change = CHANGES[name]
    change(ruled.root / path)
    for _ in ("in the work tree", "staged"):
        assert (answer(ruled, *BY_ACTION), answer(ruled, *BY_PATH)) == before
        ruled.git("add", "-A")
    notes = report(ruled, *BY_ACTION, code=1)["notes"]
    assert path in {n["path"] for n in notes if n["code"] == "authority.not_committed"}
    assert f"note: {path}: " in ruled.doll("preflight", *BY_ACTION).out


def test_a_new_rule_has_no_effect_until_it_is_committed(ruled: Desk) -> None:
    new = "authority/policies/never.md"
    ruled.put(new, "---\neffect: deny\nactions: garden.water\n---\n")
    for add in (False, True):
        if add:
            ruled.git("add", "-A")
        found = report(ruled, "--action", "garden.water", code=0)
        assert found["status"] == "clear"
        pending = [n for n in found["notes"] if n["code"] == "authority.not_committed"]
        assert [(n["path"], n["message"]) for n in pending] == [
            (new, "new in the work tree, not committed")
        ]
    draft = report(ruled, "--action", "garden.water", "--draft", code=1)
    assert (draft["status"], draft["draft"]) == ("blocked", True)
    assert "DRAFT" in ruled.doll("preflight", "--action", "garden.water", "--draft").out
    ruled.git("commit", "-qm", "never")
    assert report(ruled, "--action", "garden.water", code=1)["status"] == "blocked"


def test_clear_authorizes_nothing(ruled: Desk) -> None:
    found = report(ruled, "--action", "garden.water", code=0)
    assert (found["status"], found["complete"], found["draft"]) == ("clear", True, False)
    text = ruled.ok("preflight", "--action", "garden.water").out
    assert text.startswith("clear: ")
    assert "This grants nothing" in text


BROKEN = {
    "syntax": "---\neffect: [deny\n---\n",
    "no front matter": "deny\n",
    "a missing field": "---\ntitle: X\n---\n",
    "a misspelt field": "---\neffect: advise\nprojets: garden\n---\n",
    "a reference": "---\neffect: advise\nprojects: nobody\n---\n",
    "bytes": "---\neffect: advise\ntitle: \udcff\n---\n",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_at_head_is_not_checked(ruled: Desk, name: str) -> None:
    data = BROKEN[name].encode("utf-8", "surrogateescape")
    (ruled.root / "authority/policies/broken.md").write_bytes(data)
    commit(ruled)
    for request in (("--action", "garden.water"), ("--project", "garden"), ()):
        found = report(ruled, *request, code=3)
        assert (found["status"], found["complete"]) == ("not_checked", False)
        assert {p["path"] for p in found["problems"]} == {"authority/policies/broken.md"}
    found = report(ruled, *BY_ACTION, code=1)
    assert (found["status"], found["complete"]) == ("blocked", False)
    # Mending it in the work tree is a change that is not accepted.
    ruled.put("authority/policies/broken.md", "---\neffect: advise\n---\n")
    assert report(ruled, "--action", "garden.water", code=3)["status"] == "not_checked"
    commit(ruled)
    assert report(ruled, "--action", "garden.water", code=0)["complete"] is True


def test_settings_that_cannot_be_read_at_head(ruled: Desk) -> None:
    text = ruled.read("doll.yaml")
    ruled.git("config", "doll.branch", "main")
    ruled.put("doll.yaml", text + "autority: x\n")
    commit(ruled)
    ruled.put("doll.yaml", text)
    found = report(ruled, *BY_PATH, code=3)
    assert [(p["path"], p["code"]) for p in found["problems"]] == [
        ("doll.yaml", "settings.unknown")
    ]
    assert report(ruled, *BY_ACTION, code=1)["status"] == "blocked"
    ruled.put("doll.yaml", text.replace("format: 1", "format: 2"))
    commit(ruled)
    ruled.put("doll.yaml", text)
    found = report(ruled, *BY_ACTION, code=3)
    assert "update doll" in str(found["problems"])


def branch_off(desk: Desk, name: str = "feature") -> None:
    desk.git("switch", "-qc", name)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("pinned", [True, False])
@pytest.mark.parametrize("head", ["on the branch", "detached", "merged"])
def test_a_feature_branch_lifts_no_block(ruled: Desk, pinned: bool, head: str) -> None:
    if pinned:
        ruled.git("config", "doll.branch", "main")
    before = answer(ruled, *BY_ACTION), answer(ruled, *BY_PATH)
    accepted = ruled.git("rev-parse", "HEAD")
    branch_off(ruled)
    ruled.put(POLICY, DENY.replace("deny", "advise"))
    _edit(ruled.root / "doll.yaml", MAP, "")
    ruled.put("authority/policies/new.md", "---\neffect: deny\n---\n")
    commit(ruled, "lift")
    if head == "detached":
        ruled.git("switch", "-q", "--detach")
    elif head == "merged":
        ruled.git("switch", "-q", "main")
        ruled.put("confirmed/x.md", "---\ntitle: X\n---\n")
        commit(ruled, "goes on")
        accepted = ruled.git("rev-parse", "HEAD")
        ruled.git("switch", "-q", "feature")
        ruled.git("merge", "-q", "main", "-m", "merge")
    found = report(ruled, *BY_ACTION, code=1)
    assert (answer(ruled, *BY_ACTION), answer(ruled, *BY_PATH)) == before
    assert found["accepted_commit"] == accepted
    assert found["head"] == ruled.git("rev-parse", "HEAD") != accepted
    assert {(n["path"], n["message"]) for n in found["notes"]} == {
        (POLICY, "changed here; the text on the branch main counts"),
        ("authority/policies/new.md", "new here, and not on the branch main"),
        ("doll.yaml", "changed here; the text on the branch main counts"),
    }
    assert f"; accepted is {accepted[:12]}" in ruled.ok("status").out


@pytest.mark.parametrize("cloned", [False, True])
def test_a_feature_branch_cannot_name_itself_the_vaults(
    ruled: Desk, cloned: bool, tmp_path: Path
) -> None:
    branch_off(ruled)
    ruled.put(POLICY, DENY.replace("deny", "advise"))
    _edit(ruled.root / "doll.yaml", "branch: main", "branch: feature")
    commit(ruled, "lift")
    desk = ruled
    if cloned:
        git(tmp_path, "clone", "-q", "-b", "feature", "notes", "clone")
        desk = ruled.at("../clone")
    assert report(desk, *BY_ACTION, code=1)["status"] == "blocked"
    desk.git("config", "doll.branch", "feature")  # the user may well mean it
    assert report(desk, *BY_ACTION, code=0)["status"] == "warning"


def test_a_branch_of_another_history_that_names_itself_is_the_users_to_judge(ruled: Desk) -> None:
    tree = ruled.git("write-tree")
    ruled.git("branch", "feature", ruled.git("commit-tree", "-m", "anew", tree))
    ruled.git("switch", "-q", "feature")
    ruled.put(POLICY, DENY.replace("deny", "advise"))
    _edit(ruled.root / "doll.yaml", "branch: main", "branch: feature")
    commit(ruled, "lift")
    (problem,) = report(ruled, *BY_ACTION, code=3)["problems"]
    assert "the branches feature and main each say" in problem["message"]
    ruled.type(problem["hint"].splitlines()[1])
    (problem,) = report(ruled, *BY_ACTION, code=3)["problems"]
    ruled.type(problem["hint"])
    assert report(ruled, *BY_ACTION, code=1)["status"] == "blocked"


def test_a_pinned_branch_is_not_asked_of_anybody(ruled: Desk) -> None:
    ruled.git("config", "doll.branch", "main")
    before = answer(ruled, *BY_ACTION)
    branch_off(ruled)
    ruled.put(POLICY, DENY.replace("deny", "advise"))
    _edit(ruled.root / "doll.yaml", "branch: main", "branch: feature")
    commit(ruled, "lift")
    assert answer(ruled, *BY_ACTION) == before


def test_a_branch_that_takes_over_by_the_users_will(ruled: Desk) -> None:
    ruled.git("branch", "-m", "main", "trunk")
    assert report(ruled, *BY_ACTION, code=3)["status"] == "not_checked"
    _edit(ruled.root / "doll.yaml", "branch: main", "branch: trunk")
    commit(ruled)
    ruled.git("branch", "backup", "HEAD^")
    assert report(ruled, *BY_ACTION, code=1)["status"] == "blocked"


def test_a_clone_knows_the_branch_of_its_origin(ruled: Desk, tmp_path: Path) -> None:
    branch_off(ruled)
    ruled.git("rm", "-q", POLICY)
    ruled.git("commit", "-qm", "lift")
    git(tmp_path, "clone", "-q", "-b", "feature", "notes", "clone")
    clone = ruled.at("../clone")
    assert clone.git("branch", "--format=%(refname:short)") == "feature"
    assert report(clone, *BY_ACTION, code=1)["status"] == "blocked"
    git(
        tmp_path, "clone", "-q", "-b", "feature", "--depth", "1", f"file://{tmp_path}/notes", "part"
    )
    assert report(ruled.at("../part"), *BY_ACTION, code=3)["status"] == "not_checked"


def test_a_history_of_its_own_is_not_checked(ruled: Desk) -> None:
    ruled.git("switch", "-q", "--orphan", "other")
    ruled.git("restore", "--source=main", "--staged", "--worktree", "--", ".")
    ruled.git("rm", "-qf", POLICY)
    ruled.git("commit", "-qm", "start anew")
    found = report(ruled, *BY_ACTION, code=3)
    assert "shares no history" in found["problems"][0]["message"]


def test_a_vault_that_begins_on_a_feature_branch(tmp_path: Path, desk: Desk) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "code")
    put(tmp_path, "code/README", "x")
    git(tmp_path / "code", "add", "-A")
    git(tmp_path / "code", "commit", "-qm", "first")
    git(tmp_path / "code", "switch", "-qc", "feature")
    shutil.copytree(desk.root, tmp_path / "code/notes", ignore=shutil.ignore_patterns(".git"))
    git(tmp_path / "code", "add", "-A")
    git(tmp_path / "code", "commit", "-qm", "a vault")
    found = report(desk.at("../code/notes"), *BY_ACTION, code=3)
    assert "is not committed on the vault's branch" in found["problems"][0]["message"]


def test_experience_of_a_project_whatever_its_folder_is_called(ruled: Desk) -> None:
    text = (
        "---\nproject: Atlas\nkind: attempt\nassertion: user_recorded\n"
        "at: 2026-08-20T14:32:05Z\nsummary: Locked\noutcome: failed\nactions: x.y\n---\n"
    )
    ruled.put("experience/ATLAS/a.md", text)
    commit(ruled)
    ask = ("--project", "atlas", "--action", "x.y")
    before = answer(ruled, *ask, code=0)
    assert before["status"] == "warning"
    shutil.rmtree(ruled.root / "experience/ATLAS")
    assert answer(ruled, *ask, code=0) == before


def test_an_alias_leads_nowhere_outside(ruled: Desk) -> None:
    _edit(
        ruled.root / "authority/projects/atlas.md", "status", "aliases: [../authority, ..]\nstatus"
    )
    commit(ruled)
    found = ruled.doll("preflight", "--project", "atlas", *BY_ACTION, "--json")
    assert found.code in (1, 3)
    assert "Traceback" not in found.err


def test_a_link_in_place_of_an_authority_folder_is_never_clear(ruled: Desk) -> None:
    folder = ruled.root / "authority" / "policies"
    folder.rename(ruled.root / "rules")
    folder.symlink_to("../rules")
    commit(ruled)
    asked = ruled.doll("preflight", "--project", "atlas", *BY_ACTION, "--json")
    assert (asked.code, asked.json["status"]) == (3, "not_checked")
    assert [problem["code"] for problem in asked.json["problems"]] == ["file.symlink"]
