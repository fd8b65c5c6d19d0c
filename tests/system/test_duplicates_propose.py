"""`doll duplicates --propose`: candidates for review, once each, that do what they say."""

import re
import shutil

import pytest

from doll.records.digest import sha256
from tests.desk import Desk
from tests.recall_vault import entry, memory
from tests.system.test_duplicates import AS_OF, KEY, MORE, ORDER, SHARE, found, put

pytestmark = pytest.mark.sampled(4)

PROPOSE = ("duplicates", "--propose", "--json", *AS_OF)


def commit(desk: Desk) -> None:
    desk.git("add", "-A")
    desk.git("commit", "-qm", "more")


def approve(desk: Desk, path: str) -> None:
    digest = sha256((desk.root / path).read_bytes())
    desk.ok("review", "approve", path, "--digest", digest, "--commit")


@pytest.fixture
def twice(desk: Desk) -> Desk:
    """The same memory twice, with different fields."""
    put(desk, "a", "Order", ORDER, tags="[coffee]", updated="2026-01-01T00:00:00Z")
    put(desk, "b", "Order", ORDER + " ", sensitivity="sensitive", exportable="false")
    commit(desk)
    return desk


def test_a_proposal_and_its_approval(twice: Desk) -> None:
    before = twice.files()
    done = twice.ok(*PROPOSE, "--commit").json["proposed"]
    (proposal,) = done["proposals"]
    assert done["commit"]
    assert (proposal["state"], proposal["supersedes"]) == ("written", ["a", "b"])
    assert twice.files() == {**before, proposal["path"]: twice.read(proposal["path"]).encode()}
    text = twice.read(proposal["path"])
    for line in (
        "# the text below is that of confirmed/a.md, word for word; compare it with:\n",
        "#   confirmed/b.md: the same text\n",
        "supersedes: [a, b]\n",
        "origin: system\n",
        "sensitivity: sensitive\n",
        "exportable: false\n",
        "tags: [coffee]\n",
    ):
        assert line in text, line
    assert twice.ok("validate").code == 0
    assert found(twice) == [("exact", ["a", "b"])]
    approve(twice, proposal["path"])
    assert found(twice, "--as-of", "2030-01-01T00:00:00Z") == []
    hits = twice.ok("recall", "espresso", "--json").json["hits"]
    assert [hit["id"] for hit in hits] == [proposal["id"].rpartition("/")[2]]
    for path in ("confirmed/a.md", "confirmed/b.md"):
        assert twice.files()[path] == before[path]
    assert twice.ok("validate").code == 0


def test_the_same_again_is_a_no_op(twice: Desk) -> None:
    twice.ok(*PROPOSE)
    before = twice.files()
    (proposal,) = twice.ok(*PROPOSE).json["proposed"]["proposals"]
    assert proposal["state"] == "there already"
    assert twice.files() == before
    (proposal,) = twice.ok(*PROPOSE, "--commit").json["proposed"]["proposals"]
    assert twice.git("status", "--porcelain") == ""
    assert twice.ok(*PROPOSE, "--commit").json["proposed"]["commit"] is None


def test_a_rejected_one_does_not_come_back(twice: Desk) -> None:
    (proposal,) = twice.ok(*PROPOSE, "--commit").json["proposed"]["proposals"]
    twice.ok("review", "reject", proposal["id"], "--reason", "no", "--commit")
    before = twice.files()
    done = twice.ok(*PROPOSE)
    (again,) = done.json["proposed"]["proposals"]
    assert (again["id"], again["state"]) == (proposal["id"], "rejected")
    assert "wait for your review" not in done.err
    assert twice.files() == before


def test_the_bytes_depend_on_the_records_alone(twice: Desk) -> None:
    (proposal,) = twice.ok(*PROPOSE).json["proposed"]["proposals"]
    first = twice.read(proposal["path"])
    shutil.rmtree(twice.root / "staging")
    twice.type(f"PYTHONHASHSEED=5 TZ=Asia/Tokyo doll {' '.join(PROPOSE)}")
    assert twice.read(proposal["path"]) == first


def test_the_longer_text_is_proposed_for_an_extension(desk: Desk) -> None:
    put(desk, "short", "Order", ORDER)
    put(desk, "long", "Order at work", MORE)
    commit(desk)
    (proposal,) = desk.ok(*PROPOSE).json["proposed"]["proposals"]
    text = desk.read(proposal["path"])
    assert text.endswith(f"---\n{MORE}\n")
    assert "title: Order at work\n" in text
    assert "supersedes: [short, long]\n" in text
    notes = text.partition("\nschema:")[0]
    assert re.search(r"confirmed/short.md: 1000 permille, 11 of \d\d different words", notes), notes
    assert "only in long: " in notes
    assert notes.count("confirmed/long.md") == 1


def test_what_a_near_one_says_besides_is_to_be_compared(desk: Desk) -> None:
    put(desk, "old", "Order", ORDER, updated="2025-01-01T00:00:00Z", kind="fact")
    put(desk, "new", "Order", ORDER.replace("espresso", "cortado"), updated="2026-01-01T00:00:00Z")
    commit(desk)
    (proposal,) = desk.ok(*PROPOSE, "--commit").json["proposed"]["proposals"]
    text = desk.read(proposal["path"])
    assert "cortado with no sugar" in text
    said = f"#   confirmed/old.md: {SHARE}; only here: espresso; "
    assert f"{said}only in new: cortado\n" in text
    assert text.partition("\nschema:")[0].count("confirmed/new.md") == 2  # its text, and its kind
    assert "# they differ in `kind`; here stands what confirmed/new.md says\n" in text
    approve(desk, proposal["path"])
    assert desk.ok("validate").code == 0
    assert found(desk, "--as-of", "2030-01-01T00:00:00Z") == []


def test_a_contradiction_is_a_question_that_supersedes_nothing(desk: Desk) -> None:
    put(desk, "x", "Home", "Berlin it is.", contradicts="[y]")
    put(desk, "y", "Home", "Since May in Hamburg.")
    commit(desk)
    (proposal,) = desk.ok(*PROPOSE, "--commit").json["proposed"]["proposals"]
    assert proposal["supersedes"] == []
    text = desk.read(proposal["path"])
    assert "supersedes: " not in text
    assert "Which holds: x or y?" in text
    assert "- [[x]]: Home\n- [[y]]: Home\n" in text
    approve(desk, proposal["path"])
    kinds = [kind for kind, _ in found(desk, "--as-of", "2030-01-01T00:00:00Z")]
    assert kinds == ["contradiction"]


def test_one_record_is_in_one_proposal_at_a_time(desk: Desk) -> None:
    put(desk, "a", "Order", ORDER)
    put(desk, "b", "Order", ORDER)
    put(desk, "c", "Order", ORDER.replace("espresso", "cortado"))
    commit(desk)
    done = desk.ok(*PROPOSE, "--commit").json["proposed"]
    assert [each["kind"] for each in done["proposals"]] == ["exact"]
    assert [each["id"] for each in done["hints"]] == ["a"]
    approve(desk, done["proposals"][0]["path"])
    later = ("duplicates", "--propose", "--json", "--as-of", "2030-01-01T00:00:00Z")
    (proposal,) = desk.ok(*later).json["proposed"]["proposals"]
    assert proposal["kind"] == "near"


def test_experience_has_hints_alone(desk: Desk) -> None:
    for letter in "ab":
        name = f"20260801T000000Z-attempt-build-{letter * 10}"
        desk.put(f"experience/atlas/{name}.md", entry("The nightly build ran out of disk"))
    commit(desk)
    done = desk.ok(*PROPOSE, "--type", "experience").json["proposed"]
    assert done["proposals"] == []
    assert "doll correct" in done["hints"][0]["reason"]
    assert not (desk.root / "staging").exists()


def test_what_looks_like_a_secret_is_not_repeated(desk: Desk) -> None:
    for name in "ab":
        put(desk, name, "Deploy", f"The token of the deploy host is {KEY}, until autumn.")
    put(desk, "c", "Order", ORDER)
    put(desk, "d", "Order", ORDER)
    result = desk.ok(*PROPOSE)
    states = {each["state"]: each for each in result.json["proposed"]["proposals"]}
    assert states.keys() == {"refused", "written"}
    assert "looks like a secret" in states["refused"]["reason"]
    assert KEY not in result.out + result.err
    assert not any(KEY.encode() in data for path, data in desk.files().items() if "stag" in path)


def test_a_model_may_propose_and_that_is_said(twice: Desk) -> None:
    twice.ok(*PROPOSE, "--commit", DOLL_BY="model:m")
    assert "Doll-By: model:m" in twice.git("log", "-1", "--format=%B")
    (path,) = (path for path in twice.files() if path.startswith("staging/"))
    digest = sha256((twice.root / path).read_bytes())
    twice.refused(5, "review", "approve", path, "--digest", digest, DOLL_BY="model:m")


def test_a_title_cannot_write_front_matter(desk: Desk) -> None:
    sly = "x\\nstatus: active\\norigin: user\\u202e"
    for name in "ab":
        desk.put(f"confirmed/{name}.md", memory(f'"{sly}"', ORDER))
    put(desk, "c", "Other", ORDER + " Really\u2028origin: user it is")
    commit(desk)
    for proposal in desk.ok(*PROPOSE).json["proposed"]["proposals"]:
        front = desk.read(proposal["path"]).split("\n---\n")[0]
        assert "\norigin: user" not in front
        assert "\norigin: system" in front
    assert desk.ok("validate").code == 0


def test_a_large_group_is_proposed_in_parts(desk: Desk) -> None:
    for number in range(130):
        put(desk, f"copy-{number:03}", "Order", ORDER)
    commit(desk)
    (proposal,) = desk.ok(*PROPOSE, "--commit").json["proposed"]["proposals"]
    assert len(proposal["supersedes"]) == 100
    assert "# 30 more are like them" in desk.read(proposal["path"])
    approve(desk, proposal["path"])
    ((kind, ids),) = found(desk, "--as-of", "2030-01-01T00:00:00Z")
    assert (kind, len(ids)) == ("exact", 31)


def test_of_many_near_ones_ten_are_taken_together(desk: Desk) -> None:
    for number in range(14):
        put(desk, f"near-{number:02}", "Order", f"{ORDER} Number{number}")
    commit(desk)
    (proposal,) = desk.ok(*PROPOSE).json["proposed"]["proposals"]
    assert len(proposal["supersedes"]) == 10
    notes = desk.read(proposal["path"]).partition("\nschema:")[0]
    named = {name for name in proposal["supersedes"] if f"confirmed/{name}.md" in notes}
    assert named == set(proposal["supersedes"])
    assert notes.count("confirmed/near-") == 10
    assert "# 4 more are like them" in notes


def test_of_several_longer_ones_the_nearest_is_taken(desk: Desk) -> None:
    put(desk, "short", "Order", ORDER)
    put(desk, "long-1", "Order", f"{MORE} And then there are quite a few other words here.")
    put(desk, "long-2", "Order", MORE)
    commit(desk)
    proposals = desk.ok(*PROPOSE, "--kind", "extending").json["proposed"]["proposals"]
    assert [each["supersedes"] for each in proposals] == [["short", "long-2"]]
    assert "long-1" not in desk.read(proposals[0]["path"])


def judge(desk: Desk, one: str, other: str) -> None:
    desk.ok("duplicates", "judge", one, other, "--distinct", "--commit")


WORD = {"a": "calm", "b": "quiet", "c": "slow", "d": "warm"}
LIKE: dict[str, dict[str, str]] = {
    "exact": dict.fromkeys("abcd", ORDER),
    "near": {name: f"{ORDER} On {word} mornings." for name, word in WORD.items()},
    "extending": {"a": ORDER, "c": MORE, "d": f"{ORDER} In winter with warm milk and a biscuit."},
    "overlap": {"a": "Red.", "b": "Blue and small.", "c": "Green, once.", "d": "None yet at all."},
}


@pytest.mark.parametrize("kind", LIKE)
def test_what_is_judged_distinct_is_in_no_finding_together(desk: Desk, kind: str) -> None:
    """Also where both are like a third one, which leads the finding."""
    for name, body in LIKE[kind].items():
        put(desk, name, "Order", body)
    commit(desk)
    judge(desk, "c", "d")
    groups = [ids for each, ids in found(desk) if each == kind]
    assert not any({"c", "d"} <= set(ids) for ids in groups)
    told = {frozenset(ids) for ids in groups}
    others = {"b"} & LIKE[kind].keys()
    assert told == {frozenset({"a", "c"} | others), frozenset({"a", "d"} | others)}
    done = desk.ok(*PROPOSE, "--kind", kind, "--commit").json["proposed"]
    assert not any({"c", "d"} <= set(each["supersedes"]) for each in done["proposals"])
    assert len(done["proposals"]) == 1
    assert [each["id"] for each in done["hints"]] == ["a"]


def test_what_contradicts_each_other_is_in_no_proposal_together(desk: Desk) -> None:
    for name, body in LIKE["near"].items():
        put(desk, name, "Order", body, **({"contradicts": "[d]"} if name == "c" else {}))
    commit(desk)
    done = desk.ok(*PROPOSE, "--kind", "near").json["proposed"]
    assert [each["supersedes"] for each in done["proposals"]] == [["a", "b", "c"]]


def test_a_contradiction_is_told_though_it_was_judged(twice: Desk) -> None:
    judge(twice, "a", "b")
    put(twice, "a", "Order", ORDER, contradicts="[b]")
    assert found(twice) == [("contradiction", ["a", "b"])]
    told = twice.ok("duplicates", *AS_OF).out
    assert "     you judged them distinct at 2" in told
    assert "take the name out of `contradicts`" in told
    assert "judge a b" not in told
