"""Records over 4 MiB: each command names them, goes on with the others, and reads no more of them.

They are sparse files of a terabyte where only the disk has them: to read one would never end.
"""

import os
import resource
from pathlib import Path

import pytest

from doll.records.limits import MAX_FILE_BYTES
from tests import children
from tests.desk import Desk, Result

pytestmark = pytest.mark.sampled(4)

ENTRY = "experience/atlas/20260820T143205Z-attempt-locked-k3v9q2xw7d.md"
LARGE = ("confirmed/large.md", ENTRY, "authority/decisions/large.md")
SAID = "more than 4,194,304 bytes"
READS = (
    ("list",),
    ("status",),
    ("validate",),
    ("recall", "note"),
    ("context", "note"),
    ("preflight", "--project", "atlas", "--action", "a.b"),
    ("index", "--check"),
    ("duplicates",),
)


@pytest.fixture
def noted(desk: Desk) -> Desk:
    """A vault with one memory that is as it should be."""
    desk.put("confirmed/note.md", "---\ntitle: Note\n---\nA note.\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "note")
    return desk


def enlarge(root: Path, size: int, *paths: str) -> None:
    for path in paths:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"---\ntitle: Large\n---\n")
        os.truncate(place, size)


def bounded(desk: Desk, *arguments: str, room: int = 256 << 20) -> Result:
    """Run `doll` in a child that may not take much more memory than it has."""

    def run() -> Result:
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + room, taken + room))
        return desk.doll(*arguments)

    (ended,) = children.run(run)
    assert ended.error is None, ended.error
    assert isinstance(ended.result, Result)
    return ended.result


@pytest.mark.sampled(6)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory taken is not known")
@pytest.mark.parametrize("read", READS, ids=lambda read: read[0])
def test_a_terabyte_is_named_and_not_read(noted: Desk, read: tuple[str, ...]) -> None:
    enlarge(noted.root, 1 << 40, *LARGE[:2])
    found = bounded(noted, *read)
    assert found.code in (0, 1, 3), found.err
    said = found.out + found.err
    if read[0] in ("list", "validate", "recall", "context", "status"):
        assert SAID in said
    assert "Note" in said or read[0] not in ("list", "recall", "context")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("read", [*READS, ("validate", "--staged"), ("verify",)])
def test_one_that_is_committed_is_not_read_from_git(noted: Desk, read: tuple[str, ...]) -> None:
    enlarge(noted.root, MAX_FILE_BYTES + 1, *LARGE)
    noted.git("add", "-A")
    noted.git("commit", "-qm", "large")
    for path in LARGE:
        (noted.root / path).unlink()
    found = noted.doll(*read)
    assert found.code in (0, 1, 3), found.err
    if read[0] == "preflight":  # authority that cannot be read is never clear
        assert found.code == 3
        assert SAID in found.out


def test_one_that_is_staged_is_refused(noted: Desk) -> None:
    enlarge(noted.root, MAX_FILE_BYTES + 1, LARGE[0])
    noted.git("add", "-A")
    checked = noted.doll("validate", "--staged")
    assert (checked.code, SAID in checked.out) == (1, True)


def test_just_4_mib_are_a_record(noted: Desk) -> None:
    text = "---\ntitle: Just\n---\n"
    noted.put("confirmed/just.md", text + "words\n" * ((MAX_FILE_BYTES - len(text)) // 6))
    assert "just" in noted.ok("list").out
    assert "just" in noted.ok("recall", "words").out


def test_no_writing_command_touches_one(noted: Desk) -> None:
    enlarge(noted.root, MAX_FILE_BYTES + 1, LARGE[0])
    for command in (("edit", "large"), ("mv", "large", "small")):
        found = noted.doll(*command, EDITOR="true")
        assert found.code in (2, 4, 5), found.err
        assert (noted.root / LARGE[0]).stat().st_size == MAX_FILE_BYTES + 1
