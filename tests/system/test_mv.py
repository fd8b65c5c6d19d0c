"""`doll mv`: a record gets another id, and the vault is whole after every step of it."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doll.vault import disk, files, naming
from tests import children
from tests.desk import Desk
from tests.foreign_desk import ForeignDesk, three
from tests.gitbox import hook

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

ENTRY = "experience/atlas/20260820T143205Z-attempt-locked-k3v9q2xw7d.md"
RECORDS = {
    "authority/projects/atlas.md": "---\r\n# mine\r\nstatus: active\r\naliases:\r\n"
    "  - at # first\r\ntitle: Atlas\r\n---\r\n\r\nIt is [[atlas]].",
    "authority/work-items/split.md": "---\nstatus: ready\nproject:  'Atlas' # atlas\n---\natlas\n",
    "authority/work-items/join.md": "---\nstatus: ready\nproject: at\ndepends_on: split\n---\n",
    "authority/policies/no.md": "---\neffect: deny\nprojects: [ garden,atlas ]\n"
    "actions: db.migrate\n---\n",
    "authority/policies/take-care.md": "---\neffect: advise\nprojects:\n"
    '  - "[[atlas|it]]" # atlas\n  - garden\npaths: x\n---\n',
    "confirmed/about.md": "---\ntitle: atlas\n---\n\nSee [[Atlas|it]] and [[atlas-2]].\n",
    ENTRY: "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\noutcome: failed\n"
    "at: 2026-08-20T14:32:05Z\nsummary: Locked\nactions: db.migrate\nwork_item: split\n"
    "sources: [atlas, about]\n---\n[[atlas]]\n",
}
AFTER = {
    "authority/projects/map.md": RECORDS["authority/projects/atlas.md"].replace(
        "  - at # first\r\n", "  - at # first\r\n  - atlas\r\n"
    ),
    "authority/work-items/split.md": RECORDS["authority/work-items/split.md"].replace(
        "'Atlas'", "'map'"
    ),
    "authority/policies/no.md": RECORDS["authority/policies/no.md"].replace(",atlas", ",map"),
    "authority/policies/take-care.md": RECORDS["authority/policies/take-care.md"].replace(
        '"[[atlas|', '"[[map|'
    ),
}
BOTH = "authority/projects/atlas.md", "authority/projects/map.md"


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A vault in which much names the project atlas."""
    for path, text in RECORDS.items():
        desk.put(path, text)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "records")
    return desk


def expected(desk: Desk) -> dict[str, bytes]:
    """Return the files as they are after the rename of atlas to map."""
    known = desk.files() | {path: text.encode() for path, text in AFTER.items()}
    known.pop(BOTH[0], None)
    return known


def test_what_names_it_follows_and_no_other_byte_changes(desk: Desk) -> None:
    wanted = expected(desk)
    result = desk.ok("mv", "atlas", "map")
    assert desk.files() == wanted
    rules = ("authority/policies/no.md", "authority/policies/take-care.md")
    changed = (*rules, "authority/work-items/split.md")
    lines = [f"{BOTH[0]} → {BOTH[1]}", *(f"  names it now: {path}" for path in changed)]
    assert result.out.splitlines() == lines
    assert "note: 1 entry of experience: the old name stays" in result.err
    links = "authority/projects/atlas.md, confirmed/about.md"
    assert f"links [[atlas]] in the text stay as they are: {links}" in result.err
    assert "staged, not committed, so it does not count yet" in result.err
    assert desk.git("diff", "--name-only") == ""
    desk.ok("validate")
    desk.type(result.err.splitlines()[-1])
    assert desk.git("status", "--short") == ""
    assert desk.git("log", "-1", "--format=%s") == "mv: atlas to map"


def test_just_that_is_committed(desk: Desk) -> None:
    desk.put("confirmed/other.md", "---\ntitle: Other\n---\n")
    desk.git("add", "-A")
    result = desk.ok("mv", "atlas", "map.md", "--commit", "--json")
    paths = desk.git("show", "--no-renames", "--name-only", "--format=", "HEAD").splitlines()
    assert set(paths) == {*BOTH, *AFTER}
    assert desk.git("status", "--short") == "A  confirmed/other.md"
    assert result.json == {
        "schema": "doll.mv/1",
        "was": "atlas",
        "id": "map",
        "path_before": BOTH[0],
        "path": BOTH[1],
        "changed": True,
        "rewritten": sorted(path for path in AFTER if path != BOTH[1]),
        "entries": 1,
        "linking": ["authority/projects/atlas.md", "confirmed/about.md"],
        "staged": sorted([*BOTH, *(path for path in AFTER if path != BOTH[1])]),
        "commit": desk.git("rev-parse", "HEAD"),
        "notes": [],
        "next": [],
    }
    desk.ok("validate")


def test_the_old_name_goes_on_resolving(desk: Desk) -> None:
    desk.ok("mv", "atlas", "map", "--commit")
    for name in ("atlas", "map", "at"):
        report = desk.doll("preflight", "--json", "--project", name, "--action", "db.migrate").json
        found = {finding["code"] for finding in report["findings"]}
        assert found == {"policy.denied", "experience.prior_failure.user_recorded"}, name
    desk.ok("log", "lesson", "It is map now", "--project", "atlas")
    assert (desk.root / ENTRY).exists()
    desk.ok("validate")


def test_much_that_names_it_is_committed_by_the_same_line(desk: Desk) -> None:
    for number in range(12):
        item = f"---\nstatus: ready\nproject: atlas\n# {number}\n---\n"
        desk.put(f"authority/work-items/item-{number}.md", item)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "items")
    line = desk.ok("mv", "atlas", "map").err.splitlines()[-1].strip()
    assert line == "doll mv atlas map --commit"
    desk.ok(*line.split()[1:])
    assert desk.git("status", "--short") == ""


def test_a_second_rename_and_the_way_back(desk: Desk) -> None:
    desk.ok("mv", "atlas", "map")
    desk.ok("mv", "map", "chart")
    assert "  - atlas\r\n  - map\r\n" in desk.read("authority/projects/chart.md")
    desk.ok("mv", "chart", "atlas", "--commit")
    aliases = "aliases:\r\n  - at # first\r\n  - map\r\n  - chart\r\ntitle"
    assert aliases in desk.read(BOTH[0])
    desk.ok("validate")


def whole_at_head(desk: Desk) -> None:
    """Hold the last commit to what the work tree is, and that to be in order."""
    assert desk.git("status", "--short") == ""
    desk.ok("validate")
    report = desk.doll("preflight", "--json", "--project", "atlas", "--action", "db.migrate").json
    assert report["status"] == "blocked", report


@pytest.mark.sampled(6)
@pytest.mark.parametrize("hooked", [True, False])
@pytest.mark.parametrize("options", [(), ("--commit",)])
def test_renames_in_a_row_are_committed_from_end_to_end(
    desk: Desk, options: tuple[str, ...], hooked: bool
) -> None:
    if hooked:
        desk.ok("hooks", "install")
    desk.ok("mv", "atlas", "map")
    desk.ok("mv", "map", "plan")
    result = desk.ok("mv", "plan", "chart", *options)
    if not options:
        desk.type(result.err.splitlines()[-1])
    assert desk.git("log", "-1", "--format=%s") == "mv: atlas to chart"
    whole_at_head(desk)


def test_what_a_hook_refused_is_finished_by_the_line_it_is_told(desk: Desk) -> None:
    desk.ok("mv", "atlas", "map")
    refusing = hook(desk.root, "#!/bin/sh\nexit 1\n")
    told = desk.doll("mv", "map", "chart", "--commit").err
    line = "doll mv map chart --commit"
    assert f"then: {line}    which finishes it" in told
    refusing.unlink()
    again = desk.ok("mv", "map", "chart")
    assert "staged, not committed" in again.err
    for old in ("authority/projects/atlas.md", "authority/work-items/split.md"):
        assert old in again.err.splitlines()[-1]
    desk.ok(*line.split()[1:])
    whole_at_head(desk)


def test_a_second_time_changes_nothing_and_commits(desk: Desk) -> None:
    desk.ok("mv", "atlas", "map")
    before = desk.files()
    again = desk.ok("mv", "atlas", "map")
    assert "named so already; nothing was changed" in again.out
    desk.ok("mv", "atlas", "map", "--commit")
    assert desk.git("status", "--short") == ""
    desk.put("authority/projects/map.md", desk.read("authority/projects/map.md") + "more")
    for name in ("atlas", "map"):
        done = desk.ok("mv", name, "map", "--commit")
        assert "nothing was changed" in done.out
        assert desk.git("status", "--short") == "M authority/projects/map.md"
    assert desk.files().keys() == before.keys()


def test_only_the_case_of_letters(desk: Desk) -> None:
    desk.ok("mv", "atlas", "Atlas", "--commit")
    aliases = "aliases:\r\n  - at # first\r\n  - atlas\r\ntitle"
    assert aliases in desk.read("authority/projects/Atlas.md")
    assert "projects: [ garden,Atlas ]" in desk.read("authority/policies/no.md")
    desk.ok("validate")


def test_a_record_that_is_not_committed_is_renamed(desk: Desk) -> None:
    desk.put("confirmed/deep/tea.md", "---\ntitle: Tea\n---\n")
    result = desk.ok("mv", "tea", "herbal tea")
    assert desk.read("confirmed/deep/herbal tea.md") == "---\ntitle: Tea\naliases: [tea]\n---\n"
    desk.type(result.err.splitlines()[-1])
    assert desk.git("status", "--short") == ""


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        (ENTRY, "x", 5, "history keeps its names"),
        ("k3v9q2xw7d", "x", 5, "history keeps its names"),
        ("atlas", "garden", 5, "taken by authority/projects/garden.md"),
        ("atlas", "GARDEN", 5, "taken by authority/projects/garden.md"),
        ("garden", "at", 5, "taken by authority/projects/atlas.md"),
        ("garden", "About", 5, "taken by confirmed/about.md"),
        ("about", Path(ENTRY).stem, 5, f"taken by {ENTRY}"),
        ("atlas", "broken", 5, "taken by confirmed/broken.md"),
        ("atlas", "STRASSE", 5, "taken by confirmed/straße.md"),
        ("atlas", "e\u0301te", 5, "taken by confirmed/éte.md"),
        ("atlas", "link", 5, "taken by authority/projects/link.md"),
        ("broken", "x", 4, "confirmed/broken.md:2:9: error"),
        ("proposals/tea", "x", 2, "no record"),
        ("nothing", "x", 2, "OLD: no record has the id"),
        ("atlas", "", 2, "it is empty"),
        ("atlas", "a/b", 2, "it must not contain '/'"),
        ("atlas", "../b", 2, "it must begin with a letter or a digit"),
        ("atlas", "con", 2, "Windows reserves this name"),
        ("atlas", "README", 2, "never a record"),
        ("atlas", "x" * 121, 2, "an id has 1 to 120"),
        ("atlas", "a\nb", 2, "must not contain"),
        ("db.migrate", "Migrate", 2, "the id of a capability is the name of an action"),
    ],
)
def test_what_cannot_be_is_refused(desk: Desk, old: str, new: str, code: int, said: str) -> None:
    desk.put("confirmed/broken.md", "---\nstatus: gone\n---\n")
    desk.put("confirmed/straße.md", "---\ntitle: S\n---\n")
    desk.put("confirmed/éte.md", "---\ntitle: E\n---\n")
    desk.put("authority/capabilities/db.migrate.md", "---\nrisk: low\nrelease: available\n---\n")
    (desk.root / "authority/projects/link.md").symlink_to("garden.md")
    index = desk.git("status", "--porcelain")
    assert said in desk.refused(code, "mv", old, new)
    assert desk.git("status", "--porcelain") == index


@pytest.mark.sampled(6)
@pytest.mark.parametrize("model", [("--by", "model:claude"), ()])
def test_a_model_renames_nothing(desk: Desk, model: tuple[str, ...]) -> None:
    under = desk if model else desk.under(DOLL_BY="model:claude")
    assert "that is the user's" in under.refused(5, "mv", "atlas", "map", *model)


def test_a_candidate_keeps_its_name(desk: Desk) -> None:
    desk.ok("new", "memory", "tea", "--title", "Tea", "--by", "model:claude")
    candidate = next(p for p in desk.files() if p.startswith("staging/"))
    assert "approve it first" in desk.refused(5, "mv", candidate, "x")


def test_a_reviewed_memory_keeps_its_review(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = ForeignDesk(desk.root, capsys)
    candidate = foreign.committed(three(), "--name", "mine")[0]
    foreign.approve(candidate)
    name = candidate["id"].rpartition("/")[2]
    assert "is not committed yet" in desk.refused(5, "mv", name, "x")
    desk.git("commit", "-qm", "review")
    desk.ok("mv", name, "bees")
    desk.ok("validate")
    desk.ok("validate", "--staged")
    desk.ok("mv", "bees", "three-bees", "--commit")
    desk.ok("validate")


def test_settings_keep_the_old_name_and_it_is_said(desk: Desk) -> None:
    rule = "actions:\n  - {project: atlas, paths: [x], actions: [db.migrate]}\n"
    desk.put("doll.yaml", desk.read("doll.yaml") + rule)
    assert "doll.yaml keeps the old name" in desk.ok("mv", "atlas", "map").err
    desk.ok("validate")


def test_what_was_declared_to_be_no_secret_stays_so(desk: Desk) -> None:
    key = "AKIA" + "QWERTYUIOPASDFGH"
    new = ("new", "memory", "key", "--title", "Key", "--body", key)
    option = desk.refused(5, *new).strip().splitlines()[-1].rpartition(" ")[2]
    desk.ok(*new, "--not-a-secret", option, "--commit")
    result = desk.ok("mv", "key", "old-key")
    desk.ok("validate", "--staged")
    desk.type(result.err.splitlines()[-1])
    (desk.root / ".git/doll/not-a-secret").unlink()
    desk.ok("validate")


def test_a_hook_that_refuses_leaves_it_staged(desk: Desk) -> None:
    hook(desk.root, "#!/bin/sh\necho no >&2\nexit 1\n")
    wanted = expected(desk)
    result = desk.doll("mv", "atlas", "map", "--commit")
    assert result.code == 7
    assert "the rename is made, and could not be committed" in result.err
    assert desk.files() == wanted


Step = Callable[..., None]


def at_step(number: int, act: Callable[[], None]) -> Callable[[pytest.MonkeyPatch], None]:
    """Return a patch that acts before the writing step of that number, counted from 0."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        done: list[int] = []

        def counted(step: Step) -> Step:
            def run(*arguments: Any) -> None:
                done.append(0)
                if len(done) == number + 1:
                    act()
                step(*arguments)

            return run

        for name in ("replace", "rename"):
            monkeypatch.setattr(files, name, counted(getattr(files, name)))

    return patch


STEPS = 6


@pytest.mark.sampled(6)
@pytest.mark.parametrize("step", range(STEPS + 1))
def test_the_vault_is_whole_wherever_it_is_killed(desk: Desk, step: int) -> None:
    wanted = expected(desk)

    def killed() -> object:
        with pytest.MonkeyPatch.context() as patch:
            at_step(step, lambda: os.kill(os.getpid(), signal.SIGKILL))(patch)
            return desk.doll("mv", "atlas", "map").code

    (ended,) = children.run(killed)
    assert ended.signal == (signal.SIGKILL if step < STEPS else 0), ended
    desk.ok("validate")
    for name in ("atlas", "at"):
        asked = ("preflight", "--json", "--project", name, "--action", "db.migrate")
        assert desk.doll(*asked).json["status"] == "blocked"
    desk.ok("mv", "atlas", "map", "--commit")
    assert desk.files() == wanted
    assert desk.git("status", "--short") == ""


@pytest.mark.sampled(6)
@pytest.mark.parametrize("step", range(STEPS))
def test_a_failure_in_between_undoes_it(
    desk: Desk, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OSError(28, "No space left on device")

    at_step(step, fail)(monkeypatch)
    before = desk.files()
    assert desk.doll("mv", "atlas", "map").code == 74
    assert desk.files() == before
    assert desk.git("status", "--short") == ""


def test_a_file_that_appears_meanwhile_is_not_written_over(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_step(STEPS - 2, lambda: desk.put(BOTH[1], "mine"))(monkeypatch)
    before = desk.files()
    result = desk.doll("mv", "atlas", "map")
    assert result.code == 5
    assert f"{BOTH[1]} exists already" in result.err
    assert desk.files() == {**before, BOTH[1]: b"mine"}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("one_step", [True, False])
def test_a_name_is_given_only_where_it_is_free(
    tmp_path: Path, one_step: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not one_step:
        monkeypatch.setattr(disk, "rename_new", lambda *_: False)
    one, two, three = (tmp_path / name for name in ("ö ne", "two", "three"))
    one.write_bytes(b"1")
    two.write_bytes(b"2")
    with pytest.raises(FileExistsError):
        naming.rename_new(one, two)
    naming.rename_new(one, three)
    assert (two.read_bytes(), three.read_bytes(), one.exists()) == (b"2", b"1", False)
    with pytest.raises(FileNotFoundError):
        naming.rename_new(one, tmp_path / "four")
