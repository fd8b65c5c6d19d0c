"""The filters of `doll recall`, what they refuse, and the marks of what may not count."""

import pytest

from tests.desk import Desk
from tests.recall_vault import entry, memory

pytestmark = pytest.mark.sampled(4)

AT = ("--as-of", "2026-08-20T12:00:00Z")


def _entry(desk: Desk, token: str, **fields: str) -> None:
    project = fields.get("project", "atlas")
    desk.put(f"experience/{project}/20260801T000000Z-attempt-x-{token * 10}.md", entry(
        f"zebra {token}", **fields
    ))  # fmt: skip


@pytest.fixture
def notes(desk: Desk) -> Desk:
    desk.put(
        "confirmed/fact.md",
        memory("Zebra fact", kind="fact", tags="[Stripes, zoo]", created="2026-05-31T23:59:59Z"),
    )
    desk.put(
        "confirmed/skill.md",
        memory("Zebra skill", kind="skill", tags="zoo", updated="2026-07-01T00:00:00Z"),
    )
    desk.put("confirmed/timeless.md", memory("Zebra without a time"))
    _entry(desk, "a", outcome="failed", at="2026-06-01T00:00:00+02:00")
    _entry(desk, "b", outcome="worked", at="2026-08-01T00:00:00Z", tags="stripes")
    _entry(desk, "c", project="garden", kind="lesson", at="2026-08-02T00:00:00Z")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "notes")
    return desk


def _found(desk: Desk, *options: str) -> str:
    """Return the ids of what is found, an entry by its letter, in the order of the alphabet."""
    document = desk.ok("recall", "zebra", "--json", *AT, *options).json
    return " ".join(
        sorted(hit["id"].split("-")[-1].strip("0123456789TZ") for hit in document["hits"])
    )


A, B, C = "a" * 10, "b" * 10, "c" * 10


def test_a_secret_that_was_typed_is_not_said_again(notes: Desk) -> None:
    key = "ghp_" + "a8Kd02LmQ5xPz7RtY3wVb6NcJ4hG1fSe9uTi"
    typed = ("recall", f"zebra {key}", "--tag", key, "--tag", "zoo", "--explain", *AT)
    text, document = notes.ok(*typed), notes.ok(*typed, "--json")
    for said in (text.out, text.err, document.out, document.err):
        assert key[:8].lower() not in said.lower()
        assert "a8kd02" not in said.lower()
    assert document.json["query"] == "zebra [secret: github-token]"
    assert document.json["terms"] == ["zebra"]
    assert document.json["dropped"] == ["[secret: github-token]"]
    assert document.json["filters"]["tags"] == ["[secret: github-token]", "zoo"]
    assert document.json["unknown_tags"][0]["tag"] == "[secret: github-token]"
    assert "not searched for: [secret: github-token]" in text.out
    alone = notes.ok("recall", key, "--explain", *AT)
    assert "nothing to search for" in alone.out
    assert key[:8] not in alone.out


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("", f"{A} {B} {C} fact skill timeless"),
        ("--type memory", "fact skill timeless"),
        ("--type experience", f"{A} {B} {C}"),
        ("--type memory --type experience", f"{A} {B} {C} fact skill timeless"),
        ("--project atlas", f"{A} {B}"),
        ("--project ATLAS --project garden", f"{A} {B} {C}"),
        ("--tag stripes", f"{B} fact"),
        ("--tag #zoo --tag STRIPES", f"{B} fact skill"),
        ("--kind skill --kind lesson", f"{C} skill"),
        ("--outcome failed", A),
        ("--outcome failed --outcome worked", f"{A} {B}"),
        ("--outcome failed --tag stripes", ""),
        ("--outcome worked --kind fact --kind attempt", B),
        ("--since 2026-06", f"{B} {C} skill"),
        ("--until 2026-05", f"{A} fact"),
        ("--since 2026-05-31 --until 2026-05-31", f"{A} fact"),
        ("--since 2026-06-01T00:00:00+02:00 --until 2026-05-31T23:59:59Z", f"{A} fact"),
        ("--since 2026", f"{A} {B} {C} fact skill"),
        ("--until 2025", ""),
        ("--type experience --project garden --kind lesson --since 2026-08", C),
    ],
)
def test_filters(notes: Desk, options: str, found: str) -> None:
    assert _found(notes, *options.split()) == found


def test_an_alias_names_the_project_too(notes: Desk) -> None:
    project = "---\nschema: doll/project/1\ntitle: Atlas\nstatus: active\naliases: [maps]\n---\n"
    notes.put("authority/projects/atlas.md", project)
    _entry(notes, "d", project="maps")
    assert _found(notes, "--project", "atlas") == f"{A} {B} {'d' * 10}"
    assert _found(notes, "--project", "Maps") == f"{A} {B} {'d' * 10}"


def test_a_filter_changes_no_score(notes: Desk) -> None:
    every = notes.ok("recall", "zebra skill", "--json", *AT).json
    some = notes.ok("recall", "zebra skill", "--json", *AT, "--type", "memory").json
    scores = {hit["id"]: hit["score"] for hit in every["hits"]}
    assert [hit["score"] for hit in some["hits"]] == [scores[hit["id"]] for hit in some["hits"]]
    assert some["index_digest"] == every["index_digest"]
    assert (some["matches"], some["filtered_out"]) == (3, 3)
    assert some["filters"]["types"] == ["memory"]


def test_what_the_filters_leave_out_is_counted(notes: Desk) -> None:
    notes.put("confirmed/old.md", memory("Zebra of old", status="archived", kind="fact"))
    out = notes.ok("recall", "zebra", "--kind", "fact", *AT).out
    assert "not current and left out: 1 archived (--all shows them)" in out
    assert "left out by the filters: 5 matches" in out
    out = notes.ok("recall", "zebra", "--until", "2025", *AT).out
    assert out.startswith("no current record matches (")


def test_a_tag_that_no_record_has_is_said(notes: Desk) -> None:
    options = ("recall", "zebra", "--tag", "strips", "--tag", "zoo", *AT)
    assert "no record has the tag strips; did you mean stripes?" in notes.ok(*options).out
    assert notes.ok(*options, "--json").json["unknown_tags"] == [
        {"tag": "strips", "nearest": "stripes"}
    ]
    assert "no record has the tag" not in notes.ok("recall", "quokka", "--tag", "zoo").out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--project nobody", "--project: no project has the id 'nobody'"),
        ("--project atals", "did you mean atlas?"),
        ("--type policy", "'policy' is none of memory, experience"),
        ("--kind fcat", "did you mean fact?"),
        ("--kind attempt --type memory", "--kind: no memory is ever 'attempt'"),
        ("--outcome fialed", "did you mean failed?"),
        ("--outcome failed --type memory", "--outcome: a memory has no outcome"),
        ("--project atlas --type memory", "--project: a memory names no project"),
        ("--kind fact --outcome failed", "--kind: no experience is ever 'fact', and --outcome"),
        ("--project atlas --kind fact --kind skill", "'fact' or 'skill', and --project is about"),
        ("--tag #", "--tag: it is empty"),
        ("--tag \udcff", "--tag: the text holds bytes that are not UTF-8"),
        ("--since yesterday", "--since: 'yesterday' is no date and no time"),
        ("--until 2026-02-30", "there is no 30 February"),
        ("--since 2026-06 --until 2026-05", "swap --since and --until"),
    ],
)
def test_filters_that_nothing_can_pass_are_wrong_usage(
    notes: Desk, options: str, said: str
) -> None:
    assert said in notes.refused(2, "recall", "zebra", *options.split())


def test_all_shows_and_marks_what_is_not_current(notes: Desk) -> None:
    notes.put("confirmed/old.md", memory("Zebra", valid_until="2026-01-01T00:00:00Z"))
    notes.put("confirmed/new.md", memory("Zebra", supersedes="skill"))
    notes.git("add", "-A")
    notes.git("commit", "-qm", "more")
    document = notes.ok("recall", "zebra", "--json", *AT).json
    assert document["left_out"] == {"expired": 1, "superseded": 1}
    assert all(hit["marks"] == [] for hit in document["hits"])
    document = notes.ok("recall", "zebra", "--all", "--json", *AT).json
    marks = {hit["id"]: hit["marks"] for hit in document["hits"]}
    assert (marks["old"], marks["skill"], marks["new"]) == (["expired"], ["superseded"], [])
    assert (document["matches"], document["left_out"]) == (8, {})
    out = notes.ok("recall", "zebra", "--all", *AT).out
    assert "confirmed/old.md (memory, expired, valid_until 2026-01-01T00:00:00Z)" in out
    assert "left out" not in out


def test_what_is_not_committed_is_marked(notes: Desk) -> None:
    notes.put("confirmed/new.md", memory("Zebra, new"))
    notes.put("confirmed/fact.md", memory("Zebra fact, changed"))
    document = notes.ok("recall", "zebra", "--json", *AT).json
    marks = {hit["id"]: hit["marks"] for hit in document["hits"] if hit["marks"]}
    assert marks == {"new": ["not_committed"], "fact": ["not_committed"]}
    assert "confirmed/new.md (memory, not committed)" in notes.ok("recall", "zebra", *AT).out
    notes.git("add", "-A")  # staged is not committed
    assert "not committed" in notes.ok("recall", "zebra", *AT).out
    notes.git("commit", "-qm", "more")
    assert "not committed" not in notes.ok("recall", "zebra", *AT).out


def test_a_vault_inside_another_repository_is_compared_at_its_place(notes: Desk) -> None:
    inner = notes.root / "notes"
    inner.mkdir()
    for name in ("doll.yaml", "confirmed", "experience", "authority"):
        (notes.root / name).rename(inner / name)
    notes.git("add", "-A")
    notes.git("commit", "-qm", "moved")
    desk = notes.at("notes")
    assert "not committed" not in desk.ok("recall", "zebra", *AT).out
    desk.put("confirmed/new.md", memory("Zebra, new"))
    assert desk.ok("recall", "zebra", *AT).out.count("not committed") == 1
