"""Rules that both sides changed: a conflict, even where git could mix their lines.

git is told so for one merge, by a merge driver that writes both versions between the usual markers.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from doll.services.opening import Vault
from doll.vault import disk, layout, temporary
from doll.vcs import porcelain
from doll.vcs.plumbing import Change, TreeEntry
from doll.vcs.plumbing.attributes import NAME, attributes_file, merge_drivers
from doll.vcs.porcelain.running import Ran

_DRIVER = "doll-both"
# %A is ours and takes the result, %B is theirs; both are names without a blank (gitattributes(5)).
# awk ends a last line that has no line feed.
_COMMAND = (
    "{ echo '<<<<<<< yours'; awk 1 %A; echo '======='; awk 1 %B; echo '>>>>>>> theirs'; } "
    ">%A.both && cat %A.both >%A; rm -f %A.both; exit 1"
)


def rules(path: str) -> bool:
    """Return whether a path of the vault is one that only the user commits."""
    return path.startswith("authority/") or path in (layout.MARKER, layout.ATTRIBUTES)


def ruling(vault: Vault, ours: Iterable[Change], theirs: Iterable[Change]) -> tuple[str, ...]:
    """Return the rules that both sides changed, and not alike, as paths of the repository."""
    return tuple(
        change.path
        for change in _both(ours, theirs)
        if _is_attributes(change)
        or ((path := vault.in_vault(change.path)) is not None and rules(path))
    )


def mixed(vault: Vault, ours: Iterable[Change], theirs: Sequence[Change]) -> tuple[str, ...]:
    """Return the files that both sides changed and git is told to mix, as paths of the repository.

    Only in the folders of the vault. No process where both sides changed none of them. git heeds
    the attributes of this side and, while it merges, those that the other one brings.
    """
    paths = [
        change.path
        for change in _both(ours, theirs)
        if change.status != "D" and layout.is_own(vault.in_vault(change.path) or "")
    ]
    if not paths:
        return ()
    found = set(merge_drivers(vault.repository, paths))
    brought = [change for change in theirs if _is_attributes(change)]
    if brought:
        entries = [TreeEntry(c.path, c.mode, c.oid) for c in brought if c.status != "D"]
        gone = [c.path for c in brought if c.status == "D"]
        with porcelain.draft(vault.repository, vault.head, (), vault.state) as drafted:
            porcelain.put_back(drafted, entries, gone)
            found.update(merge_drivers(drafted, paths, indexed=True))
    return tuple(sorted(found))


def _is_attributes(change: Change) -> bool:
    return change.path.rpartition("/")[2] == NAME


def _both(ours: Iterable[Change], theirs: Iterable[Change]) -> Iterator[Change]:
    """Yield what their side changed and ours too, and not alike."""
    here = {change.path: (change.mode, change.oid) for change in ours}
    for change in theirs:
        if change.path in here and here[change.path] != (change.mode, change.oid):
            yield change


def merge(vault: Vault, commit: str, message: str, paths: Sequence[str]) -> Ran:
    """Merge without a commit, with these paths in conflict."""
    known = attributes_file(vault.repository)
    lines = "".join(f"{_pattern(path)} merge={_DRIVER}\n" for path in paths)
    disk.make_folders(vault.state)
    data = known + b"\n" + lines.encode("utf-8", "surrogateescape")
    written = temporary.write_beside(vault.state / "attributes", data, mode=0o600, flush=False)
    try:
        settings = (
            f"core.attributesFile={written}",
            f"merge.{_DRIVER}.name=both versions, one after the other",
            f"merge.{_DRIVER}.driver={_COMMAND}",
        )
        return porcelain.merge(
            vault.repository, vault.branch, commit, message, settings=settings, commits=False
        )
    finally:
        temporary.discard(Path(written))


def _pattern(path: str) -> str:
    """Return a pattern of gitattributes(5) that means just this path from the top."""
    escaped = "".join(f"\\{c}" if c in "\\*?[]" else c for c in f"/{path}")
    return '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'
