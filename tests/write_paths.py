"""Every place in doll's source that writes, by the calls of what writes: read, not run."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import doll

ROOT = Path(doll.__file__).parent

# What writes, by the name under which it is called; what only tidies up after a fault is not in it.
WRITING = {
    "disk": {"open_new", "open_end", "link", "replace", "rename", "rename_new", "remove"},
    "files": {"create", "replace", "remove", "remove_all", "rename", "create_tree", "put_new"},
    "own_files": {"put", "settle", "add"},
    "temporary": {"write_beside", "fill"},
    "hook_file": {"create", "replace", "remove"},
    "heartbeat": {"write", "write_seen"},
    "cache": {"store"},
    "porcelain": {
        *("init", "stage", "commit", "set_config", "unset_config", "fetch", "push", "draft"),
        *("fast_forward", "merge", "finish_merge", "move"),
    },
}


class Place(NamedTuple):
    """A call of what writes: the module, its first and its last line, and the call in words."""

    module: str
    first: int
    last: int
    call: str


def places() -> Iterator[Place]:
    """Yield every call of what writes, but those that undo after a failure."""
    for path in sorted(ROOT.rglob("*.py")):
        module = ".".join(("doll", *path.relative_to(ROOT).with_suffix("").parts))
        tree = ast.parse(path.read_text(encoding="utf-8"))
        undoing = {id(node) for each in ast.walk(tree) if _undoes(each) for node in ast.walk(each)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and id(node) not in undoing and _writes(node):
                words = ast.unparse(node.func)
                yield Place(
                    module.removesuffix(".__init__"), node.lineno, node.end_lineno or 0, words
                )


def _writes(call: ast.Call) -> bool:
    receiver, _, method = ast.unparse(call.func).rpartition(".")
    return method in WRITING.get(receiver.rpartition(".")[2].lstrip("_"), ())


def _undoes(node: ast.AST) -> bool:
    """Return whether a part of the source runs after a failure only."""
    if isinstance(node, ast.FunctionDef):
        return "undo" in node.name or node.name in ("put_back", "_left")
    return isinstance(node, ast.ExceptHandler)
