"""Experience is kept: a path under `experience/`, once at HEAD, keeps its bytes and mode.

The one exception is a redaction, known here by its shape: a commit of its own that replaces named
values by `[redacted]`, keeps every other field byte for byte, and adds four `redacted_*` fields
with the digest of the bytes before. Source: docs/vault-format.md, "Experience is kept".
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from doll.errors import Problem
from doll.records.codec import UnreadableError, values_of
from doll.records.digest import sha256
from doll.records.frontmatter import Value
from doll.records.handler import FrontMatter
from doll.services.opening import Vault
from doll.vault.layout import is_kept
from doll.vault.typed import typed
from doll.vcs import plumbing

FILES = ("100644", "100755")
REDACTED = "[redacted]"
_TEXTS: tuple[Value, ...] = (REDACTED, [REDACTED])
ADDED = ("redacted_at", "redacted_by", "redacted_sha256", "redacted_reason")


class Version(NamedTuple):
    """A file as one side has it: git's mode and blob id."""

    mode: str
    oid: str


def kept_problems(
    before: Mapping[str, Version], after: Mapping[str, Version], redacted: frozenset[str]
) -> list[Problem]:
    """Return a problem for each kept path that `after` lacks or has otherwise.

    `redacted` are the paths whose change has the shape of a redaction (`is_redaction`).
    """
    problems = []
    for path, version in before.items():
        if not is_kept(path) or path in redacted:
            continue
        now = after.get(path)
        restore = f"git restore --source=HEAD --staged --worktree -- {typed(path)}"
        if now is None:
            message = "this entry is committed history, and it is gone"
            problems.append(Problem(path, 0, 0, "experience.removed", message, hint=restore))
        elif now != version:
            message = "this entry is committed history, and it was changed"
            hint = f"{restore}\ncorrect it with a new entry: doll correct ID …"
            problems.append(Problem(path, 0, 0, "experience.changed", message, hint=hint))
    return problems


def versions(vault: Vault, items: Iterable[plumbing.TreeEntry]) -> dict[str, Version]:
    """Return the versions of the vault's files among those of a tree or of the index."""
    return {
        path: Version(item.mode, item.oid)
        for item in items
        if (path := vault.in_vault(item.path)) is not None
    }


def changed_files(before: Mapping[str, Version], after: Mapping[str, Version]) -> list[str]:
    """Return the kept files that both sides have with different bytes and one mode."""
    return [
        path
        for path, version in before.items()
        if is_kept(path)
        and version.mode in FILES
        and path in after
        and after[path].oid != version.oid
        and after[path].mode == version.mode
    ]


def is_redaction(before: bytes, after: bytes) -> bool:
    """Return whether `after` is `before` with values redacted, and nothing else changed."""
    try:
        old, new = values_of(before), values_of(after)
    except UnreadableError:
        return False
    if new.get("redacted_sha256") != sha256(before) or any(not new.get(key) for key in ADDED):
        return False
    if set(new) - set(ADDED) != set(old) - set(ADDED):
        return False
    changed = {key for key in old if key not in ADDED and new[key] != old[key]}
    if not all(_is_redacted(new[key]) for key in changed):
        return False
    return _same_elsewhere(before.decode(), after.decode(), changed)


def _is_redacted(value: Value) -> bool:
    return value in _TEXTS


def _same_elsewhere(before: str, after: str, changed: Collection[str]) -> bool:
    """Return whether both texts are equal but for the changed values and the added lines.

    A body may be replaced as a whole by `[redacted]`; something has to be.
    """
    old, new = _rest(before, changed), _rest(after, changed)
    if old is None or new is None:
        return False
    body = new.body != old.body
    same = old.block == new.block and (not body or new.body.strip() == REDACTED)
    return same and (body or bool(changed))


class _Rest(NamedTuple):
    """What a redaction leaves as it is: the front matter around its values, and the body."""

    block: str
    body: str


def _rest(text: str, changed: Collection[str]) -> _Rest | None:
    """Return the rest of a text; None when comments hide among what the redaction wrote."""
    start, end, body = FrontMatter().bounds(text)
    block = FrontMatter().read(text[start:end])
    cuts = []
    for key, pair in block.pairs.items():
        last = start + max(pair.key.end, pair.value.end)
        stop = last - len(text[:last]) + len(text[:last].rstrip())
        said = text[start + pair.key.end : stop]
        if key in ADDED:
            first = text.rfind("\n", 0, start + pair.key.start) + 1
            line_end = text.find("\n", stop) + 1
            if "\n" in said or text[stop:line_end].strip():
                return None
            cuts.append((first, line_end))
        elif key in changed:
            if block.values[key] in _TEXTS and "#" in said:
                return None
            cuts.append((start + pair.key.end, stop))
    rest, done = "", 0
    for first, stop in sorted(cuts):
        rest += text[done:first]
        done = stop
    return _Rest(rest + text[done:body], text[body:])
