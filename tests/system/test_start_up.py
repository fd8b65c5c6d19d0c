"""What a command loads: heavy libraries only where they are needed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.desk import make_vault
from tests.gitbox import git, make, put

pytestmark = pytest.mark.sampled(4)

HEAVY: tuple[str, ...] = (
    "yaml",
    "frontmatter",
    "git",
    "whoosh",
    "watchdog",
    "jsonschema",
    "cryptography",
)
HEAVY += ("detect_secrets", "portable_ai_memory", "rfc8785", "filelock", "pydantic")

SCRIPT = """
import sys
from doll.cli import run
run(sys.argv[1:])
print(*sorted(sys.modules), file=sys.stderr)
"""


def loaded(cwd: Path, *arguments: str) -> set[str]:
    """Return the top-level modules that a cold run of `doll` has loaded."""
    command = [sys.executable, "-c", SCRIPT, *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stderr.splitlines()[-1].split()}


def doll_modules(cwd: Path, *arguments: str) -> set[str]:
    """Return doll's own modules that a cold run has loaded."""
    command = [sys.executable, "-c", SCRIPT, *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True)
    return {name for name in done.stderr.splitlines()[-1].split() if name.startswith("doll.")}


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_vault(tmp_path_factory.mktemp("start-up") / "notes")


def test_version_loads_click_and_nothing_heavy(tmp_path: Path) -> None:
    found = loaded(tmp_path, "--version")
    assert "click" in found
    assert found.isdisjoint({*HEAVY, "msgspec", "subprocess", "json", "pathlib"})


def test_help_imports_no_command(tmp_path: Path) -> None:
    found = doll_modules(tmp_path, "--help")
    assert not any(name.startswith(("doll.services", "doll.records")) for name in found)


def test_a_warm_preflight_reads_no_yaml_and_no_index(vault: Path) -> None:
    arguments = ("preflight", "--action", "db.migrate", "--json")
    loaded(vault, *arguments)
    found = loaded(vault, *arguments)
    assert found.isdisjoint({"git", "whoosh", "watchdog", "jsonschema", "detect_secrets"})
    assert found.isdisjoint({"cryptography", "portable_ai_memory", "filelock", "pydantic"})


def test_a_hook_loads_only_what_a_clear_commit_needs(vault: Path, tmp_path: Path) -> None:
    """Neither the checks of vault files nor what writes a finding is loaded for a clear commit."""
    code = make(tmp_path / "code")
    git(code, "config", "doll.vault", str(vault))
    put(code, "README", "edited\n")
    git(code, "add", "-A")
    # Files that were written just now are parsed anew, so YAML may be loaded.
    lazy = {*HEAVY} - {"yaml", "frontmatter"}
    assert loaded(code, "hooks", "run", "pre-commit").isdisjoint(lazy)
    found = doll_modules(code, "hooks", "run", "pre-commit")
    assert not any(name.startswith(("doll.services.checking", "doll.secrets")) for name in found)
    assert not any(name.startswith("doll.services.hooks.inst") for name in found)
    assert "doll.render.preflight_text" not in found


def test_preflight_never_loads_recall(vault: Path) -> None:
    found = doll_modules(vault, "preflight", "--action", "db.migrate")
    assert not any(name.startswith(("doll.recall", "doll.reconcile")) for name in found)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "command", [("validate",), ("recall", "orders"), ("list",), ("context", "x")]
)
def test_reading_commands_do_without_gitpython(vault: Path, command: tuple[str, ...]) -> None:
    assert "git" not in loaded(vault, *command)


def test_a_list_does_without_whoosh_where_a_record_replaces_another(vault: Path) -> None:
    old, new = "---\ntitle: old\n---\n", "---\ntitle: new\nsupersedes: [old]\n---\n"
    put(vault, "confirmed/old.md", old)
    put(vault, "confirmed/new.md", new)
    assert loaded(vault, "list").isdisjoint({"whoosh", "detect_secrets", "jsonschema"})


def test_a_vault_that_never_asked_for_signatures_loads_nothing_about_them(vault: Path) -> None:
    arguments = ("preflight", "--action", "db.migrate", "--json")
    doll_modules(vault, *arguments)
    found = {name for name in doll_modules(vault, *arguments) if ".signing" in name}
    light = ("", ".asked", ".effect")
    assert found <= {f"doll.services.signing{name}" for name in light}


def test_recall_loads_no_rules(vault: Path) -> None:
    assert not any(name.startswith("doll.preflight") for name in doll_modules(vault, "recall", "x"))
