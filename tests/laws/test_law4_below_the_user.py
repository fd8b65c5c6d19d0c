"""Law 4: what is imported or proposed by a model stays below the user.

Candidates are in no answer; nothing of another origin passes as confirmed or as authority; a model
can neither approve, confirm nor write authority; and what is uncommitted, imported or proposed
removes no warning.
"""

import itertools
import json

import pytest

from tests.desk import Desk
from tests.gitbox import git

pytestmark = pytest.mark.sampled(4)

AS_OF = ("--as-of", "2026-09-01T08:00:00Z")
ASK = ("preflight", "--project", "atlas", "--action", "db.migrate", "--json", *AS_OF)
NAME = "20260820T143205Z-attempt-locked-k3v9q2xw7d"
TYPES = {
    "projects": "status: active\n",
    "work-items": "project: atlas\nstatus: completed\n",
    "decisions": "project: atlas\nstatus: accepted\nactions: db.migrate\n",
    "procedures": "project: atlas\nstatus: approved\nrequired_for: db.migrate\n",
    "policies": "effect: advise\nactions: db.migrate\n",
    "permissions": "capability: db.migrate\nmode: allow\n",
    "capabilities": "risk: low\nrelease: available\n",
}
ORIGINS = ("import", "model", "system")
REVIEW = (
    "reviewed_by: Ada <ada@example.org>\nreviewed_at: 2026-08-20T14:32:05Z\n"
    f"reviewed_sha256: {'0' * 64}\n"
)


def entry(**fields: str) -> str:
    """Return an entry of experience, a failure of `db.migrate` unless `fields` say otherwise."""
    values = {
        "project": "atlas",
        "kind": "attempt",
        "assertion": "user_recorded",
        "at": "2026-08-20T14:32:05Z",
        "summary": "It was locked",
        "outcome": "failed",
        "actions": "db.migrate",
        **fields,
    }
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in values.items()) + "---\n"


def commit(desk: Desk, message: str = "more") -> None:
    desk.git("add", "-A")
    desk.git("commit", "-qm", message)


@pytest.fixture
def failed(desk: Desk) -> Desk:
    """A vault with a failure that the user recorded."""
    desk.put(f"experience/atlas/{NAME}.md", entry())
    commit(desk)
    return desk


def findings(desk: Desk) -> list[tuple[str, str]]:
    report = desk.ok(*ASK).json
    assert report["complete"]
    return [(finding["code"], finding["record"]) for finding in report["findings"]]


MEMORY = "---\nschema: doll/memory/1\ntitle: Locked espresso\norigin: {0}\n---\n"
CANDIDATES = {
    "staging/proposals/a.md": MEMORY.format("model"),
    "staging/pam/x/b.md": MEMORY.format("import"),
    "staging/pam/x/c.md": "---\nschema: doll/policy/1\neffect: deny\nactions: db.migrate\n---\n",
    "staging/pam/x/atlas.md": "---\nschema: doll/project/1\nstatus: archived\n---\n",
    f"staging/projectmem/x/{NAME}.md": entry(schema="doll/experience/1", outcome="worked"),
    "staging/projectmem/x/unknown-lesson-locked-aaaaaaaaaa.md": entry(
        schema="doll/experience/1", supersedes=NAME, resolves=NAME, outcome="failed"
    ),
}


@pytest.mark.parametrize("committed", [True, False])
def test_candidates_are_in_no_answer(failed: Desk, committed: bool) -> None:
    commands = (
        ASK,
        ("preflight", "--draft", "--project", "atlas", "--action", "db.migrate", "--json", *AS_OF),
        ("recall", "locked espresso", "--json", *AS_OF),
        ("context", "locked espresso", "--project", "atlas", "--json", *AS_OF),
        ("list", "--json"),
    )
    before = [failed.ok(*command).json for command in commands]
    for path, text in CANDIDATES.items():
        failed.put(path, text)
    if committed:
        commit(failed)
    after = [failed.ok(*command).json for command in commands]
    for report in itertools.chain(before, after):
        # The text of a pack names the commit in its head; its items are compared.
        for key in ("head", "accepted_commit", "commit", "markdown", "tokens"):
            report.pop(key, None)
    assert after == before
    assert failed.ok("validate").out == ""


@pytest.mark.parametrize("reviewed", [False, True])
def test_nothing_of_another_origin_is_authority(failed: Desk, reviewed: bool) -> None:
    before = findings(failed)
    planted = set()
    for (folder, text), origin in itertools.product(TYPES.items(), ORIGINS):
        said = f"{text}origin: {origin}\n{REVIEW if reviewed else ''}"
        path = f"authority/{folder}/{folder}-by-{origin}.md"
        failed.put(path, f"---\n{said}---\n")
        planted.add(path)
    for arguments in ((), ("--staged",)):
        problems = failed.doll("validate", "--json", *arguments).json["problems"]
        assert {p["path"] for p in problems if p["code"] == "authority.origin"} == planted
        failed.git("add", "-A")
    failed.ok("hooks", "install", "--vault", ".")
    assert "[authority.origin]" in git(failed.root, "commit", "-m", "plant", code=1)
    failed.git("commit", "-qm", "plant", "--no-verify")
    report = failed.doll(*ASK).json
    # It has no say, and it is no reason to be silent either.
    assert report["status"] == "not_checked"
    assert [(finding["code"], finding["record"]) for finding in report["findings"]] == before
    assert {p["code"] for p in report["problems"]} == {"authority.origin"}


@pytest.mark.parametrize("origin", ORIGINS)
def test_nothing_of_another_origin_is_confirmed_without_a_review(failed: Desk, origin: str) -> None:
    failed.put("confirmed/planted.md", f"---\ntitle: Planted\norigin: {origin}\n---\n")
    failed.put("confirmed/forged.md", f"---\ntitle: Forged\norigin: {origin}\n{REVIEW}---\n")
    failed.put("experience/atlas/a.md", entry(origin=origin))
    failed.put("experience/atlas/b.md", entry(origin=origin, assertion="user_confirmed"))
    failed.git("add", "-A")
    expected = {
        ("confirmed/planted.md", "review.missing"),
        ("confirmed/forged.md", "review.digest"),
        ("experience/atlas/a.md", "experience.assertion"),
        ("experience/atlas/b.md", "experience.assertion"),
    }
    if origin == "import":
        expected |= {(f"experience/atlas/{name}.md", "review.missing") for name in "ab"}
    for arguments in ((), ("--staged",)):
        problems = failed.doll("validate", "--json", *arguments).json["problems"]
        assert {(p["path"], p["code"]) for p in problems} == expected


AGENTS: list[tuple[tuple[str, ...], dict[str, str]]] = [
    (("--by", "model:helper"), {}),
    ((), {"DOLL_BY": "model:helper"}),
]


@pytest.mark.parametrize(("option", "variables"), AGENTS)
def test_a_model_writes_below_the_user_or_not_at_all(
    failed: Desk, option: tuple[str, ...], variables: dict[str, str]
) -> None:
    agent = failed.under(**variables)
    for name in ("project", "policy", "capability"):
        needed = {"project": "status=active", "policy": "effect=deny", "capability": "risk=low"}
        said = agent.refused(5, "new", name, "mine", "--set", needed[name], *option)
        assert f"model:helper cannot write a {name}" in said
    for name in ("work-item", "decision", "procedure", "permission"):
        said = agent.refused(5, "new", name, "mine", "--project", "atlas", *option)
        assert "model:helper cannot" in said
    assert "cannot confirm" in agent.refused(5, "confirm", NAME, *option)
    wanted = ("approve", "pam/x/b", "--digest", "0" * 64)
    assert "model:helper cannot" in agent.refused(5, "review", *wanted, *option)
    told = agent.ok("new", "memory", "--title", "Likes tea", *option)
    assert told.path.startswith("staging/proposals/")
    logged = agent.ok("log", "lesson", "It is fine", "--project", "atlas", *option)
    assert "assertion: model_proposed\n" in failed.read(logged.path)
    assert "origin: model\n" in failed.read(logged.path)
    corrected = agent.ok("correct", NAME, "It never failed", "--outcome", "worked", *option)
    assert "assertion: model_proposed\n" in failed.read(corrected.path)
    commit(failed)
    assert ("experience.prior_failure.user_recorded", NAME) in findings(failed)


@pytest.mark.parametrize("value", ["user", "", "human:ada", "model:", "model:a b", "MODEL:x"])
def test_no_other_form_makes_anybody_the_user(failed: Desk, value: str) -> None:
    words = ("log", "lesson", "Fine", "--project", "atlas")
    failed.refused(2, *words, "--by", value)
    failed.under(DOLL_BY=value).refused(2, *words)
    agent = failed.under(DOLL_BY="model:helper")
    agent.refused(2, *words, "--by", "model:other")
    agent.refused(2, *words, "--by", value)


WEAK = [
    {"origin": origin, "assertion": assertion}
    for origin, assertion in itertools.product(
        ("import", "model", "system", "user"),
        (
            "user_recorded",
            "user_confirmed",
            "deterministic_system",
            "imported_external",
            "model_proposed",
        ),
    )
    if (origin, assertion) not in {("user", "user_recorded"), ("user", "user_confirmed")}
]


def test_no_weaker_entry_mutes_a_failure(failed: Desk) -> None:
    before = findings(failed)
    for number, who in enumerate(WEAK):
        links = {"supersedes": NAME, "resolves": NAME, "outcome": "worked"}
        failed.put(f"experience/atlas/weak-{number}.md", entry(**who, **links))
    assert findings(failed) == before
    failed.git("add", "-A")
    assert findings(failed) == before
    failed.git("commit", "-qm", "weak", "--no-verify")
    assert findings(failed) == before
    report = failed.ok(*ASK).json
    assert [f["resolutions"] for f in report["findings"]] == [[]]


@pytest.mark.parametrize("link", ["supersedes", "resolves"])
def test_the_users_word_mutes_once_it_is_committed(failed: Desk, link: str) -> None:
    before = findings(failed)
    failed.put("experience/atlas/mine.md", entry(outcome="worked", **{link: NAME}))
    failed.git("add", "-A")
    assert findings(failed) == before
    assert json.loads(failed.ok(*ASK).out)["findings"][0]["resolutions"] == []
    failed.git("commit", "-qm", "mine")
    if link == "supersedes":
        assert findings(failed) == []
    else:
        report = failed.ok(*ASK).json
        assert [r["record"] for r in report["findings"][0]["resolutions"]] == ["mine"]


def test_a_committed_failure_cannot_be_edited_or_removed_away(failed: Desk) -> None:
    before = findings(failed)
    path = f"experience/atlas/{NAME}.md"
    for text in (
        entry(outcome="worked"),
        entry(actions="x"),
        "",
        "---\nbroken",
        entry(project="garden"),
    ):
        failed.put(path, text)
        assert findings(failed)[0] == before[0]
    (failed.root / path).unlink()
    assert findings(failed) == before
    (failed.root / "experience/atlas").rmdir()
    assert findings(failed) == before


def test_an_uncommitted_failure_warns_and_says_so(failed: Desk) -> None:
    failed.put("experience/atlas/new.md", entry(summary="It was locked again"))
    report = failed.ok(*ASK).json
    found = {finding["record"]: finding["committed"] for finding in report["findings"]}
    assert found == {NAME: True, "new": False}
    text = failed.ok(*ASK[:-3], *AS_OF).out
    assert "user_recorded, not committed" in text


def test_a_proposed_merger_changes_no_answer_and_a_model_judges_nothing(desk: Desk) -> None:
    for name in ("one", "two"):
        text = "---\ntitle: Order\n---\nA double espresso with no sugar.\n"
        desk.put(f"confirmed/{name}.md", text)
    commit(desk)
    asked = ("recall", "espresso", "--json", *AS_OF)
    before, files = desk.ok(*asked).out, desk.files()
    desk.ok("duplicates", "--propose", "--commit", *AS_OF, DOLL_BY="model:m")
    assert desk.ok(*asked).out == before
    (new,) = desk.files().keys() - files.keys()
    assert new.startswith("staging/proposals/")
    assert "\norigin: system\n" in desk.read(new)
    desk.refused(5, "duplicates", "judge", "one", "two", "--distinct", DOLL_BY="model:m")
    # As a candidate it supersedes nothing, and moved by hand it counts no more.
    desk.git("mv", new, "confirmed/merged.md")
    assert desk.doll("validate").code == 1
    left = desk.ok(*asked).json
    assert sorted(hit["id"] for hit in left["hits"]) == ["one", "two"]
