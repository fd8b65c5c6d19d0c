"""`doll review` on a terminal with odd text, odd answers, and files that change meanwhile."""

import os
import signal
from collections.abc import Iterator

import pytest

from tests.foreign_desk import ForeignDesk, three
from tests.pam_documents import Json
from tests.system.test_review_session import Terminal

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

pexpect = pytest.importorskip("pexpect")

REASON = "not rejected): "


@pytest.fixture
def candidates(desk: ForeignDesk) -> list[Json]:
    made = desk.committed(three(), "--name", "mine")
    return sorted(made, key=lambda each: each["path"])


@pytest.fixture
def terminal(desk: ForeignDesk, candidates: list[Json]) -> Iterator[Terminal]:
    opened = Terminal(desk)
    yield opened
    opened.child.close(force=True)


@pytest.mark.parametrize("how", ["end", "interrupt"])
def test_an_end_in_place_of_a_reason_rejects_nothing(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal, how: str
) -> None:
    terminal.question()
    terminal.answer("a")
    terminal.question()
    terminal.answer("r")
    terminal.child.expect_exact(REASON)
    terminal.child.sendeof() if how == "end" else terminal.child.send("\x03")
    said = terminal.end()
    assert "1 approved, 0 rejected, 0 skipped; 2 candidates left to review" in said
    assert terminal.child.exitstatus == (0 if how == "end" else 130)
    states = [each["state"] for each in desk.review("list")["candidates"]]
    assert states == ["open", "open"]
    assert [line[:2] for line in desk.status()] == ["R "]


@pytest.mark.parametrize("key", ["a", "r", "d"])
def test_a_file_that_is_gone_meanwhile(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal, key: str
) -> None:
    terminal.question()
    (desk.root / candidates[0]["path"]).unlink()
    terminal.answer(key)
    if key == "r":
        terminal.child.expect_exact(REASON)
        terminal.answer("gone")
    assert "there is no candidate" in terminal.question()
    terminal.answer("s")
    terminal.question()
    terminal.answer("q")
    assert "0 approved, 0 rejected, 1 skipped" in terminal.end()
    assert desk.status() == [f" D {candidates[0]['path']}".strip()]


@pytest.mark.parametrize("key", ["a", "r"])
def test_a_file_that_changed_meanwhile_is_neither_approved_nor_rejected(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal, key: str
) -> None:
    terminal.question()
    path = candidates[0]["path"]
    desk.put(path, desk.read(path) + "slipped in\n")
    terminal.answer(key)
    if key == "r":
        terminal.child.expect_exact(REASON)
        terminal.answer("no")
    said = terminal.question()
    assert "its bytes have the digest" in said
    assert "slipped in" in said.partition("this is what it says now:")[2]
    desk.git("commit", "-qam", "it says more")
    terminal.answer("a")
    assert "--- 2 of 3 ---" in terminal.question()
    terminal.answer("q")
    assert "1 approved, 0 rejected" in terminal.end()


def test_a_terminal_that_is_closed_ends_it_by_its_signal(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal
) -> None:
    terminal.question()
    child = terminal.child
    child.ptyproc.fileobj.close()
    _, status = os.waitpid(child.pid, 0)
    child.closed = child.ptyproc.closed = child.ptyproc.terminated = True
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP
    assert [each["state"] for each in desk.review("list")["candidates"]] == ["open"] * 3


def test_one_that_is_approved_elsewhere_meanwhile(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal
) -> None:
    terminal.question()
    desk.approve(candidates[0], "--commit")
    terminal.answer("a")
    assert "it is approved already" in terminal.question()
    terminal.answer("s")
    assert "--- 2 of 3 ---" in terminal.question()
    terminal.answer("q")
    terminal.end()


def test_bytes_that_are_no_text_answer_nothing(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal
) -> None:
    terminal.question()
    terminal.child.setecho(False)
    os.write(terminal.child.child_fd, b"\xff\xfea\n")
    assert "answer with one of the letters" in terminal.question()
    terminal.answer("r")
    terminal.child.expect_exact(REASON)
    os.write(terminal.child.child_fd, b"no \xff\n")
    assert "not UTF-8" in terminal.question()
    terminal.answer("q")
    assert "0 approved, 0 rejected" in terminal.end()
    assert desk.status() == []


def test_text_of_every_length_and_kind_is_shown_whole(desk: ForeignDesk) -> None:
    lines = [f"line {number}" for number in range(5_000)]
    body = "\n".join(["漢字" * 3_000, "a\u202eb\u200bc\u2066d\ufeff\x85e\x1b[2K", *lines])
    text = f"---\nschema: doll/memory/1\norigin: model\ntitle: Odd\n---\n{body}\n"
    path = "staging/proposals/odd-0a1b2c3d.md"
    desk.put(path, text)
    desk.git("add", path)
    desk.git("commit", "-qm", "odd")
    terminal = Terminal(desk)
    terminal.child.setwinsize(5, 10)
    shown = terminal.question().replace("\r\n", "\n")
    assert f"| {'漢字' * 3_000}\n" in shown
    assert "| a\\u{202e}b\\u{200b}c\\u{2066}d\\u{feff}\\u{85}e\\u{1b}[2K\n" in shown
    assert "\n".join(f"| {line}" for line in lines) in shown
    terminal.child.setwinsize(60, 200)
    terminal.answer("a")
    assert "1 approved" in terminal.end()
