"""Lists of approvals, in the form of `sha256sum`: `<sha256>  <path or id>` a line. Pure."""

import re

from doll.errors import InvalidDocumentError, Problem
from doll.render.review_values import Candidate
from doll.services.reviewing.approving import Want

_LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](\S.*)")
MAX_BYTES = 64 * 1024 * 1024


def read_list(data: bytes, name: str) -> tuple[Want, ...]:
    """Return what a list asks for; InvalidDocumentError with every line that is none.

    Empty lines and lines that begin with `#` are passed over. `name` is the file's, for messages.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidDocumentError(
            f"{name} is not UTF-8 text", hint="doll review list --digests > FILE"
        ) from error
    wants, problems = [], []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.removesuffix("\r")
        if not line.strip() or line.startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            message = "this is not `<sha256>  <path or id>`"
            hint = "doll review list --digests    prints such lines"
            problems.append(Problem(name, number, 1, "review.list", message, hint=hint))
        else:
            wants.append(Want(found[2].rstrip(), found[1].lower(), number))
    if problems:
        raise InvalidDocumentError(
            f"{name} is no list of approvals; nothing was changed", problems=problems
        )
    if not wants:
        raise InvalidDocumentError(
            f"{name} names no candidate; nothing was changed",
            hint="doll review list --digests > FILE    then keep the lines that you approve",
        )
    return tuple(wants)


def digest_line(candidate: Candidate) -> str:
    """Return the line that approves a candidate."""
    return f"{candidate.digest}  {candidate.path}"
