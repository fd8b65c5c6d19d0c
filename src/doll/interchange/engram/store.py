"""The files of a store or pack, read: each as its own kind of text has it. No entry is judged here.

A file that cannot be read refuses the whole document. Lines of the history are another matter: they
only tell what should be there, so one that cannot be read is named, and the others count.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from doll.errors import InvalidDocumentError, Problem
from doll.interchange import strict_json, strict_yaml
from doll.interchange.base import Document
from doll.interchange.engram.fields import EPISODES, INTEGRITY, SKILL, TENSIONS
from doll.interchange.pointers import join
from doll.interchange.yaml_scalars import is_null
from doll.records import fences
from doll.records.digest import sha256

_STORE = "give the folder that holds engrams.yaml, or that file"


class Event(NamedTuple):
    """A line of the history: its file, its number (from 1), its text, its value (None: no JSON)."""

    file: str
    line: int
    text: str
    value: Any


class Store(NamedTuple):
    """What a document holds.

    `skill` are the facts of a pack's `SKILL.md`, None where there is none or it has none that can
    be read.
    """

    engrams: strict_yaml.Read
    episodes: strict_yaml.Read | None
    tensions: strict_yaml.Read | None
    history: tuple[Event, ...]
    skill: dict[str, Any] | None

    @property
    def entries(self) -> list[Any]:
        """The entries of `engrams`."""
        found: list[Any] = self.engrams.value["engrams"]
        return found


def read(document: Document) -> Store:
    """Return the files of a document; InvalidDocumentError where one breaks its format."""
    engrams = strict_yaml.read(document.data, document.file)
    value = engrams.value
    if not isinstance(value, dict) or list(value) != ["engrams"]:
        _refuse(document.file, "this is no store of engrams: it has not the one key `engrams`")
    if not isinstance(value["engrams"], list):
        _refuse(document.file, "`engrams` is no list")
    return Store(
        engrams,
        _listed(document, EPISODES),
        _listed(document, TENSIONS),
        tuple(_events(document)),
        _skill(document),
    )


def source_of(document: Document, store: Store) -> str:
    """Return the key of the source: the same for later states of one store or pack.

    A store has no id of its own; the first line of its history never changes. Without a history
    nothing tells one file from another but its bytes.
    """
    if store.history:
        return f"history:{sha256(store.history[0].text.encode())}"
    if store.skill and store.skill.get("name"):
        creator = store.skill.get("creator") or "unknown"
        return f"pack:{creator}/{store.skill['name']}"
    return f"sha256:{sha256(document.data)}"


def texts(document: Document, store: Store) -> Iterator[tuple[str, str]]:
    """Yield every text of every file with its pointer, names and comments too."""
    yield from strict_yaml.texts(store.engrams, "")
    for name, found in ((EPISODES, store.episodes), (TENSIONS, store.tensions)):
        if found is not None:
            yield from strict_yaml.texts(found, join("", name))
    for event in store.history:
        pointer = join("", event.file, "lines", event.line)
        if event.value is None:
            yield pointer, event.text
            continue
        for place, leaf in strict_json.leaves(event.value, pointer):
            if isinstance(leaf, str):
                yield place, leaf
    for name in (SKILL, INTEGRITY):
        if name in document.companions:
            yield join("", name), document.companions[name].decode("utf-8", "replace")


def _listed(document: Document, name: str) -> strict_yaml.Read | None:
    if name not in document.companions:
        return None
    found = strict_yaml.read(document.companions[name], name)
    if is_null(found.value):
        return found._replace(value=[])
    if not isinstance(found.value, list):
        _refuse(name, "the file holds no list")
    return found


def _events(document: Document) -> Iterator[Event]:
    for name, data in sorted(document.companions.items()):
        if not name.startswith("history/"):
            continue
        for number, line in enumerate(data.split(b"\n"), start=1):
            if line.strip():
                yield Event(name, number, line.decode("utf-8", "replace").rstrip("\r"), _json(line))


def _json(line: bytes) -> Any:
    try:
        return strict_json.read(line, "").value
    except InvalidDocumentError:
        return None


def _skill(document: Document) -> dict[str, Any] | None:
    """Return the front matter of `SKILL.md`."""
    if SKILL not in document.companions:
        return None
    try:
        text = document.companions[SKILL].decode()
        start, end, _ = fences.bounds(text)
        value = strict_yaml.read(text[start:end].encode(), SKILL).value
    except (ValueError, InvalidDocumentError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(name: str, message: str) -> NoReturn:
    problem = Problem(name, 1, 1, "engram.not_a_store", message, hint=_STORE)
    raise InvalidDocumentError(f"{name}: {message}", hint=_STORE, problems=[problem])
