"""Where the record templates and the example vault are, and their text.

They are package data in an installed doll (`doll/data/…`) and folders at the top of a source tree.
Nothing else may know this.
"""

from importlib import resources
from pathlib import Path

from doll.errors import ConfigurationError
from doll.records.model import RecordType


def template(record_type: RecordType) -> str:
    """Return the template of a record type, with its placeholders (templates/README.md)."""
    return (_folder("templates") / f"{record_type}.md").read_text(encoding="utf-8")


def example_vault() -> Path:
    """Return the folder of the example vault; it is in no repository of its own."""
    return _folder("example_vault")


def tour_document() -> bytes:
    """Return the small PAM memory store that the tour imports."""
    return (resources.files("doll") / "data" / "tour" / "chatgpt-export.json").read_bytes()


def _folder(name: str) -> Path:
    package = Path(str(resources.files("doll")))
    for folder in (package / "data" / name, package.parents[1] / name):
        if folder.is_dir():
            return folder
    raise ConfigurationError(
        f"this installation of doll lacks its folder {name}", hint="install doll again"
    )
