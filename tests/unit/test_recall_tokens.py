"""The tokenizer: words, identifiers whole and in parts, scripts without spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.recall.irregular import BASE
from doll.recall.query import ask
from doll.recall.scripts import normal
from doll.recall.tokens import MAX_TERM, Piece, count, having, held, spans, stem

TEXTS = st.lists(
    st.sampled_from(
        ["espresso", "orders", "咖啡豆", "ｅspresso", "pre-order", "b", "C++", "\u2028", "é"]
    )
    | st.text(max_size=4)
).map(" ".join)


def _pieces(text: str) -> list[Piece]:
    return [span.piece for span in spans(normal(text))]


def _terms(text: str) -> dict[str, float]:
    terms: dict[str, float] = {}
    count(text, 1.0, terms)
    return terms


@pytest.mark.parametrize(
    ("text", "words", "joined"),
    [
        ("totalCost", ("total", "cost"), ("totalcost",)),
        ("HTTPServer", ("http", "server"), ("httpserver",)),
        ("GIT_DIR", ("git", "dir"), ("gitdir",)),
        ("CLAUDE.md", ("claud", "md"), ("claude.md",)),
        ("pre-edit", ("pre", "edit"), ("preedit",)),
        ("a/b", ("a", "b"), ("a/b",)),
        ("src/doll/tokens.py", ("src", "doll", "token", "py"), ("tokens.py", "src/doll/tokens.py")),
        ("__init__.py", ("init", "py"), ("init.py",)),
        ("e-mail", ("e", "mail"), ("email",)),
        ("db.migrate", ("db", "migrat"), ("db.migrate",)),
        ("2026-08-20", ("2026", "08", "20"), ("2026-08-20",)),
        ("1.5", ("1", "5"), ("1.5",)),
    ],
)
def test_identifiers_whole_and_in_parts(
    text: str, words: tuple[str, ...], joined: tuple[str, ...]
) -> None:
    assert _pieces(text) == [Piece(words, joined)]


def test_a_single_word_is_counted_once() -> None:
    assert _terms("espresso") == {"espresso": 1.0}
    assert _terms("GIT_DIR git_dir") == {"git": 2.0, "dir": 2.0, "gitdir": 2.0}


def test_only_the_words_of_a_compound_count_for_the_length() -> None:
    assert count("src/some-file.py", 1.0, {}) == 4
    assert count("C++", 1.0, {}) == 1
    assert count("東京都", 1.0, {}) == 2


@pytest.mark.parametrize("name", ["C++", "C#", "F#", "g++"])
def test_names_of_languages_with_signs(name: str) -> None:
    assert _pieces(name)[0].words == (name.lower(),)
    assert ask(name).terms == (name.lower(),)
    assert name[0].lower() in _terms(name) or name == "g++"


def test_a_heading_sign_is_no_part_of_a_word() -> None:
    assert set(_terms("# Title\n## C\nissue#12")) == {"titl", "c", "issu", "12"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GitHub", "github"),
        ("e-mail", "email"),
        ("ＦＵＬＬＷＩＤＴＨ", "fullwidth"),
        ("naïve", "naive"),
        ("Straße", "strasse"),
        ("Ørsted", "orsted"),
        ("e\u0301te\u0301", "été"),
        ("services", "service"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("git_dir", "gitDir"),
        ("don't", "don\u2019t"),
        ("ЁЛКА", "елка"),
        ("Went", "going"),
        ("bought", "buys"),
        ("written", "wrote"),
    ],
)
def test_forms_that_meet(one: str, other: str) -> None:
    assert set(ask(one).terms) & set(_terms(other))
    assert set(ask(other).terms) & set(_terms(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [("1.5", "15"), ("C++", "C#"), ("がく", "かく"), ("led", "lead"), ("founded", "found")],
)
def test_forms_that_stay_apart(one: str, other: str) -> None:
    assert not set(ask(one).terms) & set(_terms(other))


def test_each_irregular_form_is_of_one_verb_and_none_is_a_verb_of_the_list() -> None:
    assert len(BASE) > 130
    for form, base in BASE.items():
        assert form != base
        assert base not in BASE
        assert stem(form) == stem(base)


def test_english_endings() -> None:
    assert _pieces("Caroline's we'll I've don't") == [
        Piece(("carolin",)),
        Piece(("we",)),
        Piece(("i",)),
        Piece(("dont",)),
    ]
    assert _pieces("l'ordinateur")[0].words == ("l", "ordinateur")


def test_unspaced_scripts_are_pairs_and_single_characters() -> None:
    assert _pieces("東京都") == [Piece(("東京", "京都"), (), ("東", "京", "都"))]
    assert _pieces("茶") == [Piece(("茶",))]
    assert _pieces("Python入門") == [Piece(("python",)), Piece(("入門",), (), ("入", "門"))]
    assert "สวัสดี"[:2] in _terms("สวัสดี")
    assert {"한국", "국어", "한"} <= set(_terms("한국어"))
    assert set(_terms("हिन्दी भाषा")) == {"हिन्दी", "भाषा"}


def test_stems_are_english_only_and_bounded() -> None:
    assert stem("running") == "run"
    assert stem("é" * 100) == "é" * MAX_TERM
    assert stem("x" * 200) == "x" * MAX_TERM
    assert stem("v2") == "v2"


@given(st.text(max_size=300))
def test_any_text_has_bounded_terms_and_finds_itself(text: str) -> None:
    terms = _terms(text)
    assert all(0 < len(term) <= MAX_TERM for term in terms)
    assert set(ask(text).terms) <= set(terms)
    assert all(weight == int(weight) for weight in terms.values())


@given(st.text(alphabet="aA1_-./'+#: é東ก\u0301", max_size=60))
def test_signs_in_any_order(text: str) -> None:
    terms = _terms(text)
    assert "" not in terms
    assert set(ask(text).terms) <= set(terms)


@pytest.mark.parametrize(
    "text", ["a-" * 50_000, "a" * 100_000, "東" * 50_000, "'" * 50_000, "a\u0301" * 50_000]
)
def test_long_pieces_take_linear_time(text: str) -> None:
    assert all(len(term) <= MAX_TERM for term in _terms(text))


@given(st.lists(TEXTS), st.sets(st.sampled_from(["espresso", "order", "咖啡", "é", "b", "c++"])))
def test_what_a_text_has_of_some_terms(texts: list[str], terms: set[str]) -> None:
    text = "\n".join(texts)
    assert held(text, terms) == terms & _terms(text).keys()
    pieces = having(text, terms)
    for line in text.splitlines():
        if terms & _terms(line).keys():
            assert any(piece in normal(line) for piece in pieces)
