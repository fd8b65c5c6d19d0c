"""A hook where signatures are required: it stops what a signed denial stops, and says why."""

import pytest

from tests.desk import Desk
from tests.gitbox import make
from tests.signing import DENY, NEEDS_SSH, POLICY, Signer, asked, notes

# The others run with `pytest -m soak`.
pytestmark = [NEEDS_SSH, pytest.mark.sampled(6)]

MAP = 'actions:\n  - paths: ["a"]\n    actions: [db.drop]\n'


@pytest.fixture
def code(ada: Signer) -> Desk:
    """A repository whose staged file `a` means the action that the vault denies."""
    ada.signed(("doll.yaml", ada.desk.read("doll.yaml") + MAP))
    make(ada.desk.root.parent / "code")
    code = ada.desk.at("../code")
    code.ok("hooks", "install", "--vault", "../notes", "--project", "atlas")
    code.put("a", "a")
    code.git("add", "-A")
    return code


def test_a_signed_denial_stops(code: Desk) -> None:
    assert "a policy denies this" in code.refused(1, "hooks", "run", "pre-commit")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("old", "new"), [("0f0f", "0e0e"), ('["a"]', '["b"]'), ("required", "off"), ("main", "x")]
)
def test_so_it_does_after_unsigned_commits(ada: Signer, code: Desk, old: str, new: str) -> None:
    ada.plain(("doll.yaml", ada.desk.read("doll.yaml").replace(old, new)), (POLICY, None))
    assert "a policy denies this" in code.refused(1, "hooks", "run", "pre-commit")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("place", ["authority", "authority/policies", POLICY, "doll.yaml"])
@pytest.mark.parametrize("kind", ["link", "folder"])
def test_so_it_does_where_something_else_stands(
    ada: Signer, code: Desk, place: str, kind: str
) -> None:
    desk = ada.desk
    desk.git("rm", "-rq", place)
    if kind == "link":
        (desk.root / place).parent.mkdir(parents=True, exist_ok=True)
        (desk.root / place).symlink_to("elsewhere")
    else:
        desk.put(f"{place}/x.md", DENY.replace("deny", "advise"))
    ada.plain()
    assert "a policy denies this" in code.doll("hooks", "run", "pre-commit").err
    assert code.doll("hooks", "run", "pre-commit").code == 1


def test_nor_does_a_newer_format_let_it_go(ada: Signer, code: Desk) -> None:
    ada.plain(("doll.yaml", "format: 2\n"))
    assert "a policy denies this" in code.refused(1, "hooks", "run", "pre-commit")


def test_a_range_is_judged_by_what_was_signed_before_it(ada: Signer) -> None:
    ada.plain((POLICY, None))
    report = asked(ada.desk, "--range", "HEAD~1..HEAD")
    assert report["status"] == "blocked"
    assert set(notes(report)) == set()
    assert {note["code"] for note in report["notes"]} == {"authority.not_committed"}


def test_a_draft_is_what_the_work_tree_says(ada: Signer) -> None:
    ada.plain((POLICY, None))
    assert asked(ada.desk)["status"] == "blocked"
    assert asked(ada.desk, "--draft")["status"] == "clear"
