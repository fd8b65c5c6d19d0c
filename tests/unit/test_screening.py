"""Secrets before they are written: refused by kind and place, allowed one for one."""

import pytest

from doll.errors import ConflictError, UsageError
from doll.services.recording.authorship import USER, Author
from doll.services.recording.screening import Place, allowed_places, screen, trailers

KEY = "AKIA" + "QWERTYUIOPASDFGH"
OTHER = "AKIA" + "ASDFGHJKLQWERTYU"


def test_a_place_is_named_and_the_value_is_not() -> None:
    with pytest.raises(ConflictError) as caught:
        screen({"summary": "fine", "evidence": ["fine", f"see {KEY}"], "body": f"\n\n{OTHER}"}, ())
    error = caught.value
    places = [(problem.path, problem.line, problem.column) for problem in error.problems]
    assert places == [("evidence", 1, 5), ("body", 3, 1)]
    said = error.message + error.hint + repr(error.problems)
    assert KEY not in said
    assert OTHER not in said
    assert "--not-a-secret aws-key:body --not-a-secret aws-key:evidence" in error.hint


def test_each_allowance_is_for_one_find() -> None:
    twice = {"body": f"{KEY} {OTHER}"}
    place = Place("aws-key", "body")
    with pytest.raises(ConflictError):
        screen(twice, [place])
    screen(twice, [place, place])
    with pytest.raises(UsageError, match="found there 2 times only"):
        screen(twice, [place, place, place])
    with pytest.raises(UsageError):
        screen({"body": "fine"}, [Place("jwt", "body")])


def test_an_allowance_is_for_its_field_and_detector() -> None:
    with pytest.raises(ConflictError):
        screen({"summary": KEY}, [Place("aws-key", "body")])
    with pytest.raises(ConflictError):
        screen({"body": KEY}, [Place("jwt", "body")])


def test_the_name_of_a_field_tells() -> None:
    with pytest.raises(ConflictError):
        screen({"password": "hunter2-and-more"}, ())
    screen({"claims": {"/text": "nothing"}, "enabled": False}, ())


@pytest.mark.parametrize("option", ["", "jwt", "jwt:", ":body", "nothing:body", "JWT:body"])
def test_other_forms(option: str) -> None:
    with pytest.raises(UsageError, match="DETECTOR:FIELD"):
        allowed_places([option], USER)


def test_a_model_allows_nothing() -> None:
    assert allowed_places([], Author("model:x")) == ()
    with pytest.raises(ConflictError, match="that is the user's"):
        allowed_places(["jwt:body"], Author("model:x"))


def test_the_trailers() -> None:
    places = allowed_places(["jwt:body", "aws-key:evidence"], USER)
    assert trailers(places) == [
        "Doll-Not-A-Secret: jwt:body",
        "Doll-Not-A-Secret: aws-key:evidence",
    ]


def test_a_command_that_can_allow_none_names_no_option() -> None:
    with pytest.raises(ConflictError) as caught:
        screen({"id": KEY}, None)
    assert "without the secret" in caught.value.hint
    assert "--not-a-secret" not in caught.value.hint
