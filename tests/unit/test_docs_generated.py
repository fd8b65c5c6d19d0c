"""docs/cli.md and docs/errors.md are what the code says: generated parts, held to it.

`pytest tests/unit/test_docs_generated.py --update-goldens` writes them anew.
"""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from doll.cli.main import doll
from doll.cli.table import COMMANDS
from doll.errors import CODES, failures
from doll.preflight import CODES as PREFLIGHT_CODES

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "doll"
MARK = "<!-- made from the code; pytest --update-goldens writes it anew -->\n"


def compare(page: str, generated: str, *, update: bool) -> None:
    """Hold the generated part of a page to `generated`, or write it."""
    path = DOCS / page
    head, mark, found = path.read_text(encoding="utf-8").partition(MARK)
    assert mark, f"{page} has no generated part"
    if update:
        path.write_text(head + mark + generated, encoding="utf-8")
        return
    assert found == generated, f"{page} is not what the code says; run with --update-goldens"


def test_every_command_option_and_argument_is_in_the_cli_page(update_goldens: bool) -> None:
    compare("cli.md", "".join(_help_pages()), update=update_goldens)


def test_every_code_is_in_the_errors_page(update_goldens: bool) -> None:
    rows = ["\n## Problems\n\n| code | meaning |\n|---|---|\n"]
    rows += [f"| `{code}` | {meaning} |\n" for code, meaning in sorted(CODES.items())]
    rows += ["\n## Preflight\n\n| code | effect | meaning |\n|---|---|---|\n"]
    rows += [
        f"| `{code.name}` | {code.effect.replace('_', ' ')} | {code.meaning} |\n"
        for code in sorted(PREFLIGHT_CODES.values())
    ]
    compare("errors.md", "".join(rows), update=update_goldens)


def test_every_exit_code_is_in_the_errors_page() -> None:
    text = (DOCS / "errors.md").read_text(encoding="utf-8")
    classes = [value for value in vars(failures).values() if isinstance(value, type)]
    codes = {c.exit_code for c in classes if issubclass(c, failures.DollError)}
    for code in codes | {0, 70, 130}:
        assert re.search(rf"^\| {code} \|", text, re.MULTILINE), code


def test_every_code_in_the_source_is_registered() -> None:
    areas = {code.partition(".")[0] for code in CODES}
    pattern = re.compile(rf"Problem\([^()]*?\"((?:{'|'.join(areas)})\.[a-z_]+)\"", re.DOTALL)
    used = {
        code
        for path in SOURCE.rglob("*.py")
        for code in pattern.findall(path.read_text(encoding="utf-8"))
    }
    assert used
    assert used <= set(CODES), sorted(used - set(CODES))


def test_no_registered_code_is_left_over() -> None:
    texts = [
        path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py") if path.name != "codes.py"
    ]
    source = "\n".join(texts)
    assert [code for code in CODES if f'"{code}"' not in source] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_an_example(name: str) -> None:
    command = importlib.import_module(COMMANDS[name].module).command
    children = command.commands.items() if isinstance(command, click.Group) else ()
    for title, each in ((name, command), *((f"{name} {word}", child) for word, child in children)):
        assert each.help
        assert "xample" in (each.epilog or ""), f"doll {title} --help shows no example"
        for parameter in each.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"doll {title} {parameter.opts[0]} has no help"


def _help_pages() -> Iterator[str]:
    context = click.Context(doll, info_name="doll", help_option_names=["-h", "--help"])
    yield _page("doll", doll, context)
    for name in COMMANDS:
        command = importlib.import_module(COMMANDS[name].module).command
        yield from _pages(f"doll {name}", name, command, context)


def _pages(title: str, name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield _page(title, command, context)
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            yield from _pages(f"{title} {child}", child, found, context)


def _page(title: str, command: click.Command, context: click.Context) -> str:
    context.max_content_width = 80
    context.terminal_width = 80
    return f"\n## `{title}`\n\n```text\n{command.get_help(context)}\n```\n"
