"""Declared false alarms count for their file, wherever it lies, and for nothing else."""

from doll.services.checking.false_alarms import FalseAlarms
from doll.services.importing.ledger import FalseAlarm, Ledger


def test_a_declaration_counts_for_its_candidate_and_its_source() -> None:
    alarms = (
        FalseAlarm("jwt", "/memories/0/content", "tea-12345678.md"),
        FalseAlarm("jwt", "/memories/0/content", "source/store.json"),
    )
    found = FalseAlarms([Ledger("mine", "pam", "owner", "0" * 64, (), alarms)])
    assert found.cover("staging/pam/mine/tea-12345678.md", "jwt")
    assert found.cover("confirmed/tea-12345678.md", "jwt")
    assert found.cover("staging/pam/mine/source/store.json", "jwt")
    assert not found.cover("staging/pam/other/source/store.json", "jwt")
    assert not found.cover("confirmed/tea-12345678.md", "aws-key")
    assert not found.cover("confirmed/other.md", "jwt")
    assert not found.cover("authority/policies/tea-12345678.md", "jwt")
    assert not FalseAlarms().cover("confirmed/tea-12345678.md", "jwt")
