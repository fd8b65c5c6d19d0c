"""Text made to slow the scan down or to break it: time stays linear, and nothing raises."""

import re
import time
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from doll.secrets import Hit, mask, scan, scan_document
from doll.secrets.names import lower
from doll.secrets.prefilter import Prefilter, from_rarest, may_hold_secret
from doll.secrets.scanning import find_all
from tests.guard import no_hang

MEGABYTE = 1_000_000

# What detectors look for, repeated: each begins, continues or ends a match again and again.
SEEDS = (
    *'a01 =:-_"\\./@\nAMé記İ\u2028',
    "password=", "password= ", 'password="', "password:", "password is ", "password=a1b2c3d4 ",
    '"password": "a1b2c3d4","', 'password: "aB3$ ', "token=", "token:x1 ", "token is a1b2c3",
    "secret|", "api key: ", "page_token=", "?token=a&", "--password ", "--a-", "pass ", "pw ",
    "mot de passe ", "パスワード", "密码是", "sk-", "sk-a", "sk-ant-", "eyJ", "eyJ.", "-eyJ",
    "eyJaaaaaaaa.", "\\neyJ", "//", "://a:", "://a:b@", "glagent-", "glagent-a", "glpat-",
    "xoxb-1-", "1-", "AKIA", "AC", "SK", "AP", "AKC", "MNO", "M.", "Maaaaaaaaaaaaaaaaaaaaaaaa.",
    "SG.", "pypi-AgE", "12345678:", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\naaaaaaaaaaaaaaaa", "-----END PRIVATE KEY-----", "-us1",
    "PuTTY-User-Key-File-2: ", "Private-MAC: ", "QWxhZGRpbjpvcGVuIHNlc2FtZQ", "Q~", "aaaQ~",
    "Bearer ", "bearer a1", "Basic ", "Basic QWxhZGRpbjpvcGVu", ".atlasv1.", "hf_", "ya29.",
    "1//0", "AccountKey=", "0123456789abcdef" * 4 + " ", "{[(", "cmVmd",
)  # fmt: skip
STARTS = ("password=", 'password: "', "token: ", "sk-ant-", "eyJ", "Bearer ", "https://", "://a:",
          "-----BEGIN PRIVATE KEY-----\n", "AccountKey=", "--token ", "")  # fmt: skip


def seconds(text: str) -> float:
    """Return the processor time that one scan of `text` takes."""
    started = time.process_time()
    scan(text)
    return time.process_time() - started


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    """Compile the patterns and import the library once, outside of what is measured."""
    scan("AccountKey= -us1 " + "gh" + "o_" + "a1" * 20)


@pytest.mark.soak
@pytest.mark.parametrize("seed", ["password=", "=", ":", "token: a1b2c3 ", "x", "A1b/", "\n"])
def test_a_megabyte_of_anything_takes_less_than_a_second(seed: str) -> None:
    assert seconds((seed * MEGABYTE)[:MEGABYTE]) < 1.0


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", SEEDS)
def test_repetition_takes_linear_time(seed: str) -> None:
    size = MEGABYTE // 10
    with no_hang():
        scan((seed * size)[:size])


@pytest.mark.sampled(6)
@pytest.mark.parametrize("start", STARTS)
def test_one_long_line_takes_linear_time(start: str) -> None:
    size = MEGABYTE // 10
    for body in ("a", "a1", "aB3", " ", '"', ".", "-", "=", "(", "\\n", "a b "):
        with no_hang():
            scan(start + (body * size)[:size])


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
def test_a_megabyte_of_repetition(seed: str) -> None:
    assert seconds((seed * MEGABYTE)[:MEGABYTE]) < 1.0


@pytest.mark.soak
@pytest.mark.parametrize("start", STARTS)
def test_a_megabyte_in_one_line(start: str) -> None:
    for body in ("a", "a1", "aB3", " ", '"', ".", "-", "=", "(", "\\n", "a b "):
        assert seconds(start + (body * MEGABYTE)[:MEGABYTE]) < 1.0


@pytest.mark.soak
def test_a_megabyte_of_random_characters() -> None:
    random = Random(1)
    ascii_text = "".join(random.choices([chr(code) for code in range(32, 127)], k=MEGABYTE))
    assert seconds(ascii_text) < 1.0
    assert seconds("".join(random.choices([*SEEDS], k=MEGABYTE // 8))[:MEGABYTE]) < 1.0


def test_ten_thousand_memories_of_prose_are_clean() -> None:
    random = Random(2)
    words = re.findall(
        r"\w+",
        "the of and to in is that it was for on with as his they at be this have from one had by"
        " word but not what all were when your can said there use each which she how their will up"
        " other about out many then them these so some her would make like him into time has look"
        " two more write go see number way could people than first water been call who its now"
        " long down day did get come made may part espresso migration table deploy review commit",
    )
    memories = [" ".join(random.choices(words, k=80)) for _ in range(10_000)]
    assert sum(map(len, memories)) > 3_500_000
    assert not any(map(scan, memories))


FRAGMENTS = st.sampled_from(
    [*SEEDS, "hunter2hunter2", '"', "'", "`", " ", "\n", "=", ": ", "**", "is ", "K", "ſ", "\ud800"]
)
MESSY = st.lists(FRAGMENTS | st.text(max_size=20), max_size=30).map("".join)


@given(MESSY)
@settings(max_examples=75, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_hits_are_in_order_and_inside_the_text(text: str) -> None:
    hits = scan(text)
    assert hits == scan(text)
    position = 0
    for hit in hits:
        assert position <= hit.start < hit.end <= len(text)
        before = text[: hit.start]
        assert (hit.line, hit.column) == (
            before.count("\n") + 1,
            hit.start - (before.rfind("\n") + 1) + 1,
        )
        position = hit.end


@given(MESSY)
@settings(max_examples=75, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_pre_filter_lets_through_what_any_detector_finds(text: str) -> None:
    lowered = lower(text)
    assert len(lowered) == len(text)
    if not may_hold_secret(lowered):
        assert list(find_all(text, lowered)) == []


@given(MESSY)
@example(f"PuTTY-User-Key-File-2: M.{'0123456789abcdef' * 4} ")
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_masking_is_complete_and_final(text: str) -> None:
    masked = mask(text)
    assert scan(masked) == ()
    assert mask(masked) == masked


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | MESSY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MESSY, inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_document_is_scanned(document: object) -> None:
    for hit in scan_document(document):
        assert isinstance(hit, Hit)
        assert hit.pointer == "" or hit.pointer.startswith("/")


def test_deep_documents_are_scanned() -> None:
    document: object = "the password is " + "hunter2" * 2
    for _ in range(5_000):
        document = [document]
    assert [hit.pointer for hit in scan_document(document)] == ["/0" * 5_000]


def test_every_character_keeps_its_place_in_lower_case() -> None:
    everything = "".join(map(chr, range(0x110000)))
    assert len(lower(everything)) == len(everything)


def test_a_pattern_is_found_by_its_rarest_character() -> None:
    assert from_rarest("token") == "ken(?<=token)"
    assert from_rarest(r"sk\-") == r"\-(?<=sk\-)"
    assert from_rarest(r"keys?[=:]") == "keys?[=:]"
    assert from_rarest("[a-z]x") == "[a-z]x"


@given(MESSY)
@settings(max_examples=75, suppress_health_check=[HealthCheck.too_slow])
def test_the_pre_filter_says_the_same_before_and_after_it_is_compiled(text: str) -> None:
    few, many = Prefilter(), Prefilter()
    many.looked_at = 10**9
    assert few.passes(lower(text)) == many.passes(lower(text))
