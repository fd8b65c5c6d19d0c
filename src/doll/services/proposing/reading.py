"""What a model sent, Markdown with front matter or JSON, as the text of a record. Pure.

Every problem is reported at once with its place in what was sent, so that the sender can mend it.
What the text says of itself is not believed here and not looked at; `rules` does that.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from doll.errors import InvalidDocumentError, Problem
from doll.interchange import json_places, strict_json
from doll.interchange.pointers import SURROGATE, encodable, join
from doll.records import checks, fences
from doll.records.codec import UnreadableError, parse, values_of
from doll.records.decoding import place
from doll.records.fields import fields_of
from doll.records.frontmatter import Value
from doll.records.handler import FrontMatter, entry
from doll.records.model import RecordType

NAME = "stdin"
# A note has a page or two. What is longer is a document, and evidence can name it.
MAX_BYTES = 256 * 1024

# doll fills these in.
_FILLED = ("schema", "assertion")


class Given(NamedTuple):
    """What was sent: the front matter's values, the body, and all of it as a record file.

    `json` are the bytes that were sent where they are JSON, else None. `problems` are those of its
    fields.
    """

    values: dict[str, Value]
    body: str
    data: bytes
    problems: tuple[Problem, ...] = ()
    json: bytes | None = None

    def problem(self, field: str, code: str, message: str, hint: str = "") -> Problem:
        """Return a problem with a field, at its place in what was sent."""
        problem = Problem(NAME, 0, 0, code, message, hint=hint)
        if self.json is not None:
            pointed = problem._replace(pointer=join("", field))
            return json_places.placed([pointed], self.json)[0]
        text = self.data.decode()
        start, end, _ = fences.bounds(text)
        pair = FrontMatter().read(text[start:end]).pairs.get(field)
        if pair is None:
            return problem
        line, column = place(text, start + pair.key.start)
        return problem._replace(line=line, column=column)


def read(data: bytes, record_type: RecordType) -> Given:
    """Return what was sent; InvalidDocumentError where no fields can be read from it."""
    if len(data) > MAX_BYTES:
        message = f"a proposal has at most {MAX_BYTES:,} bytes, and this one has more"
        hint = "propose what it comes to, and name the rest: a path or URL in the text"
        raise refused([Problem(NAME, 0, 0, "proposal.too_large", message, hint=hint)])
    if not data.strip():
        message = "there is nothing on stdin"
        hint = f"send Markdown with front matter, or JSON; doll schema {record_type}"
        raise refused([Problem(NAME, 0, 0, "proposal.empty", message, hint=hint)])
    if _is_json(data):
        return _from_json(data, record_type)
    return _from_markdown(data, record_type)


def _is_json(data: bytes) -> bool:
    """Return whether JSON was sent: an object, whole or not, or a whole value of another kind."""
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return True
    try:
        strict_json.read(data, NAME)
    except InvalidDocumentError:
        return False
    return True


def refused(problems: Iterable[Problem]) -> InvalidDocumentError:
    """Return the error that tells all problems of a proposal."""
    hinted = (problem._replace(hint=problem.hint or "mend that place") for problem in problems)
    listed = tuple(dict.fromkeys(hinted))
    count = f"{len(listed)} things are" if len(listed) > 1 else "something is"
    return InvalidDocumentError(
        f"{count} wrong with the proposal; nothing was written",
        hint="mend what is named, and send all of it again",
        problems=listed,
    )


def _from_markdown(data: bytes, record_type: RecordType) -> Given:
    parsed = parse(data, NAME, "proposal", record_type)
    try:
        values = values_of(data)
    except UnreadableError:
        raise refused(_strict(parsed.problems)) from None
    return Given(values, parsed.body, data, tuple(_strict(parsed.problems)))


def _strict(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield what the sender has to mend: what is a warning elsewhere too, since it can mend now."""
    for problem in problems:
        if _is_filled(problem):
            continue
        hint = problem.hint
        if problem.code == "field.unknown" and "did you mean" not in hint:
            hint = "leave it out, or put it in the text"
        yield problem._replace(severity="error", hint=hint)


def _is_filled(problem: Problem) -> bool:
    """Return whether a problem is about what doll fills in, or what no proposal may say anyway."""
    if problem.code == "field.needs":
        return True
    missing = problem.code == "field.missing"
    return missing and any(problem.message.startswith(f"`{field}` ") for field in _FILLED)


def _from_json(data: bytes, record_type: RecordType) -> Given:
    try:
        value = strict_json.read(data, NAME).value
    except InvalidDocumentError as error:
        raise refused(error.problems) from error
    if form := list(_form_problems(value)):
        raise refused(json_places.placed(form, data))
    problems = json_places.placed(_field_problems(value, record_type), data)
    fields = {key: item for key, item in value.items() if key != "body" and item is not None}
    body = _below(value.get("body") or "")
    lines = [] if problems else [entry(key, item) for key, item in fields.items()]
    text = "\n".join(["---", *(lines or [f"schema: doll/{record_type}/1"]), "---", body])
    if not problems:
        # Bounds of a file, of its front matter and of its text: what JSON alone does not know.
        parsed = parse(text.encode(), NAME, "proposal", record_type)
        left = _strict(parsed.problems)
        problems = [problem._replace(line=0, column=0) for problem in left]
    return Given(dict(fields), body, text.encode(), tuple(problems), data)


def _below(body: str) -> str:
    if not body:
        return ""
    return f"\n{body}" if body.endswith("\n") else f"\n{body}\n"


def _form_problems(value: Any) -> Iterator[Problem]:
    """Yield what keeps a JSON value from being read as fields and a body."""
    if not isinstance(value, dict):
        yield Problem(NAME, 0, 0, "field.shape", "this is no JSON object", hint='{"title": "…"}')
        return
    for pointer, leaf in strict_json.leaves(value):
        if isinstance(leaf, str) and SURROGATE.search(leaf):
            message = "this holds half of a character"
            yield Problem(NAME, 0, 0, "text.surrogate", message, pointer=encodable(pointer))
            return
    if not isinstance(value.get("body"), str | None):
        message, hint = "`body` wants a text", "put the Markdown text into it"
        yield Problem(NAME, 0, 0, "field.shape", message, hint=hint, pointer="/body")


def _field_problems(value: dict[str, Any], record_type: RecordType) -> Iterator[Problem]:
    fields = {key: item for key, item in value.items() if key != "body" and item is not None}
    others = list(_no_texts(fields, record_type))
    yield from (problem for _, problem in others)
    skipped = {*_FILLED, *(key for key, _ in others)}
    known = {key: item for key, item in fields.items() if key not in skipped}
    normal = checks.normalised(known, record_type)
    faults = checks.value_faults(normal, record_type)
    faults += checks.unknown_keys(fields, record_type, strict=True)
    faults += checks.field_rules(checks.readable(normal, record_type))
    for fault in faults:
        if fault.code == "field.needs" or (fault.code == "field.missing" and fault.key in skipped):
            continue
        where = fault.where or ((fault.key,) if fault.key in fields else ())
        pointer = join("", *map(str, where))
        yield Problem(NAME, 0, 0, fault.code, fault.message, hint=_as_json(fault), pointer=pointer)


def _no_texts(fields: dict[str, Any], record_type: RecordType) -> Iterator[tuple[str, Problem]]:
    """Yield each field of the type with a value in it that JSON does not write as a text.

    In front matter `true` is the word where text is wanted, and `1.10` always; JSON has quotes to
    say so, and does not have to be guessed at.
    """
    for key, field in fields_of(record_type).items():
        is_flag = field.shape == "flag"
        for pointer, leaf in strict_json.leaves(fields.get(key), join("", key)):
            if leaf is None or isinstance(leaf, str) or (is_flag and isinstance(leaf, bool)):
                continue
            kind = "true or false" if isinstance(leaf, bool) else "a number"
            wanted = "true or false" if is_flag else "text"
            message = f"`{key}` wants {wanted}, and this is {kind}"
            hint = "write true or false, without quotes" if is_flag else "write it in quotes"
            problem = Problem(NAME, 0, 0, "field.shape", message, hint=hint, pointer=pointer)
            yield key, problem


def _as_json(fault: checks.Fault) -> str:
    """Return the hint of a fault for one who writes JSON."""
    if fault.code == "field.missing":
        return f'add "{fault.key}": "…"{fault.hint.partition("…`")[2]}'
    if fault.code == "field.unknown" and "did you mean" not in fault.hint:
        return 'leave it out, or put it into "body"'
    return fault.hint
