"""Is the export that an incremental one starts from in the vault already? Pure.

An increment without its base would look complete and miss what lies between: the user decides.
"""

from collections.abc import Mapping
from typing import NamedTuple

from doll.errors import ConflictError, Problem
from doll.interchange.base import Decoded, Document
from doll.services.importing.history import Known
from doll.services.importing.shown import Shown


class Found(NamedTuple):
    """What is known of the base of an export: facts for the report, and what is wrong with it."""

    facts: Mapping[str, str]
    problem: Problem | None


def found(known: Known, decoded: Decoded, document: Document, source: str) -> Found:
    """Return what the ledgers know of the base of `decoded`; `source` is its key as they have it.

    A base that no import brought is a problem, unless an import brought just these bytes.
    """
    if decoded.base is None:
        return Found({}, None)
    export = Shown(masking=True).text(decoded.base.export)
    alike = [e for e in known.ledgers if (e.adapter, e.source) == (decoded.adapter, source)]
    names = sorted(each.name for each in alike if export and each.export == export)
    if names:
        return Found({"base": f"known from {', '.join(names)}"}, None)
    same = any(each.source_digest == decoded.source_digest for each in alike)
    return Found({"base": "not known here"}, None if same else _unknown(document, export))


def _unknown(document: Document, export: str) -> Problem:
    said = f"export {export}" if export else "an export that it does not name"
    message = f"it holds only what came after {said}, which was not imported here"
    where = "/base_export_id" if export else "/export_type"
    hint = (
        "import that export first, or a full one\n"
        "--as-full imports what is in it, as if it were a full export"
    )
    return Problem(document.file, 0, 0, "import.base_unknown", message, hint=hint, pointer=where)


def require(base: Found, *, as_full: bool) -> tuple[Problem, ...]:
    """Return the warning of an increment that is taken as a full export; () for any other.

    ConflictError for one without a base that the user did not take as full.
    """
    if base.problem is None:
        return ()
    if not as_full:
        raise ConflictError(
            f"{base.problem.path} is an increment of an export that is not known here; "
            "nothing was written",
            problems=[base.problem],
        )
    message = f"taken as a full export, though {base.problem.message}"
    return (base.problem._replace(message=message, severity="warning", hint=""),)
