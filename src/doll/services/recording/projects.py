"""The project of a new record where none was typed: that of the repository one is in."""

from doll.records.model import RecordType
from doll.services.reading.referring import Known, canonical

NO_PROJECT = (
    "--project ID; doll list --type project\n"
    "git config doll.project ID    says it once for a code repository"
)
_SETTING = "git config doll.project"


def configured_id(known: Known, record_type: RecordType, configured: str) -> str:
    """Return the id of the project that git's configuration names.

    UsageError when it names no project of the vault, or more than one.
    """
    return canonical(known, record_type, "project", [configured], _SETTING)[0].id
