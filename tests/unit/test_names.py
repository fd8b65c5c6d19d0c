"""Ids, their folding, slugs, and the ids that are proposed in place of wrong ones."""

import re
import unicodedata
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.records.names import (
    MAX_ID_BYTES,
    MAX_SLUG_BYTES,
    experience_name,
    fold,
    id_fault,
    mended_id,
    slug,
)
from tests.record_strategies import HOSTILE

SURROGATES = st.characters(categories=["Cs"])
words = st.text(max_size=80) | st.text(st.characters() | SURROGATES, max_size=30)
marks = st.text(st.sampled_from("aé日\u0301\u0308\u3099\u094d-. "), max_size=130)
windows = st.sampled_from(["con", "PRN", "Aux", "nul", "COM0", "com9", "lpt0", "LPT9"])


@pytest.mark.parametrize(
    "record_id",
    [
        "a",
        "7",
        "espresso-order",
        "Espresso order (2nd, 'small') & milk + sugar",
        "db.migrate.online",
        "20260820T143205Z-attempt-online-orders-migration-k3v9q2xw7d",
        "渋谷の焼き鳥屋",
        "我喜歡咖啡",
        "über",
        "u\u0308ber",
        "हिन्दी",
        "٣",
        "console",
        "com",
        "com10",
        "auxiliary.nul",
        "a" * MAX_ID_BYTES,
        "日" * 40,
    ],
)
def test_valid_ids(record_id: str) -> None:
    assert id_fault(record_id) is None
    assert mended_id(record_id) == unicodedata.normalize("NFC", record_id)


@pytest.mark.parametrize(
    ("record_id", "said"),
    [
        ("", "0 bytes"),
        ("a" * 121, "121 bytes"),
        ("日" * 41, "123 bytes"),
        (" a", "begin with a letter"),
        ("-a", "begin with a letter"),
        (".a", "begin with a letter"),
        ("(a)", "begin with a letter"),
        ("\u0301a", "begin with a letter"),
        ("²", "begin with a letter"),
        ("a.", "not end with"),
        ("a ", "not end with"),
        ("a/b", "'/'"),
        ("a\\b", "'\\\\'"),
        ("../a", "begin with a letter"),
        ("a:b", "':'"),
        ("a\0b", "'\\x00'"),
        ("a\nb", "'\\n'"),
        ("a\tb", "'\\t'"),
        ("a\u200bb", "'\\u200b'"),
        ("a\u202eb", "'\\u202e'"),
        ("a\u00a0b", "'\\xa0'"),
        ("a\u3000b", "'\\u3000'"),
        ("a\ud800b", "'\\ud800'"),
        ("a\U0001f469", "'\\U0001f469'"),
        ("a[b]", "'['"),
        ("a#b", "'#'"),
        ("a|b", "'|'"),
        ("½", "begin with a letter"),
        ("con", "Windows"),
        ("CON", "Windows"),
        ("Con.tar.gz", "Windows"),
        ("nul .x", "Windows"),
        ("aux", "Windows"),
        ("PRN", "Windows"),
        ("com0", "Windows"),
        ("LPT9.md", "Windows"),
    ],
)
def test_ids_that_are_not_valid(record_id: str, said: str) -> None:
    fault = id_fault(record_id)
    assert fault is not None
    assert said in fault
    assert id_fault(mended_id(record_id)) is None


@pytest.mark.parametrize(
    ("record_id", "mended"),
    [
        ("a/b", "a-b"),
        ("a: b?", "a- b"),
        (" a ", "a"),
        ("...", "record"),
        ("", "record"),
        ("con", "record-con"),
        ("COM1.x", "record-COM1.x"),
        ("\u0301x", "record-\u0301x"),
        ("\u0301" * 60, "record"),
        ("x\u202ey", "x-y"),
        ("a" * 200, "a" * 120),
    ],
)
def test_mended_ids(record_id: str, mended: str) -> None:
    assert mended_id(record_id) == mended


@given(words | marks | windows | st.sampled_from(HOSTILE))
@settings(max_examples=200)
def test_a_mended_id_is_valid_and_stays(text: str) -> None:
    mended = mended_id(text)
    assert id_fault(mended) is None
    assert mended_id(mended) == mended
    composed = unicodedata.normalize("NFC", text)
    assert mended == composed or id_fault(composed) is not None


@given(words | marks | windows | st.sampled_from(HOSTILE))
@settings(max_examples=200)
def test_a_slug_is_a_valid_id_and_stays(text: str) -> None:
    made = slug(text)
    assert id_fault(made) is None
    assert 1 <= len(made.encode()) <= MAX_SLUG_BYTES
    assert slug(made) == made
    assert made == unicodedata.normalize("NFC", made)
    assert not set(made) & set(" ._/'()&+,")


@pytest.mark.parametrize(
    "cluster", ["e\u0323\u0302\u0308", "नि", "か\u3099\u0301", "x\u0301\u0302"]
)
def test_what_is_cut_keeps_letters_with_their_marks(cluster: str) -> None:
    composed = unicodedata.normalize("NFC", cluster)
    for made, limit in (
        (slug(cluster * 60), MAX_SLUG_BYTES),
        (mended_id(cluster * 60), MAX_ID_BYTES),
    ):
        assert made == composed * (limit // len(composed.encode()))


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Online migration of orders", "online-migration-of-orders"),
        ("  What?  Really!  ", "what-really"),
        ("C++ & C#", "c-c"),
        ("渋谷の焼き鳥屋", "渋谷の焼き鳥屋"),
        ("我喜歡 咖啡", "我喜歡-咖啡"),
        ("हिन्दी", "हिन्दी"),
        ("U\u0308BER", "über"),
        ("ﬁne ①", "fine-1"),
        ("İstanbul", "i\u0307stanbul"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "record-con"),
        ("!!!", "record"),
        ("", "record"),
        ("\u0301x", "x"),
        ("a" * 100, "a" * 60),
        ("word " * 30, "word-" * 11 + "word"),
        ("日" * 50, "日" * 20),
        ("x" * 30 + " " + "y" * 60, "x" * 30),
    ],
)
def test_slugs(text: str, made: str) -> None:
    assert slug(text) == made


def test_a_long_text_costs_no_more_than_its_beginning() -> None:
    assert slug("word " * 1_000_000) == slug("word " * 80)


@given(words.filter(lambda text: not re.search("[\ud800-\udfff]", text)))
@settings(max_examples=200)
def test_forms_of_one_name_fold_alike(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    for form in ("NFC", "NFD"):
        assert fold(unicodedata.normalize(form, text)) == folded
    assert fold(text.casefold()) == folded
    if not set(text) & set("ıI"):  # the dotless i has a capital that another letter has, too
        assert fold(text.upper()) == fold(text.upper().lower())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Espresso-Order", "espresso-order"),
        ("über", "U\u0308BER"),
        ("STRASSE", "straße"),
        ("Ω", "\u2126"),
        ("ΐ", "\u03aa\u0301"),
        ("ς", "Σ"),
        ("Å", "\u212b"),
        ("\ufb01", "FI"),
    ],
)
def test_names_that_one_file_system_takes_for_one_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("a", "b"), ("é", "e"), ("a b", "a-b"), ("ı", "i")])
def test_names_that_differ_fold_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_every_letter_folds_alike_in_every_form() -> None:
    for code in range(0x20000):
        if 0xD800 <= code < 0xE000 or (0x3400 < code < 0x9FFF) or (0xAC00 < code < 0xD7A0):
            continue
        character = chr(code)
        assert fold(unicodedata.normalize("NFD", character)) == fold(character)
        assert fold(fold(character)) == fold(character)
        assert fold(character.lower()) == fold(character)


@pytest.mark.parametrize(
    ("at", "name"),
    [
        (datetime(2026, 8, 20, 14, 32, 5, tzinfo=UTC), "20260820T143205Z"),
        (
            datetime(2026, 8, 20, 16, 32, 5, 999, tzinfo=timezone(timedelta(hours=2))),
            "20260820T143205Z",
        ),
        (datetime(800, 1, 1, tzinfo=UTC), "08000101T000000Z"),
    ],
)
def test_an_experience_is_named_by_its_time_in_utc(at: datetime, name: str) -> None:
    made = experience_name(at, "attempt", "It locked, badly!", "k3v9q2xw7d")
    assert made == f"{name}-attempt-it-locked-badly-k3v9q2xw7d"
    assert id_fault(made) is None


@given(words)
@settings(max_examples=200)
def test_the_longest_name_of_an_experience_is_an_id(summary: str) -> None:
    at = datetime(2026, 8, 20, 14, 32, 5, tzinfo=UTC)
    assert id_fault(experience_name(at, "observation", summary + "日" * 90, "k3v9q2xw7d")) is None
