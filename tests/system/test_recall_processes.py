"""Several processes at once, and killed ones: one builds, all answer alike, nothing breaks."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from doll.reconcile.building import building
from tests.desk import Desk
from tests.recall_vault import agrees, ids, memory

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

COMMAND = [sys.executable, "-m", "doll", "recall", "espresso", "--json", "--as-of"]
AT = "2026-08-20T12:00:00Z"


def _start(root: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*COMMAND, AT], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    )


def _fill(desk: Desk, number: int) -> None:
    for n in range(number):
        body = " ".join(f"word{n * 7 + i}" for i in range(40))
        desk.put(f"confirmed/m{n:04}.md", memory(f"Espresso {n}", body))


def _together(desk: Desk, number: int) -> None:
    running = [_start(desk.root) for _ in range(number)]
    answers = []
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert err == b""
        answers.append(out)
    assert len(set(answers)) == 1
    assert agrees(desk.root)


def test_first_recalls_at_once(desk: Desk) -> None:
    _fill(desk, 300)
    _together(desk, 6)


@pytest.mark.soak
def test_thirty_first_recalls_at_once(desk: Desk) -> None:
    _fill(desk, 3000)
    _together(desk, 30)


@pytest.mark.parametrize(
    "delay", [0.5, *(pytest.param(each, marks=pytest.mark.soak) for each in (0.2, 0.9))]
)
def test_killed_while_it_builds(desk: Desk, delay: float) -> None:
    _fill(desk, 800)
    process = _start(desk.root)
    time.sleep(delay)
    process.kill()
    process.communicate()
    assert len(ids(desk.root, "espresso")) == 800
    assert agrees(desk.root)
    assert not list((desk.root / "confirmed").glob(".*"))


def test_a_busy_builder_is_not_waited_for_over_a_few_files(desk: Desk) -> None:
    _fill(desk, 20)
    with building(desk.root / ".git" / "doll", 0) as alone:
        assert alone
        assert len(ids(desk.root, "espresso")) == 20
        assert not (desk.root / ".doll" / "cache" / "recall").exists()
    assert len(ids(desk.root, "espresso")) == 20
    assert (desk.root / ".doll" / "cache" / "recall" / "index").exists()


def test_rebuilding_while_another_builds_is_busy(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doll.reconcile.refreshing.PATIENCE", 0.1)
    _fill(desk, 2)
    with building(desk.root / ".git" / "doll", 0):
        assert "index.lock" in desk.refused(6, "index", "--rebuild")
    assert "2 records searchable" in desk.ok("index", "--rebuild").out


def test_where_no_lock_can_be_made_the_answer_is_the_same(desk: Desk) -> None:
    _fill(desk, 5)
    (desk.root / ".git" / "doll").write_text("a file in the way")
    assert len(ids(desk.root, "espresso")) == 5
    said = desk.refused(74, "index", "--rebuild")
    assert "index.lock cannot be had: " in said
    assert "another doll process" not in said
