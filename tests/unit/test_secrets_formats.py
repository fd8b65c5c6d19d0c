"""Every key format finds the keys that it describes, and nothing that only begins like one.

The samples are made from the patterns themselves when the test runs.
"""

import re
from random import Random
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from string import ascii_letters, ascii_lowercase, digits
from typing import Any

import pytest

from doll.secrets import mask, scan
from doll.secrets.formats import FORMATS, Format

POOL = ascii_letters + digits + "-_.+/=~"


def _items(parsed: Any, random: Random) -> str:
    return "".join(_item(operation, value, random) for operation, value in parsed)


def _item(operation: Any, value: Any, random: Random) -> str:
    if operation is ops.LITERAL:
        return chr(value)
    if operation is ops.IN:
        pattern = [each for each in POOL if _in(value, each)]
        return random.choice([c for c in pattern if c.isalnum()] or pattern or ["?"])
    if operation in (ops.MAX_REPEAT, ops.MIN_REPEAT):
        least, _, inner = value
        return "".join(_items(inner, random) for _ in range(least))
    if operation is ops.SUBPATTERN:
        return _items(value[-1], random)
    if operation is ops.BRANCH:
        return _items(value[1][0], random)
    assert operation in (ops.ASSERT, ops.ASSERT_NOT, ops.AT), operation
    return ""


def _in(members: Any, character: str) -> bool:
    found = False
    negated = False
    for operation, value in members:
        if operation is ops.NEGATE:
            negated = True
        elif operation is ops.LITERAL:
            found |= chr(value) == character
        elif operation is ops.RANGE:
            found |= value[0] <= ord(character) <= value[1]
        elif value is ops.CATEGORY_SPACE:
            found |= character.isspace()
        elif value is ops.CATEGORY_NOT_SPACE:
            found |= not character.isspace()
    return found != negated


def sample(entry: Format, random: Random) -> str:
    """Return a key as the pattern of a format describes it."""
    made = _items(parser.parse(entry.pattern), random)
    return "".join(random.choices(ascii_letters + digits, k=entry.before)) + made


# What has to be more than a shape is planted by hand elsewhere.
SHAPED = [entry for entry in FORMATS if entry.accept is None and "(?<=[a-z" not in entry.pattern]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("entry", SHAPED, ids=lambda entry: f"{entry.detector} {entry.literal}")
def test_each_format_finds_what_it_describes(entry: Format) -> None:
    random = Random(entry.literal)
    found = 0
    for _ in range(20):
        key = sample(entry, random)
        text = f"For later: `{key}` is it."
        hits = scan(text)
        if hits:
            assert (hits[0].start, hits[-1].end) == (12, 12 + len(key)), entry.literal
            assert key not in mask(text)
            assert scan(key)
            assert scan(f'{{"a": "{key}"}}')
        found += bool(hits)
    # A digit or capital that the key must have can be missing from a short sample.
    assert found >= 15


@pytest.mark.parametrize("entry", SHAPED, ids=lambda entry: f"{entry.detector} {entry.literal}")
def test_a_beginning_alone_is_no_key(entry: Format) -> None:
    for rest in ("", " is how they begin", "…", "some-words", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"):
        assert scan(f"Their keys begin with {entry.literal}{rest} here.") == ()


def test_words_that_begin_like_keys_are_none() -> None:
    random = Random(4)
    for prefix in {entry.literal for entry in SHAPED}:
        for _ in range(5):
            words = ["".join(random.choices(ascii_lowercase, k=7)) for _ in range(6)]
            text = f"see {prefix}{'-'.join(words)} there"
            assert scan(text) == (), text


@pytest.mark.parametrize(
    ("text", "detector"),
    [
        ("curl -s -u ada:{} https://example.org/x", "authorization-header"),
        ("curl https://example.org --user 'ada:{}'", "authorization-header"),
        ("machine example.org login ada password {}", "password-assignment"),
        ("machine example.org\n  login ada\n  password {}", "password-assignment"),
        ("sshpass -p {} ssh host", "password-assignment"),
        ("sshpass -p'{}' ssh host", "password-assignment"),
    ],
)
def test_logins_of_command_lines(text: str, detector: str) -> None:
    assert [hit.detector for hit in scan(text.format("hun" + "ter2-and-9"))] == [detector]
    for blank in ("$PASSWORD", "<password>", "****", "xxxx", "${PW}", "{{pw}}"):
        assert scan(text.format(blank)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "cache-key-0123456789abcdef0123456789abcdef",
        "path pattern patient.0123456789abcdef",
        "use curl -u user:password as an example",
        "curl -u",
        "the machine in the hall has a login screen and a password field",
        "secret_santa_list and access-development-team",
        "re_compile_the_pattern re_search",
        "sha256~ is a prefix; v1.0-rc1 is a version",
        "https://hooks.zapier.com/hooks/catch/",
        "task-force sk-learn desk-check csk-",
        "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAA" * 40 + "APIM" + "AAAA" * 3,
    ],
)
def test_what_only_looks_like_one(text: str) -> None:
    assert scan(text) == ()


def test_patterns_begin_with_their_literal() -> None:
    for entry in FORMATS:
        head = _items(parser.parse(entry.pattern), Random(1))
        assert entry.literal in head, entry.literal
        assert re.compile(entry.gate).groups == 0
