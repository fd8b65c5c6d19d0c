"""Links that `doll recall` follows, made by the commands that make them."""

import json

from tests.desk import Desk
from tests.foreign_desk import ForeignDesk
from tests.pam_documents import memory as foreign
from tests.pam_documents import store
from tests.recall_vault import memory


def _added(desk: Desk, query: str) -> dict[str, list[str]]:
    hits = desk.ok("recall", query, "--json", "--explain").json["hits"]
    return {hit["name"]: [a["said"] for a in hit["explain"]["additions"]] for hit in hits}


def test_approved_neighbours_of_an_import_are_linked(desk: ForeignDesk) -> None:
    said = ("Tea", "Bees", "Frisian", "Sailing")
    memories = [
        foreign(
            f"About {name}.",
            id=f"mem-{9 + n}",
            summary=name,
            temporal={"created_at": f"2025-03-0{n + 1}T08:12:00Z"},
        )
        for n, name in enumerate(said)
    ]
    found = desk.committed(store(*memories), "--name", "mine")
    for candidate in found:
        desk.approve(candidate)
    desk.git("commit", "-qm", "review: all")
    bees = next(c["id"].partition("/")[2] for c in found if c["id"].startswith("mine/bees"))
    link = f"{bees} (next to it in its import)"
    assert _added(desk, "bees") == {"Bees": [], "Tea": [link], "Frisian": [link]}


def test_entries_of_one_work_item_are_linked(desk: ForeignDesk) -> None:
    desk.put("authority/projects/atlas.md", "---\nstatus: active\n---\n")
    item = "---\nproject: atlas\nstatus: ready\n---\n"
    desk.put("authority/work-items/migrate-orders.md", item)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "atlas")
    for summary in ("Locked the table", "Wrote to a second one"):
        desk.ok("log", "attempt", summary, "--project", "atlas", "--work-item", "migrate-orders")
    desk.ok("log", "attempt", "Another thing", "--project", "atlas")
    found = _added(desk, "locked")
    assert list(found) == ["Locked the table", "Wrote to a second one"]
    assert found["Wrote to a second one"][0].endswith(" (same work item)")


def test_a_link_says_no_name_of_a_secret_record(desk: ForeignDesk) -> None:
    desk.put("confirmed/vault-key.md", memory("Key", "zebra [[plain]]", sensitivity="secret"))
    desk.put("confirmed/plain.md", memory("Plain", "quagga, see [[vault-key]]"))
    out = desk.ok("recall", "zebra", "--json", "--explain").out
    assert json.loads(out)["hits"] == []
    out = desk.ok("recall", "quagga", "--json", "--explain").out
    assert [hit["id"] for hit in json.loads(out)["hits"]] == ["plain"]


def test_a_superseded_record_leads_to_the_one_that_replaces_it(desk: ForeignDesk) -> None:
    desk.put("confirmed/old-tram.md", memory("Way to work", "By tram, line 7."))
    desk.put("confirmed/new-bike.md", memory("Commute", "By bike.", supersedes="[old-tram]"))
    assert _added(desk, "tram") == {"Commute": ["old-tram (names it)"]}
