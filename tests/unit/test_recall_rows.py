"""What a row says of a record, so that it can be filtered without being read again."""

from datetime import UTC, datetime

import pytest

from doll.recall.rows import Row, microseconds, row
from doll.records.codec import parse
from tests.recall_vault import entry, memory


def _row(text: str, path: str) -> Row:
    record, problems = parse(text.encode(), path, path.rpartition("/")[2][:-3], None)[:2]
    assert record is not None, problems
    made = row(record, 1, 2)
    assert made is not None
    return made


def test_a_memory() -> None:
    one = _row(memory("x", kind="skill", tags="['#Kaffee', Straße, kaffee]"), "confirmed/x.md")
    assert (one.kind, one.outcome, one.project) == ("skill", "", "")
    assert one.tags == ("kaffee", "strasse")
    assert one.moment is None


@pytest.mark.parametrize(
    ("fields", "moment"),
    [
        ({"created": "2026-05-01T00:00:00Z"}, datetime(2026, 5, 1, tzinfo=UTC)),
        (
            {"created": "2026-05-01T00:00:00Z", "updated": "2026-06-01T02:00:00+02:00"},
            datetime(2026, 6, 1, tzinfo=UTC),
        ),
    ],
)
def test_a_memory_is_as_old_as_its_last_change(fields: dict[str, str], moment: datetime) -> None:
    assert _row(memory("x", **fields), "confirmed/x.md").moment == microseconds(moment)


def test_an_entry() -> None:
    text = entry("x", project="'[[Atlas]]'", outcome="failed", tags="db")
    one = _row(text, "experience/atlas/x.md")
    assert (one.project, one.kind, one.outcome, one.tags) == ("atlas", "attempt", "failed", ("db",))
    assert one.moment == microseconds(datetime(2026, 8, 1, tzinfo=UTC))


def test_a_rejection_counts_in_staging_only() -> None:
    text = memory("x", review="rejected")
    assert _row(text, "staging/pam/one/x.md").status == "rejected"
    assert _row(text, "confirmed/x.md").status == "active"
