"""A hint names no option that its command lacks: what it says can be typed."""

import re

import pytest

from tests.desk import Desk
from tests.laws.test_law3_experience_is_history import NAME, commit_entries

KEY = "ghp_" + "a8Kd02LmQ5xPz7RtY3wVb6NcJ4hG1fSe9uTi"
SECRET = (
    ("redact", NAME, "--field", "summary", "--reason", f"tok {KEY}"),
    ("mv", "tea", f"tea-{KEY}"),
    ("new", "memory", "m", "--title", f"tok {KEY}"),
    ("log", "attempt", f"tok {KEY}", "--project", "atlas", "--outcome", "failed"),
    ("correct", NAME, f"tok {KEY}"),
    ("work", "block", "w", "--reason", f"tok {KEY}"),
)


@pytest.fixture
def kept(desk: Desk) -> Desk:
    """A vault with an entry, a memory and a work item."""
    desk.put("authority/work-items/w.md", "---\nproject: atlas\nstatus: ready\n---\n")
    desk.put("confirmed/tea.md", "---\ntitle: Tea\n---\n")
    return commit_entries(desk)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("words", SECRET, ids=lambda words: words[0])
def test_a_refused_secret(kept: Desk, words: tuple[str, ...]) -> None:
    said = kept.refused(5, *words)
    assert "looks like a secret (github-token)" in said
    assert KEY not in said
    command = words[:2] if words[0] in ("log", "work") else words[:1]
    has = kept.ok(*command, "--help").out
    named = set(re.findall(r"--[a-z][a-z-]+", said))
    assert all(option in has for option in named)
    assert ("--not-a-secret" in named) is ("--not-a-secret" in has)
