"""`DollError` and its kinds: an operation that cannot be done, each with its exit code."""

from collections.abc import Iterable

from doll.errors.problems import Problem


class DollError(Exception):
    """An operation that could not be done.

    `message` says what happened, `hint` what the user can type about it (several lines allowed),
    `problems` the data that stood in the way.
    """

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "", problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.problems = tuple(problems)


class UsageError(DollError):
    """Wrong usage: options or arguments that do not go together (exit 2)."""

    exit_code = 2


class NoVaultError(DollError):
    """No vault, or one that is unreadable, empty against HEAD or without a commit (exit 3)."""

    exit_code = 3


class ConfigurationError(DollError):
    """A setting in `doll.yaml` or git's configuration that cannot be used (exit 3)."""

    exit_code = 3


class InvalidDocumentError(DollError):
    """An input document that breaks its format; nothing was written (exit 4)."""

    exit_code = 4


class ConflictError(DollError):
    """Changed since it was read, taken, not committed yet, or not allowed now (exit 5)."""

    exit_code = 5


class BusyError(DollError):
    """Another doll process holds the lock (exit 6)."""

    exit_code = 6


class StorageError(DollError):
    """A file or the output cannot be written: a full disk, no permission (exit 74, EX_IOERR)."""

    exit_code = 74


class TimeLimitError(DollError):
    """The time for it ran out. Nothing tries it again, as it may where git failed."""


class GitError(DollError):
    """git failed; the message carries what it said (exit 7)."""

    exit_code = 7
