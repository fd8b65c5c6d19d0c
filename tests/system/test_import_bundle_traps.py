"""Folders and archives that are not what they seem: refused with a reason, nothing written."""

import io
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from doll.cli import archives
from tests.foreign_desk import ForeignDesk
from tests.pam_bundles import MAIN, conversation, files, folder, indexed, packed
from tests.pam_documents import Json, encoded

pytestmark = pytest.mark.sampled(4)


def refused(desk: ForeignDesk, place: Path, *said: str) -> None:
    before = desk.files()
    around = sorted(path for path in desk.root.parent.rglob("*") if desk.root not in path.parents)
    for options in ((), ("--keep-source",)):
        err = desk.refused(4, "import", "pam", str(place), *options)
        assert all(words in err for words in said), err
        assert not {"\0", "\u202e"} & set(err)
    assert desk.files() == before
    after = sorted(path for path in desk.root.parent.rglob("*") if desk.root not in path.parents)
    assert after == around


def zipped(desk: ForeignDesk, data: bytes) -> Path:
    return desk.export(data, "export.zip")


OUTSIDE = [
    "../../x",
    "../x.json",
    "conversations/../../x.json",
    "/etc/passwd",
    "//server/share/x",
    "\\\\server\\share\\x",
    "..\\x.json",
    "conversations\\..\\..\\x.json",
    "C:\\x.json",
    "C:x.json",
    "conversations\\conv-1.json",
    "a\\b",
    "file:///etc/passwd",
    "conversations/\0x.json",
    "..",
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("form", ["folder", "zip"])
@pytest.mark.parametrize("ref", OUTSIDE)
def test_a_storage_ref_that_leads_outside_is_refused(
    desk: ForeignDesk, ref: str, form: str
) -> None:
    contents = files(store=indexed("conversations/conv-1.json", ref))
    place = desk.root.parent / "exports" / "bundle"
    place = folder(place, contents) if form == "folder" else zipped(desk, packed(contents))
    refused(desk, place, "[pam.storage_ref]", "/conversations_index/1/storage/ref")


@pytest.mark.parametrize("ref", OUTSIDE)
def test_of_a_store_alone_it_is_only_said(desk: ForeignDesk, ref: str) -> None:
    done = desk.bring(indexed(ref)).json
    assert [each["code"] for each in done["problems"]] == ["pam.storage_ref"]
    assert done["counts"]["new"] == 1


@pytest.mark.parametrize("kind", ["uri", "database", "object_storage", "vector_db"])
def test_a_reference_that_is_no_path_is_none(desk: ForeignDesk, kind: str) -> None:
    document = indexed("https://example.org/../x", kind=kind)
    place = folder(desk.root.parent / "exports" / "bundle", files(store=document))
    result = desk.doll("import", "pam", str(place), "--json")
    assert (result.code, result.json["problems"]) == (0, [])


@pytest.mark.parametrize("name", [MAIN, "embeddings.json", "conversations"])
def test_no_symbolic_link_in_a_folder_is_followed(desk: ForeignDesk, name: str) -> None:
    place = folder(desk.root.parent / "exports" / "bundle", files())
    elsewhere = desk.root.parent / "elsewhere"
    (place / name).rename(elsewhere)
    (place / name).symlink_to(elsewhere)
    refused(desk, place, "symbolic link")


@pytest.mark.parametrize(
    "name",
    [
        "../evil.json",
        "conversations/../../evil.json",
        "/etc/evil.json",
        "..\\evil.json",
        "C:/evil.json",
        "conversations/../../../x/",
        "conversations/.. /evil.json",
    ],
)
def test_a_zip_with_a_name_that_leads_out_of_it_is_refused(desk: ForeignDesk, name: str) -> None:
    refused(desk, zipped(desk, packed(files() | {name: b"{}"})), "zip archive that is not read")


def test_a_zip_with_a_nul_in_a_name_is_refused(desk: ForeignDesk) -> None:
    data = packed(files() | {"conversations/a_b.json": b"{}"})
    data = data.replace(b"conversations/a_b.json", b"conversations/a\0b.json")
    refused(desk, zipped(desk, data), "NUL byte")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("conversations/a.json", "conversations/a.json"),
        ("conversations/a.json", "conversations/A.json"),
        ("conversations/\u00e9.json", "conversations/e\u0301.json"),
        ("conversations/stra\u00dfe.json", "conversations/STRASSE.json"),
        ("a", "a"),
        (f"{MAIN}.", "x"),
        (f"{MAIN} ", "x"),
        (f"./{MAIN}", "x"),
        ("conversations//a.json", "conversations/a.json"),
        ("conversations", "x"),
        ("Conversations.", "x"),
        ("embeddings.json/x", "x"),
        ("embed\u200bdings.json", "x"),
        ("a/b/c", "A"),
    ],
)
def test_names_that_are_one_file_somewhere_are_refused(
    desk: ForeignDesk, first: str, second: str
) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in (*files(), first, second):
            archive.writestr(name, b"{}")
    refused(desk, zipped(desk, made.getvalue()), "are one file")


def linked() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files().items():
            archive.writestr(name, data)
        link = zipfile.ZipInfo("conversations/link.json")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return made.getvalue()


def encrypted() -> bytes:
    data = bytearray(packed(files()))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(signature)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(signature, at + 1)
    return bytes(data)


def nested(name: str) -> bytes:
    return packed(files() | {name: packed(files())})


def only_nested() -> bytes:
    return packed({"export.zip": packed(files())})


def twice() -> bytes:
    return packed({f"{name}/{MAIN}": encoded(indexed()) for name in ("a", "b")})


def bomb() -> bytes:
    """Return a small archive that declares more than is read: it has not to be unpacked for it."""
    data = bytearray(packed(files() | {"embeddings.json": b" " * (3 << 20)}))
    return bytes(data.replace(struct.pack("<L", 3 << 20), struct.pack("<L", 300 << 20)))


def lying_size() -> bytes:
    """Return an archive that says less of a file than is in it."""
    data = bytearray(packed(files() | {"embeddings.json": b" " * (3 << 20)}))
    size = struct.pack("<L", 3 << 20)
    return bytes(data.replace(size, struct.pack("<L", 10)))


def crowded() -> bytes:
    return packed({f"x/{number}": b"" for number in range(archives.MAX_MEMBERS + 1)} | files())


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("made", "said"),
    [
        (linked, "is a link or a device"),
        (encrypted, "it is encrypted"),
        (lambda: nested("conversations/conv-2.json"), "is an archive itself"),
        (lambda: nested(MAIN), "is an archive itself"),
        (only_nested, "and another archive: unpack that one"),
        (twice, "holds memory-store.json 2 times"),
        (lambda: packed({}), "holds no memory-store.json"),
        (bomb, "more than 256 MiB"),
        (lying_size, "cannot be unpacked"),
        (crowded, "more than 10,000 files"),
        (lambda: packed(files(), method=zipfile.ZIP_LZMA), "packed in a way that is not read"),
        (lambda: packed(files())[:-30], "cannot be unpacked"),
        (lambda: packed(files()).replace(b"PK\x01\x02", b"PK\x01\x03"), "cannot be unpacked"),
    ],
)
def test_an_archive_that_is_not_what_it_seems_is_refused(
    desk: ForeignDesk, made: Callable[[], bytes], said: str
) -> None:
    refused(desk, zipped(desk, made()), said)


@pytest.mark.parametrize("at", range(0, 100, 7))
def test_a_damaged_archive_is_refused_or_whole(desk: ForeignDesk, at: int) -> None:
    data = bytearray(packed(files()))
    data[len(data) * at // 100] ^= 0xFF
    before = desk.files()
    result = desk.doll("import", "pam", str(zipped(desk, bytes(data))), "--dry-run")
    assert result.code in (0, 4), result.err
    assert desk.files() == before


def test_other_files_of_an_archive_are_not_read(desk: ForeignDesk) -> None:
    contents: dict[str, bytes] = files() | {"README.md": b"\xff", "conversations/x/y.json": b"{"}
    contents |= {"__MACOSX/memory-store.json": b"{", "conversations/a.txt": b"x"}
    result = desk.doll("import", "pam", str(zipped(desk, packed(contents))), "--json")
    assert result.code == 0
    listed: list[Json] = result.json["companions"]
    assert [each["path"] for each in listed] == ["conversations/conv-1.json", "embeddings.json"]


def test_a_conversation_alone_is_no_store(desk: ForeignDesk) -> None:
    err = desk.refused(4, "import", "pam", str(desk.export(conversation())))
    assert "or the whole folder" in err
