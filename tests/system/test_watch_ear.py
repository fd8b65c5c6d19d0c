"""What is heard through watchdog, and that it is known what is not: real folders, real events."""

import shutil
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from doll.reconcile.watching import POLLING, Ear, is_passing
from doll.vault.layout import is_record_name
from tests.desk import make_vault
from tests.watcher import until

FILE = "confirmed/a.md"
PASSING = [
    *("4913", "a.md~", "~", "#a.md#", ".#a.md", ".a.md.swp", "a.swp", "a.swx", "x.tmp", "a.md.tmp"),
    *("a.md.bak", "a.md___jb_tmp___", "a.md___jb_old___", ".goutputstream-K3V9", ".doll-new-1-2"),
    *(".git", ".DS_Store", ".~lock.a.md#"),
]
STAYING = ["a.md", "4913.md", "a~.md", "image.png", "README.md", "_import.md", "source", "a#b.md"]


class Listening:
    """An ear on a vault, with how often it hinted."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.hints = 0
        self._one = threading.Lock()
        self.ear = Ear(root, self._hint)
        self.ear.listen()

    def _hint(self) -> None:
        with self._one:
            self.hints += 1

    def heard(self, change: Callable[[], object]) -> None:
        """Hold a change to be heard."""
        before = self.hints
        change()
        until(lambda: self.hints > before)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = make_vault(tmp_path / "notes")
    (root / "confirmed").mkdir()
    (root / FILE).write_text("---\ntitle: A\n---\n")
    return root


@pytest.fixture
def listening(vault: Path) -> Iterator[Listening]:
    found = Listening(vault)
    yield found
    found.ear.close()


@pytest.mark.parametrize("name", PASSING)
def test_names_that_pass(name: str) -> None:
    assert is_passing(name)
    assert not is_record_name(name)


@pytest.mark.parametrize("name", STAYING)
def test_names_that_stay(name: str) -> None:
    assert not is_passing(name)


def test_every_change_of_a_file(listening: Listening, vault: Path) -> None:
    file = vault / FILE
    listening.heard(lambda: file.write_text("---\ntitle: B\n---\n"))
    listening.heard(lambda: file.chmod(0o600))
    listening.heard(file.touch)
    listening.heard(lambda: file.rename(file.with_name("b.md")))
    listening.heard(file.with_name("b.md").unlink)
    listening.heard(lambda: (vault / "doll.yaml").write_text("format: 1\n"))
    listening.heard((vault / ".gitattributes").unlink)


def test_what_passes_is_not_heard(listening: Listening, vault: Path) -> None:
    """Events come in their order: the last one is heard, and so the others would have been."""
    area = vault / "confirmed"
    for name in PASSING:
        (area / name).write_text("x")
        (area / name).unlink()
    for name in ("code.py", "node_modules"):
        (vault / name).mkdir()
    assert (area / "a.md").read_text()
    listening.heard((area / "done").mkdir)
    assert listening.hints == 1


def test_all_folders_are_heard(listening: Listening, vault: Path, tmp_path: Path) -> None:
    assert listening.ear.mode != POLLING
    deep = tmp_path / "deep" / "er" / "still"
    deep.mkdir(parents=True)
    listening.heard(lambda: (tmp_path / "deep").rename(vault / "confirmed" / "deep"))
    # Whether watchdog heeds all of a folder that came depends on its version; hence the question.
    if not listening.ear.hears():
        listening.ear.listen()
    assert listening.ear.hears()
    listening.heard(lambda: (vault / "confirmed/deep/er/still/a.md").write_text("x"))


def test_an_area_that_was_made_anew_is_another_one(listening: Listening, vault: Path) -> None:
    assert listening.ear.hears()
    shutil.rmtree(vault / "confirmed")
    (vault / "confirmed").mkdir()
    (vault / "staging").mkdir()
    assert not listening.ear.hears()
    listening.ear.listen()
    assert listening.ear.hears()
    listening.heard(lambda: (vault / FILE).write_text("x"))
    listening.heard(lambda: (vault / "staging" / "a.md").write_text("x"))


def test_a_folder_that_the_kernel_does_not_watch(listening: Listening, vault: Path) -> None:
    """watchdog says nothing where it could not add a folder: so it is asked of the kernel."""
    if not Path("/proc/self/fdinfo").exists():
        pytest.skip("this system does not tell what is watched")
    (vault / "confirmed" / "new").mkdir()
    until(listening.ear.hears)
    from watchdog.observers import inotify_c

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inotify_c, "inotify_add_watch", lambda *_: -1)
        (vault / "confirmed" / "unheard").mkdir()
        until(lambda: not listening.ear.hears())
    listening.ear.listen()
    assert listening.ear.hears()


def test_folders_that_are_moved_out_and_in(vault: Path, tmp_path: Path) -> None:
    """watchdog warns of the first, and at the second one its thread that hears ends in an error."""
    place, out, hook = vault / "confirmed" / "sub", tmp_path / "out", threading.excepthook
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        listening = Listening(vault)

        def is_heard_again() -> bool:
            if not listening.ear.hears():
                listening.ear.listen()
            (vault / FILE).touch()
            return listening.hints > before

        def is_quiet() -> bool:
            before = listening.hints
            time.sleep(1)  # a move out of what is heard is told late
            return listening.hints == before

        try:
            listening.heard(place.mkdir)
            until(listening.ear.hears)
            listening.heard(lambda: place.rename(out))
            listening.heard(lambda: out.rename(place))
            listening.heard(lambda: (place / "a.md").write_text("x"))
            place.rename(out)
            place.mkdir()
            until(listening.ear.hears)
            place.rmdir()
            shutil.rmtree(out)
            until(is_quiet)
            before = listening.hints
            until(is_heard_again)
        finally:
            listening.ear.close()
    assert [str(each.message) for each in warned] == []
    assert threading.excepthook == hook


def test_closed(listening: Listening) -> None:
    listening.ear.close()
    assert listening.ear.mode == POLLING
    assert not listening.ear.hears()
    listening.ear.close()


def test_links_are_not_followed(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (vault / "confirmed" / "link").symlink_to(tmp_path / "outside")
    listening = Listening(vault)
    try:
        assert listening.ear.hears()
        (tmp_path / "outside" / "a.md").write_text("x")
        listening.heard((vault / "confirmed" / "done").mkdir)
        assert listening.hints == 1
    finally:
        listening.ear.close()
