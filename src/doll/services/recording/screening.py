"""Secrets in what is about to be written: named by kind and place, and refused.

Only the user can say that one is none, typed for just that place. The value itself never leaves
this module, in no message and no report.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from doll.errors import ConflictError, Problem, UsageError
from doll.services.recording.authorship import USER, Author
from doll.services.trailers import FALSE_ALARM

if TYPE_CHECKING:
    from doll.secrets import Hit

Texts = Mapping[str, object]


# What is in no field: comments of the front matter.
FILE = "file"
_WITHOUT = "write about the secret without the secret, and change it if it was ever shared"


class Place(NamedTuple):
    """A detector and the field it objects to: `body`, `id`, or a front matter key."""

    detector: str
    field: str

    def __str__(self) -> str:
        return f"{self.detector}:{self.field}"


def allowed_places(options: Sequence[str], author: Author) -> tuple[Place, ...]:
    """Return the places that `--not-a-secret` names; UsageError for another form.

    ConflictError when a model is at work: it cannot declare a false alarm.
    """
    if not options:
        return ()
    if author.model is not None:
        raise ConflictError(
            f"{author.model} cannot say that something is no secret: that is the user's",
            hint="leave the value out of the text",
        )
    from doll.secrets import DETECTORS

    places = []
    for option in options:
        detector, colon, field = option.partition(":")
        if not colon or not field or detector not in DETECTORS:
            raise UsageError(
                f"--not-a-secret: {option[:120]!r} is not DETECTOR:FIELD",
                hint="copy what the refusal says, such as jwt:body",
            )
        places.append(Place(detector, field))
    return tuple(places)


def screen(
    texts: Texts, allowed: Sequence[Place] | None, author: Author = USER, *, whole: str = ""
) -> None:
    """Refuse texts that hold secrets, beyond the `allowed` ones, one for one.

    None stands for a command that can allow none, so that no hint names an option that it lacks.

    `texts` are the values by field, `whole` the file that they are from, which holds comments as
    well; `author` writes them, and only in the user's own text `pragma: allowlist secret` counts.
    Raises ConflictError with a problem for each place; UsageError when an allowance fits nothing,
    so that none is ever left over.
    """
    left = Counter(allowed or ())
    problems = []
    for place, hit, claimed in _found(texts, whole):
        if claimed and author.model is None:
            continue
        left[place] -= 1
        problems.append((place, _problem(hit, place, claimed=claimed)))
    found = Counter(place for place, _ in problems)
    open_places = {place for place, count in left.items() if count < 0}
    if open_places:
        raise ConflictError(
            "this looks like a secret; nothing was written",
            hint=_WITHOUT if allowed is None or author.model else _hint(found, open_places),
            problems=[problem for place, problem in problems if place in open_places],
        )
    if spare := [place for place, count in left.items() if count > 0]:
        raise _spare(spare[0], found[spare[0]])


def _found(texts: Texts, whole: str) -> Iterator[tuple[Place, "Hit", bool]]:
    """Yield each hit with its place, and whether a comment beside it says that it is none."""
    from doll.secrets import is_vouched, scan, scan_document
    from doll.secrets.documents import text_at

    seen = Counter[str]()
    for hit in scan_document(dict(texts)):
        seen[hit.detector] += 1
        text = text_at(dict(texts), hit.pointer)
        yield Place(hit.detector, _field(hit)), hit, is_vouched(text, hit)
    for hit in scan(whole):
        seen[hit.detector] -= 1
        if seen[hit.detector] < 0:
            yield Place(hit.detector, FILE), hit, is_vouched(whole, hit)


def _spare(place: Place, found: int) -> UsageError:
    """Return the refusal of an allowance that is left over; `found` is how many there fit."""
    if found:
        times = "once" if found == 1 else f"{found} times"
        return UsageError(
            f"--not-a-secret {place}: that is found there {times} only; nothing was written",
            hint=f"give the option {times}",
        )
    return UsageError(
        f"--not-a-secret {place}: nothing there looks like that; nothing was written",
        hint="leave it out",
    )


def trailers(allowed: Iterable[Place]) -> list[str]:
    """Return the lines that record the allowances in a commit message."""
    return [f"{FALSE_ALARM}: {place}" for place in allowed]


def _field(hit: "Hit") -> str:
    return hit.pointer.split("/")[1].replace("~1", "/").replace("~0", "~")


def _problem(hit: "Hit", place: Place, *, claimed: bool) -> Problem:
    message = f"this looks like a secret ({hit.detector}) in `{place.field}`"
    if claimed:
        message += "; the comment beside it that says otherwise counts in the user's text alone"
    return Problem(place.field, hit.line, hit.column, "secret.found", message)


def _hint(found: Counter[Place], places: Iterable[Place]) -> str:
    options = [f"--not-a-secret {p}" for p in sorted(places) for _ in range(found[p])]
    return f"{_WITHOUT}\nif you know that it is none, add: {' '.join(options)}"
