"""The strict YAML subset: what is read, where each value stands, and one answer on every way."""

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doll.records.frontmatter import Block, BlockError, Value, read_block, read_flat
from doll.records.handler import entry, inline, scalar
from doll.records.limits import MAX_BLOCK_BYTES
from tests.hostile_bytes import near_yaml


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("\n\n", {}),
        ("# only a comment\n", {}),
        ("{}", {}),
        ("a: b", {"a": "b"}),
        ("a:", {"a": None}),
        ("a: ~\nb: null\nc: Null\n", {"a": None, "b": None, "c": "Null"}),
        ("a: true\nb: false\nc: True\nd: yes\n", {"a": True, "b": False, "c": "True", "d": "yes"}),
        ("a: 'true'\nb: \"\"\nc: ''\n", {"a": "true", "b": "", "c": ""}),
        ("a: [b, 'c', ]\nd: []\n", {"a": ["b", "c"], "d": []}),
        ("a:\n- b\n- c\nd: e\n", {"a": ["b", "c"], "d": "e"}),
        ("a:\n  - b\n  -\n  - [c]\n", {"a": ["b", None, ["c"]]}),
        ("a: {b: c, d: }\n", {"a": {"b": "c", "d": None}}),
        ("a:\n  b: c\n  d: true\n", {"a": {"b": "c", "d": True}}),
        ("a: |\n  b\n  c\nd: >-\n  e\n  f\n", {"a": "b\nc\n", "d": "e f"}),
        ("a: b\n  c\n", {"a": "b c"}),
        ("a: b # c\nd: 'e # f'\ng: h#i\n", {"a": "b", "d": "e # f", "g": "h#i"}),
        ('a: "\\u263a\\n\\x41"\n', {"a": "☺\nA"}),
        ("'': x\n", {"": "x"}),
        ("null: x\ntrue: y\n1: z\n", {"null": "x", "true": "y", "1": "z"}),
        ("? a\n: b\n", {"a": "b"}),
        ("  a: b\n  c: d\n", {"a": "b", "c": "d"}),
        ("a:b: c\n", {"a:b": "c"}),
        ("a: b\r\nc:\r\n- d\r\n", {"a": "b", "c": ["d"]}),
        ("a: \U0001f469\u200d\U0001f680 日本\n", {"a": "\U0001f469\u200d\U0001f680 日本"}),
        ("a: \u00a0b\u3000\n", {"a": "\u00a0b\u3000"}),
        ("a: b\ufeffc\n", {"a": "b\ufeffc"}),
    ],
)
def test_what_is_read(text: str, values: dict[str, Value]) -> None:
    assert read_block(text).values == values
    flat = read_flat(text)
    assert flat is None or flat[0] == values


def test_where_values_stand() -> None:
    text = "# c\né: '日本'\ntags:\n  - a\n  - b # c\nn: {x: [y, z]}\ne:\n"
    block = read_block(text)
    stand = {where: text[offset:].partition("\n")[0] for where, offset in block.places.items()}
    assert stand == {
        ("é",): "'日本'",
        ("tags",): "- a",
        ("tags", 0): "a",
        ("tags", 1): "b # c",
        ("n",): "{x: [y, z]}",
        ("n", "x"): "[y, z]}",
        ("n", "x", 0): "y, z]}",
        ("n", "x", 1): "z]}",
        ("e",): "",
    }
    spans = {key: text[pair.value.start : pair.value.end] for key, pair in block.pairs.items()}
    assert spans == {"é": "'日本'", "tags": "- a\n  - b", "n": "{x: [y, z]}", "e": ""}
    assert [text[pair.key.start : pair.key.end] for pair in block.pairs.values()] == [
        *("é", "tags", "n", "e")
    ]
    assert [pair.block_style for pair in block.pairs.values()] == [False, True, False, False]


@pytest.mark.parametrize("style", ["|", ">", "|-", ">+", "|2"])
def test_block_scalars_are_block_style(style: str) -> None:
    assert read_block(f"a: {style}\n    b\n").pairs["a"].block_style


def as_strictly(text: str) -> Block | None:
    try:
        return read_block(text)
    except BlockError as error:
        faults = error.faults
    assert faults
    assert all(0 <= fault.offset <= len(text) for fault in faults)
    return None


def check_flat(text: str) -> None:
    flat, block = read_flat(text), as_strictly(text)
    if flat is None:
        return
    assert block is not None, "the quick pass reads what the strict one refuses"
    values, lines = flat
    assert values == block.values
    assert list(values) == list(block.values)
    assert lines == {key: text.count("\n", 0, pair.key.start) for key, pair in block.pairs.items()}


@given(near_yaml)
@settings(max_examples=75, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_quick_pass_reads_as_the_strict_one(text: str) -> None:
    check_flat(text)


@pytest.mark.soak
@given(near_yaml)
@settings(max_examples=100_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_quick_pass_reads_as_the_strict_one_in_the_large(text: str) -> None:
    check_flat(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: b\na: c\n",
        "a: &x b\n",
        "&x\na: b\n",
        "!!map\na: b\n",
        "&x {a: b}\n",
        "a: *x\n",
        "*x : a\n",
        "a: !!str b\n",
        "!!str a: b\n",
        "a: [&x b]\n",
        "a: [*x]\n",
        "a: {b: c, b: d}\n",
        "a: {b: *x}\n",
        "a: {*x : b}\n",
        "a: b\n...\n",
        "--- # x\na: b\n",
        "a: b\n--- # x\nc: d\n",
        "[a]: b\n",
        ": a\n",
        "- a\n",
        "a\n",
        "x" * 1001 + ": a\n",
    ],
)
def test_what_the_strict_way_refuses_the_quick_one_leaves_to_it(text: str) -> None:
    assert as_strictly(text) is None
    assert read_flat(text) is None


@given(near_yaml)
@settings(max_examples=75, deadline=None, suppress_health_check=list(HealthCheck))
def test_without_libyaml_the_values_are_the_same(text: str) -> None:
    """PyYAML's own scanner stands in where libyaml is absent; it may refuse other odd texts."""
    native = as_strictly(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(yaml, "CSafeLoader")
        plain = as_strictly(text)
    if native is not None and plain is not None:
        assert plain.values == native.values
        assert plain.places.keys() == native.places.keys()


def test_a_block_may_have_64_kib_and_no_more() -> None:
    assert read_block("a: " + "é" * ((MAX_BLOCK_BYTES - 4) // 2)).values["a"]
    with pytest.raises(BlockError) as refused:
        read_block("a: " + "é" * (MAX_BLOCK_BYTES // 2))
    assert [fault.code for fault in refused.value.faults] == ["frontmatter.too_large"]


def test_beside_faults_the_rest_is_read() -> None:
    with pytest.raises(BlockError) as refused:
        read_block("a: &x b\nc: d\nc: e\n")
    assert [fault.code for fault in refused.value.faults] == ["yaml.alias", "yaml.duplicate_key"]
    assert refused.value.block is not None
    assert refused.value.block.values == {"a": "b", "c": "e"}


@given(st.lists(st.text(st.sampled_from("aé1 .,/()+'*&;!?=-:_Z"), max_size=6), max_size=3))
@settings(max_examples=75, deadline=None)
def test_what_doll_writes_reads_the_same_without_libyaml(items: list[str]) -> None:
    for text in (f"a: {inline(items)}", entry("a", items), *(f"a: {scalar(x)}" for x in items)):
        assert yaml.load(text, yaml.BaseLoader) == read_block(text).values  # noqa: S506
