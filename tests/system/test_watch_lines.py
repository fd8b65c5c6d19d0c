"""What `doll watch` and `doll status` say to type: it leads to the vault that was named."""

import signal
from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk
from tests.ordinary import ordinary
from tests.recall_vault import memory
from tests.watcher import until, watching

pytestmark = pytest.mark.sampled(4)

NEW = memory("Espresso", "with cardamom")


@pytest.fixture
def elsewhere(desk: Desk) -> Desk:
    """A folder beside the vault `notes` that is in no vault."""
    (desk.root.parent / "elsewhere").mkdir()
    return desk.at("../elsewhere")


def fill(desk: Desk) -> None:
    """Commit 30 memories."""
    for number in range(30):
        desk.put(f"confirmed/n{number}.md", NEW)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "many")


def take_away(desk: Desk) -> None:
    """Remove them."""
    for number in range(30):
        (desk.root / f"confirmed/n{number}.md").unlink()


def lines(hint: str) -> list[str]:
    return [line.strip().partition("    ")[0] for line in hint.splitlines()]


def test_the_way_on_is_the_same_watch(desk: Desk, elsewhere: Desk) -> None:
    fill(desk)
    words = ("--vault", "../notes", "--sync", "10m")
    with watching(elsewhere.root, *words) as watcher:
        # Its first sync is over: the next to see that records are gone is the look.
        watcher.wait(lambda line: line["event"] == "sync")
        take_away(desk)
        fault = watcher.wait(lambda line: line["event"] == "fault" and "records" in line["message"])
    bring_back, allow = lines(fault["hint"])
    assert allow == f"doll watch --sync 10m --allow-mass-delete --vault {desk.root}"
    desk.put("confirmed/n1.md", "mine\n")
    elsewhere.type(bring_back)
    assert (desk.read("confirmed/n0.md"), desk.read("confirmed/n1.md")) == (NEW, "mine\n")
    take_away(desk)
    hint = desk.doll("watch", "--poll").err
    assert lines(hint)[-1] == "doll watch --poll --allow-mass-delete"


@pytest.mark.parametrize("by", ["--vault", "DOLL_VAULT"])
def test_status_names_the_vault(desk: Desk, elsewhere: Desk, by: str) -> None:
    words = ("--vault", "../notes") if by == "--vault" else ()
    asking = elsewhere if words else elsewhere.under(DOLL_VAULT="../notes")
    named = f" --vault {desk.root}"

    def last() -> str:
        return asking.ok("status", *words).out.splitlines()[-1]

    with watching(desk.root) as watcher:
        process = watcher.process.pid
        assert f"  doll status{named}    says what it sees" in asking.refused(6, "watch", *words)
        watcher.send(signal.SIGSTOP)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("doll.services.watching.standing._SILENT", -1.0)
            assert last().endswith(f": kill -KILL {process} && doll watch{named}")
        watcher.end(signal.SIGKILL)
        assert last().endswith(f": doll watch{named}")
    desk.put("confirmed/a.md", "---\ntitle: a: b\n---\n")
    assert f"not readable (1): doll validate{named}\n" in asking.ok("status", *words).out
    assert "--vault" not in desk.ok("status").out


def test_a_cache_that_may_not_be_read_keeps_nothing_from_being_checked(
    desk: Desk, tmp_path: Path
) -> None:
    user = ordinary(tmp_path)
    desk.ok("index")
    folder = desk.root / ".doll"
    folder.chmod(0)
    try:
        assert user.doll("validate", "--vault", "notes").returncode == 0
        with watching(desk.root, obeying=True) as watcher:
            notice = watcher.notice("may not be read")
            assert notice["hint"] == f"chmod u+rwx {folder}    if it is yours"
            desk.put("confirmed/a.md", "---\ntitle: a: b\n---\n")
            look = watcher.saw("confirmed/a.md", "new")
            assert [each["code"] for each in look["new"]] == ["yaml.syntax"]
            desk.put("confirmed/a.md", NEW)
            watcher.saw("confirmed/a.md", "changed")
            assert user.run("sh", "-c", lines(notice["hint"])[0]).returncode == 0
            until(lambda: _behind(desk) == [])
            assert [line["event"] for line in watcher.lines].count("notice") == 1
    finally:
        folder.chmod(0o755)


def _behind(desk: Desk) -> list[Any]:
    """Return what doctor says of an index that is not up to date."""
    problems = desk.doll("doctor", "--json").json["problems"]
    return [each for each in problems if each["code"].startswith(("index.", "cache."))]
