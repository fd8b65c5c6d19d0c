"""`doll schema`: the JSON Schema of a record type."""

import click

from doll.cli.choices import OneOf
from doll.errors import UsageError
from doll.records.model import TYPES, RecordType

EPILOG = """\b
Examples:
  doll schema --list
  doll schema policy
"""


@click.command(epilog=EPILOG)
@click.argument("record_type", metavar="[TYPE]", required=False, type=OneOf(TYPES))
@click.option("--list", "listed", is_flag=True, help="Print the record types, one a line.")
def command(record_type: RecordType | None, listed: bool) -> None:
    """Print the JSON Schema of TYPE's front matter: every field, its values, what it means.

    The same text is in `.doll/schemas/` of each vault, for editors.
    """
    import json

    from doll.records.schema import json_schema

    if listed and record_type is None:
        click.echo("\n".join(TYPES))
    elif record_type is not None and not listed:
        click.echo(json.dumps(json_schema(record_type), indent=2, ensure_ascii=False))
    else:
        raise UsageError("give one type, or --list", hint=f"one of {', '.join(TYPES)}")
