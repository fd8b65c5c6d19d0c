"""What a source said and doll does not take over, as lines for the person who reviews it."""

from collections.abc import Mapping

from doll.interchange.pointers import parts

UNKNOWN = "meaning not known"
_REMARKS = {
    "access": "grants nothing",
    "content_hash": "checked on import; no id",
    "status": "status at the source",
    "relations": "a relation at the source",
}
_LINKS = ('"type": "supersedes"', '"type": "contradicts"')


def describe_claims(claims: Mapping[str, str]) -> tuple[str, ...]:
    """Return one line for each claim: its name, its JSON text, and what doll makes of it.

    Lines may hold any character of the source; whoever prints them escapes what cannot be seen.
    """
    return tuple(
        f"{_name(pointer)} = {text} ({_remark(pointer, text)})" for pointer, text in claims.items()
    )


def _name(pointer: str) -> str:
    return ".".join(part.replace(".", "\\.") for part in parts(pointer))


def _remark(pointer: str, text: str) -> str:
    first = next(iter(parts(pointer)), "")
    if first == "relations" and any(link in text for link in _LINKS):
        return "proposed link"
    return _REMARKS.get(first, UNKNOWN)
