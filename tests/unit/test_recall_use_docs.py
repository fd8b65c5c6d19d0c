"""What docs/recall.md says of use and feedback is what the code does."""

import re
from datetime import UTC, datetime
from pathlib import Path

from doll.recall import activation
from doll.recall.activation import reinforced
from doll.recall.ranking import Ranking, Statistics
from doll.recall.rows import Row
from doll.vault.signals import Use

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "recall.md").read_text()
SECTION = " ".join(PAGE.partition("## Use and feedback")[2].partition("\n## ")[0].split())
AS_OF = datetime(2026, 8, 20, 12, tzinfo=UTC)


def _percent(worth: int) -> str:
    return f"{'+' if worth > 0 else '−'}{abs(worth) / 10:g} %"


def test_the_table_has_the_worth_of_every_signal() -> None:
    rows = dict(
        re.findall(r"^\| ([^|]+) \| (\+[^|]*\|[^|]*|−[^|]*\|[^|]*) \|$", PAGE, re.MULTILINE)
    )
    expected = {
        f"`{verdict}`": f"{_percent(activation.USER[verdict])} | {_percent(worth)}"
        for verdict, worth in activation.MODEL.items()
    }
    expected["recalled on a day"] = f"{_percent(activation.RECALLED)} |"
    assert {name: " ".join(worth.split()) for name, worth in rows.items()} == expected


def test_the_bounds() -> None:
    assert f"e^(−{activation.DECAY:g} × d)" in SECTION
    assert f"after {activation.HORIZON} days" in SECTION
    assert f"at most {_percent(activation.RECALLED_MOST)}" in SECTION
    assert f"at most ±{activation.MODEL_MOST / 10:g} %" in SECTION
    assert "a fifth of the record's own score" in SECTION
    assert activation.MOST == 200
    assert "nine tenths of the way" in SECTION
    assert activation.REACH == 900


def _gained(best: int) -> int:
    """Return what the record of the example gains; the best match has so many points."""
    rows = [Row(f"confirmed/{n}.md", "", n, 2) for n in (1, 2)]
    ranking = Ranking({1: best, 2: 2000}, Statistics(2, 9.0, {}))
    known = {"2": Use(user=((AS_OF.toordinal() - 14, "helpful"),))}
    return reinforced(ranking, rows, known, AS_OF).scores[2] - 2000


def test_the_example() -> None:
    assert "124 / 1000 of that: 49 points" in SECTION
    assert "and the record gains 11." in SECTION
    assert (_gained(9000), _gained(2100)) == (49, 11)
