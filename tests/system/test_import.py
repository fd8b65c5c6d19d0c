"""`doll import pam`: all of a document or nothing, readable, and the same every time."""

import json
import re
import shutil
from pathlib import Path

import pytest

from doll.records.codec import parse
from tests.foreign_desk import ForeignDesk, three
from tests.pam_documents import encoded, full_memory, memory, sealed, store

pytestmark = pytest.mark.sampled(4)


def test_every_memory_becomes_one_candidate_and_the_report_says_all(desk: ForeignDesk) -> None:
    done = desk.bring(three(), "--name", "mine").json
    assert done["counts"] == {"new": 3, "changed": 0, "unchanged": 0, "parked": 0, "refused": 0}
    assert done["folder"] == "staging/pam/mine"
    assert done["facts"]["checksum"] == "verified"
    assert done["facts"]["signature"] == "none"
    paths = sorted(path for path in desk.files() if path.startswith("staging/"))
    assert paths == sorted(
        [
            "staging/pam/mine/_import.md",
            "staging/pam/mine/source/store.json",
            *(each["path"] for each in done["candidates"]),
        ]
    )
    for each in done["candidates"]:
        data = desk.files()[each["path"]]
        parsed = parse(data, each["path"], each["id"], None)
        assert parsed.problems == ()
        assert parsed.record is not None
        assert parsed.record.digest == each["sha256"]
        assert parsed.record.fields.origin == "import"


def test_the_bytes_of_the_source_are_kept_exactly(desk: ForeignDesk) -> None:
    data = encoded(three()).replace(b"\n", b"\r\n") + b"\r\n"
    desk.bring(data, "--name", "mine")
    assert desk.files()["staging/pam/mine/source/store.json"] == data


def test_the_report_names_every_field_that_did_not_map(desk: ForeignDesk) -> None:
    done = desk.bring(store(full_memory(), memory(id="mem-1")), "--name", "mine").json
    report = desk.read("staging/pam/mine/_import.md")
    for loss in done["losses"]:
        assert f"| `{loss['field']}` | {loss['count']} | {loss['reason']} |" in report
    fields = {loss["field"] for loss in done["losses"]}
    assert "/memories/*/confidence/current" in fields
    assert "/memories/*/access/shared_with" in fields
    assert "/memories/*/embedding_ref" in fields
    assert f"- SHA-256: `{done['source']['sha256']}`" in report
    assert "read by: doll's pam adapter, version 1" in report


def test_the_report_says_when_what_was_checked(desk: ForeignDesk) -> None:
    desk.bring(three(), "--name", "mine")
    report = desk.read("staging/pam/mine/_import.md")
    assert "- checksum: `verified`" in report
    assert "| 3 | 0 | 0 | 0 | 0 |" in report
    assert len(re.findall(r"(?m)^[0-9a-f]{64}  \S+\.md  \"mem-\d\"$", report)) == 3


def test_the_same_file_again_changes_nothing(desk: ForeignDesk) -> None:
    desk.bring(three(), "--name", "mine")
    before = desk.files()
    for options in ((), ("--name", "mine"), ("--name", "other"), ("--commit",)):
        again = desk.bring(three(), *options)
        assert desk.files() == before
        assert again.json["counts"]["unchanged"] == 3
        assert again.json["folder"] is None
    text = desk.ok("import", "pam", str(desk.export(three())))
    assert "nothing new, nothing was written" in text.out
    assert "next:" not in text.err


def test_the_same_memories_in_another_document_are_unchanged(desk: ForeignDesk) -> None:
    desk.bring(three(), "--name", "mine")
    again = three() | {"export_id": "export-2"}
    assert desk.bring(again).json["counts"]["unchanged"] == 3


def test_a_later_export_brings_only_what_is_new_or_changed(desk: ForeignDesk) -> None:
    first = desk.bring(three(), "--name", "first").json["candidates"]
    later = three()
    later["memories"][1]["content"] = "Keeps four bees."
    later["memories"].append(memory("Plays the cello.", id="mem-4"))
    done = desk.bring(sealed(later), "--name", "second").json
    assert done["counts"] == {"new": 1, "changed": 1, "unchanged": 2, "parked": 0, "refused": 0}
    candidates = {each["source_id"]: each for each in done["candidates"]}
    assert set(candidates) == {"mem-2", "mem-4"}
    earlier = next(each for each in first if each["source_id"] == "mem-2")
    stem = earlier["id"].partition("/")[2]
    assert candidates["mem-2"]["updates"] == stem
    assert f"\nupdates: {stem}\n" in desk.read(candidates["mem-2"]["path"])
    assert "updates" not in desk.read(candidates["mem-4"]["path"])


def test_a_third_version_updates_the_second(desk: ForeignDesk) -> None:
    stems = []
    for number, content in enumerate(["one bee", "two bees", "three bees"]):
        done = desk.bring(store(memory(content)), "--name", f"{'zma'[number]}-import").json
        stems.append(done["candidates"][0]["id"].partition("/")[2])
        updates = done["candidates"][0]["updates"]
    assert updates == stems[1]


def test_another_owner_with_the_same_ids_is_another_source(desk: ForeignDesk) -> None:
    desk.bring(three(), "--name", "first")
    other = three() | {"owner": {"id": "someone-else"}}
    assert desk.bring(other, "--name", "second").json["counts"]["new"] == 3


def test_the_bytes_are_the_same_in_every_vault(
    desk: ForeignDesk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(desk.root, tmp_path / "elsewhere")
    other = ForeignDesk(tmp_path / "elsewhere", capsys)
    desk.bring(store(full_memory(), memory()), "--name", "mine")
    other.bring(store(full_memory(), memory()), "--name", "mine")
    assert desk.files() == other.files()


def test_a_dry_run_reports_the_same_and_writes_nothing(desk: ForeignDesk) -> None:
    before = desk.files()
    tried = desk.bring(three(), "--name", "mine", "--dry-run", "--commit").json
    assert desk.files() == before
    assert not (desk.root / ".git" / "doll" / "lock").exists()
    head = desk.head()
    done = desk.bring(three(), "--name", "mine").json
    assert desk.head() == head
    assert tried.pop("dry_run")
    assert not done.pop("dry_run")
    assert tried == done


def test_names(desk: ForeignDesk) -> None:
    done = desk.bring(store(memory("one")), "--name", "mine").json
    assert done["import"] == "mine"
    other = desk.bring(store(memory("two", id="mem-2")), "--name", "Mine").json
    assert other["import"] == f"Mine-{other['source']['sha256'][:8]}"
    assert "another source has the name Mine" in other["note"]
    default = desk.bring(store(memory("three", id="mem-3"))).json
    assert default["import"] == f"store-{default['source']['sha256'][:8]}"
    text = desk.ok("import", "pam", str(desk.export(store(memory("4", id="m4")))), "--name", "mine")
    assert "another source has the name mine, so this one is mine-" in text.out


@pytest.mark.parametrize("name", ["../x", "proposals", "source", "a/b", "", "con"])
def test_no_name_leads_elsewhere(desk: ForeignDesk, name: str) -> None:
    place = desk.export(three())
    err = desk.refused(2, "import", "pam", str(place), "--name", name)
    assert "--name" in err


def test_commit_commits_just_the_import(desk: ForeignDesk) -> None:
    desk.put("confirmed/tea.md", "---\ntitle: Tea\n---\n")
    desk.git("add", "confirmed/tea.md")
    desk.put("confirmed/bees.md", "---\ntitle: Bees\n---\n")
    done = desk.bring(three(), "--name", "mine", "--commit").json
    assert done["commit"] == desk.head()
    changed = desk.git("show", "--name-only", "--format=%s", "HEAD").splitlines()
    assert changed[0] == "import mine"
    assert {line.rpartition("/")[0] for line in changed[2:]} == {
        "staging/pam/mine",
        "staging/pam/mine/source",
    }
    assert desk.status() == ["A  confirmed/tea.md", "?? confirmed/bees.md"]


def test_what_to_type_next_is_said(desk: ForeignDesk) -> None:
    done = desk.ok("import", "pam", str(desk.export(three())), "--name", "mine")
    assert "git add staging && git diff --cached" in done.err
    assert "git commit -m 'import mine' -- staging/pam/mine" in done.err
    assert "doll review" in done.err
    desk.git("add", "staging")
    desk.git("commit", "-m", "import mine")
    assert desk.status() == []


def test_a_failed_commit_leaves_the_import_and_says_so(desk: ForeignDesk) -> None:
    desk.put(".git/hooks/pre-commit", "#!/bin/sh\necho no >&2\nexit 1\n")
    (desk.root / ".git/hooks/pre-commit").chmod(0o755)
    place = desk.export(three())
    done = desk.doll("import", "pam", str(place), "--name", "mine", "--commit")
    assert done.code == 7
    assert "staging/pam/mine is written, and could not be committed" in done.err
    assert (desk.root / "staging/pam/mine/_import.md").is_file()
    assert desk.bring(three()).json["counts"]["unchanged"] == 3


def test_without_identity_a_commit_is_refused_before_anything_is_written(
    desk: ForeignDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_AUTHOR_NAME", "")
    place = desk.export(three())
    err = desk.refused(5, "import", "pam", str(place), "--commit")
    assert "git config --global user.name" in err


def test_a_vault_in_a_folder_of_a_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = ForeignDesk(tmp_path / "code", capsys)
    code.root.mkdir()
    code.git("init", "-q", "-b", "main")
    code.ok("init", "notes")
    notes = ForeignDesk(code.root / "notes", capsys)
    notes.bring(three(), "--name", "mine", "--commit")
    assert code.status() == ["?? exports/store.json"]
    assert "notes/staging/pam/mine/_import.md" in code.git("ls-files")
    assert notes.bring(three()).json["counts"]["unchanged"] == 3
    text = code.ok("import", "pam", str(notes.export(three())), "--vault", "notes")
    assert "3 unchanged" in text.out


def test_the_example_of_the_specification(
    foreign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = ForeignDesk(tmp_path / "notes", capsys)
    (tmp_path / "notes").mkdir()
    desk.ok("init")
    source = foreign / "pam" / "example-memory-store.json"
    done = desk.ok("import", "pam", str(source), "--name", "example", "--json").json
    assert done["counts"]["new"] == len(json.loads(source.read_bytes())["memories"])
    assert done["facts"]["checksum"] == "verified"
    assert done["facts"]["signature"] == "not_checkable"
    report = desk.read("staging/pam/example/_import.md")
    for field in (
        "/memories/*/access/visibility",
        "/memories/*/confidence/current",
        "/memories/*/embedding_ref",
        "/relations/*",
    ):
        assert f"`{field}`" in report
    desk.git("add", "staging")
    shown = desk.git("diff", "--cached")
    assert "Binary files /dev/null and b/staging/pam/example/source/" in shown
    assert '"owner"' not in shown
    desk.git("commit", "-m", "import example")
    assert desk.doll("validate").code == 0
