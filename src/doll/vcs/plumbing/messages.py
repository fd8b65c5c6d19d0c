"""Messages of commits: their trailers, as git itself reads them."""

from collections.abc import Sequence
from typing import NamedTuple

from doll.vcs.plumbing.repository import Repository, ask

# `separators` is a setting of people; what a trailer is must not depend on it.
_PARSE = ("-c", "trailer.separators=:", "interpret-trailers", "--parse", "--no-divider")


class Said(NamedTuple):
    """A commit, its parents, and its whole message."""

    commit: str
    parents: tuple[str, ...]
    message: str


def trailers_in(repository: Repository, message: bytes) -> tuple[tuple[str, str], ...]:
    """Return the trailers of a message, key and value, in their order.

    Comments, and all below a scissors line, are no part of the message.
    """
    lines = ask(repository, *_PARSE, feed=message).stdout.decode("utf-8", "replace").splitlines()
    pairs = (line.partition(":") for line in lines)
    return tuple((key.strip(), value.strip()) for key, _, value in pairs)


def messages(repository: Repository) -> list[tuple[str, str]]:
    """Return the id and the subject of every commit that a ref leads to, newest first."""
    form = "--format=%H%x09%s"
    settings = ("--no-color", "--no-show-signature", "--encoding=UTF-8")
    output = ask(repository, "log", "--all", *settings, form, "--").stdout
    lines = output.decode("utf-8", "replace").splitlines()
    pairs = (line.partition("\t") for line in lines)
    return [(commit, subject) for commit, _, subject in pairs]


def said(repository: Repository, last: str, known: Sequence[str]) -> list[Said]:
    """Return the commits of the history of `last` that are not in that of `known`, newest first."""
    settings = ("--no-color", "--no-show-signature", "--no-notes", "--encoding=UTF-8")
    revisions = (last, *(f"^{commit}" for commit in known))
    asked = ("log", "-z", "--topo-order", *settings, "--format=%H %P%n%B", *revisions, "--")
    found = []
    for each in ask(repository, *asked).stdout.decode("utf-8", "surrogateescape").split("\0"):
        names, _, message = each.partition("\n")
        if names:
            commit, *parents = names.split()
            found.append(Said(commit, tuple(parents), message))
    return found
