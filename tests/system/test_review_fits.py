"""Approving is refused where validate would object to the record: references, names, circles."""

import hashlib

import pytest

from tests.foreign_desk import ForeignDesk

pytestmark = pytest.mark.sampled(4)

NAME = "tea-0a1b2c3d"
PATH = f"staging/proposals/{NAME}.md"
TARGET = f"confirmed/{NAME}.md"


def _propose(desk: ForeignDesk, lines: str, name: str = NAME, schema: str = "memory") -> str:
    """Commit a candidate that a model proposed; return its digest."""
    path = f"staging/proposals/{name}.md"
    text = f"---\nschema: doll/{schema}/1\norigin: model\n{lines}---\nPrefers tea.\n"
    desk.put(path, text)
    desk.git("add", path)
    desk.git("commit", "-qm", f"propose {name}")
    return hashlib.sha256(text.encode()).hexdigest()


def _confirmed(desk: ForeignDesk, name: str, lines: str) -> None:
    desk.put(f"confirmed/{name}.md", f"---\nschema: doll/memory/1\n{lines}---\nMine.\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", name)


def _refused(desk: ForeignDesk, digest: str) -> str:
    """Approve in all three ways; return what the first one said."""
    err = desk.refused(5, "review", "approve", NAME, "--digest", digest)
    listed = f"{digest}  {PATH}\n".encode()
    assert desk.refused(5, "review", "approve", "--from", "-", stdin=listed)
    (desk.root / "confirmed").mkdir(exist_ok=True)
    desk.git("mv", PATH, TARGET)
    assert desk.refused(5, "review", "approve", "--staged")
    assert desk.doll("validate").code == 1
    return err


@pytest.mark.parametrize("field", ["supersedes", "contradicts", "related"])
def test_a_reference_to_nothing(desk: ForeignDesk, field: str) -> None:
    err = _refused(desk, _propose(desk, f"{field}: [coffee]\n"))
    assert f"`{field}`: no" in err
    assert "has the id or alias coffee" in err
    assert "line 4" in err
    assert "doll list" in err


def test_a_reference_of_a_wrong_type(desk: ForeignDesk) -> None:
    assert "atlas is a project" in _refused(desk, _propose(desk, "supersedes: [atlas]\n"))


def test_references_of_experience(desk: ForeignDesk) -> None:
    name = "20260820T143205Z-attempt-tea-0a1b2c3d4e"
    fields = "kind: attempt\nassertion: model_proposed\nat: 2026-08-20T14:32:05Z\nsummary: Tea\n"
    lines = f"project: atlas\n{fields}work_item: nothing\nresolves: [gone]\n"
    digest = _propose(desk, lines, name, "experience")
    err = desk.refused(5, "review", "approve", name, "--digest", digest)
    assert "no work-item has the id or alias nothing" in err
    assert "no experience has the id or alias gone" in err


def test_the_record_that_it_names_may_come_along(desk: ForeignDesk) -> None:
    one = _propose(desk, "related: [bees-0a1b2c3d]\n")
    two = _propose(desk, f"related: [{NAME}]\n", "bees-0a1b2c3d")
    assert desk.doll("review", "approve", NAME, "--digest", one).code == 5
    listed = f"{one}  {NAME}\n{two}  bees-0a1b2c3d\n".encode()
    desk.ok("review", "approve", "--from", "-", "--commit", stdin=listed)
    desk.ok("validate")


def test_what_is_broken_already_does_not_matter(desk: ForeignDesk) -> None:
    _confirmed(desk, "own", "related: [nothing]\n")
    digest = _propose(desk, "related: [own]\n")
    desk.ok("review", "approve", NAME, "--digest", digest, "--commit")


def test_a_circle(desk: ForeignDesk) -> None:
    _confirmed(desk, "own", f"supersedes: [{NAME}]\n")
    err = _refused(desk, _propose(desk, "supersedes: [own]\n"))
    assert "goes round in a circle" in err


@pytest.mark.parametrize("alias", ["atlas", "ATLAS", "old-tea", "Old-Té"])
def test_an_alias_that_is_taken(desk: ForeignDesk, alias: str) -> None:
    _confirmed(desk, "own", 'aliases: [old-tea, "old-té"]\n')
    err = _refused(desk, _propose(desk, f'aliases: ["{alias}"]\n'))
    assert "is also that of" in err
    assert "rename one of them, or remove the alias" in err


def test_aliases_of_two_that_come_together(desk: ForeignDesk) -> None:
    one = _propose(desk, "aliases: [drink]\n")
    two = _propose(desk, "aliases: [DRINK]\n", "bees-0a1b2c3d")
    listed = f"{one}  {NAME}\n{two}  bees-0a1b2c3d\n".encode()
    err = desk.refused(5, "review", "approve", "--from", "-", stdin=listed)
    assert "2 of 2 cannot be approved" in err


def test_a_free_alias_is_kept(desk: ForeignDesk) -> None:
    digest = _propose(desk, "aliases: [drink]\n")
    desk.ok("review", "approve", NAME, "--digest", digest, "--commit")
    desk.ok("validate")
    assert desk.ok("show", "drink").out


def test_updates_names_no_record_that_must_be_there(desk: ForeignDesk) -> None:
    digest = _propose(desk, "updates: tea-00000000\n")
    desk.ok("review", "approve", NAME, "--digest", digest, "--commit")
    desk.ok("validate")


def test_reasons_are_not_counted_as_candidates(desk: ForeignDesk) -> None:
    one = _propose(desk, "related: [a, b, c, d]\nsupersedes: [e]\n")
    two = _propose(desk, "", "bees-0a1b2c3d")
    listed = f"{one}  {NAME}\n{two}  bees-0a1b2c3d\n".encode()
    err = desk.refused(5, "review", "approve", "--from", "-", stdin=listed)
    assert "1 of 2 cannot be approved, so none was" in err
    err = desk.refused(5, "review", "approve", NAME, "--digest", one)
    assert f"{PATH} is not approved, for 5 reasons" in err


@pytest.mark.parametrize("project", ["ATLAS", "tracker", "Tracker"])
def test_entries_of_a_project_share_one_folder(desk: ForeignDesk, project: str) -> None:
    place = "authority/projects/atlas.md"
    desk.put(place, desk.read(place).replace("status:", "aliases: [tracker]\nstatus:"))
    desk.git("commit", "-qam", "alias")
    name = "20260820T143205Z-attempt-tea-0a1b2c3d4e"
    fields = "kind: attempt\nassertion: model_proposed\nat: 2026-08-20T14:32:05Z\nsummary: Tea\n"
    digest = _propose(desk, f"project: {project}\n{fields}", name, "experience")
    move = desk.review("approve", name, "--digest", digest, "--commit")["moves"][0]
    assert move["path"] == f"experience/atlas/{name}.md"
    desk.ok("validate")
