"""What can go wrong, as values and exceptions.

Wrong *data* is a `Problem` in a list, and the rest goes on. An operation that cannot be done is a
`DollError` with an exit code of its own, turned into text in one place (`doll.cli.boundary`).
This package imports nothing of doll.
"""

from doll.errors.codes import CODES
from doll.errors.failures import (
    BusyError,
    ConfigurationError,
    ConflictError,
    DollError,
    GitError,
    InvalidDocumentError,
    NoVaultError,
    StorageError,
    TimeLimitError,
    UsageError,
)
from doll.errors.problems import Problem, Severity, errors_in

__all__ = [
    "CODES",
    "BusyError",
    "ConfigurationError",
    "ConflictError",
    "DollError",
    "GitError",
    "InvalidDocumentError",
    "NoVaultError",
    "Problem",
    "Severity",
    "StorageError",
    "TimeLimitError",
    "UsageError",
    "errors_in",
]
