"""`doll review` on a terminal: one at a time, whole, and nothing by accident."""

import os
import re
import sys
from collections.abc import Iterator

import pytest

from tests.foreign_desk import ForeignDesk, three
from tests.pam_documents import Json, memory, store

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

pexpect = pytest.importorskip("pexpect")

QUESTION = "[a,r,d,s,q,?]? "


class Terminal:
    """A person at a terminal in which `doll review` runs."""

    def __init__(self, desk: ForeignDesk, **variables: str) -> None:
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "doll", "review"],
            cwd=str(desk.root),
            env=os.environ | variables,
            timeout=30,
            encoding="utf-8",
            dimensions=(50, 200),
        )

    def question(self) -> str:
        """Wait for the question, and return what stood before it."""
        self.child.expect_exact(QUESTION)
        return str(self.child.before)

    def answer(self, text: str) -> None:
        """Type a line."""
        self.child.sendline(text)

    def end(self) -> str:
        """Wait for the end, and return what was said after the last answer."""
        self.child.expect(pexpect.EOF)
        said = str(self.child.before)
        self.child.close()
        return said


@pytest.fixture
def candidates(desk: ForeignDesk) -> list[Json]:
    made = desk.committed(three(), "--name", "mine")
    return sorted(made, key=lambda each: each["path"])


@pytest.fixture
def terminal(desk: ForeignDesk, candidates: list[Json]) -> Iterator[Terminal]:
    opened = Terminal(desk)
    yield opened
    opened.child.close(force=True)


def test_approve_reject_skip(desk: ForeignDesk, candidates: list[Json], terminal: Terminal) -> None:
    first = terminal.question()
    assert "--- 1 of 3 ---" in first
    assert candidates[0]["sha256"] in first
    for line in desk.read(candidates[0]["path"]).splitlines():
        assert f"| {line}" in first or line == "claims:" or line.startswith("  ")
    assert "status" not in first.partition("claims: (below)")[0].partition("| ---")[2]
    terminal.answer("a")
    second = terminal.question()
    assert f"from {candidates[0]['id']}" in second
    assert "--- 2 of 3 ---" in second
    terminal.answer("r")
    terminal.child.expect_exact("not rejected): ")
    terminal.answer("no longer true")
    terminal.question()
    terminal.answer("s")
    said = terminal.end()
    assert "1 approved, 1 rejected, 1 skipped; 1 candidate left to review" in said
    assert "git commit -m 'review: 2 candidates'" in said
    assert terminal.child.exitstatus == 0
    states = {each["id"]: each["state"] for each in desk.review("list")["candidates"]}
    assert states == {candidates[1]["id"]: "rejected", candidates[2]["id"]: "open"}
    assert sorted(line[:2] for line in desk.status()) == ["M ", "R "]
    assert "review_reason: no longer true" in desk.read(candidates[1]["path"])
    desk.put("doll.yaml", desk.read("doll.yaml") + "# x\n")
    desk.git("add", "doll.yaml")
    desk.type(" ".join(said.partition("next: ")[2].split()))
    assert desk.status() == ["M  doll.yaml"]


def test_what_was_typed_ahead_approves_nothing(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal
) -> None:
    terminal.child.send("a\na\na\na\na\n")
    terminal.question()
    terminal.answer("q")
    terminal.end()
    assert len(desk.review("list")["candidates"]) == 3


@pytest.mark.sampled(6)
@pytest.mark.parametrize("key", ["", "y", "yes", "A a", "approve all", "1"])
def test_nothing_but_the_letters_answers(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal, key: str
) -> None:
    terminal.question()
    terminal.answer(key)
    assert "answer with one of the letters" in terminal.question()
    terminal.answer("q")
    terminal.end()
    assert len(desk.review("list")["candidates"]) == 3


def test_end_of_input_and_an_interrupt_keep_what_was_done(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal
) -> None:
    terminal.question()
    terminal.answer("a")
    terminal.question()
    terminal.child.sendeof()
    assert "1 approved" in terminal.end()
    other = Terminal(desk)
    other.question()
    other.child.send("\x03")
    said = other.end()
    assert "0 approved" in said
    assert other.child.exitstatus == 130
    assert len(desk.review("list")["candidates"]) == 2


def test_an_empty_reason_rejects_nothing(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal
) -> None:
    terminal.question()
    terminal.answer("r")
    terminal.child.expect_exact("not rejected): ")
    terminal.answer("")
    terminal.question()
    terminal.answer("q")
    terminal.end()
    assert desk.status() == []


def test_what_changed_after_it_was_shown_is_not_approved(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal
) -> None:
    terminal.question()
    path = candidates[0]["path"]
    desk.put(path, desk.read(path) + "slipped in\n")
    desk.git("commit", "-qam", "slip")
    terminal.answer("a")
    assert "its bytes have the digest" in terminal.question()
    terminal.answer("s")
    terminal.question()
    terminal.answer("q")
    terminal.end()
    assert path in desk.files()


def test_a_model_at_the_terminal_approves_nothing(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    terminal = Terminal(desk, DOLL_BY="model:helper")
    terminal.question()
    terminal.answer("a")
    assert "that is the user's" in terminal.question()
    terminal.answer("q")
    terminal.end()
    assert len(desk.review("list")["candidates"]) == 3


def test_hostile_text_reaches_the_terminal_escaped(desk: ForeignDesk) -> None:
    nasty = f"\x1b[2J\x1b]0;owned\x07{QUESTION}\u202egnp.\r\n{QUESTION}a"
    desk.committed(store(memory(nasty, metadata={"\x1b[31m": "\x9b1m"})), "--name", "mine")
    terminal = Terminal(desk)
    shown = terminal.question()
    asked = 0
    while "answer with" not in shown:
        # What is typed at a question that only the text poses is thrown away.
        terminal.answer("d" if asked < 8 else "x")
        asked += 1
        shown = terminal.question()
        assert not re.search("\x1b(?!\\[[?][0-9]+[hl])", shown)
        assert "\u202e" not in shown
        assert "\x9b" not in shown
    terminal.answer("q")
    terminal.end()


def test_a_question_mark_explains_the_letters(
    desk: ForeignDesk, candidates: list[Json], terminal: Terminal
) -> None:
    terminal.question()
    terminal.answer("?")
    said = terminal.question()
    for letter in "ardsq?":
        assert f"\n{letter} - " in said.replace("\r", "")
    terminal.answer("q")
    assert "0 approved, 0 rejected, 0 skipped; 3 candidates left to review" in terminal.end()


def test_what_is_not_committed_is_refused_with_the_line_that_commits_it(
    desk: ForeignDesk,
) -> None:
    candidate = desk.bring(store(memory("Prefers tea.")), "--name", "mine").json["candidates"][0]
    terminal = Terminal(desk)
    assert "committed  no" in terminal.question()
    terminal.answer("a")
    said = terminal.question().replace("\r", "")
    assert "it is not committed" in said
    line = next(each for each in said.splitlines() if each.startswith("  git add"))
    assert candidate["path"] in desk.files()
    desk.type(line.partition("    in another")[0].strip())
    terminal.answer("a")
    assert "1 approved, 0 rejected, 0 skipped; 0 candidates left" in terminal.end()
    assert candidate["path"] not in desk.files()


def test_what_was_committed_after_a_change_is_not_approved(desk: ForeignDesk) -> None:
    candidate = desk.bring(store(memory("Prefers tea.")), "--name", "mine").json["candidates"][0]
    terminal = Terminal(desk)
    terminal.question()
    desk.put(candidate["path"], desk.read(candidate["path"]) + "slipped in\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "slip")
    terminal.answer("a")
    assert "its bytes have the digest" in terminal.question()
    terminal.answer("q")
    assert "0 approved" in terminal.end()
    assert candidate["path"] in desk.files()


def test_the_difference_is_shown_on_demand(desk: ForeignDesk) -> None:
    first = desk.committed(store(memory("Prefers tea.")), "--name", "one")[0]
    desk.approve(first, "--commit")
    desk.committed(store(memory("Prefers coffee.")), "--name", "two")
    terminal = Terminal(desk)
    terminal.question()
    terminal.answer("d")
    shown = terminal.question()
    assert "-Prefers tea." in shown
    assert "+Prefers coffee." in shown
    terminal.answer("q")
    terminal.end()


def test_what_was_just_approved_is_a_likely_duplicate(desk: ForeignDesk) -> None:
    twins = store(memory("Prefers tea.", id="a"), memory("prefers TEA", id="b"))
    desk.committed(twins, "--name", "mine")
    terminal = Terminal(desk)
    assert "likely duplicates" not in terminal.question()
    terminal.answer("a")
    shown = terminal.question()
    assert "likely duplicates" in shown
    assert "the same words" in shown
    terminal.answer("q")
    terminal.end()


def test_nothing_to_review(desk: ForeignDesk) -> None:
    assert "nothing to review" in Terminal(desk).end()
