"""Moving refs of doll's own, and a remote's tracking ref, each only from where it was.

A ref may also keep a few bytes.
"""

from collections.abc import Iterable
from typing import NamedTuple

from doll.vcs.plumbing.repository import Repository
from doll.vcs.porcelain import running


class Move(NamedTuple):
    """A ref's full name, the commit that it has to name, and the one that it named before.

    `old` is "" for a ref that must be new, None for one whatever it named. `new` is "" for one that
    goes.
    """

    name: str
    new: str
    old: str | None = None


def move(repository: Repository, moves: Iterable[Move], reason: str) -> None:
    """Move refs, all or none; GitError where one is not where it was."""
    feed = b"".join(_line(repository, each) for each in moves)
    if feed:
        with running.tied(repository):
            arguments = ("update-ref", "-m", reason, "--stdin", "-z")
            running.git(repository.top, *arguments, feed=feed, plain=True)


def keep_bytes(repository: Repository, data: bytes) -> str:
    """Write a blob and return its id; git drops it by and by where no ref keeps it."""
    arguments = ("hash-object", "-w", "--stdin")
    with running.tied(repository):
        ran = running.execute(repository.top, arguments, feed=data, plain=True)
    if ran.code:
        raise running.failed(arguments, ran)
    return ran.out


def _line(repository: Repository, each: Move) -> bytes:
    nothing = "0" * (64 if repository.algorithm == "sha256" else 40)
    old = "" if each.old is None else each.old or nothing
    return f"update {each.name}\0{each.new or nothing}\0{old}\0".encode("utf-8", "surrogateescape")
