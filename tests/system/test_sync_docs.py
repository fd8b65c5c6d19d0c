"""docs/sync.md: its console blocks are what happens, one after the other."""

import os
import re
import subprocess
import sys
from pathlib import Path

from doll.services.missing import AT_LEAST
from tests.sync_desk import Two, memory

PLACE = Path(__file__).resolve().parents[2] / "docs" / "sync.md"
PAGE = PLACE.read_text(encoding="utf-8")
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
ANOTHER = " && ANOTHER MACHINE CHANGES IT"


def typed(two: Two, line: str) -> str:
    """Type a line, whatever its exit code, and return both streams as they came."""
    if line.endswith(ANOTHER):
        two.other.ok("sync")
        memory(two.other, "tea", "Theirs.")
        two.other.ok("sync")
    variables = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["sh", "-c", line.removesuffix(ANOTHER)],
        cwd=two.one.root,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    said = done.stdout.decode().replace(str(two.one.root), "VAULT")
    return re.sub(r"\b[0-9a-f]{12}\b", "COMMIT", said)


def test_the_blocks_are_what_happens(two: Two, update_goldens: bool) -> None:
    for folder in ("authority/policies", "confirmed"):
        (two.one.root / folder).mkdir()
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


def test_the_number_is_the_codes() -> None:
    assert f"- at least {AT_LEAST} records outside `staging/`" in PAGE
