"""`--explain RECORD` for what has no say: it says that, and why, and what to type."""

from tests.desk import Desk
from tests.signing import ADVISE, ASKED, DENY, NEEDS_SSH, POLICY, Signer


def test_what_is_not_committed(desk: Desk) -> None:
    desk.put(POLICY, DENY)
    printed = desk.doll(*ASKED, "--explain", "no").out
    assert f"{POLICY} does not count as it is: new in the work tree, not committed" in printed
    assert (
        f"    git add -A -- {POLICY} && git commit -- {POLICY}    on the vault's branch" in printed
    )
    desk.git("add", "-A")
    desk.git("commit", "-qm", "deny")
    desk.put(POLICY, ADVISE)
    printed = desk.doll(*ASKED, "--explain", "no").out
    assert "policy.denied" in printed
    assert f"{POLICY} does not count as it is: changed in the work tree" in printed


def test_what_cannot_be_read(desk: Desk) -> None:
    desk.put(POLICY, "---\neffect: [\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "broken")
    assert f"{POLICY} does not count as it is: " in desk.doll(*ASKED, "--explain", "no").out


@NEEDS_SSH
def test_what_is_not_signed(ada: Signer) -> None:
    commit = ada.plain((POLICY, ADVISE), ("authority/policies/yes.md", DENY))[:12]
    printed = ada.desk.doll(*ASKED, "--explain", "yes").out
    assert f"yes.md does not count as it is: commit {commit} changed it" in printed
    assert "    git commit -S    signs your next change of it" in printed
    printed = ada.desk.doll(*ASKED, "--explain", "no").out
    assert f"as it was signed, not as {commit} has it" in printed
    assert f"at {commit}" not in printed


def test_what_nothing_knows(desk: Desk) -> None:
    assert "no record that was looked at" in desk.refused(2, *ASKED, "--explain", "nothing")
