"""A context pack holds what is accepted and nothing else, and says what it leaves out."""

from typing import Any

from tests.desk import Desk
from tests.pam_documents import encoded, full_memory, store
from tests.recall_vault import entry, memory
from tests.system.test_context import FAILED, TASK, context, ids, item

DECISION = "authority/decisions/orders.md"
ACCEPTED = item("Orders stay in one table", status="accepted")


def commit(desk: Desk, *records: tuple[str, str]) -> None:
    for path, text in records:
        desk.put(path, text)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "records")


def left_out(found: Any) -> dict[str, tuple[int, list[str]]]:
    return {reason: (each["count"], each["ids"]) for reason, each in found["left_out"].items()}


def test_a_candidate_never_appears(desk: Desk) -> None:
    text = encoded(store(full_memory(content="orders are a secret plan of the table")))
    (desk.root.parent / "store.json").write_bytes(text)
    desk.ok("import", "pam", "../store.json", "--commit")
    desk.ok("new", "memory", "proposal", "--title", "orders", "--by", "model:x", "--commit")
    found = context(desk, TASK)
    assert found["items"] == []
    assert found["left_out"] == {}
    assert found["markdown"].endswith("\n\nNothing was found.")


def test_what_is_not_committed_never_appears(desk: Desk) -> None:
    commit(desk, ("confirmed/kept.md", memory("Orders are kept")), (DECISION, ACCEPTED))
    desk.put("confirmed/new.md", memory("Orders are new"))
    desk.git("add", "confirmed/new.md")
    desk.put("confirmed/kept.md", memory("Orders are dropped"))
    desk.put("authority/decisions/more.md", ACCEPTED)
    desk.put(DECISION, ACCEPTED.replace("one table", "two tables"))
    found = context(desk, TASK, "--project", "atlas")
    assert ids(found) == ["orders", "kept"]
    # The committed text counts, whatever became of it in the work tree.
    assert found["items"][0]["quote"] == ["Orders stay in one table"]
    assert found["items"][1]["quote"] == ["Orders are kept"]
    assert left_out(found) == {"not_committed": (4, ["kept", "new", "more", "orders"])}


def test_a_failure_that_is_not_committed_is_counted(desk: Desk) -> None:
    desk.put(f"experience/atlas/{FAILED}.md", entry("orders failed", outcome="failed"))
    found = context(desk, TASK, "--project", "atlas")
    assert found["items"] == []
    assert left_out(found) == {"not_committed": (1, [FAILED])}


def test_a_feature_branch_adds_nothing(desk: Desk) -> None:
    commit(desk, ("confirmed/kept.md", memory("Orders are kept")), (DECISION, ACCEPTED))
    desk.git("switch", "-qc", "feature")
    superseding = item("Orders go", status="accepted", supersedes="[orders]")
    commit(desk, ("authority/decisions/two.md", superseding), ("confirmed/b.md", memory("Orders")))
    found = context(desk, TASK, "--project", "atlas")
    assert ids(found) == ["orders", "kept"]
    assert left_out(found)["not_committed"] == (2, ["b", "two"])
    desk.git("switch", "-q", "main")
    commit(desk, (DECISION, ACCEPTED.replace("one table", "two tables")))
    desk.git("switch", "-q", "feature")
    elsewhere = context(desk, TASK, "--project", "atlas")
    assert [each["quote"] for each in elsewhere["items"]] == [
        ["Orders stay in one table"],
        ["Orders are kept"],
    ]
    desk.git("switch", "-q", "main")
    desk.git("merge", "-q", "-m", "merge", "feature")
    assert ids(context(desk, TASK, "--project", "atlas")) == ["two", "b", "kept"]


def test_what_is_not_committed_supersedes_nothing(desk: Desk) -> None:
    failed = f"experience/atlas/{FAILED}.md"
    commit(
        desk,
        ("confirmed/old.md", memory("Orders are kept")),
        (failed, entry("orders failed", outcome="failed")),
    )
    later = "experience/atlas/20260803T000000Z-attempt-x-k3v9q2xw7e.md"
    desk.put("confirmed/young.md", memory("Of late", supersedes="[old]"))
    desk.put(later, entry("It was the cable", supersedes=f"[{FAILED}]"))
    assert ids(context(desk, TASK, "--project", "atlas")) == [FAILED, "old"]
    desk.git("add", "-A")
    assert ids(context(desk, TASK, "--project", "atlas")) == [FAILED, "old"]
    desk.git("commit", "-qm", "later")
    found = context(desk, TASK, "--project", "atlas")
    assert not {FAILED, "old"} & set(ids(found))
    assert left_out(found)["superseded"] == (2, [FAILED, "old"])
    # Neither does what supersedes it cease to by an edit or a removal.
    desk.put("confirmed/young.md", memory("Of late and no more"))
    assert "old" not in ids(context(desk, TASK))
    (desk.root / "confirmed/young.md").unlink()
    assert "old" not in ids(context(desk, TASK))


def test_what_is_not_current_is_left_out_by_reason(desk: Desk) -> None:
    commit(
        desk,
        ("confirmed/a.md", memory("Orders", status="archived")),
        ("confirmed/b.md", memory("Orders", valid_until="2026-01-01T00:00:00Z")),
        ("confirmed/c.md", memory("Orders", valid_from="2027-01-01T00:00:00Z")),
        ("confirmed/d.md", memory("Orders", status="superseded")),
    )
    assert left_out(context(desk, TASK)) == {
        "archived": (1, ["a"]),
        "expired": (1, ["b"]),
        "not_yet_valid": (1, ["c"]),
        "superseded": (1, ["d"]),
    }


def test_sensitivity_is_kept_and_hidden_ids_are_not_named(desk: Desk) -> None:
    def decided(label: str) -> str:
        return item("Orders stay", status="accepted", sensitivity=label)

    labels = ("public", "internal", "personal", "sensitive", "secret")
    commit(
        desk,
        *((f"confirmed/m-{x}.md", memory("Orders", sensitivity=x)) for x in labels),
        *((f"authority/decisions/d-{x}.md", decided(x)) for x in labels),
        *(
            (f"experience/atlas/20260801T00000{n}Z-attempt-{x}-k3v9q2xw7d.md",
             entry("orders", outcome="failed", sensitivity=x))
            for n, x in enumerate(labels)
        ),
        ("confirmed/unlabelled.md", memory("Orders")),
    )  # fmt: skip
    for most, label in enumerate(labels[:4]):
        result = desk.ok("context", TASK, "--project", "atlas", "--sensitivity", label, "--json")
        for hidden in labels[most + 1 :]:
            assert f"m-{hidden}" not in result.out
            assert f"d-{hidden}" not in result.out
            assert f"attempt-{hidden}" not in result.out
        found = context(desk, TASK, "--project", "atlas", "--sensitivity", label)
        assert {f"m-{shown}" for shown in labels[: most + 1]} <= set(ids(found, "memory"))
        assert ("unlabelled" in ids(found)) == (most >= 2)
    assert context(desk, TASK)["sensitivity"] == "personal"


def test_pending_records_are_named_only_where_their_label_lets_them(desk: Desk) -> None:
    sensitive = item("x", status="accepted", sensitivity="sensitive")
    desk.put("authority/decisions/hidden.md", sensitive)
    desk.put("authority/decisions/broken.md", "---\nsensitivity: secret\n---\n")
    desk.put("confirmed/quiet.md", memory("Orders", sensitivity="sensitive"))
    desk.put("confirmed/torn.md", "---\ntitle: [\n---\n")
    result = desk.ok("context", TASK, "--json")
    assert left_out(result.json)["not_committed"] == (2, [])
    assert left_out(result.json)["sensitivity"] == (1, [])
    assert left_out(result.json)["unreadable"][1] == []
    assert result.json["complete"] is False
    for name in ("hidden", "broken", "quiet", "torn"):
        assert name not in result.out
    assert "torn.md" in result.err


def test_an_edit_that_is_not_committed_lowers_no_label(desk: Desk) -> None:
    commit(desk, ("confirmed/quiet.md", memory("Orders", sensitivity="sensitive")))
    desk.put("confirmed/quiet.md", memory("Orders", sensitivity="public"))
    result = desk.ok("context", TASK, "--json")
    assert result.json["items"] == []
    assert left_out(result.json) == {"sensitivity": (1, [])}
    assert "quiet" not in result.out


def test_a_link_with_a_hidden_record_does_not_name_it(desk: Desk) -> None:
    commit(
        desk,
        ("confirmed/quiet.md", memory("Orders", sensitivity="sensitive", related="[open]")),
        ("confirmed/open.md", memory("Elsewhere")),
    )
    result = desk.ok("context", TASK, "--json")
    assert result.json["items"][0]["why"] == ["recalled: a link with what matches"]
    assert "quiet" not in result.out


def test_a_resolution_that_is_hidden_is_said_and_not_named(desk: Desk) -> None:
    solved = "20260802T000000Z-resolution-quiet-t5c7p3yh6w"
    said = {"kind": "resolution", "outcome": "worked", "sensitivity": "sensitive"}
    commit(
        desk,
        (f"experience/atlas/{FAILED}.md", entry("orders failed", outcome="failed")),
        (f"experience/atlas/{solved}.md", entry("Quiet", resolves=f"[{FAILED}]", **said)),
    )
    result = desk.ok("context", TASK, "--project", "atlas", "--json")
    assert result.json["items"][0]["resolved_by"] == [{"id": None}]
    assert "  resolved by an entry that is not shown" in result.json["markdown"]
    assert solved not in result.out
    shown = context(desk, TASK, "--project", "atlas", "--sensitivity", "sensitive")
    assert shown["items"][0]["resolved_by"][0]["id"] == solved


def test_what_waits_for_a_hidden_record_does_not_name_it(desk: Desk) -> None:
    commit(
        desk,
        ("authority/work-items/a.md", item("Orders", status="blocked", depends_on="[quiet]")),
        ("authority/work-items/quiet.md", item("Divorce", sensitivity="sensitive")),
    )
    result = desk.ok("context", TASK, "--project", "atlas", "--json")
    assert result.json["items"][0]["facts"]["waits for"] == "another one (ready)"
    assert "quiet" not in result.out


def test_broken_authority_is_said(desk: Desk) -> None:
    commit(desk, (DECISION, ACCEPTED), ("authority/decisions/torn.md", "---\ntitle: [\n---\n"))
    result = desk.ok("context", TASK, "--project", "atlas", "--json")
    assert ids(result.json) == ["orders"]
    assert result.json["complete"] is False
    assert "It may lack something" in result.json["markdown"]
    assert "torn.md" in result.err
