"""Secrets in a source are found before anything is written, and their values go nowhere."""

import json
from collections.abc import Callable

import pytest

from tests.desk import Result
from tests.foreign_desk import AWS, GITHUB, ForeignDesk, three
from tests.pam_documents import Json, encoded, memory, relation, sealed, store

pytestmark = pytest.mark.sampled(4)


def _nowhere(desk: ForeignDesk, result: Result, *values: str) -> None:
    for value in values:
        assert value not in result.out
        assert value not in result.err
        for path, data in desk.files().items():
            assert value not in path
            assert value.encode() not in data


def _content(document: Json) -> Json:
    document["memories"][1]["content"] = f"The key is {AWS}, keep it."
    return document


def _summary(document: Json) -> Json:
    document["memories"][1]["summary"] = f"key {AWS}"
    return document


def _id(document: Json) -> Json:
    document["memories"][1]["id"] = AWS
    return document


def _metadata(document: Json) -> Json:
    document["memories"][1]["metadata"] = {"x": {"y": ["a", AWS]}}
    return document


def _metadata_name(document: Json) -> Json:
    document["memories"][1]["metadata"] = {AWS: "a"}
    return document


def _relation(document: Json) -> Json:
    document["relations"] = [relation("mem-2", "mem-1", id=f"rel {AWS}")]
    return document


@pytest.mark.parametrize("plant", [_content, _summary, _id, _metadata, _metadata_name, _relation])
def test_one_hit_refuses_its_candidate_and_withholds_the_source(
    desk: ForeignDesk, plant: Callable[[Json], Json]
) -> None:
    document = sealed(plant(three()))
    result = desk.bring(document, "--name", "mine", code=1)
    done = result.json
    assert done["counts"] == {"new": 2, "changed": 0, "unchanged": 0, "parked": 0, "refused": 1}
    refused = done["refused"][0]
    assert refused["pointer"] == "/memories/1"
    assert [each["detector"] for each in refused["secrets"]] == ["aws-key"]
    assert done["source"]["kept"] is None
    assert not (desk.root / "staging/pam/mine/source").exists()
    report = desk.read("staging/pam/mine/_import.md")
    assert "## Refused" in report
    assert "aws-key:" in report
    assert done["source"]["sha256"] in report
    _nowhere(desk, result, AWS)
    text = desk.doll("import", "pam", str(desk.export(document)))
    assert text.code == 1
    assert "(aws-key)" in text.out
    _nowhere(desk, text, AWS)


def test_the_place_is_named_by_its_pointer(desk: ForeignDesk) -> None:
    done = desk.bring(sealed(_metadata(three())), code=1).json
    assert done["refused"][0]["secrets"] == [
        {"detector": "aws-key", "pointer": "/memories/1/metadata/x/y/1"}
    ]


def test_escapes_hide_nothing(desk: ForeignDesk) -> None:
    data = encoded(sealed(_content(three())))
    escaped = data.replace(AWS.encode(), "".join(f"\\u{ord(c):04x}" for c in AWS).encode())
    assert AWS.encode() not in escaped
    result = desk.bring(escaped, code=1)
    assert result.json["counts"]["refused"] == 1
    _nowhere(desk, result, AWS, "\\u0041\\u004b\\u0049\\u0041")


def test_a_name_counts_for_its_value(desk: ForeignDesk) -> None:
    document = three()
    document["memories"][0]["metadata"] = {"password": "Tr0ub4dor&3-horse"}
    result = desk.bring(sealed(document), code=1)
    assert result.json["refused"][0]["secrets"] == [
        {"detector": "password-assignment", "pointer": "/memories/0/metadata/password"}
    ]
    _nowhere(desk, result, "Tr0ub4dor")


def test_an_allow_list_comment_in_foreign_text_is_text(desk: ForeignDesk) -> None:
    document = three()
    document["memories"][0]["content"] = f"{GITHUB}  # pragma: allowlist secret"
    assert desk.bring(sealed(document), code=1).json["counts"]["refused"] == 1


def test_a_hit_outside_any_memory_only_withholds_the_source(desk: ForeignDesk) -> None:
    document = three() | {"export_id": f"export {AWS}"}
    result = desk.bring(document, "--name", "mine")
    done = result.json
    assert done["counts"]["new"] == 3
    assert done["secrets_elsewhere"] == [{"detector": "aws-key", "pointer": "/export_id"}]
    assert done["problems"] == []
    assert done["source"]["kept"] is None
    _nowhere(desk, result, AWS)
    before = desk.files()
    assert desk.bring(document).json["folder"] is None
    assert desk.files() == before


def test_the_terminal_says_where_a_secret_is_that_refuses_nothing(desk: ForeignDesk) -> None:
    place = desk.export(three() | {"export_id": f"export {AWS}"})
    result = desk.ok("import", "pam", str(place))
    assert "secret: /export_id: this looks like a secret (aws-key)" in result.out
    assert "the source's bytes are not kept" in result.out
    _nowhere(desk, result, AWS)


def test_a_secret_that_every_candidate_would_carry_refuses_all(desk: ForeignDesk) -> None:
    document = three() | {"owner": {"id": AWS}}
    result = desk.bring(document, "--name", "mine", code=1)
    assert result.json["counts"]["refused"] == 3
    _nowhere(desk, result, AWS)
    before = desk.files()
    assert desk.bring(document, code=1).json["folder"] is None
    assert desk.files() == before


def test_a_refused_document_does_not_quote_secrets(desk: ForeignDesk) -> None:
    document = three()
    document["memories"][0]["type"] = AWS
    document["memories"][1][AWS] = 1
    place = desk.export(document)
    result = desk.doll("import", "pam", str(place), "--json")
    assert result.code == 4
    _nowhere(desk, result, AWS)


def test_refused_again_writes_nothing_new(desk: ForeignDesk) -> None:
    document = sealed(_content(three()))
    desk.bring(document, code=1)
    before = desk.files()
    again = desk.bring(document, code=1).json
    assert again["counts"]["refused"] == 1
    assert again["folder"] is None
    assert desk.files() == before


def test_a_declared_false_alarm_is_imported_and_recorded(desk: ForeignDesk) -> None:
    document = sealed(_content(three()))
    declared = ("--not-a-secret", "aws-key:/memories/1/content")
    done = desk.bring(document, "--name", "mine", "--commit", *declared).json
    assert done["counts"]["new"] == 3
    assert done["source"]["kept"] == "staging/pam/mine/source/store.json"
    report = desk.read("staging/pam/mine/_import.md")
    assert "## Declared no secret" in report
    assert "`aws-key:/memories/1/content`" in report
    assert "Doll-Not-A-Secret: aws-key:/memories/1/content" in desk.git("log", "-1", "--format=%B")
    assert desk.bring(document).json["counts"]["unchanged"] == 3
    bees = next(each for each in done["candidates"] if each["source_id"] == "mem-2")
    shown = desk.review("show", bees["id"])
    assert shown["secrets"] == []
    desk.approve(bees, "--commit")


def test_a_refused_entry_comes_in_once_it_is_declared(desk: ForeignDesk) -> None:
    document = sealed(_content(three()))
    desk.bring(document, "--name", "mine", code=1)
    declared = ("--not-a-secret", "aws-key:/memories/1/content")
    done = desk.bring(document, "--name", "mine", *declared).json
    assert done["counts"] == {"new": 1, "changed": 0, "unchanged": 2, "parked": 0, "refused": 0}
    assert done["import"] == "mine-2"


def test_only_what_was_declared_is_let_through(desk: ForeignDesk) -> None:
    document = three()
    document["memories"][0]["content"] = f"{AWS} and {GITHUB}"
    done = desk.bring(
        sealed(document), "--not-a-secret", "aws-key:/memories/0/content", code=1
    ).json
    assert done["refused"][0]["secrets"] == [
        {"detector": "github-token", "pointer": "/memories/0/content"}
    ]


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("aws-key", "is not DETECTOR:POINTER"),
        ("nothing:/memories/1/content", "is not DETECTOR:POINTER"),
        ("aws-key:memories/1", "is not DETECTOR:POINTER"),
        ("aws-key:/memories/0/content", "aws-key:/memories/1/content"),
    ],
)
def test_a_declaration_that_fits_nothing_is_refused(
    desk: ForeignDesk, declared: str, said: str
) -> None:
    place = desk.export(sealed(_content(three())))
    err = desk.refused(2, "import", "pam", str(place), "--not-a-secret", declared)
    assert said in err


def test_a_model_declares_nothing(desk: ForeignDesk) -> None:
    place = desk.export(sealed(_content(three())))
    options = ("import", "pam", str(place), "--not-a-secret", "aws-key:/memories/1/content")
    err = desk.refused(5, *options, DOLL_BY="model:helper")
    assert "model:helper cannot say that something is no secret" in err
    desk.refused(5, *options, "--by", "model:helper")


def test_a_name_that_holds_a_secret_is_refused(desk: ForeignDesk) -> None:
    desk.refused(2, "import", "pam", str(desk.export(three())), "--name", AWS)
    place = desk.export(three(), f"{AWS}.json")
    result = desk.doll("import", "pam", str(place), "--json")
    assert result.code == 0
    assert AWS not in json.dumps(sorted(desk.files()))
    assert AWS not in desk.read(json.loads(result.out)["folder"] + "/_import.md")


def test_a_clean_export_of_a_store_with_secrets_elsewhere_is_kept(desk: ForeignDesk) -> None:
    desk.bring(sealed(_content(three())), "--name", "first", code=1)
    done = desk.bring(store(memory("Sings.", id="mem-9")), "--name", "second").json
    assert done["source"]["kept"] == "staging/pam/second/source/store.json"


def test_a_declared_false_alarm_passes_validation_until_it_is_approved_and_after(
    desk: ForeignDesk,
) -> None:
    document = sealed(_content(three()))
    declared = ("--not-a-secret", "aws-key:/memories/1/content")
    done = desk.bring(document, "--name", "mine", *declared).json
    desk.git("add", "staging")
    assert desk.doll("validate", "--staged").code == 0
    desk.git("commit", "-qm", "import")
    assert desk.doll("validate").code == 0
    bees = next(each for each in done["candidates"] if each["source_id"] == "mem-2")
    desk.approve(bees)
    assert desk.doll("validate", "--staged").code == 0
    desk.git("commit", "-qm", "review")
    assert desk.doll("validate").code == 0
    desk.put("confirmed/other.md", f"---\ntitle: x\n---\n{AWS}\n")
    assert desk.doll("validate").code == 1


def test_without_a_readable_ledger_a_declaration_does_not_count(desk: ForeignDesk) -> None:
    document = sealed(_content(three()))
    desk.bring(document, "--name", "mine", "--not-a-secret", "aws-key:/memories/1/content")
    desk.put("staging/pam/mine/_import.md", "oops\n")
    done = desk.doll("validate", "--json")
    assert done.code == 1
    assert "secret.found" in {each["code"] for each in done.json["problems"]}
