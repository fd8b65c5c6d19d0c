"""Templates and the example vault are found, and the wheel ships what is looked for."""

import tomllib
from pathlib import Path

import pytest

from doll.errors import ConfigurationError
from doll.records.model import TYPES, RecordType
from doll.services import templates

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("record_type", TYPES)
def test_a_template_for_each_type(record_type: RecordType) -> None:
    expected = (ROOT / "templates" / f"{record_type}.md").read_text(encoding="utf-8")
    assert templates.template(record_type) == expected


def test_the_example_vault() -> None:
    assert (templates.example_vault() / "doll.yaml").is_file()


def test_the_wheel_puts_them_where_they_are_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert shipped["templates"] == "doll/data/templates"
    assert shipped["example_vault"] == "doll/data/example_vault"


def test_package_data_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "doll"
    (package / "data" / "templates").mkdir(parents=True)
    (package / "data" / "templates" / "memory.md").write_text("shipped")
    monkeypatch.setattr("importlib.resources.files", lambda _: package)
    assert templates.template("memory") == "shipped"
    with pytest.raises(ConfigurationError, match="example_vault"):
        templates.example_vault()
