"""The strict YAML subset of front matter and of `doll.yaml`, with the place of every value.

Plain scalars stay text; only `null`, `~`, an empty value and `true`/`false` mean something else.
No duplicate keys, anchors, aliases, tags or second documents, and bounded size and depth. The
text is read as a stream of parser events, so hostile input costs no recursion and no expansion.
Source: YAML 1.2.2, section 10.3 (core schema), restricted; docs/vault-format.md, "Front matter".
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from doll.errors import Problem
from doll.records.decoding import place
from doll.records.limits import MAX_BLOCK_BYTES, MAX_DEPTH, MAX_KEY, MAX_PROBLEMS
from doll.records.mending import FLAT, YamlFault, quoting
from doll.records.snippets import key_name
from doll.records.syntax import colon_fault, syntax_fault

Value = str | bool | None | list["Value"] | dict[str, "Value"]

_NULLS = frozenset(["", "~", "null"])
_FLAGS = {"true": True, "false": False}
_BLOCK_STYLES = ("|", ">")
# libyaml takes the first for line breaks (YAML 1.1) and then counts lines as no editor does; the
# others are outside YAML's character set (YAML 1.2.2, section 5.1), or skipped in front of it.
_REFUSED = (
    "\r(?!\n)|[\x85\u2028\u2029]|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
    r"|\A\ufeff"
)


class Span(NamedTuple):
    """Where a value stands: character offsets into the block, end not included."""

    start: int
    end: int


class Pair(NamedTuple):
    """Where a top-level `key: value` stands in the block, and whether its value is plain flow."""

    key: Span
    value: Span
    block_style: bool


class Block(NamedTuple):
    """A block that was read: its values, and the place of each by its path of keys and indices."""

    values: dict[str, Value]
    places: dict[tuple[str | int, ...], int]
    pairs: dict[str, Pair]


class BlockError(Exception):
    """One or more faults of a block.

    `block` is what stands beside them, None when the rest could not be read either.
    """

    def __init__(self, *faults: YamlFault, block: Block | None = None) -> None:
        super().__init__(faults[0].message)
        self.faults = faults
        self.block = block


def read_flat(text: str) -> tuple[dict[str, Value], dict[str, int]] | None:
    """Return the values and the line of each key (from 0) of a well-formed, flat block.

    The quick way for nearly every record; None means that `read_block` has to look: it reads all
    that doll reads, or says what is wrong and where.
    """
    import yaml

    if len(text) > MAX_BLOCK_BYTES // 4 or not text.replace("\n", "").isprintable():
        return None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        return _flat(iter(loader.get_event, None), yaml)
    except yaml.MarkedYAMLError:
        return None


def _flat(events: Iterator[Any], yaml: Any) -> tuple[dict[str, Value], dict[str, int]] | None:
    scalar, end = yaml.ScalarEvent, yaml.MappingEndEvent
    values: dict[str, Value] = {}
    lines: dict[str, int] = {}
    next(events)  # the start of the stream
    document = next(events)
    if document.__class__ is not yaml.DocumentStartEvent or document.explicit:
        return None
    root = next(events)
    if root.__class__ is not yaml.MappingStartEvent or not _is_plain(root):
        return None
    while (key := next(events)).__class__ is not end:
        value = next(events)
        if key.__class__ is not scalar or key.value in values or not _is_key(key):
            return None
        if not _is_plain(value):
            return None
        if value.__class__ is scalar:
            values[key.value] = _scalar(value)
        elif (inner := _inner(events, value, yaml)) is not None:
            values[key.value] = inner
        else:
            return None
        lines[key.value] = key.start_mark.line
    if next(events).explicit or next(events).__class__ is not yaml.StreamEndEvent:
        return None
    return values, lines


def _inner(events: Iterator[Any], start: Any, yaml: Any) -> Value:
    """Return a list of scalars, or a mapping of scalars to scalars; None for anything else."""
    scalar = yaml.ScalarEvent
    items: list[Any] = []
    while (item := next(events)).__class__ is scalar and _is_plain(item):
        items.append(item)
    if start.__class__ is yaml.SequenceStartEvent and item.__class__ is yaml.SequenceEndEvent:
        return [_scalar(item) for item in items]
    if item.__class__ is not yaml.MappingEndEvent:
        return None
    pairs = {key.value: _scalar(value) for key, value in zip(items[::2], items[1::2], strict=True)}
    distinct = len(pairs) * 2 == len(items) and all(map(_is_key, items[::2]))
    return pairs if distinct else None


def _is_key(event: Any) -> bool:
    return bool(event.value or event.style) and len(event.value) <= MAX_KEY and _is_plain(event)


def _is_plain(event: Any) -> bool:
    """Return whether a node has no anchor and no tag; an alias has its anchor's name."""
    return event.anchor is None and event.tag is None


def read_block(text: str) -> Block:
    """Read the text between the fences; BlockError with every fault that can be told apart."""
    import yaml

    _refuse_unreadable(text)
    reader = _Reader(yaml, text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in _events(loader(text)):
            reader.take(event)
    except yaml.MarkedYAMLError as error:
        raise BlockError(*reader.faults, syntax_fault(error, text)) from error
    block = Block(reader.values, reader.places, reader.pairs)
    if reader.faults:
        raise BlockError(*reader.faults, block=block)
    return block


def problems_of(faults: Iterable[YamlFault], path: str, text: str, start: int) -> list[Problem]:
    """Return the faults as problems at their line and column in `text`, the whole file.

    `start` is the offset in `text` where the block begins.
    """
    return [
        Problem(
            path, *place(text, start + fault.offset), fault.code, fault.message, hint=fault.hint
        )
        for fault in faults
    ]


def _events(parser: Any) -> Iterator[Any]:
    while parser.check_event():
        yield parser.get_event()


def _refuse_unreadable(text: str) -> None:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BLOCK_BYTES:
        message = "the front matter is larger than 64 KiB"
        hint = "move the text below the second `---`"
        raise BlockError(YamlFault(0, "frontmatter.too_large", message, hint))
    # Text that is printable but for its line feeds needs no search, and the pattern no compiling.
    if text.replace("\n", "").isprintable():
        return
    found = [(match.start(), match.group()[0]) for match in re.finditer(_REFUSED, text)]
    if found:
        raise BlockError(*(_refused(*each) for each in found[: MAX_PROBLEMS + 1]))


def _refused(offset: int, character: str) -> YamlFault:
    message = f"the character U+{ord(character):04X} cannot stand in front matter"
    hint = f'remove it, or write it as "\\u{ord(character):04x}" in double quotes'
    return YamlFault(offset, "yaml.syntax", message, hint)


class _Reader:
    """Builds values from parser events with a stack of its own; faults are collected."""

    def __init__(self, yaml: Any, text: str) -> None:
        self._text = text
        self.values: dict[str, Value] = {}
        self.places: dict[tuple[str | int, ...], int] = {}
        self.pairs: dict[str, Pair] = {}
        self.faults: list[YamlFault] = []
        self._scalar = yaml.ScalarEvent
        self._alias = yaml.AliasEvent
        self._starts = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
        self._mapping = yaml.MappingStartEvent
        self._ends = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
        self._documents = (yaml.DocumentStartEvent, yaml.DocumentEndEvent)
        self._stack: list[_Open] = []
        self._last_end = 0

    def take(self, event: Any) -> None:
        """Take the next event of the parser."""
        if isinstance(event, self._scalar):
            self._check_node(event)
            start, end = event.start_mark.index, event.end_mark.index
            self._add(_scalar(event), start, end, event, block_style=event.style in _BLOCK_STYLES)
        elif isinstance(event, self._starts):
            self._open(event)
        elif isinstance(event, self._ends):
            self._close(event)
        elif isinstance(event, self._alias):
            start = event.start_mark.index
            message = "`*` begins a YAML alias"
            self._fault(start, "yaml.alias", message, quoting(self._text, start))
            self._add(None, start, event.end_mark.index, event)
        elif isinstance(event, self._documents) and event.explicit:
            message = "this line parts YAML documents, and front matter is one"
            self._stop(event.start_mark.index, "yaml.many_documents", message, "remove the line")

    def _open(self, event: Any) -> None:
        self._check_node(event)
        is_mapping = isinstance(event, self._mapping)
        if not self._stack and not is_mapping:
            self._refuse(event.start_mark.index, "this is a list, not fields")
        if len(self._stack) >= MAX_DEPTH:
            message = "values are nested too deep"
            self._stop(event.start_mark.index, "yaml.too_deep", message, FLAT)
        container: dict[str, Value] | list[Value] = {} if is_mapping else []
        if not self._stack and isinstance(container, dict):
            self.values = container
        block_style = not event.flow_style
        self._stack.append(_Open(container, event.start_mark.index, block_style, self._path()))

    def _close(self, event: Any) -> None:
        done = self._stack.pop()
        if not self._stack:
            return
        # A block collection's end mark lies at the next token; its last value's end is the truth.
        end = max(self._last_end, done.start) if done.block_style else event.end_mark.index
        self._add(done.container, done.start, end, event, block_style=done.block_style)

    def _add(
        self, value: Value, start: int, end: int, event: Any, *, block_style: bool = False
    ) -> None:
        self._last_end = end
        if not self._stack:
            if value is not None or event.end_mark.index > event.start_mark.index:
                if slip := colon_fault(self._text, start):
                    self._stop(*slip)
                self._refuse(start, "this is text, not fields")
            return
        top = self._stack[-1]
        if isinstance(top.container, list):
            self.places[self._path()] = start
            top.container.append(value)
        elif top.key is None:
            self._take_key(top, value, start, end, event)
        else:
            self._take_value(top, value, Span(start, end), block_style=block_style)

    def _take_key(self, top: "_Open", key: Value, start: int, end: int, event: Any) -> None:
        assert isinstance(top.container, dict)
        if isinstance(event, self._scalar):
            key = event.value
        if not isinstance(key, str) or not (key or event.style) or len(key) > MAX_KEY:
            self._stop(start, "yaml.key", "a key is not plain text", "write `key: value`")
        assert isinstance(key, str)
        if key in top.container:
            message = f"{key_name(key)} stands here a second time"
            self._fault(start, "yaml.duplicate_key", message, "keep one of them")
        top.key, top.key_span = key, Span(start, end)

    def _take_value(self, top: "_Open", value: Value, span: Span, *, block_style: bool) -> None:
        assert isinstance(top.container, dict)
        assert top.key is not None
        self.places[(*top.path, top.key)] = span.start
        if len(self._stack) == 1:
            self.pairs[top.key] = Pair(top.key_span, span, block_style)
        top.container[top.key] = value
        top.key = None

    def _path(self) -> tuple[str | int, ...]:
        """Return the path of the value that comes next."""
        if not self._stack:
            return ()
        top = self._stack[-1]
        if isinstance(top.container, list):
            return (*top.path, len(top.container))
        return (*top.path, top.key or "")

    def _check_node(self, event: Any) -> None:
        start = event.start_mark.index
        # What is behind the sign is not named: without its key nobody sees that it is a secret.
        if event.anchor is not None:
            hint = "remove the word that begins with `&`, or put the value in quotes"
            self._fault(start, "yaml.alias", "`&` begins a YAML anchor", hint)
        if event.tag is not None:
            hint = "remove the word that begins with `!`, or put the value in quotes"
            self._fault(start, "yaml.tag", "`!` begins a YAML tag", hint)

    def _fault(self, offset: int, code: str, message: str, hint: str) -> None:
        self.faults.append(YamlFault(offset, code, message, hint))
        if len(self.faults) > MAX_PROBLEMS:
            raise BlockError(*self.faults)

    def _refuse(self, offset: int, message: str) -> None:
        hint = "write `key: value` lines between the two `---`"
        self._stop(offset, "frontmatter.not_a_mapping", message, hint)

    def _stop(self, offset: int, code: str, message: str, hint: str) -> None:
        self.faults.append(YamlFault(offset, code, message, hint))
        raise BlockError(*self.faults)


class _Open:
    """A collection that is being read."""

    __slots__ = ("block_style", "container", "key", "key_span", "path", "start")

    def __init__(
        self,
        container: dict[str, Value] | list[Value],
        start: int,
        block_style: bool,
        path: tuple[str | int, ...],
    ) -> None:
        self.container = container
        self.start = start
        self.block_style = block_style
        self.path = path
        self.key: str | None = None
        self.key_span = Span(0, 0)


def _scalar(event: Any) -> Value:
    text: str = event.value
    if event.style or not event.implicit[0]:
        return text
    return None if text in _NULLS else _FLAGS.get(text, text)
