"""Where the words that were redacted still stand: in the vault's files, in messages of commits.

Reads only, and hands out places, never the words. Short words are not looked for: they are
everywhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from doll.services.opening import Vault
from doll.vault.layout import AREAS
from doll.vault.walking import walked
from doll.vcs.plumbing.messages import messages

_SHORTEST = 4
# The subject of a commit that doll makes is cut at 72 characters.
_LONGEST = 40


def places(vault: Vault, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the files of the vault's folders that hold one of the texts, sorted."""
    wanted = [text.encode() for text in _told(texts)]
    if not wanted:
        return ()
    found = []
    for path in _files(vault.root):
        try:
            data = path.read_bytes()
        except OSError:
            continue
        if any(text in data for text in wanted):
            found.append(path.relative_to(vault.root).as_posix())
    return tuple(sorted(found))


def lines(data: bytes, texts: Iterable[str]) -> tuple[int, ...]:
    """Return the lines of a file, from 1, in which one of the texts stands."""
    wanted = _told(texts)
    found = enumerate(data.decode().split("\n"), 1)
    return tuple(number for number, line in found if any(text in line for text in wanted))


def commits(vault: Vault, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the commits whose subjects hold one of the texts, newest first."""
    wanted = [text[:_LONGEST] for text in _told(texts)]
    if not wanted:
        return ()
    said = messages(vault.repository)
    return tuple(commit for commit, subject in said if any(text in subject for text in wanted))


def repeats(reason: str, texts: Iterable[str]) -> bool:
    """Return whether the reason says again what is redacted."""
    return any(text in reason for text in _told(texts))


def _told(texts: Iterable[str]) -> Sequence[str]:
    return list(dict.fromkeys(text for text in texts if len(text) >= _SHORTEST))


def _files(root: Path) -> Iterator[Path]:
    for area in (*AREAS, ".doll/judged"):
        for folder, names in walked(root, area):
            for name in names:
                path = root / folder / name
                if path.is_file() and not path.is_symlink():
                    yield path
