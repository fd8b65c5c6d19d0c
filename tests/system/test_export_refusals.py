"""What `doll export pam` refuses, with the reason and an exit code: nothing is written then."""

import json
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.exports import GITHUB, exported, ids, reasons, remember, report
from tests.foreign_desk import ForeignDesk, three
from tests.signing import NEEDS_SSH, Signer

pytestmark = pytest.mark.sampled(4)

EXPORT = ("export", "pam", "--owner", "ada")
PROPOSAL = "---\ntitle: Proposed\norigin: model\n---\nProposed.\n"


@pytest.fixture
def stocked(desk: Desk) -> Desk:
    """A vault with one memory that may go, and many that may not."""
    remember(
        desk,
        good="title: Good",
        hidden="title: Where it lies\nsensitivity: secret",
        kept="exportable: false",
        old="status: archived",
        gone="status: superseded",
        wrong="status: retracted",
        replaced="title: Replaced",
        newer="supersedes: [replaced]",
        key=f"---\ntitle: Key\n---\n{GITHUB}\n",
        void="---\ntags: [x]\n---\n",
        foreign="origin: import",
    )
    desk.put("confirmed/pending.md", "---\ntitle: Pending\n---\nPending.\n")
    desk.put("confirmed/broken.md", "---\nkind: [\n---\n")
    desk.put("staging/proposals/proposed.md", PROPOSAL)
    return desk


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("hidden", "export.secret", "is labelled secret"),
        ("kept", "export.not_exportable", "says exportable: false"),
        ("old", "export.archived", "is archived"),
        ("gone", "export.superseded", "is superseded"),
        ("wrong", "export.retracted", "is retracted"),
        ("replaced", "export.superseded", "is superseded"),
        ("key", "secret.found", "this looks like a secret (github-token) in `body`"),
        ("void", "export.empty", "holds no text"),
        ("foreign", "export.not_reviewed", "comes from elsewhere and has no review"),
        ("pending", "export.not_committed", "is not as committed"),
        ("broken", "export.unreadable", "cannot be read"),
        ("atlas", "export.not_confirmed", "this is a project"),
        ("proposals/proposed", "export.not_confirmed", "this is a candidate"),
    ],
)
def test_what_is_named_and_may_not_go_is_refused(
    stocked: Desk, tmp_path: Path, name: str, code: str, said: str
) -> None:
    out = tmp_path / "store.json"
    result = stocked.doll(*EXPORT, "good", name, "--out", str(out), "--json")
    assert result.code == 5
    (problem,) = result.json["problems"]
    assert problem["code"] == code
    assert said in problem["message"]
    assert GITHUB not in result.out + result.err
    assert list(tmp_path.glob("store*")) == []


def test_every_name_that_is_refused_is_said(stocked: Desk) -> None:
    said = stocked.refused(5, *EXPORT, "good", "old", "kept", "atlas")
    assert "3 of the records may not be exported; nothing was written" in said
    for name in ("old", "kept", "atlas"):
        assert name in said


def test_with_all_the_rest_is_counted(stocked: Desk) -> None:
    told = report(stocked, "--all", code=1)
    assert ids(told["document"]) == ["good", "newer"]
    assert reasons(told) == {
        "unreadable": 1,
        "secret_found": 1,
        "empty": 1,
        "not_committed": 1,
        "not_reviewed": 1,
        "archived": 1,
        "superseded": 2,
        "retracted": 1,
        "secret": 1,
        "not_exportable": 1,
    }
    named = {each["reason"]: each["ids"] for each in told["left_out"]}
    assert named["superseded"] == ["gone", "replaced"]
    assert named["secret"] == ["hidden"]
    assert "Where it lies" not in json.dumps(told)


def test_a_secret_record_is_named_by_its_id_alone(stocked: Desk, tmp_path: Path) -> None:
    out = tmp_path / "store.json"
    result = stocked.doll(*EXPORT, "--all", "--out", str(out))
    assert "1 left out: is labelled secret (hidden)" in result.out
    loss = Path(f"{out}.loss.md").read_text(encoding="utf-8")
    assert "Where it lies" not in result.out + result.err + loss
    assert "hidden" not in loss + out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "nothing says which memories to export"),
        (("good", "--all"), "three ways"),
        (("--all", "--tag", "x"), "three ways"),
        (("good", "--query", "x"), "three ways"),
        (("nobody",), "no record has the id 'nobody'"),
        (("--query", " "), "the query is empty"),
        (("--all", "--as-of", "yesterday"), "--as-of"),
        (("--all", "--owner", " "), "--owner is empty"),
        (("--all", "--owner", GITHUB), "--owner seems to hold a secret"),
        (("--all", "--owner", "\udcff"), "--owner is not UTF-8"),
    ],
)
def test_wrong_usage(stocked: Desk, options: tuple[str, ...], said: str) -> None:
    assert said in stocked.refused(2, *EXPORT, *options)


def test_an_owner_is_required(stocked: Desk) -> None:
    assert "--owner" in stocked.refused(2, "export", "pam", "--all")


def test_an_export_of_nothing_is_not_written(stocked: Desk, tmp_path: Path) -> None:
    out = tmp_path / "store.json"
    said = stocked.refused(1, *EXPORT, "--tag", "nobody-has-it", "--out", str(out))
    assert "there is nothing to export, and nothing was written" in said
    assert not out.exists()
    assert "no confirmed memory is like that" in said
    assert "1 left out: holds no text (void)" in stocked.refused(1, *EXPORT, "--tag", "x")


def test_an_edit_that_is_not_committed_keeps_a_memory_back(stocked: Desk) -> None:
    stocked.put("confirmed/good.md", "---\ntitle: Better\n---\nBetter.\n")
    assert "is not as committed" in stocked.refused(5, *EXPORT, "good")
    stocked.put("confirmed/two words.md", "---\ntitle: Two\n---\nWords.\n")
    # One word of the line, whatever stands in the name.
    said = stocked.refused(5, *EXPORT, "two words")
    assert "git diff HEAD -- 'confirmed/two words.md'    shows" in said
    (stocked.root / "confirmed" / "two words.md").unlink()
    (stocked.root / "confirmed" / "good.md").unlink()
    assert reasons(report(stocked, "--all", code=1))["not_committed"] == 2


def test_an_edit_that_is_not_committed_lifts_nothing(stocked: Desk) -> None:
    for name, text in (
        ("old", "status: active"),
        ("hidden", "title: Public"),
        ("kept", "exportable: true"),
        ("newer", "title: It supersedes nothing any more"),
    ):
        stocked.put(f"confirmed/{name}.md", f"---\n{text}\n---\nText.\n")
    assert ids(exported(stocked, "--all", code=1)) == ["good"]
    for name in ("old", "hidden", "kept", "replaced"):
        stocked.refused(5, *EXPORT, name)


def test_a_label_that_is_not_committed_holds(stocked: Desk) -> None:
    stocked.put("confirmed/good.md", "---\nsensitivity: secret\n---\nAbout good.\n")
    told = report(stocked, "--all", code=1)
    assert reasons(told)["secret"] == 2
    assert "is labelled secret" in stocked.refused(5, *EXPORT, "good")


def test_a_feature_branch_adds_nothing_and_lifts_nothing(stocked: Desk) -> None:
    stocked.git("switch", "-qc", "feature")
    remember(stocked, old="status: active", extra="title: Extra", good="title: Other")
    told = report(stocked, "--all", code=1)
    assert ids(told["document"]) == ["newer"]
    assert told["accepted_commit"] == stocked.git("rev-parse", "main")
    stocked.refused(5, *EXPORT, "extra")


def test_two_records_of_one_name_are_not_exported(stocked: Desk) -> None:
    remember(stocked, other="aliases: [GOOD]")
    told = report(stocked, "--all", code=1)
    assert ids(told["document"]) == ["newer", "other", "pending"]
    assert reasons(told)["ambiguous_id"] == 1


def test_a_candidate_goes_only_after_its_review(
    started: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shutil

    shutil.copytree(started, tmp_path / "notes")
    desk = ForeignDesk(tmp_path / "notes", capsys)
    first, *_ = desk.committed(three())
    desk.refused(5, *EXPORT, first["id"])
    stem = first["id"].partition("/")[2]
    (desk.root / "confirmed").mkdir(exist_ok=True)
    desk.git("mv", first["path"], f"confirmed/{stem}.md")
    desk.git("commit", "-qm", "around the review")
    assert "has no review" in desk.refused(5, *EXPORT, stem)
    desk.git("reset", "-q", "--hard", "HEAD~")
    desk.approve(first)
    assert "is not as committed" in desk.refused(5, *EXPORT, stem)
    desk.git("commit", "-qm", "approve")
    assert ids(exported(desk, stem)) == [stem]


@NEEDS_SSH
def test_a_review_that_has_to_be_signed_and_is_not(ada: Signer) -> None:
    desk = ada.desk
    settings = desk.read("doll.yaml") + "review:\n  signed: required\n"
    own = ("confirmed/own.md", "---\ntitle: Own\n---\nOwn.\n")
    ada.signed(("doll.yaml", settings), own)
    reviewed = (
        "---\ntitle: Foreign\norigin: import\nreviewed_by: Ada <ada@example.org>\n"
        f"reviewed_at: 2026-08-01T00:00:00Z\nreviewed_sha256: {'0' * 64}\n---\nForeign.\n"
    )
    remember(desk, foreign=reviewed)
    told = report(desk, "--all")
    assert ids(told["document"]) == ["own"]
    assert reasons(told) == {"not_signed": 1}
    assert "is not signed" in desk.refused(5, *EXPORT, "foreign")


def test_a_vault_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = Desk(tmp_path, capsys).doll(*EXPORT, "--all", "--json")
    assert result.code == 3
    assert json.loads(result.out)["schema"] == "doll.error/1"
