"""Half of an approval, or of any move, is held back and named, and so is its other half."""

import pytest

from doll.records.digest import sha256
from tests.sync_desk import MEMORY, Two, head, memory, synced, values

pytestmark = pytest.mark.sampled(4)


def approved(two: Two) -> tuple[str, str]:
    """Have a committed candidate approved, and nothing of that committed; return both paths."""
    text = MEMORY.format("Oolong", "No milk.").encode()
    two.one.ok("propose", "memory", "--by", "model:x", "--commit", stdin=text)
    synced(two.one)
    (place,) = (two.one.root / "staging/proposals").glob("*oolong*.md")
    candidate = str(place.relative_to(two.one.root))
    digest = sha256(place.read_bytes())
    two.one.ok("review", "approve", f"proposals/{place.stem}", "--digest", digest)
    new = f"confirmed/{place.name}"
    assert (two.one.root / new).is_file()
    assert not place.exists()
    return candidate, new


def held(two: Two) -> dict[str, str]:
    """Sync with something held back; return the hints by path."""
    found = values(two.one, code=1)
    assert {each["code"] for each in found["held"]} == {"sync.needs"}
    return {each["path"]: each["hint"] for each in found["held"]}


def test_an_approval_that_is_whole_is_committed(two: Two) -> None:
    candidate, new = approved(two)
    synced(two.one)
    assert new in two.one.git("ls-tree", "-r", "--name-only", "HEAD")
    assert candidate not in two.one.git("ls-tree", "-r", "--name-only", "HEAD")


def test_the_approved_record_is_gone(two: Two) -> None:
    candidate, new = approved(two)
    two.one.git("add", "-A")
    (two.one.root / new).unlink()
    before = head(two.one)
    hints = held(two)
    assert set(hints) == {candidate, new}
    assert head(two.one) == before
    assert two.one.git("show", f"HEAD:{candidate}")
    two.one.type(hints[new].partition("    ")[0])
    synced(two.one)
    assert two.one.git("show", f"HEAD:{new}")


@pytest.mark.parametrize("finish", [True, False])
def test_the_candidate_is_back(two: Two, finish: bool) -> None:
    candidate, new = approved(two)
    two.one.git("add", "-A")
    two.one.git("restore", "--staged", "--", "staging")
    two.one.git("checkout", "--", "staging")
    tea = memory(two.one, "tea")
    hints = held(two)
    assert set(hints) == {new}
    assert two.one.git("show", "--format=", "--name-only", "HEAD") == tea
    lines = hints[new].splitlines()
    two.one.type(lines[0].partition("    ")[0] if finish else lines[1])
    synced(two.one)
    known = two.one.git("ls-tree", "-r", "--name-only", "HEAD")
    assert (new in known) is finish
    assert (candidate in known) is not finish


def test_a_move_whose_target_is_gone(two: Two) -> None:
    path = memory(two.one, "tea")
    synced(two.one)
    two.one.git("mv", path, "confirmed/oolong.md")
    (two.one.root / "confirmed/oolong.md").unlink()
    hints = held(two)
    assert set(hints) == {path, "confirmed/oolong.md"}
    two.one.type(hints["confirmed/oolong.md"].splitlines()[1])
    assert "committed as" in synced(two.one).out
