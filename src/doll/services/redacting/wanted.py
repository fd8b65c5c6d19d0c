"""What is to be redacted, as it was typed: a field, one element of a list or of claims, the body.

Pure. It refuses what is no text to redact; whether the result has the shape of a redaction is for
`services/checking/redacting`, which is the one rule of that.
"""

from collections.abc import Mapping
from typing import NamedTuple

from doll.errors import UsageError
from doll.records.checks import did_you_mean
from doll.records.frontmatter import Value
from doll.records.model import Experience
from doll.services.checking.redacting import ADDED, REDACTABLE, REDACTED, is_nothing
from doll.services.recording.wording import readable

BODY, CLAIMS = "body", "claims"
_TEXTS = ("title", "summary", BODY)
_HINT = (
    f"what can be redacted: {', '.join([*sorted(REDACTABLE), BODY])}, and keys that are no fields\n"
    "tags:2 is the second of a list, claims:/content the claim of that name"
)


class Wanted(NamedTuple):
    """One value: a key of the front matter, or `body`; `part` is an index, a claim, or None."""

    key: str
    part: int | str | None = None

    def __str__(self) -> str:
        if self.part is None:
            return self.key
        return f"{self.key}:{self.part + 1 if isinstance(self.part, int) else self.part}"


def parse_wanted(texts: tuple[str, ...], values: Mapping[str, Value], body: str) -> list[Wanted]:
    """Return the values that are meant, each once; UsageError for what cannot be redacted."""
    found: dict[Wanted, None] = {}
    for text in texts:
        found.update(dict.fromkeys(_wanted(text, values, body)))
    whole = {wanted.key for wanted in found if wanted.part is None}
    return [each for each in found if each.part is None or each.key not in whole]


def _wanted(text: str, values: Mapping[str, Value], body: str) -> list[Wanted]:
    key, colon, part = readable(text, "--field").partition(":")
    if text in values:
        key, colon, part = text, "", ""
    if key == BODY and BODY not in values:
        if colon:
            raise _refused(text, "the body is redacted as a whole", "--field body")
        _require_text(text, body.strip())
        return [Wanted(BODY)]
    if key in ADDED or (key in Experience.__struct_fields__ and key not in REDACTABLE):
        said = f"`{key[:60]}` says what the entry is, whom it warns or where it is from; it stays"
        raise _refused(text, said, _HINT)
    if key not in values:
        near = did_you_mean(key, (*values, BODY))
        meant = f"did you mean {near}?" if near else _HINT
        raise _refused(text, f"the entry has no `{key[:60]}`", meant)
    value = values[key]
    if colon:
        return [_element(text, key, part, value)]
    _require_text(text, value)
    # Claims keep their names, so that it stays known what there was. Of a value that is no field
    # nobody knows the shape, so all of it goes as one.
    if key == CLAIMS and isinstance(value, dict):
        return [Wanted(key, name) for name in value]
    return [Wanted(key)]


def _element(text: str, key: str, part: str, value: Value) -> Wanted:
    if isinstance(value, list):
        if not part.isdecimal() or not 0 < int(part[:9]) <= len(value):
            count = f"{key}:1" if len(value) == 1 else f"{key}:1 to {key}:{len(value)}"
            raise _refused(text, "there is no such element", f"write {count}")
        _require_text(text, value[int(part) - 1])
        return Wanted(key, int(part) - 1)
    if isinstance(value, dict):
        if part not in value:
            names = ", ".join(f"{key}:{name}" for name in list(value)[:10])
            raise _refused(text, "there is no such claim", f"there are {names}")
        _require_text(text, value[part])
        return Wanted(key, part)
    raise _refused(text, f"`{key}` is one text", f"--field {key}")


def _require_text(text: str, value: Value) -> None:
    if is_nothing(value):
        raise _refused(text, "nothing stands there", "leave it out")
    if value in (REDACTED, [REDACTED]):
        raise _refused(text, "it is redacted already", "leave it out")


def _refused(text: str, why: str, hint: str) -> UsageError:
    return UsageError(f"--field {text[:80]}: {why}; nothing was changed", hint=hint)
