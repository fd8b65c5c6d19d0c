"""Conversations and embeddings beside a memory store: listed by digest, kept where asked for."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.foreign_desk import AWS, ForeignDesk
from tests.pam_bundles import MAIN, conversation, files, folder, indexed, packed
from tests.pam_documents import Json, encoded

pytestmark = pytest.mark.sampled(4)


def given(desk: ForeignDesk, form: str, contents: dict[str, bytes]) -> Path:
    place = desk.root.parent / "exports" / "bundle"
    if form == "folder":
        return folder(place, contents)
    if form == "zip in a folder":
        contents = {f"export/{name}": data for name, data in contents.items()}
    place = place.with_suffix(".zip")
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(packed(contents))
    return place


def bring(desk: ForeignDesk, place: Path, *options: str, code: int = 0) -> Json:
    result = desk.doll("import", "pam", str(place), "--json", *options, stdin=b"")
    assert result.code == code, result.err + result.out
    found: Json = result.json
    return found


FORMS = pytest.mark.parametrize("form", ["folder", "zip", "zip in a folder"])


@FORMS
def test_they_are_listed_by_digest_and_not_kept(desk: ForeignDesk, form: str) -> None:
    contents = files()
    done = bring(desk, given(desk, form, contents), "--name", "mine")
    base = "export/" if form == "zip in a folder" else ""
    listed = {each["path"]: each for each in done["companions"]}
    assert set(listed) == {f"{base}conversations/conv-1.json", f"{base}embeddings.json"}
    talk = listed[f"{base}conversations/conv-1.json"]
    data = contents["conversations/conv-1.json"]
    assert (talk["kind"], talk["about"]) == ("conversation", ["conv-1"])
    assert (talk["sha256"], talk["bytes"]) == (hashlib.sha256(data).hexdigest(), len(data))
    assert listed[f"{base}embeddings.json"]["kind"] == "embeddings"
    assert all(each["kept"] is None for each in done["companions"])
    report = desk.read("staging/pam/mine/_import.md")
    assert f"- conversation: `{base}conversations/conv-1.json` (`conv-1`), " in report
    assert all(each["sha256"] in report for each in done["companions"])
    kept = [path for path in desk.files() if "/source/" in path]
    assert kept == [f"staging/pam/mine/source/{base}{MAIN}"]
    assert done["counts"]["new"] == 1


def test_an_import_goes_by_the_archive_s_name_without_its_ending(desk: ForeignDesk) -> None:
    place = given(desk, "zip", files())
    done = bring(desk, place)
    assert done["import"] == f"bundle-{done['source']['sha256'][:8]}"
    assert "- source archive: `bundle.zip`" in desk.read(f"{done['folder']}/_import.md")


@FORMS
def test_keep_source_keeps_their_exact_bytes(desk: ForeignDesk, form: str) -> None:
    contents = files()
    done = bring(desk, given(desk, form, contents), "--name", "mine", "--keep-source", "--commit")
    for each in done["companions"]:
        kept = desk.root / "staging/pam/mine" / each["kept"]
        assert hashlib.sha256(kept.read_bytes()).hexdigest() == each["sha256"]
    names = {path.rpartition("/source/")[2] for path in desk.files() if "/source/" in path}
    assert {name.removeprefix("export/") for name in names} == set(contents)
    assert desk.doll("validate").code == 0
    assert len(list((desk.root / "staging/pam/mine").glob("*.md"))) == 2


def test_what_holds_a_secret_is_not_kept_and_the_rest_is(desk: ForeignDesk) -> None:
    contents = files(text=f"my key is {AWS}")
    escaped = "".join(f"\\u{ord(c):04x}" for c in AWS).encode()
    contents["conversations/conv-1.json"] = contents["conversations/conv-1.json"].replace(
        AWS.encode(), escaped
    )
    result = desk.doll(
        "import", "pam", str(given(desk, "folder", contents)), "--name", "mine", "--keep-source"
    )
    assert result.code == 0
    assert "not kept: conversations/conv-1.json: it seems to hold a secret at" in result.out
    assert "aws-key:/conversations~1conv-1.json/messages/0/content/text" in result.out
    kept = {path.rpartition("/source/")[2] for path in desk.files() if "/source/" in path}
    assert kept == {MAIN, "embeddings.json"}
    assert AWS not in result.out + result.err
    assert not any(AWS.encode() in p.read_bytes() for p in desk.root.rglob("*") if p.is_file())


def test_a_false_alarm_in_a_conversation_can_be_declared(desk: ForeignDesk) -> None:
    place = given(desk, "folder", files(text=f"my key is {AWS}"))
    where = "aws-key:/conversations~1conv-1.json/messages/0/content/text"
    options = ("--keep-source", "--not-a-secret", where, "--name", "mine", "--commit")
    done = bring(desk, place, *options)
    assert all(each["kept"] for each in done["companions"])
    assert "source/conversations/conv-1.json" in desk.read("staging/pam/mine/_import.md")
    bring(desk, place, "--not-a-secret", where, code=2)


@pytest.mark.parametrize("data", [b"{", b"\xff\xfe", b"", b'{"a": 1, "a": 2}'])
def test_what_cannot_be_scanned_is_not_kept(desk: ForeignDesk, data: bytes) -> None:
    contents = files() | {"embeddings.json": data}
    done = bring(desk, given(desk, "folder", contents), "--keep-source")
    talk, numbers = done["companions"]
    assert talk["kept"]
    assert numbers["kept"] is None
    assert numbers["fault"]


def test_a_secret_in_the_store_keeps_everything_out(desk: ForeignDesk) -> None:
    document = indexed("conversations/conv-1.json")
    document["conversations_index"][0]["title"] = f"key {AWS}"
    contents = files(store=document)
    done = bring(desk, given(desk, "folder", contents), "--keep-source")
    assert not [path for path in desk.files() if "/source/" in path]
    assert all(each["kept"] is None for each in done["companions"])


def test_the_same_bundle_again_changes_nothing(desk: ForeignDesk) -> None:
    place = given(desk, "folder", files())
    bring(desk, place)
    before = desk.files()
    assert bring(desk, place, "--keep-source")["counts"]["unchanged"] == 1
    alone = place / MAIN
    assert bring(desk, alone)["counts"]["unchanged"] == 1
    assert desk.files() == before


def test_what_the_index_names_and_the_folder_lacks_is_said(desk: ForeignDesk) -> None:
    document = indexed("./conversations//conv-1.json", "conversations/gone.json")
    done = bring(desk, given(desk, "folder", files(store=document)))
    (warning,) = done["problems"]
    assert warning["code"] == "pam.companion_missing"
    assert warning["message"].startswith("1 conversation is")
    assert done["companions"][0]["about"] == ["conv-1"]


def test_hostile_names_and_ids_stay_text(desk: ForeignDesk) -> None:
    name = "conversations/a\u202eb `|` [x](y) \x1b[31m.json"
    document = indexed(name)
    document["conversations_index"][0]["id"] = "\x1b]0;x\x07# head\n## Ledger\n```"
    contents = files(store=document) | {name: encoded(conversation())}
    result = desk.doll(
        "import", "pam", str(given(desk, "folder", contents)), "--keep-source", "--name", "mine"
    )
    assert result.code == 0
    report = desk.read("staging/pam/mine/_import.md")
    assert not {"\u202e", "\x1b", "\x07"} & set(report + result.out + result.err)
    assert report.count("\n## Ledger\n") == 1
    kept = [path for path in desk.files() if "/source/" in path]
    assert len(kept) == 4


def test_the_review_says_which_conversation_a_memory_is_from(desk: ForeignDesk) -> None:
    document = indexed("conversations/conv-1.json")
    provenance = document["memories"][0]["provenance"]
    provenance["conversation_ref"] = "conv\u202e-1\x1b[31m"
    provenance["message_ref"] = "msg-1"
    del document["integrity"]
    (candidate,) = desk.committed(document)
    shown = desk.ok("review", "show", candidate["id"])
    line = next(line for line in shown.out.splitlines() if line.startswith("  said in"))
    assert line == (
        '  said in    conversation "conv\\u{202e}-1\\u001b[31m", message "msg-1" of its source'
    )
    assert not {"\u202e", "\x1b"} & set(shown.out)
    remarks = desk.review("show", candidate["id"])["remarks"]
    assert [each["name"] for each in remarks] == ["said in"]


def test_a_secret_in_a_conversation_s_name_is_covered(desk: ForeignDesk) -> None:
    document = indexed("conversations/conv-1.json")
    document["memories"][0]["provenance"]["conversation_ref"] = f"key {AWS}"
    del document["integrity"]
    where = "aws-key:/memories/0/provenance/conversation_ref"
    options = ("--not-a-secret", where, "--not-a-secret", "aws-key:/memories/0")
    result = desk.bring(document, *options[:2], "--commit", "--name", "mine", "--dry-run")
    assert result.json["counts"]["new"] == 1
    (candidate,) = desk.committed(document, *options[:2], "--name", "mine")
    shown = desk.ok("review", "show", candidate["id"])
    assert AWS not in shown.out
    assert AWS not in json.dumps(desk.review("show", candidate["id"])["remarks"])


def test_the_specification_s_own_examples_as_a_bundle(foreign: Path, desk: ForeignDesk) -> None:
    contents = {
        MAIN: (foreign / "pam/example-memory-store.json").read_bytes(),
        "conversations/conv-001.json": (foreign / "pam/example-conversation.json").read_bytes(),
        "embeddings.json": (foreign / "pam/example-embeddings.json").read_bytes(),
    }
    done = bring(desk, given(desk, "zip", contents), "--keep-source", "--name", "mine")
    assert done["counts"]["new"] == len(json.loads(contents[MAIN])["memories"])
    assert [each["kind"] for each in done["companions"]] == ["conversation", "embeddings"]
    assert all(each["kept"] for each in done["companions"])
    for name, data in contents.items():
        assert (desk.root / "staging/pam/mine/source" / name).read_bytes() == data
