"""The example of docs/duplicates.md is what doll prints, and its figures are the code's."""

import re
import shlex
from pathlib import Path

from doll.recall import pairing, similarity
from doll.render.duplicates_document import report_values
from doll.render.duplicates_values import KINDS
from doll.services.consolidating import describing
from doll.services.consolidating.drafting import MOST
from doll.services.consolidating.gathering import Wanted
from doll.services.consolidating.looking import look
from doll.vault import judged
from tests.desk import Desk
from tests.recall_vault import NOW, opened

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "duplicates.md").read_text()


def test_the_example(desk: Desk) -> None:
    records = re.findall(r"`(confirmed/[\w-]+\.md)`:\n\n```markdown\n(.*?)```", PAGE, re.DOTALL)
    assert len(records) == 4
    for path, text in records:
        desk.put(path, text)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "coffee")
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 3
    for command, printed in re.findall(r"\$ doll (.*)\n((?:[^$\n].*\n)*)", "".join(blocks)):
        assert desk.ok(*shlex.split(command)).out == printed


def test_the_judgement_of_the_specification() -> None:
    page = (ROOT / "docs" / "vault-format.md").read_text()
    section = page.partition("\n## Judgements\n")[2]
    place, text = re.findall(r"```\w*\n(.*?)```", section, re.DOTALL)[:2]
    said, problems = judged.parse(text.encode(), place.strip())
    assert said is not None, problems


def test_the_figures() -> None:
    for said in (
        f"at least {similarity.NEAR} permille",
        f"at least {similarity.CONTAINED} permille",
        f"and {similarity.NEIGHBOURS} of its pairs",
        f"first {similarity.MAX_TEXT:,} characters",
        f"At most {pairing.MOST_LOOKED_AT} texts are looked at",
        f"{pairing.MOST_COMPARED} compared in vain",
        f"the {pairing.MOST_EXTENDING} most alike are kept",
        f"all of them, {MOST['exact']} at most",
        f"all of them, {MOST['near']} at most",
    ):
        assert said in PAGE.replace("\n", " "), said
    assert (similarity.LONGER, similarity.FEWEST, describing.MOST_MEMBERS) == (1250, 3, 10)


def test_the_kinds_and_the_keys(desk: Desk) -> None:
    for kind in KINDS:
        assert re.search(rf"^\| `{kind}` \|", PAGE, re.MULTILINE), kind
    table = PAGE.partition("## The JSON document")[2]
    report = look(opened(desk.root), Wanted(), NOW).report
    for key in report_values(report, None, ()):
        assert f"`{key}`" in table, key
