"""A vault in a temporary folder with the command line run on it in this process."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from doll.cli import run
from tests.gitbox import git, put


class Result(NamedTuple):
    """What a run of `doll` left."""

    code: int
    out: str
    err: str

    @property
    def path(self) -> str:
        """The one line of stdout: the path of the record that was written."""
        assert self.code == 0, self.err
        assert self.out.count("\n") == 1, self.out
        return self.out.strip()

    @property
    def json(self) -> Any:
        """The one JSON document of stdout."""
        return json.loads(self.out)


class Desk:
    """A person at work in the folder `root`; `variables` are added to the environment."""

    def __init__(
        self, root: Path, capsys: pytest.CaptureFixture[str], variables: Mapping[str, str] = {}
    ) -> None:
        self.root = root
        self._capsys = capsys
        self._variables = variables

    def at(self, folder: str) -> "Desk":
        """Return the same person in another folder, named from here."""
        return Desk(self.root / folder, self._capsys, self._variables)

    def under(self, **variables: str) -> "Desk":
        """Return the same person with these variables in the environment."""
        return Desk(self.root, self._capsys, {**self._variables, **variables})

    def doll(self, *arguments: str, stdin: bytes = b"", **variables: str) -> Result:
        """Run `doll` here; `stdin` is no terminal, `variables` are added to the environment."""
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.root)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            for name, value in {**self._variables, **variables}.items():
                patch.setenv(name, value)
            self._capsys.readouterr()
            code = run(arguments)
        out, err = self._capsys.readouterr()
        assert "Traceback" not in err
        return Result(code, out, err)

    def ok(self, *arguments: str, stdin: bytes = b"", **variables: str) -> Result:
        """Run `doll` and hold it to exit 0."""
        result = self.doll(*arguments, stdin=stdin, **variables)
        assert result.code == 0, result.err
        return result

    def refused(self, code: int, *arguments: str, stdin: bytes = b"", **variables: str) -> str:
        """Run `doll`, hold it to `code` and to having written nothing; return its stderr."""
        before = self.files()
        result = self.doll(*arguments, stdin=stdin, **variables)
        assert result.code == code, result.err
        assert result.code != 70
        assert self.files() == before
        return result.err

    def type(self, line: str, code: int = 0) -> str:
        """Type a line that doll said into a shell, hold it to `code`, return what was printed."""
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=self.root,
            env={**os.environ, **self._variables},
            capture_output=True,
            check=False,
        )
        printed = (done.stdout + done.stderr).decode("utf-8", "surrogateescape")
        assert done.returncode == code, printed
        return printed

    def git(self, *arguments: str) -> str:
        """Run git here."""
        return git(self.root, *arguments)

    def read(self, path: str) -> str:
        """Return the text of a file, line endings as they are."""
        return (self.root / path).read_bytes().decode()

    def put(self, path: str, text: str) -> None:
        """Write a file, as an editor would."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())

    def files(self) -> dict[str, bytes]:
        """Return every file outside `.git` and the cache."""
        return {path: (self.root / path).read_bytes() for path in sorted(self._paths())}

    def _paths(self) -> Iterator[str]:
        for folder, inner, names in os.walk(self.root):
            inner[:] = [name for name in inner if name not in (".git", "cache")]
            for name in names:
                yield os.path.relpath(os.path.join(folder, name), self.root)  # noqa: PTH118


PROJECT = "---\nschema: doll/project/1\ntitle: {0}\nstatus: active\n---\n"


def make_vault(root: Path) -> Path:
    """Make a vault with the committed projects `atlas` and `garden`."""
    put(root, "doll.yaml", f"format: 1\nid: {'0f' * 16}\nbranch: main\n")
    put(root, ".gitignore", ".doll/cache/\n.doll/usage/\n")
    put(
        root,
        ".gitattributes",
        "*.md -text\ndoll.yaml -text\nstaging/**/source/** -text -diff -merge\n",
    )
    put(root, "authority/projects/atlas.md", PROJECT.format("Atlas"))
    put(root, "authority/projects/garden.md", PROJECT.format("Garden"))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "start")
    return root
