"""Options that several commands share, and the few things commands read from the environment."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from doll.render.leading import Way
    from doll.services.opening import Place, Vault

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class File(click.Path):
    """The name of a file, there or not; an empty one names none, not the working folder."""

    empty = "an empty text names no file"

    def __init__(self, *, allow_dash: bool = False) -> None:
        # click would take an unreadable place for wrong usage; it is one that cannot be opened.
        super().__init__(path_type=Path, readable=False, allow_dash=allow_dash)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name as a path; click's usage error for an empty one."""
        if value == "":
            self.fail(self.empty, param, ctx)
        return super().convert(value, param, ctx)


class Folder(File):
    """The name of a folder, there or not; an empty one names none, not the working folder."""

    empty = "an empty text names no folder; . is the folder you are in"


def _taken(context: click.Context, _option: click.Parameter, value: Path | None) -> Path | None:
    """Have the lines of this run lead to a vault that is named, even before it is opened."""
    if value is not None and not context.resilient_parsing:
        place(value)
    return value


vault_option: Decorator = click.option(
    "--vault",
    type=Folder(),
    callback=_taken,
    help="The vault to use; else DOLL_VAULT, git config doll.vault, or a parent folder.",
)
json_option: Decorator = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document."
)
by_option: Decorator = click.option(
    "--by",
    metavar="model:NAME",
    help="Who writes, when it is not you; DOLL_BY in an agent's environment says the same.",
)
commit_option: Decorator = click.option(
    "--commit", is_flag=True, help="Commit just what this command writes."
)


def place(vault: Path | None) -> "Place":
    """Return where to look for the vault; every line that this run prints will lead to it."""
    found = place_of(vault)
    _lead(found)
    return found


def opened_at(place: "Place", how: "Callable[[Place], Vault]") -> "Vault":
    """Open the vault of a place; every line that this run prints leads to it, with no more looks.

    `how` is `opening.open_vault` or `opening.open_accepted`.
    """
    opened = how(place)
    _lead(place, opened.root)
    return opened


def _lead(place: "Place", root: Path | None = None) -> None:
    from doll.render import leading

    leading.by(lambda: _way(place, root))


def _way(place: "Place", root: Path | None) -> "Way":
    from doll.services.leading import way

    return way(place, root)


def place_of(vault: Path | None) -> "Place":
    """Return where to look for the vault: option, environment, working folder."""
    from doll.services.opening import Place

    tied = any(name in os.environ for name in ("GIT_DIR", "GIT_INDEX_FILE"))
    return Place(vault, os.environ.get("DOLL_VAULT") or None, Path.cwd(), tied=tied)


def open_vault(vault: Path | None, *, saying: bool = True) -> "Vault":
    """Open the vault that the option, the environment or the working folder names.

    With `saying` it is said where most of its records are missing.
    """
    from doll.services import opening

    opened = opened_at(place(vault), opening.open_vault)
    if saying:
        say_missing(opened)
    return opened


def say_missing(vault: "Vault") -> None:
    """Say in one line on stderr where most records of HEAD are missing on disk."""
    from doll.services import missing

    if found := missing.look(vault):
        from doll.render.text import visible

        warn(f"doll: {visible(missing.line(found))}")


def named(vault: "Vault", word: str) -> str:
    """Return what a word means as the name of a record in a vault.

    The path of a file in the vault, absolute or from the working folder, becomes the path that the
    vault knows; any other word stays as it is.
    """
    if not word.endswith(".md") or "\0" in word:
        return word
    file = Path.cwd() / word
    if not os.path.lexists(file):
        return word
    # The file itself may be a link, which is for the reader of records to refuse.
    place = file.parent.resolve() / file.name
    return place.relative_to(vault.root).as_posix() if place.is_relative_to(vault.root) else word


def warn(*lines: str) -> None:
    """Print lines to stderr, those to type such that they lead to the vault."""
    from doll.render.leading import led

    for line in lines:
        click.echo(led(line), err=True)
