"""Whether the next commit leaves a vault: its `doll.yaml` as a file, and records in its folders.

Judges what is staged, by names alone; what stands in the files is for others.
"""

from collections.abc import Iterable, Iterator

from doll.errors import ConfigurationError, Problem, Severity
from doll.services import nested
from doll.services.accepted import settings_bytes
from doll.services.checking.kept import FILES
from doll.services.opening import Vault
from doll.services.restoring import restoring, unlinking
from doll.vault import layout
from doll.vault.settings import Settings
from doll.vault.typed import typed
from doll.vcs import plumbing

NEWER = "settings.newer"


def staged_settings(vault: Vault, index: Iterable[plumbing.TreeEntry]) -> Settings | None:
    """Return the settings among the files of the index, None where they cannot be read.

    ConfigurationError when a newer doll wrote them: what is staged cannot be judged then.
    """
    marker = settings_bytes(vault, index)
    if marker is None:
        return None
    settings, problems = vault.parse_settings(marker)
    refuse_newer(problems)
    return settings


def refuse_newer(problems: Iterable[Problem]) -> None:
    """Raise ConfigurationError for the problems of a `doll.yaml` that a newer doll wrote."""
    problems = tuple(problems)
    if any(problem.code == NEWER for problem in problems):
        raise ConfigurationError("the vault was written by a newer doll", problems=problems)


def no_file(vault: Vault, path: str, change: plumbing.Change) -> Problem | None:
    """Return why a staged path is not the file that it has to be, None where it may be none."""
    if change.status == "D":
        if path != layout.MARKER:
            return None
        message = f"the commit takes {layout.MARKER} away, and without it this is no vault"
        return Problem(path, 0, 0, "vault.unusable", message, hint=restoring(vault.root, [path]))
    if change.mode == nested.MODE and path.partition("/")[0] in layout.AREAS and "/" in path:
        known: nested.Known = "head" if change.old_mode == nested.MODE else "index"
        return nested.repository_within(vault, path, known)
    if change.mode in FILES or not _has_to_be_file(path):
        return None
    if change.status == "U":
        message = "the file is in a merge that is not settled"
        hint = f"keep what is right in the file, then git add -- {typed(path)}"
        return Problem(path, 0, 0, "file.unmerged", message, hint=hint)
    message = "this is a symbolic link or a submodule, and no record"
    hint = "put the file itself here"
    if path == layout.MARKER or path in layout.AREAS:
        message = "this is a symbolic link or a submodule, and no part of a vault"
        hint = unlinking(vault.root, path)
    return Problem(path, 0, 0, "file.symlink", message, hint=hint)


def _has_to_be_file(path: str) -> bool:
    """Return whether a link or a submodule at a path would hide what the vault says."""
    named = path == layout.MARKER or path in layout.AREAS
    return named or path.startswith("authority/") or layout.is_record(path)


def emptied_areas(
    vault: Vault, before: Iterable[plumbing.TreeEntry], after: Iterable[plumbing.TreeEntry]
) -> Iterator[Problem]:
    """Yield the folders that lose all their records; an error when the vault has none left then.

    A vault's last record, or the only one of a folder, goes without a word.
    """
    old, new = _by_area(vault, before), _by_area(vault, after)
    is_bare = not any(new.values()) and sum(old.values()) > 1
    for area, number in old.items():
        if number and not new[area] and (is_bare or number > 1):
            records = "the one record" if number == 1 else f"all {number:,} records"
            message = f"the commit takes away {records} of {area}/"
            severity: Severity = "error" if is_bare else "warning"
            hint = restoring(vault.root, [area])
            yield Problem(area, 0, 0, "vault.emptied", message, severity, hint)


def _by_area(vault: Vault, items: Iterable[plumbing.TreeEntry]) -> dict[str, int]:
    """Return how many records the folders outside staging have among files of git."""
    counts = dict.fromkeys(layout.LOCAL_AREAS, 0)
    for item in items:
        path = vault.in_vault(item.path)
        if path is not None and layout.is_record(path):
            counts[path.partition("/")[0]] += 1
    return counts
