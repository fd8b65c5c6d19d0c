"""When files came and changed, by the dates of committers."""

from datetime import UTC, datetime

from doll.vcs.plumbing.objects import records_of
from doll.vcs.plumbing.repository import Repository, ask

_LOG = ("log", "--no-show-signature", "--no-color", "--full-history")


def last_change(repository: Repository, commit: str, path: str) -> datetime:
    """Return when anything at or below `path` was changed last in the history of a commit.

    The date of the commit itself where nothing ever was. GitError when git fails.
    """
    for limits in (["--", path], []):
        asked = ask(repository, "log", "-1", "--no-show-signature", "--format=%ct", commit, *limits)
        if said := asked.stdout.strip():
            return _moment(said.decode("ascii"))
    raise AssertionError("a commit has a date")


def arrivals(repository: Repository, commit: str, path: str) -> dict[str, datetime]:
    """Return when each file at or below `path` first came, by its path. GitError when git fails.

    A file that only a merge brought is not among them.
    """
    what = ("-z", "--no-renames", "--diff-filter=A", "--name-only", "--format=/%ct")
    fields = records_of(ask(repository, *_LOG, *what, "--root", commit, "--", path).stdout)
    found: dict[str, datetime] = {}
    moment = datetime.max.replace(tzinfo=UTC)
    for field in fields:
        text = field.removeprefix("\n")
        if text.startswith("/"):
            moment = _moment(text[1:])
        elif text:
            found[text] = min(moment, found.get(text, moment))
    return found


def _moment(seconds: str) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)
