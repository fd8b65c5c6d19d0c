"""The mapping tables of docs/interchange.md against the adapters' own tables."""

from collections.abc import Sequence

import msgspec
import pytest

from doll.interchange.engram.fields import FIELDS as ENGRAM
from doll.interchange.markdown.fields import FIELDS as MARKDOWN
from doll.interchange.pam.fields import FIELDS as PAM
from doll.interchange.projectmem.fields import FIELDS as PROJECTMEM
from doll.interchange.rules import Rule
from doll.records.model import Experience, Memory
from tests.mapping_tables import BECOMES, rows, words

TABLES = {
    "Portable AI Memory": PAM,
    "PLUR engrams": ENGRAM,
    "projectmem logs": PROJECTMEM,
    "Notes in Markdown": MARKDOWN,
}
tables = pytest.mark.parametrize(("title", "rules"), TABLES.items(), ids=TABLES.keys())


@tables
def test_the_document_says_what_the_code_does(title: str, rules: Sequence[Rule]) -> None:
    expected = [(rule.field, words(rule.becomes), rule.reason or "—") for rule in rules]
    assert rows(title) == expected


@tables
def test_every_rule_says_what_becomes_of_a_field(title: str, rules: Sequence[Rule]) -> None:
    fields = {
        each.name for struct in (Memory, Experience) for each in msgspec.structs.fields(struct)
    }
    assert len({rule.field for rule in rules}) == len(rules), title
    for rule in rules:
        if rule.becomes.startswith("field "):
            assert rule.becomes.removeprefix("field ") in fields
        else:
            assert rule.becomes in BECOMES
        assert (
            rule.reason or rule.becomes in ("body", "report", "checked") or "field" in rule.becomes
        )
