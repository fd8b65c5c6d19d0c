"""Clocks that jumped: files, commits and entries from the future, and a history that goes back.

An index trusts a file by its times, and the newest entry is the one that counts.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from doll.errors import Problem
from doll.records.model import Experience
from doll.records.names import fold
from doll.services.diagnosing.subject import Subject
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs.plumbing import looking

# Clocks of machines and file servers differ by so much without harm.
_SLACK = timedelta(minutes=2)
# With more than this preflight says that an entry comes from the future.
_DAY = timedelta(hours=24)
_COMMITS = 2_000
_STAMP = "%Y%m%dT%H%M%SZ"
_CLOCK = "date -u    says what this machine takes for now; timedatectl set-ntp true    sets it"


def files_ahead(subject: Subject) -> Iterator[Problem]:
    """Yield files whose times lie in the future."""
    limit = int((subject.now + _SLACK).timestamp()) * 10**9
    ahead = [found.path for found in subject.on_disk.files if found.stamp.mtime_ns > limit]
    if ahead:
        more = f", and of {len(ahead) - 1:,} more" if len(ahead) > 1 else ""
        message = f"the time of this file{more} lies in the future, so it is read every time"
        root = typed(str(subject.vault.root))
        places = " ".join(dict.fromkeys(path.partition("/")[0] for path in ahead))
        hint = f"(cd {root} && find {places} -name '*.md' -newermt now -exec touch {{}} +)"
        yield Problem(ahead[0], 0, 0, "clock.future_file", message, "warning", hint)


def commits_out_of_order(subject: Subject) -> Iterator[Problem]:
    """Yield commits from the future, and those that are much older than a parent."""
    dated = looking.dates(subject.vault.repository, subject.vault.head, _COMMITS)
    known = {each.commit: each.seconds for each in dated}
    limit = (subject.now + _SLACK).timestamp()
    ahead = [each for each in dated if each.seconds > limit]
    if ahead:
        last = max(ahead, key=lambda each: each.seconds)
        message = (
            f"{_commits_named(len(ahead))} dated after now, the latest {_moment(last.seconds)}: "
            "this clock is behind, or that of who committed was ahead"
        )
        yield Problem(last.commit[:12], 0, 0, "clock.future_commit", message, "warning", _CLOCK)
    back = [
        each
        for each in dated
        if any(known.get(p, 0) - each.seconds > _DAY.total_seconds() for p in each.parents)
    ]
    if back:
        message = (
            f"{_commits_named(len(back))} dated more than a day before a parent: a clock was wrong"
        )
        yield Problem(back[0].commit[:12], 0, 0, "clock.backwards", message, "note", _CLOCK)


def entries_ahead(subject: Subject) -> Iterator[Problem]:
    """Yield experience that its name dates more than a day after now, and that none corrects."""
    limit = subject.now + _DAY
    dated = (
        (found.path, _named(found.path))
        for found in subject.on_disk.files
        if found.path.startswith("experience/")
    )
    ahead = [(path, moment) for path, moment in dated if moment is not None and moment > limit]
    corrected = _corrected(subject) if ahead else frozenset()
    root, now = typed(str(subject.vault.root)), _moment(subject.now.timestamp())
    for path, moment in ahead:
        known = layout.record_id(path)
        if fold(known) not in corrected:
            message = f"this entry is dated {_moment(moment.timestamp())}, more than a day ahead"
            hint = (
                f'doll correct {typed(known)} "what is right" --at {now}'
                f" --vault {root}    dates a new entry rightly: say when it was"
            )
            yield Problem(path, 0, 0, "clock.future_entry", message, "warning", hint)


def _corrected(subject: Subject) -> frozenset[str]:
    """Return the folded ids of the entries that others supersede."""
    records = (entry.record for entry in subject.vault.load(["experience"]).entries)
    fields = (record.fields for record in records if record is not None)
    named = (fields.supersedes for fields in fields if isinstance(fields, Experience))
    return frozenset(fold(name) for names in named for name in names)


def _named(path: str) -> datetime | None:
    """Return the time that the name of an entry begins with, None where there is none."""
    stamp = path.rpartition("/")[2].partition("-")[0]
    try:
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def _moment(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return f"second {seconds:.0f} since 1970"


def _commits_named(number: int) -> str:
    return "1 commit is" if number == 1 else f"{number:,} commits are"
