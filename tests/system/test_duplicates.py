"""`doll duplicates`: five kinds of findings among what is current, and nothing is changed."""

from typing import Any

import pytest

from doll.recall.similarity import MAX_TEXT
from tests.desk import Desk
from tests.recall_vault import entry, memory

pytestmark = pytest.mark.sampled(4)

AS_OF = ("--as-of", "2026-08-20T12:00:00Z")
ORDER = "I take a double espresso with no sugar after lunch."
MORE = f"{ORDER} At work the machine on the second floor is the better one, on calm mornings."
SHARE = "833 permille, 10 of 12 different words in both"
COMPARED = "9 current records compared as of 2026-08-20T12:00:00Z"
KEY = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


def found(desk: Desk, *arguments: str) -> list[tuple[str, list[str]]]:
    """Return the kind and the ids of every finding."""
    report = desk.ok("duplicates", "--json", *AS_OF, *arguments).json
    return [(each["kind"], ids_of(each)) for each in report["findings"]]


def ids_of(finding: Any) -> list[str]:
    return [path.rpartition("/")[2].removesuffix(".md") for path in finding["paths"]]


def put(desk: Desk, name: str, title: str, body: str, **fields: str) -> None:
    desk.put(f"confirmed/{name}.md", memory(title, body, **fields))


@pytest.fixture
def stocked(desk: Desk) -> Desk:
    """A vault with a finding of each kind."""
    put(desk, "a", "Order", ORDER)
    put(desk, "b", "Order", ORDER.replace(" double", "  DOUBLE"))
    put(desk, "c", "Order", ORDER.replace("espresso", "cortado"))
    put(desk, "d", "Order at work", MORE)
    put(desk, "home-1", "Home", "I live in Berlin.", contradicts="[home-2]", kind="fact")
    put(desk, "home-2", "Home", "Since May the flat is near the harbour.", kind="fact")
    put(desk, "car-1", "Car", "It is a red one.", kind="fact", valid_from="2026-01-01T00:00:00Z")
    put(desk, "car-2", " car ", "Sold to somebody from the north.", kind="fact")
    put(desk, "car-3", "Car", "How to start it on cold days.", kind="skill")
    return desk


def test_each_kind(stocked: Desk) -> None:
    assert found(stocked) == [
        ("contradiction", ["home-1", "home-2"]),
        ("exact", ["a", "b"]),
        ("extending", ["a", "d"]),
        ("near", ["a", "c"]),
        ("overlap", ["car-1", "car-2"]),
    ]


def test_what_is_said_of_a_pair(stocked: Desk) -> None:
    lines = stocked.ok("duplicates", "--kind", "near", *AS_OF).out.splitlines()
    assert lines == [
        "1. near: nearly the same words",
        "   Order",
        "     confirmed/a.md",
        "   Order",
        "     confirmed/c.md",
        f"     {SHARE}; only here: cortado; only in a: espresso",
        "   to say that they are two things: doll duplicates judge a c --distinct",
        f"1 contradiction, 1 exact, 1 extending, 1 near, 1 overlap ({COMPARED})",
    ]


def test_the_kinds_asked_for_and_the_limit(stocked: Desk) -> None:
    assert [kind for kind, _ in found(stocked, "--kind", "near", "--kind", "exact")] == [
        "exact",
        "near",
    ]
    report = stocked.ok("duplicates", "--json", "--limit", "2", *AS_OF).json
    assert len(report["findings"]) == 2
    assert report["hidden"] == 3
    assert "+3 more: --limit 5" in stocked.ok("duplicates", "--limit", "2", *AS_OF).out
    assert stocked.refused(2, "duplicates", "--kind", "nearly").count("did you mean near?")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"status": "archived"}, "archived"),
        ({"status": "retracted"}, "retracted"),
        ({"valid_until": "2026-08-01T00:00:00Z"}, "expired"),
        ({"valid_from": "2026-09-01T00:00:00Z"}, "not_yet_valid"),
        ({"origin": "import"}, "not_reviewed"),
        ({"sensitivity": "secret"}, "secret"),
        ({"supersedes": "[other]"}, "superseded"),
    ],
)
def test_what_is_not_current_is_not_compared(
    desk: Desk, fields: dict[str, str], reason: str
) -> None:
    put(desk, "one", "Order", ORDER, **fields)
    put(desk, "other", "Order", ORDER)
    report = desk.ok("duplicates", "--json", *AS_OF).json
    assert report["findings"] == []
    assert report["left_out"] == {reason: 1}


def test_the_moment_decides(desk: Desk) -> None:
    put(desk, "one", "Order", ORDER, valid_until="2026-08-01T00:00:00Z")
    put(desk, "other", "Order", ORDER)
    assert found(desk, "--as-of", "2026-07-01T00:00:00Z") == [("exact", ["one", "other"])]
    assert found(desk) == []


def test_candidates_are_never_compared(desk: Desk) -> None:
    put(desk, "one", "Order", ORDER)
    desk.ok("new", "memory", "two", "--title", "Order", "--body", ORDER, "--by", "model:m")
    assert found(desk) == []


def test_experience_is_compared_within_its_project(desk: Desk) -> None:
    said = entry("The nightly build ran out of disk again")
    name = "20260801T000000Z-attempt-build-{}".format
    desk.put(f"experience/atlas/{name('a' * 10)}.md", said)
    desk.put(f"experience/atlas/{name('b' * 10)}.md", said)
    desk.put(f"experience/garden/{name('c' * 10)}.md", said.replace("atlas", "garden"))
    put(desk, "m", "The nightly build ran out of disk again", "")
    assert found(desk) == []
    expected = [("exact", [name("a" * 10), name("b" * 10)])]
    assert found(desk, "--type", "experience", "--type", "memory") == expected
    assert found(desk, "--type", "experience", "--project", "atlas") == expected
    assert found(desk, "--type", "experience", "--project", "garden") == []
    assert "--type experience" in desk.refused(2, "duplicates", "--project", "atlas")
    assert "nobody" in desk.refused(2, "duplicates", "--type", "experience", "--project", "nobody")


def test_secrets_are_covered_and_what_is_seen_is_there(desk: Desk) -> None:
    put(desk, "one", "Deploy", f"The token of the deploy host is {KEY} until autumn \u202e comes.")
    put(desk, "two", "Deploy", "The token of the deploy host is kept there until autumn comes.")
    text, values = desk.ok("duplicates", *AS_OF), desk.ok("duplicates", "--json", *AS_OF)
    for said in (text.out, values.out):
        assert "Deploy" in said
        assert KEY not in said
        assert KEY.lower() not in said.lower()
        assert "\u202e" not in said
    assert "[secret: " not in text.out or "ghp" not in text.out


def test_a_secret_at_the_end_of_what_is_compared_is_covered_whole(desk: Desk) -> None:
    filler = "sugar " * (MAX_TEXT // 6)
    ends = {"one": "the token", "two": f"{KEY} the token"}
    for name, end in ends.items():
        put(desk, name, "Deploy", f"One two three four five. {filler[: MAX_TEXT - 48]} {end}")
    shown = desk.ok("duplicates", "--json", *AS_OF)
    assert shown.json["findings"]
    assert "ghp" not in shown.out.lower()


def test_what_cannot_be_read_is_named(stocked: Desk) -> None:
    stocked.put("confirmed/broken.md", "---\ntitle: [\n---\n")
    report = stocked.ok("duplicates", "--json", *AS_OF).json
    assert [each["path"] for each in report["unreadable"]] == ["confirmed/broken.md"]
    assert len(report["findings"]) == 5
    assert "confirmed/broken.md" in stocked.ok("duplicates", *AS_OF).out


def test_a_contradiction_of_what_is_not_current_is_none(stocked: Desk) -> None:
    put(stocked, "home-2", "Home", "Since May the flat is near the harbour.", status="retracted")
    assert ("contradiction", ["home-1", "home-2"]) not in found(stocked)
    put(stocked, "home-1", "Home", "I live in Berlin.", contradicts="[nobody]", kind="fact")
    assert len(found(stocked)) == 4


def test_an_empty_vault(desk: Desk) -> None:
    assert desk.ok("duplicates", *AS_OF).out.startswith("nothing is told twice (0 current records")


def test_equal_texts_are_one_group(desk: Desk) -> None:
    for number in range(30):
        put(desk, f"copy-{number:02}", "Order", ORDER)
    report = desk.ok("duplicates", "--json", *AS_OF).json
    (finding,) = report["findings"]
    assert len(finding["paths"]) == 30
    assert len(finding["members"]) == 10
    assert "+19 more" in desk.ok("duplicates", *AS_OF).out


def test_the_answer_is_the_same_whatever_the_cache(stocked: Desk) -> None:
    first = stocked.ok("duplicates", "--json", *AS_OF).out
    assert stocked.ok("duplicates", "--json", *AS_OF).out == first
    for place in (stocked.root / ".doll/cache").rglob("*"):
        if place.is_file():
            place.write_bytes(b"garbage")
    assert stocked.ok("duplicates", "--json", *AS_OF).out == first
    line = "PYTHONHASHSEED={} doll duplicates --json " + " ".join(AS_OF)
    assert {stocked.type(line.format(seed)) for seed in (1, 2)} == {first}


def test_options_that_do_not_go_together(stocked: Desk) -> None:
    stocked.refused(2, "duplicates", "--judged", "--propose")
    stocked.refused(2, "duplicates", "--commit")
    stocked.refused(2, "duplicates", "--by", "model:m")
    stocked.refused(2, "duplicates", "--limit", "3", "judge", "a", "b", "--distinct")
    stocked.refused(2, "duplicates", "--propose", "--by", "somebody")
