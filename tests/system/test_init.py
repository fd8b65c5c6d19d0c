"""`doll init`: a new vault in all kinds of folders, or a reason why not and nothing changed."""

from pathlib import Path

import pytest

from doll.records.model import TYPES
from doll.render.text import lone_halves_shown
from tests.desk import Desk
from tests.footprint import footprint
from tests.gitbox import git, make, put

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """An empty folder outside any repository."""
    return Desk(tmp_path, capsys)


def unchanged(desk: Desk, code: int, *arguments: str) -> str:
    """Hold `doll init` to an exit code and to having changed nothing at all; return stderr."""
    before = footprint(desk.root)
    result = desk.doll("init", *arguments)
    assert (result.code, result.out) == (code, ""), result.err
    assert footprint(desk.root) == before
    return result.err


def tracked(folder: Path) -> list[str]:
    return git(folder, "ls-files", "-z").split("\0")[:-1]


def in_commit(folder: Path) -> list[str]:
    """Return the paths that the newest commit has or changes."""
    shown = git(folder, "show", "--format=", "--name-only", "-z", "HEAD")
    return sorted(shown.strip("\0").split("\0"))


def test_a_new_folder(desk: Desk) -> None:
    result = desk.ok("init", "notes")
    root = desk.root / "notes"
    assert result.out == (
        f"{root}: a vault, with a git repository of its own, on the branch main\n"
    )
    assert "doll new memory" in result.err
    schemas = [f".doll/schemas/{name}.schema.json" for name in TYPES]
    areas = ["authority", "confirmed", "experience", "staging"]
    notes = [f"{area}/README.md" for area in areas]
    assert tracked(root) == sorted([".gitattributes", ".gitignore", "doll.yaml", *schemas, *notes])
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "log", "--format=%an %s") == "Ada Tester Start the vault"
    assert git(root, "config", "--local", "doll.branch") == "main"
    at = desk.at("notes")
    assert at.ok("validate").err == "0 record files checked: 0 errors, 0 warnings\n"
    assert "holds no records yet" in at.ok("status").out
    assert "git check" not in at.ok("recall", "espresso").err
    for ignored in (".doll/cache/x", ".doll/usage/x", ".doll-new-1"):
        git(root, "check-ignore", "-q", ignored)
    for path in ("confirmed/x.md", "staging/pam/x/source/s.json", "doll.yaml"):
        assert git(root, "check-attr", "text", "--", path).endswith(": unset")
    assert git(root, "check-attr", "diff", "--", "staging/pam/x/source/s.json").endswith("unset")


def test_json(desk: Desk) -> None:
    made = desk.ok("init", "notes", "--json").json
    root = desk.root / "notes"
    assert made == {
        "schema": "doll.init/1",
        "root": str(root),
        "id": made["id"],
        "branch": "main",
        "commit": git(root, "rev-parse", "HEAD"),
        "new_repository": True,
    }
    assert len(made["id"]) == 32
    found = desk.at("notes").ok("where", "--json").json
    assert (found["id"], found["branch"]) == (made["id"], "main")


def test_two_vaults_have_two_ids(desk: Desk) -> None:
    ids = {desk.ok("init", name, "--json").json["id"] for name in ("a", "b")}
    assert len(ids) == 2


def test_a_second_vault_of_a_repository_keeps_the_pinned_branch(desk: Desk) -> None:
    make(desk.root / "code")
    code = desk.at("code")
    code.ok("init", "one")
    assert code.git("config", "--local", "doll.branch") == "main"
    code.git("switch", "-qc", "feature")
    code.ok("init", "two")
    assert code.git("config", "--local", "doll.branch") == "main"
    assert "branch: feature" in code.read("two/doll.yaml")
    assert code.ok("status", "--vault", "one", "--json").json["branch"] == "main"


def test_here_and_deeper(desk: Desk) -> None:
    desk.ok("init")
    (desk.root / "doll.yaml").unlink()
    assert (desk.root / "authority").is_dir()
    other = desk.at("x")
    other.root.mkdir()
    other.ok("init", "../y/../z/deep/er")
    assert (desk.root / "z/deep/er/doll.yaml").is_file()
    assert not (desk.root / "y").exists()


def test_an_existing_folder_keeps_what_it_has(desk: Desk) -> None:
    put(desk.root, "notes/diary.txt", "dear diary\n")
    put(desk.root, "notes/confirmed/README.md", "mine\n")
    put(desk.root, "notes/confirmed/espresso.md", "---\ntitle: Espresso\n---\n")
    before = footprint(desk.root)
    desk.ok("init", "notes")
    after = footprint(desk.root, [".git"])
    assert {path: after[path] for path in before if before[path].digest} == {
        path: mark for path, mark in before.items() if mark.digest
    }
    root = desk.root / "notes"
    assert git(root, "status", "--porcelain").split("\n") == [
        "?? confirmed/espresso.md",
        "?? diary.txt",
    ]


def test_inside_a_repository(desk: Desk) -> None:
    make(desk.root / "code")
    put(desk.root, "code/half.txt", "staged\n")
    git(desk.root / "code", "add", "half.txt")
    put(desk.root, "code/other.txt", "not staged\n")
    before = git(desk.root / "code", "rev-parse", "HEAD")
    result = desk.ok("init", "code/docs/notes")
    assert "in this repository, on the branch main" in result.out
    assert not (desk.root / "code/docs/notes/.git").exists()
    assert git(desk.root / "code", "rev-parse", "HEAD^") == before
    assert all(path.startswith("docs/notes/") for path in in_commit(desk.root / "code"))
    assert git(desk.root / "code", "status", "--porcelain").split("\n") == [
        "A  half.txt",
        "?? other.txt",
    ]
    assert git(desk.root / "code", "config", "doll.branch") == "main"
    at = desk.at("code/docs/notes")
    assert at.ok("validate").err.startswith("0 record files")


def test_at_the_top_of_a_repository(desk: Desk) -> None:
    make(desk.root / "code")
    desk.at("code").ok("init")
    assert "README" in tracked(desk.root / "code")
    assert "doll.yaml" in in_commit(desk.root / "code")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_git_files_keep_their_lines(desk: Desk, ending: str) -> None:
    repository = make(desk.root / "code")
    for name in (".gitignore", ".gitattributes"):
        (repository / name).write_bytes(f"*.log{ending}".encode() + b"\xff" * bool(ending))
    desk.at("code").ok("init")
    for name in (".gitignore", ".gitattributes"):
        data = (repository / name).read_bytes()
        assert data.startswith(f"*.log{ending}".encode())
        assert b"\n# " in data
    git(repository, "check-ignore", "-q", ".doll/cache/x")
    git(repository, "check-ignore", "-q", "x.log", code=0 if not ending else None)
    assert git(repository, "check-attr", "text", "--", "confirmed/x.md").endswith("unset")
    assert git(repository, "status", "--porcelain") == ""


def test_git_files_that_have_the_lines_stay_as_they_are(desk: Desk) -> None:
    desk.ok("init", "one")
    make(desk.root / "two")
    for name in (".gitignore", ".gitattributes"):
        text = (desk.root / "one" / name).read_text()
        put(desk.root, f"two/{name}", f"# mine\n{text}\n")
    before = footprint(desk.root / "two", [".git"])
    desk.ok("init", "two")
    after = footprint(desk.root / "two", [".git"])
    assert {path: after[path] for path in before} == before


def test_no_identity(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NAME", "EMAIL"):
        monkeypatch.delenv(f"GIT_AUTHOR_{name}")
        monkeypatch.delenv(f"GIT_COMMITTER_{name}")
    put(desk.root, "config", "[user]\n\tuseConfigOnly = true\n")
    desk = desk.under(GIT_CONFIG_GLOBAL=str(desk.root / "config"))
    said = unchanged(desk, 5, "notes")
    assert 'git config --global user.name "Your Name"\n' in said
    assert 'git config --global user.email "you@example.org"' in said
    git(desk.root, "init", "-q", "-b", "main", "code")
    assert "user.email" in unchanged(desk, 5, "code/notes")
    git(desk.root / "code", "config", "user.name", "Ada")
    git(desk.root / "code", "config", "user.email", "ada@example.org")
    desk.ok("init", "code/notes")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("where", ["notes", "notes/inner", "notes/inner/most"])
def test_a_vault_is_there_already(desk: Desk, where: str) -> None:
    desk.ok("init", "notes")
    said = unchanged(desk, 5, where)
    assert f"{desk.root / 'notes'} is a vault already; nothing was changed" in said
    line = said.strip().rpartition("use that vault: ")[2]
    assert line == f"doll status --vault {desk.root / 'notes'}"
    desk.ok(*line.split()[1:])


def test_a_vault_through_a_link_is_there_already(desk: Desk) -> None:
    desk.ok("init", "notes")
    (desk.root / "link").symlink_to("notes")
    assert "is a vault already" in unchanged(desk, 5, "link")
    (desk.root / "other").mkdir()
    (desk.root / "other/doll.yaml").symlink_to("/nowhere")
    assert "is a vault already" in unchanged(desk, 5, "other")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "path", ["", "confirmed", "authority", ".doll", ".doll/schemas", ".doll/schemas/x"]
)
def test_a_file_in_the_way(desk: Desk, path: str) -> None:
    (desk.root / "notes" / path).parent.mkdir(parents=True, exist_ok=True)
    (desk.root / "notes" / path).write_text("a file")
    where = "notes/inner" if not path else "notes"
    if path == ".doll/schemas/x":
        desk.ok("init", where)
        return
    assert f"{desk.root / 'notes' / path} is in the way".rstrip("/") in unchanged(desk, 5, where)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "path", [".gitignore", ".gitattributes", "confirmed/README.md", "staging", ".doll"]
)
@pytest.mark.parametrize("kind", ["link", "folder"])
def test_a_link_or_a_folder_in_the_way(desk: Desk, path: str, kind: str) -> None:
    place = desk.root / "notes" / path
    place.parent.mkdir(parents=True)
    if kind == "link":
        target = desk.root / "target"
        target.mkdir() if path in ("staging", ".doll") else target.write_text("")
        place.symlink_to(target)
    else:
        place.mkdir()
        if path in ("staging", ".doll"):
            desk.ok("init", "notes")
            return
    assert f"{place} is in the way" in unchanged(desk, 5, "notes")


def test_a_folder_that_git_ignores(desk: Desk) -> None:
    make(desk.root / "code")
    put(desk.root, "code/.gitignore", "/notes/\n.doll/\n")
    assert "git ignores notes/.gitignore" in unchanged(desk, 5, "code/notes")
    assert "git ignores other/.doll/schemas" in unchanged(desk, 5, "code/other")


def test_an_unborn_repository(desk: Desk) -> None:
    git(desk.root, "init", "-q", "-b", "trunk", "code")
    made = desk.ok("init", "code/notes", "--json").json
    assert (made["branch"], made["new_repository"]) == ("trunk", False)
    assert git(desk.root / "code", "log", "--format=%s") == "Start the vault"
    assert desk.ok("where", "--vault", "code/notes", "--json").json["branch"] == "trunk"


def test_a_detached_head(desk: Desk) -> None:
    make(desk.root / "code")
    git(desk.root / "code", "switch", "-q", "--detach")
    said = unchanged(desk, 5, "code/notes")
    assert "is on no branch" in said
    assert "git switch main" in said


def test_another_branch_than_the_repository_is_on(desk: Desk) -> None:
    make(desk.root / "code")
    git(desk.root / "code", "branch", "known")
    said = unchanged(desk, 5, "code/notes", "--branch", "known")
    assert "is on the branch main, not on known" in said
    assert "git switch known" in said
    assert "git switch -c unknown" in unchanged(desk, 5, "code/notes", "--branch", "unknown")
    desk.ok("init", "code/notes", "--branch", "main")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", ["v/1.0", "#1", "null", "&x", "ünï", "it's", "@"])
def test_a_branch_of_any_name(desk: Desk, name: str) -> None:
    made = desk.ok("init", "notes", "--branch", name, "--json").json
    assert made["branch"] == name
    assert git(desk.root / "notes", "symbolic-ref", "HEAD") == f"refs/heads/{name}"
    at = desk.at("notes")
    assert at.ok("where", "--json").json["branch"] == name
    assert at.ok("status", "--json").json["accepted"] == made["commit"]
    git(at.root, "config", "--unset", "doll.branch")
    assert at.ok("status", "--json").json["accepted"] == made["commit"]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "name", ["a b", "x..y", "-x", "HEAD", "a/.b", "a.lock", "a~1", "@{-1}", "a\n"]
)
def test_no_name_for_a_branch(desk: Desk, name: str) -> None:
    said = unchanged(desk, 2, "notes", "--branch", name)
    assert "is no name for the vault's branch" in said


def test_the_default_branch_of_git_counts(desk: Desk) -> None:
    put(desk.root, "config", "[init]\n\tdefaultBranch = stem\n")
    made = (
        desk.under(GIT_CONFIG_GLOBAL=str(desk.root / "config")).ok("init", "notes", "--json").json
    )
    assert made["branch"] == "stem"


def test_a_commit_that_a_hook_refuses(desk: Desk) -> None:
    repository = make(desk.root / "code")
    put(repository, ".git/hooks/pre-commit", "#!/bin/sh\necho no, never\nexit 1\n").chmod(0o755)
    result = desk.doll("init", "code/notes")
    assert result.code == 7
    assert "the vault was made and not committed" in result.err
    assert "no, never" in result.err
    assert git(repository, "status", "--porcelain") == "?? notes/"
    (repository / ".git/hooks/pre-commit").unlink()
    desk.type(result.err.splitlines()[-1])
    assert git(repository, "status", "--porcelain") == ""
    assert "on main at" in desk.ok("status", "--vault", "code/notes").out


NAMES = ["with space's", '-dash"', "ünï-漢字", "new\nline", ":a*[b]?", "\udcff"]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NAMES)
def test_folders_of_odd_names(desk: Desk, name: str) -> None:
    made = desk.ok("init", "--json", "--", name).json
    root = desk.root / name
    assert made["root"] == lone_halves_shown(str(root))
    at = desk.at(name)
    assert at.ok("validate").out == ""
    assert at.ok("status", "--json").json["obstacle"] == ""
    at.ok("preflight", "--action", "a.b")
    make(desk.root / "code")
    desk.ok("init", f"code/{name}")
    inside = desk.at(f"code/{name}")
    assert inside.ok("validate").err.startswith("0 record files")
    assert inside.ok("preflight", "--action", "a.b", "--json").json["status"] == "clear"


def test_an_empty_name_is_not_this_folder(desk: Desk) -> None:
    assert "an empty text names no folder" in unchanged(desk, 2, "")
    desk.ok("init", "notes")
    assert "names no folder" in desk.at("notes").refused(2, "status", "--vault", "")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("where", ["/proc/x", "/proc/x/y", "/sys/x"])
def test_a_place_where_nothing_can_be_made(desk: Desk, where: str) -> None:
    if not Path(where).parents[-2].is_dir():
        pytest.skip(f"this system has no {where}")
    said = unchanged(desk, 5, where)
    assert f"nothing can be made in {Path(where).parents[-2]}: " in said


def test_a_place_under_a_file(desk: Desk) -> None:
    put(desk.root, "file", "")
    assert "is in the way: it is no folder" in unchanged(desk, 5, "file/notes")


def test_a_name_that_is_too_long(desk: Desk) -> None:
    said = unchanged(desk, 5, "n" * 300)
    assert said.startswith("doll: ")
    assert said.splitlines()[0].endswith("n cannot be made: File name too long")


def test_a_loop_of_links(desk: Desk) -> None:
    (desk.root / "a").symlink_to("b")
    (desk.root / "b").symlink_to("a")
    assert "cannot be made" in unchanged(desk, 5, "a/notes")


def test_a_bare_repository_and_a_git_folder(desk: Desk) -> None:
    git(desk.root, "init", "-q", "--bare", "bare")
    assert "bare repository" in unchanged(desk, 7, "bare/notes")
    make(desk.root / "code")
    unchanged(desk, 7, "code/.git/notes")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"])
def test_variables_of_another_repository_have_no_say(desk: Desk, variable: str) -> None:
    make(desk.root / "code")
    before = footprint(desk.root / "code")
    value = {"GIT_DIR": "code/.git", "GIT_INDEX_FILE": "code/.git/index", "GIT_WORK_TREE": "code"}
    desk.under(**{variable: str(desk.root / value[variable])}).ok("init", "notes")
    assert footprint(desk.root / "code") == before
    assert git(desk.root / "notes", "status", "--porcelain") == ""


def test_what_to_type_next_works_as_typed(desk: Desk) -> None:
    said = desk.ok("init", "my notes").err
    steps = [line.removeprefix("  next:").strip() for line in said.splitlines()]
    assert steps[0] == "cd 'my notes'"
    assert steps[1].startswith("doll hooks install --vault . ")
    assert desk.at("my notes").ok("hooks", "install", "--vault", ".").code == 0
    assert (desk.root / "my notes/.git/hooks/pre-commit").is_file()


def test_here_there_is_no_folder_to_go_to(desk: Desk) -> None:
    (desk.root / "here").mkdir()
    said = desk.at("here").ok("init").err
    assert "cd " not in said
    assert said.startswith("  next: doll hooks install --vault .")
