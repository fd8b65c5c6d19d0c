"""The README's console blocks, run in one shell one after the other, as a reader types them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

# What a reader does with one key on a terminal, a script does with a list.
TYPED = {
    "doll review": "doll review list --digests > ../chosen && doll review approve --from ../chosen"
}
README = Path(__file__).resolve().parents[2] / "README.md"


def commands() -> list[str]:
    """Return the commands of the README's console blocks, continued lines joined."""
    text = README.read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [TYPED.get(line, line) for line in typed]


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """The folder that holds the clone, with `doll` on PATH."""
    (tmp_path / "doll").symlink_to(README.parent)
    launcher = tmp_path / "programs" / "doll"
    launcher.parent.mkdir()
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m doll "$@"\n')
    launcher.chmod(0o755)
    return tmp_path


def test_the_five_minutes_work_as_typed(workshop: Path) -> None:
    typed = commands()
    assert len(typed) > 12
    script = "".join(f"echo '#{number}' >&2\n{line}\n" for number, line in enumerate(typed))
    environment = os.environ | {
        "PATH": f"{workshop / 'programs'}{os.pathsep}{os.environ['PATH']}",
        "GIT_PAGER": "cat",
    }
    done = subprocess.run(
        ["/bin/sh", "-c", f"set -e\n{script.rstrip()} && exit 9 || exit $?"],
        cwd=workshop,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    # The last command is a blocked preflight; all before it end with 0.
    assert done.returncode == 1, done.stderr
    assert f"#{len(typed) - 1}" in done.stderr, done.stderr
    assert '"status": "blocked"' in done.stdout
    assert "[action.unknown]" in done.stderr
    assert "with a warning, `action.unknown`" in README.read_text(encoding="utf-8")
    assert "doll: warning: experience/atlas/" in done.stderr
    assert "evidence: commit:1f2e3d4" in done.stderr
