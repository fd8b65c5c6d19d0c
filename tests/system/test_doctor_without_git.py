"""`doll doctor` where git says nothing of a vault: that is a finding, and the rest is looked at."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.doctor_faults import FAULTS, with_remote
from tests.examined import commands, findings, wanting
from tests.gitbox import git
from tests.ordinary import ordinary

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

Plant = Callable[[Path], object]
AWAY = "../away"
UNANSWERED: dict[str, Plant] = {
    "no HEAD": lambda own: (own / "HEAD").unlink(),
    "empty HEAD": lambda own: (own / "HEAD").write_text(""),
    "garbage in HEAD": lambda own: (own / "HEAD").write_text("garbage"),
    "no refs": lambda own: (own / "refs").rename(own.parent / AWAY),
    "no objects": lambda own: (own / "objects").rename(own.parent / AWAY),
    "settings": lambda own: (own / "config").write_text("[x"),
    "bare": lambda own: (own / "config").write_text(
        "[core]\nrepositoryformatversion = 0\nbare = true\n"
    ),
    "gone": lambda own: own.rename(own.parent / AWAY),
    "no commit": lambda own: (own / "HEAD").write_text("ref: refs/heads/other\n"),
}


@pytest.fixture
def vault(desk: Desk) -> Desk:
    """A vault with a committed memory and a remote that has it all."""
    return with_remote(desk)


@pytest.mark.parametrize("name", UNANSWERED)
def test_it_is_a_finding_and_hides_no_other(vault: Desk, name: str) -> None:
    FAULTS["future"].plant(vault)
    vault.put("confirmed/Espresso.md", "---\ntitle: [\n---\n")
    UNANSWERED[name](vault.root / ".git")
    for desk, words in ((vault, ()), (vault.at(".."), ("--vault", "notes"))):
        found = findings(desk, *words)
        (problem,) = (each for each in found if each["area"] == "git")
        assert problem["severity"] == "error"
        assert problem["code"] in ("git.failed", "vault.unusable")
        others = {each["code"] for each in found if each["area"] != "git"}
        assert {"clock.future_file", "path.clash"} < others
    document = vault.doll("doctor", "--json").json
    assert document["areas"][:4] == ["vault", "git", "names", "clock"]
    assert document["vault"] == str(vault.root)


def test_the_line_for_a_repository_that_is_said_to_be_bare(vault: Desk) -> None:
    vault.git("config", "core.bare", "true")
    for desk in (vault, vault.at("confirmed")):
        (problem,) = findings(desk)
        assert problem["severity"] == "error"
    assert commands(problem) == [f"git -C {vault.root} config core.bare false"]
    vault.type(commands(problem)[0])
    assert wanting(vault) == []


def test_a_vault_that_another_repository_names(vault: Desk, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "code")
    code = vault.at("../code")
    code.git("config", "doll.vault", str(vault.root))
    UNANSWERED["no refs"](vault.root / ".git")
    assert [each["code"] for each in findings(code)] == ["git.failed"]
    assert code.doll("doctor", "--json").json["vault"] == str(vault.root)


def test_where_there_is_no_vault_at_all(vault: Desk, tmp_path: Path) -> None:
    assert vault.at("..").doll("doctor").code == 3
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    said = vault.at("../bare.git").refused(3, "doctor")
    assert "has no work tree" in said
    assert "run this in a clone of it" in said


def test_settings_of_git_that_may_not_be_read(vault: Desk, tmp_path: Path) -> None:
    user = ordinary(tmp_path)
    (vault.root / ".git/config").chmod(0)
    found = user.doll("doctor", "--vault", "notes")
    assert found.returncode == 1
    assert f"chmod u+rw {vault.root / '.git/config'}" in found.stdout


@pytest.mark.parametrize("name", [".doll", ".doll/cache", ".git/doll"])
def test_a_folder_of_doll_that_may_not_be_read(vault: Desk, tmp_path: Path, name: str) -> None:
    vault.ok("recall", "espresso")
    user = ordinary(tmp_path)
    (vault.root / name).chmod(0)
    line = f"chmod u+rwx {vault.root / name}"
    found = user.doll("doctor", "--vault", "notes")
    assert f"{vault.root / name} may not be read" in found.stdout
    assert line in found.stdout
    assert "no index yet" not in found.stdout
    recalled = user.doll("recall", "espresso", "--vault", "notes")
    assert recalled.returncode == 0
    assert line in recalled.stderr
    assert "doll did not write it here" not in recalled.stderr
    assert user.run("sh", "-c", line).returncode == 0
    assert "may not be read" not in user.doll("doctor", "--vault", "notes").stdout
