"""docs/sync.md: its console blocks are what happens, one after the other."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from doll.services.missing import AT_LEAST
from tests.desk import Desk, make_vault
from tests.sync_desk import Two, head, log, synced

PLACE = Path(__file__).resolve().parents[2] / "docs" / "sync.md"
PAGE = PLACE.read_text(encoding="utf-8")
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
BEGIN = re.compile(r"```sh\n(.*?)```", re.DOTALL)


def typed(two: Two, line: str) -> str:
    """Type a line, whatever its exit code, and return both streams as they came."""
    variables = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=two.one.root,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    said = done.stdout.decode().replace(str(two.one.root), "VAULT")
    return re.sub(r"\b[0-9a-f]{12}\b", "COMMIT", said)


def test_the_blocks_are_what_happens(two: Two, update_goldens: bool) -> None:
    page = PAGE
    for block in BLOCK.findall(PAGE):
        lines = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
        happened = "".join(f"$ {line}\n{typed(two, line)}" for line in lines)
        if update_goldens:
            page = page.replace(block, happened)
        else:
            assert happened == block
    if update_goldens:
        PLACE.write_text(page, encoding="utf-8")


def test_a_sync_begins_as_it_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (lines,) = BEGIN.findall(PAGE)
    one = Desk(make_vault(tmp_path / "one"), capsys)
    one.type(f"set -e\n{lines}")
    other = Desk(tmp_path / "other", capsys)
    log(one, "One")
    synced(one)
    synced(other)
    assert head(one) == head(other)


def test_the_number_is_the_codes() -> None:
    assert f"- at least {AT_LEAST} records outside `staging/`" in PAGE
