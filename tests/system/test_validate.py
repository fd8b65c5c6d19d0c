"""`doll validate`: each rule with its place, the work tree and what is staged, mending by steps."""

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from doll.records.digest import sha256
from tests.desk import Desk
from tests.footprint import contents
from tests.gitbox import git, make, put

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

ENTRY = "kind: attempt\nassertion: {0}\nat: 2026-08-20T14:32:05Z\nsummary: Locked\n"
NAME = "20260820T143205Z-attempt-locked-k3v9q2xw7d"


def front(text: str, body: str = "") -> str:
    return f"---\n{text}---\n{body}"


def entry(more: str = "project: atlas\n", assertion: str = "user_recorded") -> str:
    return front(more + ENTRY.format(assertion))


RULES, ITEMS = "authority/policies", "authority/work-items"
MEMORY, DENY = "schema: doll/memory/1\n", "effect: deny\n"
TOKEN = "ghp_" + "a1B2" * 9


class Fault(NamedTuple):
    """A file with one fault: its path and text, and where the fault is said to be."""

    path: str
    text: str
    line: int
    code: str


FAULTS = [
    Fault("confirmed/latin.md", "---\ntitle: caf\udce9\n---\n", 2, "file.not_utf8"),
    Fault("confirmed/zero.md", "---\ntitle: a\0b\n---\n", 2, "file.nul"),
    Fault("confirmed/bom.md", "\ufeff---\ntitle: BOM\n---\n", 1, "file.bom"),
    Fault(
        "confirmed/conflict.md",
        front("title: A\n", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"),
        4,
        "file.conflict_marker",
    ),
    Fault("confirmed/none.md", "# Nothing\n", 1, "frontmatter.missing"),
    Fault("confirmed/deep/down/open.md", "---\ntitle: Open\n", 1, "frontmatter.unclosed"),
    Fault("confirmed/build/list.md", front("- a\n- b\n"), 2, "frontmatter.not_a_mapping"),
    Fault("confirmed/colon.md", front("title: a: b\n"), 2, "yaml.syntax"),
    Fault("confirmed/twice.md", front("title: a\ntags: b\ntitle: c\n"), 4, "yaml.duplicate_key"),
    Fault("confirmed/alias.md", front("title: *x\n"), 2, "yaml.alias"),
    Fault("confirmed/tag.md", front("title: !x y\n"), 2, "yaml.tag"),
    Fault("confirmed/newer.md", front("schema: doll/memory/2\n"), 2, "schema.unknown"),
    Fault("confirmed/policy.md", front("schema: doll/policy/1\n"), 2, "schema.wrong_folder"),
    Fault(f"{RULES}/effect.md", front("title: No\n"), 1, "field.missing"),
    Fault("confirmed/shape.md", front("title: A\nsupersedes: {a: b}\n"), 3, "field.shape"),
    Fault("confirmed/value.md", front("status: gone\n"), 2, "field.value"),
    Fault("confirmed/time.md", front("valid_from: yesterday\n"), 2, "field.time"),
    Fault("confirmed/unknown.md", front("title: A\nvalid_untill: x\n"), 3, "field.unknown"),
    Fault(
        f"{RULES}/typo.md",
        front(f"{DENY}valid_untill: x\n"),
        3,
        "field.unknown",
    ),
    Fault(f"{RULES}/never.md", front(f"{DENY}paths: '[z-'\n"), 3, "glob.never"),
    Fault("confirmed/bad:name.md", front("title: A\n"), 0, "id.invalid"),
    Fault("confirmed/STRASSE.md", front("title: A\n"), 1, "id.duplicate"),
    Fault("confirmed/straße.md", front("title: A\n"), 1, "id.duplicate"),
    Fault("confirmed/coffee.md", front("title: A\n"), 1, "id.duplicate"),
    Fault("confirmed/keeper.md", front("aliases: [x-y, coffee]\n"), 2, "id.duplicate"),
    Fault(f"{ITEMS}/a.md", front("project: b\nstatus: ready\n"), 2, "reference.unresolved"),
    Fault(
        f"{ITEMS}/c.md",
        front("project: atlas\nstatus: ready\ndepends_on: [a, bom]\n"),
        4,
        "reference.wrong_type",
    ),
    Fault(f"{ITEMS}/e.md", front("project: coffee\nstatus: ready\n"), 2, "reference.ambiguous"),
    Fault(
        f"{ITEMS}/d.md",
        front("project: garden\nstatus: ready\ndepends_on: d\n"),
        4,
        "reference.cycle",
    ),
    Fault("authority/loose.md", front(f"schema: doll/policy/1\n{DENY}"), 0, "path.misplaced"),
    Fault(f"experience/{NAME}.md", entry(), 0, "path.misplaced"),
    Fault("staging/loose.md", front("schema: doll/memory/1\n"), 0, "path.misplaced"),
    Fault(f"{RULES}/their-rule.md", front(f"{DENY}origin: model\n"), 3, "authority.origin"),
    Fault("confirmed/theirs.md", front("title: A\norigin: import\n"), 3, "review.missing"),
    Fault("confirmed/models.md", front("origin: model\n"), 2, "review.missing"),
    Fault(
        f"experience/atlas/{NAME}0.md",
        entry("project: atlas\norigin: model\n"),
        5,
        "experience.assertion",
    ),
    Fault(
        f"experience/atlas/{NAME}1.md",
        entry("project: atlas\norigin: import\n", "imported_external"),
        3,
        "review.missing",
    ),
    Fault("confirmed/secret.md", front("title: A\n", f"\n{TOKEN}\n"), 5, "secret.found"),
    Fault("staging/proposals/x.md", front(f"{MEMORY}title: {TOKEN}\n"), 3, "secret.found"),
    Fault(f"{RULES}/action.md", front(f"{DENY}actions: db.dorp\n"), 3, "action.unknown"),
]


def found(desk: Desk, *arguments: str, code: int = 1) -> set[tuple[str, int, str]]:
    """Return path, line and code of each problem; the text form has the same ones."""
    result = desk.doll("validate", "--json", *arguments)
    assert result.code == code, result.out
    problems = result.json["problems"]
    assert result.json["errors"] == sum(p["severity"] == "error" for p in problems)
    assert (result.json["errors"] > 0) == (code == 1)
    text = desk.doll("validate", *arguments)
    assert text.code == code
    lines = [line for line in text.out.splitlines() if not line.startswith("    ")]
    assert len(lines) == len(problems)
    for line, problem in zip(lines, problems, strict=True):
        assert line.endswith(f"[{problem['code']}]")
        assert f": {problem['severity']}: " in line
        if problem["line"]:
            assert line.startswith(f"{problem['path']}:{problem['line']}:{problem['column']}: ")
    return {(p["path"], p["line"], p["code"]) for p in problems}


@pytest.fixture
def faulty(desk: Desk) -> Desk:
    """A vault with every fault at once."""
    for fault in FAULTS:
        place = desk.root / fault.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(fault.text.encode("utf-8", "surrogateescape"))
    return desk


EXPECTED = {(fault.path, fault.line, fault.code) for fault in FAULTS}


def test_each_rule_with_its_place_and_all_at_once(faulty: Desk) -> None:
    before = contents(faulty.root)
    assert found(faulty) == EXPECTED
    assert found(faulty) == EXPECTED  # again, from a cache
    problems = faulty.doll("validate", "--json").json["problems"]
    warnings = [p["code"] for p in problems if p["severity"] == "warning"]
    assert sorted(warnings) == ["action.unknown", "field.unknown", "file.bom"]
    assert faulty.ok("validate", "--staged").out == ""
    assert contents(faulty.root) == before


def test_each_rule_on_what_is_staged(faulty: Desk) -> None:
    faulty.git("add", "-A")
    for fault in FAULTS:
        (faulty.root / fault.path).unlink()
    faulty.put("confirmed/fine.md", front("title: Fine\n"))
    assert found(faulty, "--staged") == EXPECTED
    both = faulty.doll("validate", "--json").json["problems"]
    assert {(p["path"], p["line"], p["code"]) for p in both} == EXPECTED
    assert all(p["message"].startswith("as staged: ") for p in both)
    faulty.git("reset", "-q", "--hard")
    assert found(faulty, code=0) == set()


def test_every_problem_of_every_hint_can_be_printed(faulty: Desk) -> None:
    result = faulty.doll("validate")
    assert "mv -n -- confirmed/bad:name.md confirmed/" in result.out
    assert "did you mean `valid_until`?" in result.out
    assert "\0" not in result.out
    # The value of a secret is not repeated.
    assert "a1B2" not in result.out + result.err


def test_the_lines_that_move_a_record_to_where_it_belongs(desk: Desk) -> None:
    desk.put(f"experience/{NAME}.md", entry("project: atlas\n"))
    desk.put("confirmed/bad:name.md", front("title: A\n"))
    desk.put("authority/it's.md", front(f"schema: doll/policy/1\n{DENY}"))
    desk.put("staging/loose.md", front(MEMORY))
    desk.git("add", "-A")
    lines = [line for line in desk.doll("validate").out.splitlines() if "git mv -- " in line]
    assert len(lines) == 4
    for line in lines:
        desk.type(line)
    assert desk.ok("validate").out == ""
    assert (desk.root / f"experience/atlas/{NAME}.md").is_file()


def test_settings(desk: Desk) -> None:
    text = desk.read("doll.yaml") + "actions:\n- {project: nobody, paths: x, actions: [a.b]}\n"
    desk.put("doll.yaml", text)
    desk.put("authority/policies/p.md", front("effect: deny\nactions: [a, a.b, a.b.c, b]\n"))
    expected = {
        ("doll.yaml", 0, "reference.unresolved"),
        ("authority/policies/p.md", 3, "action.unknown"),
    }
    assert found(desk) == expected
    desk.git("add", "-A")
    assert found(desk, "--staged") == expected
    problems = desk.doll("validate", "--json").json["problems"]
    assert {p["message"].split()[-1] for p in problems} == {"nobody", "a.b.c", "b"}
    desk.put("doll.yaml", text.replace("nobody", "atlas"))
    desk.put("authority/capabilities/a.b.md", front("risk: low\nrelease: available\n"))
    desk.put("authority/capabilities/b.x.md", front("risk: low\nrelease: available\n"))
    desk.git("add", "-A")
    assert found(desk, code=0) == set()
    assert found(desk, "--staged", code=0) == set()
    desk.put("doll.yaml", text + "unknown: 1\n")
    desk.git("add", "-A")
    desk.put("doll.yaml", text.replace("nobody", "atlas"))
    assert ("doll.yaml", 6, "settings.unknown") in found(desk, "--staged")


_SUBMODULE = ("-c", "protocol.file.allow=always", "submodule", "--quiet")


def test_links_and_submodules(desk: Desk, tmp_path: Path) -> None:
    desk.put(f"experience/atlas/{NAME}.md", entry())
    desk.git("add", "-A")
    desk.git("commit", "-qm", "entry")
    outside = put(tmp_path, "outside.md", front("title: Outside\n"))
    (desk.root / "confirmed").mkdir()
    (desk.root / "confirmed/link.md").symlink_to(outside)
    (desk.root / "confirmed/folder").symlink_to(tmp_path)
    make(tmp_path / "sub")
    for path in ("experience/sub", "confirmed/sub.md"):
        desk.git(*_SUBMODULE, "add", str(tmp_path / "sub"), path)
    links = {("confirmed/link.md", 0, "file.symlink"), ("confirmed/folder", 0, "file.symlink")}
    assert found(desk) >= links
    desk.git("add", "-A")
    named = ("confirmed/link.md", "confirmed/sub.md", "experience/sub")
    staged = {(path, 0, "file.symlink") for path in named}
    assert found(desk, "--staged") == staged
    assert found(desk) == links | staged
    desk.git("commit", "-qm", "links and submodules")
    assert desk.ok("list").out.count("\n") == 3
    # A submodule below experience/ that moves on is a change of what is kept.
    put(tmp_path, "sub/more", "")
    git(tmp_path / "sub", "add", "-A")
    git(tmp_path / "sub", "commit", "-qm", "more")
    git(desk.root / "experience/sub", "pull", "-q", "origin", "main")
    desk.git("add", "experience/sub")
    assert ("experience/sub", 0, "experience.changed") in found(desk, "--staged")


def test_a_file_added_by_intent_only(desk: Desk) -> None:
    desk.put("confirmed/later.md", front("title: Later\n"))
    desk.git("add", "-N", "confirmed/later.md")
    desk.git("add", "doll.yaml")
    assert found(desk, "--staged", code=0) == set()
    assert found(desk, code=0) == set()


def test_what_head_has_already_does_not_stop_the_next_commit(desk: Desk) -> None:
    """A broken vault is mended step by step, with the hook in place."""
    broken = front("effect: deny\nvalid_untill: x\nactoins: y\nvalid_from: yesterday\n")
    desk.put("authority/policies/p.md", broken)
    desk.put("authority/policies/q.md", front("effect: no\n"))
    desk.put("authority/work-items/w.md", front("project: nobody\nstatus: ready\n"))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "broken")
    desk.ok("hooks", "install", "--vault", ".")
    three = {
        ("authority/policies/p.md", line, code)
        for line, code in ((3, "field.unknown"), (4, "field.unknown"), (5, "field.time"))
    }
    others = {
        ("authority/policies/q.md", 2, "field.value"),
        ("authority/work-items/w.md", 2, "reference.unresolved"),
    }
    assert found(desk) == three | others
    for step in ("valid_untill: x\n", "actoins: y\n", "valid_from: yesterday\n"):
        desk.put(f"{RULES}/p.md", desk.read(f"{RULES}/p.md").replace(step, ""))
        assert found(desk, "--staged", code=0) == set()
        desk.git("commit", "-qam", f"mend {step}")
    # Moving lines about makes no old problem a new one, and a new one is seen.
    text = "---\ntitle: W\n" + desk.read("authority/work-items/w.md").removeprefix("---\n")
    desk.put("authority/work-items/w.md", text)
    desk.git("add", "-A")
    assert found(desk, "--staged", code=0) == set()
    desk.put("authority/work-items/w.md", text.replace("ready", "ready\ndepends_on: nothing"))
    desk.git("add", "-A")
    assert found(desk, "--staged") == {("authority/work-items/w.md", 5, "reference.unresolved")}
    git(desk.root, "commit", "-qm", "worse", code=1)
    # A broken file that is only moved is no worse; moved to a wrong folder it is.
    desk.git("reset", "-q", "--hard")
    desk.git("mv", "authority/policies/q.md", "authority/policies/r.md")
    assert found(desk, "--staged", code=0) == set()
    desk.git("mv", "authority/policies/r.md", "authority/r.md")
    assert ("authority/r.md", 0, "path.misplaced") in found(desk, "--staged")


REVIEWED = (
    "reviewed_by: Ada <ada@example.org>\nreviewed_at: 2026-08-20T14:32:05Z\nreviewed_sha256: {0}\n"
)


CANDIDATE = f"{MEMORY}title: Tea\norigin: import\n"


@pytest.fixture
def reviewed(desk: Desk) -> Desk:
    """A vault with a candidate that has just been moved to confirmed/ and marked as reviewed."""
    desk.put("staging/pam/x/tea.md", front(CANDIDATE))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "import")
    digest = sha256(front(CANDIDATE).encode())
    desk.git("rm", "-q", "staging/pam/x/tea.md")
    desk.put("confirmed/tea.md", front(CANDIDATE + REVIEWED.format(digest)))
    desk.git("add", "-A")
    return desk


def test_a_review_is_of_just_these_bytes(reviewed: Desk) -> None:
    text = reviewed.read("confirmed/tea.md")
    assert found(reviewed, "--staged", code=0) == set()
    assert found(reviewed, code=0) == set()
    for changed, line in (
        (text.replace("Tea", "Tee"), 7),
        (text + "more", 7),
        (text.replace("origin", "tags: x\norigin"), 8),
        (text.replace("\n---\n", "\n--- \n"), 7),
    ):
        reviewed.put("confirmed/tea.md", changed)
        assert ("confirmed/tea.md", line, "review.digest") in found(reviewed)
        reviewed.git("add", "-A")
        assert found(reviewed, "--staged") == {("confirmed/tea.md", line, "review.digest")}
        assert found(reviewed) == {("confirmed/tea.md", line, "review.digest")}


def test_a_review_of_what_nobody_imported(desk: Desk) -> None:
    digest = sha256(front(CANDIDATE).encode())
    desk.put("confirmed/tea.md", front(CANDIDATE + REVIEWED.format(digest)))
    desk.put("staging/pam/x/tea.md", front(CANDIDATE))  # not committed
    desk.git("add", "-A")
    assert found(desk, "--staged") == {("confirmed/tea.md", 7, "review.digest")}
    assert found(desk) == {("confirmed/tea.md", 7, "review.digest")}


def test_a_reviewed_memory_is_edited_and_renamed_freely(reviewed: Desk) -> None:
    reviewed.git("commit", "-qm", "review")
    text = reviewed.read("confirmed/tea.md").replace("Tea", "Green tea")
    reviewed.put("confirmed/tea.md", text)
    reviewed.git("add", "-A")
    assert found(reviewed, "--staged", code=0) == found(reviewed, code=0) == set()
    reviewed.git("mv", "confirmed/tea.md", "confirmed/green.md")
    reviewed.put("confirmed/green.md", text.replace("origin", "aliases: tea\norigin"))
    reviewed.git("add", "-A")
    assert found(reviewed, "--staged", code=0) == found(reviewed, code=0) == set()
    # Another review than the one that was committed is one that begins here.
    reviewed.put("confirmed/green.md", text.replace("sha256: ", "sha256: " + "0" * 64 + " #"))
    reviewed.git("add", "-A")
    assert {code for _, _, code in found(reviewed, "--staged")} == {"review.digest"}
    reviewed.put("confirmed/green.md", front("title: Green\norigin: import\n"))
    reviewed.git("add", "-A")
    assert {code for _, _, code in found(reviewed, "--staged")} == {"review.missing"}


def test_modes_count_where_the_file_system_has_them(desk: Desk) -> None:
    path = f"experience/atlas/{NAME}.md"
    desk.put(path, entry())
    desk.git("add", "-A")
    desk.git("commit", "-qm", "entry")
    (desk.root / path).chmod(0o744)
    assert found(desk) == {(path, 0, "experience.changed")}
    desk.git("config", "core.fileMode", "false")
    assert found(desk, code=0) == set()


def test_a_large_attachment_is_kept_too(desk: Desk) -> None:
    big = desk.root / "experience/atlas/trace.bin"
    big.parent.mkdir(parents=True)
    big.write_bytes(os.urandom(1000) * 5000)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "trace")
    assert found(desk, code=0) == set()
    with big.open("ab") as file:
        file.write(b"x")
    assert found(desk) == {("experience/atlas/trace.bin", 0, "experience.changed")}


def test_the_summary_counts(desk: Desk) -> None:
    desk.put("confirmed/bom.md", "\ufeff---\ntitle: BOM\n---\n")
    assert desk.ok("validate").err == "3 record files checked: 0 errors, 1 warning\n"
    desk.put("confirmed/none.md", "# Nothing\n")
    assert desk.doll("validate").err == "4 record files checked: 1 error, 1 warning\n"
    desk.git("add", "confirmed/none.md")
    assert desk.doll("validate", "--staged").err == "1 record file checked: 1 error, 0 warnings\n"


def test_an_alias_that_captures_another_name_is_found(desk: Desk) -> None:
    desk.put("confirmed/a.md", front("aliases: [ATLAS, Straße]\n"))
    desk.put("confirmed/b.md", front("aliases: [Gärden, strasse]\n"))
    desk.put(f"{RULES}/ga\u0308rden.md", front(DENY))
    expected = {
        ("authority/projects/atlas.md", 1, "id.duplicate"),
        ("confirmed/a.md", 2, "id.duplicate"),
        ("confirmed/b.md", 2, "id.duplicate"),
        (f"{RULES}/ga\u0308rden.md", 1, "id.duplicate"),
    }
    assert found(desk) == expected
    problems = desk.doll("validate", "--json").json["problems"]
    assert {p["message"].split()[4] for p in problems} == {"atlas", "strasse", "gärden"}
    desk.git("add", "-A")
    assert found(desk, "--staged") == expected


def test_a_folder_that_differs_from_its_project_in_case_alone(desk: Desk) -> None:
    written = desk.ok("log", "lesson", "Fine", "--project", "ATLAS").out
    assert written.startswith("experience/atlas/")
    desk.put(f"experience/ATLAS/{NAME}.md", entry())
    desk.put(f"experience/ATLAS/{NAME}1.md", entry("project: ATLAS\n"))
    assert found(desk, code=0) == {("experience/ATLAS", 0, "path.misplaced")}
    desk.git("add", "-A")
    assert found(desk, "--staged", code=0) == {("experience/ATLAS", 0, "path.misplaced")}
    # An alias of just this spelling says that it is meant.
    project = desk.read("authority/projects/atlas.md")
    desk.put("authority/projects/atlas.md", project.replace("status:", "aliases: ATLAS\nstatus:"))
    desk.git("add", "-A")
    assert found(desk, code=0) == set()
