"""Messages of commits: their trailers, as git itself reads them."""

from doll.vcs.plumbing.repository import Repository, ask

# `separators` is a setting of people; what a trailer is must not depend on it.
_PARSE = ("-c", "trailer.separators=:", "interpret-trailers", "--parse", "--no-divider")


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
