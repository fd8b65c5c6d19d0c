"""`doll status` and `doll where`: what the vault holds, and what is not accepted yet."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk

ENTRY = (
    "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
    "summary: Locked\n---\n"
)


def front(text: str) -> str:
    return f"---\n{text}---\n"


def state(desk: Desk) -> Any:
    return desk.ok("status", "--json").json


def test_a_vault_with_nothing_to_say(desk: Desk) -> None:
    head = desk.git("rev-parse", "HEAD")
    assert desk.ok("status").out == f"{desk.root} on main at {head[:12]}\nholds 2 projects\n"
    assert state(desk) == {
        "schema": "doll.status/1",
        "root": str(desk.root),
        "id": "0f" * 16,
        "head": head,
        "accepted": head,
        "branch": "main",
        "on": "main",
        "obstacle": "",
        "counts": {"project": 2},
        "waiting": 0,
        "rejected": 0,
        "uncommitted": [],
        "unaccepted": [],
        "unsigned": [],
        "waiting_for": None,
        "unsure": [],
        "unreadable": [],
        "cache_fault": "",
        "leftovers": [],
        "not_checked_out": [],
        "watcher": {
            "state": "none",
            "process": 0,
            "mode": "",
            "files": 0,
            "looking": False,
            "silent": 0,
            "fault": "",
            "elsewhere": "",
            "again": "doll watch",
        },
    }


def test_what_it_holds_and_what_waits(desk: Desk) -> None:
    desk.put("confirmed/a.md", front("title: A\n"))
    desk.put("confirmed/b.md", front("title: B\n"))
    desk.put("authority/policies/p.md", front("effect: advise\n"))
    desk.put("experience/atlas/x.md", ENTRY)
    for name, more in (("a", ""), ("b", ""), ("c", "review: rejected\n"), ("d", "broken\n")):
        desk.put(f"staging/pam/x/{name}.md", front(f"schema: doll/memory/1\n{more}"))
    desk.put("staging/pam/x/_import.md", "no record\n")
    desk.put("staging/README.md", "no record\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "more")
    out = desk.ok("status").out.splitlines()
    assert out[1].startswith("holds 2 memories, 1 experience")
    assert out[1].endswith(", 2 projects, 1 policy")
    assert out[2] == "3 candidates in staging to review (1 rejected): doll review"
    assert out[3] == "not readable (1): doll validate"
    assert out[4].startswith("  staging/pam/x/d.md:3:1: error: ")
    found = state(desk)
    assert (found["waiting"], found["rejected"]) == (3, 1)
    assert found["counts"] == {"memory": 2, "experience": 1, "project": 2, "policy": 1}
    assert [p["path"] for p in found["unreadable"]] == ["staging/pam/x/d.md"]


def test_what_is_not_committed(desk: Desk) -> None:
    desk.put("confirmed/new.md", front("title: New\n"))
    desk.put("confirmed/not a record.txt", "x")
    desk.put("authority/policies/p.md", front("effect: deny\n"))
    desk.put("authority/projects/atlas.md", front("status: paused\n"))
    (desk.root / "authority/projects/garden.md").unlink()
    desk.put("doll.yaml", desk.read("doll.yaml") + "authority: {signed: required}\n")
    for add in (False, True):
        if add:
            desk.git("add", "-A")
        assert state(desk)["uncommitted"] == [
            {"path": "authority/policies/p.md", "what": "new"},
            {"path": "authority/projects/atlas.md", "what": "changed"},
            {"path": "authority/projects/garden.md", "what": "removed"},
            {"path": "confirmed/new.md", "what": "new"},
            {"path": "doll.yaml", "what": "changed"},
        ]
        out = desk.ok("status").out
        assert "not accepted until committed (3 changes of authority):\n" in out
        assert "  new     authority/policies/p.md\n" in out
        assert "  removed authority/projects/garden.md\n" in out
        assert "not committed (2):\n  new     confirmed/new.md\n  changed doll.yaml\n" in out
    desk.git("commit", "-qm", "all")
    assert "not committed" not in desk.ok("status").out


def test_a_comment_in_the_settings_is_no_change(desk: Desk) -> None:
    desk.put("doll.yaml", desk.read("doll.yaml") + "# a comment\n")
    assert state(desk)["uncommitted"] == []


def test_many_changes_are_counted_and_cut(desk: Desk) -> None:
    for number in range(25):
        desk.put(f"confirmed/m{number:02}.md", front("title: M\n"))
    out = desk.ok("status").out
    assert "not committed (25):" in out
    assert "  +5 more\n" in out
    assert len(state(desk)["uncommitted"]) == 25


def test_a_broken_record_is_reported_each_time(desk: Desk) -> None:
    desk.put("confirmed/a.md", "---\ntitle: a: b\nstatus: gone\n---\n")
    first = desk.ok("status").out
    assert "not readable (1): doll validate\n  confirmed/a.md:2:" in first
    assert desk.ok("status").out == first
    (desk.root / "confirmed/link.md").symlink_to("a.md")
    assert "not readable (2)" in desk.ok("status").out


def test_another_branch_a_detached_head_and_no_accepted_commit(desk: Desk) -> None:
    head = desk.git("rev-parse", "HEAD")
    desk.git("switch", "-qc", "feature")
    desk.put("confirmed/a.md", front("title: A\n"))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "a")
    said = f"{desk.root} on the branch feature; accepted is {head[:12]}, where it left main"
    assert desk.ok("status").out.splitlines()[0] == said
    found = state(desk)
    assert (found["head"], found["accepted"]) == (desk.git("rev-parse", "HEAD"), head)
    desk.git("switch", "-q", "--detach", "main")
    assert desk.ok("status").out.startswith(f"{desk.root} on no branch; accepted is")
    assert state(desk)["accepted"] == head
    desk.git("branch", "-D", "main")
    found = state(desk)
    assert (found["accepted"], found["branch"]) == (None, None)
    assert "'main' does not exist here" in found["obstacle"]
    assert "no accepted commit: " in desk.ok("status").out


def test_authority_that_is_committed_on_another_branch(desk: Desk) -> None:
    desk.git("switch", "-qc", "feature")
    assert state(desk)["unaccepted"] == []
    desk.put("authority/policies/p.md", front("effect: deny\n"))
    desk.put("authority/policies/README.md", "no record\n")
    desk.put("authority/projects/atlas.md", front("status: paused\n"))
    (desk.root / "authority/projects/garden.md").unlink()
    desk.put("confirmed/a.md", front("title: A\n"))
    desk.put("doll.yaml", desk.read("doll.yaml") + "# a comment\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "rules")
    found = state(desk)
    assert (found["on"], found["branch"], found["uncommitted"]) == ("feature", "main", [])
    assert found["unaccepted"] == [
        {"path": "authority/policies/p.md", "what": "new"},
        {"path": "authority/projects/atlas.md", "what": "changed"},
        {"path": "authority/projects/garden.md", "what": "removed"},
        {"path": "doll.yaml", "what": "changed"},
    ]
    out = desk.ok("status").out
    assert "committed, and not accepted until on main (4 changes of authority):\n" in out
    assert "  new     authority/policies/p.md\n" in out
    desk.git("switch", "-q", "main")
    desk.git("merge", "-q", "feature")
    assert state(desk)["unaccepted"] == []


def test_a_cache_that_is_not_used_is_named(desk: Desk) -> None:
    cache = desk.root / ".doll/cache"
    desk.ok("recall", "atlas")
    cache.rename(desk.root / ".doll/other")
    cache.symlink_to("other")
    said = "the cache is not used: cache is a symbolic link; doll index    says what to type\n"
    assert desk.ok("status").out.endswith(said)
    assert "symbolic link" in desk.ok("index").err
    cache.unlink()
    (desk.root / ".doll/other").rename(cache)
    desk.git("add", "-f", ".doll/cache")
    assert state(desk)["cache_fault"] == "it is tracked by git"
    mend = [line.strip() for line in desk.ok("index").err.splitlines() if "git rm" in line]
    desk.type(mend[0].partition(" && ")[0])
    desk.ok("index", "--rebuild")
    assert state(desk)["cache_fault"] == ""


def test_where(desk: Desk) -> None:
    head = desk.git("rev-parse", "HEAD")
    assert desk.ok("where").out == (
        f"{desk.root} (found by this folder)\n"
        f"  id {'0f' * 16}, branch main\n"
        f"  HEAD {head[:12]} of {desk.root}\n"
    )
    assert desk.at("authority").ok("where", "--path").out == f"{desk.root}\n"
    assert desk.ok("where", "--json").json == {
        "schema": "doll.where/1",
        "root": str(desk.root),
        "source": "this folder",
        "id": "0f" * 16,
        "branch": "main",
        "repository": str(desk.root),
        "head": head,
    }


@pytest.mark.parametrize("name", ["new\nline ", "\udcff", "\u202etxt"])
def test_the_folder_alone_is_printed_as_it_is_called(desk: Desk, tmp_path: Path, name: str) -> None:
    shutil.copytree(desk.root, tmp_path / name)
    there = desk.at(f"../{name}")
    printed = there.type(f"{sys.executable} -m doll where --path")
    assert os.fsencode(printed) == os.fsencode(tmp_path / name) + b"\n"
    shown = there.ok("where").out
    assert "\\u{" in shown
    assert shown.count("\n") == 3
