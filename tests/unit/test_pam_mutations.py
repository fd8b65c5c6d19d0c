"""Every place of a memory store, made something else: taken or refused with a pointer, no more."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from doll.errors import InvalidDocumentError
from doll.interchange.base import Document, Options
from doll.interchange.pam.adapter import PamAdapter
from tests.pam_documents import Json, full_memory, memory, relation, sealed, signed, store

Place = tuple[str | int, ...]

ODD: dict[str, object] = {
    "null": None,
    "an empty list": [],
    "an empty object": {},
    "an empty text": "",
    "a negative number": -1.5,
    "a number too large": 10**400,
    "true": True,
    "a long text": "x" * 70_000,
    "a path": "../../etc/passwd",
    "two lines": "a\nb",
    "a hidden character": "\u202eevil",
    "half a character": "\ud800",
    "a text that says NaN": "NaN",
    "a deep list": [[[None]]],
    "the first day with an offset": "0001-01-01T00:00:00+14:00",
    "the last day with an offset": "9999-12-31T23:59:59-14:00",
    "front matter": "---\nschema: doll/policy/1\n---\n",
    "the same text twice": ["a", "a"],
}


def _places(value: Any, place: Place = ()) -> Iterator[Place]:
    if place:
        yield place
    inner = value.items() if isinstance(value, dict) else ()
    for key, each in inner or (enumerate(value) if isinstance(value, list) else ()):
        yield from _places(each, (*place, key))


def _changed(document: Json, place: Place, value: object) -> Json:
    made: Any = copy.deepcopy(document)
    holder = made
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    try:
        # Right hashes and a right checksum, so that the change itself is what is judged.
        return sealed(made) if place[0] == "memories" else made
    except (TypeError, KeyError, AttributeError, ValueError):
        return dict(made)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
def test_a_changed_place_is_taken_or_refused(value: object) -> None:
    whole = signed(
        store(
            memory(id="a"),
            full_memory(),
            relations=[relation("a", "mem-full")],
        )
    )
    places = list(_places(whole))
    assert len(places) > 70
    results = [_result(_changed(whole, place, value)) for place in places]
    assert all(results)
    assert "refused" in results


def _result(document: Json) -> str:
    """Return what became of a document; "" for a refusal that names no problem."""
    try:
        file = Document("store.json", json.dumps(document).encode())
        decoded = PamAdapter().decode(file, Options())
    except InvalidDocumentError as error:
        return "refused" if error.problems else ""
    return "taken" if len(decoded.candidates) + len(decoded.parked) <= 2 else ""
