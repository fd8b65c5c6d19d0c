"""Every trailer that doll writes or reads stands in the one list, which the hook knows."""

import re
from pathlib import Path

import doll
from doll.services import trailers

_NAMED = re.compile(r"""["'{]Doll-[A-Z]""")


def test_no_other_module_spells_a_trailer() -> None:
    package = Path(doll.__file__).parent
    spelled = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if _NAMED.search(path.read_text(encoding="utf-8"))
    }
    assert spelled == {"services/trailers.py"}


def test_the_list_has_every_name_of_the_module() -> None:
    named = {value for value in vars(trailers).values() if str(value).startswith("Doll-")}
    assert named == {*trailers.KNOWN}


def test_values_are_found_in_any_case() -> None:
    pairs = [("doll-by", " model:x "), ("Doll-Redacts", "a"), ("DOLL-BY", "")]
    assert trailers.values(pairs, trailers.BY) == ["model:x", ""]
    assert trailers.values(pairs, trailers.ACTION) == []
