"""Record files made by chance from a number: near to valid, far from it, and built to cost much.

The same number gives the same bytes on every machine.
"""

from collections.abc import Callable
from random import Random

_VALID = (
    """\
schema: doll/memory/1
title: Espresso
kind: preference
status: active
tags: [coffee, a]
created: 2026-08-20T14:32:05Z
supersedes: [old]
related:
  - tea
  - '[[other]]'
""",
    """\
schema: doll/experience/1
project: atlas
kind: attempt
assertion: user_recorded
at: 2026-08-20T14:32:05Z
summary: Locked the table
outcome: failed
paths: migrations/**
evidence: [commit:1f2e3d4]
actions: [db.migrate]
""",
    "title: Atlas\nstatus: active\nobjective: 'a: b'\nexclusions: [x]\n",
    "project: atlas\nstatus: blocked\npriority: high\ndepends_on: [one, two]\npaths: 'src/**'\n",
    "effect: deny\nprojects: atlas\nactions: [db.drop]\npaths: ['drops/', '*.sql', '[a-z]/**']\n",
    "capability: db\nmode: ask\nscope: [env=test, 'host=*']\nvalid_until: 2026-01-01T00:00:00Z\n",
    "risk: high\nrelease: available\nversion: 1.10\n",
    """\
schema: doll/memory/1
origin: imported
claims:
  /id: '"x"'
  /a/b: "[1, 2]"
source_id: x
review: rejected
""",
)
_TOKENS = (
    *("---", "...", "\n", "\n\n", "\r\n", "\r", " ", "    ", "\t", ": ", ":", "- ", "? ", ", "),
    *("[", "]", "{", "}", "[[", "]]", "'", '"', "\\", "|\n", ">\n", "|+2\n", "#", " # c", "%"),
    *(
        "&a ",
        "*a",
        "!!str ",
        "!x ",
        "<<: ",
        "%YAML 1.1\n",
        "\ufeff",
        "\0",
        "\x85",
        "\u2028",
        "\x1b",
    ),
    *(
        "\u202e",
        "\u200b",
        "\u00e9",
        "e\u0301",
        "\U0001f600",
        "\ufffe",
        "\ud7ff",
        "null",
        "~",
        "yes",
    ),
    *("0x1f", "1e999", ".inf", "-.nan", "0o17", "12:30:45", "2026-02-30", "2026-08-20T25:00:00Z"),
    *("<<<<<<< a\n", "=======\n", ">>>>>>> b\n", "=", "sk-ant-api03-x", "AKIAIOSFODNN7EXAMPLE"),
    *("../../etc/passwd", "[[espresso]]", "atlas", "work-item", "doll/memory/99", "9" * 400),
)
_RUNS: tuple[str, ...] = (
    "a",
    " ",
    "\t",
    "-",
    ":",
    "#",
    "[",
    "]",
    "{",
    "(",
    "'",
    '"',
    "\\",
    "*",
    "_",
    "`",
    "|",
    ".",
)
_RUNS += ("[[", "]]", "- ", "? ", "a: ", "\n", "\r\n", "!", "&", "/", "\u0301", "\U0001f600", "~")
_RUNS += ("\n\n", "\n ", "a\n", "```\n", "# h\n", "> ", "key=", "password: ", "a@b.", "-----BEGIN ")
_FEW, _MANY = 200, 30_000


def text(number: int) -> bytes:
    """Return the bytes of the record file of this number."""
    chance = Random(f"front matter {number}")
    return chance.choice(_KINDS)(chance)


def _mutated(chance: Random) -> bytes:
    """A valid record with some of its bytes cut, doubled or replaced."""
    data = _whole(chance.choice(_VALID), _body(chance)).encode()
    for _ in range(chance.randint(1, 6)):
        start = chance.randint(0, len(data))
        end = min(len(data), start + chance.randint(0, 15))
        put = chance.choice(
            (b"", data[start:end] * 2, chance.choice(_TOKENS).encode(), chance.randbytes(3))
        )
        data = data[:start] + put + data[end:]
    return data


def _lines(chance: Random) -> bytes:
    """The lines of several records in another order, some of them twice or indented."""
    lines = "".join(chance.sample(_VALID, 2)).splitlines(keepends=True)
    lines = chance.choices(lines, k=chance.randint(1, 30))
    lines = [" " * chance.choice((0, 0, 0, 1, 2, 8)) + line for line in lines]
    return _whole("".join(lines), _body(chance)).encode()


def _values(chance: Random) -> bytes:
    """A valid record whose values are others."""
    keys = [line.partition(":")[0] for line in chance.choice(_VALID).splitlines()]
    values = ("".join(chance.choices(_TOKENS, k=chance.randint(1, 4))) for _ in keys)
    block = "".join(f"{key}: {value}\n" for key, value in zip(keys, values, strict=True))
    return _whole(block, _body(chance)).encode()


def _tokens(chance: Random) -> bytes:
    """No record at all: what YAML and Markdown are made of, in any order."""
    block = "".join(chance.choices(_TOKENS, k=chance.randint(0, 60)))
    return _whole(block, "".join(chance.choices(_TOKENS, k=20))).encode()


def _costly(chance: Random) -> bytes:
    """Runs of one thing, as block, as value, and as body: what grows with the square is slow."""
    many = chance.randint(1, chance.choice((_FEW, _MANY)))
    run, other = chance.choice(_RUNS) * many, chance.choice(_RUNS) * chance.randint(0, _FEW)
    block = chance.choice(
        (
            run,
            f"title: {run}\n",
            f'title: "{run}"\n',
            f"tags: [{', '.join(['a'] * min(many, 9_000))}]\n",
            f"tags: {run}{other}\n",
            "".join(f"key{n}: {n}\n" for n in range(min(many, 9_000))),
            f"summary: >\n  {run}\n",
            f"claims:\n  /a: '{run}'\n",
            "a: &a [x]\n" + "".join(f"b{n}: [*a, *a]\n" for n in range(min(many, 2_000))),
            "".join(f"{'  ' * n}a:\n" for n in range(min(many, 170))),
        )
    )
    body = chance.choice((_body(chance), other + run, f"{run}\n{other}\n" * 2))
    return _whole(block, body).encode()


def _encoded(chance: Random) -> bytes:
    """A record in another encoding, or with bytes that are no text."""
    whole = _whole(chance.choice(_VALID), "\u00e9spresso \u4f1a\u8bae\n")
    coding = chance.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7"))
    data = whole.encode(coding)
    at = chance.randint(0, len(data))
    return (
        data[:at] + chance.choice((b"", b"\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"\0")) + data[at:]
    )


def _any_bytes(chance: Random) -> bytes:
    return chance.choice((b"", b"---\n", b"---\n---\n")) + chance.randbytes(chance.randint(0, 400))


def _whole(block: str, body: str) -> str:
    return f"---\n{block}---\n{body}"


def _body(chance: Random) -> str:
    words = ("espresso", "orders", "migration", "[[atlas]]", "`db.drop`", "\n", "\n\n", "# h\n")
    return " ".join(chance.choices((*words, *_TOKENS), k=chance.randint(0, 30)))


_KINDS: tuple[Callable[[Random], bytes], ...] = (
    *(_mutated, _mutated, _lines, _values, _tokens, _costly, _costly, _encoded, _any_bytes),
)
