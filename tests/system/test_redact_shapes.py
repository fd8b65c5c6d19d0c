"""`doll redact`: values of any shape, the comments beside them, and what it cannot replace."""

import pytest

from doll.records.codec import values_of
from doll.services.checking.redacting import is_redaction
from tests.desk import Desk
from tests.laws.test_law3_experience_is_history import ENTRY, NAME, PATH, commit_entries

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

BY = ("--reason", "names a person")


@pytest.fixture
def kept(desk: Desk) -> Desk:
    """A vault with committed entries and doll's hook."""
    return commit_entries(desk)


def entry(desk: Desk, lines: str) -> bytes:
    """Commit the entry with these lines of front matter more; return its bytes."""
    desk.put(PATH, ENTRY.replace("tags: [x]\n", f"tags: [x]\n{lines}"))
    desk.git("commit", "-aqm", "more", "--no-verify")
    return (desk.root / PATH).read_bytes()


def redact(desk: Desk, before: bytes, *fields: str) -> tuple[str, list[str]]:
    """Redact fields, hold the result to the one rule, and return its text and the notes."""
    words = [word for field in fields for word in ("--field", field)]
    notes = desk.ok("redact", NAME, *words, *BY, "--commit", "--json").json["notes"]
    after = (desk.root / PATH).read_bytes()
    assert is_redaction(before, after)
    assert desk.doll("validate").code == 0
    return after.decode(), notes


SHAPES = {
    "a mapping with a list": "mine:\n  a: [1, {b: Jane}]\n",
    "a flat mapping": "mine: {Jane: a, b: c}\n",
    "a list of lists": "mine:\n- [Jane, {}]\n- b: [c]\n",
    "a flag": "mine: true\n",
    "the other flag": "mine: false\n",
    "a block of text": "mine: |\n  Jane\n  # and more\n",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_no_field_goes_as_one(kept: Desk, shape: str) -> None:
    text, _ = redact(kept, entry(kept, SHAPES[shape]), "mine")
    assert values_of(text.encode())["mine"] == "[redacted]"
    assert text.replace('mine: "[redacted]"\n', SHAPES[shape]).startswith(
        ENTRY.partition("---\n\n")[0].replace("tags: [x]\n", f"tags: [x]\n{SHAPES[shape]}")
    )


def test_words_in_the_names_of_a_mapping_are_looked_for_too(kept: Desk) -> None:
    kept.put("confirmed/x.md", "---\ntitle: X\n---\nAsk Quillfeather.\n")
    data = entry(kept, "mine: {Quillfeather: a}\n")
    assert data
    words = ("--field", "mine", *BY, "--json")
    assert kept.ok("redact", NAME, *words).json["left"] == ["confirmed/x.md"]


def test_nothing_is_no_value(kept: Desk) -> None:
    entry(kept, "mine: {}\nyours: ''\nours:\n")
    for name in ("mine", "yours", "ours"):
        assert "nothing stands there" in kept.refused(2, "redact", NAME, "--field", name, *BY)


@pytest.mark.parametrize(
    ("lines", "field", "why", "hint"),
    [
        ("? nick\n: Jane\n", "nick", "`nick` is written as `? nick`", "docs/vault-format.md"),
        ("mine:\n- [Jane]\n", "mine:1", "mine:1 is no text of its own", "--field mine\n"),
    ],
)
def test_what_it_cannot_replace_is_said_once(
    kept: Desk, lines: str, field: str, why: str, hint: str
) -> None:
    entry(kept, lines)
    said = kept.refused(5, "redact", NAME, "--field", field, *BY)
    assert f"the entry cannot be redacted by doll: {why}" in said
    assert said.count("cannot be redacted by doll") == 1
    assert said.count("nothing was changed") == 1
    assert hint in said


COMMENTED = (
    "# of Jane\ntags: # first Jane\n- a # then Jane\n# Jane again\n- b # Jane at last\n# x\n"
)


def test_comments_within_a_whole_value_go_and_those_beside_it_stay(kept: Desk) -> None:
    kept.put(PATH, ENTRY.replace("tags: [x]\n", COMMENTED))
    kept.git("commit", "-aqm", "more", "--no-verify")
    text, _ = redact(kept, (kept.root / PATH).read_bytes(), "tags")
    assert '# of Jane\ntags: "[redacted]" # Jane at last\n# x\n' in text


def test_comments_stay_where_elements_are_redacted(kept: Desk) -> None:
    kept.put(PATH, ENTRY.replace("tags: [x]\n", COMMENTED))
    kept.git("commit", "-aqm", "more", "--no-verify")
    text, _ = redact(kept, (kept.root / PATH).read_bytes(), "tags:1", "tags:2")
    first, second = '- "[redacted]" # then Jane', '- "[redacted]" # Jane at last'
    assert f"tags: # first Jane\n{first}\n# Jane again\n{second}\n# x\n" in text


def test_the_line_is_named_where_the_words_stay(kept: Desk) -> None:
    before = entry(kept, "nick: Jane # Jane\nname: x\n")
    text, notes = redact(kept, before, "nick")
    lines = text.split("\n")
    where = [number for number, line in enumerate(lines, 1) if "Jane" in line]
    assert 'nick: "[redacted]" # Jane' in lines
    numbers = ", ".join(map(str, where))
    said = f"lines {numbers} of it have the same words still; a comment beside a value stays"
    assert said in notes


def test_no_line_is_named_where_no_words_stay(kept: Desk) -> None:
    _, notes = redact(kept, entry(kept, "nick: Quillfeather\n"), "nick")
    assert not any("the same words" in note for note in notes)
