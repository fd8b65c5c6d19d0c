"""Lines to type, changed such that they do where they are typed what they say.

A hint names files as the vault does, and no vault. Who is elsewhere needs `cd` before a line with
such a file, and `--vault` in a line of doll where nothing else leads to the vault. Which it is, a
command says once (`by`); everything that shows a hint goes through `led`. What stands before
several spaces is to type, what follows says what it does; a line that begins with `#` stays.
"""

import re
from collections.abc import Callable
from contextvars import ContextVar
from typing import NamedTuple

# The commands with an option --vault; what else doll has is about no vault, or pins one.
_OURS = (
    "confirm|context|correct|doctor|duplicates|edit|export|feedback|import|imports|index|list|log|"
    "mv|new|preflight|propose|recall|redact|review|show|status|sync|validate|verify|watch|where|"
    "work"
)
_DOLL = re.compile(rf"doll (?:{_OURS})(?!\S)(?!.* --(?:vault|help|detect)\b)")
_TOOLS = (
    "cat|chmod|chown|cp|diff|doll|echo|export|find|git|gpg|kill|ln|ls|mkdir|mv|printf|rm|rmdir|sed|"
    "ssh-keygen|touch|tr"
)
# Words may stand before a line: `to take it away: git rm -- …`, `mend it, then doll sync`.
# They end before what is said of a line: a line in that is another one.
_LINE = re.compile(rf"^( *(?:(?:(?! {{4}})[^`'\"#])*(?:[:;] |\bthen ))?)((?:{_TOOLS}|\(?cd) .*)$")
# Behind these an option would be a name, belong to another command, or stand among words.
_END = re.compile(r" (?:--|>>?|<<?|\||…,?) |; ")
_QUOTED = re.compile(r"`(doll [^`]*)`")
# A word that the reader has to replace.
_TEMPLATE = re.compile(r"(?<!\S)(?:COMMIT|DIR|FILE|ID|NAME|PATH|REF|SHA256|TYPE|URL|…)(?!\S)")
_APART = "    "


class Way(NamedTuple):
    """How a line gets to the vault from where it will be typed.

    `folder` is the vault's, "" where that is where one is; `vault` is what `--vault` has to name,
    "" where doll finds it without.
    """

    folder: str = ""
    vault: str = ""


_way: ContextVar[Callable[[], Way]] = ContextVar("way", default=Way)


def by(way: Callable[[], Way]) -> None:
    """Take `way` for the lines of this run; it is only asked when there is a line to change."""
    _way.set(way)


def led(text: str) -> str:
    """Return the lines of a hint as they have to be typed from where this run began."""
    if not text or _way.get() is Way:
        return text
    return "\n".join(map(_led, text.split("\n")))


def is_to_type(line: str) -> bool:
    """Return whether a line of a hint is to type as it stands, and does not say what to do."""
    found = _LINE.match(line)
    if found is None or found[1].strip():
        return False
    return _TEMPLATE.search(found[2].partition(_APART)[0]) is None


def marked(hint: str) -> str:
    """Return a hint in which each line that is not to type as it stands begins with `#`."""
    lines = hint.split("\n")
    return "\n".join(x if not x or x[0] == "#" or is_to_type(x) else f"# {x}" for x in lines)


def _led(line: str) -> str:
    found = _LINE.match(line)
    if found is None:
        return _QUOTED.sub(lambda each: f"`{_named(each[1])}`", line)
    command, apart, said = found[2].partition(_APART)
    pieces = _pieces(command)
    command = " && ".join(map(_named, pieces))
    is_there = command.startswith("cd ")
    if not is_there and any(map(_is_relative, pieces)) and (folder := _way.get()().folder):
        from doll.vault.typed import typed

        command = f"cd {typed(folder)} && {command}"
    return f"{found[1]}{command}{apart}{_led(said)}"


def _pieces(command: str) -> list[str]:
    """Return the commands that `&&` joins."""
    pieces = list[str]()
    for piece in command.split(" && "):
        if pieces and _words(pieces[-1]) is None:
            pieces[-1] += f" && {piece}"
        else:
            pieces.append(piece)
    return pieces


def _named(piece: str) -> str:
    """Return a command with the vault that it is about, where it is doll's and needs it."""
    if not _DOLL.match(piece) or not (vault := _way.get()().vault):
        return piece
    from doll.vault.typed import typed

    ends = (found.start() for found in _END.finditer(f"{piece} "))
    end = next((end for end in ends if _words(piece[:end]) is not None), len(piece))
    return f"{piece[:end]} --vault {typed(vault)}{piece[end:]}"


def _is_relative(piece: str) -> bool:
    """Return whether a command names a file of the vault as the vault does, behind `--`."""
    words = _words(piece) or []
    if "--" not in words or words[0] == "doll" or words[:2] == ["git", "-C"]:
        return False
    named = words[words.index("--") + 1 :]
    return any(not each.startswith(("/", "$(printf '/")) for each in named)


def _words(command: str) -> list[str] | None:
    """Return the words of a command as a shell has them; None where a quote is open."""
    import shlex

    try:
        return shlex.split(command)
    except ValueError:
        return None
