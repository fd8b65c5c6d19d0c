"""One module changes the disk: nothing else in doll calls what could.

The test reads the source, so it also sees what no other test runs.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import doll

ROOT = Path(doll.__file__).parent
SEAM = "vault/disk.py"
SOURCES = sorted(ROOT.rglob("*.py"))

# Of `os`: everything that changes a file, a name or what is known of them.
OS = re.compile(
    r"(?:p?write(?:v)?|f?truncate|fsync|fdatasync|sync|link|symlink|rename|renames|replace|unlink|"
    r"remove|removedirs|rmdir|mkdir|makedirs|mkfifo|mknod|l?chmod|fchmod|l?chown|fchown|utime|"
    r"setxattr|removexattr|sendfile|splice|copy_file_range|posix_fallocate|fdopen)"
)
# Of a path, wherever it comes from.
PATH = re.compile(
    r"(?:write_text|write_bytes|touch|unlink|mkdir|rmdir|l?chmod|symlink_to|hardlink_to|truncate)"
)
FLAGS = re.compile(r"O_(?:CREAT|WRONLY|RDWR|APPEND|TRUNC|TMPFILE)")
MODULES = ("shutil", "tempfile", "ctypes", "mmap", "sqlite3", "shelve", "dbm", "fcntl")
# These give a name to what they are about: `files.rename`, `hook_file.replace`, `structs.replace`.
OWN = ("disk", "files", "hook_file", "structs")
READING = {"shutil.which", "archive.open"}
# A lock of the library is a file that is made empty, and held by its descriptor.
LOCKS = ("vault/lock.py", "vault/heartbeat.py", "reconcile/building.py")


def calls(path: Path) -> Iterator[ast.Call]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def changes(call: ast.Call) -> str:
    """Return how a call could change the disk, or ""."""
    name = ast.unparse(call.func)
    receiver, _, method = name.rpartition(".")
    if receiver == "os":
        flags = FLAGS.search(ast.unparse(call)) if method == "open" else None
        null = method == "open" and ast.unparse(call.args[0]) == "os.devnull"
        reading = method == "fdopen" and _mode(call, 1) in ("", "r", "rb")
        return name if (flags and not null) or (OS.fullmatch(method) and not reading) else ""
    if receiver.partition(".")[0] in MODULES:
        return "" if name in READING else name
    if method == "open" or name == "open":
        mode = _mode(call, 0 if receiver else 1)
        return f"{name} {mode}" if set(mode) & set("wax+?") and name not in READING else ""
    last = receiver.rpartition(".")[2]
    if PATH.fullmatch(method) and receiver and last not in OWN:
        return name
    # A path's take one place; a text's take two, a time's and a value's only named ones.
    single = len(call.args) == 1 and not call.keywords
    return name if method in ("replace", "rename") and single and last not in OWN else ""


def _mode(call: ast.Call, position: int) -> str:
    """Return the mode that a call opens a file with, `?` where it is no plain text."""
    found = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    found += call.args[position : position + 1]
    if not found:
        return ""
    return str(found[0].value) if isinstance(found[0], ast.Constant) else "?"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_else_changes_the_disk(path: Path) -> None:
    if path == ROOT / SEAM:
        return
    found = [f"line {call.lineno}: {what}" for call in calls(path) if (what := changes(call))]
    assert not found


def test_where_locks_are_taken() -> None:
    takers = {
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        for call in calls(path)
        if ast.unparse(call.func).rpartition(".")[2].endswith("FileLock")
    }
    assert takers == set(LOCKS)


def test_whoosh_keeps_its_files_in_memory() -> None:
    texts = [path.read_text(encoding="utf-8") for path in SOURCES]
    assert not [text for text in texts if re.search(r"\b(FileStorage|create_in|open_dir)\b", text)]


@pytest.mark.parametrize(
    "line",
    [
        "os.open(place, os.O_CREAT)",
        "os.fsync(3)",
        'place.write_text("x")',
        "self.place.unlink(missing_ok=True)",
        "place.replace(target)",
        "(a / b).rename(c)",
        'open(place, "wb")',
        "open(place, mode)",
        'place.open("a", encoding="utf-8")',
        'os.fdopen(descriptor, "wb")',
        "shutil.rmtree(place)",
        "tempfile.mkdtemp()",
    ],
)
def test_what_would_be_seen(line: str) -> None:
    call = ast.parse(line).body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    assert changes(call.value)


@pytest.mark.parametrize(
    "line",
    [
        'text.replace("a", "b")',
        "now.replace(microsecond=0)",
        "structs.replace(row)",
        "files.rename(root, path, new, digest)",
        "open(place)",
        'place.open("rb")',
        "os.open(place, os.O_RDONLY)",
        "os.open(os.devnull, os.O_RDWR)",
        'shutil.which("git")',
    ],
)
def test_what_changes_nothing(line: str) -> None:
    call = ast.parse(line).body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    assert not changes(call.value)
