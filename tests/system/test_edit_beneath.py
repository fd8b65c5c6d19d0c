"""`doll edit` while its record goes elsewhere: the only copy stays, and its lines put it back."""

import shlex
import sys
from pathlib import Path

import pytest

from tests import editors
from tests.desk import Desk
from tests.examined import commands, of_code, wanting
from tests.ordinary import ordinary

pytestmark = pytest.mark.sampled(4)

PATH = "confirmed/espresso.md"
TEXT = "---\ntitle: Espresso\n---\nNo sugar.\n"
NEW = TEXT + "Nor milk.\n"


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A vault with two committed memories."""
    desk.put(PATH, TEXT)
    desk.put("confirmed/tea.md", TEXT.replace("Espresso", "Tea"))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "memories")
    desk.git("config", "branch.main.remote", ".")
    desk.git("config", "branch.main.merge", "refs/heads/main")
    return desk


def edited(desk: Desk, beneath: str) -> tuple[list[str], Path]:
    """Edit the memory while a shell does something; return the lines to type and the kept copy."""
    line = f"cd {shlex.quote(str(desk.root))} && {{ {beneath}; }}"
    editor = editors.typing(desk.root.parent, NEW.encode(), line)
    result = desk.doll("edit", "espresso", EDITOR=editor)
    assert result.code == 5, result.err
    (copy,) = (desk.root / ".git/doll/edits").glob("*/*.md")
    assert f"your text is kept at {copy}" in result.err
    hint = [line.strip() for line in result.err.splitlines() if line.startswith("  ")]
    return [line.partition("    ")[0] for line in hint if not line.startswith("#")], copy


GONE = {
    "removed": f"rm {PATH}",
    "with its folder": "rm -r confirmed",
    "a link": f"rm {PATH} && ln -s tea.md {PATH}",
    "a link to nothing": f"rm {PATH} && ln -s nowhere {PATH}",
    "a folder": f"rm {PATH} && mkdir {PATH} && echo 1 >{PATH}/1",
    "renamed by hand": f"mv {PATH} confirmed/ristretto.md",
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("asked", ["edit", "doctor"])
@pytest.mark.parametrize("beneath", GONE.values(), ids=GONE)
def test_a_record_that_is_gone_is_put_back_and_no_line_removes(
    desk: Desk, beneath: str, asked: str
) -> None:
    lines, copy = edited(desk, beneath)
    if asked == "doctor":
        lines = commands(of_code(desk, "state.edit"))
    show, back = lines
    outside = desk.at("..")
    assert outside.type(show) == NEW
    outside.type(back)
    assert desk.read(PATH) == NEW
    assert not (desk.root / PATH).is_symlink()
    assert copy.read_text() == NEW
    assert desk.read("confirmed/tea.md" if "-r" not in beneath else PATH) != ""
    assert "state.edit" not in wanting(desk)


@pytest.mark.parametrize("asked", ["edit", "doctor"])
def test_a_folder_that_became_a_file_is_moved_away(desk: Desk, asked: str) -> None:
    (desk.root / "confirmed/sub/er").mkdir(parents=True)
    desk.git("mv", PATH, "confirmed/sub/er/espresso.md")
    desk.git("commit", "-qm", "deeper")
    lines, copy = edited(desk, "rm -r confirmed/sub && echo mine >confirmed/sub")
    if asked == "doctor":
        lines = commands(of_code(desk, "state.edit"))
    show, back = lines
    assert desk.type(show) == NEW
    desk.type(back)
    assert desk.read("confirmed/sub/er/espresso.md") == copy.read_text() == NEW
    assert desk.read("confirmed/sub.away") == "mine\n"


def test_a_folder_that_became_a_link_is_not_written_through(desk: Desk) -> None:
    (show, resume), _ = edited(desk, "mv confirmed ../elsewhere && ln -s ../elsewhere confirmed")
    assert desk.type(show) == NEW
    (desk.root / "confirmed").unlink()
    (desk.root.parent / "elsewhere").rename(desk.root / "confirmed")
    desk.type(f"EDITOR=true {resume}")
    assert desk.read(PATH) == NEW


def test_a_record_that_was_renamed_is_found_by_its_former_id(desk: Desk) -> None:
    (show, edit), copy = edited(desk, "doll mv espresso ristretto --commit >&2")
    assert "> Nor milk." in desk.type(show, code=1)
    assert edit == "doll edit ristretto"
    for name in ("espresso", "ristretto"):
        said = desk.refused(5, "edit", name, "--resume", EDITOR="true")
        assert "confirmed/ristretto.md has changed since that text was begun" in said
        assert f"doll edit ristretto    to take over what you want of it; then: rm {copy}" in said
    found = of_code(desk, "state.edit")
    assert commands(found)[1:] == ["doll edit ristretto", f"rm -r -- {copy.parent}"]


def test_a_text_of_a_former_id_is_gone_on_with(desk: Desk) -> None:
    desk.put(PATH, TEXT.replace("title:", "aliases: [ristretto]\ntitle:"))
    begun = desk.doll(
        "edit", "espresso", EDITOR=editors.script(desk.root.parent, "echo 1 >>$1; exit 3")
    )
    assert begun.code == 5
    (desk.root / PATH).rename(desk.root / "confirmed/lungo.md")
    (copy,) = (desk.root / ".git/doll/edits").glob("*/*.md")
    copy.rename(copy.with_name("ristretto.md"))
    line = commands(of_code(desk, "state.edit"))[0]
    assert line == "doll edit lungo --resume"
    desk.type(f"EDITOR=true {line}")
    assert desk.read("confirmed/lungo.md").endswith("No sugar.\n1\n")


def test_a_text_of_which_nothing_is_known_has_no_line_that_removes_it(desk: Desk) -> None:
    desk.put(f".git/doll/edits/{'0' * 64}-aabbccdd/gone.md", NEW)
    found = of_code(desk, "state.edit")
    (show,) = commands(found)
    assert desk.type(show) == NEW
    assert "# rm -r -- " in found["hint"]


def test_a_text_is_named_whatever_became_of_the_folder(desk: Desk) -> None:
    """Where the records, or the texts that are kept, cannot be read, that is said."""
    user, area = ordinary(desk.root), desk.root / "confirmed"
    editor = editors.script(desk.root.parent, f"echo more >>$1; chmod 0 {shlex.quote(str(area))}")
    result = user.run("env", f"EDITOR={editor}", sys.executable, "-m", "doll", "edit", "espresso")
    area.chmod(0o755)
    (copy,) = (desk.root / ".git/doll/edits").glob("*/*.md")
    assert result.returncode == 3
    assert f"your text is kept at {copy}\n" in result.stderr
    assert "  doll edit espresso --resume    goes on with your text\n" in result.stderr
    place = copy.parents[1]
    place.chmod(0)
    said = user.doll("doctor").stdout
    assert f"{place}: warning: the texts of an editor that are kept here cannot be" in said
    assert f"\n    chmod u+rwx -- {place}\n" in said
    place.chmod(0o700)
    desk.type("EDITOR=true doll edit espresso --resume")
    assert desk.read(PATH) == f"{TEXT}more\n"
