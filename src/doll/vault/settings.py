"""`doll.yaml`: the vault's mark and its settings. Bytes in, a value and all problems out.

Source: docs/vault-format.md, "doll.yaml".
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from doll.errors import Problem, errors_in
from doll.records.decoding import BOM, UnreadableError, decode, place
from doll.records.frontmatter import Block, BlockError, Value, problems_of, read_block
from doll.records.mending import YamlFault, keys_at
from doll.records.model import ACTION
from doll.records.snippets import key_name
from doll.vault.layout import MARKER

FORMAT = 1

_KEYS = ("format", "id", "branch", "authority", "review", "actions")
_RULE_KEYS = ("project", "paths", "actions")
_NEWER = re.compile(r"[2-9]|[1-9][0-9]+")
_ID = re.compile(r"[0-9a-f]{32}")
_BRANCH = re.compile(r"(?![-./])(?!.*(\.\.|//|@\{|\.lock$))[^\x00-\x20~^:?*\[\\\x7f]+(?<![./])")
_ACTION = re.compile(ACTION)
_GLOB = re.compile(r"(?!(.*/)?\.\.?(/|\Z))[^!\s\x00-\x1f][^\x00-\x1f]*")

# Where a record's own hint speaks of its two `---`, of which there are none here.
_HINTS = {
    "frontmatter.not_a_mapping": f"write `key: value` lines, such as `format: {FORMAT}`",
    "frontmatter.too_large": "take comments or entries out",
    "file.too_large": "take comments or entries out",
}

Where = tuple[str | int, ...]
Faults = Iterator[tuple[Where, str, str, str]]


class ActionRule(msgspec.Struct, frozen=True):
    """One line of the path → action map: changed `paths` (globs) mean these `actions`.

    `project` None: the rule counts for every project.
    """

    project: str | None
    paths: tuple[str, ...]
    actions: tuple[str, ...]


class Settings(msgspec.Struct, frozen=True):
    """The settings of a vault; `signed`: True for `required`."""

    format: int
    id: str
    branch: str
    authority_signed: bool
    review_signed: bool
    actions: tuple[ActionRule, ...]


def parse_settings(data: bytes) -> tuple[Settings | None, tuple[Problem, ...]]:
    """Read `doll.yaml`; the settings are None exactly when an error makes them unreadable."""
    try:
        text, warnings, broken = decode(data, MARKER)
    except UnreadableError as error:
        # What is said of a record's file: there is nothing here to split.
        return None, tuple(p._replace(hint=_HINTS.get(p.code, p.hint)) for p in error.problems)
    if broken:
        return None, (*warnings, *broken)
    start = len(BOM) if text.startswith(BOM) else 0
    block, faults = _block(text[start:])
    problems = [*warnings, *problems_of(faults, MARKER, text, start)]
    if block is not None:
        faulty = keys_at(faults, block.pairs)
        problems += [
            Problem(MARKER, *_place(text, start, block, where), code, message, hint=hint)
            for where, code, message, hint in _faults(block.values)
            if where[0] not in faulty
        ]
    problems.sort()
    if block is None or errors_in(problems):
        return None, tuple(problems)
    return _settings(block.values), tuple(problems)


def _block(text: str) -> tuple[Block | None, Sequence[YamlFault]]:
    try:
        return read_block(text), ()
    except BlockError as error:
        return error.block, [
            each._replace(
                message=each.message.replace("the front matter", MARKER).replace(
                    "front matter", MARKER
                ),
                hint=_HINTS.get(each.code, each.hint),
            )
            for each in error.faults
        ]


def frozen_settings(settings: Settings) -> bytes:
    """Return settings as bytes for the cache."""
    return msgspec.msgpack.encode(settings)


def thawed_settings(data: bytes) -> Settings | None:
    """Return settings from the cache; None for bytes of another version."""
    try:
        return msgspec.msgpack.decode(data, type=Settings)
    except msgspec.DecodeError:
        return None


def render_settings(vault_id: str, branch: str) -> bytes:
    """Return the `doll.yaml` of a new vault."""
    return (
        "# This file marks a doll vault. docs/vault-format.md describes every setting.\n"
        f"format: {FORMAT}\n"
        f"id: {vault_id}\n"
        f"branch: {branch}\n"
        "# required: only signed commits count (docs/security.md, Signatures).\n"
        "authority:\n"
        "  signed: off\n"
        "review:\n"
        "  signed: off\n"
        "# Which changed paths mean which actions, for preflight in git hooks:\n"
        "# actions:\n"
        "#   - project: atlas\n"
        '#     paths: ["migrations/**"]\n'
        "#     actions: [db.migrate]\n"
    ).encode()


def _place(text: str, start: int, block: Block, where: Where) -> tuple[int, int]:
    """Return the place of a value, or of what it would stand in; of a whole setting, its key's."""
    if len(where) == 1 and where[0] in block.pairs:
        return place(text, start + block.pairs[str(where[0])].key.start)
    while where not in block.places and where:
        where = where[:-1]
    return place(text, start + block.places[where]) if where else (1, 1)


def _faults(values: dict[str, Value]) -> Faults:
    stated = values.get("format")
    if isinstance(stated, str) and _NEWER.fullmatch(stated):
        message = f"the vault has format {stated[:20]}, and this doll reads format {FORMAT}"
        yield ("format",), "settings.newer", message, "update doll"
        return
    if stated != str(FORMAT):
        yield ("format",), "settings.value", "`format` is missing or not 1", "write format: 1"
    yield from _unknown(values, _KEYS, ())
    yield from _text(values, "id", _ID, "32 lower-case hex digits; `doll init` makes one")
    yield from _text(values, "branch", _BRANCH, "the name of the vault's branch, such as main")
    yield from _signed(values, "authority")
    yield from _signed(values, "review")
    yield from _rules(values.get("actions"))


def _unknown(values: dict[str, Value], known: tuple[str, ...], where: Where) -> Faults:
    for key in values:
        if key not in known:
            from doll.records.checks import did_you_mean

            near = did_you_mean(key, known)
            hint = f"did you mean `{near}`?" if near else f"known are {', '.join(known)}"
            yield (*where, key), "settings.unknown", f"{key_name(key)} is no setting", hint


def _text(values: dict[str, Value], key: str, pattern: re.Pattern[str], wanted: str) -> Faults:
    value = values.get(key)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        yield (key,), "settings.value", f"`{key}` is missing or not as it should be", wanted


def _signed(values: dict[str, Value], key: str) -> Faults:
    value = values.get(key)
    if value is None:
        return
    if not isinstance(value, dict):
        yield (key,), "settings.value", f"`{key}` wants `signed: off` below it", "signed: off"
        return
    yield from _unknown(value, ("signed",), (key,))
    if value.get("signed", "off") not in ("off", "required"):
        message = f"`{key}.signed` is neither off nor required"
        yield (key, "signed"), "settings.value", message, "write off or required"


def _rules(value: Value) -> Faults:
    if value is None:
        return
    if not isinstance(value, list):
        message = "`actions` wants a list of entries"
        yield ("actions",), "settings.value", message, "write `- paths: [glob]` below it"
        return
    for index, rule in enumerate(value):
        where = ("actions", index)
        if not isinstance(rule, dict):
            message = "an entry of `actions` wants paths and actions"
            yield where, "settings.value", message, "write `- paths: [glob]`, `actions: [name]`"
            continue
        yield from _unknown(rule, _RULE_KEYS, where)
        if rule.get("project") is not None and not (
            isinstance(rule["project"], str) and rule["project"]
        ):
            yield (*where, "project"), "settings.value", "`project` wants one id", "write its id"
        yield from _list(
            rule, "paths", _GLOB, where, 'a gitignore pattern from the top, such as "migrations/**"'
        )
        yield from _list(rule, "actions", _ACTION, where, "a dotted name, such as db.migrate")


def _list(
    rule: dict[str, Value], key: str, pattern: re.Pattern[str], where: Where, wanted: str
) -> Faults:
    items = _items(rule.get(key))
    if not items:
        yield where, "settings.value", f"the entry has no `{key}`", f"write `{key}:` with {wanted}"
    for index, item in enumerate(items):
        if not isinstance(item, str) or not pattern.fullmatch(item):
            at = (*where, key, index)
            yield at, "settings.value", f"`{key}` wants {wanted}", f"write {wanted}"


def _items(value: Value) -> list[Value]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _settings(values: dict[str, Value]) -> Settings:
    rules = _items(values.get("actions"))
    return Settings(
        format=FORMAT,
        id=str(values["id"]),
        branch=str(values["branch"]),
        authority_signed=_required(values.get("authority")),
        review_signed=_required(values.get("review")),
        actions=tuple(_rule(rule) for rule in rules if isinstance(rule, dict)),
    )


def _required(value: Value) -> bool:
    return isinstance(value, dict) and value.get("signed") == "required"


def _rule(rule: dict[str, Value]) -> ActionRule:
    project = rule.get("project")
    return ActionRule(
        project=project if isinstance(project, str) else None,
        paths=tuple(str(item) for item in _items(rule["paths"])),
        actions=tuple(str(item) for item in _items(rule["actions"])),
    )
