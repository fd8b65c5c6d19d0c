"""What `doll watch` says as text lines, and what `doll status` says of a watcher."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from doll.errors import Problem
from doll.render import listed
from doll.render.leading import led
from doll.render.listed import Difference
from doll.render.text import count, visible


class Look(Protocol):
    """What a look found; see `services.watching.looking`."""

    @property
    def first(self) -> bool:
        """Whether it is the first."""
        ...

    @property
    def changes(self) -> Sequence[Difference]:
        """The files that changed since the last one."""
        ...

    @property
    def new(self) -> Sequence[Problem]:
        """The problems that were not there before."""
        ...

    @property
    def settled(self) -> Sequence[Problem]:
        """The problems that are there no more."""
        ...

    @property
    def files(self) -> int:
        """The number of record files."""
        ...

    @property
    def searchable(self) -> int:
        """The number of records that a recall searches."""
        ...

    @property
    def errors(self) -> int:
        """The number of all errors."""
        ...

    @property
    def warnings(self) -> int:
        """The number of all warnings."""
        ...


class Standing(Protocol):
    """What is known of a watcher; see `services.watching.standing`."""

    @property
    def state(self) -> str:
        """`none`, `current`, `behind`, `deaf`, `dead` or `unknown`."""
        ...

    @property
    def process(self) -> int:
        """Its process, 0 where it is not known."""
        ...

    @property
    def mode(self) -> str:
        """How it hears of changes."""
        ...

    @property
    def files(self) -> int | None:
        """How many files it has not seen; None where it is not known."""
        ...

    @property
    def looking(self) -> bool:
        """Whether it is looking now."""
        ...

    @property
    def silent(self) -> int:
        """Seconds since its last sign."""
        ...

    @property
    def fault(self) -> str:
        """Why it cannot look, or ""."""
        ...

    @property
    def elsewhere(self) -> str:
        """The folder that it watches where that is not this one, or ""."""
        ...

    @property
    def again(self) -> str:
        """The line that starts one like it."""
        ...

    @property
    def anew(self) -> str:
        """The line that ends it and starts another."""
        ...


def look_lines(look: Look) -> Iterator[str]:
    """Yield the changed files, then the problems that came, then how all stands."""
    for change in look.changes[: listed.CAP]:
        yield f"{change.what:8}{visible(change.path)}"
    if len(look.changes) > listed.CAP:
        yield f"+{len(look.changes) - listed.CAP:,} more files"
    if not look.first:
        yield from listed.problems(look.new)
    yield _total(look)


def _total(look: Look) -> str:
    held = f"{count(look.files, 'record file')}, {look.searchable:,} searchable"
    found = f"{count(look.errors, 'error')}, {count(look.warnings, 'warning')}"
    settled = f" ({len(look.settled):,} settled)" if look.settled else ""
    more = f": {led('doll validate')}" if look.first and (look.errors or look.warnings) else ""
    return f"{held}: {found}{settled}{more}" if not more else f"{held}; {found}{more}"


def watcher_lines(found: Standing) -> Iterator[str]:
    """Yield what is known of a watcher; nothing where nobody watches."""
    if found.state == "none":
        return
    if found.state == "unknown":
        asking = led("doll doctor    says what to type")
        yield f"whether anybody watches is not known: {visible(found.fault)}; {asking}"
        return
    who = f"process {found.process}" if found.process else "it is not known by which process"
    if found.mode:
        who = f"{who}, {found.mode}"
    elif not found.fault:
        who = "it has just begun"
    yield f"watched ({who}): {_state(found)}"


def _state(found: Standing) -> str:
    waiting = "some files" if found.files is None else count(found.files, "file")
    if found.state == "dead":
        said = "it ended without a word"
        if found.elsewhere:
            said = f"it watched {visible(found.elsewhere)}, and nobody watches here"
        return f"dead, {said}{_unseen(found, waiting)}: {led(found.again)}"
    if found.elsewhere and found.state == "deaf":
        said = f"it watches {visible(found.elsewhere)}, where this vault is no more"
        return f"deaf, {said}: {led(found.anew)}"
    if found.state == "deaf":
        since = f", no sign for {count(found.silent, 'second')}" if found.silent > 5 else ""
        return f"deaf{since}{_unseen(found, waiting)}: {led(found.anew)}"
    if found.fault and not found.mode:
        return visible(found.fault)
    if found.fault:
        return f"it cannot look: {visible(found.fault)}"
    if found.state == "behind":
        return f"behind by {waiting}{', it looks now' if found.looking else ''}"
    return "current"


def _unseen(found: Standing, waiting: str) -> str:
    return "" if found.files == 0 else f", {waiting} not seen"
