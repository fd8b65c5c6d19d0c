"""The ledger of an import: any foreign id goes through it and comes back the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.render.text import visible
from doll.services.importing.ledger import (
    FalseAlarm,
    History,
    Ledger,
    LedgerError,
    Line,
    block,
    escaped,
    read,
)

DIGESTS = ["1" * 64, "2" * 64, "3" * 64]
HEAD = "---\nimport: mine\nadapter: pam\nsource: owner\nsource_sha256: " + "a" * 64 + "\n---\n"


def _ledger(*lines: Line, name: str = "mine", alarms: tuple[FalseAlarm, ...] = ()) -> Ledger:
    return Ledger(name, "pam", "owner", "a" * 64, lines, alarms)


def _read(text: str) -> Ledger:
    return read((HEAD + "# Title\n\n" + text).encode())


any_text = st.text(st.characters(), max_size=60)


@given(st.lists(any_text, max_size=5))
def test_any_id_comes_back(ids: list[str]) -> None:
    lines = [Line(each, DIGESTS[0], "staged", "stem-1", "") for each in ids]
    assert _read(block(_ledger(*lines))).lines == tuple(lines)


@given(any_text)
def test_an_escaped_text_is_one_visible_line(text: str) -> None:
    written = escaped(text)
    assert "\n" not in written
    assert visible(written) == written
    written.encode()


def test_every_kind_of_line_comes_back() -> None:
    ledger = _ledger(
        Line("mem-1", DIGESTS[0], "staged", "tea-12345678"),
        Line('x"  updates y', DIGESTS[1], "staged", "お茶-12345678", "tea-12345678"),
        Line("mem-3", "-", "parked"),
        Line("mem-4", DIGESTS[2], "refused"),
        alarms=(FalseAlarm("jwt", "/memories/0/content", "tea-12345678.md"),),
    )
    assert _read(block(ledger)) == ledger


def test_windows_line_endings_are_read() -> None:
    ledger = _ledger(Line("mem-1", DIGESTS[0], "staged", "tea-12345678"))
    assert read((HEAD + "\n" + block(ledger)).replace("\n", "\r\n").encode()) == ledger


def test_an_empty_ledger_is_read() -> None:
    assert _read(block(_ledger())).lines == ()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"# no front matter\n",
        b"---\nimport: [x\n---\n```ledger\n```\n",
        b"---\nimport: x\n---\n```ledger\n```\n",
        HEAD.encode(),
        (HEAD + "```ledger\nnot a line\n```\n").encode(),
        (HEAD + "```ledger\n" + DIGESTS[0] + "  x.md  mem-1\n```\n").encode(),
        b"\xff\xfe",
    ],
)
def test_what_is_no_ledger_is_refused(data: bytes) -> None:
    with pytest.raises(LedgerError):
        read(data)


def test_a_bad_line_is_named_by_its_number_in_the_file() -> None:
    with pytest.raises(LedgerError) as caught:
        read((HEAD + "\n```ledger\nnot a line\n```\n").encode())
    assert caught.value.line == 9


@given(st.binary(max_size=400))
def test_any_bytes_are_a_ledger_or_an_error(data: bytes) -> None:
    for text in (data, HEAD.encode() + b"\n```ledger\n" + data + b"\n```\n"):
        try:
            read(text)
        except LedgerError:
            continue


def test_history_knows_the_newest_of_an_id_whatever_the_order_of_imports() -> None:
    first = _ledger(Line("mem-1", DIGESTS[0], "staged", "a-1"), name="z-oldest")
    second = _ledger(Line("mem-1", DIGESTS[1], "staged", "b-2", "a-1"), name="m-newer")
    third = _ledger(Line("mem-1", DIGESTS[2], "staged", "c-3", "b-2"), name="a-newest")
    history = History([third, first, second], "pam", "owner")
    assert history.newest("mem-1") == "c-3"
    assert history.newest("mem-2") == ""
    assert history.staged("mem-1", DIGESTS[1]) == second.lines
    assert History([first], "pam", "someone else").staged("mem-1", DIGESTS[0]) == ()


def test_what_was_parked_is_known_by_its_digest_else_by_its_document() -> None:
    history = History(
        [_ledger(Line("mem-1", DIGESTS[0], "parked"), Line("mem-2", "-", "parked"))], "pam", "owner"
    )
    assert history.told(Line("mem-1", DIGESTS[0], "parked"), "b" * 64)
    assert not history.told(Line("mem-1", DIGESTS[1], "parked"), "a" * 64)
    assert not history.told(Line("mem-1", "-", "parked"), "a" * 64)
    assert history.told(Line("mem-2", "-", "parked"), "a" * 64)
    assert not history.told(Line("mem-2", "-", "parked"), "b" * 64)
    # Ledgers of earlier versions have no digest for what was parked.
    assert history.told(Line("mem-2", DIGESTS[1], "parked"), "a" * 64)


def test_what_was_parked_or_refused_is_known_and_never_staged() -> None:
    parked, refused = Line("mem-1", "-", "parked"), Line("mem-2", DIGESTS[0], "refused")
    history = History([_ledger(parked, refused)], "pam", "owner")
    assert history.told(parked, "a" * 64)
    assert history.told(refused, "b" * 64)
    assert history.staged("mem-2", DIGESTS[0]) == ()
    assert history.newest("mem-2") == ""
