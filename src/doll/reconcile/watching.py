"""Hearing of changes through watchdog: a hint to look, and never more than that.

The one module that knows watchdog. What an event says is not used, save to pass over what editors
write beside a file. Whether all folders are heard is verified, since watchdog keeps silent about a
folder for which the limits of inotify leave no room, loses folders that come and go, and ends in an
error of its own where one was moved out and another made in its place: such an end is a hint, too.
"""

import errno
import logging
import os
import re
import stat
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from doll.vault.layout import AREAS, ATTRIBUTES, IGNORE, JUDGED, MARKER, OWN, is_record_name

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver

POLLING = "polling"
_TREES = (*AREAS, JUDGED)
# At the top of a vault all code of a repository may lie beside these.
_TOP = frozenset((*AREAS, OWN, MARKER, ATTRIBUTES, IGNORE))
# What editors write beside a file: backups, locks, swap files, vim's trial of a folder (4913),
# JetBrains' safe write. Those of most begin with a dot.
_PASSING = re.compile(r"\..*|.*~|#.*#|.*\.(?:tmp|sw[a-z]|bak)|[0-9]+|.*___jb_(?:tmp|old)___")
_DESCRIPTORS = Path("/proc/self/fdinfo")
_HEARD = re.compile(r"^inotify wd:\S+ ino:([0-9a-f]+)", re.MULTILINE)
_LIMITS = (errno.ENOSPC, errno.EMFILE, errno.ENFILE)

Identity = tuple[int, int]


def is_passing(name: str) -> bool:
    """Return whether a file of this name is an editor's own, and soon gone. A record never is."""
    return not is_record_name(name) and _PASSING.fullmatch(name) is not None


def why(error: OSError) -> str:
    """Return in words why nothing can be heard."""
    if error.errno in _LIMITS:
        return "the limit of inotify is reached"
    return error.strerror or str(error)


class Ear:
    """Hears the folders of one vault, and calls `hint` from another thread."""

    def __init__(self, root: Path, hint: Callable[[], None]) -> None:
        self._root = root
        self._hint = hint
        self._observer: BaseObserver | None = None
        self._heard: dict[Path, Identity] = {}
        self._threads: frozenset[threading.Thread] = frozenset()
        self._excepthook = threading.excepthook

    def listen(self) -> None:
        """Listen to all folders anew; what happens meanwhile is for a look. Raises OSError."""
        from watchdog.observers import Observer

        logging.getLogger("watchdog").setLevel(logging.CRITICAL)
        # It warns of a folder that was moved out and in again, and hears that all the same.
        warnings.filterwarnings("ignore", module=r"watchdog\.")
        # Both at once would need twice the room that inotify has.
        self.close()
        places, before = _places(self._root), frozenset(threading.enumerate())
        observer = Observer()
        self._excepthook, threading.excepthook = threading.excepthook, self._ended
        try:
            for place in places:
                handler = _handler(self._hint, top=place == self._root)
                recursive = place != self._root
                observer.schedule(handler, str(place), recursive=recursive, event_filter=_wanted())
            observer.start()
        except BaseException:
            _stop(observer)
            threading.excepthook = self._excepthook
            raise
        self._observer, self._heard = observer, places
        self._threads = frozenset(each for each in threading.enumerate() if _is_its(each)) - before

    def hears(self) -> bool:
        """Return whether every folder that is there now is listened to."""
        if self._observer is None or not self._observer.is_alive():
            return False
        if not all(each.is_alive() for each in (*self._observer.emitters, *self._threads)):
            return False
        places = _places(self._root)
        return places == self._heard and _all_heard(self._root, places)

    def close(self) -> None:
        """Listen no more."""
        if self._observer is not None:
            _stop(self._observer)
            self._observer = None
            threading.excepthook = self._excepthook

    def _ended(self, args: threading.ExceptHookArgs) -> None:
        """Take the end of a thread of watchdog for a hint: who tends the ear listens anew."""
        if args.thread is not None and _is_its(args.thread):
            self._hint()
        else:
            self._excepthook(args)

    @property
    def mode(self) -> str:
        """How it hears: `inotify`, or the like of another system; `polling` when it does not."""
        if self._observer is None:
            return POLLING
        return type(self._observer).__name__.removesuffix("Observer").lower()


def _is_its(thread: threading.Thread) -> bool:
    """Return whether a thread is one of watchdog's."""
    return type(thread).__module__.partition(".")[0] == "watchdog"


def _stop(observer: "BaseObserver") -> None:
    observer.stop()
    with suppress(RuntimeError):  # it was not started
        observer.join()


def _places(root: Path) -> dict[Path, Identity]:
    """Return the folders to listen to, with what tells them from others of the same name."""
    places = {}
    for place in (root, *(root / tree for tree in _TREES)):
        with suppress(OSError):
            status = place.lstat()
            if stat.S_ISDIR(status.st_mode) and os.access(place, os.R_OK | os.X_OK):
                places[place] = (status.st_dev, status.st_ino)
    return places


def _wanted() -> "list[type[FileSystemEvent]]":
    """Return the events of changes; those of reading would have each look cause the next one."""
    from watchdog import events

    # touch and chmod: an event of its own from watchdog 7 on, before that a modification.
    touched = getattr(events, "FileAttribEvent", events.FileModifiedEvent)
    return [
        touched,
        events.FileCreatedEvent,
        events.FileModifiedEvent,
        events.FileClosedEvent,
        events.FileMovedEvent,
        events.FileDeletedEvent,
        events.DirCreatedEvent,
        events.DirMovedEvent,
        events.DirDeletedEvent,
    ]


def _handler(hint: Callable[[], None], *, top: bool) -> "FileSystemEventHandler":
    from watchdog.events import FileSystemEventHandler

    def counts(path: bytes | str) -> bool:
        name = os.fsdecode(path).rpartition(os.sep)[2]
        return name in _TOP if top else bool(name) and not is_passing(name)

    class Handler(FileSystemEventHandler):
        def dispatch(self, event: "FileSystemEvent") -> None:
            if counts(event.src_path) or counts(event.dest_path):
                hint()

    return Handler()


def _all_heard(root: Path, places: Iterable[Path]) -> bool:
    """Return whether the kernel watches every folder; True where it does not tell."""
    watched = _watched()
    if watched is None:
        return True
    wanted = {inode for place in places for inode in _inodes(place, deep=place != root)}
    # Some file systems show other inodes than those that the kernel watches.
    is_other = watched.isdisjoint(wanted) and len(watched) >= len(wanted)
    return is_other or watched.issuperset(wanted)


def _watched() -> set[int] | None:
    """Return the inodes that inotify watches for this process (man 5 proc_pid_fdinfo)."""
    found = set[int]()
    try:
        for descriptor in _DESCRIPTORS.iterdir():
            with suppress(OSError):
                told = _HEARD.findall(descriptor.read_text())
                found.update(int(inode, 16) for inode in told)
    except OSError:
        return None
    return found


def _inodes(place: Path, *, deep: bool) -> Iterator[int]:
    with suppress(OSError):
        yield place.lstat().st_ino
        if deep:
            yield from _below(os.fspath(place))


def _below(folder: str) -> Iterator[int]:
    with os.scandir(folder) as found:
        folders = [item for item in found if item.is_dir(follow_symlinks=False)]
    for item in folders:
        if not item.name.startswith(".") and os.access(item.path, os.R_OK | os.X_OK):
            yield item.inode()
            with suppress(OSError):
                yield from _below(item.path)
