"""The worked example of docs/context.md is what doll prints, and its numbers are the code's."""

import re
from pathlib import Path

from doll.render.context_values import REASONS, TITLES
from doll.services.packing.asked import DEFAULT_BUDGET, DEFAULT_SENSITIVITY, LABELS, MIN_BUDGET
from doll.services.packing.choosing import SHARES
from tests.context_packs import check
from tests.desk import Desk
from tests.system.test_context import context

PLACE = Path(__file__).resolve().parents[2] / "docs" / "context.md"
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
