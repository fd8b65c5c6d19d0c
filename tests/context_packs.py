"""What every context pack has to be, whatever the records in it say."""

import re
from collections.abc import Iterator

from doll.render.context_markdown import DATA, INCOMPLETE
from doll.render.context_values import REASONS, TITLES
from doll.render.text import visible
from doll.render.tokens import tokens

_SPAN = "`[^`]*`"
_REASONS = "|".join(map(re.escape, REASONS.values()))
# A fact: fixed words, then a word or a code span.
_FACT = rf"[a-z ]+ (?:[A-Za-z0-9][A-Za-z0-9_:-]*|{_SPAN})"
_SOURCE = rf"{_SPAN} \([a-z-]+(?:, {_FACT})*\), sha256 `[0-9a-f]{{12}}`"
_VAULT = rf"Vault at commit `[0-9a-f]{{12}}`, as of [0-9TZ:-]+, (?:project {_SPAN}|no project)[.]"
_OWN = re.compile(
    "|".join(
        (
            "",
            "# Context for a task",
            re.escape(DATA),
            _VAULT,
            re.escape(INCOMPLETE),
            r"A record's id is its file's name without `\.md`\.",
            rf"## (?:{'|'.join(TITLES.values())}) \(\d+ of \d+\)",
            rf"- {_SOURCE}",
            rf"  why: {_SPAN}(?:; {_SPAN})*",
            r"  cut; all of it: `doll show [^`]+`",
            rf"  resolved by (?:{_SOURCE}|an entry that is not shown)",
            r"  resolved by: `doll show [^`]+`",
            r"## Left out \(\d+\)",
            rf"- \d+ (?:{_REASONS})(?:: {_SPAN}(?:, {_SPAN})*(?: …)?)?",
            r"`--json` lists them\.",
            r"Nothing was found\.",
            r"Left out: \d+; `--json` lists them\.",
            r"\d+ found; none fits in \d+ tokens\. Try `--budget 2000`\.",
        )
    )
)
_QUOTED = re.compile(r">(?: {5}.*| \[…\])?")


def quotes(text: str) -> Iterator[str]:
    """Yield the quoted lines of a pack, without the marks that quote them."""
    for line in text.splitlines():
        if line.startswith(">"):
            assert _QUOTED.fullmatch(line), line
            yield line.removeprefix(">     ")


def check(text: str, budget: int) -> None:
    """Hold a pack to its budget, and each of its lines to being its own or a quote's."""
    assert tokens(f"{text}\n") <= budget
    lines = text.split("\n")
    # No character but the line feed ends a line or is acted upon.
    assert text.splitlines() == lines
    before = ""
    for line in lines:
        assert visible(line) == line
        if line.startswith(">"):
            assert _QUOTED.fullmatch(line), line
            # Code cannot follow a paragraph, and a quote cannot begin in one.
            assert before == "" or before.startswith(">"), (before, line)
            assert not (before == "> […]" and line != ">")
        else:
            assert _OWN.fullmatch(line), line
            assert not (before.startswith(">") and line), line
        before = line
