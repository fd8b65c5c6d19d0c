"""The bytes of blobs, asked for one after another of one process."""

import subprocess
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from doll.errors import GitError
from doll.vcs.plumbing.process import end, left_out, not_started
from doll.vcs.plumbing.repository import Repository, is_whole, repository_environment

_COMMAND = ("git", "--no-optional-locks", "cat-file", "--batch")
# So many ids fit into a pipe, so that git is never waited for while it waits.
_AT_ONCE = 500
_CHUNK = 1 << 20


class Contents:
    """Reads blobs of one repository. A context: git is started at the first question.

    `missing` are the ids of what the repository does not hold; nothing is fetched.
    """

    def __init__(self, repository: Repository, limit: int) -> None:
        """Take the repository, and the size in bytes beyond which a blob is passed over."""
        self.missing: set[str] = set()
        self._repository = repository
        self._limit = limit
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            end(self._process)

    def read(self, oids: Iterable[str]) -> dict[str, bytes]:
        """Return the bytes by id, without those that are missing, too large, or no blobs."""
        wanted = list(dict.fromkeys(oids))
        found: dict[str, bytes] = {}
        for at in range(0, len(wanted), _AT_ONCE):
            some = wanted[at : at + _AT_ONCE]
            self._ask(some)
            for oid in some:
                data = self._answer(oid)
                if data is not None:
                    found[oid] = data
        return found

    def _ask(self, oids: list[str]) -> None:
        if self._process is None:
            self._process = self._start()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{oid}\n" for oid in oids).encode("ascii"))
            self._process.stdin.flush()
        except OSError as error:
            raise GitError(f"`git cat-file --batch` ended: {error.strerror}") from error

    def _answer(self, oid: str) -> bytes | None:
        facts = self._read_line().split(b" ")
        if len(facts) != 3:
            self.missing.add(oid)
            return None
        size = int(facts[2])
        if facts[1] != b"blob" or size > self._limit:
            self._skip(size + 1)
            return None
        return self._read(size + 1)[:size]

    def _read_line(self) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise self._ended()
        return line.removesuffix(b"\n")

    def _read(self, size: int) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        data = self._process.stdout.read(size)
        if len(data) != size:
            raise self._ended()
        return data

    def _ended(self) -> GitError:
        # git may end at the first object that it may not fetch.
        said = "`git cat-file --batch` ended in the middle of an answer"
        return GitError(said) if is_whole(self._repository) else left_out()

    def _skip(self, size: int) -> None:
        while size:
            size -= len(self._read(min(size, _CHUNK)))

    def _start(self) -> "subprocess.Popen[bytes]":
        repository = self._repository
        try:
            return subprocess.Popen(
                _COMMAND,
                cwd=repository.top,
                env=repository_environment(repository),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise not_started(_COMMAND[2:], repository.top, error) from error
