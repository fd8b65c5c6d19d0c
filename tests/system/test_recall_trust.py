"""A cache that is lost, damaged, forged, linked or tracked changes no answer and runs nothing."""

import errno
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from doll.reconcile.refreshing import refresh
from doll.vault.sealed import Cache
from tests.desk import Desk
from tests.gitbox import put
from tests.recall_vault import memory, site

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

QUERY = ("recall", "espresso", "--json", "--explain", "--as-of", "2026-08-20T12:00:00Z")
NAMES = ("recall/index", "recall/base-a")


class _Bomb:
    """An object whose pickle makes a file when it is opened."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (f"touch {self.target}",)


@pytest.fixture(scope="module")
def prepared(started: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault with 400 memories and their index; not to be changed."""
    root = tmp_path_factory.mktemp("prepared") / "notes"
    shutil.copytree(started, root)
    for n in range(400):
        body = " ".join(f"word{n * 7 + i}" for i in range(40))
        put(root, f"confirmed/m{n:03}.md", memory(f"Espresso {n}", body))
    refresh(site(root))
    return root


@pytest.fixture
def notes(prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    shutil.copytree(prepared, tmp_path / "notes", symlinks=True)
    return Desk(tmp_path / "notes", capsys)


def _cache(desk: Desk) -> Path:
    return desk.root / ".doll" / "cache"


def _same(desk: Desk, before: str, said: str) -> None:
    """Hold the answer to its bytes, and stderr to naming the fault and the line that mends it."""
    result = desk.ok(*QUERY)
    assert result.out == before
    assert said in result.err
    assert result.err == "" or "doll index --rebuild" in result.err


def test_the_index_is_there(notes: Desk) -> None:
    kept = (_cache(notes) / "recall").iterdir()
    assert {f"recall/{place.name}" for place in kept} == set(NAMES)


def test_deleted(notes: Desk) -> None:
    before = notes.ok(*QUERY).out
    shutil.rmtree(_cache(notes))
    _same(notes, before, "")
    shutil.rmtree(notes.root / ".git" / "doll")
    shutil.rmtree(_cache(notes))
    _same(notes, before, "")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("damage", ["truncated", "garbage", "empty", "flipped", "bomb"])
def test_damaged_files_are_left_alone_and_named(notes: Desk, name: str, damage: str) -> None:
    before = notes.ok(*QUERY).out
    place = _cache(notes) / name
    data = place.read_bytes()
    witness = notes.root / "witness"
    bomb = pickle.dumps(_Bomb(witness))
    damaged = {
        "truncated": data[: len(data) // 2],
        "garbage": os.urandom(5000),
        "empty": b"",
        "flipped": data[:-1] + bytes([data[-1] ^ 1]),
        "bomb": data[:46] + bomb + data[46 + len(bomb) :],
    }[damage]
    place.write_bytes(damaged)
    _same(notes, before, f".doll/cache/{name} is not used")
    assert place.read_bytes() == damaged
    assert not witness.exists()
    rebuilt = notes.ok("index", "--rebuild")
    assert "400 records searchable" in rebuilt.out
    result = notes.ok(*QUERY)
    assert (result.out, result.err) == (before, "")


def test_a_cache_of_another_clone_is_not_opened(notes: Desk, tmp_path: Path) -> None:
    before = notes.ok(*QUERY).out
    other = Desk(tmp_path / "clone", notes._capsys)
    shutil.copytree(notes.root, other.root)
    (other.root / ".git" / "doll" / "key").write_bytes(os.urandom(32))
    _same(other, before, "doll did not write it here")
    shutil.rmtree(other.root / ".git" / "doll")
    _same(other, before, "doll did not write it here")


def test_a_linked_cache_is_not_followed(notes: Desk, tmp_path: Path) -> None:
    before = notes.ok(*QUERY).out
    _cache(notes).rename(tmp_path / "elsewhere")
    _cache(notes).symlink_to(tmp_path / "elsewhere")
    held = sorted(p.read_bytes() for p in (tmp_path / "elsewhere").rglob("*") if p.is_file())
    _same(notes, before, "is a symbolic link")
    after = sorted(p.read_bytes() for p in (tmp_path / "elsewhere").rglob("*") if p.is_file())
    assert after == held


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMES)
def test_a_linked_file_is_not_followed(notes: Desk, tmp_path: Path, name: str) -> None:
    before = notes.ok(*QUERY).out
    place = _cache(notes) / name
    place.rename(tmp_path / "file")
    place.symlink_to(tmp_path / "file")
    held = (tmp_path / "file").read_bytes()
    _same(notes, before, f".doll/cache/{name} is not used")
    notes.ok("index", "--rebuild")
    assert not place.is_symlink()
    assert (tmp_path / "file").read_bytes() == held


def test_a_tracked_cache_is_not_opened(notes: Desk) -> None:
    before = notes.ok(*QUERY).out
    notes.git("add", "-f", ".doll/cache")
    held = {p: p.read_bytes() for p in _cache(notes).rglob("*") if p.is_file()}
    _same(notes, before, "it is tracked by git")
    assert {p: p.read_bytes() for p in _cache(notes).rglob("*") if p.is_file()} == held


def test_one_sealed_file_cannot_stand_for_another(notes: Desk) -> None:
    before = notes.ok(*QUERY).out
    head, base = (_cache(notes) / name for name in NAMES)
    base.write_bytes(head.read_bytes())
    _same(notes, before, "recall/base-a is not used")


def test_an_old_base_under_a_new_head_is_made_anew(notes: Desk) -> None:
    before = notes.ok(*QUERY).out
    old = (_cache(notes) / NAMES[1]).read_bytes()
    notes.ok("index", "--rebuild")
    for name in ("recall/base-a", "recall/base-b"):
        (_cache(notes) / name).write_bytes(old)
    assert notes.ok(*QUERY).out == before


def test_a_sealed_index_that_whoosh_cannot_read_is_made_anew(notes: Desk) -> None:
    """Sealed with the right key and still broken, as after a bug or another Whoosh."""
    import msgspec

    from doll.reconcile import manifest as manifests

    before = notes.ok(*QUERY).out
    cache = Cache(notes.root, notes.root / ".git" / "doll")
    for broken in (b"", b"\xff" * 500):
        data = cache.load("recall/index")
        assert data is not None
        held = manifests.decode(data)
        assert held is not None
        toc = dict.fromkeys(held.files, broken)
        wrong = msgspec.structs.replace(held, files=toc)
        assert cache.store("recall/index", manifests.encode(wrong))
        result = notes.ok(*QUERY)
        assert result.out == before
        assert result.err.count("made anew") == 1
        assert notes.ok(*QUERY).err == ""


def test_a_sealed_base_that_whoosh_cannot_read_is_made_anew(notes: Desk) -> None:
    """The manifest is whole and nothing changed, so it shows only in the search."""
    before = notes.ok(*QUERY).out
    cache = Cache(notes.root, notes.root / ".git" / "doll")
    data = cache.load("recall/base-a")
    assert data is not None
    label = data.partition(b"\n")[0] + b"\n"
    for broken in (
        label,
        label + b"\xff" * 500,
        data[:-200] + b"\xff" * 200,
        data[: len(data) // 2],
    ):
        assert cache.store("recall/base-a", broken)
        result = notes.ok(*QUERY)
        assert result.out == before
        assert result.err.count("made anew") <= 1
        assert notes.ok(*QUERY) == (0, before, "")
        assert cache.store("recall/base-a", data)
        assert notes.ok("index", "--rebuild").code == 0


def test_an_index_of_another_version_is_made_anew_without_a_word(notes: Desk) -> None:
    import msgspec

    from doll.reconcile import manifest as manifests

    before = notes.ok(*QUERY).out
    cache = Cache(notes.root, notes.root / ".git" / "doll")
    data = cache.load("recall/index")
    assert data is not None
    held = manifests.decode(data)
    assert held is not None
    other = msgspec.structs.replace(held, key="0/other")
    assert cache.store("recall/index", manifests.encode(other))
    result = notes.ok(*QUERY)
    assert (result.out, result.err) == (before, "")


def _in_the_way(notes: Desk, what: str) -> None:
    """Put something where the index is kept: a link or a file for a folder, a folder for a file."""
    recall = _cache(notes) / "recall"
    shutil.rmtree(recall if "index" in what or "recall" in what else _cache(notes))
    elsewhere = notes.root.parent / "elsewhere"
    elsewhere.mkdir()
    if what == "index is a folder":
        (recall / "index" / "kept").mkdir(parents=True)
    elif what == "recall is a symbolic link":
        recall.symlink_to(elsewhere)
    elif what == "recall is not a folder":
        recall.write_text("mine")
    elif what == "cache is a symbolic link":
        _cache(notes).symlink_to(elsewhere)
    else:
        _cache(notes).write_text("mine")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("what", "hint"),
    [
        ("index is a folder", "remove that folder, then doll index --rebuild"),
        ("recall is a symbolic link", "rm -- .doll/cache/recall && doll index --rebuild"),
        ("recall is not a folder", "rm -- .doll/cache/recall && doll index --rebuild"),
        ("cache is a symbolic link", "rm -- .doll/cache && doll index --rebuild"),
        ("cache is not a folder", "rm -- .doll/cache && doll index --rebuild"),
    ],
)
def test_what_cannot_be_kept_is_no_success_and_says_why(notes: Desk, what: str, hint: str) -> None:
    before = notes.ok(*QUERY).out
    _in_the_way(notes, what)
    result = notes.ok(*QUERY)
    assert result.out == before
    assert what in result.err
    assert hint in result.err
    said = notes.refused(74, "index", "--rebuild")
    assert f"cannot be kept: {what}" in said
    assert hint in said


def test_a_full_disk_is_no_success(notes: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("doll.vault.temporary.write_beside", full)
    said = notes.refused(74, "index", "--rebuild")
    assert "cannot be kept: No space left on device" in said
    assert "free space" in said


def test_a_cache_that_cannot_be_written_is_said(notes: Desk) -> None:
    before = notes.ok(*QUERY).out
    shutil.rmtree(_cache(notes))
    (notes.root / ".doll" / "cache").mkdir()
    (notes.root / ".doll" / "cache" / "recall").write_text("a file in the way")
    result = notes.ok(*QUERY)
    assert result.out == before
    assert "could not be kept" in result.err
