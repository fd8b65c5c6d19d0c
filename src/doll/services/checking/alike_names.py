"""Names that some file systems take for others of the vault, so that a checkout there puts them in.

What is judged as no record here would be one there, or would stand in the place of one.
"""

from collections.abc import Collection, Iterable, Iterator

from doll.errors import Problem
from doll.records.names import fold
from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.typed import moving
from doll.vault.walking import walked
from doll.vcs.plumbing import Change

_LINE = "some file systems take this name for {0}, and put it there"


def changed_alike(vault: Vault, changes: Iterable[Change]) -> Iterator[Problem]:
    """Yield a problem for each file that changes of the vault's repository bring in so.

    Its path is that in the vault, or that in the repository where it is not in the vault's folder.
    """
    for change in changes:
        if change.status != "D" and (meant := _meant(vault, change.path)):
            inside = vault.in_vault(change.path)
            yield alike(change.path if inside is None else inside, meant)


def on_disk_alike(vault: Vault, kept: Collection[str]) -> Iterator[Problem]:
    """Yield a problem for each such file in the work tree's folders of the vault.

    `kept` are the paths of committed experience, which keep their names.
    """
    names = sorted(place.name for place in vault.root.iterdir())
    for top in (name for name in names if name in layout.AREAS or layout.taken_for(name)):
        place = vault.root / top
        if place.is_symlink() or not place.is_dir():
            if meant := layout.taken_for(top):
                yield alike(top, meant)
            continue
        for path in _files(vault, top):
            if path not in kept and (meant := layout.taken_for(path)):
                yield alike(path, meant)


def _files(vault: Vault, top: str) -> Iterator[str]:
    for folder, names in walked(vault.root, top):
        yield from (f"{folder}/{name}" for name in names)


def alike(path: str, meant: str) -> Problem:
    """Return the problem of a path that some file systems take for the path `meant`."""
    hint = moving(path, meant)
    return Problem(path, 0, 0, "path.alike", _LINE.format(meant), hint=hint)


def _meant(vault: Vault, path: str) -> str | None:
    """Return the path of the vault that a path of the repository is taken for, None for none."""
    levels = vault.prefix.count("/")
    parts = path.split("/")
    folder = "".join(f"{part}/" for part in parts[:levels])
    if len(parts) <= levels or fold(folder) != fold(vault.prefix):
        return None
    rest = "/".join(parts[levels:])
    meant = layout.taken_for(rest)
    if meant is None and folder != vault.prefix and layout.is_own(rest):
        return rest
    return meant
