"""Building values from the events of a YAML parser: a stack of its own, bounds, every fault.

Knows what may not stand in a foreign store; reads no bytes.
"""

from collections.abc import Iterator
from typing import Any

from doll.errors import Problem
from doll.interchange.pointers import join
from doll.interchange.refusals import MAX_PROBLEMS
from doll.interchange.yaml_scalars import Plain

MAX_DEPTH = 64
MAX_VALUES = 2_000_000
MAX_KEY = 1000


class StopError(Exception):
    """Reading on would cost more than it can tell."""


class Builder:
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
        self._line, self._counted = 1, 0
        self._values = 0

    def run(self, events: Iterator[Any]) -> None:
        """Read the events of a whole text; `StopError` when the rest is not worth its time."""
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
            self._line += self._text.count("\n", self._counted, self._hash)
            self._counted = self._hash
            self.comments.append((self._line, self._text[self._hash : end].strip()))
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
            raise StopError

    def _stop(self, event: Any, code: str, message: str, hint: str) -> None:
        self.fault(event.start_mark.index, code, message, hint)
        raise StopError
