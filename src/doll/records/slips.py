"""What reads well and is hardly meant: warnings about texts that YAML takes for something else.

Only unquoted texts are looked at: who writes quotes means what stands between them.
"""

import re
from collections.abc import Iterator, Mapping

from doll.records.checks import Fault
from doll.records.fields import fields_of
from doll.records.frontmatter import Block, Value
from doll.records.mending import quoting
from doll.records.model import RecordType

# A comment that is meant as one has a space behind its sign: `status: active  # until May`.
_COMMENT = re.compile(r"[ \t]#(?=[^\s#])")
_LIST = re.compile(r"[^\[\]{}]*[^\s,\[\]{}], ?[^\s,\[\]{}][^\[\]{}]*")
# Lists of words; the entries of other lists are sentences, or ids that must be found.
_WORDS = ("tags", "aliases", "paths", "scope")
_NOT_PLAIN = ("'", '"', "|", ">", "[", "{")


def may_slip(text: str, values: Mapping[str, Value]) -> bool:
    """Return whether the block `text` could hold a slip: then its places are worth their time."""
    return ("#" in text and _COMMENT.search(text) is not None) or any(
        key in values and _is_listing(values[key]) for key in _WORDS
    )


def slips(text: str, block: Block, record_type: RecordType) -> list[Fault]:
    """Return a warning for each slip in a block."""
    fields = fields_of(record_type)
    faults: list[Fault] = []
    for key in block.pairs:
        field = fields.get(key)
        if field is None or field.shape not in ("text", "texts"):
            continue
        if field.shape == "texts" or field.pattern is None:
            faults += _comments(text, block, key)
        if key in _WORDS and _is_listing(block.values[key]) and _is_plain(text, block, (key,)):
            message = f"`{key}` is one text with a comma in it, and no list"
            hint = f"write {key}: [{block.values[key]}], or put it in quotes"
            faults.append(Fault((key,), "field.comma", message, hint, "warning"))
    return faults


def _is_listing(value: Value) -> bool:
    return isinstance(value, str) and _LIST.fullmatch(value) is not None


def _is_plain(text: str, block: Block, where: tuple[str | int, ...]) -> bool:
    start = block.places[where]
    return not text.startswith(_NOT_PLAIN, start)


def _comments(text: str, block: Block, key: str) -> Iterator[Fault]:
    """Yield a warning for the value of a key, or an entry of it, that a comment cuts short."""
    value = block.values[key]
    begins: dict[tuple[str | int, ...], int]
    if value is None:
        begins = {(key,): block.pairs[key].key.end}
    elif isinstance(value, list) and block.pairs[key].block_style:
        begins = {(key, index): block.places[(key, index)] for index in range(len(value))}
    else:
        begins = {(key,): block.places[(key,)]}
    for where, begin in begins.items():
        line = text[begin:].partition("\n")[0]
        found = _COMMENT.search(line)
        if found and (value is None or _is_plain(text, block, where)):
            message = f"`{key}` ends before ` #`: the rest of the line is a comment"
            hint = f"{quoting(text, begin)}\nif it is a comment, put a space behind its `#`"
            yield Fault(where, "yaml.comment", message, hint, "warning")
