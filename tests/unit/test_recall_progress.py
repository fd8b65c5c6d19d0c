"""Progress is for terminals: nothing in a pipe, nothing within the first second."""

import sys

import pytest

from doll.cli import progress


def test_silent_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.indexing() as tell:
        assert tell is None
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("quiet", "shown"), [(60.0, False), (-1.0, True)])
def test_on_a_terminal_it_shows_after_a_while_and_clears_its_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    quiet: float,
    shown: bool,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(progress, "_QUIET", quiet)
    with progress.indexing() as tell:
        assert tell is not None
        tell(50, 9500)
    out, err = capsys.readouterr()
    assert out == ""
    assert ("indexing 50 of 9,500 files" in err) == shown
    assert err == "" or err.endswith("\r")
