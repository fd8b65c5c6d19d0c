"""Which records are current: status, time, review, and what replaces what."""

from datetime import UTC, datetime, timedelta

import pytest

from doll.recall.rows import Row, row
from doll.recall.standing import Standing
from doll.records.codec import parse

NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)


def _memory(name: str, **fields: str) -> Row:
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    parsed = parse(
        f"---\nkind: fact\n{lines}---\nx\n".encode(), f"confirmed/{name}.md", name, "memory"
    )
    assert parsed.record is not None, parsed.problems
    made = row(parsed.record, 1, 2)
    assert made is not None
    return made


def _entry(name: str, **fields: str) -> Row:
    given = {"project": "atlas", "assertion": "user_recorded"} | fields
    lines = "".join(f"{key}: {value}\n" for key, value in given.items())
    head = "kind: lesson\nsummary: x\nat: 2026-08-01T00:00:00Z\n"
    path = f"experience/{given['project']}/{name}.md"
    parsed = parse(f"---\n{head}{lines}---\n".encode(), path, name, "experience")
    assert parsed.record is not None, parsed.problems
    made = row(parsed.record, 1, 2)
    assert made is not None
    return made


def _current(*rows: Row, as_of: datetime = NOW) -> list[str]:
    standing = Standing(rows, as_of)
    return [one.id for one in rows if standing.of(one) == "current"]


@pytest.mark.parametrize("status", ["archived", "superseded", "retracted"])
def test_status(status: str) -> None:
    one = _memory("a", status=status)
    assert Standing([one], NOW).of(one) == status
    assert _current(_memory("a", status="active")) == ["a"]


def test_validity_ends_at_the_moment_and_begins_at_it() -> None:
    at = "2026-08-20T12:00:00Z"
    ended, begun = _memory("a", valid_until=at), _memory("b", valid_from=at)
    assert _current(ended, begun) == ["b"]
    assert _current(ended, begun, as_of=NOW - timedelta(seconds=1)) == ["a"]
    assert Standing([ended], NOW).of(ended) == "expired"
    assert Standing([begun], NOW - timedelta(days=1)).of(begun) == "not_yet_valid"
    assert _current(_memory("c", valid_until="2026-08-20T14:00:00+02:00")) == []


@pytest.mark.parametrize("key", ["supersedes", "updates"])
def test_a_replaced_memory_is_not_current(key: str) -> None:
    assert _current(_memory("old"), _memory("new", **{key: "old"})) == ["new"]
    assert _current(_memory("old"), _memory("new", **{key: "'[[OLD|that]]'"})) == ["new"]
    assert _current(_memory("old", aliases="former"), _memory("new", **{key: "former"})) == ["new"]


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "retracted"},
        {"status": "archived"},
        {"valid_from": "2027-01-01T00:00:00Z"},
        {"origin": "import"},
        {"origin": "model"},
    ],
)
def test_what_does_not_count_replaces_nothing(fields: dict[str, str]) -> None:
    assert "old" in _current(_memory("old"), _memory("new", supersedes="old", **fields))


def test_one_that_has_ended_still_replaced_it() -> None:
    ended = _memory("new", supersedes="old", valid_until="2026-01-01T00:00:00Z")
    assert _current(_memory("old"), ended) == []


def test_a_secret_record_replaces_without_being_searched() -> None:
    secret = _memory("new", supersedes="old", sensitivity="secret")
    assert secret.serial == 0
    assert "old" not in _current(_memory("old"), secret)


def test_foreign_memory_needs_its_review() -> None:
    bare = _memory("a", origin="import")
    assert Standing([bare], NOW).of(bare) == "not_reviewed"
    reviewed = {
        "origin": "import",
        "reviewed_by": "Ada <ada@example.org>",
        "reviewed_at": "2026-08-01T00:00:00Z",
        "reviewed_sha256": "0" * 64,
    }
    assert _current(_memory("old"), _memory("new", supersedes="old", **reviewed)) == ["new"]


def test_chains_and_circles() -> None:
    chain = [_memory("a"), _memory("b", supersedes="a"), _memory("c", supersedes="b")]
    assert _current(*chain) == ["c"]
    circle = [_memory("a", supersedes="b"), _memory("b", supersedes="a"), _memory("c")]
    assert _current(*circle) == ["a", "b", "c"]
    assert _current(_memory("a", supersedes="a")) == ["a"]
    long = [_memory(f"m{n}", **({"supersedes": f"m{n - 1}"} if n else {})) for n in range(3000)]
    assert _current(*long) == ["m2999"]


def test_a_name_of_two_records_replaces_neither() -> None:
    twins = [_memory("old"), _memory("other", aliases="old")]
    assert set(_current(*twins, _memory("new", supersedes="old"))) == {"old", "other", "new"}


@pytest.mark.parametrize(
    ("old", "new", "replaced"),
    [
        ("user_recorded", "user_confirmed", True),
        ("user_confirmed", "user_recorded", True),
        ("model_proposed", "user_recorded", True),
        ("model_proposed", "imported_external", True),
        ("deterministic_system", "deterministic_system", True),
        ("user_recorded", "model_proposed", False),
        ("user_recorded", "deterministic_system", False),
        ("deterministic_system", "imported_external", False),
    ],
)
def test_weaker_experience_replaces_nothing(old: str, new: str, replaced: bool) -> None:
    rows = _entry("e1", assertion=old), _entry("e2", assertion=new, supersedes="e1")
    assert _current(*rows) == (["e2"] if replaced else ["e1", "e2"])


def test_experience_replaces_only_in_its_project_and_never_memory() -> None:
    assert _current(_entry("e1"), _entry("e2", project="garden", supersedes="e1")) == ["e1", "e2"]
    assert _current(_memory("m"), _entry("e", supersedes="m")) == ["m", "e"]
    assert _current(_entry("e"), _memory("m", supersedes="e")) == ["e", "m"]
