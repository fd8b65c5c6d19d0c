"""The `doll` command: a group that imports a command's module only when it is called."""

import importlib

import click

from doll import __version__
from doll.cli.table import COMMANDS

EPILOG = """\b
Example:
  doll init notes && cd notes
  doll new memory espresso --title "Espresso, no sugar"
  doll recall espresso
"""


class LazyGroup(click.Group):
    """Commands from the table, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order of the table: the order in which a person meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name].module).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command, with the nearest one named where there is none."""
        # A completion of what follows an unknown command has nothing to say.
        wrong = args and args[0] not in COMMANDS and not args[0].startswith("-")
        if wrong and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            meant = f"; did you mean `doll {near[0]}`?" if near else ""
            raise click.UsageError(f"there is no command `{args[0]}`{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands of the table without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in COMMANDS.items()])


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="doll %(version)s")
def doll() -> None:
    """Plain-text, user-owned memory for people who work with AI assistants and coding agents."""
