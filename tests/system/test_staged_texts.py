"""Text that is staged and nowhere else: no command that changes its record drops it."""

import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from doll.vault import judged
from tests import editors
from tests.desk import Desk
from tests.gitbox import make

pytestmark = pytest.mark.sampled(4)

TEXT = "---\ntitle: Espresso\n---\nNo sugar.\n"
ITEM = "---\nschema: doll/work-item/1\ntitle: W\nproject: atlas\nstatus: ready\n---\n"
WAITING = "---\nschema: doll/memory/1\ntitle: Tea\nassertion: unverified\n---\nGreen.\n"
REASON = ("--reason", "a name stood there")
ENTRY = "20260801T080000Z-lesson-lock-aaaaaaaaaa"
LOGGED = (
    "---\nschema: doll/experience/1\nproject: atlas\nkind: lesson\nsummary: Lock first\n"
    "at: 2026-08-01T08:00:00Z\ncreated: 2026-08-01T08:00:00Z\nassertion: user_recorded\n---\n"
)

COMMANDS = {
    "edit": ("confirmed/espresso.md", ["edit", "espresso"]),
    "edit and commit": ("confirmed/espresso.md", ["edit", "espresso", "--commit"]),
    "rename": ("confirmed/espresso.md", ["mv", "espresso", "ristretto"]),
    "rename what it names": ("confirmed/espresso.md", ["mv", "tea", "chai", "--commit"]),
    "work": ("authority/work-items/split.md", ["work", "start", "split"]),
    "redact": (f"experience/atlas/{ENTRY}.md", ["redact", ENTRY, "--field", "summary", *REASON]),
    "reject": ("staging/one/green.md", ["review", "reject", "one/green", *REASON]),
}
# Experience that is changed on disk is refused before.
CASES = [
    (name, own)
    for own in ("disk as HEAD", "disk changed")
    for name in COMMANDS
    if (name, own) != ("redact", "disk changed")
]


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A vault with a record of each kind that a command changes, all committed."""
    desk.put("confirmed/espresso.md", TEXT.replace("title:", "supersedes: [tea]\ntitle:"))
    desk.put("confirmed/tea.md", TEXT)
    desk.put("authority/work-items/split.md", ITEM)
    desk.put(f"experience/atlas/{ENTRY}.md", LOGGED)
    desk.put("staging/one/green.md", WAITING)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "records")
    return desk


def stage_alone(desk: Desk, path: str, more: str = "Staged alone.\n") -> str:
    """Stage a text of a record that the disk has not; return it."""
    before = desk.read(path)
    desk.put(path, before + more)
    desk.git("add", path)
    desk.put(path, before)
    return before + more


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("name", "own"), CASES)
def test_a_text_that_is_staged_alone_is_named(desk: Desk, name: str, own: str) -> None:
    path, command = COMMANDS[name]
    if own == "disk changed":
        desk.put(path, desk.read(path) + "\n")
    staged = stage_alone(desk, path)
    editor = editors.script(desk.root.parent, "echo changed >>$1")
    said = desk.refused(5, *command, EDITOR=editor)
    assert f"{path} is staged with a text that is neither in HEAD nor on disk" in said
    lines = [line.strip().partition("    ")[0] for line in said.splitlines()[1:]]
    show, *keep, drop = lines
    outside = desk.at("..")
    assert outside.type(show) == staged
    assert not list((desk.root / ".git").glob("doll/edits/*"))
    # An entry of experience is not changed by a commit of what is staged.
    kept = [] if path.startswith("experience/") else ["git", "-C", str(desk.root), "commit"]
    assert [word for line in keep for word in line.split()[:4]] == kept
    outside.type(drop)
    assert desk.ok(*command, EDITOR=editor)


def test_what_is_kept_is_in_the_history(desk: Desk) -> None:
    staged = stage_alone(desk, "confirmed/espresso.md")
    said = desk.refused(5, "mv", "espresso", "ristretto")
    desk.type(said.splitlines()[2].strip().partition("    ")[0])
    assert desk.git("show", "HEAD:confirmed/espresso.md") == staged.strip()
    desk.ok("mv", "espresso", "ristretto")


def test_what_is_staged_while_the_editor_is_open_stays(desk: Desk) -> None:
    path = desk.root / "confirmed/espresso.md"
    staging = f"cp {path} x && echo more >>{path} && git -C {desk.root} add {path} && cp x {path}"
    editor = editors.script(desk.root.parent, f"cd {desk.root.parent} && {staging}; echo mine >>$1")
    result = desk.doll("edit", "espresso", "--commit", EDITOR=editor)
    assert result.code == 5
    assert "is staged with a text" in result.err
    assert "your text is kept at" in result.err
    assert desk.git("show", ":confirmed/espresso.md").endswith("more")
    (copy,) = (desk.root / ".git/doll/edits").glob("*/*.md")
    assert copy.read_text().endswith("mine\n")
    assert "doll edit espresso --resume" in result.err


@pytest.mark.sampled(6)
@pytest.mark.parametrize("where", ["staging/one/green.md", "confirmed/green.md"])
def test_no_approval_goes_over_it(desk: Desk, where: str) -> None:
    if where.startswith("confirmed/"):
        desk.put(where, TEXT)
        desk.git("add", where)
        (desk.root / where).unlink()
    else:
        stage_alone(desk, where)
    digest = sha256(WAITING.encode()).hexdigest()
    said = desk.refused(5, "review", "approve", "one/green", "--digest", digest)
    assert f"{where} is staged with a text" in said


def stage_only(desk: Desk, path: str, text: str = TEXT) -> None:
    """Stage a file and take it off the disk again."""
    desk.put(path, text)
    desk.git("add", path)
    (desk.root / path).unlink()


def test_a_rename_that_was_cut_off_drops_none_of_the_old_name(desk: Desk) -> None:
    desk.put("confirmed/tea.md", TEXT + "Staged alone.\n")
    desk.git("add", "confirmed/tea.md")
    (desk.root / "confirmed/tea.md").unlink()
    desk.put("confirmed/chai.md", TEXT.replace("title:", "aliases: [tea]\ntitle:"))
    said = desk.refused(5, "mv", "tea", "chai")
    assert "confirmed/tea.md is staged with a text" in said


def test_nothing_new_is_written_over_it(desk: Desk) -> None:
    stage_only(desk, "confirmed/new.md")
    for commit in ([], ["--commit"]):
        said = desk.refused(5, "new", "memory", "new", "--title", "New", *commit)
        assert "confirmed/new.md is staged with a text" in said
    assert desk.git("show", ":confirmed/new.md") == TEXT.strip()
    judge = ("duplicates", "judge", "espresso", "tea", "--distinct")
    path = judged.path_of("espresso", "tea")
    stage_only(desk, path, "by hand\n")
    assert f"{path} is staged with a text" in desk.refused(5, *judge)
    desk.git("rm", "-q", "--cached", path)
    desk.ok(*judge)
    stage_alone(desk, path)
    assert f"{path} is staged with a text" in desk.refused(
        5, "duplicates", "judge", "espresso", "tea", "--undo"
    )


def test_no_vault_is_made_over_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code = Desk(make(tmp_path / "code"), capsys)
    code.put(".gitignore", "build/\n")
    code.git("add", "-A")
    code.git("commit", "-qm", "code")
    stage_alone(code, ".gitignore", "dist/\n")
    assert ".gitignore is staged with a text" in code.refused(5, "init", ".")
    code.git("restore", "--staged", ".gitignore")
    code.ok("init", ".")


def test_no_import_goes_over_it(desk: Desk, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Tea\n\nGreen tea is steeped for two minutes.\n")
    words = ("import", "markdown", str(note), "--name", "notes")
    desk.ok(*words)
    (folder,) = (desk.root / "staging/markdown").iterdir()
    ledger = f"staging/markdown/{folder.name}/_import.md"
    desk.git("add", "-A")
    shutil.rmtree(folder)
    desk.git("rm", "-q", "--cached", "-r", "staging/markdown")
    stage_only(desk, ledger, "by hand\n")
    folder.rmdir()
    assert f"{ledger} is staged with a text" in desk.refused(5, *words)
    desk.git("rm", "-q", "--cached", ledger)
    desk.ok(*words, "--commit")
    path = next(p for p in desk.files() if p.startswith("staging/markdown/") and p != ledger)
    stage_alone(desk, path)
    drop = ("imports", "drop", folder.name)
    assert f"{path} is staged with a text" in desk.refused(5, *drop)
    # So it is where a drop that was killed took the file away before it was staged.
    (desk.root / path).unlink()
    assert f"{path} is staged with a text" in desk.refused(5, *drop)
    desk.git("restore", "--staged", path)
    desk.ok(*drop)


def test_what_is_staged_as_it_is_on_disk_or_at_head_stops_nothing(desk: Desk) -> None:
    desk.put("confirmed/espresso.md", desk.read("confirmed/espresso.md") + "Both.\n")
    desk.git("add", "-A")
    desk.put("confirmed/tea.md", TEXT + "On disk alone.\n")
    desk.put("confirmed/new.md", TEXT)
    desk.git("add", "-N", "confirmed/new.md")
    desk.ok("mv", "espresso", "ristretto")
    desk.ok("mv", "tea", "chai")
    desk.ok("mv", "new", "newer")


def test_a_vault_within_a_repository(desk: Desk, tmp_path: Path) -> None:
    top = tmp_path / "code"
    top.mkdir()
    (desk.root / ".git").rename(top / ".git")
    desk.root.rename(top / "my notes")
    inside = desk.at(str(top / "my notes"))
    inside.git("add", "-A", str(top))
    inside.git("commit", "-qm", "moved")
    staged = stage_alone(inside, "confirmed/espresso.md")
    said = inside.refused(5, "mv", "espresso", "ristretto")
    assert inside.at("..").type(said.splitlines()[1].strip().partition("    ")[0]) == staged
