"""Strict YAML of foreign stores: one document of mappings, lists and scalars, and nothing else.

No aliases, anchors, tags, repeated keys or second documents; size, depth and number of values are
bounded. The text is read as a stream of parser events, so hostile input costs no recursion and no
expansion. Plain scalars stay text: what they mean is decided where they are used.
Source: YAML 1.2.2, chapters 5 to 8 and section 10.3 (core schema).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from doll.errors import InvalidDocumentError, Problem
from doll.interchange import strict_json
from doll.interchange.pointers import join
from doll.interchange.refusals import refused
from doll.interchange.yaml_building import Builder, StopError
from doll.records.syntax import syntax_fault

MAX_BYTES = 32 * 1024 * 1024

# To libyaml these break a line, as in YAML 1.1; in YAML 1.2 they are characters like others.
_NO_BREAKS = "\x85\u2028\u2029"
_PRIVATE = range(0xE000, 0xF8FF)


class Read(NamedTuple):
    """What a YAML text holds.

    `value` is made of dicts, lists, str and `Plain`; `lines` gives the line (from 1) of each value
    down to the second level, by pointer; `comments` are the comments with their lines.
    """

    value: Any
    lines: dict[str, int]
    comments: tuple[tuple[int, str], ...]
    notes: tuple[Problem, ...]


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
    builder = Builder(yaml, text, name, back)
    try:
        builder.run(iter(loader.get_event, None))
    except StopError:
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
