"""How `doll watch` begins where it cannot, is interrupted at once, or has nobody to tell."""

import builtins
import json
import os
import signal
import subprocess
from typing import Any

import pytest

from doll.vault import holders
from tests.desk import Desk
from tests.recall_vault import memory
from tests.watcher import COMMAND, HANG, until, watching

pytestmark = pytest.mark.sampled(4)

NEW = memory("Espresso", "with cardamom")


def only(text: str) -> Any:
    """Return the one line as a document."""
    (line,) = text.splitlines()
    return json.loads(line)


def test_a_watch_that_cannot_begin_says_so_on_one_line(desk: Desk) -> None:
    with watching(desk.root):
        found = desk.doll("watch", "--json")
    assert found.code == 6
    document = only(found.out)
    assert (document["schema"], document["exit"]) == ("doll.error/1", 6)
    assert "another doll watches this vault" in document["message"]
    found = desk.doll("watch", "--json", "--sync", "soon")
    assert (found.code, only(found.out)["exit"]) == (2, 2)
    (desk.root / "doll.yaml").unlink()
    found = desk.doll("watch", "--json")
    events = [json.loads(line) for line in found.out.splitlines()]
    assert (found.code, events[-1]["exit"]) == (3, 3)


def test_a_watcher_that_wrote_no_name_is_known_to_the_kernel(desk: Desk) -> None:
    with watching(desk.root) as watcher:
        watcher.send(signal.SIGSTOP)
        (desk.root / ".git/doll/watch.json").unlink()
        holder = holders.of_file(desk.root / ".git/doll/watch.lock")
        assert holder.process in (watcher.process.pid, 0)  # 0 on file systems of which it is silent
        assert f"another doll watches this vault ({holder.words})" in desk.refused(6, "watch")


def test_other_commands_print_a_document_as_their_own(desk: Desk) -> None:
    assert len(desk.doll("show", "--json", "nothing").out.splitlines()) > 1


@pytest.mark.parametrize("ending", [KeyboardInterrupt(), SystemExit(128 + signal.SIGTERM)])
def test_an_interruption_while_it_begins_is_no_failure(
    desk: Desk, ending: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def interrupted(name: str, *arguments: Any, **named: Any) -> Any:
        if name == "doll.services.watching.flow":
            raise ending
        return real(name, *arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(builtins, "__import__", interrupted)
        found = desk.doll("watch")
    assert (found.code, found.out, found.err) == (0, "", "doll: ended\n")


def test_it_watches_in_silence_where_stdout_is_closed(desk: Desk) -> None:
    process = subprocess.Popen(
        ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND], cwd=desk.root, stderr=subprocess.PIPE
    )

    def watcher() -> Any:
        return desk.ok("status", "--json").json["watcher"]

    try:
        until(lambda: watcher()["state"] == "current")
        desk.put("confirmed/a.md", NEW)
        assert watcher()["state"] == "behind"
        until(lambda: watcher()["state"] == "current")
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(HANG) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b"doll: ended\n"
    finally:
        process.kill()
        process.communicate()


def test_names_that_are_no_utf8_are_whole_documents(desk: Desk) -> None:
    desk.put("confirmed/a.md", NEW)
    with watching(desk.root) as watcher:
        place = os.fsencode(desk.root / "confirmed") + b"/caf\xe9.md"
        with open(place, "w", encoding="utf-8") as file:  # noqa: PTH123 - the name is bytes
            file.write(NEW)
        watcher.saw("confirmed/caf\\u{dce9}.md", "new")
    found = desk.doll("status", "--json")
    assert {"path": "confirmed/caf\\u{dce9}.md", "what": "new"} in found.json["uncommitted"]
    assert "confirmed/caf\\u{dce9}.md" in desk.doll("status").out
