"""`.pre-commit-hooks.yaml` has the shape that the pre-commit framework documents.

Source: https://pre-commit.com, "Creating new hooks".
"""

import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from doll.services.hooks.block import LOCAL
from doll.services.hooks.by_hand import LISTED, is_listed

ROOT = Path(__file__).resolve().parents[2]
HOOKS: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
)
TEXTS = {"id", "name", "description", "entry", "language"}
FLAGS = {"always_run", "pass_filenames", "require_serial", "verbose"}


@pytest.mark.parametrize("each", HOOKS, ids=lambda each: each["id"])
def test_a_hook(each: dict[str, Any]) -> None:
    assert set(each) == TEXTS | FLAGS | {"stages"}
    assert all(isinstance(each[key], str) for key in TEXTS)
    assert all(isinstance(each[key], bool) for key in FLAGS)
    (stage,) = each["stages"]
    assert stage in LOCAL
    assert f"doll hooks run {stage}" in each["entry"]
    # The framework splits it as a shell would, and adds the file names.
    words = shlex.split(each["entry"])
    assert words[0] == ("sh" if stage == "commit-msg" else "doll")
    # The message is a file that it names; the other hooks ask git themselves.
    assert each["pass_filenames"] is (stage == "commit-msg")
    assert each["always_run"]
    # A warning is shown where a hook passes, too.
    assert each["verbose"]


def test_each_stage_once() -> None:
    assert [stage for each in HOOKS for stage in each["stages"]] == list(LOCAL)
    assert {each["stages"][0]: each["id"] for each in HOOKS} == LISTED
    assert HOOKS[0]["id"] == "doll-preflight"


@pytest.mark.parametrize("kind", LOCAL)
def test_doll_knows_its_hook_in_a_users_file(kind: str) -> None:
    name = LISTED[kind]
    for text in (f"  - id: {name}\n", f"- id: '{name}'  # ours", f"    id: {name}\r\n"):
        assert is_listed(b"repos:\n" + text.encode(), kind)
    for text in (f"# - id: {name}\n", f"  - id: {name}x\n", f"name: {name}\n"):
        assert not is_listed(text.encode(), kind)


def test_the_page_names_them_all() -> None:
    page = (ROOT / "docs" / "hooks.md").read_text(encoding="utf-8")
    for each in HOOKS:
        assert f"      - id: {each['id']}\n" in page
    stages = ", ".join(LOCAL)
    assert f"default_install_hook_types: [{stages}]" in page
