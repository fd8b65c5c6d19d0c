"""The commit-msg hook in real commits: what trailers add, and what cannot be understood."""

import pytest

from tests.desk import Desk
from tests.gitbox import git, put
from tests.hook_desk import change

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

NOT_CHECKED = "doll: NOT CHECKED: <commit message>: "


def commit(desk: Desk, message: str, *arguments: str, code: int = 0) -> str:
    """Commit what is staged, or nothing, under a message; return what was printed."""
    line = ("commit", "-q", "--allow-empty", "-m", message, *arguments)
    return git(desk.root, *line, code=code)


def test_an_action_that_is_denied_stops(code: Desk) -> None:
    change(code, "src/a")
    printed = commit(code, "tidy\n\nDoll-Action: db.drop\n", code=1)
    assert printed.startswith("doll: BLOCKED: authority/policies/no-drops.md:2: ")
    assert "the commit is stopped; `git commit --no-verify` commits all the same" in printed
    assert commit(code, "tidy\n\nDoll-Action: db.drop\n", "--no-verify") == ""


def test_several_actions_and_patterns(code: Desk) -> None:
    printed = commit(code, "x\n\nDoll-Action: db.export\nDoll-Action: db.drop.all\n", code=1)
    assert "BLOCKED" in printed
    assert "CONFIRMATION REQUIRED: authority/policies/ask.md" in printed
    assert "no registered capability matches 'zz.*'" in commit(code, "x\n\nDoll-Action: zz.*\n")


def test_a_work_item(code: Desk) -> None:
    assert commit(code, "x\n\nDoll-Work-Item: add-index\n") == ""
    printed = commit(code, "x\n\nDoll-Work-Item: move-orders\n", code=1)
    assert "BLOCKED: authority/work-items/move-orders.md" in printed
    printed = commit(code, "x\n\nDoll-Work-Item: nowhere\n")
    assert "NOT CHECKED: <request>: no work-item has the id or alias nowhere" in printed
    assert printed.endswith("doll: the commit goes on, and nobody has checked it")


def test_what_the_paths_alone_mean_is_said_once(code: Desk) -> None:
    change(code, "migrations/a", "exports/b")
    printed = commit(code, "x\n\nDoll-Action: zz.unknown\n")
    assert printed.count("this failed before") == 1
    assert printed.count("CONFIRMATION REQUIRED") == 1
    assert printed.count("somebody has to confirm it") == 1
    assert "nothing here knows the action zz.unknown" in printed


def test_an_unknown_action_is_said_and_not_guessed(code: Desk) -> None:
    printed = commit(code, "x\n\nDoll-Action: db.drp\n")
    assert "nothing here knows the action db.drp; did you mean db.drop?" in printed


BAD = {
    "Doll-Action: Db.Drop": "Doll-Action: 'Db.Drop' is no action",
    "Doll-Action:": "Doll-Action: names nothing",
    "Doll-Work-Item:": "Doll-Work-Item: names nothing",
    "Doll-Work-Item: a\nDoll-Work-Item: b": "Doll-Work-Item: stands there with 2 values",
    "Doll-Actoin: db.drop": "doll knows no trailer Doll-Actoin; did you mean Doll-Action?",
    "Doll-Action: db.export\n\nand more words": "is no trailer: it stands outside the last",
    "Doll-Action db.drop": "line 3, `Doll-Action db.drop`, begins like a trailer of doll's and is",
    "doll-action= db.drop": "line 3, `doll-action= db.drop`, begins like a trailer of doll's and",
    "Doll-Action.x: db.drop": "line 3, `Doll-Action.x: db.drop`, begins like a trailer",
    "DOLL-ACTION: db.drop\n\nwords": "line 3, `Doll-Action: …`, is no trailer: it stands outside",
    "doll-actoin: db.drop\n\nwords": "line 3, `doll-actoin: …`, is no trailer: it stands outside",
    "Doll-Action: db.export\n\nx\n\nDoll-Action: db.export": "line 3, `Doll-Action: …`, is no",
}


def heard(desk: Desk, message: str, code: int = 0) -> str:
    """Return what the hook says of a message; no git and no new process stands between."""
    put(desk.root.parent, "message", message)
    result = desk.doll("hooks", "run", "commit-msg", "../message")
    assert result.code == code, result.err
    return result.err.rstrip("\n")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("text", BAD)
def test_what_cannot_be_understood_is_said_and_goes_on(code: Desk, text: str) -> None:
    printed = heard(code, f"x\n\n{text}\n")
    assert NOT_CHECKED in printed
    assert BAD[text] in printed
    assert printed.endswith("doll: the commit goes on, and nobody has checked it")
    code.git("config", "doll.strict", "true")
    *_, told, line = heard(code, f"x\n\n{text}\n", code=1).splitlines()
    assert told == (
        "doll: the commit is stopped; `git commit --no-verify` commits all the same. Type:"
    )
    assert line == '    git commit --edit --file="$(git rev-parse --git-path COMMIT_EDITMSG)"'


def test_a_secret_is_quoted_neither_whole_nor_in_part(code: Desk) -> None:
    key = "ghp_" + "a8Kd02LmQ5xPz7RtY3wVb6NcJ4hG1fSe9uTi"
    printed = heard(code, f"x\n\nDoll-Action db.drop {key}\n")
    assert "begins like a trailer" in printed
    assert key[:8] not in printed


def test_the_line_to_type_for_what_cannot_be_understood(code: Desk) -> None:
    message = "x\n\nDoll-Action db.drop\n"
    assert commit(code, message).endswith("doll: the commit goes on, and nobody has checked it")
    code.git("config", "doll.strict", "true")
    line = commit(code, message, code=1).splitlines()[-1]
    again = f"GIT_EDITOR='echo mended >' {line.strip()} --allow-empty -q"
    code.type(again)
    assert code.git("log", "-1", "--format=%s") == "mended"


def test_comments_scissors_and_what_git_adds_are_no_part_of_it(code: Desk) -> None:
    change(code, "src/a")
    line = "Doll-Action: db.drop"
    editor = put(
        code.root.parent,
        "editor",
        f'#!/bin/sh\nprintf "x\\n\\n# {line}\\n" | cat - "$1" >"$1.new" && mv "$1.new" "$1"\n',
    )
    editor.chmod(0o755)
    for options in ((), ("-v",), ("--cleanup=scissors",)):
        code.put("src/a", f"{options}\n{line}\n")
        code.git("add", "-A")
        git(code.root, "commit", "-q", *options, GIT_EDITOR=str(editor))
    assert code.git("log", "--format=%s", "-3").split() == ["x", "x", "x"]
    said = "x\n\nDoll-Action: db.drop\n# a comment behind it\n"
    put(code.root.parent, "message", said)
    assert "no-drops" in git(
        code.root, "commit", "-q", "--allow-empty", "--cleanup=strip", "-F", "../message", code=1
    )


def test_other_trailers_around_it_and_other_spellings(code: Desk) -> None:
    rest = "Signed-off-by: Ada <ada@example.org>"
    assert "no-drops" in commit(code, f"x\n\n{rest}\nDoll-Action: db.drop\n{rest}\n", code=1)
    assert "no-drops" in commit(code, "x\n\nDoll-action : db.drop\n", code=1)
    assert "no-drops" in commit(code, "x\n\nDoll-Action:\n  db.drop\n", code=1)
    code.git("config", "trailer.separators", "#")
    assert "no-drops" in commit(code, "x\n\nDoll-Action: db.drop\n", code=1)


def test_keys_in_any_case_as_git_takes_them(code: Desk) -> None:
    for said in ("doll-action=db.drop", "DOLL-ACTION: db.drop"):
        assert "no-drops" in commit(code, "x", "--trailer", said, code=1)
    assert "no-drops" in heard(code, "x\n\ndOLL-Action : db.drop\n", code=1)
    assert "move-orders" in heard(code, "x\n\ndoll-work-item: move-orders\n", code=1)
    assert heard(code, "x\n\ndoll-redacts: something\n") == ""
    code.git("config", "trailer.separators", "=:")
    assert "`doll-action= db.drop`" in commit(code, "x", "--trailer", "doll-action=db.drop")


def test_only_what_is_near_is_asked_after(code: Desk) -> None:
    for key in ("Doll-Project", "Doll-X"):
        printed = heard(code, f"x\n\n{key}: x\n")
        assert f"doll knows no trailer {key}\n" in printed
    printed = heard(code, "x\n\ndoll-workitem: x\n")
    assert "doll knows no trailer doll-workitem; did you mean Doll-Work-Item?" in printed


def test_amend_and_the_message_of_a_merge(code: Desk) -> None:
    commit(code, "x")
    assert "no-drops" in commit(code, "x\n\nDoll-Action: db.drop\n", "--amend", code=1)
    code.git("switch", "-qc", "feature")
    change(code, "src/a")
    commit(code, "feature")
    code.git("switch", "-q", "main")
    message = "merge\n\nDoll-Action: db.drop\n"
    assert "no-drops" in git(code.root, "merge", "-q", "--no-ff", "-m", message, "feature", code=1)
    git(code.root, "merge", "--abort")
    git(code.root, "merge", "-q", "--no-ff", "-m", "merge", "feature")


def test_without_such_a_line_nothing_of_doll_runs(code: Desk) -> None:
    """Not even a vault that is gone is noticed: the shell alone has looked."""
    (code.root.parent / "notes").rename(code.root.parent / "elsewhere")
    assert commit(code, "x\n\nSigned-off-by: Ada\n") == ""
    assert "NOT CHECKED" in commit(code, "x\n\nDoll-Action: db.drop\n")


def test_by_hand(code: Desk) -> None:
    put(code.root, "message", "x\n\nDoll-Action: db.drop\n")
    assert code.doll("hooks", "run", "commit-msg", "message").code == 1
    assert code.doll("hooks", "run", "commit-msg").code == 2
    result = code.doll("hooks", "run", "commit-msg", "nowhere")
    assert result.code == 0
    assert "NOT CHECKED: the message 'nowhere' cannot be read" in result.err
    put(code.root, "message", "x\n\nDoll-Redacts: something\n")
    assert code.ok("hooks", "run", "commit-msg", "message").err == ""
