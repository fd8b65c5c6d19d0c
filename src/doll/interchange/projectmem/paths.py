"""Which of a row's `files` are plain relative paths, and their patterns. Never guessed.

Ranges, `Class.method`, drives, C-quoted names and whatever a pattern would read otherwise stay
claims.
"""

import re

_MAX = 1000
_ODD = re.compile(r"""[\x00-\x1f\x7f\\"'*?\[\]{}!<>|:;`$]|^[#~/\s]|\s$|//|#L?[0-9]+""")
# `Cart.total` is a method, `Cart.java` a file; the endings that are usual in repositories.
_METHOD = re.compile(r"[A-Z]\w*(?:\.\w+)*\.([A-Za-z_]\w*)(?:\(\))?")
_ENDINGS = frozenset(
    re.findall(
        r"\w+",
        "adoc am bat c cc cfg cjs conf cpp cs css csv cxx dart env erl ex exs fs go gradle "
        "graphql groovy h hpp hs htm html in ini ipynb java jpeg jpg js json jsonl jsx kt kts "
        "less lock log lua m md mdx mjs ml mm pdf php pl png po proto ps1 py pyi r rb rs rst "
        "sass scala scss sh sql svelte svg swift tex tf toml ts tsx txt vue xml yaml yml zig zsh",
    )
)


def pattern(path: str) -> str | None:
    """Return the pattern of just this file, from the top of the work tree; None for no path."""
    if not path or len(path) >= _MAX or _ODD.search(path):
        return None
    if any(part in (".", "..") for part in path.split("/")):
        return None
    method = _METHOD.fullmatch(path)
    if method and method[1].lower() not in _ENDINGS:
        return None
    # A pattern without a slash within it would match at any depth.
    return path if "/" in path.strip("/") else f"/{path}"
