"""Sharing the reading of very many files between this process and one more.

A file costs about half a millisecond to parse and index, so many are read by two processes where
there are two processors. The other one is started with the interpreter of this one, gets its
share through a pipe, answers through another, and writes no file. It lives as long as its input is
open: when this process dies in any way, the other one ends. When the other one dies, its share is
read here. What comes out is the same either way.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import msgspec

from doll.reconcile.changes import Item
from doll.reconcile.parts import Part, Reader

Progress = Callable[[int, int], None]

# With fewer files a second process costs more than it saves.
MANY = 1500
# Files between two reports of progress.
STEP = 50
_SIZE = 8
# `-P`: nothing is imported from the folder that doll is called in.
_START = ("-P", "-m", "doll.reconcile.worker")


class Share(msgspec.Struct, frozen=True, array_like=True):
    """What the other process is to read; paths are as the file system has them."""

    root: bytes
    serial: int
    items: list[Item]


def read_all(
    root: Path, items: Sequence[Item], serial: int, progress: Progress | None
) -> list[Part]:
    """Return what `items` give, in parts whose rows follow one another.

    Documents get serials from `serial` on. Raises BrokenIndexError.
    """
    told = _Told(len(items), progress)
    if len(items) < MANY or processors() < 2:
        return [_read(root, items, serial, told)]
    # A name that no text can hold gives no row, so its place does not matter.
    plain = [item for item in items if item.path.isprintable()]
    half = len(plain) // 2
    odd = [item for item in items if not item.path.isprintable()]
    mine, theirs = plain[:half] + odd, plain[half:]
    other = _Other(Share(os.fsencode(root.absolute()), serial + len(mine), theirs), told)
    try:
        first = _read(root, mine, serial, told)
        second = other.part()
    finally:
        other.end()
    if second is None:
        second = _read(root, theirs, serial + len(mine), told)
    return [first, second]


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def send(pipe: IO[bytes], data: bytes) -> None:
    """Write one message to a pipe."""
    pipe.write(len(data).to_bytes(_SIZE, "little"))
    pipe.write(data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """Return the next message of a pipe, None at its end."""
    size = pipe.read(_SIZE)
    if len(size) < _SIZE:
        return None
    wanted = int.from_bytes(size, "little")
    data = pipe.read(wanted)
    return data if len(data) == wanted else None


def send_part(pipe: IO[bytes], part: Part) -> None:
    """Write a part to a pipe: all but the files, then each file, which are not joined for it."""
    files = part.files
    sizes = {name: len(data) for name, data in files.items()}
    send(pipe, msgspec.msgpack.encode((msgspec.structs.replace(part, files={}), sizes)))
    for data in files.values():
        pipe.write(data)
    pipe.flush()


def receive_part(message: bytes, pipe: IO[bytes]) -> Part | None:
    """Return the part that begins with `message`, None when it ends too early."""
    part, sizes = msgspec.msgpack.decode(message, type=tuple[Part, dict[str, int]])
    files = {name: pipe.read(n) for name, n in sizes.items()}
    if any(len(files[name]) < size for name, size in sizes.items()):
        return None
    return msgspec.structs.replace(part, files=files)


class _Told:
    """How far both processes are, told to who asked for it."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total = total
        self._progress = progress
        self.mine = self.theirs = 0

    def tell(self) -> None:
        if self._progress is not None:
            self._progress(min(self.mine + self.theirs, self._total), self._total)


def _read(root: Path, items: Sequence[Item], serial: int, told: _Told) -> Part:
    reader = Reader(root, serial, len(items))
    for item in items:
        if told.mine % STEP == 0:
            told.tell()
        told.mine += 1
        reader.read(item)
    part = reader.part()
    told.tell()
    return part


class _Other:
    """The other process, from its start to its end."""

    def __init__(self, share: Share, told: _Told) -> None:
        self._told = told
        self._items = len(share.items)
        self._part: Part | None = None
        try:
            self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
                [sys.executable, *_flags(), *_START],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, ValueError):
            self._process = None
            return
        self._talk = threading.Thread(target=self._converse, args=(share,), daemon=True)
        self._talk.start()

    def part(self) -> Part | None:
        """Wait for the part and return it; None when the process failed."""
        if self._process is None:
            return None
        while self._talk.is_alive():
            self._talk.join(0.2)
            self._told.tell()
        self._told.theirs = 0 if self._part is None else self._items
        self._told.tell()
        return self._part

    def end(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._talk.join()
            for pipe in (self._process.stdin, self._process.stdout):
                _close(pipe)

    def _converse(self, share: Share) -> None:
        assert self._process is not None
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        try:
            send(into, msgspec.msgpack.encode(share))
            while (message := receive(out)) is not None and len(message) == _SIZE:
                self._told.theirs = int.from_bytes(message, "little")
            self._part = None if message is None else receive_part(message, out)
        except (OSError, msgspec.DecodeError, UnicodeEncodeError):
            return


def _flags() -> list[str]:
    """Return what this interpreter was told about where to find modules."""
    told = {
        "-I": sys.flags.isolated,
        "-E": sys.flags.ignore_environment,
        "-s": sys.flags.no_user_site,
    }
    return [flag for flag, on in told.items() if on]


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        try:
            pipe.close()
        except OSError:
            return
