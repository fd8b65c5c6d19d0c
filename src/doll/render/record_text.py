"""One record as text and as JSON values: quoted as data, secrets covered, labels respected.

The text of a `sensitivity: secret` record appears only where `reveal` says that the user asked for
it by name. Detected secret values are covered in any case.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from doll.records.model import Record
from doll.render.listing_text import shown_name
from doll.render.text import quoted, visible
from doll.secrets import mask, mask_within

Link = tuple[str, str, str]


def record_values(record: Record, body: str, *, reveal: bool = False) -> dict[str, object]:
    """Return the JSON values of a record.

    `id`, `path`, `type`, `digest` (SHA-256 of the file), `name`, `fields` (front matter by name,
    absent ones left out), `body`. Of a secret record only what its label allows: `name` is the id,
    `fields` has the label, `body` is null.
    """
    values: dict[str, object] = {
        "id": record.id,
        "path": record.path,
        "type": record.type,
        "digest": record.digest,
        "name": shown_name(record),
        "fields": {"sensitivity": "secret"},
        "body": None,
    }
    if record.fields.sensitivity != "secret" or reveal:
        values["name"] = mask(record.name)
        values["fields"] = mask_within(msgspec.to_builtins(record.fields))
        values["body"] = mask(body)
    return values


def record_lines(
    record: Record,
    text: str,
    facts: Sequence[tuple[str, str]],
    refers_to: Iterable[Link],
    referred_by: Iterable[Link],
    *,
    reveal: bool = False,
) -> Iterator[str]:
    """Yield the lines that show a record: its path, `facts` about it, its text, its references.

    A link is (field, id, path); `text` is the whole file. The file's lines stand behind `| `.
    """
    yield visible(record.path)
    width = max(len(label) for label, _ in facts)
    for label, value in facts:
        yield f"  {label.ljust(width)}  {visible(value)}"
    yield ""
    if record.fields.sensitivity == "secret" and not reveal:
        yield "its text is about a secret and is not shown: --reveal shows it"
    else:
        yield from quoted(mask(text))
    yield from _link_lines("refers to", refers_to)
    yield from _link_lines("referred to by", referred_by)


def link_values(links: Iterable[Link]) -> list[dict[str, object]]:
    """Return links as JSON values; `path` is null where the reference names no record."""
    return [{"field": field, "id": mask(name), "path": path or None} for field, name, path in links]


def _link_lines(head: str, links: Iterable[Link]) -> Iterator[str]:
    lines = [
        f"  {field}: {visible(mask(name))}    {visible(path) if path else 'names no record'}"
        for field, name, path in links
    ]
    if lines:
        yield ""
        yield f"{head}:"
        yield from lines
