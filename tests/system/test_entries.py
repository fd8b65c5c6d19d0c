"""Record files as entries: what they hold, what is wrong with them, and with their names."""

import os
import subprocess
from pathlib import Path

import pytest

from doll.errors import NoVaultError
from doll.records.digest import blob_id
from doll.records.limits import MAX_FILE_BYTES
from doll.vault.entries import Entries, Loader, name_problem
from doll.vault.layout import AREAS
from tests import children
from tests.entry_files import BROKEN, GOOD, Reads, load, loader, vault, warmed


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault's folder with some records."""
    return vault(tmp_path)


def test_what_is_loaded(root: Path) -> None:
    found = load(root, cached=False)
    assert [entry.path for entry in found.entries] == [
        "authority/policies/p.md",
        "confirmed/a.md",
        "confirmed/b.md",
        "confirmed/broken.md",
        "confirmed/build/c.md",
        "experience/atlas/e.md",
    ]
    assert [record.id for record in found.records] == ["a", "b", "c", "e"]
    assert [entry.record is None for entry in found.entries] == [
        *(True, False, False, True, False, False)
    ]
    for entry in found.entries:
        data = (root / entry.path).read_bytes()
        assert entry.oid == blob_id(data)
        assert entry.stamp.size == len(data)
    kept = found.entries[1].problems
    assert [(p.line, p.code, p.severity) for p in kept] == [(6, "field.unknown", "warning")]
    assert found.problems == ()


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_the_ids_are_those_of_git(root: Path, algorithm: str) -> None:
    command = ["git", "init", "-q", f"--object-format={algorithm}", str(root)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip(f"this git has no {algorithm}")
    found = Loader(root, None, "sha256" if algorithm == "sha256" else "sha1").folder("confirmed")
    for entry in found.entries:
        said = subprocess.run(
            ["git", "-C", str(root), "hash-object", entry.path],
            check=True,
            capture_output=True,
            text=True,
        )
        assert entry.oid == said.stdout.strip()


class TestBroken:
    """A broken file is reported each time, and read again only when it changes."""

    def test_each_time(self, root: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
        warmed(root, monkeypatch)
        for _ in range(3):
            reads.since()
            broken = load(root).entries[3]
            assert reads.since() == []
            assert broken.record is None
            assert [(p.line, p.column, p.code) for p in broken.problems] == [
                (2, 9, "field.value"),
                (3, 8, "field.shape"),
            ]

    def test_until_it_is_mended(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        warmed(root, monkeypatch)
        (root / "confirmed/broken.md").write_text(GOOD.format("M"), encoding="utf-8")
        assert load(root).entries[3].record is not None

    def test_a_record_that_breaks_is_said(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        warmed(root, monkeypatch)
        (root / "confirmed/a.md").write_text(BROKEN, encoding="utf-8")
        for _ in range(2):
            assert load(root).entries[1].problems

    def test_a_file_that_is_not_ours(self, root: Path) -> None:
        children.open_to_all(root)
        (root / "confirmed/a.md").chmod(0)
        ended = children.as_nobody(lambda: Loader(root, None).folder("confirmed"))
        assert ended.error is None
        (entry,) = [each for each in ended.result.entries if each.path == "confirmed/a.md"]
        assert (entry.oid, entry.record) == ("", None)
        assert [p.code for p in entry.problems] == ["file.unreadable"]
        assert "Permission denied" in entry.problems[0].message
        assert entry.problems[0].hint
        assert len(ended.result.records) == 2

    def test_a_folder_that_is_not_ours(self, root: Path) -> None:
        children.open_to_all(root)
        (root / "confirmed/build").chmod(0)
        ended = children.as_nobody(lambda: Loader(root, None).folders(AREAS))
        (root / "confirmed/build").chmod(0o755)
        assert type(ended.error) is NoVaultError
        assert "confirmed/build" in str(ended.error)

    def test_a_file_that_is_too_large_has_no_git_id(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (root / "confirmed/a.md").write_bytes(b"x" * (MAX_FILE_BYTES + 10))
        for found in (warmed(root, monkeypatch), load(root)):
            assert found.entries[1].oid == ""
            assert [p.code for p in found.entries[1].problems] == ["file.too_large"]


class TestNames:
    """A file whose name is no id is named, with the `mv` that mends it."""

    @pytest.mark.parametrize(
        ("path", "mended"),
        [
            ("confirmed/a: b.md", "'confirmed/a: b.md' 'confirmed/a- b.md'"),
            ("confirmed/-x.md", "confirmed/-x.md confirmed/x.md"),
            ("confirmed/con.md", "confirmed/con.md confirmed/record-con.md"),
            (
                "confirmed/it's (2)!.md",
                "'confirmed/it'\"'\"'s (2)!.md' 'confirmed/it'\"'\"'s (2).md'",
            ),
            ("confirmed/x\ny.md", "\"$(printf 'confirmed/x\\012y.md')\" confirmed/x-y.md"),
            ("confirmed/caf\udce9.md", "\"$(printf 'confirmed/caf\\351.md')\" confirmed/caf.md"),
            (
                "confirmed/a\u202eb.md",
                "\"$(printf 'confirmed/a\\342\\200\\256b.md')\" confirmed/a-b.md",
            ),
            ("confirmed/b\x1bc/x.md", "\"$(printf 'confirmed/b\\033c/x.md')\" confirmed/b-c/x.md"),
            (
                "confirmed/'\\\n%/x.md",
                "\"$(printf 'confirmed/'\\''\\\\\\012%%/x.md')\" confirmed/record/x.md",
            ),
        ],
    )
    def test_the_line_to_type(self, path: str, mended: str) -> None:
        problem = name_problem(path)
        assert problem is not None
        assert problem.code == "id.invalid"
        making, _, line = problem.hint.rpartition(" && ")
        assert line == f"mv -n -- {mended}"
        folder = mended.rpartition(" ")[2].rpartition("/")[0]
        assert making == (f"mkdir -p -- {folder}" if "/x.md" in path else "")

    @pytest.mark.parametrize(
        "path", ["confirmed/a.md", "confirmed/日本/é (2).md", "experience/e\u0301.md"]
    )
    def test_good_names(self, path: str) -> None:
        assert name_problem(path) is None

    @pytest.mark.parametrize(
        "name", [b"caf\xe9.md", b"x\ny.md", b"\xf0\x9f\x92\xa9.md", b"a\xe2\x80\xaeb.md", b"-.md"]
    )
    def test_the_line_works_and_the_others_load(self, root: Path, name: bytes) -> None:
        place = os.fsencode(root / "confirmed") + b"/" + name
        (root / "confirmed/a.md").rename(os.fsdecode(place))
        git = ["git", "-C", str(root)]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "add", "-A"], check=True)
        for _ in range(2):
            found = load(root)
            assert len(found.entries) == 6
            (bad,) = [e for e in found.entries if "id.invalid" in {p.code for p in e.problems}]
            assert bad.record is None
        hint = next(p.hint for p in bad.problems if p.code == "id.invalid")
        subprocess.run(["bash", "-c", hint], check=True, cwd=root)
        found = load(root)
        assert len(found.records) == 4
        assert not [p for e in found.entries for p in e.problems if p.code == "id.invalid"]


def test_folders_are_loaded_one_by_one_or_together(root: Path) -> None:
    together = load(root)
    one_by_one = [entry for area in AREAS for entry in loader(root).folder(area).entries]
    assert sorted(one_by_one, key=lambda entry: entry.path) == list(together.entries)
    assert loader(root).folder("staging") == Entries((), ())
    assert [e.path for e in loader(root).folder("authority/policies").entries] == [
        "authority/policies/p.md"
    ]


def test_many_processes_at_once_answer_alike(root: Path) -> None:
    ended = children.run(*[lambda: repr(load(root))] * 6)
    assert {child.result for child in ended} == {repr(load(root, cached=False))}
