"""`doll watch` where another vault, or another repository, takes the place of what it watches."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from doll.errors import NoVaultError
from doll.services.opening import Vault
from doll.services.watching import flow, owning
from doll.services.watching.exchanging import Exchange, Synced
from doll.services.watching.looking import Look, Looker
from doll.vault import heartbeat
from tests.desk import Desk, make_vault
from tests.gitbox import git
from tests.recall_vault import memory
from tests.watch_inside import Inside
from tests.watcher import until

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)
NEW = memory("Espresso", "with cardamom")
BRING_BACK = "# bring it back: mount its disk, or clone the vault again"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """A watcher that tries again soon, and how often it asked whether the vault is its own."""
    asked = Counter[str]()
    real: Callable[[Vault, owning.Own, str], None] = owning.require

    def require(vault: Vault, wanted: owning.Own, again: str) -> None:
        asked["all"] += 1
        real(vault, wanted, again)

    monkeypatch.setattr(owning, "require", require)
    monkeypatch.setattr(flow, "AGAIN", 0.1)
    monkeypatch.setattr(heartbeat, "EVERY", 0.1)
    return asked


def follow(root: Path, remote: Path) -> None:
    """Have a vault follow a new bare remote."""
    git(root, "init", "-q", "--bare", "-b", "main", str(remote))
    git(root, "remote", "add", "origin", str(remote))
    git(root, "push", "-q", "-u", "origin", "main")


@pytest.fixture
def other(desk: Desk) -> Desk:
    """A vault of another person beside the first, with a remote and with what is not committed."""
    other = desk.at(str(make_vault(desk.root.parent / "other")))
    other.put("doll.yaml", other.read("doll.yaml").replace("0f" * 16, "1e" * 16))
    other.git("commit", "-qam", "another")
    follow(other.root, desk.root.parent / "other.git")
    other.put("confirmed/draft.md", NEW)
    return other


def swap(desk: Desk, other: Desk) -> None:
    """Put the other vault in the place of the first, which goes to `away`."""
    desk.root.rename(desk.root.parent / "away")
    other.root.rename(desk.root)


def swap_back(desk: Desk, other: Desk) -> None:
    desk.root.rename(other.root)
    (desk.root.parent / "away").rename(desk.root)


def everything(root: Path) -> dict[Path, bytes]:
    """Return every file below a folder, those of git with it."""
    files = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root): path.read_bytes() for path in files}


def test_another_vault_in_its_place_is_left_alone(
    desk: Desk, other: Desk, asked: Counter[str]
) -> None:
    follow(desk.root, desk.root.parent / "remote.git")
    inside = Inside(desk.root, flow.Wanted(sync=1))
    until(lambda: bool(inside.kinds(Synced)))
    before = everything(other.root)
    swap(desk, other)
    until(lambda: bool(inside.kinds(flow.Fault)))
    desk.put("confirmed/second.md", NEW)
    # The first sync that was due, and a beat, are long over then.
    seen = asked["all"]
    until(lambda: asked["all"] > seen + 20)
    (desk.root / "confirmed/second.md").unlink()
    assert everything(desk.root) == before
    (fault,) = inside.kinds(flow.Fault)
    assert fault.error.exit_code == 3
    assert fault.error.message == f"another vault is here, and it is left alone: {desk.root}"
    assert "&& doll watch --sync 1s    watches what is here now" in fault.error.hint
    swap_back(desk, other)
    desk.put("confirmed/a.md", NEW)
    until(lambda: any(look.changes for look in inside.kinds(Look)))
    remote = desk.root.parent / "remote.git"
    until(lambda: "confirmed/a.md" in git(remote, "ls-tree", "-r", "--name-only", "main"))
    inside.end(lambda: desk.put("confirmed/b.md", NEW))
    assert len(inside.kinds(flow.Fault)) == 1


def test_it_is_asked_directly_before_each_sync(desk: Desk, other: Desk) -> None:
    looker = Looker(desk.root, allow_mass_delete=False)
    looker.look(NOW, None)
    exchange = Exchange(desk.root, 1.0, looker.require, allow_mass_delete=False)
    swap(desk, other)
    before = everything(desk.root)
    found = exchange.run(lambda: NOW)
    assert isinstance(found, NoVaultError)
    assert "another vault is here" in found.message
    assert everything(desk.root) == before


def test_the_same_vault_in_another_clone_or_with_broken_settings_is_the_same(desk: Desk) -> None:
    looker = Looker(desk.root, allow_mass_delete=False)
    looker.look(NOW, None)
    desk.root.rename(desk.root.parent / "away")
    git(desk.root.parent, "clone", "-q", "away", str(desk.root))
    assert looker.compare().head
    desk.put("doll.yaml", "broken: [")
    assert looker.is_here()
    desk.git("commit", "-qam", "broken")
    assert looker.is_here()
    desk.put("doll.yaml", f"format: 1\nid: {'1e' * 16}\nbranch: main\n")
    assert not looker.is_here()


def test_another_repository_around_it_is_not_its_own(desk: Desk, asked: Counter[str]) -> None:
    outer = desk.at("..")
    outer.git("init", "-q", "-b", "main")
    outer.git("commit", "-q", "--allow-empty", "-m", "outer")
    inside = Inside(desk.root, flow.Wanted(sync=1))
    until(lambda: bool(inside.kinds(Look)))
    (desk.root / ".git").rename(outer.root / "away")
    until(lambda: bool(inside.kinds(flow.Fault)))
    error = inside.kinds(flow.Fault)[-1].error
    assert error.hint == BRING_BACK
    assert error.message == f"the vault's repository {desk.root / '.git'} is gone"
    seen = asked["all"]
    until(lambda: asked["all"] > seen + 20)
    assert not (outer.root / ".git/doll").exists()
    (outer.root / "away").rename(desk.root / ".git")
    inside.end(lambda: desk.put("confirmed/b.md", NEW))


@pytest.mark.parametrize("how", ["gone", "begun anew"])
def test_it_knew_a_repository(desk: Desk, asked: Counter[str], how: str) -> None:
    inside = Inside(desk.root)
    until(lambda: bool(inside.kinds(Look)))
    away = desk.root.parent / "away"
    (desk.root / ".git").rename(away)
    if how == "begun anew":
        desk.git("init", "-q", "-b", "main")
    until(lambda: bool(inside.kinds(flow.Fault)))
    assert inside.kinds(flow.Fault)[-1].error.hint == BRING_BACK
    if how == "begun anew":
        (desk.root / ".git").rename(desk.root.parent / "new")
    away.rename(desk.root / ".git")
    inside.end(lambda: desk.put("confirmed/b.md", NEW))


def test_what_the_machine_refuses_is_told_and_tried_again(
    desk: Desk, asked: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = Inside(desk.root)
    until(lambda: bool(inside.kinds(Look)))
    with monkeypatch.context() as patch:

        def refuse(*_: object) -> None:
            raise OSError(5, "Input/output error", "/a/file")

        patch.setattr("doll.services.watching.looking.validate", refuse)
        desk.put("confirmed/a.md", NEW)
        until(lambda: bool(inside.kinds(flow.Fault)))
    (fault,) = inside.kinds(flow.Fault)
    assert fault.error.exit_code == 74
    assert fault.error.message == "/a/file cannot be read or written: Input/output error"
    until(lambda: any(look.changes for look in inside.kinds(Look)))
    inside.end(lambda: desk.put("confirmed/b.md", NEW))
