"""`doll validate --staged` and the hook: a commit that would leave no vault, or half of one."""

from pathlib import Path

import pytest

from tests.desk import Desk, make_vault
from tests.gitbox import make

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

MEMORY = "---\ntitle: {0}\n---\n"
CONFIGURED = "format: 1\nid: {0}\nbranch: main\n"


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    desk = Desk(make_vault(tmp_path / "vault"), capsys)
    desk.ok("hooks", "install", "--vault", ".")
    desk.put("confirmed/coffee.md", MEMORY.format("Coffee"))
    desk.put("confirmed/tea.md", MEMORY.format("Tea"))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "memories")
    return desk


def staged(desk: Desk, code: int = 1) -> list[tuple[str, str, str]]:
    """Return path, code and severity of what is said of the next commit; the hook says the same."""
    result = desk.doll("validate", "--staged", "--json")
    assert result.code == code, result.out
    hook = desk.doll("hooks", "run", "pre-commit")
    assert hook.code == code, hook.err
    for problem in result.json["problems"]:
        assert problem["message"] in hook.err
    return [(p["path"], p["code"], p["severity"]) for p in result.json["problems"]]


def hints(desk: Desk) -> list[str]:
    found = desk.doll("validate", "--staged", "--json").json["problems"]
    return [problem["hint"] for problem in found]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kept", [True, False])
def test_a_commit_without_doll_yaml_is_stopped(desk: Desk, kept: bool) -> None:
    desk.git("rm", "-q", *(("--cached",) if kept else ()), "doll.yaml")
    assert staged(desk) == [("doll.yaml", "vault.unusable", "error")]
    assert "git commit --no-verify" in desk.type("git commit -m gone", code=1)
    (line,) = hints(desk)
    desk.type(f"cd / && {line}")
    assert staged(desk, code=0) == []
    desk.ok("status")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", ["doll.yaml", "authority", "authority/policies"])
def test_a_link_in_place_of_what_makes_a_vault_is_stopped(desk: Desk, path: str) -> None:
    desk.git("rm", "-rq", "--ignore-unmatch", path)
    (desk.root / path).parent.mkdir(exist_ok=True)
    (desk.root / path).symlink_to("elsewhere")
    desk.git("add", path)
    assert (path, "file.symlink", "error") in staged(desk)


def test_settings_that_would_be_none_are_stopped(desk: Desk) -> None:
    desk.put("doll.yaml", "format: [\n")
    desk.git("add", "doll.yaml")
    assert staged(desk) == [("doll.yaml", "yaml.syntax", "error")]
    desk.put("doll.yaml", CONFIGURED.format("0f"))
    desk.git("add", "doll.yaml")
    assert staged(desk) == [("doll.yaml", "settings.value", "error")]


def test_a_newer_format_stops_no_commit(desk: Desk) -> None:
    newer = desk.read("doll.yaml").replace("format: 1", "format: 2")
    for text in (newer, f"{newer}new: thing\n"):
        desk.put("doll.yaml", text)
        desk.put("confirmed/bad.md", "no record\n")
        desk.git("add", "-A")
        said = desk.doll("validate", "--staged")
        assert (said.code, "update doll" in said.err) == (3, True)
        hook = desk.doll("hooks", "run", "pre-commit")
        assert (hook.code, "NOT CHECKED" in hook.err, "update doll" in hook.err) == (0, True, True)
        assert desk.doll("hooks", "run", "pre-commit").code == 0
        desk.git("config", "doll.strict", "true")
        assert desk.doll("hooks", "run", "pre-commit").code == 1
        desk.git("config", "--unset", "doll.strict")
        assert "update doll" in desk.doll("validate").err
    desk.git("commit", "-qm", "newer")
    # The next commit is none to be judged either.
    desk.put("confirmed/worse.md", "no record\n")
    desk.git("add", "-A")
    assert desk.doll("hooks", "run", "pre-commit").code == 0
    assert desk.doll("validate", "--staged").code == 3


def test_a_newer_format_lifts_no_block_of_other_paths(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = Desk(make(tmp_path / "code"), capsys)
    code.ok("init", "notes")
    notes = code.at("notes")
    notes.ok("new", "project", "atlas", "--title", "Atlas")
    fields = ("--set", "effect=deny", "--set", "paths=migrations/**")
    notes.ok("new", "policy", "no-migrations", "--title", "No", *fields)
    code.git("add", "-A")
    code.git("commit", "-qm", "policy")
    code.ok("hooks", "install", "--vault", "notes", "--project", "atlas")
    notes.put("doll.yaml", notes.read("doll.yaml").replace("format: 1", "format: 2"))
    code.put("src/a", "x")
    code.git("add", "-A")
    assert code.doll("hooks", "run", "pre-commit").code == 0
    code.put("migrations/a", "x")
    code.git("add", "-A")
    stopped = code.doll("hooks", "run", "pre-commit")
    assert (stopped.code, "no-migrations" in stopped.err) == (1, True)
    assert "update doll" in stopped.err


def test_a_folder_that_loses_all_its_records(desk: Desk) -> None:
    desk.git("rm", "-q", "confirmed/tea.md")
    assert staged(desk, code=0) == []
    desk.git("rm", "-q", "confirmed/coffee.md")
    assert staged(desk, code=0) == [("confirmed", "vault.emptied", "warning")]
    desk.git("rm", "-rq", "authority")
    emptied = [(area, "vault.emptied", "error") for area in ("authority", "confirmed")]
    assert staged(desk) == emptied
    for line in hints(desk):
        desk.type(f"cd / && {line}")
    assert staged(desk, code=0) == []
    desk.ok("list")


def test_the_line_keeps_what_only_the_index_lost(desk: Desk) -> None:
    desk.git("rm", "-rq", "--cached", "confirmed", "doll.yaml")
    edited = {path: desk.read(path) + "# edited\n" for path in ("confirmed/tea.md", "doll.yaml")}
    for path, text in edited.items():
        desk.put(path, text)
    found = staged(desk)
    assert {path for path, _, _ in found} == {"confirmed", "doll.yaml"}
    for line in hints(desk):
        desk.type(f"cd / && {line}")
    assert staged(desk, code=0) == []
    assert {path: desk.read(path) for path in edited} == edited


@pytest.mark.sampled(1)
def test_the_line_asks_of_each_file_whether_it_is_gone(desk: Desk) -> None:
    tea, coffee = (desk.read(f"confirmed/{name}.md") for name in ("tea", "coffee"))
    entry = desk.ok("log", "attempt", "Tried", "--project", "atlas", "--commit").path
    whole = desk.read(entry)
    desk.git("rm", "-rq", "confirmed", "experience")
    desk.put("confirmed/tea.md", f"{tea}Edited.\n")
    desk.put("confirmed/new.md", "---\ntitle: New\n---\n")
    desk.put(entry, f"{whole}Edited.\n")
    desk.put("doll.yaml", desk.read("doll.yaml") + "# only staged\n")
    desk.git("add", "doll.yaml")
    found = desk.doll("validate", "--staged", "--json").json["problems"]
    assert [p["code"] for p in found] == ["vault.emptied", "experience.removed"]
    assert found[1]["message"].endswith("history, and git's index lacks it")
    for problem in found:
        desk.type(problem["hint"])
    assert desk.read("confirmed/tea.md") == f"{tea}Edited.\n"
    assert desk.read("confirmed/coffee.md") == coffee
    assert desk.read(entry) == f"{whole}Edited.\n"
    assert desk.git("diff", "--cached", "--name-only").split() == ["doll.yaml"]
    (desk.root / entry).unlink()
    desk.git("rm", "-q", "--cached", entry)
    found = desk.doll("validate", "--staged", "--json").json["problems"]
    desk.type(found[0]["hint"])
    assert desk.read(entry) == whole


def test_the_last_record_of_a_folder_goes_without_a_word(desk: Desk) -> None:
    desk.git("rm", "-q", "confirmed/tea.md")
    desk.git("commit", "-qm", "no tea")
    desk.git("rm", "-q", "confirmed/coffee.md")
    assert staged(desk, code=0) == []


def test_a_broken_doll_yaml_hides_no_other_problem(desk: Desk) -> None:
    desk.put("doll.yaml", "format: 1\nid: x\n")
    desk.put("confirmed/bad.md", "no record\n")
    result = desk.doll("validate", "--json")
    assert result.code == 3
    assert [(p["path"], p["code"]) for p in result.json["problems"]] == [
        ("confirmed/bad.md", "frontmatter.missing"),
        ("doll.yaml", "settings.value"),
        ("doll.yaml", "settings.value"),
    ]
    text = desk.doll("validate")
    assert (text.code, text.out.count("error:")) == (3, 3)
    assert text.err.count("doll.yaml cannot be read") == 1
