"""`doll import pam`: documents that are refused, entries that are parked, odd content and ids."""

import gzip
import io
import json
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from doll.interchange.strict_json import MAX_BYTES
from doll.records.codec import parse
from tests.foreign_desk import ForeignDesk, three
from tests.pam_documents import Json, encoded, memory, signed, store

pytestmark = pytest.mark.sampled(4)


def _changed_byte(data: bytes) -> bytes:
    return data.replace(b"three bees", b"three bear")


def _version(data: bytes) -> bytes:
    return data.replace(b'"schema_version": "1.0"', b'"schema_version": "2.0"')


def _date(data: bytes) -> bytes:
    return data.replace(b'"2025-03-04T08:12:00Z"', b'"yesterday"', 1)


def _twice(data: bytes) -> bytes:
    return data.replace(b'"schema_version"', b'"schema_version": "1.0", "schema_version"', 1)


@pytest.mark.parametrize(
    "broken",
    [
        _changed_byte,
        _version,
        _date,
        _twice,
        lambda data: data[: len(data) // 2],
        lambda data: data + b"{}",
        lambda data: b"[" * 100_000,
        lambda data: b"",
        lambda data: data.decode().encode("utf-16"),
    ],
)
def test_a_broken_document_is_refused_whole(
    desk: ForeignDesk, broken: Callable[[bytes], bytes]
) -> None:
    place = desk.export(broken(encoded(three())))
    err = desk.refused(4, "import", "pam", str(place), "--commit")
    assert "nothing was written" in err
    assert "store.json:" in err
    result = desk.doll("import", "pam", str(place), "--json")
    assert json.loads(result.out)["exit"] == 4


def test_a_wrong_signature_is_refused_unless_accepted(desk: ForeignDesk) -> None:
    document = signed(three()) | {"export_id": "export-2"}
    err = desk.refused(4, "import", "pam", str(desk.export(document)))
    assert "--accept-bad-signature" in err
    done = desk.bring(document, "--accept-bad-signature", "--name", "mine").json
    assert done["facts"]["signature"] == "wrong"
    assert "- signature: `wrong`" in desk.read("staging/pam/mine/_import.md")


def test_what_is_no_file_of_an_export_is_named(desk: ForeignDesk, tmp_path: Path) -> None:
    """A pipe without a writer is not waited for, and a device not read to its end."""
    os.mkfifo(tmp_path / "pipe")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("store.json", encoded(three()))
    (tmp_path / "a.zip").write_bytes(packed.getvalue())
    (tmp_path / "a.gz").write_bytes(gzip.compress(encoded(three())))
    (tmp_path / "large.json").touch()
    os.truncate(tmp_path / "large.json", MAX_BYTES + 1)
    cases = {
        "pipe": ("is a pipe, and no file", "its memory-store.json"),
        ".": ("holds no memory-store.json", "the folder of the export"),
        "/dev/zero": ("is a device, and no file", "its memory-store.json"),
        "a.zip": ("is a zip archive", "holds no memory-store.json", "unpack it"),
        "a.gz": ("is a gzip archive", "unpack it"),
        "large.json": ("more than 256 MiB", "give less"),
    }
    for name, said in cases.items():
        err = desk.refused(4, "import", "pam", str(tmp_path / name))
        assert all(words in err for words in said), err


def test_utf_16_is_named(desk: ForeignDesk) -> None:
    place = desk.export(encoded(three()).decode().encode("utf-16"))
    err = desk.refused(4, "import", "pam", str(place))
    assert "the file is UTF-16 or UTF-32, not UTF-8" in err
    assert "iconv" in err


def test_a_missing_file_is_wrong_usage(desk: ForeignDesk) -> None:
    missing = str(desk.root / "nothing.json")
    for command in (("import", "pam"), ("review", "approve", "--from")):
        assert f"there is no file {missing}" in desk.refused(2, *command, missing)
    desk.refused(2, "import", "atom", str(desk.export(three())))


CONTENTS = {
    "fences": "---\ntitle: not mine\n---\ntext",
    "crlf": "one\r\ntwo\r\n",
    "spaces": "  lead and trail \n\n\n",
    "empty-ish": " ",
    "bom": "\ufefftext",
    "bidi": "a\u202eb\u200bc",
    "long": "x" * 1_000_000,
    "wiki": "[[x]] {{y}} `z` <b>",
}


@pytest.mark.parametrize("name", CONTENTS)
def test_the_content_is_kept_byte_for_byte(desk: ForeignDesk, name: str) -> None:
    done = desk.bring(store(memory(CONTENTS[name]))).json
    path = done["candidates"][0]["path"]
    parsed = parse(desk.files()[path], path, "x", None)
    assert parsed.record is not None
    assert parsed.body == CONTENTS[name]


def _nul() -> Json:
    return memory("a\0b", id="odd")


def _conflict() -> Json:
    return memory("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", id="odd")


def _surrogate() -> Json:
    return memory("tea", id="odd", metadata={"x": "\ud800"})


def _huge_front_matter() -> Json:
    return memory("tea", id="odd", metadata={"x": "y" * 70_000})


@pytest.mark.parametrize("odd", [_nul, _conflict, _surrogate, _huge_front_matter])
def test_what_no_record_can_hold_is_parked_and_the_rest_goes_on(
    desk: ForeignDesk, odd: Callable[[], Json]
) -> None:
    document = store(memory("Prefers tea."), odd(), integrity=None)
    data = json.dumps({name: each for name, each in document.items() if each is not None}).encode()
    done = desk.bring(data, "--name", "mine", code=1).json
    assert done["counts"] == {"new": 1, "changed": 0, "unchanged": 0, "parked": 1, "refused": 0}
    assert done["parked"][0]["pointer"] == "/memories/1"
    report = desk.read("staging/pam/mine/_import.md")
    assert "## Parked" in report
    assert f"[{done['parked'][0]['code']}]" in report
    before = desk.files()
    again = desk.bring(data, code=1).json
    assert again["folder"] is None
    assert desk.files() == before


@pytest.mark.parametrize(
    "source_id", ["../../x", "a/b", ".", "\U0001f600", "x" * 300, '"`|\n', "\u202eabc"]
)
def test_foreign_ids_never_become_names(desk: ForeignDesk, source_id: str) -> None:
    done = desk.bring(store(memory(id=source_id)), "--name", "mine").json
    stem = done["candidates"][0]["id"].partition("/")[2]
    assert re.fullmatch(r"prefers-tea-to-coffee-[0-9a-f]{8}", stem)
    assert desk.bring(store(memory(id=source_id))).json["counts"]["unchanged"] == 1


def test_foreign_text_cannot_pose_as_a_part_of_the_report(desk: ForeignDesk) -> None:
    nasty = "x`\n## Ledger\n```ledger\n" + "0" * 64 + '  fake.md  "mem-1"\n```\n| a | b |'
    document = store(memory(metadata={nasty: 1})) | {"owner": {"id": nasty}}
    desk.bring(document, "--name", "mine")
    report = desk.read("staging/pam/mine/_import.md")
    assert report.count("\n```ledger\n") == 1
    assert report.count("\n## Ledger\n") == 1
    assert "\n0000" not in report
    assert desk.bring(document).json["counts"]["unchanged"] == 1
