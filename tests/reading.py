"""Reading one record file in tests, with what holds of every problem."""

from doll.errors import CODES, Problem
from doll.records.codec import Parsed, parse
from doll.records.model import FOLDERS, RecordType

OK = "---\ntitle: x\n---\n"


def read(data: str | bytes, record_type: RecordType = "memory") -> Parsed:
    if isinstance(data, str):
        data = data.encode()
    parsed = parse(data, f"{FOLDERS[record_type]}/x.md", "x", record_type)
    assert (parsed.record is None) == any(p.severity == "error" for p in parsed.problems)
    assert list(parsed.problems) == sorted(parsed.problems)
    for problem in parsed.problems:
        assert problem.code in CODES
        assert problem.path == f"{FOLDERS[record_type]}/x.md"
        assert problem.message
        assert problem.hint
    return parsed


def block(text: str, record_type: RecordType = "memory") -> Parsed:
    """Read a file with this block; its first line is the second of the file."""
    return read(f"---\n{text}\n---\nbody\n", record_type)


def found(parsed: Parsed) -> list[tuple[int, int, str]]:
    return [(problem.line, problem.column, problem.code) for problem in parsed.problems]


def only(parsed: Parsed) -> Problem:
    assert len(parsed.problems) == 1, parsed.problems
    return parsed.problems[0]
