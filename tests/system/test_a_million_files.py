"""More files than are looked at: refused quickly and in bounded memory, never read in part.

The sample lowers the bound; `pytest -m soak` makes a million names, of a few files with many links.
"""

import os
import resource
import shutil
from functools import partial
from pathlib import Path

import pytest

from doll.vault import snapshot
from tests import children
from tests.desk import Desk, Result

READS = (
    ("list",),
    ("status",),
    ("show", "atlas"),
    ("validate",),
    ("recall", "note"),
    ("context", "note"),
    ("duplicates",),
    ("index",),
)
# So many names can one file have on most file systems (ext4: 65,000).
LINKS = 50_000


def fill(folder: Path, number: int) -> None:
    """Make a number of record files, a thousand to a folder."""
    for at in range(number):
        inner = folder / str(at // 1000)
        if at % 1000 == 0:
            inner.mkdir(parents=True)
        place = f"{inner}/note-{at}.md"
        if at % LINKS == 0:
            first = place
            Path(first).write_bytes(b"---\ntitle: Note\n---\n")
        else:
            os.link(first, place)


@pytest.mark.parametrize("read", READS, ids=lambda read: read[0])
def test_more_than_are_looked_at(
    desk: Desk, read: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.ok(*read)
    monkeypatch.setattr(snapshot, "MAX_FILES", 20)
    fill(desk.root / "confirmed", 21)
    said = desk.refused(3, *read)
    assert "more than 20 record files and folders" in said
    assert "doll init PATH" in said
    assert "the rest" not in said
    monkeypatch.setattr(snapshot, "MAX_FILES", 100)
    desk.ok(*read)


def test_what_is_denied_stays_denied(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.put("authority/policies/never.md", "---\neffect: deny\nactions: db.migrate\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "never")
    fill(desk.root / "experience/atlas", 30)
    monkeypatch.setattr(snapshot, "MAX_FILES", 20)
    report = desk.doll("preflight", "--action", "db.migrate", "--json").json
    assert (report["status"], report["complete"]) == ("blocked", False)
    report = desk.doll("preflight", "--action", "db.read", "--json").json
    assert report["status"] == "not_checked"


def measured(desk: Desk, *arguments: str) -> tuple[Result, float, int]:
    """Return how `doll` ended, the seconds of CPU that it took, and MiB at the most."""
    result = desk.doll(*arguments)
    used = resource.getrusage(resource.RUSAGE_SELF)
    return result, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


@pytest.mark.soak
def test_a_million(desk: Desk) -> None:
    fill(desk.root / "confirmed", snapshot.MAX_FILES + 1)

    for read in (("where",), *READS):
        (ended,) = children.run(partial(measured, desk, *read))
        assert ended.error is None, ended.error
        result, seconds, mebibytes = ended.result
        print(f"{' '.join(read)}: exit {result.code}, {seconds:.1f} s of CPU, {mebibytes:,} MiB")
        assert result.code == (0 if read == ("where",) else 3)
        assert "Traceback" not in result.err
        assert mebibytes < 2048
    shutil.rmtree(desk.root)
