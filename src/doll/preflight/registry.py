"""The capability registry: which capability an action of a request falls under.

Owns the way from an action to its capability. What a capability allows is the rules' to say.
"""

import re
from collections.abc import Iterable, Iterator

from doll.records.model import Record
from doll.records.names import fold


class Registry:
    """The accepted capabilities, by id and alias; two that share a name both count."""

    def __init__(self, capabilities: Iterable[Record]) -> None:
        self.records = tuple(sorted(capabilities, key=lambda record: record.path))
        self._named: dict[str, list[Record]] = {}
        for record in self.records:
            for name in {fold(record.id), *map(fold, record.fields.aliases)}:
                self._named.setdefault(name, []).append(record)

    def of(self, action: str) -> tuple[Record, ...]:
        """Return the capabilities of an action: those of its name, else of its longest prefix."""
        name = action
        while name:
            if found := self._named.get(fold(name)):
                return tuple(found)
            name = name.rpartition(".")[0]
        return ()

    def matching(self, pattern: str) -> Iterator[str]:
        """Yield the ids that a pattern with `*` matches, sorted; `*` is any text, dots too."""
        regex = re.compile(".*".join(map(re.escape, re.split(r"\*+", pattern))), re.DOTALL)
        yield from sorted({r.id for r in self.records if regex.fullmatch(r.id)})
