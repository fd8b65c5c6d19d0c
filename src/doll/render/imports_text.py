"""The imports of a vault, for people and for scripts."""

from collections.abc import Iterator, Sequence

from doll.render.imports_values import Dropped, ImportEntry, Imports, Shown, Tally
from doll.render.problems import problem_values
from doll.render.text import count, padded_to, visible, visible_lines, width
from doll.secrets import mask

SCHEMA = "doll.imports/1"

_WORDS = {
    "new": "new",
    "changed": "changed",
    "staged": "in staging",
    "approved": "approved",
    "rejected": "rejected",
    "dropped": "dropped",
    "parked": "parked",
    "refused": "refused",
}
_ALWAYS = ("new", "staged", "approved")


def list_payload(found: Imports) -> dict[str, object]:
    """Return the content of the JSON document of a list."""
    return {
        "imports": [_values(each) for each in found.entries],
        "problems": problem_values(found.problems),
    }


def show_payload(shown: Shown) -> dict[str, object]:
    """Return the content of the JSON document of one import."""
    return {"import": _values(shown.entry), "report": shown.report}


def drop_payload(done: Dropped) -> dict[str, object]:
    """Return the content of the JSON document of a drop."""
    return {
        "import": _values(done.entry),
        "dropped": list(done.paths),
        "other_files": done.others,
        "commit": done.commit or None,
    }


def list_lines(entries: Sequence[ImportEntry]) -> Iterator[str]:
    """Yield one line for each import: name, adapter, counts, source."""
    names = max((width(visible(each.name)) for each in entries), default=0)
    adapters = max((width(visible(each.adapter)) for each in entries), default=0)
    for each in entries:
        gone = "" if each.folder else "  (its folder is gone)"
        name = padded_to(names, visible(each.name))
        adapter = padded_to(adapters, visible(each.adapter))
        yield f"{name}  {adapter}  {tally(each.tally)}  from {_source(each)}{gone}"


def show_lines(shown: Shown) -> Iterator[str]:
    """Yield what is so of an import now, and its report as it was written, as quoted data."""
    entry = shown.entry
    yield f"{visible(entry.name)}: {visible(entry.adapter)}, {visible(entry.folder)}"
    yield f"  now: {tally(entry.tally)}"
    for line in visible_lines(shown.report.strip("\n")):
        yield f"| {line}"


def drop_lines(done: Dropped) -> Iterator[str]:
    """Yield what was dropped, and what stays."""
    entry, numbers = done.entry, done.entry.tally
    name = visible(entry.name)
    if done.paths:
        yield f"{name}: dropped {count(len(done.paths), 'candidate')} from {visible(entry.folder)}"
    else:
        yield f"{name}: nothing of it waits for review, nothing was dropped"
    if numbers.approved:
        yield f"  {count(numbers.approved, 'approved record stays', 'approved records stay')}"
    if numbers.rejected:
        yield f"  {count(numbers.rejected, 'rejected one stays', 'rejected ones stay')}, marked"
    if done.others:
        yield f"  {count(done.others, 'file')} that the import did not bring: left alone"
    if done.paths:
        yield "  importing the same again leaves them out; --again brings them back"


def tally(numbers: Tally) -> str:
    """Return the counts on one line; what is zero is left out, but for three."""
    parts = [
        f"{number:,} {_WORDS[name]}"
        for name, number in numbers._asdict().items()
        if number or name in _ALWAYS
    ]
    return ", ".join(parts)


def _source(entry: ImportEntry) -> str:
    return visible(mask(entry.source))


def _values(entry: ImportEntry) -> dict[str, object]:
    return {
        "name": entry.name,
        "adapter": entry.adapter,
        "source": mask(entry.source),
        "source_sha256": entry.source_digest,
        "folder": entry.folder or None,
        "counts": entry.tally._asdict(),
    }
