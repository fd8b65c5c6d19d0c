"""The tour runs as a stranger would run it: one command, no questions, nothing left behind."""

import os
import subprocess
import sys
from pathlib import Path


def test_the_tour_shows_the_main_job_and_leaves_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GIT_", "DOLL_", "XDG_"))
    } | {"HOME": str(home), "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "doll", "tour"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for said in (
        "$ doll import pam ../export.json --name chatgpt-2026-02",
        "$ doll review approve chatgpt-2026-02/",
        '$ doll recall "which languages do I speak"',
        "doll: warning: experience/shop/",
        "evidence: commit:1f2e3d4",
        '"authorizes": false',
        '"status": "blocked"',
    ):
        assert said in done.stdout, said
    assert str(tmp_path) not in done.stdout
    assert [place.name for place in tmp_path.iterdir()] == ["home"]
    assert list(home.iterdir()) == []
