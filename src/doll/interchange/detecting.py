"""What a foreign file is, by what stands in it: the signs of each format. Pure; decides nothing.

A sign is no check: whether a document keeps its format is for its adapter to say.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from doll.interchange.markdown.agent_files import is_agent_file
from doll.interchange.projectmem.rows import TYPES

PAM = "portable-ai-memory"
MARKDOWN = (".md", ".markdown")

_COMPANIONS = (f"{PAM}-conversation", f"{PAM}-embeddings")
_ENGRAMS = re.compile(rb"(?m)^(?:engrams|\"engrams\"|'engrams'):(?=\s|$)")
_FRONT = 65_536


class Sign(NamedTuple):
    """What something is.

    `kind` is a word for scripts, `what` the same in words, `why` where it shows. `adapter` is the
    one that reads it, "" for none; `options` are words that its command needs besides; `note` is
    what else there is to know.
    """

    kind: str
    what: str
    why: str
    adapter: str = ""
    options: tuple[str, ...] = ()
    note: str = ""


def signs(name: str, data: bytes) -> Iterator[Sign]:
    """Yield what a file of this name and these bytes is; nothing for one that says nothing."""
    text = data.removeprefix(b"\xef\xbb\xbf")
    start = text.lstrip()[:1]
    found = (_json(name, text) or _log(name, text)) if start == b"{" else None
    if found:
        yield found
    elif not name.lower().endswith(MARKDOWN) and _ENGRAMS.search(text[:_FRONT]):
        why = f"{name} has the key `engrams`"
        yield Sign("engram-store", "a store of engrams", why, "engram")
    elif name.lower().endswith(MARKDOWN) and _is_text(text):
        yield note(name)


def note(name: str) -> Sign:
    """Return what a Markdown file is: a note, or a file that agents read."""
    if is_agent_file(name):
        why = f"agents read files of the name {name}"
        return Sign("agent-file", "a file of notes for agents", why, "markdown")
    return Sign(
        "note", "a note in Markdown", f"{name} ends in .{name.rpartition('.')[2]}", "markdown"
    )


def _json(name: str, text: bytes) -> Sign | None:
    """Return what one JSON object is by its own keys; None for anything else."""
    import msgspec

    try:
        values = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        schema = msgspec.json.decode(values.get("schema", msgspec.Raw(b"null")))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    why = f'{name} has "schema": "{schema}"' if isinstance(schema, str) else ""
    if schema == PAM:
        return _store(values, why)
    if schema in _COMPANIONS:
        note = "it is listed where it lies beside its memory-store.json, and not imported by itself"
        return Sign(str(schema).replace(PAM, "pam"), "a companion of a PAM export", why, note=note)
    return None


def _store(values: dict[str, Any], why: str) -> Sign:
    if bytes(values.get("export_type", b"")) == b'"incremental"':
        why += ' and "export_type": "incremental"'
        return Sign("pam-increment", "an increment of a Portable AI Memory store", why, "pam")
    return Sign("pam-store", "a memory store of Portable AI Memory", why, "pam")


def _log(name: str, text: bytes) -> Sign | None:
    import msgspec

    line = next((each for each in text[:_FRONT].split(b"\n") if each.strip()), b"")
    try:
        row = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if not isinstance(row, dict) or row.get("type") not in TYPES or "summary" not in row:
        return None
    why = f"the first line of {name} is an object with `type` and `summary`"
    return Sign("projectmem-log", "a log of projectmem", why, "projectmem", ("--project", "ID"))


def _is_text(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in text
