"""`doll export pam --base`: only what is new or changed, and what is gone is said."""

import json
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.exports import checked, exported, ids, lost, remember, report, run
from tests.pam_documents import Json, encoded, sealed, store

pytestmark = pytest.mark.sampled(4)

EXPORT = ("export", "pam", "--owner", "ada", "--all")


@pytest.fixture
def stocked(desk: Desk) -> Desk:
    """A vault with four memories, and an export of them beside it."""
    remember(
        desk,
        good="title: Good\nrelated: [tea]",
        tea="title: Tea",
        old="title: Old",
        left="title: Left",
        late="title: Late",
    )
    run(desk, "--all", "--out", str(base_of(desk)))
    return desk


def base_of(desk: Desk) -> Path:
    """Return where the earlier export lies."""
    return desk.root.parent / "base.json"


def since(desk: Desk, *options: str, code: int = 0) -> Json:
    """Return the report of an export against the earlier one."""
    return report(desk, *(options or ("--all",)), "--base", str(base_of(desk)), code=code)


def test_nothing_changed(stocked: Desk) -> None:
    told = since(stocked)
    assert told["counts"] == {
        "exported": 0, "new": 0, "changed": 0, "unchanged": 5, "relations": 0,
    }  # fmt: skip
    document = checked(told["document"])
    assert document["export_type"] == "incremental"
    assert document["memories"] == []
    assert told["gone"] == []


def test_what_is_new_changed_and_gone(stocked: Desk) -> None:
    base = json.loads(base_of(stocked).read_bytes())
    stocked.git("rm", "-q", "confirmed/left.md")
    stocked.ok("mv", "late", "later")
    remember(
        stocked,
        good="title: Better\nrelated: [tea]\ntags: [better]",
        old="status: archived",
        more="title: More",
    )
    told = since(stocked)
    document = checked(told["document"])
    assert ids(document) == ["good", "later", "more"]
    assert document["base_export_id"] == base["export_id"]
    assert document["since"] == base["export_date"]
    assert told["counts"] == {
        "exported": 3, "new": 2, "changed": 1, "unchanged": 1, "relations": 1,
    }  # fmt: skip
    assert told["gone"] == [
        {"id": "late", "why": "renamed"},
        {"id": "left", "why": "gone"},
        {"id": "old", "why": "archived"},
    ]
    assert set(lost(told)) == {"good", "later", "more"}
    assert told["partial"] is True


def test_a_link_that_comes_or_goes_changes_its_memory(stocked: Desk) -> None:
    remember(stocked, good="title: Good", old="title: Old\nrelated: [tea]\ncontradicts: [left]")
    told = since(stocked)
    assert ids(told["document"]) == ["good", "old"]
    assert told["counts"]["changed"] == 2
    relations = told["document"]["relations"]
    assert [(each["from"], each["to"]) for each in relations] == [("old", "left"), ("old", "tea")]
    remember(stocked, good="title: Good\nrelated: [tea]", old="title: Old")
    assert since(stocked)["counts"]["changed"] == 0


def test_what_is_not_exported_changes_no_memory(stocked: Desk) -> None:
    remember(stocked, good="title: Good\nrelated: [tea]\nsensitivity: sensitive\nodd: 1")
    assert since(stocked)["counts"]["unchanged"] == 5


def test_what_was_not_asked_for_is_not_gone(stocked: Desk) -> None:
    told = since(stocked, "tea")
    assert {each["why"] for each in told["gone"]} == {"not_asked_for"}
    assert len(told["gone"]) == 4


def test_the_loss_report_names_what_is_gone(stocked: Desk) -> None:
    stocked.git("rm", "-q", "confirmed/left.md")
    stocked.git("commit", "-qm", "gone")
    out = stocked.root.parent / "since.json"
    result = run(stocked, "--all", "--base", str(base_of(stocked)), "--out", str(out))
    assert "1 memory of the base is not exported any more" in result.out
    text = Path(f"{out}.loss.md").read_text(encoding="utf-8")
    assert "## Memories of the base that are not exported any more" in text
    assert "- `left`" in text
    assert "incremental: only what is new or changed since `doll-" in text


def test_the_base_is_never_replaced(stocked: Desk) -> None:
    base = str(base_of(stocked))
    before = base_of(stocked).read_bytes()
    stocked.refused(2, *EXPORT, "--base", base, "--out", base, "--force")
    assert base_of(stocked).read_bytes() == before


def test_an_incremental_export_is_no_base(stocked: Desk) -> None:
    out = stocked.root.parent / "since.json"
    run(stocked, "--all", "--base", str(base_of(stocked)), "--out", str(out))
    said = stocked.refused(4, *EXPORT, "--base", str(out))
    assert "this export is itself incremental" in said
    assert "[pam.incremental]" in said


def test_another_owner_s_export_is_no_base(stocked: Desk) -> None:
    options = ("export", "pam", "--all", "--owner", "eve", "--base", str(base_of(stocked)))
    assert "an export of another owner" in stocked.refused(2, *options)


@pytest.mark.parametrize(
    ("document", "code", "said"),
    [
        (store(), 4, "this export was not made by doll"),
        ({"schema": "else"}, 4, "this is no PAM memory store"),
        ([], 4, "this is no PAM memory store"),
        (store(schema_version="2.0"), 4, "no PAM 1.0 memory store"),
        (store(owner={}), 4, "is not a valid PAM memory store"),
    ],
)
def test_a_base_that_is_none(stocked: Desk, document: object, code: int, said: str) -> None:
    base_of(stocked).write_bytes(encoded(document))
    assert said in stocked.refused(code, *EXPORT, "--base", str(base_of(stocked)))


@pytest.mark.parametrize("name", ["export_id", "export_date"])
def test_a_base_without_its_name_or_date(stocked: Desk, name: str) -> None:
    document = json.loads(base_of(stocked).read_bytes())
    del document[name]
    base_of(stocked).write_bytes(encoded(document))
    stocked.refused(4, *EXPORT, "--base", str(base_of(stocked)))


def test_a_base_that_was_changed_or_cut_off(stocked: Desk) -> None:
    data = base_of(stocked).read_bytes()
    for broken in (data.replace(b"About", b"About!"), data[:-100], b"", data + b"x"):
        base_of(stocked).write_bytes(broken)
        stocked.refused(4, *EXPORT, "--base", str(base_of(stocked)))
    base_of(stocked).unlink()
    stocked.refused(2, *EXPORT, "--base", str(base_of(stocked)))


def test_base_and_increment_together_are_the_whole(stocked: Desk) -> None:
    base = json.loads(base_of(stocked).read_bytes())
    remember(stocked, good="tags: [better]", more="title: More")
    increment = since(stocked)["document"]
    merged = {m["id"]: m for m in (*base["memories"], *increment["memories"])}
    whole = exported(stocked, "--all")
    assert sealed({**whole, "memories": [merged[name] for name in sorted(merged)]}) == whole
