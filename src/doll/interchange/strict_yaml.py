"""Strict YAML of foreign stores: one document of mappings, lists and scalars, and nothing else.

No aliases, anchors, tags, repeated keys or second documents; size, depth and number of values are
bounded. The text is read as a stream of parser events, so hostile input costs no recursion and no
expansion. Plain scalars stay text: what they mean is decided where they are used.
Source: YAML 1.2.2, chapters 5 to 8 and section 10.3 (core schema).
"""

import re
from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring
from typing import Any, NamedTuple

from doll.errors import InvalidDocumentError, Problem
from doll.interchange import strict_json
from doll.interchange.pointers import join
from doll.interchange.refusals import MAX_PROBLEMS, refused
from doll.records.syntax import syntax_fault

MAX_BYTES = 32 * 1024 * 1024
MAX_DEPTH = 64
MAX_VALUES = 2_000_000
MAX_KEY = 1000

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NULLS = frozenset(["", "~", "null", "Null", "NULL"])
_FLAGS = {
    **dict.fromkeys(["true", "True", "TRUE"], "true"),
    **dict.fromkeys(["false", "False", "FALSE"], "false"),
}
# To libyaml these break a line, as in YAML 1.1; in YAML 1.2 they are characters like others.
_NO_BREAKS = "\x85\u2028\u2029"
_PRIVATE = range(0xE000, 0xF8FF)


class Plain(str):
    """A scalar without quotes: text where text is wanted, else what the core schema says."""

    __slots__ = ()


class Read(NamedTuple):
    """What a YAML text holds.

    `value` is made of dicts, lists, str and `Plain`; `lines` gives the line (from 1) of each value
    down to the second level, by pointer; `comments` are the comments with their lines.
    """

    value: Any
    lines: dict[str, int]
    comments: tuple[tuple[int, str], ...]
    notes: tuple[Problem, ...]


class _StopError(Exception):
    """Reading on would cost more than it can tell."""


def is_null(value: Any) -> bool:
    """Return whether a value says nothing: a plain `null`, `~`, or no text at all."""
    return value is None or (value.__class__ is Plain and value in _NULLS)


def json_text(value: Any, *, canonical: bool = False) -> str:
    """Return the JSON text of a value, numbers as the source wrote them.

    `canonical`: without white space and with the keys in order, to take a digest of.
    """
    if isinstance(value, str):
        return _scalar_text(value)
    comma, colon = (",", ":") if canonical else (", ", ": ")
    if isinstance(value, list):
        return f"[{comma.join(json_text(item, canonical=canonical) for item in value)}]"
    pairs: Iterable[tuple[str, Any]] = sorted(value.items()) if canonical else value.items()
    texts = (
        f"{encode_basestring(key)}{colon}{json_text(item, canonical=canonical)}"
        for key, item in pairs
    )
    return f"{{{comma.join(texts)}}}"


def _scalar_text(value: str) -> str:
    if value.__class__ is Plain:
        if value in _NULLS:
            return "null"
        if value in _FLAGS:
            return _FLAGS[value]
        if _NUMBER.fullmatch(value):
            return value[:]
    return encode_basestring(value)


def texts(read: Read, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield every text with its pointer below `pointer`: scalars, names, and comments."""
    yield from strict_json.leaves(read.value, pointer)
    for line, comment in read.comments:
        yield join(pointer, "lines", line), comment


def read(data: bytes, name: str) -> Read:
    """Return what the YAML text `data` holds; `name` is the file's name for messages.

    Raises InvalidDocumentError with every fault that can be told apart, each at its line.
    """
    import yaml

    if len(data) > MAX_BYTES:
        message = f"the file has more than {MAX_BYTES:,} bytes, the most that are read of YAML"
        raise _one(Problem(name, 0, 0, "yaml.too_large", message, hint="export less at a time"))
    text, notes = strict_json.decoded(data, name)
    replaced, back = _without_breaks(text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(replaced)
    builder = _Builder(yaml, text, name, back)
    try:
        builder.run(iter(loader.get_event, None))
    except _StopError:
        pass
    except yaml.MarkedYAMLError as error:
        fault = syntax_fault(error, text)
        builder.fault(fault.offset, fault.code, fault.message, fault.hint)
    except yaml.YAMLError as error:  # a character that YAML does not allow
        position = getattr(error, "position", 0)  # in bytes
        offset = len(text.encode()[:position].decode("utf-8", "ignore"))
        message = f"this is not YAML: {getattr(error, 'reason', error)}"
        builder.fault(offset, "yaml.syntax", message, "remove the character, or export again")
    if builder.faults:
        raise refused(f"{name} cannot be read without guessing", builder.faults)
    return Read(builder.root, builder.lines, tuple(builder.comments), notes)


def _one(problem: Problem) -> InvalidDocumentError:
    return InvalidDocumentError(
        f"{problem.path}: {problem.message}", hint=problem.hint, problems=[problem]
    )


def _without_breaks(text: str) -> tuple[str, dict[int, str]]:
    """Return the text with other characters for those that are no line breaks, and the way back."""
    there = [character for character in _NO_BREAKS if character in text]
    if not there:
        return text, {}
    unused = (chr(code) for code in _PRIVATE if chr(code) not in text)
    pairs = dict(zip(there, unused, strict=False))
    back = {ord(other): character for character, other in pairs.items()}
    return text.translate({ord(each): other for each, other in pairs.items()}), back


class _Builder:
    """Builds values from parser events with a stack of its own; faults are collected."""

    def __init__(self, yaml: Any, text: str, name: str, back: dict[int, str]) -> None:
        self._yaml, self._text, self._name, self._back = yaml, text, name, back
        self.root: Any = None
        self.lines: dict[str, int] = {}
        self.comments: list[tuple[int, str]] = []
        self.faults: list[Problem] = []
        self._containers: list[Any] = []
        self._keys: list[str | None] = []
        self._first: str | int = ""
        self._hash = text.find("#")
        self._values = 0

    def run(self, events: Iterator[Any]) -> None:
        """Read the events of a whole text; `_StopError` when the rest is not worth its time."""
        yaml = self._yaml
        scalar, mapping, sequence = (
            yaml.ScalarEvent,
            yaml.MappingStartEvent,
            yaml.SequenceStartEvent,
        )
        ends = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
        documents = 0
        for event in events:
            kind = event.__class__
            if kind is scalar:
                self._check(event)
                self._add(self._scalar(event), event)
            elif kind is mapping or kind is sequence:
                self._check(event)
                self._open({} if kind is mapping else [], event)
            elif kind in ends:
                self._containers.pop()
                self._keys.pop()
            elif kind is yaml.AliasEvent:
                offset = event.start_mark.index
                hint = "export it again without YAML aliases"
                self.fault(offset, "yaml.alias", "`*` begins a YAML alias", hint)
                self._add("", event)
            elif kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    message = "a second YAML document begins here"
                    self._stop(event, "yaml.many_documents", message, "give one store at a time")
        self._skip_to(len(self._text))

    def _check(self, event: Any) -> None:
        """Look at what stands before a value, and at its anchor and tag."""
        start = event.start_mark.index
        if -1 < self._hash < start:
            self._skip_to(start)
        if event.anchor is not None:
            hint = "export it again without YAML anchors"
            self.fault(start, "yaml.alias", "`&` begins a YAML anchor", hint)
        if event.tag is not None:
            hint = "export it again without YAML tags"
            self.fault(start, "yaml.tag", "`!` begins a YAML tag", hint)
        self._values += 1
        if self._values > MAX_VALUES:
            message = f"the file holds more than {MAX_VALUES:,} values"
            self._stop(event, "yaml.too_large", message, "export less at a time")

    def _scalar(self, event: Any) -> str:
        value: str = event.value
        if -1 < self._hash < event.end_mark.index:
            self._pass(event)
        if self._back:
            value = value.translate(self._back)
        return Plain(value) if not event.style and event.implicit[0] else value

    def _open(self, container: Any, event: Any) -> None:
        if len(self._containers) >= MAX_DEPTH:
            message = f"values are nested deeper than {MAX_DEPTH} levels"
            self._stop(event, "yaml.too_deep", message, "export it again")
        self._add(container, event)
        self._containers.append(container)
        self._keys.append(None)

    def _add(self, value: Any, event: Any) -> None:
        if not self._containers:
            self.root = value
            return
        top, key = self._containers[-1], self._keys[-1]
        if top.__class__ is list:
            self._note(len(top), event)
            top.append(value)
        elif key is None:
            self._keys[-1] = self._key(value, top, event)
        else:
            self._note(key, event)
            top[key] = value
            self._keys[-1] = None

    def _key(self, value: Any, top: dict[str, Any], event: Any) -> str:
        if not isinstance(value, str) or len(value) > MAX_KEY:
            self._stop(event, "yaml.key", "a key is not plain text", "export it again")
        key = str(value)
        if key in top:
            shown = key if len(key) <= 60 else f"{key[:59]}…"
            message = f"`{shown}` stands a second time; which value counts would be a guess"
            self.fault(event.start_mark.index, "yaml.duplicate_key", message, "keep one of them")
        return key

    def _note(self, part: str | int, event: Any) -> None:
        """Remember the line of a value that is not deep."""
        depth = len(self._containers)
        if depth == 1:
            self._first = part
            self.lines[join("", part)] = event.start_mark.line + 1
        elif depth == 2:
            self.lines[join("", self._first, part)] = event.start_mark.line + 1

    def _skip_to(self, offset: int) -> None:
        """Take down the comments before `offset`."""
        while -1 < self._hash < offset:
            end = self._text.find("\n", self._hash)
            end = len(self._text) if end < 0 else end
            line = self._text.count("\n", 0, self._hash) + 1
            self.comments.append((line, self._text[self._hash : end].strip()))
            self._hash = self._text.find("#", end)

    def _pass(self, event: Any) -> None:
        """Go past the `#` in a scalar; behind the sign of a block scalar it begins a comment."""
        if event.style in ("|", ">"):
            header = self._text.find("\n", event.start_mark.index)
            self._skip_to(header)
        if self._hash < event.end_mark.index:
            self._hash = self._text.find("#", event.end_mark.index)

    def fault(self, offset: int, code: str, message: str, hint: str) -> None:
        """Take down a fault; after 100 of them reading stops."""
        line = self._text.count("\n", 0, offset) + 1
        column = offset - (self._text.rfind("\n", 0, offset) + 1) + 1
        self.faults.append(Problem(self._name, line, column, code, message, hint=hint))
        if len(self.faults) > MAX_PROBLEMS:
            raise _StopError

    def _stop(self, event: Any, code: str, message: str, hint: str) -> None:
        self.fault(event.start_mark.index, code, message, hint)
        raise _StopError
