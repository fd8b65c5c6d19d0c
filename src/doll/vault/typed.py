"""How a path stands in a line that is there to be typed. Pure."""

import os
import re
import shlex

# Printable for Python and yet not to be seen: fillers, variation selectors, the blank of braille.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]")


def typed(path: str) -> str:
    """Return a path as a word for any shell; bytes that cannot be seen stand escaped.

    `printf` with octal digits is what every shell knows. The word is wrong for a path that ends
    with a line feed.
    """
    if _is_seen(path):
        return shlex.quote(path)
    escaped = path.replace("\\", "\\\\").replace("%", "%%").replace("'", "'\\''")
    return f"\"$(printf '{''.join(c if _is_seen(c) else _octal(c) for c in escaped)}')\""


def moving(path: str, new: str) -> str:
    """Return the line that moves a file, and makes its folder first where that is another one."""
    folder = new.rpartition("/")[0]
    line = f"mv -n -- {typed(path)} {typed(new)}"
    return line if folder == path.rpartition("/")[0] else f"mkdir -p -- {typed(folder)} && {line}"


def _is_seen(text: str) -> bool:
    return text.isprintable() and _UNSEEN.search(text) is None


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in os.fsencode(character))
