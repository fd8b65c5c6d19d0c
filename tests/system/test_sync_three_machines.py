"""Three machines and the repository between them: whatever happens, nothing is lost.

Random edits, entries, proposals, reviews, renames, syncs, kills and spells offline. In the end all
machines sync, and have the same commit, every entry with its bytes, every memory that nobody
removed, and an index that is what one made from nothing would be.
"""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.gitbox import git, put
from tests.machines import CLONES, Machines, digest
from tests.recall_vault import memory

MACHINES = st.sampled_from(CLONES)
# Few, so that two machines often write the same one.
SHARED = st.sampled_from(["tea", "coffee"])
ATLAS = "authority/projects/atlas.md"
SIDES = st.sampled_from(["ours", "theirs"])


class Syncing(RuleBasedStateMachine):
    """What can happen to a vault on three machines."""

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="doll-machines-"))
        self.machines = Machines(self.folder)
        self.number = 0
        self.writers: dict[str, str] = {}

    def teardown(self) -> None:
        try:
            self._set_online(True)
            for name in CLONES:
                self.mend(name)
            self.machines.settle()
            self.machines.hold()
        finally:
            shutil.rmtree(self.folder)

    def _next(self, what: str) -> str:
        self.number += 1
        return f"{what} {self.number:03}"

    def _own(self, name: str, prefix: str) -> list[Path]:
        return sorted((self.folder / name / "confirmed").glob(f"{prefix}*.md"))

    def _set_online(self, online: bool) -> None:
        away = self.folder / "away.git"
        if online and away.exists():
            away.rename(self.machines.hub)
        elif not online and not away.exists():
            self.machines.hub.rename(away)

    @rule(name=MACHINES)
    def log(self, name: str) -> None:
        self.machines.log(name, self._next("Attempt"))

    @rule(name=MACHINES)
    def log_and_commit(self, name: str) -> None:
        if not self.machines.merging(name):
            self.machines.log(name, self._next("Attempt"), "--commit")

    @rule(name=MACHINES)
    def write(self, name: str) -> None:
        title = self._next("Note")
        put(self.folder / name, f"confirmed/{title}.md", memory(title))
        self.machines.kept.add(title)
        self.writers[title] = name

    @rule(name=MACHINES, shared=SHARED)
    def edit_what_all_have(self, name: str, shared: str) -> None:
        if not self.machines.merging(name):
            put(self.folder / name, f"confirmed/{shared}.md", memory(shared, self._next("Text")))

    @rule(name=MACHINES)
    def edit(self, name: str) -> None:
        for place in self._own(name, "Note")[:1]:
            place.write_text(place.read_text() + self._next("more") + "\n")

    @rule(name=MACHINES)
    def break_and_leave(self, name: str) -> None:
        put(self.folder / name, "confirmed/broken.md", "---\ntitle: [\n---\n")

    @rule(name=MACHINES)
    def mend(self, name: str) -> None:
        (self.folder / name / "confirmed/broken.md").unlink(missing_ok=True)

    @rule(name=MACHINES)
    def remove(self, name: str) -> None:
        for place in self._own(name, "Note")[-1:]:
            if not self.machines.merging(name):
                self.machines.kept.discard(place.stem)
                place.unlink()

    @rule(name=MACHINES)
    def rename(self, name: str) -> None:
        # Renamed on two machines, only a person can say which name it keeps.
        mine = [each for each in self._own(name, "Note") if self.writers[each.stem] == name]
        for place in mine[:1]:
            new = self._next("Renamed")
            done = self.machines.doll(name, "mv", place.stem, new)
            assert done.code in (0, 5), done.err

    @rule(name=MACHINES)
    def propose_and_approve(self, name: str) -> None:
        title = self._next("Proposal")
        text = memory(title).encode()
        offered = ("propose", "memory", "--by", "model:x", "--commit", "--json")
        done = self.machines.doll(name, *offered, stdin=text)
        assert done.code in (0, 5), done.err
        if done.code == 0:
            self.machines.kept.add(title)
            (place,) = (self.folder / name / "staging" / "proposals").glob(f"*{self.number:03}*.md")
            given = ("review", "approve", f"proposals/{place.stem}", "--digest")
            done = self.machines.doll(name, *given, digest(place.read_bytes()))
            assert done.code == 0, done.err

    @rule(name=MACHINES)
    def decide(self, name: str) -> None:
        """Change authority and commit it, as only the user does."""
        if not self.machines.merging(name):
            goal = f"objective: {self._next('Goal')}\n---\n"
            put(self.folder / name, ATLAS, f"---\ntitle: Atlas\nstatus: active\n{goal}")
            git(self.folder / name, "commit", "-qm", "decide", "--", "authority")

    @rule(name=MACHINES)
    def sync(self, name: str) -> None:
        self.machines.sync(name)

    @rule(name=MACHINES, after=st.integers(0, 6))
    def sync_and_be_killed(self, name: str, after: int) -> None:
        self.machines.sync_killed(name, after)

    @rule(name=MACHINES, side=SIDES)
    def resolve(self, name: str, side: str) -> None:
        if self.machines.merging(name):
            self.machines.resolve(name, side)
            assert self.machines.doll(name, "sync", "--continue").code in (0, 1, 5, 7)

    @rule(name=MACHINES)
    def give_up(self, name: str) -> None:
        if self.machines.merging(name):
            done = self.machines.doll(name, "sync", "--abort")
            assert done.code in (0, 5, 7), done.err
            assert self.machines.merging(name) == (done.code != 0)

    @rule(online=st.booleans())
    def lose_or_find_the_network(self, online: bool) -> None:
        self._set_online(online)


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Make the folders of the machines in that of the test, where one that is left is removed."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


class TestSyncing(Syncing.TestCase):  # type: ignore[misc,valid-type]
    settings = settings(max_examples=20, stateful_step_count=30, deadline=None)


@pytest.mark.soak
class TestSyncingLong(Syncing.TestCase):  # type: ignore[misc,valid-type]
    settings = settings(max_examples=50, stateful_step_count=300, deadline=None)
