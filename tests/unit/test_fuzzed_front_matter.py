"""Record files that chance made are read or named, quickly, by all that works on their text."""

import time

import pytest

from doll.recall.document import document
from doll.records.codec import parse
from doll.records.model import FOLDERS, TYPES
from doll.render.problems import problem_lines
from doll.render.text import visible
from doll.secrets import mask, scan
from tests.fuzzed_texts import text

HANG = 1.0
SAMPLE, ALL = 300, 10_000


def hold(number: int) -> float:
    """Read the file of this number as each reader does; return the seconds that it took."""
    data = text(number)
    begin = time.process_time()
    record_type = TYPES[number % len(TYPES)]
    path = f"{FOLDERS[record_type]}/x.md"
    record, problems, body = parse(data, path, "x", record_type)
    assert (record is None) == any(problem.severity == "error" for problem in problems), number
    for line in problem_lines(problems):
        assert line == visible(line), (number, line)
    if record is not None:
        assert data.endswith(body.encode()), number
        document(record, body)
    scan(plain := data.decode("utf-8", "replace"))
    mask(plain)
    taken = time.process_time() - begin
    assert taken < HANG, (number, taken)
    return taken


def test_a_sample() -> None:
    for number in range(0, ALL, ALL // SAMPLE):
        hold(number)


@pytest.mark.soak
def test_all_of_them() -> None:
    taken = sorted((hold(number), number) for number in range(ALL))
    print(f"{ALL:,} files, {sum(each for each, _ in taken):.1f} s, slowest {taken[-5:]}")
