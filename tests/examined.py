"""`doll doctor` run so that every byte is held against what was there before."""

from typing import Any

from tests.desk import Desk
from tests.footprint import footprint


def findings(desk: Desk, *arguments: str) -> list[dict[str, Any]]:
    """Return what doctor finds here; hold both forms and the exit code together.

    Nothing may change, in the vault, in its cache and in git's folder, or beside them.
    """
    before = footprint(desk.root.parent)
    document = desk.doll("doctor", "--json", *arguments)
    assert document.err == ""
    assert document.json["schema"] == "doll.doctor/1"
    found: list[dict[str, Any]] = document.json["problems"]
    wanting = [problem for problem in found if problem["severity"] != "note"]
    assert document.code == int(bool(wanting)), found
    plain = desk.doll("doctor", *arguments)
    assert plain.code == document.code
    for problem in found:
        assert f"[{problem['code']}]" in plain.out
        assert problem["hint"], problem
        assert problem["area"] in document.json["areas"]
    assert footprint(desk.root.parent) == before
    return found


def wanting(desk: Desk, *arguments: str) -> list[str]:
    """Return the codes of what is more than a note, in order."""
    found = findings(desk, *arguments)
    return [problem["code"] for problem in found if problem["severity"] != "note"]


def noted(desk: Desk, *arguments: str) -> list[str]:
    """Return the codes of the notes, in order."""
    found = findings(desk, *arguments)
    return [problem["code"] for problem in found if problem["severity"] == "note"]


def of_code(desk: Desk, code: str) -> dict[str, Any]:
    """Return the one finding with a code."""
    (found,) = (problem for problem in findings(desk) if problem["code"] == code)
    return found


def commands(problem: dict[str, Any]) -> list[str]:
    """Return the lines to type of a finding, without what is said about them."""
    lines = [line.partition("    ")[0] for line in problem["hint"].splitlines()]
    return [line for line in lines if not line.startswith("#")]
