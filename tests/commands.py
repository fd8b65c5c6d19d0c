"""Every command of the command line, with arguments that it takes: made from its own options."""

from collections.abc import Iterator
from typing import NamedTuple

import click

from doll.cli.main import doll

# What a command wants beside what it says that it requires; `{file}` is a file that is there.
_MORE = {
    "import engram": ("{file}",),
    "import markdown": ("{file}",),
    "import pam": ("{file}",),
    "import projectmem": ("{file}", "--project", "atlas"),
    "feedback": ("atlas", "helpful"),
    "duplicates judge": ("one", "other", "--distinct"),
    "schema": ("memory",),
}


class Called(NamedTuple):
    """A command: its words, the arguments that it is called with, whether it takes `--vault`."""

    name: str
    arguments: tuple[str, ...]
    takes_vault: bool

    def words(self, file: str) -> tuple[str, ...]:
        """Return the command line after `doll`; `file` is one that is there."""
        given = (file if argument == "{file}" else argument for argument in self.arguments)
        return (*self.name.split(), *given)


def every_command() -> tuple[Called, ...]:
    """Return all of them; a group is one where it does something without a further word."""
    return tuple(_commands(doll, ()))


def _commands(command: click.Command, words: tuple[str, ...]) -> Iterator[Called]:
    name = " ".join(words)
    if isinstance(command, click.Group):
        context = click.Context(command)
        inner = (
            (each, command.get_command(context, each)) for each in command.list_commands(context)
        )
        for each, found in inner:
            assert found is not None
            yield from _commands(found, (*words, each))
        if not command.invoke_without_command or name == "import":
            return
    yield Called(name, _MORE.get(name) or tuple(_required(command)), _takes_vault(command))


def _takes_vault(command: click.Command) -> bool:
    return any(parameter.name == "vault" for parameter in command.params)


def _required(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        if parameter.required:
            choices = tuple(getattr(parameter.type, "choices", ()))
            if isinstance(parameter, click.Option):
                yield parameter.opts[0]
            yield choices[0] if choices else "x"
