"""The pre-push hook that is told of objects which are not here."""

from tests.desk import Desk
from tests.hook_desk import unchecked_commit


def test_what_is_not_here_is_not_checked_and_the_rest_is(code: Desk) -> None:
    gone = f"refs/heads/x {'1' * 40} refs/heads/x {'0' * 40}\n"
    said = code.ok("hooks", "run", "pre-push", "origin", stdin=gone.encode()).err
    assert "NOT CHECKED: what is to be pushed is not here: refs/heads/x (111111111111)" in said
    oid = unchecked_commit(code, "drops/a")
    both = f"{gone}refs/heads/main {oid} refs/heads/main {'0' * 40}\n"
    blocked = code.doll("hooks", "run", "pre-push", "origin", stdin=both.encode())
    assert blocked.code == 1
    assert "BLOCKED: authority/policies/no-drops.md" in blocked.err
    assert "NOT CHECKED" in blocked.err
