"""The layout of a vault: which path is what. Pure; knows names, not files.

Source: docs/vault-format.md, "Layout". Paths are relative to the vault, with `/`.
"""

import unicodedata
from functools import lru_cache

from doll.records.model import FOLDERS, RecordType
from doll.records.names import fold

MARKER = "doll.yaml"
AREAS = ("confirmed", "staging", "experience", "authority")
LOCAL_AREAS = ("confirmed", "experience", "authority")
OWN = ".doll"
CACHE = ".doll/cache"
USAGE = ".doll/usage"
JUDGED = ".doll/judged"
SCHEMAS = ".doll/schemas"
PROPOSALS = "staging/proposals"
ATTRIBUTES = ".gitattributes"
IGNORE = ".gitignore"

# What git has to know of a vault: no checkout converts line endings, so that digests survive it.
ATTRIBUTE_LINES = ("*.md -text", "doll.yaml -text", "staging/**/source/** -text -diff -merge")
# Derived, or of one machine only; the last are files that a writer has not put in place yet.
IGNORE_LINES = (f"{CACHE}/", f"{USAGE}/", ".doll-new-*")

_OWN_NAMES = {name: name for name in (*AREAS, OWN, MARKER, ATTRIBUTES, IGNORE)}
_TYPES = {folder: record_type for record_type, folder in FOLDERS.items()}


def area_of(path: str) -> str | None:
    """Return the one of the four areas that `path` lies in, or None."""
    area, slash, _ = path.partition("/")
    return area if slash and area in AREAS else None


def is_own(path: str) -> bool:
    """Return whether a path is the vault's: in an area or in `.doll`, or the marker.

    Anything else may lie beside these: where the vault is the top of a code repository, all code.
    """
    return path.partition("/")[0] in (*AREAS, OWN, MARKER)


def is_rule(path: str) -> bool:
    """Return whether a path is authority, or a setting of the vault's or of git's for its files.

    What comes of these counts here from then on, or changes what a commit takes along.
    """
    name = path.rpartition("/")[2]
    return path.startswith("authority/") or path == MARKER or name in (ATTRIBUTES, IGNORE)


def is_record(path: str) -> bool:
    """Return whether `path` is the path of a record.

    Every `.md` file at any depth of the four areas is one, save `README.md` and names that begin
    with `_` or `.`; in staging, nothing under an import's `source/` is.
    """
    folder, _, name = path.rpartition("/")
    return is_record_name(name) and holds_records(folder)


def is_record_name(name: str) -> bool:
    """Return whether a file of this name is a record, in a folder that holds records."""
    return name.endswith(".md") and name[0] not in "_." and name != "README.md"


@lru_cache(4096)
def holds_records(folder: str) -> bool:
    """Return whether record files in this folder are records: it is an area or lies in one."""
    parts = folder.split("/")
    if parts[0] not in AREAS or any(part.startswith(".") for part in parts):
        return False
    is_import = parts[0] == "staging" and parts[1:2] != ["proposals"]
    return not (is_import and parts[3:4] == ["source"])


def taken_for(path: str) -> str | None:
    """Return the path of the vault that some file systems take `path` for, None for none other.

    They tell no case apart, compose letters, pass over signs that cannot be seen, and drop dots and
    spaces at the end of a name. Looked at are the names at the top that are the vault's, and the
    ending of a record.
    """
    first, slash, rest = path.partition("/")
    own = _OWN_NAMES.get(alike(first))
    if own is None:
        return None
    folder, _, name = f"{own}{slash}{rest}".rpartition("/")
    plain = _plain(name)
    if own in AREAS and slash and plain[-3:].lower() == ".md":
        name = f"{plain[:-3]}.md"
    found = f"{folder}/{name}".lstrip("/") if slash else own
    is_other = found != path and (own != first or is_record(found))
    return found if is_other else None


def alike(name: str) -> str:
    """Return the form of a name in which it is one with those that some file systems take for it.

    "" for a name of dots and spaces alone.
    """
    return fold(_plain(name))


def _plain(name: str) -> str:
    if not name.isascii():
        name = "".join(c for c in name if unicodedata.category(c) != "Cf")
    return name.rstrip(". ")


def is_kept(path: str) -> bool:
    """Return whether `path` is append-only: all under `experience/` but two names."""
    name = path.rpartition("/")[2]
    return path.startswith("experience/") and name not in ("README.md", ".gitkeep")


def record_id(path: str) -> str:
    """Return the id of the record at `path`: its stem, in staging `<import>/<stem>`; NFC."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    if path.startswith("staging/"):
        parts = path.split("/")
        folder = parts[2] if len(parts) > 3 else parts[-2]
        if parts[1] == "proposals":
            folder = "proposals"
        stem = f"{folder}/{stem}"
    return stem if stem.isascii() else unicodedata.normalize("NFC", stem)


def expected_type(path: str) -> RecordType | None:
    """Return the record type that the folder of `path` says, or None."""
    top, _, rest = path.partition("/")
    if top == "authority":
        return _TYPES.get(f"authority/{rest.partition('/')[0]}")
    return _TYPES.get(top)


def path_of(record_type: RecordType, record_id: str, project: str | None = None) -> str:
    """Return the path where a record of this type and id belongs; experience needs `project`."""
    folder = FOLDERS[record_type]
    if record_type == "experience":
        folder = f"{folder}/{project}"
    return f"{folder}/{record_id}.md"
