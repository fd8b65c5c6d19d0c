"""What a proposal cannot say of itself: that is doll's, a review's, or the user's.

Nothing is overridden in silence: what stands too high is a problem, which the sender mends. Links
stay what they are, proposed; here they only have to name something.
"""

from collections.abc import Iterator, Mapping
from typing import get_args

from doll.errors import Problem, UsageError
from doll.records.model import Experience, Record, Sensitivity
from doll.records.references import Names, reference_problem, references
from doll.services.checking.glob_rules import pattern_problems
from doll.services.proposing.reading import Given
from doll.services.reading.referring import Known
from doll.services.recording.statements import check_links

CODE = "proposal.field"

_WRITTEN_BY_DOLL = ("created", "updated", "updates", "claims")
_OF_A_REVIEW = ("review", "reviewed_", "redacted_")
_LEVELS: tuple[str, ...] = get_args(Sensitivity)
_MOST_OPEN = _LEVELS.index("personal")


def claims(values: Mapping[str, object], model: str) -> Iterator[tuple[str, str, str]]:
    """Yield (field, message, hint) for each value that a model cannot give its proposal."""
    for field, value in values.items():
        if field in _WRITTEN_BY_DOLL or field.startswith("origin_"):
            if (field, value) != ("origin_source", model):
                yield field, f"`{field}` is written by doll", "leave it out"
        elif field == "origin":
            if value != "model":
                yield field, "a proposal has the origin `model`, whatever it says", "leave it out"
        elif field.startswith(_OF_A_REVIEW):
            yield field, f"`{field}` is what a review or redaction by the user says", "leave it out"
        elif field == "aliases":
            yield field, "names are the user's to give", "leave it out"
        elif field == "assertion" and value != "model_proposed":
            yield field, "what a model says is `model_proposed`", "leave it out"
        elif field == "sensitivity" and _is_opener(value):
            message = f"a proposal is `personal` or more private, and this says {value}"
            yield field, message, "leave it out: the user can open it up"


def _is_opener(value: object) -> bool:
    return value in _LEVELS and _LEVELS.index(str(value)) < _MOST_OPEN


def claim_problems(given: Given, model: str) -> list[Problem]:
    """Return a problem for each value that a model cannot give, at its place."""
    found = claims(given.values, model)
    return [given.problem(field, CODE, message, hint) for field, message, hint in found]


def link_problems(given: Given, record: Record, known: Known) -> list[Problem]:
    """Return what is wrong with the references and patterns of a proposal, at their places."""
    names = Names(known.records)
    found = []
    for reference in references(record):
        if problem := reference_problem(reference, names):
            hint = problem.hint.partition("\n")[0]
            found.append(given.problem(reference.field, problem.code, problem.message, hint))
    found += [
        given.problem("paths", problem.code, problem.message, problem.hint)
        for problem in pattern_problems(record)
    ]
    if not found and isinstance(record.fields, Experience):
        try:
            check_links(known, record.fields)
        except UsageError as error:
            message = error.message.partition(": ")[2] or error.message
            found.append(given.problem("project", "reference.wrong_type", message, error.hint))
    return found


def empty_problems(record: Record, body: str) -> Iterator[Problem]:
    """Yield the problem of a proposal that says nothing."""
    fields = record.fields
    if not (fields.title or fields.summary or body.strip()):
        message = "it says nothing: there is no title, no summary and no text"
        yield Problem("stdin", 0, 0, "proposal.empty", message, hint="write what is to be kept")
