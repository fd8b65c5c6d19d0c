"""The ledger: what an import's `_import.md` remembers of every entry that it met.

Bytes to values and back; pure. The front matter names the source, the fenced block at the end
has one line per entry. What was met once is known for ever: rejected stays rejected, approved stays
approved, and what the user dropped stays away. Source: docs/vault-format.md, "Staging and review".
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from doll.records.frontmatter import BlockError
from doll.render.text import visible

REPORT = "_import.md"
NO_DIGEST = "-"

State = Literal["staged", "parked", "refused"]

_OPENING, _CLOSING = "\n```ledger\n", "\n```"
_LINE = re.compile(r"([0-9a-f]{64}|-)  (\S+\.md|parked|refused)  (\".*\")(?:  updates (\S+))?")
_DECLARED = re.compile(r"not-a-secret  (\S+)  (\".*\")  (\S.*)")


class LedgerError(ValueError):
    """The text is no ledger; `line` counts from 1 in the file, 0 where there is no line."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class Line(NamedTuple):
    """One entry: its id at the source, its digest ("-" where it has none), what became of it.

    `stem` is the name of the candidate's file without `.md`, "" unless it was staged; `updates` is
    the stem of the earlier candidate of the same id, "" for none.
    """

    source_id: str
    digest: str
    state: State
    stem: str = ""
    updates: str = ""


class FalseAlarm(NamedTuple):
    """A hit that the user declared to be no secret, and the file in the import that it lies in."""

    detector: str
    pointer: str
    file: str


class Ledger(NamedTuple):
    """One import: its source, and what it remembers.

    `export` is the id that the source gave to the export, "" for none.
    """

    name: str
    adapter: str
    source: str
    source_digest: str
    lines: tuple[Line, ...]
    false_alarms: tuple[FalseAlarm, ...] = ()
    export: str = ""


def block(ledger: Ledger) -> str:
    """Return the fenced block of a ledger, as it stands at the end of `_import.md`."""
    lines = [
        *(
            f"not-a-secret  {a.detector}  {escaped(a.pointer)}  {a.file}"
            for a in ledger.false_alarms
        ),
        *map(_written, ledger.lines),
    ]
    return "\n".join(["```ledger", *lines, "```", ""])


def escaped(text: str) -> str:
    """Return any text as JSON text on one line; what cannot be seen stands escaped."""
    written = json.dumps(text, ensure_ascii=False)
    if visible(written) == written:
        return written
    return "".join(_escape(c) if visible(c) != c else c for c in written)


def read(data: bytes) -> Ledger:
    """Return the ledger in the bytes of an `_import.md`; LedgerError says what is wrong."""
    from doll.records.handler import FrontMatter

    handler = FrontMatter()
    try:
        text = data.decode().replace("\r\n", "\n")
        start, end, body = handler.bounds(text)
        values = handler.load(text[start:end])
    except BlockError as error:
        raise LedgerError(f"its front matter cannot be read: {error}") from error
    except ValueError as error:
        raise LedgerError(str(error)) from error
    facts = [values.get(key) for key in ("import", "adapter", "source", "source_sha256")]
    name, adapter, source, digest = facts
    if not (
        isinstance(name, str)
        and isinstance(adapter, str)
        and isinstance(source, str)
        and isinstance(digest, str)
    ):
        raise LedgerError("its front matter lacks import, adapter, source or source_sha256")
    lines, alarms = _lines(text, body)
    export = values.get("export_id")
    named = export if isinstance(export, str) else ""
    return Ledger(name, adapter, source, digest, tuple(lines), tuple(alarms), named)


class History:
    """What the ledgers of a vault know of one source.

    With `anywhere` an entry that any source of the adapter brought is known as well.
    """

    def __init__(
        self, ledgers: Iterable[Ledger], adapter: str, source: str, *, anywhere: bool = False
    ) -> None:
        self._lines: defaultdict[str, list[Line]] = defaultdict(list)
        self._elsewhere: defaultdict[str, list[Line]] = defaultdict(list)
        self._barred: set[Line] = set()
        self._undigested: set[tuple[Line, str]] = set()
        for ledger in sorted(ledgers):
            if anywhere and ledger.adapter == adapter and ledger.source != source:
                for line in ledger.lines:
                    if line.state == "staged":
                        self._elsewhere[line.source_id].append(line)
            if (ledger.adapter, ledger.source) == (adapter, source):
                for line in ledger.lines:
                    if line.state == "staged":
                        self._lines[line.source_id].append(line)
                    elif line.digest != NO_DIGEST:
                        self._barred.add(line)
                    else:
                        self._undigested.add((line, ledger.source_digest))

    def staged(self, source_id: str, digest: str) -> tuple[Line, ...]:
        """Return the lines of just this entry, one for each import that staged it."""
        known = (*self._elsewhere.get(source_id, ()), *self._lines.get(source_id, ()))
        return tuple(line for line in known if line.digest == digest)

    def newest(self, source_id: str) -> str:
        """Return the stem of the latest candidate of this id, "" when there was none.

        It is the one that no other candidate updates. Two clones may have made two of them; then
        the last in the order of import names is taken. An entry without an id ("") follows none.
        """
        lines = self._lines.get(source_id, ()) if source_id else ()
        updated = {line.updates for line in lines}
        latest = [line for line in lines if line.stem not in updated] or list(lines)
        return latest[-1].stem if latest else ""

    def told(self, line: Line, source_digest: str) -> bool:
        """Return whether an import has already listed this parked or refused entry.

        A line without a digest says no more than an id: it stands for the entry only where the
        document is the same, byte for byte.
        """
        undigested = line._replace(digest=NO_DIGEST)
        return line in self._barred or (undigested, source_digest) in self._undigested


def names(ledgers: Iterable[Ledger]) -> Mapping[str, str]:
    """Return the digest of the source of each import, by its name."""
    return {ledger.name: ledger.source_digest for ledger in ledgers}


def _written(line: Line) -> str:
    what = f"{line.stem}.md" if line.state == "staged" else line.state
    updates = f"  updates {line.updates}" if line.updates else ""
    return f"{line.digest}  {what}  {escaped(line.source_id)}{updates}"


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def _lines(text: str, body: int) -> tuple[list[Line], list[FalseAlarm]]:
    begin = text.find(_OPENING, body - 1)
    end = text.find(_CLOSING, begin + len(_OPENING) - 1)
    if begin < 0 or end < 0:
        raise LedgerError("it has no ledger block")
    first = text.count("\n", 0, begin) + 3
    lines, alarms = [], []
    content = text[begin + len(_OPENING) : end]
    for number, written in enumerate(content.split("\n") if content else ()):
        read_line = _entry(written) or _alarm(written)
        if isinstance(read_line, Line):
            lines.append(read_line)
        elif read_line is not None:
            alarms.append(read_line)
        else:
            raise LedgerError("this is no line of a ledger", first + number)
    return lines, alarms


def _entry(written: str) -> Line | None:
    found = _LINE.fullmatch(written)
    source_id = _unescaped(found[3]) if found else None
    if found is None or source_id is None:
        return None
    what = found[2]
    if what in ("parked", "refused"):
        state: State = "parked" if what == "parked" else "refused"
        return Line(source_id, found[1], state)
    return Line(source_id, found[1], "staged", what.removesuffix(".md"), found[4] or "")


def _alarm(written: str) -> FalseAlarm | None:
    found = _DECLARED.fullmatch(written)
    pointer = _unescaped(found[2]) if found else None
    return FalseAlarm(found[1], pointer, found[3]) if found and pointer is not None else None


def _unescaped(quoted: str) -> str | None:
    try:
        text = json.loads(quoted)
    except ValueError:
        return None
    return text if isinstance(text, str) else None
