"""The example of docs/doctor.md is what doll prints, and every area of it is explained there."""

import re
import shlex
import subprocess
from pathlib import Path

from doll.services.diagnosing.flow import AREAS, HOOKS
from tests.desk import Desk

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "doctor.md").read_text()


def test_the_example(desk: Desk) -> None:
    desk.put("confirmed/espresso-order.md", "---\ntitle: Espresso\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "espresso")
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    steps = re.findall(r"\$ (.*)\n((?:[^$\n].*\n)*)", block)
    for command, printed in steps:
        if command.startswith("doll "):
            said = desk.doll(*shlex.split(command)[1:])
            assert said.code == 1
            out = said.out.replace(str(desk.root), "VAULT")
            assert re.sub(r"lock is .*? old", "lock is AGE old", out) == printed
        else:
            subprocess.run(["sh", "-c", command], cwd=desk.root, check=True)


def test_the_areas() -> None:
    for area in (*AREAS, HOOKS):
        assert re.search(rf"^\| `{area}` \|", PAGE, re.MULTILINE), area
