"""Text that is not YAML: what the parser says of it, in the words of who wrote it.

Looks at the lines around the fault and guesses what was meant; reads no values.
"""

import re
from typing import Any

from doll.records.mending import FLAT, YamlFault, quoting

_WORD = r"[A-Za-z_][\w-]{0,59}"
_PAIR = re.compile(rf"( *)({_WORD}):(?:[ \t]|\Z)")
_COLON = re.compile(rf"[ \t]*({_WORD})[ \t]*(?:：[ \t]*|:(?!//))(?=\S)(.*)")
_LONG_LINE = 200
# Where the parser fails long after what was wrong, the place where it began to read that.
_EARLIER = (
    "while scanning a simple key",
    "while parsing a flow sequence",
    "while parsing a flow mapping",
    "while scanning an alias",
    "while scanning an anchor",
    "while scanning a tag",
)
# Part of what libyaml says (the context, or the problem): what we say, and what to write; "" where
# quotes around the value are what helps.
_SAID = (
    (
        "while scanning a simple key",
        "this line is no `key: value`",
        "write `key: value`; this line has no `: ` of its own",
    ),
    (
        "while parsing a flow sequence",
        "the list that opens here is not closed",
        "put `,` between the entries, and `]` after the last one",
    ),
    (
        "while parsing a flow mapping",
        "the braces that open here are not closed",
        "put `,` between the entries, and `}` after the last one",
    ),
    ("mapping values are not allowed", "a value with `: ` in it needs quotes", ""),
    ("block sequence entries are not allowed", "a list cannot begin behind its key", ""),
    ("mapping keys are not allowed", "`?` cannot begin a value", ""),
    ("violates indentation", "a tab cannot indent a line", "indent with spaces, not with tabs"),
    ("while parsing a quoted scalar", "`\\` begins an escape that YAML does not know", ""),
    ("expected comment or line break", "behind `|` or `>` the line has to end", ""),
    ("did not find expected key", "text follows after the end of the value", ""),
    ("did not find expected '-'", "this line is no `- ` line of the list", ""),
)


def syntax_fault(error: Any, text: str) -> YamlFault:
    """Return the fault that a `yaml.MarkedYAMLError` tells of, at the place where it began."""
    context, problem = error.context or "", error.problem or ""
    unclosed = context == "while scanning a quoted scalar" and "unexpected" in problem
    earlier = (context in _EARLIER or unclosed) and error.context_mark
    mark = error.context_mark if earlier else error.problem_mark
    offset = min(mark.index, len(text)) if mark else 0
    if "nesting depth" in problem:
        return YamlFault(offset, "yaml.too_deep", "values are nested too deep", FLAT)
    if unclosed:
        message = "the quote that opens here is never closed"
        return YamlFault(offset, "yaml.syntax", message, "close the quote that opens here")
    found = _meant(context, problem, text, offset) or _began(context, problem, text, offset)
    if found is not None:
        return found
    for part, message, hint in _SAID:
        if part in (context, problem) or part in problem:
            return YamlFault(offset, "yaml.syntax", message, hint or quoting(text, offset))
    message = " ".join(filter(None, ["this is not YAML:", context, problem]))
    return YamlFault(offset, "yaml.syntax", message, quoting(text, offset))


def colon_fault(text: str, offset: int) -> YamlFault | None:
    """Return the fault of a line that is `key:value` or has a full-width colon, or None."""
    begin, line = _line(text, offset)
    found = _COLON.match(line)
    if found is None or len(line) > _LONG_LINE:
        return None
    key, value = found.groups()
    at = begin + found.end(1)
    if "：" in line[found.end(1) : found.start(2)]:
        message = "the colon after the key is not the ASCII one"
        return YamlFault(at, "yaml.syntax", message, f"write the ASCII colon: {key}: {value}")
    message = "no space follows the colon after the key"
    return YamlFault(at, "yaml.syntax", message, f"put a space after the colon: {key}: {value}")


def _meant(context: str, problem: str, text: str, offset: int) -> YamlFault | None:
    """Return the fault where the lines show which slip it was."""
    begin, line = _line(text, offset)
    pair = _PAIR.match(line)
    if context == "while scanning a simple key":
        return colon_fault(text, offset)
    if "<document start>" in problem:
        first = len(text) - len(text.lstrip())
        return _indented(text, first)
    if "mapping values are not allowed" in problem and pair and begin + pair.end(2) == offset:
        # The line is a pair by itself, so it is the text above that goes on in it.
        above = len(text[:begin].rstrip())
        return _indented(text, begin) if pair[1] else colon_fault(text, above)
    if "did not find expected key" in problem and offset == begin + _margin(line):
        return _stray_list(text, offset) or _indented(text, begin)
    return None


def _began(context: str, problem: str, text: str, offset: int) -> YamlFault | None:
    """Return the fault of a character that begins no value."""
    character = text[offset : offset + 1]
    if "expected node content" in problem:
        if character == "," and "flow" in context:
            message = "an entry is missing before this comma"
            return YamlFault(offset, "yaml.syntax", message, "remove one of the commas")
        _, above = _line(text, len(text[:offset].rstrip()))
        if " #" in above:
            message = "what follows ` #` is a comment, so the list is not closed"
            hint = "put the entry that begins with `#` in quotes"
            return YamlFault(offset, "yaml.syntax", message, hint)
    begins_none = "cannot start any token" in problem or "expected node content" in problem
    if begins_none or context in _EARLIER[3:] or "tag handle" in problem:
        if character == "\t":
            message, hint = "a tab cannot indent a line", "indent with spaces, not with tabs"
            return YamlFault(offset, "yaml.syntax", message, hint)
        said = "a backtick" if character == "`" else f"`{character}`"
        message = f"{said} cannot begin a value" if character.strip() else "a value is missing"
        return YamlFault(offset, "yaml.syntax", message, quoting(text, offset))
    return None


def _indented(text: str, offset: int) -> YamlFault | None:
    begin, line = _line(text, offset)
    pair = _PAIR.match(line)
    if pair is None or not pair[1]:
        return None
    message = f"`{pair[2]}` is indented, so it is no field of its own"
    hint = f"remove the spaces before `{pair[2]}`"
    return YamlFault(begin + len(pair[1]), "yaml.syntax", message, hint)


def _stray_list(text: str, offset: int) -> YamlFault | None:
    begin, line = _line(text, offset)
    if not line.lstrip().startswith("- "):
        return None
    _, above = _line(text, len(text[:begin].rstrip()))
    if above.lstrip().startswith("- "):
        hint = "indent all `- ` lines of the list alike"
        return YamlFault(offset, "yaml.syntax", "this line is indented unlike the others", hint)
    message = "this list belongs to no key"
    hint = "write its key on a line of its own above it, such as `tags:`"
    return YamlFault(offset, "yaml.syntax", message, hint)


def _line(text: str, offset: int) -> tuple[int, str]:
    """Return where the line of an offset begins, and the line."""
    begin = text.rfind("\n", 0, offset) + 1
    return begin, text[begin : begin + _LONG_LINE + 1].partition("\n")[0].rstrip()


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
