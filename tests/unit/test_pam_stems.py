"""Stems: from text and identity, distinct, independent of order, never a foreign id."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.interchange.stems import identity, stems
from doll.records.names import fold, id_fault, slug

HEX = st.text("01", min_size=64, max_size=64)


def test_a_stem_is_the_slug_and_eight_digits() -> None:
    key = identity("pam", "owner", "mem-1", "0" * 64)
    assert stems(["tea"], [key]) == (f"tea-{key[:8]}",)


def test_no_two_quadruples_share_their_bytes() -> None:
    parts = ["", "a", "b", 'a","b', "a\0b", "\0", "\ud800"]
    keys = [identity(*each) for each in itertools.product(parts, repeat=4)]
    assert len(set(keys)) == len(keys)


@settings(deadline=None)
@given(st.dictionaries(HEX, st.sampled_from(["tea", "TEA", "é", "e\u0301"]), max_size=12))
def test_stems_differ_however_alike_the_identities_are(named: dict[str, str]) -> None:
    found = stems(list(named.values()), list(named))
    assert len({fold(stem) for stem in found}) == len(named)
    for stem, (key, name) in zip(found, named.items(), strict=True):
        assert key.startswith(stem.removeprefix(f"{name}-"))
        assert len(stem.removeprefix(f"{name}-")) >= 8


@settings(deadline=None)
@given(st.dictionaries(HEX, st.just("tea"), max_size=8))
def test_the_order_does_not_matter(named: dict[str, str]) -> None:
    keys = sorted(named)
    forward = dict(zip(keys, stems(["tea"] * len(keys), keys), strict=True))
    keys.reverse()
    assert dict(zip(keys, stems(["tea"] * len(keys), keys), strict=True)) == forward


def test_equal_identities_are_refused() -> None:
    with pytest.raises(ValueError, match="same identity"):
        stems(["a", "b"], ["0" * 64, "0" * 64])


@settings(deadline=None)
@given(st.text(), st.text())
def test_every_stem_is_a_valid_id(text: str, source_id: str) -> None:
    (stem,) = stems([slug(text)], [identity("pam", "owner", source_id, "0" * 64)])
    assert id_fault(stem) is None
