"""Vault trees that chance broke: names, links, pipes, depth, settings, git's own files.

The same number breaks the same things; a tree is a copy of a sound vault with up to six of them.
"""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.fuzzed_texts import text
from tests.gitbox import CLOCK

_FOLDERS = (
    *("confirmed", "confirmed/notes", "staging/proposals", "staging/pam/one", "experience/atlas"),
    *("authority/projects", "authority/policies", "authority/work-items", "authority/decisions"),
    *("authority/procedures", "authority/permissions", "authority/capabilities", "authority"),
    *("staging/markdown/two/source", ".doll/judged", "experience", "confirmed/a.md", "Confirmed"),
)
_NAMES = (
    *("espresso.md", "Espresso.md", "atlas.md", "x.md", "caf\u00e9.md", "cafe\u0301.md", "a b.md"),
    *("-x.md", "con.md", "x .md", "x..md", ".x.md", "_x.md", "_import.md", "README.md", "x.MD"),
    *("x.txt", "x\n.md", "x\u202e.md", "\U0001f600.md", "x\t.md", "*.md", "[x].md", "a\\b.md"),
    *(f"{'l' * 240}.md", "x.md~", ".#x.md", "x.tmp", "4913", "$(touch y).md", "'x'.md", '"x".md'),
    *("20260820T143205Z-attempt-locked-k3v9q2xw7d.md", "20260820T143205Z-x.md", "x;y.md", "%s.md"),
    *(os.fsdecode(b"\xff\xfe.md"), ".doll-new-99-aaaaaaaaaaaa", "README.MD", "~.md", "\u200bx.md"),
)
_GIT = (
    *("index", "HEAD", "config", "packed-refs", "refs/heads/main", "MERGE_HEAD", "MERGE_MSG"),
    *("index.lock", "HEAD.lock", "refs/heads/main.lock", "shallow", "info/exclude", "ORIG_HEAD"),
    *("info/attributes", "CHERRY_PICK_HEAD", "rebase-merge/done", "logs/HEAD", "objects/info/x"),
    *("doll/key", "doll/lock", "doll/lock.holder", "doll/machine", "doll/watch.json", "doll/sync"),
    *("doll/edits/a-b/x.md", "refs/doll/rescue/x", "refs/doll/seen/origin/main", "info/grafts"),
)
_OWN = (
    *(".doll/cache/recall/index", ".doll/cache/recall/base-a", ".doll/cache/settings", ".doll/x"),
    *(".doll/cache/parse/confirmed", ".doll/usage/2026-08-20-aabbccdd.jsonl", ".doll/judged/a"),
    *(".doll/schemas/memory-1.json", ".gitattributes", ".gitignore", "doll.yaml", ".doll/judged"),
)
_SETTINGS = (
    *(
        "format: 1\n",
        "format: 99\n",
        "id: x\n",
        f"id: {'0f' * 16}\n",
        "branch: main\n",
        "[",
        "a: b\n",
    ),
    *("branch: -x\n", "branch: [main]\n", "actions: [{paths: '**', actions: [db.drop]}]\n", "\0"),
    *("signatures: {authority: required}\n", "signatures: required\n", "---\n", "...\n", "\ufeff"),
    *("actions:\n  - {project: atlas, paths: ['[', 'drops/**'], actions: db.drop}\n", "\n" * 9_000),
)


def break_tree(root: Path, number: int) -> list[str]:
    """Break the vault at `root` as this number says; return the names of what was done to it."""
    chance = Random(f"tree {number}")
    done = []
    for _ in range(chance.randint(1, 6)):
        change = chance.choice(_CHANGES)
        # What an earlier change put in the way stays there.
        with suppress(OSError, shutil.Error, RuntimeError):
            change(root, chance)
        done.append(change.__name__)
        if chance.random() < 0.2:
            _git(root, "add", "-A")
            _git(root, "commit", "-qm", "more", "--no-verify")
    return done


def _place(root: Path, path: str) -> Path:
    """Return a place that lies in the tree for certain, whatever links are in it by now."""
    place = root / path
    if not place.parent.resolve().is_relative_to(root.resolve()):
        raise FileExistsError(f"a link leads out of the tree: {path}")
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _git(root: Path, *arguments: str) -> None:
    """Run git here and nowhere above, whatever it says; of a pipe it would wait for the end."""
    variables = {**os.environ, **CLOCK, "GIT_CEILING_DIRECTORIES": str(root.parent)}
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            ["git", *arguments],
            cwd=root,
            env=variables,
            capture_output=True,
            check=False,
            timeout=5,
        )


def _any_place(root: Path, chance: Random) -> Path:
    return _place(root, f"{chance.choice(_FOLDERS)}/{chance.choice(_NAMES)}")


def _write(place: Path, data: bytes) -> None:
    """Write a file; never through a link, and not into a pipe, which would wait for a reader."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
    with os.fdopen(os.open(place, flags, 0o644), "wb") as opened:
        opened.write(data)


def _file(root: Path, chance: Random) -> Path:
    """Return one of the record files; FileNotFoundError where none is left."""
    found = sorted(
        place for place in root.glob("[ace]*/**/*.md") if place.is_file() and not place.is_symlink()
    )
    if not found:
        raise FileNotFoundError("no record file is left")
    place = chance.choice(found)
    return _place(root, place.relative_to(root).as_posix())


def records(root: Path, chance: Random) -> None:
    for _ in range(chance.randint(1, 12)):
        _write(_any_place(root, chance), text(chance.randrange(10**6)))


def changed(root: Path, chance: Random) -> None:
    _write(_file(root, chance), text(chance.randrange(10**6)))


def removed(root: Path, chance: Random) -> None:
    _file(root, chance).unlink()


def links(root: Path, chance: Random) -> None:
    targets = (
        "/dev/zero",
        "/dev/null",
        "nowhere",
        ".",
        "..",
        "../../..",
        "/etc/passwd",
        "/proc/self",
    )
    place = _any_place(root, chance)
    place.symlink_to(chance.choice((*targets, place.name, "../confirmed/espresso.md")))


def pipes(root: Path, chance: Random) -> None:
    os.mkfifo(_any_place(root, chance))


def sockets(root: Path, chance: Random) -> None:
    here = Path.cwd()
    place = _any_place(root, chance)
    os.chdir(place.parent)  # the path of a socket has room for a hundred bytes
    try:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind(place.name)
    finally:
        os.chdir(here)


def folders(root: Path, chance: Random) -> None:
    _any_place(root, chance).mkdir(parents=True)


def deep(root: Path, chance: Random) -> None:
    below = "/".join(["d"] * chance.randint(60, 90))
    place = _place(root, f"{chance.choice(_FOLDERS)}/{below}/x.md")
    _write(place, text(chance.randrange(10**6)))


def areas(root: Path, chance: Random) -> None:
    area = root / chance.choice(("confirmed", "staging", "experience", "authority", ".doll"))
    if area.is_symlink() or not area.is_dir():
        area.unlink(missing_ok=True)
    else:
        shutil.rmtree(area)
    _in_place_of(area, chance)


def own_files(root: Path, chance: Random) -> None:
    place = _place(root, chance.choice(_OWN))
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    _in_place_of(place, chance)


def git_files(root: Path, chance: Random) -> None:
    place = _place(root, f".git/{chance.choice(_GIT)}")
    what = chance.randrange(3)
    if what == 0:
        place.unlink()
    elif what == 1:
        data = place.read_bytes() if place.is_file() else b""
        _write(place, data[: chance.randint(0, len(data))])
    else:
        words = (b"", b"ref: refs/heads/nowhere\n", b"0" * 40, b"{}", b'{"pid": 1}', b"[core]\n")
        _write(place, chance.choice(words) + chance.randbytes(chance.randint(0, 60)))


def objects(root: Path, chance: Random) -> None:
    place = chance.choice(sorted((root / ".git/objects").glob("??/*")))
    place.unlink()


def settings(root: Path, chance: Random) -> None:
    words = "".join(chance.choices(_SETTINGS, k=chance.randint(1, 5)))
    _write(root / "doll.yaml", words.encode())


def git_settings(root: Path, chance: Random) -> None:
    pairs = (
        *(("core.autocrlf", "true"), ("core.hooksPath", "/nowhere"), ("core.ignoreCase", "true")),
        *(("core.quotePath", "true"), ("doll.project", "nobody"), ("doll.strict", "perhaps")),
        *(("doll.branch", "elsewhere"), ("doll.vault", "../x"), ("core.worktree", "/nowhere")),
        *(("core.bare", "true"), ("status.showUntrackedFiles", "no"), ("core.fileMode", "maybe")),
        *(("extensions.objectFormat", "sha256"), ("doll.vaultId", "x"), ("diff.renames", "copies")),
    )
    _git(root, "config", *chance.choice(pairs))


def times(root: Path, chance: Random) -> None:
    place = _file(root, chance)
    moment = chance.choice((-1, 0, 2**31, 2**33, 10**11, -(10**9)))
    os.utime(place, (moment, moment), follow_symlinks=False)


def large(root: Path, chance: Random) -> None:
    place = _any_place(root, chance)
    _write(place, text(chance.randrange(10**6)))
    os.truncate(place, chance.choice((4 << 20, (4 << 20) + 1, 64 << 20)))


def nested(root: Path, chance: Random) -> None:
    place = _place(root, f"{chance.choice(_FOLDERS)}/.git")
    _write(place, chance.choice((b"gitdir: ../../.git\n", b"gitdir: /nowhere\n", b"x")))


def same_ids(root: Path, chance: Random) -> None:
    for folder in chance.sample(_FOLDERS[:12], 3):
        place = _place(root, f"{folder}/espresso.md")
        _write(place, b"---\ntitle: Same\naliases: [atlas, ESPRESSO, x]\n---\n")


def _in_place_of(place: Path, chance: Random) -> None:
    what = chance.randrange(6)
    if what == 0:
        _write(place, text(chance.randrange(10**6)))
    elif what == 1:
        place.symlink_to(chance.choice(("/dev/zero", "nowhere", "..", "/usr", place.name)))
    elif what == 2:
        os.mkfifo(place)
    elif what == 3:
        place.mkdir()
    elif what == 4:
        _write(place, chance.randbytes(chance.randint(0, 2_000)))


_CHANGES: tuple[Callable[[Path, Random], None], ...] = (
    *(records, records, records, changed, changed, removed, links, links, pipes, sockets, folders),
    *(deep, areas, own_files, own_files, git_files, git_files, objects, settings, git_settings),
    *(times, large, nested, same_ids),
)
