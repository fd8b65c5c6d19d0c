"""Progress of an import: one line on a terminal, once it takes a while; nothing in a pipe."""

import io
import sys
from collections.abc import Callable

import pytest

from doll.cli.import_progress import Progress


class Terminal(io.StringIO):
    """A stderr that is a terminal, or says that it is none."""

    def __init__(self, *, real: bool = True) -> None:
        super().__init__()
        self._real = real

    def isatty(self) -> bool:
        return self._real


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Callable[[Terminal, bool], str]:
    """What a terminal shows of an import that has just begun."""

    def run(terminal: Terminal, at_once: bool) -> str:
        monkeypatch.setattr(sys, "stderr", terminal)
        progress = Progress(at_once=at_once)
        progress("reading", 0, 2)
        progress("checking", 500, 10_000)
        progress.end()
        return terminal.getvalue()

    return run


def test_a_large_source_shows_where_it_is_at_once(
    shown: Callable[[Terminal, bool], str],
) -> None:
    text = shown(Terminal(), True)
    assert "reading the source" in text
    assert "checking 500 of 10,000 candidates" in text
    assert text.endswith("\r\033[K")


def test_what_is_quick_shows_nothing(shown: Callable[[Terminal, bool], str]) -> None:
    assert shown(Terminal(), False) == ""


def test_a_pipe_shows_nothing(shown: Callable[[Terminal, bool], str]) -> None:
    assert shown(Terminal(real=False), True) == ""
