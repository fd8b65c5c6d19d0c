"""What a reviewer of a PAM memory should see beside its text. Pure.

These are claims like the others, lifted out of their list; the texts are JSON as the source wrote
it, so that whoever prints them escapes and masks them as he does with claims.
"""

from collections.abc import Mapping

from doll.interchange.base import Remark

_STATUS = "/status"
_ACTIVE = '"active"'
_RETRACTED = '"retracted"'
_CONVERSATION = "/provenance/conversation_ref"
_MESSAGE = "/provenance/message_ref"


def remarks(claims: Mapping[str, str]) -> tuple[Remark, ...]:
    """Return the standing of a memory at its source and the conversation that it comes from."""
    found = []
    status = claims.get(_STATUS, _ACTIVE)
    if status != _ACTIVE:
        what = "taken back there, and nothing was deleted here" if status == _RETRACTED else ""
        found.append(Remark("status", f"{status} at its source{f': {what}' if what else ''}"))
    where = [
        f"{name} {claims[pointer]}"
        for name, pointer in (("conversation", _CONVERSATION), ("message", _MESSAGE))
        if pointer in claims
    ]
    if where:
        found.append(Remark("said in", f"{', '.join(where)} of its source"))
    return tuple(found)
