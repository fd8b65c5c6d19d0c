"""Who writes: the user, or a model; nothing makes a model the user."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.errors import ConflictError, UsageError
from doll.services.recording.authorship import USER, Author, author, require_user

MODEL = "model:claude-opus-4.1"


@pytest.mark.parametrize(
    ("by", "environment", "model"),
    [
        (None, None, None),
        (MODEL, None, MODEL),
        (None, MODEL, MODEL),
        (MODEL, MODEL, MODEL),
        (None, "model:openai/gpt-5:latest", "model:openai/gpt-5:latest"),
    ],
)
def test_who_writes(by: str | None, environment: str | None, model: str | None) -> None:
    assert author(by, environment) == Author(model)


@pytest.mark.parametrize(
    "wrong",
    [
        *("", " ", "user", "USER", "model", "model:", "model: x", "claude", "Model:x"),
        *("model:x\ny", f"model:{'x' * 200}", "model:-x", "model:x\u202e", "model:\udcff"),
        *("import:pam", "system:job"),
    ],
)
def test_other_forms_are_refused_wherever_they_stand(wrong: str) -> None:
    for by, environment in ((wrong, None), (None, wrong), (wrong, MODEL), (MODEL, wrong)):
        with pytest.raises(UsageError):
            author(by, environment)


def test_the_option_does_not_rename_the_variable() -> None:
    with pytest.raises(UsageError, match="cannot change it"):
        author("model:other", MODEL)


def test_a_name_that_looks_like_a_secret_is_refused_and_not_said() -> None:
    key = "ghp_" + "a8Kd02LmQ5xPz7RtY3wVb6NcJ4hG1fSe9uTi"
    for by, environment in ((f"model:{key}", None), (None, f"model:{key}")):
        with pytest.raises(ConflictError, match="looks like a secret") as caught:
            author(by, environment)
        assert key[:8] not in f"{caught.value.message} {caught.value.hint}"


def test_an_empty_variable_is_no_user_and_says_what_to_do() -> None:
    with pytest.raises(UsageError, match="DOLL_BY is empty") as caught:
        author(None, "")
    assert "unsets it" in caught.value.hint


@given(st.text() | st.none(), st.text())
def test_whatever_is_said_a_set_variable_never_gives_the_user(
    by: str | None, environment: str
) -> None:
    try:
        who = author(by, environment)
    except UsageError:
        return
    assert who != USER


def test_what_is_the_users() -> None:
    require_user(USER, "confirm an entry", "hint")
    with pytest.raises(ConflictError, match="that is the user's") as caught:
        require_user(Author(MODEL), "confirm an entry", "hint")
    assert caught.value.exit_code == 5
    assert caught.value.hint == "hint"
