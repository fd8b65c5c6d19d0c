"""What git's attributes say of paths: how a conflict is settled, how its marks look."""

import os
from collections.abc import Iterable
from pathlib import Path

from doll.vcs.plumbing.ignoring import refuse_never_ending
from doll.vcs.plumbing.repository import Repository, ask
from doll.vcs.plumbing.settings import config

NAME = ".gitattributes"

# A conflict stays one with these.
_OWN_DRIVERS = ("set", "unset")
# And with these, where nobody has given a command of that name.
_NAMED_DRIVERS = ("text", "binary")
_MARKS = 7


def attributes_file(repository: Repository) -> bytes:
    """Return what the user's own file of attributes holds, b"" where there is none to read.

    Source: gitattributes(5), `core.attributesFile` and its default.
    """
    named = config(repository, "core.attributesFile", kind="path")
    base = os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser()
    place = repository.top / named if named else Path(base) / "git" / "attributes"
    try:
        return place.read_bytes()
    except OSError:
        return b""


def merge_drivers(
    repository: Repository, paths: Iterable[str], *, indexed: bool = False
) -> dict[str, str]:
    """Return, by path, the merge driver that git is told to use, where it is not git's own.

    `union` counts as one: git would then settle a conflict without a word. `indexed`: as the
    attributes of the index say, and not those of the work tree. Source: gitattributes(5), `merge`,
    and `merge.default` of git-config(1).
    """
    found = _values(repository, "merge", paths, indexed=indexed)
    default = config(repository, "merge.default") if "unspecified" in found.values() else None
    named = {path: default if each == "unspecified" else each for path, each in found.items()}
    own = {*_OWN_DRIVERS, *(name for name in _NAMED_DRIVERS if name in named.values())}
    own -= {name for name in own if config(repository, f"merge.{name}.driver") is not None}
    return {path: each for path, each in named.items() if each and each not in own}


def mark_sizes(repository: Repository, paths: Iterable[str]) -> dict[str, int]:
    """Return, by path, how many signs the marks of a conflict have.

    Source: gitattributes(5), `conflict-marker-size`.
    """
    found = _values(repository, "conflict-marker-size", paths)
    sizes = {path: int(each) if each.isdecimal() else 0 for path, each in found.items()}
    return {path: size or _MARKS for path, size in sizes.items()}


def _values(
    repository: Repository, attribute: str, paths: Iterable[str], *, indexed: bool = False
) -> dict[str, str]:
    """Return what an attribute is set to, by path; no process where there is none.

    GitError where git would wait for a pipe for ever.
    """
    paths = list(paths)
    if not paths:
        return {}
    if not indexed:
        refuse_never_ending(repository, paths)
    feed = b"".join(os.fsencode(path) + b"\0" for path in paths)
    how = ["--cached"] if indexed else []
    output = ask(repository, "check-attr", *how, "-z", "--stdin", attribute, feed=feed).stdout
    fields = os.fsdecode(output).split("\0")[:-1]
    return dict(zip(fields[::3], fields[2::3], strict=True))
