"""`doll verify`: each commit against each of its parents."""

import shutil
from pathlib import Path

import pytest

from doll.records.digest import sha256
from tests.desk import Desk
from tests.gitbox import git

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

NAME = "20260820T143205Z-attempt-locked-k3v9q2xw7d"
PATH = f"experience/atlas/{NAME}.md"
ENTRY = (
    "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
    "summary: Locked for jane\noutcome: failed\n{0}---\n\nThe table was locked.\n"
)
REDACTED = ENTRY.format(
    "redacted_at: 2026-09-01T08:00:00Z\nredacted_by: Ada <ada@example.org>\n"
    f"redacted_sha256: {sha256(ENTRY.format('').encode())}\nredacted_reason: a name\n"
).replace("Locked for jane", '"[redacted]"')


def commit(desk: Desk, message: str, *more: str) -> str:
    """Commit all that is there, and return the commit's id."""
    desk.git("add", "-A")
    desk.git("commit", "-q", "--allow-empty", "-m", message, *more)
    return desk.git("rev-parse", "HEAD")


def problems(desk: Desk, *arguments: str, code: int = 1) -> list[tuple[str, str, str]]:
    """Return code, path and commit of what verify finds, with and without the cache."""
    said = desk.doll("verify", "--json", *arguments)
    assert said.code == code, said.out + said.err
    assert said.out == desk.doll("verify", "--json", *arguments).out
    assert said.out == desk.doll("verify", "--json", "--full", *arguments).out
    return [(each["code"], each["path"], each["commit"]) for each in said.json["problems"]]


@pytest.fixture
def kept(desk: Desk) -> Desk:
    """A vault with one entry of experience on its branch."""
    desk.put(PATH, ENTRY.format(""))
    commit(desk, "entry")
    return desk


def test_a_whole_history_passes(kept: Desk) -> None:
    kept.put(PATH.replace("k3v9", "aaaa"), ENTRY.format(""))
    kept.put("confirmed/espresso.md", "---\ntitle: Espresso\n---\n\nNo sugar.\n")
    commit(kept, "more")
    result = kept.ok("verify")
    assert result.out == ""
    assert result.err == "3 commits verified: 0 errors\n"
    found = kept.ok("verify", "--json").json
    assert found == {
        "schema": "doll.verify/1",
        "base": None,
        "tip": kept.git("rev-parse", "HEAD"),
        "commits": 3,
        "complete": True,
        "errors": 0,
        "gaps": [],
        "problems": [],
    }


def test_a_removed_entry_is_named_with_its_commit_though_it_came_back(kept: Desk) -> None:
    kept.git("rm", "-q", PATH)
    gone = commit(kept, "tidy")
    kept.git("revert", "--no-edit", gone)
    assert problems(kept) == [("experience.removed", PATH, gone)]
    said = kept.doll("verify")
    assert said.out.startswith(f"{PATH}: error: commit {gone[:12]} removes this entry [")
    assert f"    git show --stat {gone[:12]}" in said.out


def test_bytes_mode_and_kind_are_kept(kept: Desk) -> None:
    (kept.root / PATH).chmod(0o755)
    mode = commit(kept, "mode")
    kept.put(PATH, ENTRY.format("").replace("failed", "worked"))
    text = commit(kept, "text")
    (kept.root / PATH).unlink()
    (kept.root / PATH).symlink_to("elsewhere")
    link = commit(kept, "link")
    found = {(code, by) for code, path, by in problems(kept) if path == PATH}
    assert found == {("experience.changed", by) for by in (mode, text, link)}
    assert "changes the mode of this entry from 100644 to 100755" in kept.doll("verify").out


def test_what_is_not_kept_may_change(kept: Desk) -> None:
    for text in ("one", "two"):
        kept.put("experience/README.md", text)
        kept.put("experience/atlas/.gitkeep", text)
        commit(kept, text)
    kept.git("rm", "-qr", "experience/README.md", "experience/atlas/.gitkeep")
    commit(kept, "gone")
    assert problems(kept, code=0) == []


@pytest.mark.parametrize("strategy", ["ours", "theirs"])
def test_a_merge_that_drops_an_entry_of_either_side_is_found(kept: Desk, strategy: str) -> None:
    other = PATH.replace("k3v9", "bbbb")
    kept.git("switch", "-qc", "side")
    kept.put(other, ENTRY.format(""))
    commit(kept, "side")
    kept.git("switch", "-q", "main")
    here = PATH.replace("k3v9", "cccc")
    kept.put(here, ENTRY.format(""))
    commit(kept, "main")
    kept.git("merge", "-q", "--no-edit", "side")
    lost = other if strategy == "ours" else here
    kept.git("rm", "-q", lost)
    kept.git("commit", "-q", "--amend", "--no-edit")
    assert problems(kept) == [("experience.removed", lost, kept.git("rev-parse", "HEAD"))]
    assert "which one of its parents has" in kept.doll("verify").out


def test_a_merge_that_takes_the_tree_of_one_side_is_found_in_a_range(kept: Desk) -> None:
    kept.git("switch", "-qc", "side")
    commit(kept, "side")
    kept.git("switch", "-q", "main")
    kept.put(PATH.replace("k3v9", "dddd"), ENTRY.format(""))
    base = commit(kept, "main")
    kept.git("switch", "-q", "side")
    kept.git("merge", "-q", "-s", "ours", "-m", "evil", "main")
    evil = kept.git("rev-parse", "HEAD")
    lost = ("experience.removed", PATH.replace("k3v9", "dddd"), evil)
    assert problems(kept, "--range", f"{base}..HEAD") == [lost]
    kept.git("switch", "-q", "main")
    kept.ok("verify")
    kept.git("merge", "-q", "--ff-only", "side")
    assert problems(kept) == [lost]


def test_a_redaction_needs_its_shape_its_trailer_and_its_own_commit(kept: Desk) -> None:
    kept.put(PATH, REDACTED)
    trailer = ("--trailer", f"Doll-Redacts: {NAME}")
    start = kept.git("rev-parse", "HEAD")
    commit(kept, "redact", *trailer)
    assert problems(kept, code=0) == []

    def again(path: str = PATH, text: str = REDACTED) -> None:
        kept.git("reset", "-q", "--hard", start)
        kept.put(PATH, REDACTED)
        kept.put(path, text)

    again()
    silent = commit(kept, "redact")
    assert problems(kept) == [("experience.changed", PATH, silent)]
    assert f"without the line `Doll-Redacts: {NAME}`" in kept.doll("verify").out
    again()
    other = commit(kept, "redact", "--trailer", "Doll-Redacts: another")
    assert problems(kept) == [("experience.changed", PATH, other)]
    again("confirmed/a.md", "---\ntitle: a\n---\n")
    more = commit(kept, "redact", *trailer)
    assert problems(kept) == [("experience.changed", PATH, more)]
    again(text=REDACTED.replace("failed", "worked"))
    edited = commit(kept, "redact", *trailer)
    assert problems(kept) == [("experience.changed", PATH, edited)]


def test_a_merge_may_take_over_a_redaction_and_may_not_take_it_back(kept: Desk) -> None:
    kept.git("switch", "-qc", "side")
    kept.put("confirmed/a.md", "---\ntitle: a\n---\n")
    commit(kept, "side")
    kept.git("switch", "-q", "main")
    kept.put(PATH, REDACTED)
    redacted = commit(kept, "redact", "--trailer", f"Doll-Redacts: {NAME}")
    kept.git("switch", "-q", "side")
    kept.git("merge", "-q", "--no-edit", "main")
    assert problems(kept, code=0) == []
    assert problems(kept, "--range", f"{redacted}..HEAD", code=0) == []
    kept.put(PATH, ENTRY.format(""))
    kept.git("commit", "-qa", "--amend", "--no-edit")
    back = kept.git("rev-parse", "HEAD")
    assert problems(kept) == [("experience.changed", PATH, back)]


def test_the_cache_remembers_faults_and_other_branches(kept: Desk) -> None:
    kept.ok("verify")
    good = kept.git("rev-parse", "HEAD")
    kept.git("rm", "-q", PATH)
    gone = commit(kept, "tidy")
    assert kept.doll("verify").code == 1
    commit(kept, "more")
    result = kept.doll("verify")
    assert result.err == "4 commits verified (1 of them now): 1 error\n"
    assert gone[:12] in result.out
    kept.git("reset", "-q", "--hard", good)
    assert kept.ok("verify").err == "2 commits verified (0 of them now): 0 errors\n"
    assert kept.doll("verify", "--full").err == "2 commits verified: 0 errors\n"


def test_a_forged_cache_is_not_believed(kept: Desk) -> None:
    kept.git("rm", "-q", PATH)
    gone = commit(kept, "tidy")
    kept.doll("verify")
    place = kept.root / ".doll/cache/verified"
    sealed = place.read_bytes()
    place.write_bytes(sealed.replace(b"removed", b"renamed"))
    assert place.read_bytes() != sealed
    assert problems(kept) == [("experience.removed", PATH, gone)]
    (kept.root / ".git/doll/key").write_bytes(bytes(32))
    place.write_bytes(sealed)
    assert problems(kept) == [("experience.removed", PATH, gone)]


def test_a_shallow_clone_is_said_and_never_passes(kept: Desk, tmp_path: Path) -> None:
    commit(kept, "more")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{kept.root}", "clone")
    clone = kept.at("../clone")
    result = clone.doll("verify")
    assert result.code == 3
    tip = kept.git("rev-parse", "HEAD")
    assert f"NOT VERIFIED: the history is cut off at commit {tip[:12]}" in result.err
    assert "git fetch --unshallow" in result.err
    found = clone.doll("verify", "--json")
    assert (found.code, found.json["complete"]) == (3, False)
    assert [gap["code"] for gap in found.json["gaps"]] == ["history.shallow"]
    assert not (clone.root / ".doll/cache/verified").exists()
    clone.put("confirmed/a.md", "---\ntitle: a\n---\n")
    commit(clone, "new")
    assert clone.doll("verify").code == 3
    assert clone.doll("verify", "--range", f"{tip}..HEAD").code == 0
    clone.git("fetch", "-q", "--unshallow")
    assert clone.doll("verify").code == 0


@pytest.mark.parametrize("left_out", ["blob:none", "tree:0"])
def test_a_partial_clone_is_said_and_never_passes(
    kept: Desk, tmp_path: Path, left_out: str
) -> None:
    kept.git("config", "uploadpack.allowFilter", "true")
    kept.put("confirmed/a.md", "---\ntitle: a\norigin: model\n---\n")
    commit(kept, "unreviewed")
    kept.git("rm", "-q", "confirmed/a.md")
    commit(kept, "gone")
    where = f"file://{kept.root}"
    git(tmp_path, "clone", "-q", f"--filter={left_out}", where, "clone")
    clone = kept.at("../clone")
    shutil.rmtree(kept.root / ".git")
    found = clone.doll("verify", "--json")
    assert (found.code, found.json["complete"]) == (3, False)
    assert "history.partial" in {gap["code"] for gap in found.json["gaps"]}


def test_what_a_clone_cannot_see_is_a_gap_and_no_fault(kept: Desk, tmp_path: Path) -> None:
    kept.git("switch", "-qc", "side")
    commit(kept, "side")
    kept.git("switch", "-q", "main")
    kept.put(PATH, REDACTED)
    commit(kept, "redact", "--trailer", f"Doll-Redacts: {NAME}")
    commit(kept, "more")
    kept.git("merge", "-q", "--no-edit", "side")
    assert problems(kept, code=0) == []
    kept.git("config", "uploadpack.allowFilter", "true")
    where = f"file://{kept.root}"
    git(tmp_path, "clone", "-q", "--filter=blob:none", where, "partial")
    git(tmp_path, "clone", "-q", "--depth", "2", where, "shallow")
    shutil.rmtree(kept.root / ".git")
    for name in ("partial", "shallow"):
        found = kept.at(f"../{name}").doll("verify", "--json")
        assert (found.code, found.json["problems"]) == (3, []), name
        assert {gap["code"] for gap in found.json["gaps"]} == {f"history.{name}"}


def test_a_vault_in_a_code_repository(tmp_path: Path, kept: Desk) -> None:
    code = tmp_path / "code"
    code.mkdir()
    git(code, "init", "-q", "-b", "main")
    (code / "experience").mkdir()
    (code / "experience/x").write_text("not of the vault")
    shutil.copytree(kept.root, code / "notes", ignore=shutil.ignore_patterns(".git"))
    desk = kept.at("../code")
    commit(desk, "all")
    (code / "experience/x").unlink()
    commit(desk, "code")
    notes = desk.at("notes")
    assert problems(notes, code=0) == []
    notes.git("rm", "-q", PATH)
    gone = commit(notes, "tidy")
    assert problems(notes) == [("experience.removed", PATH, gone)]


def test_settings_that_ask_have_to_be_signed(kept: Desk) -> None:
    kept.put("doll.yaml", kept.read("doll.yaml") + "authority:\n  signed: required\n")
    tip = commit(kept, "sign")
    assert problems(kept) == [("signature.settings", "doll.yaml", tip)]


@pytest.mark.parametrize("text", ["main", "a...b", "main..nowhere", "..", "-x..A", "^main..main"])
def test_what_is_no_range_is_wrong_usage(kept: Desk, text: str) -> None:
    said = kept.refused(2, "verify", f"--range={text}")
    assert said.split("\n")[0] == kept.refused(2, "preflight", f"--range={text}").split("\n")[0]


def test_the_users_settings_of_git_change_nothing(kept: Desk) -> None:
    kept.git("rm", "-q", PATH)
    gone = commit(kept, "tidy")
    for key, value in {
        "log.follow": "true",
        "log.showRoot": "false",
        "color.ui": "always",
        "diff.renames": "copies",
        "log.diffMerges": "off",
        "i18n.logOutputEncoding": "UTF-16",
        "core.quotePath": "true",
        "trailer.separators": "#",
    }.items():
        kept.git("config", key, value)
    assert problems(kept) == [("experience.removed", PATH, gone)]


def test_grafts_and_replacements_hide_nothing(kept: Desk) -> None:
    kept.git("rm", "-q", PATH)
    gone = commit(kept, "tidy")
    commit(kept, "more")
    kept.git("replace", "--graft", "HEAD")
    (kept.root / ".git/info").mkdir(exist_ok=True)
    (kept.root / ".git/info/grafts").write_text(kept.git("rev-parse", "HEAD") + "\n")
    assert problems(kept) == [("experience.removed", PATH, gone)]


def test_a_newer_vault_is_not_judged(kept: Desk) -> None:
    kept.put("doll.yaml", kept.read("doll.yaml").replace("format: 1", "format: 2"))
    commit(kept, "newer")
    assert "settings.newer" in kept.refused(3, "verify")


def test_a_submodule_among_the_records_is_no_gap(kept: Desk) -> None:
    other = kept.git("rev-parse", "HEAD")
    kept.git("update-index", "--add", "--cacheinfo", f"160000,{other[::-1]},confirmed/x.md")
    kept.git("commit", "-qm", "submodule")
    assert problems(kept, code=0) == []


def test_sha256_object_ids_and_odd_names(tmp_path: Path, kept: Desk) -> None:
    root = tmp_path / "odd"
    shutil.copytree(kept.root, root, ignore=shutil.ignore_patterns(".git", "cache"))
    desk = kept.at("../odd")
    desk.git("init", "-q", "-b", "main", "--object-format=sha256")
    odd = "experience/atlas/:a\n/b \u00e9 .md"
    desk.put(odd, "x")
    commit(desk, "all")
    desk.git("rm", "-q", "--", f":(literal){odd}")
    by = commit(desk, "tidy")
    assert len(by) == 64
    assert problems(desk) == [("experience.removed", odd, by)]
