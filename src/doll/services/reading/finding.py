"""The record a person means by a word: an id, alias, path, candidate, token, or beginning.

For commands that are about one record (`show`, `correct`, `confirm`). What is written into
records as a reference goes through `doll.services.reading.referring`, which is stricter.
"""

from collections.abc import Iterable, Sequence

from doll.errors import InvalidDocumentError, Problem, UsageError
from doll.records.codec import parse
from doll.records.model import Record
from doll.records.names import fold
from doll.records.references import plain
from doll.services.opening import Vault
from doll.services.reading.referring import Known
from doll.services.recording.wording import readable
from doll.vault import files
from doll.vault.entries import Entry, parse_file
from doll.vault.layout import AREAS, is_record, record_id

_SHORTEST = 4
_SHOWN = 10


def find(vault: Vault, known: Known, name: str, where: str = "ID") -> Entry:
    """Return the one file that `name` means; UsageError when there is none, or more than one.

    InvalidDocumentError where only what is no file has the name: a symbolic link, a pipe.

    In this order: a path, an id or alias, the token of an experience entry, a candidate
    (`<import>/<stem>`), the beginning of an id of at least four characters.
    """
    word = plain(readable(name, where)).removeprefix("./")
    if not word:
        raise UsageError(f"{where}: it is empty", hint="doll list    shows the ids")
    found = _exact(known, word)
    if not found and "/" in word:
        found = _exact(Known(vault.load(["staging"]).entries), word, candidate=True)
    if not found and len(word) >= _SHORTEST:
        found = [e for e in known.entries if fold(record_id(e.path)).startswith(fold(word))]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{where}: {word!r} can mean {len(found)} records", hint=_listed(found))
    if unread := _not_read(vault, word):
        raise InvalidDocumentError(f"{unread[0].path} cannot be read", problems=unread)
    raise UsageError(
        f"{where}: no record has the id {_short(word)!r}", hint=_hint(vault, known, word)
    )


def bytes_of(vault: Vault, entry: Entry) -> bytes:
    """Return the bytes of a file as they are now; InvalidDocumentError when it cannot be read."""
    try:
        return files.read(vault.root, entry.path)
    except OSError as error:
        raise InvalidDocumentError(
            f"{entry.path} cannot be read: {error.strerror}", problems=entry.problems
        ) from error


def read(vault: Vault, entry: Entry) -> tuple[bytes, Record, str]:
    """Return the bytes of a file, its record and its body, as they are now.

    InvalidDocumentError with the file's problems when it cannot be read.
    """
    data = bytes_of(vault, entry)
    record, problems = parse_file(data, entry.path)
    if record is None:
        raise InvalidDocumentError(f"{entry.path} cannot be read", problems=problems)
    return data, record, parse(data, entry.path, record.id, record.type).body


def _exact(known: Known, word: str, *, candidate: bool = False) -> list[Entry]:
    by_path = [entry for entry in known.entries if entry.path == word]
    if by_path:
        return by_path
    if candidate:
        return [e for e in known.entries if fold(record_id(e.path)) == fold(word)]
    paths = {record.path for record in known.named(word)}
    unreadable = {path for path in known.unreadable if fold(record_id(path)) == fold(word)}
    return [entry for entry in known.entries if entry.path in paths | unreadable]


def _not_read(vault: Vault, word: str) -> list[Problem]:
    """Return the problems of what has the name of a record that `word` means, and is no file."""
    return [
        problem
        for problem in vault.load(AREAS).problems
        if is_record(problem.path)
        and (problem.path == word or fold(record_id(problem.path)) == fold(word))
    ]


def _hint(vault: Vault, known: Known, word: str) -> str:
    stem = fold(word.rpartition("/")[2])
    candidates = [record_id(entry.path) for entry in vault.load(["staging"]).entries]
    same = [name for name in candidates if fold(name.rpartition("/")[2]) == stem]
    near = [*same[:3], *known.near(word)]
    return f"did you mean {' or '.join(near)}?" if near else "doll list    shows the ids"


def _listed(found: Sequence[Entry]) -> str:
    lines = _ids(found[:_SHOWN])
    more = len(found) - _SHOWN
    return "\n".join([*lines, f"and {more} more"] if more > 0 else lines)


def _ids(found: Iterable[Entry]) -> list[str]:
    return [f"{record_id(entry.path)}    {entry.path}" for entry in found]


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
