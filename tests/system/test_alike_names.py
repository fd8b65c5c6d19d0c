"""Names that a file system without cases takes for the vault's: no commit and no push has them."""

import pytest

from doll.vault.layout import taken_for
from tests.desk import Desk
from tests.gitbox import git
from tests.system.test_receive import Team, team
from tests.system.test_verify import commit

pytestmark = pytest.mark.sampled(4)

__all__ = ["team"]

TEXT = "---\norigin: model\nkind: fact\n---\nx\n"
ALIKE = {
    "Confirmed/m.md": "confirmed/m.md",
    "CONFIRMED/sub/m.md": "confirmed/sub/m.md",
    "confirmed/m.MD": "confirmed/m.md",
    "confirmed/m.md.": "confirmed/m.md",
    "Authority/policies/p.md": "authority/policies/p.md",
    "\u017ftaging/proposals/m.md": "staging/proposals/m.md",
    "con\u200dfirmed/m.md": "confirmed/m.md",
    ".Doll/cache/x": ".doll/cache/x",
    "Doll.yaml": "doll.yaml",
}
OTHERS = (
    "confirmed/README.MD",
    "docs/Confirmed/m.md",
    "confirmed.d/m.md",
    "src/a.MD",
    "confirmed/picture.PNG",
)


def found(desk: Desk, *arguments: str) -> dict[str, str]:
    """Return the hints of the problems of this kind that validate finds, by path."""
    problems = desk.doll("validate", "--json", *arguments).json["problems"]
    said = [each for each in problems if each["code"] == "path.alike"]
    assert all(each["severity"] == "error" for each in said)
    return {each["path"]: each["hint"] for each in said}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", ALIKE)
def test_neither_a_commit_nor_a_push_has_it(team: Team, path: str) -> None:
    desk = team.clone
    desk.put(path, TEXT)
    assert path in found(desk)
    assert ALIKE[path] in found(desk)[path]
    desk.git("add", "-A", "-f")
    assert path in found(desk, "--staged")
    desk.ok("hooks", "install", "--vault", ".", "--only", "pre-commit")
    assert "[path.alike]" in git(desk.root, "commit", "-qm", "alike", code=1)
    commit(desk, "alike", "--no-verify")
    assert "[path.alike]" in team.refused()


def test_other_names_are_left_in_peace(team: Team) -> None:
    for path in OTHERS:
        assert taken_for(path) is None
        team.clone.put(path, "x\n")
    assert found(team.clone) == {}
    commit(team.clone, "others")
    team.push()


def test_what_is_there_already_may_go(desk: Desk) -> None:
    desk.put("Confirmed/m.md", "---\ntitle: M\n---\n")
    commit(desk, "there")
    (hint,) = found(desk).values()
    assert hint.startswith("mkdir -p -- confirmed && git mv -- ")
    desk.type(hint)
    assert found(desk, "--staged") == {}
    assert desk.doll("validate").code == 0


def test_a_folder_beside_that_of_the_vault(desk: Desk) -> None:
    for name in ("doll.yaml", "authority", ".gitignore", ".gitattributes"):
        (desk.root / "notes").mkdir(exist_ok=True)
        desk.git("mv", name, f"notes/{name}")
    commit(desk, "a folder of a code repository")
    desk.put("Notes/confirmed/m.md", TEXT)
    desk.put("Notes/src/x", "code")
    desk.git("add", "-A")
    assert list(found(desk.at("notes"), "--staged")) == ["Notes/confirmed/m.md"]
    desk.ok("hooks", "install", "--vault", "notes", "--only", "pre-commit")
    assert "[path.alike]" in git(desk.root, "commit", "-qm", "alike", code=1)


def test_a_link_in_such_a_place(desk: Desk) -> None:
    (desk.root / "Confirmed").symlink_to("/")
    assert list(found(desk)) == ["Confirmed"]
