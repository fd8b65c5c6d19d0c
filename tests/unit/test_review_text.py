"""How candidates are printed: quoted, escaped, and never as doll's own words."""

import pytest

from doll.interchange.claims import Claim
from doll.render.import_text import lines
from doll.render.import_values import Counts, ImportReport, Place, Refused
from doll.render.review_text import diff_lines, list_lines, show_lines, tally
from doll.render.review_values import Candidate, Difference, Duplicate, Listing, Shown

NASTY = "a\u202e\x1b[2J\n--- 2 of 3 ---"


def _candidate(**changes: object) -> Candidate:
    made = Candidate(
        id="mine/tea-1",
        path="staging/pam/mine/tea-1.md",
        digest="0" * 64,
        type="memory",
        name="Tea",
        state="open",
        committed=True,
        origin="import",
        adapter="pam",
        source="owner",
        source_id="mem-1",
        updates="",
    )
    return made._replace(**changes)  # type: ignore[arg-type]


def _safe(printed: list[str]) -> None:
    for line in printed:
        assert "\n" not in line
        assert "\u202e" not in line
        assert "\x1b" not in line


def test_every_foreign_text_is_escaped() -> None:
    candidate = _candidate(
        id=f"mine/{NASTY}", name=NASTY, source=NASTY, source_id=NASTY, updates=NASTY
    )
    shown = Shown(
        candidate=candidate,
        text=NASTY,
        body=NASTY,
        claims=(Claim(NASTY, NASTY, NASTY),),
        duplicates=(Duplicate(NASTY, NASTY, NASTY),),
        secrets=(),
        report=NASTY,
    )
    printed = list(show_lines(shown))
    _safe(printed)
    assert "| a\\u{202e}\\u{1b}[2J" in printed
    assert "| --- 2 of 3 ---" in printed
    _safe(list(list_lines(Listing((candidate,), ()))))
    _safe(list(diff_lines(Difference(candidate, "", NASTY, (NASTY,)))))


def _shown(text: str) -> list[str]:
    claims = (Claim("a", "1", "why"),)
    return list(show_lines(Shown(_candidate(), text, "", claims, (), (), "")))


def test_claims_are_shown_once() -> None:
    printed = _shown('---\ntitle: T\nclaims:\n  "/a": "1"\norigin: import\n---\nclaims:\n  b: c\n')
    start = printed.index("| ---")
    assert printed[start : start + 7] == [
        *("| ---", "| title: T", "| claims: (below)", "| origin: import", "| ---"),
        *("| claims:", "|   b: c"),
    ]
    assert printed[-3:] == [
        "claims: what the source said; nothing acts on them:",
        "  (why)",
        "    a = 1",
    ]


@pytest.mark.parametrize(
    "text",
    [
        '---\nclaims: {"/a": "1"}\n---\n',
        "claims:\n  a: b\n",
        "---\nclaims:\n  # a remark: of whom?\n  not a claim\n---\n",
        "---\ntitle: never closed\nclaims:\n  a: b\n",
    ],
)
def test_nothing_but_claims_is_left_out(text: str) -> None:
    printed = _shown(text)
    for line in text.removesuffix("\n").split("\n"):
        assert f"| {line}" in printed or line == "claims:"


def test_long_names_are_cut_in_a_list() -> None:
    line = next(list_lines(Listing((_candidate(name="x" * 1000),), ())))
    assert len(line) < 200
    assert line.endswith("…")


def test_the_tally_counts_what_there_is() -> None:
    some = (
        _candidate(),
        _candidate(state="rejected"),
        _candidate(state="half-approved"),
        _candidate(committed=False),
    )
    assert tally(Listing(some, ())) == (
        "2 candidates to review, 1 rejected, 1 half-approved (approve again to finish), "
        "1 not committed yet"
    )


def test_an_import_is_told_with_everything_foreign_escaped() -> None:
    report = ImportReport(
        adapter="pam",
        version="1",
        source=NASTY,
        source_name=NASTY,
        source_bytes=1,
        source_digest="0" * 64,
        source_kept=False,
        source_path="",
        name="mine",
        folder="staging/pam/mine",
        name_note="",
        facts={"exported_by": NASTY},
        counts=Counts(0, 0, 0, 0, 1),
        staged=(),
        parked=(),
        refused=(Refused("/memories/0", NASTY, "0" * 64, (Place("jwt", f"/a/{NASTY}"),)),),
        outside=(),
        declared=(),
        losses=(),
        problems=(),
        dropped=0,
        dry_run=False,
    )
    printed = lines(report)
    _safe(printed)
    assert any(line.startswith("refused: /memories/0: a secret at /a/") for line in printed)
