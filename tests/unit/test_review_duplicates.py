"""Likely duplicates: the same words, or most of them."""

from doll.services.reviewing.duplicates import Memories, words


def _memories(**texts: str) -> Memories:
    memories = Memories()
    for name, text in texts.items():
        memories.add(name, f"confirmed/{name}.md", text)
    return memories


def test_the_same_words_are_found_whatever_case_and_white_space() -> None:
    found = _memories(tea="Prefers  tea,\nnot coffee.").like("prefers tea not Coffee")
    assert [(each.id, each.path, each.why) for each in found] == [
        ("tea", "confirmed/tea.md", "the same words")
    ]


def test_most_words_in_common_say_how_many() -> None:
    found = _memories(tea="Prefers green tea in the morning").like("Prefers tea in the morning")
    assert [each.why for each in found] == ["shares 5 of 6 words"]


def test_few_words_or_other_ones_are_no_duplicate() -> None:
    memories = _memories(tea="Prefers tea", bees="Keeps bees in the garden of the old mill")
    assert memories.like("Prefers coffee") == ()
    assert memories.like("Keeps a boat in the harbour of the old town by the sea") == ()
    assert memories.like("") == ()


def test_chinese_and_japanese_are_compared_by_pairs() -> None:
    assert words("会议偏好") == {"会议", "议偏", "偏好"}
    found = _memories(a="会议尽量安排在上午进行").like("会议尽量安排在上午")
    assert [each.id for each in found] == ["a"]


def test_most_alike_first_and_at_most_five() -> None:
    texts = {f"m{i}": f"one two three four five six {'x' * i}" for i in range(8)}
    found = _memories(exact="one two three four five six", **texts).like(
        "one two three four five six"
    )
    assert len(found) == 5
    assert [each.id for each in found][:2] == ["exact", "m0"]
