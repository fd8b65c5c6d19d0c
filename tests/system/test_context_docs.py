"""The worked example of docs/context.md is what doll prints, and its numbers are the code's."""

import re
import shutil
from pathlib import Path

import pytest

from doll.render.context_values import REASONS, TITLES
from doll.services.packing.asked import DEFAULT_BUDGET, DEFAULT_SENSITIVITY, LABELS, MIN_BUDGET
from doll.services.packing.choosing import SHARES
from tests.context_packs import check
from tests.desk import Desk
from tests.gitbox import git
from tests.system.test_context import context, ids

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "docs" / "context.md"
PAGE = PLACE.read_text(encoding="utf-8")
RECORDS = re.findall(
    r"`((?:confirmed|authority|experience)/[^`\n]+\.md)`.*?:\n\n```markdown\n(.*?)```",
    PAGE,
    re.DOTALL,
)
EXAMPLE = re.compile(
    r"(```console\n\$ doll (context [^\n]* --as-of \S+)\n)(.*?)(?=```\n)", re.DOTALL
)
COMMIT = re.compile(r"(?<=at commit `)[0-9a-f]{12}")


def test_the_worked_example(desk: Desk, update_goldens: bool) -> None:
    assert len(RECORDS) == 6
    for path, text in RECORDS[:-1]:
        desk.put(path, text)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "records")
    desk.put(*RECORDS[-1])
    example = EXAMPLE.search(PAGE)
    assert example is not None
    typed = re.fullmatch(r'context "(.*)" (.*)', example[2])
    assert typed is not None
    printed = desk.ok("context", typed[1], *typed[2].split()).out
    check(printed.removesuffix("\n"), DEFAULT_BUDGET)
    printed = COMMIT.sub("1f2e3d4c5b6a", printed)
    if update_goldens:
        PLACE.write_text(PAGE.replace(example[0], example[1] + printed), encoding="utf-8")
        return
    assert printed == example[3]


def test_the_numbers() -> None:
    assert f"(`{DEFAULT_BUDGET}`" in PAGE or f"({DEFAULT_BUDGET}, at least {MIN_BUDGET})" in PAGE
    shares = [f"{SHARES[section]}" for section in TITLES]
    said = "open work has a share of {} percent, decisions {}, failures {}, memory {}."
    assert said.format(*shares) in " ".join(PAGE.split())
    assert f"`{DEFAULT_SENSITIVITY}` (the default" in PAGE
    assert all(f"`{label}`" in PAGE for label in LABELS)
    assert [title for title in TITLES.values() if f"| {title} |" not in PAGE] == []


def test_every_reason_and_key_is_on_the_page(desk: Desk) -> None:
    assert [reason for reason in REASONS if f"`{reason}`" not in PAGE] == []
    assert [key for key in context(desk, "x") if f"`{key}`" not in PAGE and key != "schema"] == []


def test_a_failure_of_the_example_vault_has_room_before_a_preference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "vault"
    shutil.copytree(ROOT / "example_vault", root)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "example")
    task = "online migration of orders"
    found = context(Desk(root, capsys), task, "--budget", "600")
    assert "20260820T143205Z-attempt-online-orders-migration-k3v9q2xw7d" in ids(found, "failures")
