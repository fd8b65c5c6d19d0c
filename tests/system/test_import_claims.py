"""What a source claims stays its claim: shown as such in a review, and nowhere else."""

from tests.foreign_desk import ForeignDesk
from tests.pam_documents import full_memory, memory, relation, store

SAID = "source: confidence.current = 0.95 (meaning not known)"


def test_how_sure_a_source_was_is_shown_in_its_review_and_nowhere_else(desk: ForeignDesk) -> None:
    sure = {"initial": 0.95, "current": 0.95}
    (candidate,) = desk.committed(store(full_memory(confidence=sure)))
    shown = desk.ok("review", "show", candidate["id"]).out
    assert shown.count(SAID) == 1
    assert shown.count("confidence.current") == 1
    record = desk.approve(candidate, "--commit")["moves"][0]["record"]
    views = (("show", record), ("list",), ("recall", "tea"), ("context", "tea"), ("status",))
    for view in views:
        out = desk.doll(*view).out
        assert "confidence" not in out or view[0] == "show", view
    text = desk.read(f"confirmed/{record}.md")
    front = text.split("\n---\n")[0]
    assert [line for line in front.splitlines() if "confidence" in line] == [
        '  "/confidence/initial": "0.95"',
        '  "/confidence/current": "0.95"',
    ]


def test_an_imported_supersedes_hides_nothing(desk: ForeignDesk) -> None:
    old, new = desk.committed(
        store(
            memory("The harbour opens at nine.", id="old", status="superseded"),
            memory("The harbour opens at eight.", id="new"),
            relations=[relation("new", "old", "supersedes")],
        )
    )
    for each in (old, new):
        desk.approve(each, "--commit")
    found = desk.ok("recall", "harbour").out
    assert "nine" in found
    assert "eight" in found
    listed = desk.ok("list", "--json").json["records"]
    assert sum(each["path"].startswith("confirmed/") for each in listed) == 2


def test_two_memories_of_one_content_hash_stay_two(desk: ForeignDesk) -> None:
    done = desk.bring(store(memory("C", id="a"), memory("c", id="b"))).json
    assert done["counts"]["new"] == 2
    texts = [desk.read(each["path"]).rpartition("---\n")[2] for each in done["candidates"]]
    assert texts == ["C", "c"]
