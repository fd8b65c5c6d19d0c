"""The manifest: what the recall index was made from, file by file, and its form on disk.

Values and their bytes; reads no files. The manifest travels with the small segments of the index
in one cache file; the large segments have a file of their own, which most changes leave alone.
"""

import sys

import msgspec

from doll.errors import Problem
from doll.recall import document, engine, tokens
from doll.recall.columns import Columns
from doll.recall.table import Summary

FORMAT = 4


class Fault(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A record file that cannot be read, and why: reported each time, parsed when it changes."""

    path: str
    stamp: bytes
    problems: tuple[Problem, ...]


class Manifest(msgspec.Struct, frozen=True, array_like=True):
    """The files behind an index.

    `key` names everything that the index's form depends on. `seen_ns` is the time just before the
    files were looked at. `documents` counts those in the index, deleted ones included. `base` are
    Whoosh's names of the segments in the cache file `slot` and their sizes, in order; `files` are
    the others, `serials` those of each segment's documents.
    """

    key: str
    seen_ns: int
    next_serial: int
    documents: int
    base: dict[str, int]
    slot: str
    files: dict[str, bytes]
    serials: dict[str, bytes]
    columns: Columns
    summary: Summary
    faults: list[Fault]


def key() -> str:
    """Return what an index must have been made with to be read by this process."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}-{sys.byteorder}"
    parts = (FORMAT, engine.VERSION, tokens.VERSION, document.VERSION, python)
    return "/".join(map(str, parts))


def encode(manifest: Manifest) -> bytes:
    """Return the bytes of a manifest."""
    return msgspec.msgpack.encode(manifest)


def decode(data: bytes | memoryview) -> Manifest | None:
    """Return the manifest in `data`, None when it is none or of another key."""
    try:
        manifest = msgspec.msgpack.decode(data, type=Manifest)
    except msgspec.DecodeError:
        return None
    return manifest if manifest.key == key() else None
