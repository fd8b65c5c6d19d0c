"""What git has to know of a vault: attributes that keep bytes, and files that it must not take.

git itself is asked what holds, so that other lines of the same meaning count, wherever they stand.
Source: docs/vault-format.md, ".gitattributes and .gitignore".
"""

import os
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from doll.errors import Problem, Severity
from doll.services.checking import attribute_files
from doll.services.opening import Vault
from doll.services.restoring import unlinking
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing.ignoring import attributes, ignored, never_ending

# A path that each line is about; what the line takes away has to be unset for it.
_SAMPLES = {
    "*.md -text": "confirmed/a.md",
    "doll.yaml -text": layout.MARKER,
    "staging/**/source/** -text -diff -merge": "staging/a/b/source/c",
}
_LINK = "120000"
_NAMES = ("text", "diff", "merge")
_OWN = (layout.CACHE, layout.USAGE)
_FILES = (layout.ATTRIBUTES, layout.IGNORE)
_WHY = {
    layout.ATTRIBUTES: "a checkout may change bytes, and then no digest fits",
    layout.IGNORE: "git may take files that are derived or of this machine only",
}


def git_file_problems(vault: Vault) -> Iterator[Problem]:
    """Yield what git does not know of the vault in the work tree, and what it tracks in vain."""
    linked = [file for file in _FILES if (vault.root / file).is_symlink()]
    yield from (_link(vault, file) for file in linked)
    if pipes := never_ending(vault.repository, [vault.in_git(path) for path in _SAMPLES.values()]):
        yield from (_never_ending(vault, path) for path in pipes)
    else:
        unkept = _unkept(vault)
        yield from _overruled(vault, unkept)
        lacking = [line for line in unkept if _place(vault, line) == vault.root / layout.ATTRIBUTES]
        needed = {layout.ATTRIBUTES: lacking, layout.IGNORE: _open(vault)}
        for file in (file for file in _FILES if file not in linked):
            yield from _missing(vault, file, needed[file], "warning")
    folders = [vault.in_git(folder) for folder in _OWN]
    tracked = [vault.in_vault(item.path) for item in plumbing.tracked(vault.repository, folders)]
    yield from _tracked(vault, [path for path in tracked if path is not None])


def _link(vault: Vault, file: str) -> Problem:
    message = f"this is a symbolic link, which git does not follow: {_WHY[file]}"
    hint = f"rm -- {typed(str(vault.root / file))}"
    known = plumbing.tracked(vault.repository, [vault.in_git(file)])
    if any(entry.mode.startswith("100") for entry in known):
        hint += f" && git -C {typed(str(vault.root))} checkout-index -u -- {file}"
    return Problem(file, 0, 0, "file.symlink", message, hint=hint)


def _link_staged(vault: Vault, file: str) -> Problem:
    message = f"this is a symbolic link, which git does not follow: {_WHY[file]}"
    hint = unlinking(vault.root, file)
    if plumbing.tree(vault.repository, vault.head, [vault.in_git(file)]) == ():
        hint = f"git -C {typed(str(vault.root))} rm -f --cached --quiet -- {file}"
    return Problem(file, 0, 0, "file.symlink", message, hint=hint)


def _never_ending(vault: Vault, path: str) -> Problem:
    message = "this is a device or a pipe: git waits for it for ever"
    hint = f"rm -- {typed(str(vault.repository.top / path))}"
    inside = vault.in_vault(path)
    return Problem(path if inside is None else inside, 0, 0, "file.unreadable", message, hint=hint)


def staged_problems(vault: Vault, changes: Mapping[str, plumbing.Change]) -> Iterator[Problem]:
    """Yield what the next commit would make git forget or take; `changes` by their vault path."""
    yield from _tracked(vault, [path for path, change in changes.items() if change.status != "D"])
    files = {path: change for path, change in changes.items() if path in _FILES}
    links = [path for path, change in files.items() if change.mode == _LINK]
    yield from (_link_staged(vault, path) for path in links)
    files = {path: change for path, change in files.items() if path not in links}
    if not files:
        return
    oids = [oid for c in files.values() for oid in (c.old_oid, c.oid) if oid.strip("0")]
    blobs = plumbing.blobs(vault.repository, oids)
    for path, change in files.items():
        before, after = (
            blobs.get(oid, b"").decode("utf-8", "replace").splitlines()
            for oid in (change.old_oid, change.oid)
        )
        lost = [line for line in before if line not in after]
        needed = _unkept(vault, staged=True) if path == layout.ATTRIBUTES else _open(vault)
        yield from _missing(vault, path, [line for line in needed if line in lost], "error")


def _unkept(vault: Vault, *, staged: bool = False) -> list[str]:
    """Return the lines of `.gitattributes` whose meaning git does not know."""
    paths = {vault.in_git(sample): line for line, sample in _SAMPLES.items()}
    said = attributes(vault.repository, paths, _NAMES, staged=staged)
    return [
        line
        for path, line in paths.items()
        if any(said[path, name] != "unset" for name in _NAMES if f"-{name}" in line.split())
    ]


def _place(vault: Vault, line: str) -> Path:
    """Return the file that a line has to stand in, which is another one where it is overruled."""
    own = vault.root / layout.ATTRIBUTES
    try:
        here = own.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return own
    return attribute_files.deciding(vault, _SAMPLES[line], _NAMES) if line in here else own


def _overruled(vault: Vault, lines: Iterable[str]) -> Iterator[Problem]:
    """Yield each file that goes before `.gitattributes` and takes from it what its lines say."""
    found = defaultdict[Path, list[str]](list)
    for line in lines:
        found[_place(vault, line)].append(line)
    found.pop(vault.root / layout.ATTRIBUTES, None)
    for place, own in found.items():
        named = " and ".join(f"`{line}`" for line in own)
        message = f"this overrules {named} of {layout.ATTRIBUTES}: {_WHY[layout.ATTRIBUTES]}"
        hint = attribute_files.adding(vault, place, own)
        where = attribute_files.named(vault, place)
        yield Problem(where, 0, 0, "vault.git_lines", message, "warning", hint)


def _open(vault: Vault) -> list[str]:
    """Return the lines of `.gitignore` whose meaning git does not know.

    What lies behind a symbolic link git never takes, and it does not answer about it.
    """
    paths = {
        vault.in_git(f"{folder}/a"): f"{folder}/"
        for folder in _OWN
        if not any(os.path.islink(vault.root / part) for part in (".doll", folder))  # noqa: PTH114
    }
    closed = ignored(vault.repository, paths)
    return [line for path, line in paths.items() if path not in closed]


def _missing(
    vault: Vault, file: str, lines: Sequence[str], severity: Severity
) -> Iterator[Problem]:
    if lines:
        message = f"without {' and '.join(f'`{line}`' for line in lines)} {_WHY[file]}"
        place = shlex.quote(str(vault.root / file))
        # What is there may not end with a line feed.
        hint = f"printf '%s\\n' '' {shlex.join(lines)} >> {place}"
        yield Problem(file, 0, 0, "vault.git_lines", message, severity, hint)


def _tracked(vault: Vault, paths: Collection[str]) -> Iterator[Problem]:
    for folder in _within(paths):
        message = "git tracks files of this folder, and then no doll uses them"
        git = f"git -C {shlex.quote(str(vault.root))}"
        hint = f"{git} rm -r --cached --quiet -- {folder}"
        yield Problem(folder, 0, 0, "vault.tracked", message, hint=hint)


def _within(paths: Iterable[str]) -> list[str]:
    """Return the folders of doll's own that hold one of the paths."""
    held = {folder for path in paths for folder in _OWN if path.startswith(f"{folder}/")}
    return sorted(held)
