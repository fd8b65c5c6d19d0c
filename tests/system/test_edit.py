"""`doll edit`: what the editor left, byte for byte, or nothing; and no text is lost."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from doll.errors import BusyError
from doll.services.editing import texts
from tests import editors
from tests.desk import Desk
from tests.foreign_desk import ForeignDesk, three

pytestmark = pytest.mark.sampled(4)

pexpect = pytest.importorskip("pexpect")

PATH = "confirmed/espresso.md"
TEXT = b"---\r\ntitle: Espresso   # mine\r\ntags: [ coffee,taste ]\r\n---\r\n\r\nNo sugar."
NEW = b"---\r\ntitle: Ristretto\r\ntags: [ coffee,taste ]\r\n---\r\n\r\nNo sugar. \r\n\r\n"
BROKEN = NEW.replace(b"tags: [", b"tags: {")
QUESTION = "[e,k,d]? "


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A vault with a committed memory."""
    (desk.root / "confirmed").mkdir()
    (desk.root / PATH).write_bytes(TEXT)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "memory")
    return desk


def on_disk(desk: Desk) -> bytes:
    return (desk.root / PATH).read_bytes()


def copies(desk: Desk) -> list[Path]:
    return sorted((desk.root / ".git/doll/edits").glob("*/*"))


def typing(desk: Desk, text: bytes, more: str = "") -> str:
    return editors.typing(desk.root.parent, text, more)


def test_the_text_is_written_as_the_editor_left_it(desk: Desk) -> None:
    result = desk.ok("edit", "espresso", EDITOR=typing(desk, NEW))
    assert result.out == f"{PATH}\n"
    assert on_disk(desk) == NEW
    assert copies(desk) == []
    desk.type(result.err.splitlines()[-1])
    assert desk.git("log", "-1", "--format=%s") == "edit: espresso"
    assert desk.git("status", "--short") == ""


def test_just_that_record_is_committed(desk: Desk) -> None:
    desk.put("confirmed/other.md", "---\ntitle: Other\n---\n")
    result = desk.ok("edit", PATH, "--commit", "--json", EDITOR=typing(desk, NEW))
    assert desk.git("show", "--name-only", "--format=", "HEAD") == PATH
    assert result.json == {
        "schema": "doll.edit/1",
        "id": "espresso",
        "path": PATH,
        "written": True,
        "kept": None,
        "problems": [],
        "commit": desk.git("rev-parse", "HEAD"),
        "notes": [],
        "next": [],
    }


def test_the_editor_is_the_users(desk: Desk) -> None:
    fail = "exit 9 #"
    desk.ok("edit", "espresso", VISUAL=typing(desk, NEW), EDITOR=fail, GIT_EDITOR=fail)
    assert on_disk(desk) == NEW
    desk.ok("edit", "espresso", EDITOR=typing(desk, TEXT), GIT_EDITOR=fail)
    assert on_disk(desk) == TEXT
    desk.git("config", "core.editor", typing(desk, NEW))
    desk.ok("edit", "espresso", VISUAL="", EDITOR="")
    assert on_disk(desk) == NEW


def test_without_a_terminal_the_default_editor_of_git_is_not_started(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VISUAL", "EDITOR", "GIT_EDITOR"):
        monkeypatch.delenv(name, raising=False)
    # Whatever git's default is called, nothing of it may run.
    bin_folder = desk.root.parent / "bin"
    bin_folder.mkdir()
    for name in ("vi", "editor", "vim", "nano"):
        place = bin_folder / name
        place.write_text('#!/bin/sh\necho started > "$1"\n')
        place.chmod(0o755)
    path = f"{bin_folder}:{os.environ['PATH']}"
    said = desk.refused(3, "edit", "espresso", PATH=path, TERM="xterm")
    assert "no editor is set, and there is no terminal" in said
    assert "core.editor" in said
    assert copies(desk) == []
    assert desk.ok("edit", "espresso", GIT_EDITOR=typing(desk, NEW)).out == f"{PATH}\n"
    assert on_disk(desk) == NEW


def test_the_editor_sees_the_name_of_the_record_outside_the_records(desk: Desk) -> None:
    show = editors.script(desk.root.parent, f'echo "$1" > {desk.root.parent}/seen')
    desk.ok("edit", "espresso", EDITOR=show)
    seen = Path((desk.root.parent / "seen").read_text().strip())
    assert seen.name == "espresso.md"
    assert seen.is_relative_to(desk.root / ".git/doll")


def test_an_unchanged_text_writes_nothing(desk: Desk) -> None:
    before = (desk.root / PATH).stat()
    result = desk.ok("edit", "espresso", "--commit", EDITOR="true")
    assert "unchanged; nothing was written" in result.err
    assert (desk.root / PATH).stat() == before
    assert copies(desk) == []
    assert desk.git("log", "-1", "--format=%s") == "memory"


def test_a_text_with_errors_is_kept_and_taken_up_again(desk: Desk) -> None:
    result = desk.doll("edit", "espresso", EDITOR=typing(desk, BROKEN))
    assert result.code == 1
    assert f"{PATH}:3:" in result.err
    assert ": error: " in result.err
    assert on_disk(desk) == TEXT
    (copy,) = copies(desk)
    assert copy.read_bytes() == BROKEN
    assert f"kept at {copy}" in result.err
    resume = result.err.splitlines()[-1]
    assert resume == "  doll edit espresso --resume"
    other = desk.ok("edit", "espresso", EDITOR="true").err
    assert f"another text of it is kept at {copy}" in other
    mend = editors.script(desk.root.parent, 'sed -i "s/{/[/" "$1"')
    desk.ok(*shlex.split(resume)[1:], EDITOR=mend)
    assert on_disk(desk) == NEW
    assert copies(desk) == []


def test_what_was_kept_is_said_in_json(desk: Desk) -> None:
    result = desk.doll("edit", "espresso", "--json", EDITOR=typing(desk, BROKEN))
    (copy,) = copies(desk)
    assert result.code == 1
    assert result.json["kept"] == str(copy)
    assert result.json["written"] is False
    assert result.json["next"] == ["doll edit espresso --resume"]
    assert [p["line"] for p in result.json["problems"]] == [3]


def test_an_error_with_other_records_stands_against_it(desk: Desk) -> None:
    desk.put("confirmed/latte.md", "---\ntitle: Latte\nrelated: ristretto\n---\n")
    desk.put(PATH, "---\naliases: ristretto\nsupersedes: gone\n---\n")
    said = desk.doll("edit", "espresso", EDITOR=typing(desk, b"---\nsupersedes: gone\n---\n"))
    assert said.code == 1
    assert "confirmed/latte.md:3:1: error: `related`: no " in said.err
    assert "gone" not in said.err  # that was so before
    also = b"---\naliases: [ristretto, latte]\nsupersedes: gone\n---\n"
    assert "[id.duplicate]" in desk.doll("edit", "espresso", EDITOR=typing(desk, also)).err
    fine = b"---\ntitle: E\naliases: ristretto\nsupersedes: gone\n---\n"
    desk.ok("edit", "espresso", EDITOR=typing(desk, fine))


def test_a_warning_is_shown_and_stands_against_nothing(desk: Desk) -> None:
    text = b"---\ntilte: Ristretto\n---\n"
    said = desk.ok("edit", "espresso", EDITOR=typing(desk, text)).err
    assert f"{PATH}:2:1: warning" in said
    assert on_disk(desk) == text


def test_a_secret_is_not_written_and_not_shown(desk: Desk) -> None:
    secret = "AKIA" + "QWERTYUIOPASDFGH"
    result = desk.doll("edit", "espresso", EDITOR=typing(desk, NEW + secret.encode()))
    assert result.code == 1
    assert "[secret.found]" in result.err
    assert secret not in result.err
    assert on_disk(desk) == TEXT


def test_a_broken_record_is_mended(desk: Desk) -> None:
    (desk.root / PATH).write_bytes(b"---\nstatus: gone\n---\n\xff\n")
    still = desk.doll("edit", "espresso", EDITOR=typing(desk, b"---\nstatus: gone\n---\n"))
    assert still.code == 1
    assert f"{PATH}:2:9: error" in still.err
    desk.ok("edit", "espresso", EDITOR=typing(desk, NEW))
    assert on_disk(desk) == NEW


def test_an_editor_that_fails_loses_nothing(desk: Desk) -> None:
    result = desk.doll("edit", "espresso", EDITOR=typing(desk, NEW, "exit 3"))
    (copy,) = copies(desk)
    assert result.code == 5
    assert f"exit 3; nothing was written, and your text is kept at {copy}" in result.err
    assert copy.read_bytes() == NEW
    assert on_disk(desk) == TEXT
    killed = desk.doll("edit", "espresso", EDITOR=typing(desk, NEW, "kill -9 $$"))
    assert killed.code == 5
    assert len(copies(desk)) == 2
    for copy in copies(desk):
        copy.unlink()
    assert "unchanged; nothing was written" in desk.refused(5, "edit", "espresso", EDITOR="false")
    said = desk.refused(3, "edit", "espresso", EDITOR="no-such-editor")
    assert "cannot be started" in said
    assert "VISUAL" in said
    assert copies(desk) == []


def test_a_text_that_is_gone_is_told(desk: Desk) -> None:
    remove = editors.script(desk.root.parent, 'rm "$1"')
    assert "cannot be read" in desk.refused(5, "edit", "espresso", EDITOR=remove)


def test_a_record_that_changed_meanwhile_keeps_both_texts(desk: Desk) -> None:
    other = desk.root / PATH
    result = desk.doll("edit", "espresso", EDITOR=typing(desk, NEW, f"echo more >> {other}"))
    (copy,) = copies(desk)
    assert result.code == 5
    assert f"{PATH} changed on disk since it was read; your text is kept at {copy}" in result.err
    assert on_disk(desk) == TEXT + b"more\n"
    assert copy.read_bytes() == NEW
    line = next(line for line in result.err.splitlines() if line.startswith("  diff "))
    assert "Ristretto" in desk.type(line.partition("    shows")[0], code=1)
    again = desk.refused(5, "edit", "espresso", "--resume", EDITOR="true")
    assert "both are kept" in again
    assert copy.read_bytes() == NEW
    other.unlink()
    (desk.root / PATH).write_bytes(TEXT)
    desk.ok("edit", "espresso", "--resume", EDITOR="true")
    assert on_disk(desk) == NEW


def test_a_removed_record_is_not_brought_back(desk: Desk) -> None:
    result = desk.doll("edit", "espresso", EDITOR=typing(desk, NEW, f"rm {desk.root / PATH}"))
    assert result.code == 5
    assert [copy.read_bytes() for copy in copies(desk)] == [NEW]
    assert not (desk.root / PATH).exists()


def test_the_editor_holds_no_lock(desk: Desk) -> None:
    log = f"cd {desk.root} && {sys.executable} -m doll new memory latte --title Latte"
    desk.ok("edit", "espresso", EDITOR=typing(desk, NEW, log))
    assert on_disk(desk) == NEW
    assert (desk.root / "confirmed/latte.md").exists()


def test_a_killed_doll_leaves_the_text(desk: Desk) -> None:
    ready = desk.root.parent / "ready"
    process = subprocess.Popen(
        [sys.executable, "-m", "doll", "edit", "espresso"],
        cwd=desk.root,
        env=os.environ | {"EDITOR": typing(desk, NEW, f"touch {ready}; exec sleep 60")},
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not ready.exists() and process.poll() is None:
            time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert on_disk(desk) == TEXT
    assert [copy.read_bytes() for copy in copies(desk)] == [NEW]
    desk.ok("edit", "espresso", "--resume", EDITOR="true")
    assert on_disk(desk) == NEW


@pytest.mark.parametrize("model", [("--by", "model:claude"), ()])
def test_a_model_edits_nothing(desk: Desk, model: tuple[str, ...]) -> None:
    under = desk if model else desk.under(DOLL_BY="model:claude")
    said = under.refused(5, "edit", "espresso", *model, EDITOR=typing(desk, NEW))
    assert "model:claude cannot edit a record: that is the user's" in said
    assert copies(desk) == []


def test_history_is_not_edited(desk: Desk) -> None:
    path = desk.ok("log", "attempt", "It was locked", "--project", "atlas").path
    said = desk.refused(5, "edit", path, EDITOR=typing(desk, NEW))
    name = path.rpartition("/")[2].removesuffix(".md")
    assert f'doll correct {name} "' in said


def test_a_candidate_is_reviewed(desk: Desk) -> None:
    desk.ok("new", "memory", "tea", "--title", "Tea", "--by", "model:claude")
    candidate = next(p for p in desk.files() if p.startswith("staging/"))
    said = desk.refused(5, "edit", candidate, EDITOR=typing(desk, NEW))
    assert "doll review show proposals/" in said


def test_a_review_that_is_not_committed_is_not_edited(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = ForeignDesk(desk.root, capsys)
    first = foreign.committed(three(), "--name", "mine")[0]
    foreign.approve(first)
    name = first["path"].rpartition("/")[2].removesuffix(".md")
    append = editors.script(desk.root.parent, 'echo more >> "$1"')
    assert "is not committed yet" in desk.refused(5, "edit", name, EDITOR=append)
    desk.git("commit", "-qm", "review")
    desk.ok("edit", name, EDITOR=append)
    desk.ok("validate")


@pytest.fixture
def terminal(desk: Desk) -> Iterator["Terminal"]:
    at_work = Terminal(desk)
    yield at_work
    at_work.child.close(force=True)


class Terminal:
    """A person at a terminal whose editor leaves a broken text, and a whole one the next time."""

    def __init__(self, desk: Desk) -> None:
        again = desk.root.parent / "again"
        editor = typing(desk, BROKEN, f'[ -e {again} ] && sed -i "s/{{/[/" "$1"; touch {again}')
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "doll", "edit", "espresso"],
            cwd=str(desk.root),
            env=os.environ | {"VISUAL": editor},
            timeout=30,
            encoding="utf-8",
            dimensions=(50, 200),
        )
        self.child.expect_exact(QUESTION)
        self.asked = str(self.child.before)

    def end(self, answer: str) -> tuple[str, int]:
        """Type an answer; return what is said after it, and the exit code."""
        self.child.sendline(answer)
        self.child.expect(pexpect.EOF)
        said = str(self.child.before)
        self.child.close()
        return said, int(self.child.exitstatus or 0)


def test_on_a_terminal_it_can_be_edited_again(desk: Desk, terminal: Terminal) -> None:
    assert f"{PATH}:3:" in terminal.asked
    said, code = terminal.end("e")
    assert (code, on_disk(desk), copies(desk)) == (0, NEW, [])
    assert "written, not committed" in said


def test_on_a_terminal_it_can_be_kept(desk: Desk, terminal: Terminal) -> None:
    terminal.child.sendline("what?")
    terminal.child.expect_exact(QUESTION)
    said, code = terminal.end("k")
    assert (code, on_disk(desk)) == (1, TEXT)
    assert [copy.read_bytes() for copy in copies(desk)] == [BROKEN]
    assert "doll edit espresso --resume" in said


def test_on_a_terminal_it_can_be_discarded(desk: Desk, terminal: Terminal) -> None:
    said, code = terminal.end("d")
    assert (code, on_disk(desk), copies(desk)) == (0, TEXT, [])
    assert "discarded" in said


def test_the_end_of_input_keeps_it(desk: Desk, terminal: Terminal) -> None:
    terminal.child.sendeof()
    terminal.child.expect(pexpect.EOF)
    assert [copy.read_bytes() for copy in copies(desk)] == [BROKEN]
    assert on_disk(desk) == TEXT


def test_a_busy_vault_keeps_the_text(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(_: Path) -> None:
        raise BusyError("another doll process is writing", hint="wait")

    monkeypatch.setattr(texts, "writer_lock", busy)
    result = desk.doll("edit", "espresso", EDITOR=typing(desk, NEW))
    assert result.code == 6
    (copy,) = copies(desk)
    assert f"another doll process is writing; your text is kept at {copy}" in result.err
    assert "doll edit espresso --resume" in result.err
    assert copy.read_bytes() == NEW
    assert on_disk(desk) == TEXT
