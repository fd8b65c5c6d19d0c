"""Texts that a person or a program typed, before they may become part of a record.

Refuses what no file could hold (bytes that are no UTF-8) and line breaks where one line is meant.
Nothing is changed in silence: a text is taken as it is, save spaces at its ends and a `./` before a
path, or refused.
"""

import re
import unicodedata

from doll.errors import UsageError
from doll.records.model import ACTION, RecordType
from doll.records.names import id_fault, slug
from doll.services.checking.glob_rules import HINT, matches_nothing

_ACTION = re.compile(ACTION)
# Front matter holds 64 KiB, at up to four bytes a character; nobody reads a longer line.
MAX_LINE = 10_000
_TO_BODY = "put what is longer into the body: --body TEXT, or --body - to read it from stdin"


def readable(text: str, where: str) -> str:
    """Return `text`; UsageError when it holds bytes that are not UTF-8. `where` names the option.

    Python passes such bytes of the command line on as lone surrogates.
    """
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        raise UsageError(
            f"{where}: the text holds bytes that are not UTF-8",
            hint="check the terminal's encoding: `locale charmap` should say UTF-8",
        )
    return text


def typed_id(text: str, where: str, record_type: RecordType) -> str:
    """Return a new id in NFC; UsageError for one that no record of this type may have.

    The file is ID.md: who types the ending means the same file.
    """
    wanted = unicodedata.normalize("NFC", readable(text, where)).removesuffix(".md")
    if fault := id_fault(wanted) if wanted else "it is empty":
        near = f"such as {slug(wanted)}" if wanted else "such as espresso"
        raise UsageError(
            f"{where}: {wanted[:80]!r} is no valid id: {fault}",
            hint=f"write letters and digits, {near}",
        )
    if record_type == "capability" and not _ACTION.fullmatch(wanted):
        said = f"the id of a capability is the name of an action, and {wanted[:80]!r} is none"
        raise UsageError(
            f"{where}: {said}",
            hint="write a dotted lower-case name such as db.migrate",
        )
    return wanted


def one_line(text: str, where: str, longer: str = _TO_BODY) -> str:
    """Return `text` without spaces at its ends; UsageError when it is no line of text.

    `longer` says what to do with a text of more lines.
    """
    line = readable(text, where).strip()
    if not line:
        raise UsageError(f"{where}: it is empty", hint="write one line of text")
    if len(line) > MAX_LINE:
        raise UsageError(
            f"{where}: it has {len(line):,} characters, and a line has at most {MAX_LINE:,}",
            hint=longer,
        )
    found = next((c for c in line if _breaks(c)), None)
    if found is not None:
        what = "a line break" if found in "\n\r\v\f\x85\u2028\u2029" else "a control character"
        raise UsageError(
            f"{where}: it holds {what} (U+{ord(found):04X}), and it is one line",
            hint=longer,
        )
    return line


def path_pattern(text: str, where: str) -> str:
    """Return a glob as it counts, from the top of the work tree: a `./` before it goes.

    UsageError for one that could never match: it leads out of the work tree, is a path of the whole
    disk, or no pattern at all, such as one with an open bracket. A pattern with a `/` within it
    counts from the top anyway, so a `/` before it can only be meant so.
    """
    pattern = one_line(text, where, f"give each pattern an option of its own: {where} PATTERN")
    while pattern.startswith("./") and pattern.strip("./"):
        pattern = pattern[2:].lstrip("/")
    inside = pattern.strip("/")
    if any(part in (".", "..") for part in pattern.split("/")):
        why, instead = "leads out of the work tree", "migrations/**"
    elif re.match(r"~[^/]*/|[A-Za-z]:[/\\]", pattern):
        why, instead = "is a path of the whole disk", "migrations/**"
    elif pattern.startswith("/") and "/" in inside:
        why, instead = "begins with `/`, like a path of the whole disk", inside
    elif matches_nothing(pattern):
        raise UsageError(f"{where}: no path can match {pattern[:200]!r}", hint=HINT)
    else:
        return pattern
    raise UsageError(
        f"{where}: {pattern[:200]!r} {why}",
        hint=f"write it from the top of the work tree, such as {instead[:200]}",
    )


def _breaks(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Zl", "Zp")
