"""Most records of HEAD missing on disk: known, said, and brought back by the line that is said."""

import shutil
import time
from pathlib import Path

import pytest

from doll.errors import ConflictError
from doll.services import missing
from doll.services.opening import Place, Vault, open_vault
from tests.desk import Desk

pytestmark = pytest.mark.sampled(4)

RECORDS = 40


@pytest.fixture
def full(desk: Desk) -> Desk:
    """A vault with 40 committed memories beside its two projects."""
    for number in range(RECORDS):
        desk.put(f"confirmed/{number % 4}/note-{number}.md", f"---\ntitle: Note {number}\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "notes")
    return desk


def opened(desk: Desk) -> Vault:
    return open_vault(Place(desk.root, None, desk.root))


def look(desk: Desk) -> missing.Missing | None:
    return missing.look(opened(desk))


def remove(desk: Desk, count: int) -> None:
    for number in range(count):
        (desk.root / f"confirmed/{number % 4}/note-{number}.md").unlink()


@pytest.mark.parametrize(("gone", "is_most"), [(0, False), (21, False), (22, True), (40, True)])
def test_more_than_half(full: Desk, gone: int, is_most: bool) -> None:
    remove(full, gone)
    for _ in range(2):  # the second time with what the cache remembers
        found = look(full)
        assert (found is not None) == is_most
        if found:
            assert (found.gone, found.of) == (gone, RECORDS + 2)


def test_fewer_than_twenty_are_everyday(desk: Desk) -> None:
    for number in range(19):
        desk.put(f"confirmed/note-{number}.md", "---\ntitle: Note\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "notes")
    shutil.rmtree(desk.root / "confirmed")
    assert look(desk) is None


def test_folders_that_nobody_changed_are_not_listed_again(
    full: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doll.vault.snapshot.RACY_NS", 20_000_000)
    time.sleep(0.05)
    assert look(full) is None
    with monkeypatch.context() as patch:
        patch.setattr("doll.services.missing.record_names", None)
        assert look(full) is None
    (full.root / "confirmed/0/note-0.md").write_text("---\ntitle: Other\n---\n")
    time.sleep(0.05)
    remove(full, 30)
    assert look(full)
    full.git("restore", ".")
    assert look(full) is None
    (full.root / "confirmed").rename(full.root / "away")
    (full.root / "confirmed").symlink_to("away")
    assert look(full)


def test_a_new_commit_is_looked_at_anew(full: Desk) -> None:
    remove(full, 30)
    assert look(full)
    full.git("commit", "-qam", "gone")
    assert look(full) is None


def test_what_was_moved_is_not_missing_and_new_records_make_up_for_none(full: Desk) -> None:
    (full.root / "confirmed").rename(full.root / "moved")
    (full.root / "confirmed").mkdir()
    (full.root / "moved").rename(full.root / "confirmed/all")
    assert look(full) is None
    for number in range(RECORDS):
        full.put(f"confirmed/new-{number}.md", "---\ntitle: New\n---\n")
    shutil.rmtree(full.root / "confirmed/all")
    assert look(full)


def test_candidates_do_not_count(desk: Desk) -> None:
    for number in range(RECORDS):
        desk.put(f"staging/pam/import/note-{number}.md", "---\ntitle: Note\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "candidates")
    shutil.rmtree(desk.root / "staging")
    assert look(desk) is None


@pytest.mark.parametrize("sparse", [True, False])
def test_what_git_was_told_to_leave_out_is_not_missing(full: Desk, sparse: bool) -> None:
    if sparse:
        full.git("sparse-checkout", "set", "authority", "confirmed/0")
    else:
        paths = [f"confirmed/{n % 4}/note-{n}.md" for n in range(30)]
        full.git("update-index", "--skip-worktree", *paths)
        remove(full, 30)
    assert look(full) is None


def test_a_linked_folder_is_not_followed(full: Desk, tmp_path: Path) -> None:
    (full.root / "confirmed").rename(tmp_path / "elsewhere")
    (full.root / "confirmed").symlink_to("../elsewhere")
    found = look(full)
    assert found
    assert found.gone == RECORDS


@pytest.mark.parametrize("how", ["removed", "staged", "edited"])
def test_the_line_brings_all_back_and_keeps_every_edit(full: Desk, how: str) -> None:
    before = full.files()
    remove(full, 30)
    full.put("confirmed/mine.md", "---\ntitle: Mine\n---\n")
    if how == "staged":
        full.git("add", "-A")
    if how == "edited":
        full.put("confirmed/3/note-39.md", "---\ntitle: Edited\n---\n")
    found = look(full)
    assert found
    full.type(found.restoring)
    edited = ["confirmed/3/note-39.md"] if how == "edited" else []
    for path, data in before.items():
        assert (full.root / path).read_bytes() == data or path in edited
    assert all("Edited" in full.read(path) for path in edited)
    assert "Mine" in full.read("confirmed/mine.md")
    assert look(full) is None


@pytest.mark.parametrize("count", [30, RECORDS])
def test_the_line_keeps_what_was_edited_after_it_was_said(full: Desk, count: int) -> None:
    remove(full, count)
    if count == RECORDS:
        shutil.rmtree(full.root / "authority")
        line = full.refused(3, "status").splitlines()[1].partition("    brings")[0]
    else:
        found = look(full)
        assert found
        line = found.restoring
    full.put("confirmed/0/note-0.md", "---\ntitle: Edited\n---\n")
    full.put("doll.yaml", full.read("doll.yaml") + "# mine\n")
    full.type(line.strip())
    assert look(full) is None
    assert "Edited" in full.read("confirmed/0/note-0.md")
    assert full.read("doll.yaml").endswith("# mine\n")
    changed = ["M", "confirmed/0/note-0.md", "M", "doll.yaml"]
    assert full.git("status", "--porcelain").split() == changed


@pytest.mark.parametrize("is_unknown", [False, True])
def test_the_line_writes_no_file_over_and_drops_nothing_staged(
    full: Desk, is_unknown: bool
) -> None:
    before = full.files()
    remove(full, 30)
    unknown, staged, later, moved = (f"confirmed/{n % 4}/note-{n}.md" for n in (35, 3, 0, 1))
    kept = {path: f"---\ntitle: Edited {path}\n---\n" for path in (unknown, later)}
    full.put(unknown, kept[unknown])
    full.git("rm", "-q", "--cached", unknown, moved)
    if is_unknown:
        (full.root / ".git/index").unlink()
    else:
        kept[staged] = "---\ntitle: Staged\n---\n"
        full.put(staged, kept[staged])
        full.git("add", staged)
        (full.root / staged).unlink()
    found = look(full)
    assert found
    line = found.restoring
    full.put(later, kept[later])
    assert full.type(f"cd / && {line}") == ""
    assert full.files() == {**before, **{path: text.encode() for path, text in kept.items()}}
    assert look(full) is None
    said = [f"M  {staged}"] if staged in kept else []
    changed = full.git("status", "--porcelain", "confirmed").splitlines()
    assert sorted(x.strip() for x in changed) == sorted([f"M {unknown}", f"M {later}", *said])
    assert full.type(line) == ""


def test_the_line_moves_away_what_stands_in_place_of_folders(full: Desk, tmp_path: Path) -> None:
    before = full.files()
    (full.root / "confirmed").rename(tmp_path / "elsewhere")
    (full.root / "confirmed").symlink_to("../elsewhere")
    found = look(full)
    assert found
    full.type(found.restoring)
    assert (full.root / "confirmed.away").is_symlink()
    shutil.rmtree(full.root / "confirmed/1")
    for number in range(40):
        if number % 4 != 1:
            (full.root / f"confirmed/{number % 4}/note-{number}.md").unlink()
    full.put("confirmed/1", "A file.\n")
    found = look(full)
    assert found
    full.type(found.restoring)
    assert full.read("confirmed/1.away") == "A file.\n"
    (full.root / "confirmed.away").unlink()
    assert full.files() == {**before, "confirmed/1.away": b"A file.\n"}


def test_a_refusal_names_both_ways_on(full: Desk) -> None:
    remove(full, 30)
    found = look(full)
    assert found
    refused = missing.refusal(found)
    assert isinstance(refused, ConflictError)
    assert "30 of the 42 records" in refused.message
    assert f"{found.restoring}    brings them back" in refused.hint
    assert "doll sync --allow-mass-delete" in refused.hint
    assert "\n" not in missing.line(found)


READS = (
    ("where",),
    ("status",),
    ("show", "atlas"),
    ("list",),
    ("validate",),
    ("validate", "--staged"),
    ("recall", "note"),
    ("context", "note"),
    ("preflight", "--project", "atlas"),
    ("review", "list"),
    ("imports",),
    ("duplicates",),
    ("index", "--check"),
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("read", READS, ids=" ".join)
def test_a_read_says_it_in_one_line_and_goes_on(full: Desk, read: tuple[str, ...]) -> None:
    usual = full.doll(*read)
    assert "brings them back" not in usual.err
    remove(full, 30)
    for json in ((), ("--json",)):
        found = full.doll(*read, *json)
        assert found.code in (0, 1), found.err
        said = [line for line in found.err.splitlines() if "brings them back" in line]
        assert len(said) == 1
        assert said[0].startswith("doll: 30 of the 42 records that HEAD has are not on disk; git ")
        if json:
            assert found.json["schema"]
