"""A generated history of a vault: the same commits for the same number, by `git fast-import`.

The records of `generated_vault`, each in a commit of its own in a fixed pseudo-random order. Every
tenth memory is staged first and then moved with its review; every hundredth commit is a merge.
"""

import hashlib
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.generated_vault import _files

MARKER = "format: 1\nid: 0123456789abcdef0123456789abcdef\nbranch: main\n"
Commit = dict[str, str | None]


def write_history(root: Path, commits: int, projects: int = 20) -> None:
    """Make a repository of that many commits in a new folder, checked out."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    command = ["git", "fast-import", "--quiet"]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for number, changes in zip(range(commits), _commits(commits, projects), strict=False):
            process.stdin.write(_command(number, changes))
    assert process.returncode == 0
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, check=True)


def _commits(number: int, projects: int) -> Iterator[Commit]:
    files = list(_files(number, projects))
    random.Random(5).shuffle(files)
    yield {"doll.yaml": MARKER, ".gitignore": ".doll/cache/\n.doll/usage/\n"}
    for place, (path, text) in enumerate(files):
        if path.startswith("confirmed/") and place % 10 == 0:
            staged = path.replace("confirmed", "staging/proposals")
            candidate = text.replace("origin: user", "origin: model")
            yield {staged: candidate}
            yield {staged: None, path: _reviewed(candidate)}
        else:
            yield {path: text}


def _reviewed(text: str) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    head, _, body = text.partition("\n---\n")
    by = "reviewed_by: Bench <bench@example.org>\nreviewed_at: 2026-01-01T00:00:00Z\n"
    return f"{head}\n{by}reviewed_sha256: {digest}\n---\n{body}"


def _command(number: int, changes: Commit) -> bytes:
    who = f"Bench <bench@example.org> {1_700_000_000 + number * 60} +0000"
    lines = [f"commit refs/heads/main\nmark :{number + 1}\ncommitter {who}\n{_data('entry')}"]
    if number % 100 == 99 and number > 100:
        lines.append(f"from :{number}\nmerge :{number - 50}\n")
    for path, text in changes.items():
        change = f"D {path}\n" if text is None else f"M 644 inline {path}\n{_data(text)}"
        lines.append(change)
    return "".join(lines).encode()


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"
