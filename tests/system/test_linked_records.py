"""A record file that is a link: who names it is told so, and nothing is read through it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.desk import Desk

LINK = "authority/work-items/w.md"
ITEM = "---\nproject: atlas\nstatus: ready\n---\n"


def _link(place: Path) -> None:
    place.symlink_to("../projects/atlas.md")


@pytest.mark.parametrize(
    ("make", "said", "code"),
    [(_link, "symbolic link", "file.symlink"), (os.mkfifo, "a pipe", "file.unreadable")],
    ids=["link", "pipe"],
)
@pytest.mark.parametrize(
    "words",
    [("work", "start", "w"), ("edit", "W"), ("mv", "w", "x"), ("show", "w"), ("show", LINK)],
    ids=" ".join,
)
def test_it_is_named(
    desk: Desk, words: tuple[str, ...], make: Callable[[Path], None], said: str, code: str
) -> None:
    place = desk.root / LINK
    place.parent.mkdir()
    make(place)
    err = desk.doll(*words, VISUAL="true")
    assert err.code == 4
    assert LINK in err.err
    assert said in err.err
    assert f"[{code}]" in err.err
    assert place.is_symlink() or place.is_fifo()


def test_another_one_of_this_id_is_still_found(desk: Desk) -> None:
    desk.put("authority/work-items/sub/w.md", ITEM)
    _link(desk.root / LINK)
    assert desk.ok("show", "w").out
