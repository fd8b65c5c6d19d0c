"""`doll export pam`: what goes into an export, and in which form."""

import json
from pathlib import Path

import jsonschema
import pytest

from doll.interchange.pam import schema
from tests.desk import Desk, make_vault
from tests.exports import (
    GITHUB,
    approve_all,
    checked,
    exported,
    ids,
    lost,
    reasons,
    remember,
    report,
    run,
    survives,
)
from tests.foreign_desk import ForeignDesk
from tests.gitbox import make

pytestmark = pytest.mark.sampled(4)

COFFEE = """---
title: Espresso
summary: Short, no sugar
created: 2025-01-02T03:04:05+02:00
updated: 2025-02-02T03:04:05.25Z
valid_until: 2030-01-01T00:00:00Z
tags: [Coffee, "#home/kitchen", küche, tea]
related: [tea, nothing]
kind: preference
sensitivity: sensitive
vintage: 2024
---

Double espresso, *no* sugar.
"""


@pytest.fixture
def stocked(desk: Desk) -> Desk:
    """A vault with memories of every standing."""
    remember(
        desk,
        espresso=COFFEE,
        tea="created: 2025-03-01T00:00:00Z\ntags: [drinks]",
        hidden="sensitivity: secret",
        kept="exportable: false",
        old="status: archived",
        wrong="status: retracted",
        new="supersedes: [former]\ncreated: 2025-04-01T00:00:00Z",
        former="title: Former",
    )
    return desk


def test_only_what_may_go_is_exported(stocked: Desk) -> None:
    document = checked(exported(stocked, "--all"))
    assert ids(document) == ["espresso", "new", "tea"]
    told = report(stocked, "--all")
    assert reasons(told) == {
        "archived": 1,
        "superseded": 1,
        "retracted": 1,
        "secret": 1,
        "not_exportable": 1,
    }
    assert told["counts"] == {
        "exported": 3, "new": 3, "changed": 0, "unchanged": 0, "relations": 1,
    }  # fmt: skip
    assert told["document"] == document


def test_a_memory_in_full(stocked: Desk) -> None:
    memory = exported(stocked, "espresso")["memories"][0]
    assert memory.pop("content_hash").startswith("sha256:")
    assert memory == {
        "id": "espresso",
        "type": "preference",
        "custom_type": None,
        "status": "active",
        "content": "\nDouble espresso, *no* sugar.\n",
        "summary": "Short, no sugar",
        "tags": ["coffee", "home-kitchen", "tea"],
        "temporal": {
            "created_at": "2025-01-02T03:04:05+02:00",
            "updated_at": "2025-02-02T03:04:05.250000Z",
            "valid_until": "2030-01-01T00:00:00Z",
        },
        "provenance": {"platform": "doll"},
        "embedding_ref": None,
    }


def test_what_stands_around_the_memories(stocked: Desk) -> None:
    document = exported(stocked, "--all")
    assert document["schema_version"] == "1.0"
    assert document["exported_by"].startswith("doll/")
    assert document["export_date"] == "2026-08-20T14:32:05Z"
    assert document["owner"] == {"id": "ada"}
    assert document["export_type"] == "full"
    assert "signature" not in document


def test_the_schema_accepts_it_and_the_sdk_loads_it(stocked: Desk, tmp_path: Path) -> None:
    import portable_ai_memory

    place = tmp_path / "store.json"
    run(stocked, "--all", "--out", str(place))
    document = json.loads(place.read_bytes())
    formats = jsonschema.FormatChecker()
    jsonschema.Draft202012Validator(schema.published(), format_checker=formats).validate(document)
    loaded = portable_ai_memory.load(place)
    assert isinstance(loaded, portable_ai_memory.MemoryStore)
    assert [memory.id for memory in loaded.memories] == ids(document)


def test_links_become_relations_where_both_ends_are_exported(stocked: Desk) -> None:
    assert exported(stocked, "--all")["relations"] == [
        {
            "id": "espresso related_to tea",
            "from": "espresso",
            "to": "tea",
            "type": "related_to",
            "created_at": "2025-02-02T03:04:05.250000Z",
        }
    ]
    assert exported(stocked, "espresso")["relations"] == []


def test_the_losses_are_named_by_record(stocked: Desk) -> None:
    told = report(stocked, "--all")
    assert lost(told) == {
        "espresso": ["id", "title", *["tags"] * 3, "sensitivity", "related", "vintage"],
        "new": ["id", "supersedes"],
        "tea": ["id"],
    }
    counts = {each["field"]: each["count"] for each in told["losses"]}
    assert counts == {
        "id": 3, "title": 1, "tags": 1, "sensitivity": 1, "supersedes": 1, "related": 1, "*": 1,
    }  # fmt: skip
    (espresso,) = [each["fields"] for each in told["lost"] if each["id"] == "espresso"]
    assert [each["detail"] for each in espresso if each["field"] == "tags"] == [
        "Coffee became coffee",
        "#home/kitchen became home-kitchen",
        "küche is left out",
    ]


def test_no_report_names_where_a_link_leads_that_is_not_exported(stocked: Desk) -> None:
    remember(stocked, linked="related: [hidden]")
    told = report(stocked, "--all")
    left_out = {each["reason"]: each["ids"] for each in told.pop("left_out")}
    assert left_out["secret"] == ["hidden"]
    assert "linked" in json.dumps(told)
    assert "hidden" not in json.dumps(told)


def test_where_title_and_summary_go(desk: Desk) -> None:
    remember(
        desk,
        named="title: Its name",
        named_twice="title: Its name\nsummary: In short",
        titled="---\ntitle: Only a title\nsummary: More\n---\n \n",
        summed="---\nsummary: Only a summary\n---\n",
        void="---\ntags: [x]\n---\n",
    )
    document = exported(desk, "--all", code=1)
    assert {m["id"]: (m["content"], m["summary"]) for m in document["memories"]} == {
        "named": ("About named.\n", "Its name"),
        "named-twice": ("About named_twice.\n", "In short"),
        "titled": ("Only a title", "More"),
        "summed": ("Only a summary", None),
    }
    assert reasons(report(desk, "--all", code=1)) == {"empty": 1}


def test_a_memory_that_does_not_say_when_it_was_written(desk: Desk) -> None:
    remember(desk, first="title: First")
    desk.put("confirmed/later.md", "---\ntitle: Later\n---\nLater.\n")
    desk.git("add", "-A")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.gitbox.CLOCK", {"GIT_COMMITTER_DATE": "2026-09-01T00:00:00+02:00"})
        desk.git("commit", "-qm", "later")
    document = exported(desk, "--all")
    assert [memory["temporal"] for memory in document["memories"]] == [
        {"created_at": "2026-08-20T14:32:05Z"},
        {"created_at": "2026-08-31T22:00:00Z"},
    ]
    assert document["export_date"] == "2026-08-31T22:00:00Z"


def test_by_tag_and_by_query(stocked: Desk) -> None:
    assert ids(exported(stocked, "--tag", "DRINKS")) == ["tea"]
    assert ids(exported(stocked, "--tag", "drinks", "--tag", "#coffee")) == ["espresso", "tea"]
    assert ids(exported(stocked, "--query", "double espresso")) == ["espresso"]
    assert ids(exported(stocked, "--query", "about", "--tag", "drinks")) == ["tea"]
    told = report(stocked, "--query", "about")
    assert ids(told["document"]) == ["new", "tea"]
    assert "secret" not in reasons(told)
    assert reasons(told)["archived"] == 1
    assert told["not_asked_for"] is True


def test_names_may_be_aliases_paths_and_beginnings(stocked: Desk) -> None:
    remember(stocked, green="aliases: [matcha]")
    assert ids(exported(stocked, "matcha", "confirmed/tea.md", "espr")) == [
        "espresso",
        "green",
        "tea",
    ]


def test_the_same_records_give_the_same_bytes(stocked: Desk, tmp_path: Path) -> None:
    before = run(stocked, "--all").out
    assert "\n" in before
    stocked.put("README.md", "unrelated\n")
    stocked.git("add", "-A")
    stocked.git("commit", "-qm", "unrelated")
    assert stocked.doll("export", "pam", "--owner", "ada", "--all", TZ="Asia/Tokyo").out == before
    copied = Desk(make_vault(tmp_path / "other"), stocked._capsys)
    for path, data in stocked.files().items():
        if path.startswith("confirmed/"):
            copied.put(path, data.decode())
    copied.git("add", "-A")
    copied.git("commit", "-qm", "all at once")
    assert run(copied, "--all").out == before


def test_a_vault_inside_of_another_repository(
    stocked: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = run(stocked, "--all").json
    code = make(tmp_path / "code")
    outer = Desk(code, capsys)
    for path, data in stocked.files().items():
        outer.put(f"notes/{path}", data.decode())
    outer.git("add", "-A")
    outer.git("commit", "-qm", "vault")
    inner = outer.at("notes")
    inner.put("../src/x.py", "pass\n")
    assert run(inner, "--all").json == before
    remember(inner, undated="title: Undated")
    memory = exported(inner, "undated")["memories"][0]
    assert memory["temporal"]["created_at"] == "2026-08-20T14:32:05Z"


def test_what_does_not_hold_yet_replaces_nothing_yet(desk: Desk) -> None:
    remember(
        desk,
        home="created: 2024-01-01T00:00:00Z",
        moved="supersedes: [home]\nvalid_from: 2026-10-01T00:00:00Z\ncreated: 2026-08-01T00:00:00Z",
        over="valid_until: 2025-01-01T00:00:00Z",
    )
    document = exported(desk, "--all")
    assert ids(document) == ["home", "moved", "over"]
    assert [each["type"] for each in document["relations"]] == ["supersedes"]
    later = exported(desk, "--all", "--as-of", "2026-11-01T00:00:00Z")
    assert ids(later) == ["moved", "over"]


def test_the_date_can_be_chosen(stocked: Desk) -> None:
    first = exported(stocked, "--all", "--as-of", "2026-12-01T00:00:00Z")
    assert first["export_date"] == "2026-12-01T00:00:00Z"
    assert first["export_id"] != exported(stocked, "--all")["export_id"]


def test_a_round_trip_keeps_content_summary_tags_and_times(
    stocked: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remember(
        stocked, odd="---\ncreated: 2025-05-01T00:00:00Z\n---\n---\nschema: x\n---\r\n\t# x\n\n"
    )
    first = run(stocked, "--all").out
    other = ForeignDesk(make_vault(tmp_path / "empty" / "notes"), capsys)
    approve_all(other, first.encode())
    second = checked(exported(other, "--all"))
    before = {survives(memory) for memory in json.loads(first)["memories"]}
    assert {survives(memory) for memory in second["memories"]} == before
    assert len(second["memories"]) == len(before) == 4
    assert not set(ids(second)) & set(ids(json.loads(first)))
    told = report(other, "--all")
    assert {"id", "origin_id", "claims"} <= {each["field"] for each in told["losses"]}
    assert {"id", "title"} <= {each["field"] for each in report(stocked, "--all")["losses"]}


def test_a_second_round_trip_changes_nothing_at_all(
    stocked: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = ForeignDesk(make_vault(tmp_path / "empty" / "notes"), capsys)
    approve_all(other, run(stocked, "--all").out.encode())
    again = other.bring(run(stocked, "--all").out.encode()).json
    assert again["counts"]["unchanged"] == 3
    assert again["counts"]["new"] == 0


def test_a_secret_is_left_out_and_named_by_place(stocked: Desk) -> None:
    remember(stocked, key=f"---\ntitle: Key\n---\nfirst\n{GITHUB}\n")
    result = run(stocked, "--all", code=1)
    assert "key" not in ids(result.json)
    assert "confirmed/key.md:5:1: error: this looks like a secret (github-token) in `body`" in (
        result.err
    )
    assert GITHUB not in result.err + result.out


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (f"---\ntitle: Key\nsummary: {GITHUB}\n---\nText.\n", 3, "summary"),
        (f"---\ntitle: {GITHUB}\n---\nText.\n", 2, "title"),
        (f"---\ntags:\n  - a\n  - {GITHUB}\n---\nText.\n", 2, "tags"),
        (f"---\r\ntitle: Key\r\n---\r\nOne.\r\n{GITHUB}\r\n", 5, "body"),
        (f"---\ntitle: Key\n---\n{GITHUB}", 4, "body"),
    ],
)
def test_a_secret_in_any_field(stocked: Desk, text: str, line: int, field: str) -> None:
    stocked.put("confirmed/key.md", text)
    stocked.git("add", "-A")
    stocked.git("commit", "-qm", "key")
    said = stocked.refused(5, "export", "pam", "--owner", "ada", "key", "tea")
    assert f"confirmed/key.md:{line}:1: error: this looks like a secret (github-token)" in said
    assert f"in `{field}`" in said
    assert GITHUB not in said


def test_a_false_alarm_that_was_declared_is_exported(stocked: Desk) -> None:
    stocked.put("confirmed/key.md", f"---\ntitle: Key\n---\nNot one: {GITHUB}\n")
    stocked.git("add", "-A")
    message = "key\n\nDoll-Not-A-Secret: github-token:body"
    stocked.git("commit", "-qm", message)
    assert ids(exported(stocked, "key")) == ["key"]
