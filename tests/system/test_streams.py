"""Standard streams that are closed, full, or read by nobody: in every command alike."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.desk import Desk

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

LINES = (
    "doll list",
    "doll list -0",
    "doll recall espresso",
    "doll index",
    "doll review --json",
    "doll schema memory",
    "doll --help",
)
FULL = "doll: the output cannot be written: No space left on device\n"
WRONG = "doll: No such option '--bad'.\n  try `doll list --help`\n"


def in_shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    text = f"set -o pipefail; {line}".replace("doll ", f"{sys.executable} -m doll ")
    command = ["bash", "-c", text]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("line", LINES)
def test_a_closed_stream_is_one_to_nowhere(desk: Desk, line: str) -> None:
    plain = in_shell(desk.root, line)
    assert plain.returncode == 0, plain.stderr
    without = in_shell(desk.root, f"{line} >&-")
    assert (without.returncode, without.stdout, without.stderr) == (0, "", plain.stderr)
    silent = in_shell(desk.root, f"{line} 2>&- <&-")
    assert (silent.returncode, silent.stderr) == (0, "")
    if not plain.stdout.startswith("{"):  # a document tells when it was made
        assert silent.stdout == plain.stdout
    assert in_shell(desk.root, f"{line} <&- >&- 2>&-").returncode == 0


@pytest.mark.sampled(6)
@pytest.mark.parametrize("line", LINES)
def test_a_full_disk_is_said_and_a_reader_that_left_is_not(desk: Desk, line: str) -> None:
    full = in_shell(desk.root, f"{line} >/dev/full")
    assert full.returncode == 74
    assert full.stderr.endswith(FULL)
    left = in_shell(desk.root, f"{line} 2>/dev/null | true")
    assert (left.returncode, left.stdout, left.stderr) == (0, "", "")
    assert in_shell(desk.root, f"{line} 2>/dev/full").returncode == 0


def test_the_exit_code_tells_of_the_command_though_nobody_reads(desk: Desk) -> None:
    desk.put("confirmed/x.md", "---\ntitle: x\nnothing\n---\n")
    for streams in ("| true", ">&-", "2>&-", "2>/dev/full"):
        assert in_shell(desk.root, f"doll validate {streams}").returncode == 1, streams


def test_a_long_answer_that_is_read_in_part(desk: Desk) -> None:
    for number in range(2000):
        desk.put(f"confirmed/m{number}.md", "---\ntitle: A title of some length\n---\n")
    left = in_shell(desk.root, "doll list | head -1")
    assert (left.returncode, left.stderr) == (0, "")
    assert left.stdout.count("\n") == 1


def test_an_error_that_cannot_be_printed(desk: Desk) -> None:
    wrong = "doll list --bad --json"
    told = in_shell(desk.root, wrong)
    assert (told.returncode, told.stderr, json.loads(told.stdout)["exit"]) == (2, WRONG, 2)
    for streams in (">&-", "| true"):
        found = in_shell(desk.root, f"{wrong} {streams}")
        assert (found.returncode, found.stdout, found.stderr) == (2, "", WRONG)
    full = in_shell(desk.root, f"{wrong} >/dev/full")
    assert (full.returncode, full.stderr) == (74, WRONG + FULL)
    for streams in ("2>&-", "2>/dev/full"):
        found = in_shell(desk.root, f"{wrong} {streams}")
        assert (found.returncode, found.stdout, found.stderr) == (2, told.stdout, "")


def test_no_file_takes_the_number_of_a_closed_stream(desk: Desk) -> None:
    """What is then said to the stream would be written into a record."""
    line = 'doll new memory x --title x --set tags=a --body "text" --commit <&- >&- 2>&-'
    assert in_shell(desk.root, line).returncode == 0
    text = (desk.root / "confirmed/x.md").read_text()
    assert text.endswith("text\n")
    assert "committed" not in text


def test_what_is_read_from_a_closed_stdin_is_empty(desk: Desk) -> None:
    made = in_shell(desk.root, "doll new memory x --title x --body - <&-")
    assert (made.returncode, made.stdout) == (0, "confirmed/x.md\n")
    approved = in_shell(desk.root, "doll review approve --from - <&-")
    assert approved.returncode == 4
    assert "stdin names no candidate" in approved.stderr


def test_a_pipe_that_is_full_and_does_not_wait(desk: Desk) -> None:
    for number in range(2000):
        desk.put(f"confirmed/m{number}.md", "---\ntitle: A title of some length\n---\n")
    whole = in_shell(desk.root, "doll list").stdout
    assert len(whole) > 65536
    script = (
        "import os, subprocess, sys, time; r, w = os.pipe(); os.set_blocking(w, False);"
        "p = subprocess.Popen([sys.executable, '-m', 'doll', 'list'], stdout=w); os.close(w);"
        "f = os.fdopen(r, 'rb', buffering=0); time.sleep(0.5);"
        "sys.stdout.buffer.write(b''.join(iter(lambda: f.read(4096), b''))); sys.exit(p.wait())"
    )
    command = [sys.executable, "-c", script]
    slow = subprocess.run(command, cwd=desk.root, capture_output=True, text=True, check=False)
    assert (slow.returncode, slow.stderr) == (0, "")
    assert slow.stdout == whole
