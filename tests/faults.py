"""Faults at chosen steps: every change of the disk and every git that writes is one step.

`watched` wraps the functions of `doll.vault.disk` and GitPython's one runner, tells of each step,
and lets a fault happen at one of them: the process kills itself before it, in the middle of it, or
after it, or the step is refused with an error number.

    python -m tests.faults NUMBER HOW ARGUMENT...

runs `doll ARGUMENT...` with a fault at step NUMBER, counted from 0, where HOW is `before`, `half`,
`after`, or the name of an error such as ENOSPC; `-` for NUMBER runs it whole. It prints the steps
on stderr, one a line.
"""

import errno
import functools
import inspect
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from doll.vault import disk

KILLS = ("before", "half", "after")
ERRORS = ("ENOSPC", "EROFS", "EACCES", "EIO", "ENAMETOOLONG")
# From a step on: a disk that takes nothing more, but what makes it emptier; one that takes nothing.
LASTING = ("ENOSPC+", "EROFS+")

# What is no step of its own: it makes its steps by others.
_MADE_OF_STEPS = ("make_folders",)
# What a full disk still does.
_FREEING = ("remove", "remove_folder", "remove_tree", "replace", "rename", "rename_new", "set_mode")
# In the middle of these, half of the bytes are written.
_WRITING = ("write", "append")


_LOWEST = ("doll.vault.", "doll.vcs.")


class Step(NamedTuple):
    """A step: its name (`disk.link`, `git commit`), what it is about, and who makes it.

    `lines` are the module and the line of every caller in doll, the innermost first.
    """

    name: str
    about: str
    lines: tuple[tuple[str, int], ...]

    @property
    def halves(self) -> bool:
        """Whether it can be killed in the middle."""
        return self.name.removeprefix("disk.") in _WRITING

    def __str__(self) -> str:
        """Say in one line what it is, and which module outside of `doll.vault` it is for."""
        callers = [f"{name}:{line}" for name, line in self.lines if not name.startswith(_LOWEST)]
        return f"{self.name} {self.about}  {callers[0] if callers else ''}"


class Fault(NamedTuple):
    """What happens at the step `number`, counted from 0: one of `KILLS` or the name of an error.

    With a `+` behind it the error comes at every step from then on.
    """

    number: int
    how: str

    def strikes(self, number: int, name: str) -> bool:
        """Return whether it happens at a step."""
        if not self.how.endswith("+"):
            return number == self.number
        frees = self.how == "ENOSPC+" and name.removeprefix("disk.") in _FREEING
        return number >= self.number and not frees and name != "git"


def functions() -> dict[str, Callable[..., Any]]:
    """Return the functions of the seam that are steps, by name."""
    return {
        name: function
        for name, function in inspect.getmembers(disk, inspect.isfunction)
        if function.__module__ == disk.__name__ and not name.startswith("_")
        if name not in _MADE_OF_STEPS
    }


@contextmanager
def watched(tell: Callable[[Step], None], fault: Fault | None = None) -> Iterator[None]:
    """Tell of every step before it is made, and let the fault happen."""
    import git

    number = -1

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def step(*args: Any, **kwargs: Any) -> Any:
            nonlocal number
            number += 1
            tell(_step(name, args))
            if fault is None or not fault.strikes(number, name):
                return function(*args, **kwargs)
            return _fail(fault.how, name, function, args, kwargs)

        return step

    before = functions()
    execute = git.Git.execute
    for name, function in before.items():
        setattr(disk, name, wrap(f"disk.{name}", function))
    git.Git.execute = wrap("git", execute)  # type: ignore[method-assign]
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(disk, name, function)
        git.Git.execute = execute  # type: ignore[method-assign]


def _step(name: str, args: tuple[Any, ...]) -> Step:
    if name == "git":
        words = [word for word in args[1][1:] if not word.startswith("-c")]
        return Step(f"git {words[0]}", " ".join(words[1:3]), _lines())
    about = ", ".join(_shown(each) for each in args[:2])
    return Step(name, about, _lines())


def _shown(value: object) -> str:
    if isinstance(value, Path):
        return value.name
    if isinstance(value, bytes | memoryview):
        return f"{len(value)} bytes"
    return "" if isinstance(value, int) else str(value)


def _lines() -> tuple[tuple[str, int], ...]:
    frame, found = inspect.currentframe(), []
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith("doll."):
            found.append((module, frame.f_lineno))
        frame = frame.f_back
    return tuple(found)


def _fail(
    how: str,
    name: str,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> NoReturn:
    if how == "half" and len(args) > 1 and isinstance(args[0], int):
        descriptor, data = args
        os.write(descriptor, memoryview(data)[: len(data) // 2])
    elif how == "after":
        function(*args, **kwargs)
    elif how not in KILLS:
        code = getattr(errno, how.removesuffix("+"))
        raise OSError(code, os.strerror(code), *(str(p) for p in args[:1] if isinstance(p, Path)))
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("a killed process goes on")


def main(arguments: list[str]) -> int:
    """Run `doll` with a fault."""
    from doll.cli import prepare, run

    number, how, *rest = arguments
    fault = None if number == "-" else Fault(int(number), how)

    def tell(step: Step) -> None:
        print(step, file=sys.stderr, flush=True)

    prepare()
    with watched(tell, fault):
        return run(rest)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
