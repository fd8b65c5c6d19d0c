"""Every line that is printed does in the right vault what it says, wherever it is typed."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from doll.render.leading import is_to_type
from tests.desk import Desk, make_vault
from tests.doctor_faults import FAULTS, MEMORY, with_remote
from tests.examined import commands
from tests.footprint import contents

pytestmark = pytest.mark.sampled(4)

NAME = "20260820T143205Z-attempt-locked-k3v9q2xw7d"
ENTRY = (
    "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
    "summary: Locked\n---\n"
)
MISPLACED = {
    "confirmed/bad:name.md": "---\ntitle: A\n---\n",
    "confirmed/t.markdown": "---\ntitle: D\n---\n",
    "authority/p.md": "---\nschema: doll/policy/1\neffect: deny\n---\n",
    f"experience/{NAME}.md": ENTRY,
    "staging/loose.md": "---\nschema: doll/memory/1\ntitle: C\n---\n",
}


class Places(NamedTuple):
    """A vault with faults, where one is who asks about it and how, and a vault beside it."""

    vault: Desk
    asking: Desk
    options: tuple[str, ...]
    beside: Desk


@pytest.fixture(params=["", "confirmed", "../beside"])
def places(desk: Desk, request: pytest.FixtureRequest, tmp_path: Path) -> Places:
    """Return them, for who is in the vault, in a folder of it, and in the other vault."""
    beside = desk.at(str(make_vault(tmp_path / "beside")))
    asking = desk.at(request.param)
    (desk.root / "confirmed").mkdir(exist_ok=True)
    options = ("--vault", f"../{desk.root.name}") if request.param == "../beside" else ()
    return Places(desk, asking, options, beside)


def _typed(places: Places, command: str) -> None:
    """Type the first line of everything that a command finds; nothing may change beside it."""
    before = contents(places.beside.root)
    found = places.asking.doll(command, "--json", *places.options).json["problems"]
    lines = [[line for line in commands(p) if is_to_type(line)] for p in found]
    assert lines
    for first in (some[0] for some in lines if some):
        places.asking.type(f"export EDITOR=true; {first}")
    assert contents(places.beside.root) == before


@pytest.mark.sampled(6)
@pytest.mark.parametrize("tracked", [False, True])
def test_lines_of_validate(places: Places, *, tracked: bool) -> None:
    for desk in (places.vault, places.beside):
        for path, text in MISPLACED.items():
            desk.put(path, text)
        if tracked:
            desk.git("add", "-A")
    _typed(places, "validate")
    assert places.vault.doll("validate", "--json").json["problems"] == []


def test_a_link_is_taken_away_where_it_is(places: Places) -> None:
    for desk in (places.vault, places.beside):
        desk.put("elsewhere/mine.md", MEMORY)
        (desk.root / "confirmed").mkdir(exist_ok=True)
        (desk.root / "confirmed/mine.md").symlink_to("../elsewhere/mine.md")
    _typed(places, "validate")
    assert not (places.vault.root / "confirmed/mine.md").is_symlink()


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "names",
    [
        ("line endings", "rebase", "case", "attributes", "assumed", "ignored", "future"),
        ("tracked",),
        ("clash", "index lock"),
    ],
)
def test_lines_of_doctor(places: Places, names: tuple[str, ...]) -> None:
    with_remote(places.vault)
    for path, text in (("espresso", MEMORY), ("Espresso", MEMORY), ("tea-draft", MEMORY)):
        places.beside.put(f"confirmed/{path}.md", text)
    places.vault.ok("recall", "espresso")
    for name in names:
        FAULTS[name].plant(places.vault)
    _typed(places, "doctor")
    left = places.vault.doll("doctor", "--json").json["problems"]
    planted = {FAULTS[name].code for name in names}
    assert not planted & {problem["code"] for problem in left if problem["severity"] != "note"}


ASKED: dict[str, tuple[str, ...]] = {
    "show": ("show", "nothing"),
    "edit": ("edit", "nothing"),
    "mv": ("mv", "nothing", "other"),
    "work": ("work", "start", "nothing"),
    "review": ("review", "show", "nothing"),
    "imports": ("imports", "show", "nothing"),
    "judge": ("duplicates", "judge", "nothing", "other", "--distinct"),
    "recall": ("recall", ""),
    "context": ("context", ""),
    "feedback": ("feedback", "nothing", "helpful"),
    "correct": ("correct", "nothing", "that"),
    "confirm": ("confirm", "nothing"),
    "redact": ("redact", "nothing", "--field", "summary", "--reason", "why"),
    "new": ("new", "experience", "it"),
    "index": ("index", "--rebuild", "--check"),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", ASKED)
def test_lines_of_other_commands_name_the_vault(desk: Desk, tmp_path: Path, name: str) -> None:
    beside = desk.at(str(make_vault(tmp_path / "beside")))
    command = [*ASKED[name], "--vault", f"../{desk.root.name}"]
    here, there = desk.doll(*ASKED[name]), beside.doll(*command)
    assert "--vault" not in here.err
    lines = re.findall(r"\bdoll (?!hooks|init|schema|wrote)[a-z]+ .*", there.err)
    assert all(f"--vault {desk.root}" in line for line in lines), there.err
    hint = beside.doll(*command, "--json").json["hint"]
    assert hint.count("--vault") == there.err.count("--vault")


def _writing(folder: Path, name: str, text: str) -> str:
    """Return the program of an editor that leaves this text."""
    (folder / f"{name}.md").write_text(text)
    editor = folder / name
    editor.write_text(f'#!/bin/sh\ncat {folder}/{name}.md >"$1"\n')
    editor.chmod(0o755)
    return str(editor)


def test_an_edit_goes_on_in_the_vault_that_was_named(desk: Desk, tmp_path: Path) -> None:
    beside = desk.at(str(make_vault(tmp_path / "beside")))
    for each in (desk, beside):
        each.put("confirmed/espresso.md", MEMORY)
        each.git("add", "-A")
        each.git("commit", "-qm", "espresso")
    wrong = _writing(tmp_path, "wrong", "---\ntags: [\n---\n")
    command = ("edit", "espresso", "--vault", f"../{desk.root.name}")
    kept = beside.doll(*command, VISUAL=wrong)
    assert kept.code == 1
    (line,) = re.findall(r"doll edit .*--resume.*", kept.err)
    right = _writing(tmp_path, "right", f"{MEMORY}Milk.\n")
    beside.type(f"export VISUAL={right}; {line}")
    assert desk.read("confirmed/espresso.md") == f"{MEMORY}Milk.\n"
    assert beside.read("confirmed/espresso.md") == MEMORY


def test_the_environment_names_a_vault_too(desk: Desk, tmp_path: Path) -> None:
    beside = desk.at(str(make_vault(tmp_path / "beside")))
    named, other = str(desk.root), str(beside.root)
    said = beside.doll("show", "nothing", DOLL_VAULT=named).err
    assert f"doll list --vault {desk.root}" in said
    assert "--vault" not in desk.doll("show", "nothing", DOLL_VAULT=named).err
    said = desk.doll("show", "nothing", "--vault", ".", DOLL_VAULT=other).err
    assert f"doll list --vault {desk.root}" in said
