"""Which file of attributes has the last word on a path: a line in another one changes nothing.

Source: gitattributes(5): `$GIT_DIR/info/attributes` goes before all, then the folder nearest to the
path; in a file the last line counts.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.typed import typed


def deciding(vault: Vault, path: str, names: Iterable[str]) -> Path:
    """Return the file in which a line about a path of the vault has the last word on attributes.

    The vault's own where none that goes before it speaks of them.
    """
    wanted = frozenset(names)
    return next(
        (place for place in _before_the_vault(vault, path) if _speaks_of(vault, place, wanted)),
        vault.root / layout.ATTRIBUTES,
    )


def named(vault: Vault, place: Path) -> str:
    """Return a file of attributes as a finding names it: from the vault, else its whole path."""
    return str(place.relative_to(vault.root) if place.is_relative_to(vault.root) else place)


def adding(vault: Vault, place: Path, lines: Sequence[str]) -> str:
    """Return what to type so that a file of attributes ends with lines of the vault's own."""
    said = [_from(vault, place, line) for line in lines]
    # What is there may not end with a line feed.
    return f"{_own_file(vault, place)}printf '%s\\n' '' {shlex.join(said)} >> {typed(str(place))}"


def _own_file(vault: Vault, place: Path) -> str:
    """Return what to type first, so that a line is not written through a symbolic link.

    git reads its own file through a link, and follows none in the work tree.
    """
    if not place.is_symlink():
        return ""
    name, copy = typed(str(place)), typed(f"{place}.own")
    if place == _info(vault):
        return f"cp -L -- {name} {copy} && mv -f -- {copy} {name} && "
    return f"rm -- {name} && "


def _from(vault: Vault, place: Path, line: str) -> str:
    """Return a line of the vault's `.gitattributes` as it has to stand in another file."""
    pattern, blank, rest = line.partition(" ")
    if place == _info(vault):
        inside = "" if "/" in pattern else "**/"
        pattern = f"{vault.prefix}{inside}{pattern}" if vault.prefix else pattern
        pattern = f'"{pattern}"' if " " in pattern else pattern
    else:
        folder = place.parent.relative_to(vault.root).as_posix()
        pattern = pattern.removeprefix(f"{folder}/")
    return f"{pattern}{blank}{rest}"


def _info(vault: Vault) -> Path:
    """Return git's own file of attributes, which is of this repository and in no commit."""
    return vault.repository.common_dir / "info" / "attributes"


def _before_the_vault(vault: Vault, path: str) -> Iterator[Path]:
    yield _info(vault)
    for folder in Path(path).parents[:-1]:
        yield vault.root / folder / layout.ATTRIBUTES


def _speaks_of(vault: Vault, place: Path, names: frozenset[str]) -> bool:
    if place != _info(vault) and _is_behind_a_link(vault, place):
        return False
    text = ""
    with suppress(OSError):
        # Of a pipe nothing would ever be read.
        text = place.read_text(encoding="utf-8", errors="replace") if place.is_file() else ""
    # git's own name for -diff -merge -text.
    known = names | {"binary"} if names & {"text", "diff", "merge"} else names
    return not known.isdisjoint(re.findall(r"(?<=\s)[-!]?(\w[\w.-]*)", text))


def _is_behind_a_link(vault: Vault, place: Path) -> bool:
    inside = (each for each in (place, *place.parents) if each.is_relative_to(vault.root))
    return any(each.is_symlink() for each in inside if each != vault.root)
