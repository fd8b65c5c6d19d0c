"""The index follows the disk: after any changes it is what one made from nothing would be."""

import os
import shutil
import signal
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule

from doll.recall.by_serial import Tabled
from doll.recall.lexical import rank
from doll.reconcile import parts
from doll.reconcile.refreshing import Fresh, Site, clean, refresh
from doll.vault.sealed import Cache
from doll.vault.snapshot import snapshot
from tests import children
from tests.desk import Desk
from tests.gitbox import git
from tests.recall_vault import agrees, content, entry, ids, memory, opened

pytestmark = pytest.mark.sampled(4)

WORDS = st.lists(
    st.sampled_from(["espresso", "coffee", "totalCost", "咖啡", "C++", "the"]), max_size=6
)
NAMES = st.sampled_from(["a", "b", "c", "build/d", "dist/deep/e"])


# Long enough for the clock of the file system, short enough to wait for.
RACY_NS = 20_000_000


class _KilledError(BaseException):
    pass


def scored(fresh: Fresh) -> dict[str, int]:
    """Return the scores of a query by path."""
    rows = Tabled(fresh.rows)
    scores = rank(fresh.index, rows.lengths(), ("espresso", "coffe", "total", "咖", "the")).scores
    return {rows[serial].path: score for serial, score in scores.items()}


class Following(RuleBasedStateMachine):
    """Any edits, renames, deletes and breakages, with kills in the middle of keeping the index."""

    paths = Bundle("paths")

    @initialize()
    def start(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="doll-follows-"))
        git(self.root, "init", "-q", "-b", "main")
        git(self.root, "commit", "-q", "--allow-empty", "-m", "first")

    def teardown(self) -> None:
        try:
            self.look()
        finally:
            shutil.rmtree(self.root)

    def _site(self) -> Site:
        state = self.root / ".git" / "doll"
        return Site(self.root, Cache(self.root, state), state)

    def _write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    @rule(target=paths, name=NAMES, title=WORDS, body=WORDS, look=st.booleans())
    def write_memory(self, name: str, title: list[str], body: list[str], look: bool) -> str:
        path = f"confirmed/{name}.md"
        self._write(path, memory(" ".join(["x", *title]), " ".join(body)))
        if look:
            self.look()
        return path

    @rule(target=paths, name=NAMES, body=WORDS)
    def write_entry(self, name: str, body: list[str]) -> str:
        path = f"experience/atlas/{name}.md"
        self._write(path, entry("A summary", " ".join(body)))
        return path

    @rule(path=paths)
    def make_secret(self, path: str) -> None:
        self._write(path, memory("secret", "quokka", sensitivity="secret"))

    @rule(path=paths, text=st.sampled_from(["---\n", "", "no front matter", "---\na: [\n---\n"]))
    def break_it(self, path: str, text: str) -> None:
        self._write(path, text)

    @rule(path=paths)
    def touch(self, path: str) -> None:
        if (self.root / path).exists():
            (self.root / path).touch()

    @rule(path=paths, look=st.booleans())
    def delete(self, path: str, look: bool) -> None:
        (self.root / path).unlink(missing_ok=True)
        if look:
            self.look()

    @rule(path=paths, name=NAMES)
    def rename(self, path: str, name: str) -> None:
        target = self.root / f"confirmed/{name}.md"
        if (self.root / path).exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).rename(target)

    @rule(path=paths)
    def link(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).symlink_to("/nowhere")

    @rule()
    def drop_a_folder(self) -> None:
        shutil.rmtree(self.root / "confirmed" / "build", ignore_errors=True)

    @rule()
    def let_stamps_settle(self) -> None:
        time.sleep(2 * RACY_NS / 1e9)

    @rule(after=st.integers(0, 1))
    def be_killed_while_keeping(self, after: int) -> None:
        kept = Cache.store
        calls = iter(range(10))

        def store(cache: Cache, name: str, *data: bytes | memoryview) -> bool:
            if next(calls) >= after:
                raise _KilledError
            return kept(cache, name, *data)

        with mock.patch.object(Cache, "store", store), suppress(_KilledError):
            refresh(self._site())

    @rule(after=st.integers(0, 12))
    def be_killed_while_reading(self, after: int) -> None:
        self._build_dying_in(parts, "read", after)
        for folder in ("confirmed", "experience"):
            assert not list((self.root / folder).rglob(".*"))

    @rule(after=st.integers(0, 3))
    def be_killed_while_writing(self, after: int) -> None:
        self._build_dying_in(Path, "replace", after)

    def _build_dying_in(self, of: object, name: str, after: int) -> None:
        """Refresh in another process that is killed in its call number `after` of a function."""
        real = getattr(of, name)
        calls = iter(range(1000))

        def dying(*said: Any) -> Any:
            if next(calls) >= after:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*said)

        def build() -> None:
            with mock.patch.object(of, name, dying):
                refresh(self._site())

        (ended,) = children.run(build)
        assert ended.error is None

    @rule()
    def commit(self) -> None:
        git(self.root, "add", "-A", "confirmed", "experience", code=None)
        git(self.root, "commit", "-q", "--allow-empty", "-m", "more")

    @rule(branch=st.sampled_from(["main", "other", "third"]))
    def check_out(self, branch: str) -> None:
        there = git(self.root, "branch", "--list", branch)
        git(self.root, "checkout", "-q", "-f", *([] if there else ["-b"]), branch)

    @rule()
    def go_back(self) -> None:
        git(self.root, "checkout", "-q", "-f", "--detach", "HEAD~1", code=None)

    @rule()
    def lose_the_cache(self) -> None:
        shutil.rmtree(self.root / ".doll", ignore_errors=True)

    @rule()
    def look(self) -> None:
        fresh, made = refresh(self._site()), clean(self._site())
        assert content(fresh) == content(made)
        assert scored(fresh) == scored(made)
        serials = [row.serial for row in fresh.rows if row.serial]
        assert len(serials) == len(set(serials))
        there = {path for path, _ in snapshot(self.root, ("confirmed", "experience")).files}
        assert {row.path for row in fresh.rows} <= there
        assert "quokka" not in fresh.index.terms()
        assert fresh.notices == ()


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Make the folders of the machine in that of the test, where one that is left is removed."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture(autouse=True)
def _merge_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let merges and base segments come with few records too."""
    monkeypatch.setattr("doll.reconcile.applying.MIN_DEAD", 2)
    monkeypatch.setattr("doll.reconcile.shelf.MIN_BASE", 1)
    monkeypatch.setattr("doll.vault.snapshot.RACY_NS", RACY_NS)


class TestFollowing(Following.TestCase):  # type: ignore[misc,valid-type]
    settings = settings(max_examples=12, stateful_step_count=20, deadline=None)


@pytest.mark.soak
class TestFollowingLong(Following.TestCase):  # type: ignore[misc,valid-type]
    settings = settings(max_examples=200, stateful_step_count=50, deadline=None)


def test_answers_are_those_of_a_clean_index(desk: Desk) -> None:
    for n in range(30):
        desk.put(f"confirmed/m{n:02}.md", memory(f"Note {n}", "espresso " * (n % 5) + "sugar"))
    ids(desk.root, "espresso")
    for n in range(0, 30, 3):
        desk.put(f"confirmed/m{n:02}.md", memory(f"Note {n}", "espresso sugar milk"))
    (desk.root / "confirmed/m01.md").unlink()
    (desk.root / "confirmed/m02.md").rename(desk.root / "confirmed/m99.md")
    grown = desk.ok("recall", "espresso milk", "--json", "--limit", "50").json
    assert agrees(desk.root)
    shutil.rmtree(desk.root / ".doll")
    made = desk.ok("recall", "espresso milk", "--json", "--limit", "50").json
    assert {**grown, "as_of": ""} == {**made, "as_of": ""}
    assert "m99" in [hit["id"] for hit in made["hits"]]
    assert "m02" not in [hit["id"] for hit in made["hits"]]


def test_a_checkout_of_other_versions(desk: Desk) -> None:
    for n in range(12):
        desk.put(f"confirmed/m{n}.md", memory(f"Zebra {n}"))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "zebras")
    assert len(ids(desk.root, "zebra")) == 12
    desk.git("switch", "-q", "-c", "other", "HEAD~1")
    desk.put("confirmed/other.md", memory("Zebra on another branch"))
    assert ids(desk.root, "zebra") == ["other"]
    (desk.root / "confirmed/other.md").unlink()
    git(desk.root, "switch", "-q", "main")
    assert len(ids(desk.root, "zebra")) == 12
    assert agrees(desk.root)


def test_a_change_within_one_stamp_is_seen(desk: Desk) -> None:
    """An edit of the same size within the same moment, with its times set back."""
    import os

    desk.put("confirmed/a.md", memory("Zebra"))
    place = desk.root / "confirmed/a.md"
    before = place.stat()
    assert ids(desk.root, "zebra") == ["a"]
    place.write_text(place.read_text().replace("Zebra", "Camel"))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert ids(desk.root, "zebra") == []
    assert ids(desk.root, "camel") == ["a"]


def test_a_record_that_changes_while_it_is_read_is_looked_at_again(desk: Desk) -> None:
    from doll.services.recalling import searching as recalling
    from doll.services.recalling.source import Source

    desk.put("confirmed/a.md", memory("Zebra"))
    desk.put("confirmed/b.md", memory("Zebra"))
    real = Source.read
    edits = iter([memory("Zebra, edited just now")])

    def meddling(source: Source, serial: int) -> Any:
        text = next(edits, None)
        if text is not None:
            desk.put("confirmed/a.md", text)
        return real(source, serial)

    with mock.patch.object(Source, "read", meddling):
        answer = recalling.recall(opened(desk.root), "zebra", _now()).answer
    assert {hit.name for hit in answer.hits} == {"Zebra", "Zebra, edited just now"}
    assert answer.changed == 0


@pytest.mark.parametrize("algorithm", ["lexical/1", "associative/1"])
def test_a_record_that_never_rests_is_counted(desk: Desk, algorithm: str) -> None:
    from doll.services.recalling import searching as recalling
    from doll.services.recalling.source import Source

    desk.put("confirmed/a.md", memory("Zebra"))
    desk.put("confirmed/b.md", memory("Zebra"))
    real = Source.read

    def restless(source: Source, serial: int) -> Any:
        desk.put("confirmed/a.md", (desk.root / "confirmed/a.md").read_text() + "more\n")
        return real(source, serial)

    with mock.patch.object(Source, "read", restless):
        answer = recalling.recall(opened(desk.root), "zebra", _now(), name=algorithm).answer
    assert [hit.id for hit in answer.hits] == ["b"]
    assert answer.changed == 1


def _now() -> Any:
    from tests.recall_vault import NOW

    return NOW
