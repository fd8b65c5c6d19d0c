"""Commands on a disk that takes nothing more: exit 74, a message, every file as it was."""

import json
import os
import subprocess
import sys

import pytest

from tests.desk import Desk
from tests.foreign_desk import ForeignDesk, three
from tests.listing import listing
from tests.pam_documents import encoded, memory, store

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)


def on_a_full_disk(desk: Desk, line: str, room: int = 0) -> subprocess.CompletedProcess[str]:
    """Run `doll` where no file can be larger than `room` blocks of 512; its streams are pipes."""
    text = f"trap '' XFSZ; ulimit -f {room}; {sys.executable} -m doll {line}"
    command = ["sh", "-c", text]
    # Python takes half a file of byte code that it wrote for a whole one.
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=desk.root, env=variables, capture_output=True, text=True, check=False
    )


@pytest.fixture
def desk(desk: Desk, capsys: pytest.CaptureFixture[str]) -> ForeignDesk:
    foreign = ForeignDesk(desk.root, capsys)
    foreign.committed(three(), "--name", "mine")
    listed = foreign.ok("review", "list", "--digests").out
    (desk.root.parent / "approve.txt").write_text(listed)
    (desk.root.parent / "store.json").write_bytes(encoded(store(memory("Sings."))))
    return foreign


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "line",
    [
        "new memory x --title x",
        "new memory x --title x --commit",
        "log attempt x --project atlas --commit",
        "review approve --from ../approve.txt --commit",
        "import pam ../store.json --name other",
    ],
)
def test_nothing_is_lost(desk: ForeignDesk, line: str) -> None:
    before, head = desk.files(), desk.git("rev-parse", "HEAD")
    full = on_a_full_disk(desk, f"{line} --json")
    assert (full.returncode, json.loads(full.stdout)["exit"]) == (74, 74), full.stderr
    assert "cannot be written: File too large" in full.stderr
    assert (desk.files(), desk.git("rev-parse", "HEAD")) == (before, head)
    assert desk.git("status", "--porcelain", "--", "confirmed", "experience", "authority") == ""
    assert not [path for path in listing(desk.root) if "doll-new" in path]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("line", ["list", "recall bees", "validate", "review"])
def test_a_reader_answers(desk: ForeignDesk, line: str) -> None:
    (desk.root / ".doll/cache").rename(desk.root.parent / "cache")
    full = on_a_full_disk(desk, line)
    assert full.returncode == 0, full.stderr
    assert full.stdout or line == "validate"


def test_signals_of_use_are_lost_and_said_to_be(desk: ForeignDesk) -> None:
    desk.put("confirmed/bees.md", "---\ntitle: Bees\n---\n")
    desk.git("config", "doll.logRecalls", "true")
    for _ in ("without the name of this machine", "with it"):
        before = desk.files()
        full = on_a_full_disk(desk, "feedback bees helpful")
        assert full.returncode == 74, full.stderr
        assert "cannot be written: File too large" in full.stderr
        full = on_a_full_disk(desk, "recall bees")
        assert (full.returncode, full.stdout[:7]) == (0, "1. Bees")
        assert "this recall was not logged" in full.stderr
        assert {path: data for path, data in desk.files().items() if data} == before
        assert not [path for path in listing(desk.root) if "doll-new" in path]
        desk.ok("feedback", "bees", "helpful")
        (log,) = (desk.root / ".doll/usage").iterdir()
        log.unlink()


def test_a_reader_of_history_answers(desk: ForeignDesk) -> None:
    (desk.root / ".doll/cache").rename(desk.root.parent / "cache")
    full = on_a_full_disk(desk, "verify")
    assert full.returncode == 0, full.stderr


@pytest.mark.parametrize(
    ("room", "code", "said"),
    [(0, 7, "`git init` was killed by signal"), (20, 74, "memory")],
)
def test_a_vault_half_made_is_finished_by_the_same_command(
    desk: ForeignDesk, room: int, code: int, said: str
) -> None:
    full = on_a_full_disk(desk, "init ../other", room)
    assert full.returncode == code, full.stderr
    assert said in full.stderr
    assert "is no vault yet" in full.stderr
    assert "the same command finishes it" in full.stderr
    assert "nothing was changed" not in full.stderr
    other = desk.at("../other")
    assert not (other.root / "doll.yaml").exists()
    desk.ok("init", "../other")
    assert other.git("status", "--porcelain") == ""
    assert other.ok("validate").out == ""
