"""Where an export is written: whole, beside its loss report, and over nothing of the user's."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from doll.errors import StorageError
from doll.services.exporting import writing
from doll.vault import files
from tests.desk import Desk
from tests.exports import remember, run

pytestmark = pytest.mark.sampled(4)

EXPORT = ("export", "pam", "--owner", "ada", "--all")


@pytest.fixture
def stocked(desk: Desk) -> Desk:
    """A vault with two memories and an archived one."""
    remember(desk, good="title: Good | `x`\ntags: [A|b]", tea="title: Tea", old="status: archived")
    return desk


def test_an_export_lies_beside_its_loss_report(stocked: Desk, tmp_path: Path) -> None:
    out = tmp_path / "store.json"
    told = run(stocked, "--all", "--out", str(out), "--json").json
    assert told["file"] == str(out)
    assert told["loss_report"] == f"{out}.loss.md"
    data = out.read_bytes()
    assert told["sha256"] == hashlib.sha256(data).hexdigest()
    assert data == run(stocked, "--all").out.encode()
    assert "document" not in told
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "store.json",
        "store.json.loss.md",
    ]


def test_the_loss_report_in_full(stocked: Desk, tmp_path: Path) -> None:
    out = tmp_path / "store.json"
    told = run(stocked, "--all", "--out", str(out), "--json").json
    assert (
        Path(f"{out}.loss.md").read_text(encoding="utf-8")
        == f"""\
# What this export does not hold

A loss report of doll's for `store.json`: the export is partial.

- export: `{told["export_id"]}`, of 2026-08-20T14:32:05Z, owner `ada`
- SHA-256: `{told["sha256"]}`
- asked for: `all memories`, as accepted at `{told["accepted_commit"]}`
- memories: 2

## Records that are not in it

- 1: is archived
- 2 records of authority: PAM holds memories only

## Fields that do not survive

| field | records | why |
|---|---|---|
| `id` | 2 | whoever imports it gives it an id of its own |
| `title` | 2 | PAM has no title; a record's own summary comes first |
| `tags` | 1 | PAM allows only a-z, 0-9, _ and - in a tag |

## Record by record

- `good`: `id`, `title`, `tags` (`A\\|b is left out`)
- `tea`: `id`, `title`
"""
    )


def test_the_loss_report_names_no_record_that_is_left_out(stocked: Desk, tmp_path: Path) -> None:
    out = tmp_path / "store.json"
    run(stocked, "--all", "--out", str(out))
    assert "old" not in Path(f"{out}.loss.md").read_text(encoding="utf-8").split()


def test_without_out_stdout_is_the_export_alone(stocked: Desk) -> None:
    for options in ((), ("--out", "-")):
        result = run(stocked, "--all", *options)
        assert json.loads(result.out)["schema"] == "portable-ai-memory"
        assert "this export is partial" in result.err
        assert "1 left out: is archived (old)" in result.err


def test_the_folder_that_is_wanting_is_made_by_the_line(stocked: Desk) -> None:
    out = ("--out", "here & there/store.json")
    line = stocked.refused(2, *EXPORT, *out).splitlines()[1].strip()
    stocked.at("..").type(line)
    run(stocked, "--all", *out)
    said = stocked.refused(2, *EXPORT, "--out", "doll.yaml/below/store.json")
    assert f"name a place in a folder: {stocked.root}/doll.yaml is none" in said


def test_an_earlier_export_is_replaced(stocked: Desk, tmp_path: Path) -> None:
    out = tmp_path / "store.json"
    run(stocked, "--all", "--out", str(out))
    before = out.read_bytes()
    remember(stocked, more="title: More")
    run(stocked, "--all", "--out", str(out))
    assert out.read_bytes() != before
    assert "`more`" in Path(f"{out}.loss.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["store.json", "store.json.loss.md"])
def test_another_file_is_not_replaced_unless_forced(
    stocked: Desk, tmp_path: Path, name: str
) -> None:
    out, other = tmp_path / "store.json", tmp_path / name
    other.write_text("mine\n", encoding="utf-8")
    said = stocked.refused(5, *EXPORT, "--out", str(out))
    assert f"{other} is there and is no" in said
    assert "--force" in said
    assert other.read_text(encoding="utf-8") == "mine\n"
    assert out.exists() == (other == out)
    run(stocked, "--all", "--out", str(out), "--force")
    assert other.read_text(encoding="utf-8") != "mine\n"


@pytest.mark.parametrize(
    "place",
    [
        "confirmed/store.json",
        "confirmed/deep/store.json",
        "staging/store.json",
        "experience/store.json",
        "authority/store.json",
        "authority/projects/store.json",
        ".doll/store.json",
        ".git/store.json",
        "doll.yaml",
        "linked/store.json",
    ],
)
def test_no_export_is_written_among_records(stocked: Desk, place: str) -> None:
    (stocked.root / "linked").symlink_to("confirmed")
    (stocked.root / place).parent.mkdir(parents=True, exist_ok=True)
    before = stocked.files()
    said = stocked.refused(2, *EXPORT, "--force", "--out", place)
    assert "where an export does not belong" in said
    assert stocked.files() == before


def test_an_export_may_lie_in_the_vault_beside_the_records(stocked: Desk) -> None:
    run(stocked, "--all", "--out", "store.json")
    assert json.loads(stocked.read("store.json"))["schema"] == "portable-ai-memory"
    stocked.ok("validate")


def test_places_that_are_no_files(stocked: Desk, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "link", "pipe", "missing/store.json"):
        stocked.refused(2, *EXPORT, "--force", "--out", str(tmp_path / name))
    assert not (tmp_path / "target").exists()


def test_an_export_that_cannot_be_written_takes_its_report_along(
    stocked: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(root: Path, path: str, data: bytes) -> None:
        if not path.endswith(".loss.md"):
            raise StorageError(f"{path} cannot be written: the disk is full")
        create(root, path, data)

    create = files.create
    monkeypatch.setattr(files, "create", full)
    stocked.refused(74, *EXPORT, "--out", str(tmp_path / "store.json"))
    assert list(tmp_path.glob("store*")) == []


def test_a_file_that_came_meanwhile_is_not_replaced(
    stocked: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "store.json"
    monkeypatch.setattr(writing, "check", lambda *_, force: out.write_text("mine\n") and force)
    stocked.refused(5, *EXPORT, "--out", str(out))
    assert out.read_text(encoding="utf-8") == "mine\n"
    assert [path.name for path in tmp_path.glob("store*")] == ["store.json"]


def test_text_of_records_stays_data_in_the_report(stocked: Desk, tmp_path: Path) -> None:
    hostile = "a`|\\n# heading\\n\\e[31m\\u202e"
    remember(stocked, hostile=f'tags: ["{hostile}"]\n"odd `key|": 1')
    out = tmp_path / "store.json"
    result = run(stocked, "--all", "--out", str(out))
    text = Path(f"{out}.loss.md").read_text(encoding="utf-8")
    for said in (text, result.out, result.err):
        assert "\x1b" not in said
        assert "\u202e" not in said
    assert not [line for line in text.splitlines() if line.startswith("# heading")]
    assert r"``a`\|\u{a}# heading\u{a}\u{1b}[31m\u{202e} is left out``" in text
    assert r"``odd `key\|``" in text


def test_what_cannot_be_written_leaves_nothing(stocked: Desk, tmp_path: Path) -> None:
    out = tmp_path / ("x" * 250 + ".json")
    result = stocked.doll(*EXPORT, "--out", str(out))
    assert result.code in (2, 74)
    assert list(tmp_path.glob("x*")) == []
