"""Work items that wait for each other in a circle: an error that names it, also as staged."""

import pytest

from tests.desk import Desk


def item(name: str, *waits: str, aliases: str = "") -> tuple[str, str]:
    lines = f"depends_on: [{', '.join(waits)}]\n" if waits else ""
    lines += f"aliases: [{aliases}]\n" if aliases else ""
    text = f"---\nproject: atlas\nstatus: ready\n{lines}---\n"
    return f"authority/work-items/{name}.md", text


CIRCLES = [
    ([item("a", "a")], ["a → a"]),
    ([item("a", "b"), item("b", "a")], ["a → b → a"]),
    ([item("a", "B"), item("b", "old-c"), item("c", "a", aliases="old-c")], ["a → b → c → a"]),
    ([item("a", "b", "c"), item("b", "d"), item("c", "d"), item("d")], []),
    (
        [item("a", "b"), item("b", "a", "c"), item("c", "d"), item("d", "c")],
        ["a → b → a", "c → d → c"],
    ),
]


@pytest.mark.parametrize(("items", "circles"), CIRCLES)
@pytest.mark.parametrize("staged", [False, True])
def test_a_circle_is_an_error_that_names_it(
    desk: Desk, items: list[tuple[str, str]], circles: list[str], staged: bool
) -> None:
    for path, text in items:
        desk.put(path, text)
    if staged:
        desk.git("add", "-A")
        for path, _ in items:
            desk.put(path, item("x")[1])  # what is staged counts, not what is on disk
    result = desk.doll("validate", *(["--staged"] if staged else []), "--json")
    assert result.code == (1 if circles else 0)
    said = [(p["code"], p["severity"], p["message"]) for p in result.json["problems"]]
    where = "`depends_on` goes round in a circle: "
    assert said == [("reference.cycle", "error", where + circle) for circle in circles]
    for problem in result.json["problems"]:
        assert problem["line"] == 4
        assert "depends_on" in problem["hint"]


def test_a_circle_that_head_has_stops_no_other_commit(desk: Desk) -> None:
    for path, text in CIRCLES[1][0]:
        desk.put(path, text)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "circle")
    desk.put("confirmed/tea.md", "---\ntitle: Tea\n---\n")
    desk.git("add", "-A")
    desk.ok("validate", "--staged")
    assert desk.doll("validate").code == 1


def test_an_edit_that_closes_a_circle_is_not_written(desk: Desk) -> None:
    for path, text in (item("a", "b"), item("b")):
        desk.put(path, text)
    editor = "sed -i 's/^status.*/&\\ndepends_on: a/'"
    said = desk.refused(1, "edit", "b", EDITOR=editor)
    assert "`depends_on` goes round in a circle: a → b → a" in said
