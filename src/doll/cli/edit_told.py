"""What is said after an edit: written, unchanged, kept or thrown away."""

import shlex
from typing import TYPE_CHECKING

import click

from doll.cli.committed import Steps
from doll.cli.options import warn
from doll.cli.recording import next_steps
from doll.render.leading import led
from doll.render.text import visible, visible_lines

if TYPE_CHECKING:
    from doll.services.editing.texts import Judged, Text
    from doll.services.opening import Vault
    from doll.services.recording.writing import Written


def resume_line(text: "Text") -> str:
    """Return the line to type that goes on with a kept text."""
    return visible(led(f"doll edit {shlex.quote(text.id)} --resume"))


def tell(
    vault: "Vault", text: "Text", after: "Judged", written: "Written | None", *, as_json: bool
) -> None:
    """Print the path of the record (or the JSON document doll.edit/1), the rest to stderr."""
    from doll.render.problems import problem_lines

    steps, first = next_steps(vault, written) if written else Steps([])
    if as_json:
        _print(text, after, written, steps, kept=None)
    else:
        click.echo(visible(text.path))
    warn(*problem_lines(after.problems))
    if written is None:
        warn("unchanged; nothing was written")
        warn("  an editor that returns at once needs its option to wait, such as `code --wait`")
        return
    for said in written.said:
        warn(*visible_lines(said))
    warn(*(f"note: {visible(note)}" for note in written.notes))
    if written.commit:
        warn(f"committed as {written.commit[:12]}: {visible(written.subject)}")
    else:
        counts = "; it counts once it is" if text.path.startswith("authority/") else ""
        how = first or "--commit does so at once"
        warn(f"written, not committed{counts}", f"to commit it ({how}):")
        warn(*(f"  {visible(step)}" for step in steps))


def tell_kept(text: "Text", after: "Judged", *, as_json: bool) -> None:
    """Say that the text was not written, and where it is kept; exit 1 goes with it."""
    if as_json:
        _print(text, after, None, [resume_line(text)], kept=str(text.copy.place))
    warn(
        f"not written; the text is kept at {visible(str(text.copy.place))}",
        f"  {resume_line(text)}",
    )


def _print(
    text: "Text",
    after: "Judged",
    written: "Written | None",
    steps: list[str],
    kept: str | None,
) -> None:
    """Print doll.edit/1.

    It has `id`, `path`, `written` (whether the record has the text now), `kept` (the place of a
    text that was not written, or null), `problems`, `commit` (an id, or null), `notes`, `next`.
    """
    from doll.render.document import to_json
    from doll.render.problems import problem_values

    payload = {
        "id": text.id,
        "path": text.path,
        "written": written is not None,
        "kept": kept,
        "problems": problem_values(after.problems),
        "commit": written.commit if written else None,
        "notes": list(map(led, written.notes)) if written else [],
        "next": steps,
    }
    click.echo(to_json("doll.edit/1", payload))


def tell_discarded(text: "Text", after: "Judged", *, as_json: bool) -> None:
    """Say that the text is thrown away."""
    if as_json:
        _print(text, after, None, [], kept=None)
    warn("discarded; the record is as it was")
