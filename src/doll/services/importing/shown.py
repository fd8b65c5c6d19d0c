"""Foreign texts for reports, with every secret that they may hold masked. Pure.

Scanning a document takes time, so texts are masked only where something was found in it.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from doll.errors import Problem
from doll.interchange.base import Loss, Parked, Question, SetAside
from doll.interchange.pointers import encodable
from doll.render.import_values import Refused
from doll.services.importing.secret_scan import masked_pointer


class Shown(NamedTuple):
    """Makes texts fit for a report; `masking` says whether they can hold a secret."""

    masking: bool

    def text(self, text: str) -> str:
        """Return a text without secrets and without halves of surrogate pairs."""
        from doll.secrets import mask

        return encodable(mask(text) if self.masking else text)

    def pointer(self, pointer: str) -> str:
        """Return a pointer without secrets in its names."""
        return encodable(masked_pointer(pointer) if self.masking else pointer)

    def facts(self, facts: Mapping[str, str]) -> dict[str, str]:
        """Return what a document says of itself."""
        return {name: self.text(value) for name, value in facts.items()}

    def parked(self, parked: Iterable[Parked]) -> tuple[Parked, ...]:
        """Return what was parked, in the order of the document's entries."""
        return tuple(
            each._replace(
                pointer=self.pointer(each.pointer),
                source_id=self.text(each.source_id),
                reason=self.text(each.reason),
            )
            for each in parked
        )

    def set_aside(self, entries: Iterable[SetAside]) -> tuple[SetAside, ...]:
        """Return what is not imported, and named apart."""
        return tuple(
            each._replace(pointer=self.pointer(each.pointer), source_id=self.text(each.source_id))
            for each in entries
        )

    def questions(self, questions: Iterable[Question]) -> tuple[Question, ...]:
        """Return what the source leaves open."""
        return tuple(Question(self.pointer(q.pointer), self.text(q.text)) for q in questions)

    def refused(self, refused: Iterable[Refused]) -> tuple[Refused, ...]:
        """Return what was refused."""
        return tuple(each._replace(source_id=self.text(each.source_id)) for each in refused)

    def losses(self, losses: Iterable[Loss]) -> tuple[Loss, ...]:
        """Return the losses; the names in their fields are foreign."""
        return tuple(
            Loss(field=self.pointer(each.field), count=each.count, reason=each.reason)
            for each in losses
        )

    def problems(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Return the warnings about a document."""
        return tuple(
            each._replace(message=self.text(each.message), pointer=self.pointer(each.pointer))
            for each in problems
        )
